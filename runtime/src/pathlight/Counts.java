package pathlight;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Codec counts (docs/PROTOCOL.md, section 12): symbols are counted, not written. Each thread has pages of its own, plain numbers that only it
 * changes. Now and then they are folded into the totals of all threads, which are published in a file ({@link CountFile}).
 */
public final class Counts {
    /** Cells of a page, and of the page of top-level callbacks. */
    static final int CELLS = 512;
    private static final int PAIRS = 512;
    static final int IDLE = 1 + 2 * PAIRS;
    /** In a counted loop's cells: symbols; then the rounds, in halves. */
    private static final int ROUNDS = 37;
    /** A callback that takes longer is published meanwhile, in ticks. */
    private static final int OFTEN = 1000 * Protocol.TICKS_PER_MS;

    // No static initialiser: see Start.

    /**
     * What all threads have counted, a {@link CountPage} for each page; the last one is that of top-level callbacks. (An array of a class of the
     * runtime would keep that class's name.)
     */
    static Object[] all;
    /** What is counted in here is lost: no stack, no memory. */
    static int[] unused;

    private Counts() {}

    /** Before there is any state. */
    static void prepare(int pages) {
        unused = new int[CELLS];
        all = new Object[pages + 1];
    }

    /** A symbol whose cell has this address. */
    public static void hit(State s, int at) {
        int[] p = s.cells[at >>> 9];
        if (p == null) {
            p = touch(s, at >>> 9);
        }
        int n = p[at & 511] + 1;
        if (n << 2 == 0) {
            fold(at >>> 9);
        }
        p[at & 511] = n;
    }

    /** The loop that the path register counts for from now on: see {@link #trips}. */
    public static void open(State s, int base) {
        s.open = base;
    }

    /**
     * A counted loop is left. The low 28 bits of base are the address of its cells, the high ones tell by how many bits the register is to be
     * shifted.
     */
    public static void trips(State s, int base, int register) {
        int count = register >>> (base >>> 28);
        int at = base & 0xFFFFFFF;
        s.open = 0;
        hit(s, at + (count >>> 3 == 0 ? count : 36 - Integer.numberOfLeadingZeros(count)));
        rounds(s, at + ROUNDS, count);
    }

    /** A counted loop goes on, but its register is full. */
    public static void lap(State s, int base, int register) {
        rounds(s, (base & 0xFFFFFFF) + ROUNDS, register >>> (base >>> 28));
    }

    /** An exception found this in the path register: a region's cell, or the rounds of the loop that is open. */
    static void broken(State s, int register) {
        int base = s.open;
        if (base == 0) {
            hit(s, register);
            return;
        }
        int shift = base >>> 28;
        int begun = (register & (1 << shift) - 1) != 0 ? 1 : 0;
        rounds(s, (base & 0xFFFFFFF) + ROUNDS, (register >>> shift) + begun);
        s.open = 0;
    }

    private static void rounds(State s, int at, int count) {
        add(s, at, count & 0xFFFF);
        add(s, at + 1, count >>> 16);
    }

    private static void add(State s, int at, int count) {
        int[] p = s.cells[at >>> 9];
        if (p == null) {
            p = touch(s, at >>> 9);
        }
        int before = p[at & 511];
        if ((before + count ^ before) >>> 30 != 0) {
            fold(at >>> 9);
        }
        p[at & 511] = before + count;
    }

    /** A top-level callback begins. */
    static void top(State s, int id) {
        CountPage page = (CountPage) all[all.length - 1];
        if (s.dead || page == null) {
            return;
        }
        long key = (long) s.lastTop << 32 | id;
        int at = (s.lastTop * 31 + id) * 0x9E3779B1 >>> 23;
        synchronized (page) {
            long[] total = page.total;
            for (int n = 0; n < PAIRS; n++, at = at + 1 & PAIRS - 1) {
                long known = total[1 + 2 * at];
                if (known == 0) {
                    total[1 + 2 * at] = key;
                }
                if (known == 0 || known == key) {
                    total[2 + 2 * at]++;
                    page.changed = true;
                    return;
                }
            }
            total[0]++;
            page.changed = true;
        }
    }

    /** A page that the thread has not had yet. */
    private static int[] touch(State s, int k) {
        if (s.dead || s.busy) {
            return unused;
        }
        int[] cells = unused;
        int token = s.callToken;
        s.busy = true;
        try {
            Start.reserve(128, 1, 2, 3, 4);
            CountCells own = new CountCells(s.thread);
            shared(k, CELLS).add(own);
            s.cells[k] = own.now;
            cells = own.now;
        } catch (Throwable e) {
            // The next one tries again.
        }
        s.callToken = token;
        s.busy = false;
        return cells;
    }

    /** What all threads have of a page. */
    private static synchronized CountPage shared(int k, int cells) {
        CountPage page = (CountPage) all[k];
        if (page == null) {
            page = new CountPage(k, cells);
            page.slot = CountFile.slot(page);
            all[k] = page;
        }
        return page;
    }

    /** Makes the page of top-level callbacks, once there is a file. */
    static void begin() {
        shared(all.length - 1, IDLE);
    }

    private static void fold(int k) {
        CountPage page = (CountPage) all[k];
        if (page != null) {
            page.fold();
        }
    }

    /** An entry of the guard stack has been left, and others have not. */
    static void left(State s) {
        if (Sink.now() - s.lastTime >= OFTEN) {
            closed(s);
        }
    }

    /** A callback has ended: what its thread has counted is published. Never throws. */
    static void closed(State s) {
        publish(s, false);
    }

    /** What all threads have counted is published. Never throws. */
    static void flush(State s) {
        publish(s, true);
    }

    private static void publish(State s, boolean everything) {
        if (s.dead || s.busy) {
            return;
        }
        int token = s.callToken;
        s.busy = true;
        try {
            Start.reserve(64, 1, 2, 3, 4);
            int last = all.length - 1;
            for (int k = 0; k <= last; k++) {
                CountPage page = (CountPage) all[k];
                if (page != null && (everything || k == last || s.cells[k] != null)) {
                    page.publish();
                }
            }
            s.lastTime = Sink.now();
        } catch (Throwable e) {
            // The next one takes it along.
        }
        s.callToken = token;
        s.busy = false;
    }

    /** See {@link Sink}: loads what is needed later. */
    static void warm(State s) {
        CountPage page = new CountPage(0, CELLS);
        page.slot = ByteBuffer.allocate(CountFile.SLOT + 2 * (CountFile.COPY + 8 * CELLS));
        page.add(new CountCells(Thread.currentThread()));
        page.changed = true;
        page.publish();
    }

    static int checksum(byte[] bytes, int n) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, n);
        return (int) crc.getValue();
    }
}
