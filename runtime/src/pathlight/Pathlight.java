package pathlight;

/** For app and test code, by reflection: {@code Class.forName("pathlight.Pathlight").getMethod("flush").invoke(null)}. */
public final class Pathlight {
    private Pathlight() {}

    /** Makes everything that the current thread has recorded so far readable. */
    public static void flush() {
        try {
            Probes.flush();
        } catch (Throwable e) {
            // The next flush takes it along.
        }
    }

    /** Switches recording off for the rest of the process: each thread ends its stream when it next comes by. */
    public static void off() {
        try {
            Sink.stopped = true;
            Events.flush(State.current());
        } catch (Throwable e) {
            // The thread ends its stream later.
        }
    }
}
