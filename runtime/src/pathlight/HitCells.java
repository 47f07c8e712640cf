package pathlight;

import java.nio.ByteBuffer;

/** The counts of a thread, or of all threads for which there was no room. */
final class HitCells {
    /** Null: those of several threads. */
    final Thread thread;
    private final long[] counts;
    /** Where they stand in the file; null: nothing is recorded. */
    private final ByteBuffer file;
    private final int first;
    private final int slab;

    HitCells(Thread thread, int paths, ByteBuffer file, int first, int slab) {
        this.thread = thread;
        this.counts = new long[paths];
        this.file = file;
        this.first = first;
        this.slab = slab;
    }

    /** One aligned store: a kill comes before it or after it. */
    void add(int path) {
        ByteBuffer file = this.file;
        if (file != null) {
            long n = counts[path] + 1;
            counts[path] = n;
            file.putLong(first + 8 * path, n << 16 | check(n, path));
        }
    }

    /** The same by several threads. */
    synchronized void addShared(int path) {
        add(path);
    }

    private int check(long n, int path) {
        int h = (int) (n ^ n >>> 32) * 0x9E3779B1 + (path + 1) * 0x85EBCA6B + (slab + 1) * 0xC2B2AE35;
        h = (h ^ h >>> 15) * 0x27D4EB2F;
        return h >>> 16;
    }
}
