package android.os;

import java.util.Set;
import java.util.TreeMap;

/** Named values. */
public final class Bundle implements Parcelable {
    private final TreeMap<String, Object> map = new TreeMap<String, Object>();

    public Bundle() {}
    public Bundle(Bundle b) { map.putAll(b.map); }

    public void putInt(String k, int v) { map.put(k, v); }
    public void putLong(String k, long v) { map.put(k, v); }
    public void putBoolean(String k, boolean v) { map.put(k, v); }
    public void putString(String k, String v) { map.put(k, v); }
    public void putStringArray(String k, String[] v) { map.put(k, v); }
    public void putIntArray(String k, int[] v) { map.put(k, v); }
    public void putAll(Bundle b) { map.putAll(b.map); }
    public int getInt(String k) { return getInt(k, 0); }
    public int getInt(String k, int d) {
        Object v = map.get(k);
        return v instanceof Integer ? (Integer) v : d;
    }
    public long getLong(String k) { return getLong(k, 0); }
    public long getLong(String k, long d) {
        Object v = map.get(k);
        return v instanceof Long ? (Long) v : d;
    }
    public boolean getBoolean(String k) { return getBoolean(k, false); }
    public boolean getBoolean(String k, boolean d) {
        Object v = map.get(k);
        return v instanceof Boolean ? (Boolean) v : d;
    }
    public String getString(String k) { return getString(k, null); }
    public String getString(String k, String d) {
        Object v = map.get(k);
        return v instanceof String ? (String) v : d;
    }
    public String[] getStringArray(String k) { return (String[]) map.get(k); }
    public int[] getIntArray(String k) { return (int[]) map.get(k); }
    public boolean containsKey(String k) { return map.containsKey(k); }
    public void remove(String k) { map.remove(k); }
    public Set<String> keySet() { return map.keySet(); }
    public int size() { return map.size(); }
    public boolean isEmpty() { return map.isEmpty(); }
}
