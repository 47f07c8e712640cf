package android.content;

import android.app.ActivityManager;

public class Context {
    public Object getSystemService(String name) {
        return name.equals("activity") ? new ActivityManager() : null;
    }
}
