package pathlight;

/**
 * The one class that names a class of Android: a call by reflection allocates, and this one is made
 * twice for each callback. Only touched where {@link Sink} has found that class.
 */
final class Clock {
    private Clock() {}

    /** Nanoseconds since the device started, with the time that it slept. */
    static long elapsed() {
        return android.os.SystemClock.elapsedRealtimeNanos();
    }
}
