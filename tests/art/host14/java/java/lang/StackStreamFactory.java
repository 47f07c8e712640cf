package java.lang;

/** The natives of {@code StackWalker}, which the runtime registers; there is no StackWalker. */
final class StackStreamFactory {
    @dalvik.annotation.optimization.FastNative
    private static native Object nativeGetStackAnchor();

    @dalvik.annotation.optimization.FastNative
    private static native int nativeFetchStackFrameInfo(
            long mode, Object anchor, int level, int batch, int start, Object[] buffer);
}
