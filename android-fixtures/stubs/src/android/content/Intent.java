package android.content;

import android.net.Uri;
import android.os.Bundle;

public class Intent implements android.os.Parcelable {
    public static final String ACTION_MAIN = "android.intent.action.MAIN";
    public static final String ACTION_BOOT_COMPLETED = "android.intent.action.BOOT_COMPLETED";
    public static final String ACTION_BATTERY_LOW = "android.intent.action.BATTERY_LOW";
    public static final String CATEGORY_LAUNCHER = "android.intent.category.LAUNCHER";

    private String action;
    private ComponentName component;
    private Uri data;
    private final Bundle extras = new Bundle();

    public Intent() {}
    public Intent(String action) { this.action = action; }
    public Intent(Context c, Class<?> k) { component = new ComponentName(c, k); }
    public String getAction() { return action; }
    public Intent setAction(String a) { action = a; return this; }
    public ComponentName getComponent() { return component; }
    public Intent setComponent(ComponentName c) { component = c; return this; }
    public Intent setClassName(String pkg, String cls) {
        component = new ComponentName(pkg, cls);
        return this;
    }
    public Uri getData() { return data; }
    public Intent setData(Uri u) { data = u; return this; }
    public Bundle getExtras() { return extras; }
    public Intent putExtra(String k, int v) { extras.putInt(k, v); return this; }
    public Intent putExtra(String k, long v) { extras.putLong(k, v); return this; }
    public Intent putExtra(String k, boolean v) { extras.putBoolean(k, v); return this; }
    public Intent putExtra(String k, String v) { extras.putString(k, v); return this; }
    public int getIntExtra(String k, int d) { return extras.getInt(k, d); }
    public long getLongExtra(String k, long d) { return extras.getLong(k, d); }
    public boolean getBooleanExtra(String k, boolean d) { return extras.getBoolean(k, d); }
    public String getStringExtra(String k) { return extras.getString(k); }
    public boolean hasExtra(String k) { return extras.containsKey(k); }
}
