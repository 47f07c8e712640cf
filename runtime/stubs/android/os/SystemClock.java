package android.os;

/** What the runtime is compiled against; the device has the real one. */
public final class SystemClock {
    private SystemClock() {}

    public static long elapsedRealtime() {
        throw new UnsupportedOperationException("stub");
    }
}
