package android.content;

import android.os.Looper;
import java.io.File;

public class ContextWrapper extends Context {
    private Context base;

    public ContextWrapper(Context base) { this.base = base; }
    protected void attachBaseContext(Context c) { base = c; }
    public Context getBaseContext() { return base; }
    public Context getApplicationContext() { return base.getApplicationContext(); }
    public String getPackageName() { return base.getPackageName(); }
    public ClassLoader getClassLoader() { return base.getClassLoader(); }
    public ContentResolver getContentResolver() { return base.getContentResolver(); }
    public Looper getMainLooper() { return base.getMainLooper(); }
    public File getFilesDir() { return base.getFilesDir(); }
    public File getCacheDir() { return base.getCacheDir(); }
    public SharedPreferences getSharedPreferences(String n, int m) {
        return base.getSharedPreferences(n, m);
    }
    public Object getSystemService(String n) { return base.getSystemService(n); }
    public void startActivity(Intent i) { base.startActivity(i); }
    public ComponentName startService(Intent i) { return base.startService(i); }
    public boolean stopService(Intent i) { return base.stopService(i); }
    public boolean bindService(Intent i, ServiceConnection c, int f) {
        return base.bindService(i, c, f);
    }
    public void unbindService(ServiceConnection c) { base.unbindService(c); }
    public void sendBroadcast(Intent i) { base.sendBroadcast(i); }
    public Intent registerReceiver(BroadcastReceiver r, IntentFilter f) {
        return base.registerReceiver(r, f);
    }
    public void unregisterReceiver(BroadcastReceiver r) { base.unregisterReceiver(r); }
}
