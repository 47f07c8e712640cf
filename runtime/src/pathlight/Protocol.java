package pathlight;

/**
 * The numbers of docs/PROTOCOL.md. They are compile-time constants: code names them, and nothing
 * loads this class. The decoder has the same in the crate model, and a test compares both with this
 * class as it is built.
 */
final class Protocol {
    /** Bits of a kind of escape. */
    static final int ESCAPE_BITS = 3;
    /** A guarded method was entered, and nothing predicted it. */
    static final int ESCAPE_ENTRY = 0;
    /** An exception arrived at a handler. */
    static final int ESCAPE_HANDLER = 1;
    /** An exception left an announced guarded frame. */
    static final int ESCAPE_UNWOUND = 2;
    /** Nothing follows in this thread. */
    static final int ESCAPE_END = 3;
    /** The coder is flushed and reset; the walk goes on. */
    static final int ESCAPE_FLUSH = 4;
    /** An unguarded method was announced. */
    static final int ESCAPE_ENTRY_UNGUARDED = 5;
    /** An exception broke off the path of the innermost frame. */
    static final int ESCAPE_BROKEN = 6;
    /** The path register of a counted loop is full; the loop goes on. */
    static final int ESCAPE_LAP = 7;

    /** Bits of the class of an escape's position; class c has 4 &lt;&lt; c bits of progress. */
    static final int POSITION_CLASS_BITS = 2;

    /** Flags of a slab: the thread ran before, unrecorded. */
    static final int SLAB_LATE = 2;
    /** Flags of a slab: threads had run unrecorded and had no record yet. */
    static final int SLAB_UNRECORDED = 4;
    /**
     * Flags of a slab: the file is a ring, in which newer slabs take the place of the oldest ones.
     */
    static final int SLAB_RING = 8;
    /** Flags of a slab: closed, its checksum valid. */
    static final int SLAB_CLOSED = 1;
    /**
     * Restarts: bits of the mode, and the modes: not on the guard stack, its last entry, the
     * top-level callback itself.
     */
    static final int RESTART_BITS = 2;
    static final int RESTART_PLAIN = 0;
    static final int RESTART_GUARDED = 1;
    static final int RESTART_OUTERMOST = 2;
    /** Flags of a slab: where the shift begins, and its bits, a signed number. */
    static final int SLAB_SHIFT_AT = 8;
    static final int SLAB_SHIFT_MASK = 7;

    /** Flags of a slab: where bits 32 to 36 of its clock begin. */
    static final int SLAB_CLOCK_AT = 11;
    /** Marks behind words: what a slab's order is multiplied by; the bit that is always set. */
    static final int MARK_FACTOR = 0x9E3779B1;
    static final int MARK_BIT = 0x8000;
    /** Version of the trace format. */
    static final int TRACE_VERSION = 5;
    /** The same of files that name a start table. */
    static final int TRACE_WITH_TABLE = 6;

    /** Times in streams: a tick in ns; how many a millisecond has. */
    static final int TICK_NS = 250000;
    static final int TICKS_PER_MS = 4;
    /**
     * Spans on the range wire: frequency of each bit length from 1 to 16, of gaps between callbacks
     * and of their durations.
     */
    static final int SPAN_GAP = 2304;
    static final int SPAN_DURATION = 1024;
    /**
     * Spans on the range wire: where the slices of longer ones begin, and the frequency of each.
     */
    static final int SPAN_LONG = 61695;
    static final int SPAN_LONG_EACH = 240;

    /** Where the log goes: a trace file. */
    static final int SINK_FILE = 0;
    /** Where the log goes: logcat. */
    static final int SINK_LOGCAT = 1;
    /** Where the log goes: nowhere. */
    static final int SINK_NOWHERE = 2;

    private Protocol() {}
}
