package android.database;

import java.util.ArrayList;

public class MatrixCursor implements Cursor {
    private final String[] names;
    private final ArrayList<Object[]> rows = new ArrayList<Object[]>();
    private int at = -1;
    private boolean closed;

    public MatrixCursor(String[] names) { this.names = names; }
    public void addRow(Object[] row) { rows.add(row); }
    public int getCount() { return rows.size(); }
    public int getPosition() { return at; }
    public boolean moveToFirst() { at = 0; return !rows.isEmpty(); }
    public boolean moveToNext() { return ++at < rows.size(); }
    public int getColumnIndex(String name) { return java.util.Arrays.asList(names).indexOf(name); }
    private Object cell(int c) {
        if (closed) throw new IllegalStateException("attempt to re-open an already-closed object");
        return rows.get(at)[c];
    }
    public int getInt(int c) { return ((Number) cell(c)).intValue(); }
    public long getLong(int c) { return ((Number) cell(c)).longValue(); }
    public String getString(int c) { return String.valueOf(cell(c)); }
    public boolean isClosed() { return closed; }
    public void close() { closed = true; }
}
