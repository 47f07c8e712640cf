package pathlight;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Where streams go: what is common to the trace file and to logcat (docs/PROTOCOL.md, section 7).
 */
final class Sink {
    static final int HEADER = 44;
    /** Payload bytes at the end of a slab that are kept for END until the next slab is certain. */
    static final int SPARE = 40;
    /** Time per byte, in µs, above which a thread counts as a slow writer. */
    private static final long SLOW = 4;
    /** Bytes of a thread's name at most. */
    private static final int NAME = 60;
    /** Where in a slab's header the committed length stands. */
    static final int COMMITTED = 36;

    // No static initialiser, see Start, which gives the first five their values; the others get
    // them from open().

    /** Copies of {@link Config} (which is read once). */
    static String slots;
    /** Where the tables of {@link #slots} stand. */
    static int[] places;
    static String idle;
    static int idBits;

    /** Codec pap. */
    static boolean pap;
    /** Codec counts; and behind the number of its pages, the address of each slot's first cell. */
    static boolean counts;
    static int[] cells;

    /** {@link #open} has come to its end. */
    private static boolean opened;
    /**
     * The thread (by its identity hash) that had too little stack for {@link #open}; how many calls
     * it is to wait, and has waited.
     */
    private static int refused;
    private static int patience;
    private static int waited;
    /** Threads that ran and have no record of it yet, nor of anything later. */
    private static int unrecorded;
    /** Nothing is recorded in this process. */
    private static boolean off;
    /** Slabs go out as logcat lines. */
    static boolean lines;
    /** Recording was switched off: each thread ends its stream when it next comes by. */
    static volatile boolean stopped;

    /**
     * Who records: build, process id, start, instance, name; as it stands in the file's header and
     * in each line.
     */
    static byte[] identity;
    static int pid;
    static long wallStart;
    /**
     * The two clocks at the start, in ns; the second one is 0 where {@link Clock} does not work.
     */
    private static long nanoStart;
    private static long bootStart;
    /** {@code android.os.Process.myTid()}, if it is there. */
    private static Method tid;
    private static int threads;

    private Sink() {}

    /**
     * Finds out where streams go, once per process. False when there is too little stack for it:
     * then the next thread, or the next try of this one, begins where this one was.
     */
    static synchronized boolean open() {
        if (opened) {
            return true;
        }
        if (nanoStart == 0) {
            nanoStart = System.nanoTime();
        }
        if (wallStart == 0) {
            wallStart = System.currentTimeMillis();
        }
        boolean on = false;
        Object policy = null;
        try {
            if (Config.SINK != Protocol.SINK_NOWHERE
                && System.getProperty("pathlight.off") == null) {
                // See FileSink.grow, which comes with this.
                Start.reserve(1000, 1, 2, 3, 4);
                policy = Device.allowDisk();
                clock();
                tid = Device.threadIds();
                pid = Device.processId();
                identity = identity(Device.processName());
                lines = Config.SINK == Protocol.SINK_LOGCAT && LogSink.open();
                if (Config.SELECTED != 0) {
                    // There are no streams.
                    HitFile.open(pid);
                } else if (counts) {
                    on = CountFile.open(pid);
                } else {
                    on = lines || FileSink.open(pid);
                }
                if (on && counts) {
                    Counts.begin();
                }
                Control.register();
                ExitReasons.start();
            }
        } catch (StackOverflowError e) {
            return false;
        } catch (Throwable e) {
            on = false;
        } finally {
            Device.restore(policy);
        }
        off = !on;
        try {
            if (Config.SELECTED == 0) {
                warm();
            }
        } catch (Throwable e) {
            // Only a loss of safety on the edge of the stack.
        }
        opened = true;
        return true;
    }

    /** Chooses the clock: one that goes on while the device sleeps, where there is one. */
    private static void clock() {
        if (bootStart == 0) {
            try {
                Class.forName("android.os.SystemClock");
                bootStart = Math.max(1, Clock.elapsed());
                // Both at the same time.
                nanoStart = System.nanoTime();
            } catch (Exception | LinkageError e) {
                // No Android.
            }
        }
    }

    /** See {@link #identity}. */
    private static byte[] identity(byte[] name) {
        byte[] out = new byte[45 + name.length];
        for (int i = 0; i < 16; i++) {
            out[i] = (byte) Integer.parseInt(Config.BUILD_ID.substring(2 * i, 2 * i + 2), 16);
        }
        // Two class loaders can begin in the same millisecond, two phones with the same process id:
        // this clock distinguishes them.
        for (int i = 0; i < 8; i++) {
            out[20 + i] = (byte) (wallStart >>> 56 - 8 * i);
            out[28 + i] = (byte) (nanoStart >>> 56 - 8 * i);
            out[36 + i] = (byte) (bootStart >>> 56 - 8 * i);
        }
        for (int i = 0; i < 4; i++) {
            out[16 + i] = (byte) (pid >>> 24 - 8 * i);
        }
        out[44] = (byte) name.length;
        System.arraycopy(name, 0, out, 45, name.length);
        return out;
    }

    /** Nanoseconds since the trace began. */
    static long nanos() {
        return bootStart != 0 ? Clock.elapsed() - bootStart : System.nanoTime() - nanoStart;
    }

    /** The same in ticks: the unit of times in streams. */
    static int now() {
        return (int) (nanos() / Protocol.TICK_NS);
    }

    /** Makes the state of the current thread. late: it asked before, and got none. */
    static State create(boolean late) {
        Thread t = Thread.currentThread();
        int who = System.identityHashCode(t);
        if (late && who == refused && ++waited < patience) {
            // A stack overflow for each call would be slow.
            return State.nowhere;
        }
        Start.reserve(128, 1, 2, 3, 4);
        // Until the new one stands, probes of this thread (a class loader may be instrumented) go
        // nowhere.
        State.local.set(State.nowhere);
        State s = null;
        try {
            if (open()) {
                boolean main = "main".equals(t.getName());
                s = new State(t, number(), main ? Slots.KNOWN_MAIN : Slots.KNOWN);
                s.isLate = late;
                if (off) {
                    s.dead = true;
                } else {
                    s.main = main;
                    if (!counts) {
                        name(s, t.getName(), threadId());
                        FileSink.register(s);
                    }
                }
            }
        } catch (Throwable e) {
            // No stack, or no memory.
            s = null;
        }
        if (s == null) {
            patience = late && who == refused ? Math.min(2 * patience, 1024) : 1;
            waited = 0;
            refused = who;
            if (!late) {
                unrecorded(1);
            }
            State.local.set(State.late);
            return State.nowhere;
        }
        if (late) {
            unrecorded(-1);
        }
        State.local.set(s);
        return s;
    }

    private static synchronized void unrecorded(int more) {
        unrecorded += more;
    }

    private static synchronized int number() {
        return ++threads;
    }

    /** The system's id of the current thread, 0 if it cannot be found out. */
    private static int threadId() {
        try {
            return tid != null ? (Integer) tid.invoke(null) : Device.threadId();
        } catch (Exception | LinkageError | StackOverflowError e) {
            return 0;
        }
    }

    /**
     * The stream begins with the thread's name (length, UTF-8) and the system's id of it (7 bits a
     * byte, the lowest first).
     */
    private static void name(State s, String name, int id) {
        byte[] bytes = Utf8.encode(name, NAME);
        byte[] q = s.q;
        System.arraycopy(bytes, 0, q, 1, bytes.length);
        q[0] = (byte) bytes.length;
        int n = 1 + bytes.length;
        for (; (id & ~0x7F) != 0; id >>>= 7) {
            q[n++] = (byte) (id | 0x80);
        }
        q[n++] = (byte) id;
        s.qTail = n;
    }

    /**
     * Moves the queue of a thread into slabs. Each round either happens as a whole or not at all.
     */
    static void drain(State s) throws Exception {
        while (s.qHead < s.qTail) {
            if (s.buf == null || s.used >= s.capacity - SPARE && s.next < 0
                || s.used == s.capacity) {
                Start.reserve(128, 1, 2, 3, 4);
                if (lines ? !LogSink.roll(s) : !FileSink.roll(s)) {
                    full(s);
                    return;
                }
                continue;
            }
            put(s, s.next < 0 ? s.capacity - SPARE : s.capacity);
        }
        s.qHead = 0;
        s.qTail = 0;
    }

    /** Puts as much of the queue into the slab as fits below limit. */
    private static void put(State s, int limit) {
        int n = Math.min(s.qTail - s.qHead, limit - s.used);
        ByteBuffer buf = s.buf;
        byte[] q = s.q;
        int to = s.base + HEADER + s.used;
        commit(s);
        boolean synced = s.synced;
        if (!synced && s.syncAt >= s.total && s.syncAt < s.total + n) {
            buf.putInt(s.base + 20, s.syncProgress);
            buf.putInt(s.base + 24, s.syncTop);
            buf.putInt(s.base + 28, s.syncTime);
            buf.putShort(s.base + 16, (short) (s.used + (s.syncAt - s.total)));
            synced = true;
        }
        int i = s.qHead;
        int end = i + n;
        for (; i + 4 <= end; i += 4, to += 4) {
            buf.putInt(to, q[i] << 24 | (q[i + 1] & 0xFF) << 16 | (q[i + 2] & 0xFF) << 8
                       | q[i + 3] & 0xFF);
        }
        for (; i < end; i++, to++) {
            buf.put(to, q[i]);
        }
        if (Config.RING && s.used + n + 4 <= s.capacity) {
            // There may be words of an older slab.
            buf.putInt(to, 0);
        }
        // The last call: what follows happens as a whole.
        buf.putInt(s.base + COMMITTED, s.used + n);
        s.used += n;
        s.committed = s.used;
        s.total += n;
        s.qHead = end;
        s.synced = synced;
    }

    /** Writes the number of used bytes into the slab's header. */
    private static void commit(State s) {
        if (s.committed != s.used) {
            s.buf.putInt(s.base + COMMITTED, s.used);
            s.committed = s.used;
        }
    }

    /** No further slab: END goes into the spare bytes, if it fits, and the stream is over. */
    private static void full(State s) {
        if (!pap && s.buf != null && s.qTail - s.qHead < s.q.length / 2) {
            Coder.play(s, Coder.end(s), s.progress, Coder.FLUSH);
            if (s.qTail - s.qHead <= s.capacity - s.used) {
                put(s, s.capacity);
                close(s);
            }
        }
        if (!lines) {
            FileSink.refuse(s.sequence == 0);
        }
        s.dead = true;
        s.guards = 0;
        s.qHead = 0;
        s.qTail = 0;
    }

    /**
     * Begins a slab; its first word, which makes it valid, is written last. size is that of the
     * file, halved shift times (doubled, below 0).
     */
    static void begin(State s, ByteBuffer buf, int base, int size, int shift, int order) {
        long clock = nanos() / 1000L;
        buf.putInt(base, 0);
        buf.putInt(base + 4, s.number);
        buf.putInt(base + 8, s.sequence);
        buf.putInt(base + 12, order);
        buf.putInt(base + 16, 0xFFFF0000 | ((int) (clock >>> 32) << Protocol.SLAB_CLOCK_AT & 0xFFFF)
                   | (shift & Protocol.SLAB_SHIFT_MASK) << Protocol.SLAB_SHIFT_AT
                   | (s.isLate && s.sequence == 0 ? Protocol.SLAB_LATE : 0)
                   | (unrecorded != 0 ? Protocol.SLAB_UNRECORDED : 0)
                   | (Config.RING && !lines ? Protocol.SLAB_RING : 0));
        for (int i = 20; i < HEADER; i += 4) {
            buf.putInt(base + i, 0);
        }
        buf.putInt(base + 32, (int) clock);
        buf.putInt(base, 0x534C4142);
        s.fast = clock - s.begun < SLOW * s.capacity;
        s.begun = clock;
        s.buf = buf;
        s.base = base;
        s.capacity = size - HEADER;
        s.used = 0;
        s.committed = 0;
        s.mark = (order * Protocol.MARK_FACTOR >>> 16 | Protocol.MARK_BIT) * 0x10000L;
        s.sequence++;
        s.synced = false;
    }

    /** Marks the slab in use as complete. */
    static void close(State s) {
        commit(s);
        byte[] head = new byte[HEADER];
        ByteBuffer b = s.buf.duplicate();
        b.limit(s.base + HEADER + s.used);
        b.position(s.base);
        b.get(head, 0, HEADER);
        head[19] |= Protocol.SLAB_CLOSED;
        short flags = (short) (head[18] << 8 | head[19]);
        CRC32 crc = new CRC32();
        crc.update(identity, 0, identity.length);
        crc.update(head, 0, HEADER - 4);
        Checksum.update(crc, b);
        s.buf.putInt(s.base + HEADER - 4, (int) crc.getValue());
        s.buf.putShort(s.base + 18, flags);
    }

    /**
     * Runs through all that is needed later once, so that classes are loaded and methods resolved
     * while the stack is short.
     */
    private static void warm() {
        State s = new State(null, 0, 1);
        s.busy = true;
        if (counts) {
            Counts.warm();
        }
        int n = Coder.escape(s, Protocol.ESCAPE_FLUSH);
        n = Coder.gamma(s, n, 1000);
        n = Coder.span(s, n, 1000, Protocol.SPAN_DURATION);
        Coder.play(s, n, 0, Coder.FLUSH);
        begin(s, ByteBuffer.allocate(256), 0, 256, 0, 0);
        put(s, s.capacity);
        close(s);
        Start.reserve(8, 1, 2, 3, 4);
    }
}
