package android.app;

import android.content.Context;
import android.content.ContextWrapper;
import android.content.Intent;
import android.os.IBinder;

public abstract class Service extends ContextWrapper {
    public static final int START_STICKY = 1;
    public static final int START_NOT_STICKY = 2;
    private boolean stopping;

    public Service() { super(null); }
    public void onCreate() {}
    public int onStartCommand(Intent i, int flags, int id) { return START_STICKY; }
    public abstract IBinder onBind(Intent i);
    public boolean onUnbind(Intent i) { return false; }
    public void onRebind(Intent i) {}
    public void onDestroy() {}
    public final void stopSelf() { stopping = true; }
    public final boolean stopSelfResult(int id) { stopping = true; return true; }
    /** For the driver. */
    public final void attach(Context c) { attachBaseContext(c); }
    /** For the driver: whether the service asked to be stopped since it was last asked. */
    public final boolean takeStopRequest() { boolean s = stopping; stopping = false; return s; }
}
