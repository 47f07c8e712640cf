    protected final ClassLoader[] sharedLibraryLoadersAfter = null;
    private native String[] computeClassLoaderContextsNative();
