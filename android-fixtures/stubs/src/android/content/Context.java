package android.content;

import android.os.Looper;
import java.io.File;

public abstract class Context {
    public static final int MODE_PRIVATE = 0;
    public static final int BIND_AUTO_CREATE = 1;

    public Context() {}
    public abstract Context getApplicationContext();
    public abstract String getPackageName();
    public abstract ClassLoader getClassLoader();
    public abstract ContentResolver getContentResolver();
    public abstract Looper getMainLooper();
    public abstract File getFilesDir();
    public abstract File getCacheDir();
    public abstract SharedPreferences getSharedPreferences(String name, int mode);
    public abstract Object getSystemService(String name);
    public abstract void startActivity(Intent i);
    public abstract ComponentName startService(Intent i);
    public abstract boolean stopService(Intent i);
    public abstract boolean bindService(Intent i, ServiceConnection c, int flags);
    public abstract void unbindService(ServiceConnection c);
    public abstract void sendBroadcast(Intent i);
    public abstract Intent registerReceiver(BroadcastReceiver r, IntentFilter f);
    public abstract void unregisterReceiver(BroadcastReceiver r);
}
