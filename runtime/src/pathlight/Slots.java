package pathlight;

/**
 * Look-ups in the tables of {@link Config}. They are strings because a string constant costs nothing at start-up; each unit
 * is a 16-bit number, a pair of units a 32-bit number, high half first.
 *
 * <p>SLOTS: slot count (2 units), then the offset of each slot's table (2 units each, in units from the start of the string).
 * A table: n and a first frequency. If that is 0: the symbol of alternative 0 (2 units), then for the alternatives 1 to n - 1, ascending by
 * id: id, symbol (2 units). Else it is the frequency of alternative 0, the others share what is left equally, and their ids alone follow. An id
 * has 2 units if ids have more than 16 bits. A symbol is a slice (cum, freq) or, on the packed wire, a code word (bits &lt;&lt; 5 | length).
 *
 * <p>NEXT_CALLBACKS: entry count (2 units), then, ascending by method id: method id (2 units), slot (2 units).
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

    /** How many alternatives a thread remembers; a power of two. */
    static final int KNOWN = 64;

    /** Where a thread remembers this alternative. */
    static int place(int token, int id) {
        return (token * 29 + id & KNOWN - 1) << 2;
    }

    /** The symbol of one alternative of the slot with this token, from memory if it came lately. */
    static int known(State s, int token, int id) {
        int[] known = s.known;
        int at = place(token, id);
        if (known[at] == token && known[at + 1] == id) {
            return known[at + 2];
        }
        int symbol = slice(Sink.slots, ~token, id);
        known[at] = 0;
        known[at + 1] = id;
        known[at + 2] = symbol;
        known[at] = token;
        return symbol;
    }

    /** The symbol of one alternative of a slot; id 0 is the first (none, other); 0 when there is no such alternative. */
    static int slice(String t, int slot, int id) {
        if (slot < 0 || slot >= pair(t, 0)) {
            return 0;
        }
        int at = pair(t, 2 + 2 * slot);
        int n = t.charAt(at++);
        int first = t.charAt(at++);
        boolean equal = first != 0;
        if (id == 0) {
            return equal ? first : pair(t, at);
        }
        boolean wide = Sink.idBits > 16;
        int each = (equal ? 0 : 2) + (wide ? 2 : 1);
        at += equal ? -each : 2 - each;
        int lo = 1;
        int hi = n - 1;
        while (lo <= hi) {
            int mid = (lo + hi) >>> 1;
            int p = at + each * mid;
            int v = wide ? pair(t, p) : t.charAt(p);
            if (v == id) {
                return equal ? equal(first, mid - 1, n - 1) : pair(t, p + each - 2);
            }
            if (v < id) {
                lo = mid + 1;
            } else {
                hi = mid - 1;
            }
        }
        return 0;
    }

    /** The slice of alternative i of n that share what lies above first: those at the front have one more where that leaves a rest. */
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
