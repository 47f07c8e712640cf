    public static native boolean isVerifiedCompilerFilter(String filter);
    public static native boolean isOptimizedCompilerFilter(String filter);
    private static native boolean isReadOnlyJavaDclEnforced();
