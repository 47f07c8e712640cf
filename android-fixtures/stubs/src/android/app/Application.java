package android.app;

import android.content.Context;
import android.content.ContextWrapper;

public class Application extends ContextWrapper {
    public Application() { super(null); }
    public void onCreate() {}
    public void onTerminate() {}
    public void onLowMemory() {}
    public void onTrimMemory(int level) {}
    /** For the driver. */
    public final void attach(Context c) { attachBaseContext(c); }
}
