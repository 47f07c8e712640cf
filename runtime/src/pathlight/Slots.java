package pathlight;

/**
 * Look-ups in the tables of {@link Config}. They are strings because a string constant costs
 * nothing at start-up; each unit is a 16-bit number, a pair of units a 32-bit number, high half
 * first. DEX files hold the numbers 1 to 127 in one byte, all others up to 2,047 in two: what comes
 * often is a small number.
 *
 * <p>SLOTS: slot count (pair), count of kinds, the kinds (n, first), then a table for each slot. A
 * table: its kind, from 1; n is how many alternatives it has. Each alternative but number 0 has an
 * id, ascending: the distance from the one before, or 0 and the distance as a pair. First other
 * than 0: it is the frequency of alternative 0, the others share what is left equally, and the
 * table holds their ids alone. Else it holds the symbol of alternative 0, then id and symbol of
 * each other. A symbol is a frequency or, on the packed wire, a code word (pair; bits &lt;&lt; 5 |
 * length).
 *
 * <p>PATHS: count of symbols (pair), count of frequent low halves, these, then the symbols, each by
 * one of the units below. A symbol is a slice (cum, freq) or, on the packed wire, a code word; its
 * high half is expected to be where the slice before it ended, 0 after the last slice of a
 * distribution and on the packed wire.
 *
 * <p>NEXT_CALLBACKS: entry count (pair), then, ascending by method id: method id (pair), slot
 * (pair).
 */
final class Slots {
    private Slots() {}

    static int pair(String t, int at) {
        return t.charAt(at) << 16 | t.charAt(at + 1);
    }

    /** A string of pairs as numbers. */
    static int[] ints(String t) {
        char[] c = t.toCharArray();
        int[] out = new int[c.length >> 1];
        for (int i = 0; i < out.length; i++) {
            out[i] = c[2 * i] << 16 | c[2 * i + 1];
        }
        return out;
    }

    /** The symbol 0: no path has this number. */
    static final int NONE = 1;
    /** A symbol whose halves follow. */
    static final int WHOLE = 2;
    /** A symbol whose low half follows. */
    static final int LOW = 3;
    /** No symbol: the next high half is expected to be 0. */
    static final int ANEW = 4;
    /** How many symbols, and how many symbols back they stood before. */
    static final int AGAIN = 5;
    /** The first frequent low half. */
    static final int FREQUENT = 6;

    /** The symbols of PATHS. */
    static int[] symbols(String t, boolean packed) {
        char[] c = t.toCharArray();
        int[] out = new int[c[0] << 16 | c[1]];
        int at = 3 + c[2];
        int high = 0;
        for (int i = 0; i < out.length;) {
            int u = c[at++];
            if (u == ANEW) {
                high = 0;
                continue;
            }
            if (u == AGAIN) {
                int end = i + c[at];
                for (int back = c[at + 1]; i < end; i++) {
                    out[i] = out[i - back];
                }
                at += 2;
            } else if (u == NONE) {
                i++;
                continue;
            } else {
                if (u == WHOLE) {
                    high = c[at++];
                }
                out[i++] = high << 16 | (u >= FREQUENT ? c[3 + u - FREQUENT] : c[at++]);
            }
            int last = out[i - 1];
            high = packed ? 0 : ((last >>> 16) + (char) last) % 65535;
        }
        return out;
    }

    /** Where the table of each slot stands. */
    static int[] places(String t, boolean packed) {
        char[] c = t.toCharArray();
        int[] out = new int[c[0] << 16 | c[1]];
        int at = 3 + 2 * c[2];
        for (int i = 0; i < out.length; i++) {
            out[i] = at;
            int kind = 2 * c[at++];
            int symbol = c[kind + 2] != 0 ? 0 : packed ? 2 : 1;
            at += symbol;
            for (int n = c[kind + 1]; n > 1; n--) {
                at += (c[at] == 0 ? 3 : 1) + symbol;
            }
        }
        return out;
    }

    /**
     * How many alternatives a thread remembers, and the main thread; powers of two. Each takes 16
     * bytes. One that was forgotten is read from the string again, from the table's beginning on.
     */
    static final int KNOWN = 256;
    static final int KNOWN_MAIN = 1024;

    /** Where a thread remembers this alternative. */
    static int place(int[] known, int token, int id) {
        return (token * 29 + id) << 2 & known.length - 4;
    }

    /** The symbol of one alternative of the slot with this token, from memory if it came lately. */
    static int known(State s, int token, int id) {
        int[] known = s.known;
        int at = place(known, token, id);
        if (known[at] == token && known[at + 1] == id) {
            return known[at + 2];
        }
        int symbol = symbol(s, ~token, id);
        known[at] = 0;
        known[at + 1] = id;
        known[at + 2] = symbol;
        known[at] = token;
        return symbol;
    }

    /**
     * The symbol of one alternative of a slot; id 0 is the first (none, other); 0 when there is no
     * such alternative.
     */
    static int symbol(State s, int slot, int id) {
        if (slot < 0 || slot >= Sink.places.length) {
            return 0;
        }
        String t = Sink.slots;
        int at = Sink.places[slot];
        int kind = 2 * t.charAt(at++);
        int others = t.charAt(kind + 1) - 1;
        int first = t.charAt(kind + 2);
        int symbol = first;
        int v = 0;
        for (int i = 0;; i++) {
            if (first == 0) {
                if (s.packed) {
                    symbol = pair(t, at);
                    at += 2;
                } else {
                    symbol = (symbol >>> 16) + (char) symbol << 16 | t.charAt(at++);
                }
            }
            if (v == id && Sink.counts) {
                return Sink.cells[1 + slot] + i;
            }
            if (v == id) {
                return first == 0 || i == 0 ? symbol : equal(first, i - 1, others);
            }
            if (i == others) {
                return 0;
            }
            int d = t.charAt(at++);
            if (d == 0) {
                d = pair(t, at);
                at += 2;
            }
            v += d;
        }
    }

    /**
     * The slice of alternative i of n that share what lies above first: those at the front have one
     * more where that leaves a rest.
     */
    private static int equal(int first, int i, int n) {
        int share = (65535 - first) / n;
        int rest = (65535 - first) % n;
        return first + i * share + Math.min(i, rest) << 16 | share + (i < rest ? 1 : 0);
    }

    /** The symbol of a key in a sparse switch's table ({@link Probes#find}). */
    static int lookupSparse(int[] t, int base, int key) {
        int n = t[base];
        int lo = base + 1;
        int hi = base + n;
        while (lo <= hi) {
            int mid = (lo + hi) >>> 1;
            int v = t[mid];
            if (v == key) {
                return t[mid + n];
            }
            if (v < key) {
                lo = mid + 1;
            } else {
                hi = mid - 1;
            }
        }
        return t[base + 2 * n + 1];
    }

    /** The next-callback distributions of a top-level method; 0 when it is not listed. */
    static int idle(String t, int id) {
        int lo = 0;
        int hi = pair(t, 0) - 1;
        while (lo <= hi) {
            int mid = (lo + hi) >>> 1;
            int p = 2 + 4 * mid;
            int v = pair(t, p);
            if (v == id) {
                return pair(t, p + 2);
            }
            if (v < id) {
                lo = mid + 1;
            } else {
                hi = mid - 1;
            }
        }
        return 0;
    }
}
