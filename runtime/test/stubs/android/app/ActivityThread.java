package android.app;

import android.content.Context;

public final class ActivityThread {
    /** Not public on devices. */
    public static final class SystemContext extends Context {}

    public static ActivityThread currentActivityThread() {
        return new ActivityThread();
    }

    public SystemContext getSystemContext() {
        return new SystemContext();
    }
}
