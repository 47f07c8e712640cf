    public static native void setRecentAllocationsTrackingEnabled(boolean enable);
    public static native void setThreadNotifyEnabled(boolean enable);
