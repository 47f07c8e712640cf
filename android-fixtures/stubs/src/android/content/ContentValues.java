package android.content;

import java.util.Set;
import java.util.TreeMap;

public final class ContentValues implements android.os.Parcelable {
    private final TreeMap<String, Object> map = new TreeMap<String, Object>();

    public ContentValues() {}
    public void put(String k, String v) { map.put(k, v); }
    public void put(String k, Integer v) { map.put(k, v); }
    public void put(String k, Long v) { map.put(k, v); }
    public void put(String k, Boolean v) { map.put(k, v); }
    public Object get(String k) { return map.get(k); }
    public String getAsString(String k) {
        Object v = map.get(k);
        return v == null ? null : v.toString();
    }
    public Integer getAsInteger(String k) {
        Object v = map.get(k);
        if (v instanceof Number) return ((Number) v).intValue();
        try {
            return v == null ? null : Integer.valueOf(v.toString());
        } catch (NumberFormatException e) {
            return null;
        }
    }
    public boolean containsKey(String k) { return map.containsKey(k); }
    public Set<String> keySet() { return map.keySet(); }
    public int size() { return map.size(); }
}
