    private static native void suspendAllAndSendVmStart();
