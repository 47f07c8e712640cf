package pathlight;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** A page: what all threads have counted, and its place in the file. */
final class CountPage {
    final int number;
    /** Of threads that have ended; of the page of callbacks, all. */
    final long[] total;
    /** The copy that was written last, and room for the next one. */
    private long[] published;
    private long[] spare;
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

    /** What all threads have counted. Cells of those that have ended go into the total. */
    private long[] sum() {
        long[] total = this.total;
        long[] sum = spare != null ? spare : new long[total.length];
        spare = sum;
        System.arraycopy(total, 0, sum, 0, sum.length);
        CountCells before = null;
        for (CountCells c = first; c != null; c = c.next) {
            // Asked first: what it counted last is there then.
            boolean ended = !c.thread.isAlive();
            long[] now = c.now;
            for (int i = 0; i < now.length; i++) {
                sum[i] += now[i];
            }
            if (!ended) {
                before = c;
                continue;
            }
            // No call between: a stack overflow must not come here.
            for (int i = 0; i < now.length; i++) {
                total[i] += now[i];
            }
            if (before == null) {
                first = c.next;
            } else {
                before.next = c.next;
            }
        }
        return sum;
    }

    /** Writes the older copy, its generation last. */
    synchronized void publish() {
        ByteBuffer slot = this.slot;
        long[] sum = sum();
        if (slot == null || generation != 0 && Arrays.equals(sum, published)) {
            return;
        }
        int cells = sum.length;
        int next = generation + 1;
        byte[] bytes = new byte[12 + 8 * cells];
        put(bytes, 0, number);
        put(bytes, 4, cells);
        put(bytes, 8, next);
        int at = CountFile.SLOT + (next & 1) * (CountFile.COPY + 8 * cells);
        for (int i = 0; i < cells; i++) {
            long n = sum[i];
            put(bytes, 12 + 8 * i, (int) (n >>> 32));
            put(bytes, 16 + 8 * i, (int) n);
            slot.putLong(at + CountFile.COPY + 8 * i, n);
        }
        slot.putInt(at + 4, Counts.checksum(bytes, bytes.length));
        slot.putInt(at, next);
        generation = next;
        spare = published;
        published = sum;
    }

    static void put(byte[] to, int at, int n) {
        to[at] = (byte) (n >>> 24);
        to[at + 1] = (byte) (n >>> 16);
        to[at + 2] = (byte) (n >>> 8);
        to[at + 3] = (byte) n;
    }
}
