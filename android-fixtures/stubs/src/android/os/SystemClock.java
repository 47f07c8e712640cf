package android.os;

/** The main looper's clock, which the driver moves: delays take no real time. */
public final class SystemClock {
    private static final long START = System.nanoTime();

    private SystemClock() {}

    public static long uptimeMillis() { return Looper.now(); }
    public static long elapsedRealtime() { return Looper.now(); }
    /** Real time plus the delays that took none: code takes its time, as on a device. */
    public static long elapsedRealtimeNanos() {
        return System.nanoTime() - START + 1000000L * Looper.now();
    }
    public static void sleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
