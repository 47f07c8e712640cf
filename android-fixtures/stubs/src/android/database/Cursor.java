package android.database;

public interface Cursor extends java.io.Closeable {
    int getCount();
    int getPosition();
    boolean moveToFirst();
    boolean moveToNext();
    int getColumnIndex(String name);
    int getInt(int column);
    long getLong(int column);
    String getString(int column);
    boolean isClosed();
    void close();
}
