package pathlight;

/**
 * Look-ups in the tables of {@link Config}. They are strings because a string constant costs nothing at start-up; each unit
 * is a 16-bit number, a pair of units a 32-bit number, high half first.
 *
 * <p>SLOTS: slot count (2 units), then the offset of each slot's table (2 units each, in units from the start of the string).
 * A table: n, the symbol of alternative 0 (2 units), then for the alternatives 1 to n - 1, ascending by id: id, symbol (2 units each). A symbol
 * is a slice (cum, freq) or, on the words wire, a code word (bits &lt;&lt; 5 | length).
 *
 * <p>IDLE: entry count (2 units), then, ascending by method id: method id (2 units), slot (2 units).
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

    /** The symbol of one alternative of a slot; id 0 is the first (none, other); 0 when there is no such alternative. */
    static int slice(String t, int slot, int id) {
        if (slot < 0 || slot >= pair(t, 0)) {
            return 0;
        }
        int at = pair(t, 2 + 2 * slot);
        if (id == 0) {
            return pair(t, at + 1);
        }
        int lo = 1;
        int hi = t.charAt(at) - 1;
        while (lo <= hi) {
            int mid = (lo + hi) >>> 1;
            int p = at + 4 * mid - 1;
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

    /** The idle slot of a top-level method; 0 when it is not listed. */
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
