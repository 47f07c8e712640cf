package android.content;

import java.util.Map;

public interface SharedPreferences {
    interface OnSharedPreferenceChangeListener {
        void onSharedPreferenceChanged(SharedPreferences p, String key);
    }

    interface Editor {
        Editor putString(String k, String v);
        Editor putInt(String k, int v);
        Editor putBoolean(String k, boolean v);
        Editor remove(String k);
        boolean commit();
        void apply();
    }

    Map<String, ?> getAll();
    String getString(String k, String d);
    int getInt(String k, int d);
    boolean getBoolean(String k, boolean d);
    boolean contains(String k);
    Editor edit();
    void registerOnSharedPreferenceChangeListener(OnSharedPreferenceChangeListener l);
    void unregisterOnSharedPreferenceChangeListener(OnSharedPreferenceChangeListener l);
}
