package android.os;

/** What the runtime is compiled against; the device has the real one. */
public final class SystemClock {
    private SystemClock() {}

    public static long elapsedRealtimeNanos() {
        throw new UnsupportedOperationException("stub");
    }
}
