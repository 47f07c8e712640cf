package android.util;

/** Maps ints to objects, keys ascending. */
public class SparseArray<E> implements Cloneable {
    private int[] keys = new int[8];
    private Object[] values = new Object[8];
    private int size;

    public SparseArray() {}

    private int find(int key) { return java.util.Arrays.binarySearch(keys, 0, size, key); }

    public E get(int key) { return get(key, null); }

    @SuppressWarnings("unchecked")
    public E get(int key, E otherwise) {
        int i = find(key);
        return i < 0 ? otherwise : (E) values[i];
    }

    public void put(int key, E value) {
        int i = find(key);
        if (i >= 0) { values[i] = value; return; }
        i = ~i;
        if (size == keys.length) {
            keys = java.util.Arrays.copyOf(keys, size * 2);
            values = java.util.Arrays.copyOf(values, size * 2);
        }
        System.arraycopy(keys, i, keys, i + 1, size - i);
        System.arraycopy(values, i, values, i + 1, size - i);
        keys[i] = key;
        values[i] = value;
        size++;
    }

    public void remove(int key) {
        int i = find(key);
        if (i < 0) return;
        System.arraycopy(keys, i + 1, keys, i, size - i - 1);
        System.arraycopy(values, i + 1, values, i, size - i - 1);
        values[--size] = null;
    }

    public int size() { return size; }
    public int keyAt(int i) { return keys[i]; }
    @SuppressWarnings("unchecked")
    public E valueAt(int i) { return (E) values[i]; }
    public void clear() { size = 0; }
}
