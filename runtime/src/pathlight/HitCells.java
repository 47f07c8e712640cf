package pathlight;

import java.nio.ByteBuffer;

/** The counts of a thread, or of all threads for which there was no room. */
final class HitCells {
    /** Addend of a hit to a word; odd, so that the count follows from the word. */
    private static final long STEP = 0x9E3779B97F4A7C15L;
    /** Null: those of several threads. */
    final Thread thread;
    /** In builds whose counts are published: what the thread has counted; else null. */
    final int[] now;
    /** What the words have of that. */
    private final int[] folded;
    /** A path's word in the file; before its first hit, what stands for none. */
    private final long[] words;
    /** Where the words stand in the file; null: nothing is recorded. */
    private final ByteBuffer file;
    private final int first;
    /** Of those that are published. */
    HitCells next;

    HitCells(Thread thread, int paths, ByteBuffer file, int first, int slab, boolean published) {
        this.thread = thread;
        this.file = file;
        this.first = first;
        words = new long[paths];
        for (int path = 0; path < paths; path++) {
            words[path] = tag(path, slab) * STEP;
        }
        now = published ? new int[paths] : null;
        folded = published ? new int[paths] : null;
    }

    /** One aligned store: a kill comes before it or after it. */
    void add(int path) {
        ByteBuffer file = this.file;
        if (file != null) {
            long[] words = this.words;
            long word = words[path] + STEP;
            words[path] = word;
            file.putLong(first + (path << 3), word);
        }
    }

    /** The same by several threads. */
    synchronized void addShared(int path) {
        add(path);
    }

    /**
     * Writes what the thread has counted since the last time; whether that was anything. By one
     * thread at a time.
     */
    boolean publish() {
        boolean more = false;
        for (int path = 0; path < now.length; path++) {
            int n = now[path];
            int hits = n - folded[path];
            if (hits != 0) {
                words[path] += (hits & 0xFFFFFFFFL) * STEP;
                folded[path] = n;
                if (file != null) {
                    file.putLong(first + (path << 3), words[path]);
                }
                more = true;
            }
        }
        return more;
    }

    /** In the upper 16 bits, where no count reaches: whose count it is. */
    private static long tag(int path, int slab) {
        int h = (path + 1) * 0x85EBCA6B + (slab + 1) * 0xC2B2AE35;
        return (long) ((h ^ h >>> 15) * 0x27D4EB2F >>> 16) << 48;
    }
}
