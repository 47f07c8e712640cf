    @dalvik.annotation.optimization.FastNative
    private final native boolean refersTo0(Object o);

    public final boolean refersTo(T o) {
        return refersTo0(o);
    }
