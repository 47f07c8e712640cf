package pathlight;

import java.nio.ByteBuffer;

/** A page: what all threads have counted, and its place in the file. */
final class CountPage {
    final int number;
    final long[] total;
    /** Counts have changed since they were published. */
    boolean changed;
    /** Its slot in the file; null: there is none. */
    ByteBuffer slot;
    private int generation;
    private CountCells first;

    CountPage(int number, int cells) {
        this.number = number;
        total = new long[cells];
    }

    synchronized void add(CountCells cells) {
        cells.next = first;
        first = cells;
    }

    /** Adds what threads have counted since the last time; those that have ended go. */
    synchronized void fold() {
        CountCells before = null;
        for (CountCells c = first; c != null; c = c.next) {
            // Asked first: what it counted last is there then.
            boolean ended = !c.thread.isAlive();
            int[] now = c.now;
            int[] folded = c.folded;
            long[] total = this.total;
            for (int i = 0; i < now.length; i++) {
                int n = now[i];
                int more = n - folded[i];
                if (more != 0) {
                    // No call between: a stack overflow must not come here.
                    total[i] += more & 0xFFFFFFFFL;
                    folded[i] = n;
                    changed = true;
                }
            }
            if (!ended) {
                before = c;
            } else if (before == null) {
                first = c.next;
            } else {
                before.next = c.next;
            }
        }
    }

    /** Writes the older copy, its generation last. */
    synchronized void publish() {
        fold();
        ByteBuffer slot = this.slot;
        if (!changed || slot == null) {
            return;
        }
        int cells = total.length;
        int next = generation + 1;
        byte[] bytes = new byte[12 + 8 * cells];
        put(bytes, 0, number);
        put(bytes, 4, cells);
        put(bytes, 8, next);
        int at = CountFile.SLOT + (next & 1) * (CountFile.COPY + 8 * cells);
        for (int i = 0; i < cells; i++) {
            long n = total[i];
            put(bytes, 12 + 8 * i, (int) (n >>> 32));
            put(bytes, 16 + 8 * i, (int) n);
            slot.putLong(at + CountFile.COPY + 8 * i, n);
        }
        slot.putInt(at + 4, Counts.checksum(bytes, bytes.length));
        slot.putInt(at, next);
        generation = next;
        changed = false;
    }

    static void put(byte[] to, int at, int n) {
        to[at] = (byte) (n >>> 24);
        to[at + 1] = (byte) (n >>> 16);
        to[at + 2] = (byte) (n >>> 8);
        to[at + 3] = (byte) n;
    }
}
