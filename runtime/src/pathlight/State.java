package pathlight;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/** Everything the runtime knows of one thread. Only that thread writes to it. */
public final class State {
    // No static initialiser, see Start, which gives these their values.

    /** The state that was used last, of whichever thread; null until there is one. */
    static State cache;
    /** A dead state for probes that run while the runtime itself is at work on that thread. */
    static State nowhere;
    /** In place of the state of a thread that could not have one when it asked. */
    static State late;
    static ThreadLocal<State> local;
    /** Codec counts: how many pages there are. */
    static int pageCount;
    /** Builds that keep tables: the cells as they begin; else null. */
    static char[] cells0;
    /** What dead threads write their cells to. */
    static char[] unused;
    /** Slices of path numbers (Config.PATHS). */
    static int[] paths0;

    /** Range at reset: 2^63 - 1. */
    static final long FULL = Long.MAX_VALUE;

    /** Call token left by the caller: 0, a method id, or the complement of a slot. */
    public int callToken;
    /** Progress: entries and normal exits so far. */
    public int progress;

    /**
     * What the innermost method has gathered without a symbol, as an exception that comes now
     * breaks it off; 0: nothing. Methods write it before what may throw, and clear it behind the
     * symbol; {@link Events} does where an exception arrives.
     */
    public int gathered;

    /** Where probes look the slices of path numbers up. */
    public final int[] paths = paths0;

    /**
     * Codec counts: what the thread has of each page that it has touched, a {@link CountCells}
     * each; the last is that of methods without cells.
     */
    final Object[] counted = new Object[pageCount];
    /**
     * Codec counts: the loop that the path register counts for, 0 for none: {@link Counts#trips}.
     */
    int open;

    /** The key of a switch, between {@link Probes#key} and {@link Probes#lookupPacked}. */
    int key;

    final Thread thread;
    /** Thread number in this process, from 1. */
    final int number;

    /** Symbols are code words ({@link Packed}); otherwise slices ({@link Coder}). */
    final boolean packed = Config.PACKED;
    /** Symbols are slices. */
    final boolean ranged = !Config.PACKED;

    /**
     * The range coder's low end; or the code words that wait, below a 1. Hot methods code a symbol
     * in place, as {@link Probes#step} does.
     */
    public long low = packed ? 1 : 0;
    /** The range coder's range. */
    public long range = FULL;
    // The rest of it.
    boolean hasCache;
    int cacheWord;
    int pending;
    int slowProgress;
    /** Probes write nothing any more. */
    boolean dead;
    /** The runtime is at work below this frame of the thread. */
    boolean busy;

    /**
     * The event that is being put together: slices, cum &lt;&lt; 16 | freq; or code words, bits
     * &lt;&lt; 5 | length.
     */
    final int[] ev = new int[32];
    /**
     * The alternatives of slots that came last: token, id, symbol, nothing; by {@link Slots#known}.
     */
    final int[] known;
    /** Bytes that left the coder and have not reached the slab: q[qHead] to q[qTail - 1]. */
    byte[] q = new byte[512];
    int qHead;
    int qTail;

    // Guard stack; top is the frame number of its last entry, stale when it is empty.
    int[] guardFrame = new int[16];
    int[] guardToken = new int[16];
    int guards;
    int top;
    boolean unguarded;

    // Top level.
    int lastTop;
    int lastTime;
    /** Codec counts: when the thread published last. */
    long published;

    /**
     * Stream position (bytes from its begin) of the last record start that a reader can begin at,
     * -1 none.
     */
    long syncAt = -1;
    int syncProgress;
    int syncTop;
    int syncTime;

    /** Builds that keep tables: length of the stream at which the table is kept next. */
    long keepAt = Config.KEEP_TABLES ? StartTable.FIRST_BYTES : Long.MAX_VALUE;

    // Adaptive codecs: cells in pages, null until needed; pages that were in use before the last
    // reset; the rule.
    final char[][] pages = new char[Config.PAGES][];
    final char[][] spare = new char[Config.PAGES][];
    final int inc = Config.INC;
    final int ceiling = 65535 - Config.FLOOR;
    final int shift = Config.SHIFT;

    // Codec pap: the frame that was named last. (There slowProgress is the progress at the last
    // item that contains it.)
    int lastFrame;

    /** Longs in {@link #lost}; a power of two. */
    static final int LOST = 1024;
    /**
     * Codec pap: a ring of numbers that methods leave here, without a call, when an exception
     * leaves them and the stack is full. Four longs each: the number, the frame, the block,
     * nothing.
     */
    public final long[] lost = Config.PAP ? new long[LOST] : null;
    /**
     * Index of the next number, never wrapped; then that of the first one not yet recorded.
     */
    public int lostEnd;
    int lostTold;

    // The slab in use.
    ByteBuffer buf;
    int base;
    int used;
    int capacity;
    /** Value of {@link #used} in the slab's header. */
    int committed;
    /**
     * When it was begun, in µs since the trace began; and whether the one before it was full so
     * soon that a larger one dates its events as well.
     */
    long begun;
    boolean fast;
    /** Ends the words behind these: its high half; the low one is {@link #used}. */
    long mark;
    /**
     * Up to which value of {@link #used} words may go straight to the slab; 0: nothing may, because
     * something else is due first. An interpreter pays for each field that is read, so this stands
     * for the many that decide it. {@link Coder#drain} sets it; what changes one of these fields
     * makes it 0 before.
     */
    int room;
    boolean synced;
    int sequence;
    /**
     * The slab after this one, taken ahead: where it lies ({@link FileSink}), -1 none; and how
     * often the slab size is halved for it.
     */
    int next = -1;
    int nextShift;
    /** Bytes of the stream that lie in slabs. */
    long total;
    /** Logcat: time of the last line. */
    int lastLine;
    boolean main;
    /** Probes of the thread went nowhere before this state was. */
    boolean isLate;
    /** For the list of threads that a ring needs. */
    final WeakReference<State> self;

    /** {@code alternatives}: how many {@link #known} has; a power of two. */
    State(Thread thread, int number, int alternatives) {
        this.thread = thread;
        this.number = number;
        known = new int[4 * alternatives];
        self = new WeakReference<State>(this);
    }

    /** The state of the current thread, made now if need be. */
    static State current() {
        Start.ready();
        try {
            State s = local.get();
            return s != null && s != late ? s : Sink.create(s == late);
        } catch (OutOfMemoryError e) {
            // The app has taken it all; what it does next is its own affair, and goes unrecorded
            // here.
            return nowhere;
        }
    }
}
