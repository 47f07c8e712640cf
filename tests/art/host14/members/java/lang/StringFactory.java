    @dalvik.annotation.optimization.FastNative
    static native String newStringFromUtf8Bytes(byte[] data, int offset, int byteCount);

    @dalvik.annotation.optimization.FastNative
    static native String newStringFromUtf16Bytes(byte[] data, int offset, int charCount);

    static String newStringFromBytes(byte[] data, byte coder) {
        return coder == 0 ? newStringFromBytes(data, 0, 0, data.length)
                : newStringFromUtf16Bytes(data, 0, data.length >> 1);
    }
