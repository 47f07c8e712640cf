package pathlight;

/**
 * Branches whose distribution adapts (docs/PROTOCOL.md, section 9). The change is that of {@code
 * model::adaptive::Rule}; a test plays both. Each thread has cells of its own, in pages that are
 * filled when they are first needed.
 *
 * <p>A cell number at the probe: page &lt;&lt; 9 | cell. A pair has one cell, the frequency of its
 * first alternative. A larger branch has a cell for the number of its alternatives and one for each
 * frequency.
 */
public final class Adapt {
    /** Cells of a page. */
    static final int PAGE = 512;
    /** Bytes of stream between two places where the tables begin anew. */
    static final int RESET_BYTES = 16384;
    /** Slices of the first symbol of a top-level record: the tables stay, the tables begin anew. */
    static final int KEPT = 65279;
    static final int RESET = 65279 << 16 | 256;

    private Adapt() {}

    /** Published rule, first alternative of a pair. */
    public static void inc0(State s, int at) {
        char[] page = s.pages[at >>> 9];
        long r = s.range >>> 16;
        if (page == null || r <= 32767L) {
            pair(s, at, 0);
            return;
        }
        int p = page[at & 511];
        s.range = r * p;
        int room = s.ceiling - p;
        page[at & 511] = (char) (room > s.inc ? p + s.inc : room > 0 ? p + room : p);
    }

    /** Published rule, second alternative of a pair. */
    public static void inc1(State s, int at) {
        char[] page = s.pages[at >>> 9];
        long r = s.range >>> 16;
        if (page == null || r <= 32767L) {
            pair(s, at, 1);
            return;
        }
        int p = page[at & 511];
        s.low += r * p;
        s.range = r * (65535 - p);
        int room = p + s.ceiling - 65535;
        page[at & 511] = (char) (room > s.inc ? p - s.inc : room > 0 ? p - room : p);
    }

    /** Shift rule, first alternative of a pair. */
    public static void shift0(State s, int at) {
        char[] page = s.pages[at >>> 9];
        long r = s.range >>> 16;
        if (page == null || r <= 32767L) {
            pair(s, at, 0);
            return;
        }
        int p = page[at & 511];
        s.range = r * p;
        page[at & 511] = (char) (p + (65535 - p >> s.shift));
    }

    /** Shift rule, second alternative of a pair. */
    public static void shift1(State s, int at) {
        char[] page = s.pages[at >>> 9];
        long r = s.range >>> 16;
        if (page == null || r <= 32767L) {
            pair(s, at, 1);
            return;
        }
        int p = page[at & 511];
        s.low += r * p;
        s.range = r * (65535 - p);
        page[at & 511] = (char) (p - (p >> s.shift));
    }

    /** A branch with more alternatives: at is cell number &lt;&lt; 8 | alternative. */
    public static void many(State s, int at) {
        char[] page = page(s, at >>> 17);
        if (s.dead) {
            return;
        }
        int from = (at >>> 8 & 511) + 1;
        int n = page[from - 1];
        int taken = at & 255;
        int cum = 0;
        for (int i = 0; i < taken; i++) {
            cum += page[from + i];
        }
        s.ev[0] = cum << 16 | page[from + taken];
        Coder.play(s, 1, s.progress, Coder.PLAIN);
        // No calls from here to the end of the change.
        int share = n > 1 ? s.inc / (n - 1) : 0;
        if (share == 0) {
            share = 1;
        }
        int floor = 65535 - s.ceiling;
        int gain = 0;
        for (int i = from; i < from + n; i++) {
            if (i != from + taken) {
                int f = page[i];
                int loss = s.shift != 0 ? f >> s.shift : f - floor < share ? f - floor : share;
                if (loss > 0) {
                    page[i] = (char) (f - loss);
                    gain += loss;
                }
            }
        }
        page[from + taken] += gain;
        if (s.qHead != s.qTail) {
            Coder.drain(s);
        }
    }

    /** The slow way of the pairs: a page is missing, or the coder must renormalise. */
    private static void pair(State s, int at, int taken) {
        char[] page = page(s, at >>> 9);
        if (s.dead) {
            s.low = 0;
            s.range = State.FULL;
            return;
        }
        int p = page[at & 511];
        s.ev[0] = taken == 0 ? p : p << 16 | 65535 - p;
        Coder.play(s, 1, s.progress, Coder.PLAIN);
        int f = taken == 0 ? 65535 - p : p;
        int room = f + s.ceiling - 65535;
        int loss = s.shift != 0 ? f >> s.shift : room < s.inc ? room : s.inc;
        if (loss > 0) {
            page[at & 511] = (char) (taken == 0 ? p + loss : p - loss);
        }
        if (s.qHead != s.qTail) {
            Coder.drain(s);
        }
    }

    /**
     * The page, filled if need be; null when there is no memory for it, and then the thread's
     * stream has ended.
     */
    private static char[] page(State s, int n) {
        char[] page = s.pages[n];
        if (page != null) {
            return page;
        }
        if (s.dead) {
            // So that its probes take the quick way.
            s.pages[n] = State.unused;
            return null;
        }
        page = s.spare[n];
        if (page == null) {
            try {
                page = new char[PAGE];
            } catch (OutOfMemoryError e) {
                Events.end(s);
                return null;
            }
            s.spare[n] = page;
        }
        int from = n * PAGE;
        char[] began = State.cells0;
        if (began != null) {
            System.arraycopy(began, from, page, 0, Math.min(PAGE, began.length - from));
        } else {
            String t = Config.CELLS;
            int count = Math.min(PAGE, t.length() - from);
            for (int i = 0; i < count; i++) {
                // One half is the most frequent beginning, and 1 the shortest character.
                page[i] = (char) (t.charAt(from + i) - 1 ^ 0x8000);
            }
        }
        s.pages[n] = page;
        return page;
    }
}
