    private native void setDisabledCompatChangesNative(long[] disabledCompatChanges);
    private static native int getSdkVersionNative(int otherwise);
    private static native void registerAppInfo(String packageName, String currentProfileFile,
            String referenceProfileFile, String[] codePaths, int codePathsType);
    public static native void bootCompleted();
    public static native void resetJitCounters();
    public static native boolean isValidClassLoaderContext(String encodedClassLoaderContext);
    public static native DexFile.OptimizationInfo getBaseApkOptimizationInfo();
