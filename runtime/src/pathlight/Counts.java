package pathlight;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32;

/**
 * Codec counts (docs/PROTOCOL.md, section 12): symbols are counted, not written. Each thread has
 * pages of its own, plain numbers that only it changes. Now and then those of all threads are added
 * up, and published in a file ({@link CountFile}). Most probes are here: such a build has no
 * progress, no frame numbers, and call tokens of slots alone.
 */
public final class Counts {
    /** Cells of a page. */
    static final int CELLS = 512;
    private static final int PAIRS = 512;
    static final int IDLE = 1 + 2 * PAIRS;
    /** In a counted loop's cells: symbols; then the rounds, in halves. */
    private static final int ROUNDS = 37;
    /** A callback that takes longer is published meanwhile, in nanoseconds. */
    private static final long OFTEN = 1000000000L;
    /**
     * A process spends at most one part in SHARE of its time on publishing, once it has spent one
     * part in SHARE of BURST nanoseconds on it.
     */
    private static final int SHARE = 16;
    private static final long BURST = 1000000000L;
    /**
     * What publishing a page takes at most, in nanoseconds: the rest of the time the thread has
     * waited.
     */
    private static final long PAGE_NS = 250000L;

    // No static initialiser: see Start.

    /**
     * What all threads have counted, a {@link CountPage} for each page; the last one is that of
     * top-level callbacks. (An array of a class of the runtime would keep that class's name.)
     */
    static Object[] all;
    /**
     * Of each page, the cells of the thread that asked for them last; null before there is any
     * state.
     */
    private static CountCells[] last;
    /** What is counted in here is lost: no stack, no memory, no state. */
    static CountCells lost;
    /** A thread's callback has ended and was not published. */
    static volatile boolean behind;
    /** Whether a thread is publishing. */
    private static AtomicBoolean gate;
    /** Until then what was published takes its share of the time. */
    private static volatile long quietUntil;

    private Counts() {}

    /** Before there is any state. */
    static void prepare(int pages) {
        all = new Object[pages + 1];
        last = new CountCells[pages + 1];
        gate = new AtomicBoolean();
    }

    /** Once there is the state of threads that have none. */
    static void ready(State nowhere) {
        lost = new CountCells(nowhere, -1, new long[CELLS]);
    }

    /** Entry of a method whose cells are in this page; the last one: of a method without cells. */
    public static CountCells page(int k) {
        CountCells[] last = Counts.last;
        if (last != null) {
            CountCells c = last[k];
            if (c != null && c.thread == Thread.currentThread()) {
                return c;
            }
        }
        return find(k);
    }

    /** The same for a method that a slot can reach. */
    public static CountCells enter(int k, int id) {
        CountCells[] last = Counts.last;
        if (last != null) {
            CountCells c = last[k];
            if (c != null && c.thread == Thread.currentThread() && c.state.callToken == 0) {
                return c;
            }
        }
        return entered(k, id);
    }

    /**
     * The same for a guarded method: it gets an entry in the guard stack, which has the tokens
     * alone.
     */
    public static CountCells enterGuarded(int k, int id) {
        CountCells c = page(k);
        State s = c.state;
        int g = s.guards;
        if (g == 0 || g == s.guardToken.length || s.callToken != 0) {
            begin(s, id);
            return c;
        }
        s.guardToken[g] = 0;
        s.guards = g + 1;
        return c;
    }

    /** All of a method that a slot can reach and that counts nothing. */
    public static void leaf(int id) {
        State s = State.cache;
        if (s == null || s.thread != Thread.currentThread() || s.callToken != 0) {
            entered(withoutCells(), id);
        }
    }

    /** All of a guarded method that counts nothing. */
    public static void leafGuarded(int id) {
        CountCells c = enterGuarded(withoutCells(), id);
        ended(c.state, c.state.guards);
    }

    /** Returns the page of methods without cells. The probe may be the first of the process. */
    private static int withoutCells() {
        if (all == null) {
            Start.ready();
        }
        return all.length - 1;
    }

    /** How deep the guard stack is, right after entry. */
    public static int frame(CountCells c) {
        return c.state.guards;
    }

    /** Normal exit of a guarded method. */
    public static void exitGuarded(CountCells c, int frame) {
        ended(c.state, frame);
    }

    /** An exception is about to leave a guarded method. */
    public static void unwound(CountCells c, int frame) {
        State s = c.state;
        if (frame != 0 && frame <= s.guards) {
            s.callToken = s.guardToken[frame - 1];
            s.guards = frame - 1;
            if (frame == 1) {
                // The process may be about to die of it.
                flush(s);
            }
        }
    }

    /** A component has reached one of its terminal callbacks. */
    public static void terminal(CountCells c) {
        Events.flush(c.state);
    }

    /** Leaves the token of a slot. */
    public static void call(CountCells c, int token) {
        c.state.callToken = token;
    }

    /** After a call through a slot: counts "none" if the token is still there. */
    public static void none(CountCells c, int token) {
        if (c.state.callToken == token) {
            none(c.state);
        }
    }

    /** A slot's call has come nowhere. */
    private static void none(State s) {
        answer(s, 0);
        s.callToken = 0;
    }

    /** First thing in a handler. */
    public static void caught(CountCells c) {
        c.state.callToken = 0;
    }

    /** First thing in a handler of a method with regions or counted loops. */
    public static void caught(CountCells c, int register) {
        if (register != 0) {
            gathered(c.state, register);
        }
        c.state.callToken = 0;
    }

    /** An exception leaves, perhaps while decisions are in the path register. */
    public static void broken(CountCells c, int register) {
        if (register != 0) {
            gathered(c.state, register);
        }
    }

    /** A symbol, by the address of its cell, which is in the method's page. */
    public static void hit(CountCells c, int at) {
        c.now[at & 511]++;
    }

    /** A symbol whose cell is in any page. */
    public static void far(CountCells c, int at) {
        hit(c.page == at >>> 9 ? c : of(c.state, at >>> 9), at);
    }

    /** The loop that the path register counts for from now on: see {@link #trips}. */
    public static void open(CountCells c, int base) {
        c.state.open = base;
    }

    /**
     * A counted loop is left. The low 28 bits of base are the address of its cells, which are in
     * the method's page; the high ones are the number of bits by which the register is shifted.
     */
    public static void trips(CountCells c, int base, int register) {
        int count = register >>> (base >>> 28);
        if (count > 7) {
            farTrips(c, base, register);
            return;
        }
        long[] p = c.now;
        p[(base & 511) + count]++;
        p[(base & 511) + ROUNDS] += count;
        c.state.open = 0;
    }

    /** The same, wherever the cells are. */
    public static void farTrips(CountCells c, int base, int register) {
        int count = register >>> (base >>> 28);
        int at = base & 0xFFFFFFF;
        c.state.open = 0;
        far(c, at + (count >>> 3 == 0 ? count : 36 - Integer.numberOfLeadingZeros(count)));
        rounds(c, at + ROUNDS, count);
    }

    /** A counted loop goes on, but its register is full. */
    public static void lap(CountCells c, int base, int register) {
        rounds(c, (base & 0xFFFFFFF) + ROUNDS, register >>> (base >>> 28));
    }

    /**
     * An exception found this in the path register: a region's cell, or the rounds of the loop that
     * is open.
     */
    private static void gathered(State s, int register) {
        int base = s.open;
        if (base == 0) {
            hit(of(s, register >>> 9), register);
            return;
        }
        int shift = base >>> 28;
        int begun = (register & (1 << shift) - 1) != 0 ? 1 : 0;
        int at = (base & 0xFFFFFFF) + ROUNDS;
        rounds(of(s, at >>> 9), at, (register >>> shift) + begun);
        s.open = 0;
    }

    private static void rounds(CountCells c, int at, int count) {
        add(c, at, count & 0xFFFF);
        if (count >>> 16 != 0) {
            add(c, at + 1, count >>> 16);
        }
    }

    private static void add(CountCells c, int at, int count) {
        if (c.page != at >>> 9) {
            c = of(c.state, at >>> 9);
        }
        c.now[at & 511] += count;
    }

    /** The cells that the thread has of a page. */
    private static CountCells of(State s, int k) {
        Object c = s.counted[k];
        return c != null ? (CountCells) c : touch(s, k);
    }

    /**
     * The slow way to a page. (It is large: ART would put a small one in line in each method of the
     * app, with all that it calls.)
     */
    private static CountCells find(int k) {
        State s = State.cache;
        if (s == null || s.thread != Thread.currentThread()) {
            s = State.current();
            State.cache = s;
        }
        Object known = s.counted[k];
        if (s.busy) {
            // The runtime is at work on this thread, or it has no state.
            return lost;
        }
        CountCells c = known != null ? (CountCells) known : touch(s, k);
        if (c.thread == s.thread) {
            last[k] = c;
        }
        return c;
    }

    /**
     * The way into a method that a slot can reach, from a slot that the thread remembers: as {@link
     * #counts}, without a call.
     */
    private static CountCells entered(int k, int id) {
        CountCells[] last = Counts.last;
        CountCells c = last == null ? null : last[k];
        if (c == null || c.thread != Thread.currentThread()) {
            return arrived(k, id);
        }
        State s = c.state;
        int token = s.callToken;
        int[] known = s.known;
        int at = (token * 29 + id) << 2 & known.length - 4;
        int cell = known[at + 2];
        if (token >= 0 || known[at] != token || known[at + 1] != id || cell == 0 || s.busy
            || s.dead) {
            return arrived(k, id);
        }
        Object of = cell >>> 9 == k ? c : s.counted[cell >>> 9];
        if (of == null) {
            return arrived(k, id);
        }
        ((CountCells) of).now[cell & 511]++;
        s.callToken = 0;
        return c;
    }

    /** Counts a slot's call if the thread remembers that one. Its cell is there then. */
    private static boolean counts(State s, int token, int id) {
        if (token >= 0 || s.busy || s.dead) {
            return false;
        }
        int[] known = s.known;
        // As Slots.place has it: an interpreter pays for calls.
        int at = (token * 29 + id) << 2 & known.length - 4;
        int cell = known[at + 2];
        if (known[at] != token || known[at + 1] != id || cell == 0) {
            return false;
        }
        Object c = s.counted[cell >>> 9];
        if (c == null) {
            return false;
        }
        ((CountCells) c).now[cell & 511]++;
        return true;
    }

    /** The slow way into such a method. */
    private static CountCells arrived(int k, int id) {
        CountCells c = find(k);
        answer(c.state, id);
        c.state.callToken = 0;
        return c;
    }

    /**
     * Counts that a slot's call came to this method; false: it is none of the slot's, or there is
     * none.
     */
    private static boolean answer(State s, int id) {
        int token = s.callToken;
        if (token >= 0 || s.dead) {
            return false;
        }
        int at = Slots.known(s, token, id);
        if (at == 0) {
            return false;
        }
        hit(of(s, at >>> 9), at);
        return true;
    }

    /** The way into a guarded method that a slot can reach or that the platform calls. */
    private static void begin(State s, int id) {
        int depth = s.guards;
        if (depth != 0 && depth != s.guardToken.length && !Sink.stopped
            && counts(s, s.callToken, id)) {
            s.callToken = 0;
            s.guardToken[depth] = 0;
            s.guards = depth + 1;
            return;
        }
        if (Sink.stopped) {
            Events.end(s);
        }
        if (s.dead) {
            return;
        }
        int g = s.guards;
        if (g == s.guardToken.length) {
            Events.grow(s);
            if (s.dead) {
                return;
            }
        }
        int saved = g == 0 ? 0 : s.callToken;
        if (answer(s, id)) {
            saved = 0;
        } else if (g == 0) {
            top(s, id);
            s.lastTop = id;
        }
        s.callToken = 0;
        s.guardToken[g] = saved;
        s.guards = g + 1;
    }

    /** Normal exit of a guarded method. */
    private static void ended(State s, int frame) {
        if (frame == 0 || frame > s.guards) {
            return;
        }
        s.callToken = s.guardToken[frame - 1];
        s.guards = frame - 1;
        // What goes on for long asks for the time now and then.
        if (frame == 1 || (++s.progress & 63) == 0) {
            try {
                closed(s, frame == 1);
            } catch (StackOverflowError e) {
                // The next one does it.
            }
        }
    }

    /** A top-level callback begins. */
    private static void top(State s, int id) {
        CountPage page = (CountPage) all[all.length - 1];
        if (page == null) {
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
                    return;
                }
            }
            total[0]++;
        }
    }

    /** A page that the thread has not had yet. */
    private static CountCells touch(State s, int k) {
        if (s.busy) {
            return lost;
        }
        if (s.dead) {
            s.counted[k] = lost;
            return lost;
        }
        CountCells own = lost;
        int token = s.callToken;
        s.busy = true;
        try {
            Start.reserve(128, 1, 2, 3, 4);
            CountCells made = new CountCells(s, k, new long[CELLS]);
            if (k != all.length - 1) {
                shared(k, CELLS).add(made);
            }
            s.counted[k] = made;
            own = made;
        } catch (Throwable e) {
            // The next one tries again.
        }
        s.callToken = token;
        s.busy = false;
        return own;
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

    /**
     * A callback has ended (whole) or goes on: what its thread has counted is published, unless
     * thousands of callbacks would take too much time by that. Then the next publication takes it
     * along, whichever thread's it is. Never throws.
     */
    private static void closed(State s, boolean whole) {
        long now = Sink.nanos();
        if (whole ? quietUntil - now > BURST : now - s.published < OFTEN) {
            behind |= whole;
            return;
        }
        publish(s, behind, false);
    }

    /** What all threads have counted is published. Never throws. */
    static void flush(State s) {
        publish(s, true, true);
    }

    /**
     * waits: for another thread that is publishing; else that one takes this one's counts along, or
     * the next one does.
     */
    private static void publish(State s, boolean everything, boolean waits) {
        if (s.dead || s.busy) {
            return;
        }
        int token = s.callToken;
        s.busy = true;
        boolean mine = false;
        try {
            Start.reserve(64, 1, 2, 3, 4);
            while (!(mine = gate.compareAndSet(false, true)) && waits) {
                Thread.yield();
            }
            if (!mine) {
                behind = true;
            } else {
                long begun = Sink.nanos();
                int pages = pages(s, everything || behind);
                s.published = Sink.nanos();
                quietUntil = Math.max(quietUntil, begun)
                        + SHARE * Math.min(s.published - begun, pages * PAGE_NS);
            }
        } catch (Throwable e) {
            // The next one takes it along.
            behind = true;
        }
        if (mine) {
            gate.set(false);
        }
        s.callToken = token;
        s.busy = false;
    }

    /** Publishes the pages of a thread or all; how many. */
    private static int pages(State s, boolean everything) {
        if (everything) {
            behind = false;
        }
        int n = 0;
        int last = all.length - 1;
        for (int k = 0; k <= last; k++) {
            CountPage page = (CountPage) all[k];
            if (page != null && (everything || k == last || s.counted[k] != null)) {
                page.publish();
                n++;
            }
        }
        return n;
    }

    /** See {@link Sink}: loads what is needed later. */
    static void warm() {
        CountPage page = new CountPage(0, CELLS);
        page.slot = ByteBuffer.allocate(CountFile.SLOT + 2 * (CountFile.COPY + 8 * CELLS));
        page.add(new CountCells(new State(Thread.currentThread(), 0, 1), 0, new long[CELLS]));
        page.publish();
    }

    static int checksum(byte[] bytes, int n) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, n);
        return (int) crc.getValue();
    }
}
