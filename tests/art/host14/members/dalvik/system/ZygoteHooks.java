    private static native boolean nativeZygoteLongSuspendOk();
