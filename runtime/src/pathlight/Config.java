package pathlight;

/**
 * What differs from build to build. The instrumenter replaces the initial values (the static values
 * of this class in the DEX file); nothing else of the runtime is changed. The fields are not final
 * on purpose: a compiler must not copy them.
 */
public final class Config {
    /** Build id: 32 hexadecimal digits. The map carries the same. */
    public static String BUILD_ID = "00000000000000000000000000000000";
    /** Width of method and handler ids, 1 to 32 bits. */
    public static int ID_BITS = 16;
    /** Symbols are code words, see {@link Packed}. Also: the tables hold these, not slices. */
    public static boolean PACKED = false;
    /** Slot tables, see {@link Slots}. Here: slot 0 alone, with "other" as its only alternative. */
    public static String SLOTS = "\0\1\1\1\0\1\uffff";
    /** Method id to next-callback distributions, see {@link Slots}. Here: empty. */
    public static String NEXT_CALLBACKS = "\0\0";
    /** Symbols of path numbers, see {@link Slots}. Number 0 is none. */
    public static String PATHS = "\0\1\0\1";
    /** Where the log goes: 0 trace file, 1 logcat, 2 nowhere. */
    public static int SINK = Protocol.SINK_FILE;
    /**
     * The folder of the log files if it is there or can be made; else, and where this is empty,
     * that of temporary files.
     */
    public static String FOLDER = "";
    /** The trace file never grows beyond this many bytes. */
    public static int CAP_BYTES = 32 << 20;
    /**
     * All log files in the folder together have at most this many bytes: the oldest are deleted.
     */
    public static int KEEP_BYTES = 64 << 20;
    /** When the file is full: true reuses the oldest slabs, false ends the streams. */
    public static boolean RING = false;
    /** Slab size in bytes, 128 to 65,536. */
    public static int SLAB = 1024;

    /**
     * Adaptive codecs: the cells as they begin, see {@link Adapt}; each unit is (cell ^ 0x8000) +
     * 1.
     */
    public static String CELLS = "";
    /** Adaptive codecs: pages that {@link #CELLS} fills. */
    public static int PAGES = 0;
    /**
     * Adaptive codecs, published rule: what the edge taken gains, and where its siblings stop
     * losing.
     */
    public static int INC = 0;
    public static int FLOOR = 1;
    /** Adaptive codecs, shift rule: the shift; 0: the published rule. */
    public static int SHIFT = 0;

    /**
     * Adaptive codecs: whether the next process begins with what this one has learnt, see {@link
     * StartTable}.
     */
    public static boolean KEEP_TABLES = false;
    /** There: the cells where branches with more than two alternatives begin, in pairs. */
    public static String WIDE = "";

    /** Codec pap: path numbers instead of symbols, see {@link Pap}. */
    public static boolean PAP = false;

    /**
     * Codec counts: how many pages of cells there are, then the address of the first cell of each
     * slot, in pairs; else empty.
     */
    public static String COUNTS = "";

    /** Builds that count selected paths: how many; else 0. */
    public static int SELECTED = 0;

    /**
     * Builds that count selected paths: whether a thread publishes the counts; else each hit is in
     * the file at once.
     */
    public static boolean PUBLISHED = false;

    /**
     * Origins of callbacks, see {@link Origins}: for each range its kind, its first value, how many
     * values there are, and the id of the first, in pairs.
     */
    public static String ORIGINS = "";
    /** There: the actions of intents, a line each. */
    public static String ACTIONS = "";
    /** There: classes of views that are not asked for their id, a line each. */
    public static String UNASKED = "";

    private Config() {}
}
