package pathlight;

/**
 * Builds that count selected paths (docs/PROTOCOL.md, section 13): the one probe. Each thread has
 * counts of its own; there is no other state, and nothing is ever flushed.
 */
public final class Hits {
    /** Those of the thread that came last. */
    static HitCells cache;
    /** Nothing is counted any more. */
    static volatile boolean off;

    private Hits() {}

    /** A selected path is complete. */
    public static void hit(int path) {
        // Fewer fields here are more loads that ART does not have to repeat in the methods around.
        HitCells c = cache;
        if (c == null || c.thread != Thread.currentThread()) {
            HitFile.hit(path);
            return;
        }
        c.add(path);
    }

    /** The same in a build whose counts are published ({@link HitPublisher}). */
    public static void count(int path) {
        HitCells c = cache;
        if (c == null || c.thread != Thread.currentThread()) {
            HitFile.hit(path);
            return;
        }
        c.now[path]++;
    }
}
