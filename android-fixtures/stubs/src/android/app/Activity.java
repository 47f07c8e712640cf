package android.app;

import android.content.Context;
import android.content.Intent;
import android.os.Bundle;
import android.os.Handler;
import android.view.ContextThemeWrapper;
import android.view.View;

public class Activity extends ContextThemeWrapper {
    public static final int RESULT_OK = -1;
    private Intent intent;
    private View content;
    private boolean finishing;

    public Activity() {}
    protected void onCreate(Bundle saved) {}
    protected void onStart() {}
    protected void onRestart() {}
    protected void onResume() {}
    protected void onPause() {}
    protected void onStop() {}
    protected void onDestroy() {}
    protected void onPostCreate(Bundle saved) {}
    protected void onPostResume() {}
    protected void onNewIntent(Intent i) {}
    protected void onSaveInstanceState(Bundle out) {}
    protected void onRestoreInstanceState(Bundle saved) {}
    public void onBackPressed() { finish(); }
    public void onLowMemory() {}
    public void onTrimMemory(int level) {}
    public Intent getIntent() { return intent; }
    public void setIntent(Intent i) { intent = i; }
    public final Application getApplication() { return (Application) getApplicationContext(); }
    public void setContentView(View v) { content = v; }
    public View findViewById(int id) { return content == null ? null : content.findViewById(id); }
    public void finish() { finishing = true; }
    public boolean isFinishing() { return finishing; }
    public final void runOnUiThread(Runnable r) {
        if (getMainLooper().isCurrentThread()) r.run();
        else new Handler(getMainLooper()).post(r);
    }

    /** For the driver. */
    public final void attach(Context c, Intent i) { attachBaseContext(c); intent = i; }
    /** For the driver: calls one of the callbacks that are protected. */
    public final void call(String callback, Bundle b) {
        switch (callback) {
            case "onCreate": onCreate(b); break;
            case "onStart": onStart(); break;
            case "onRestoreInstanceState": onRestoreInstanceState(b); break;
            case "onPostCreate": onPostCreate(b); break;
            case "onRestart": onRestart(); break;
            case "onResume": onResume(); break;
            case "onPostResume": onPostResume(); break;
            case "onPause": onPause(); break;
            case "onSaveInstanceState": onSaveInstanceState(b); break;
            case "onStop": onStop(); break;
            case "onDestroy": onDestroy(); break;
            default: throw new IllegalArgumentException(callback);
        }
    }
    /** For the driver. */
    public final void callNewIntent(Intent i) { onNewIntent(i); }
}
