package pathlight;

/**
 * The packed wire (docs/PROTOCOL.md, section 8): symbols are code words, appended to one another in
 * {@link State#low} below a 1 that marks how many bits there are, and put out 63 at a time.
 */
public final class Packed {
    /** Stands for an escape in an event. No code word is 0. */
    static final int ESC = 0;

    private Packed() {}

    /** As {@link Probes#path}. */
    public static void path(State s, int number) {
        Probes.put(s, s.paths[number]);
    }

    /** As {@link Probes#lookupPacked(State, int, int)}. */
    public static void lookupPacked(State s, int base, int key) {
        Probes.put(s, s.paths[Probes.way(s.paths, base, key)]);
    }

    /** As {@link Probes#lookupPacked(State, int)}. */
    public static void lookupPacked(State s, int base) {
        lookupPacked(s, base, s.key);
    }

    /** As {@link Probes#lookupSparse(State, int, int)}. */
    public static void lookupSparse(State s, int base, int key) {
        Probes.put(s, Slots.lookupSparse(s.paths, base, key));
    }

    /** As {@link Probes#lookupSparse(State, int)}. */
    public static void lookupSparse(State s, int base) {
        lookupSparse(s, base, s.key);
    }

    /** As {@link Probes#trips}. */
    public static void trips(State s, int base, int register) {
        int count = register >>> (base >>> 28);
        if (count >>> 3 != 0) {
            Events.trips(s, base, count);
        } else {
            Probes.put(s, s.paths[(base & 0xFFFFFFF) + count]);
        }
    }

    /** Like {@link Coder#play}. */
    static void play(State s, int n, int progress, int mode) {
        // At most 24 bits and, for an escape, 9 bytes; before it up to 63 bits, behind it a check
        // and a flagged word.
        int need = 3 * n + 56;
        if (s.q.length - s.qTail < need) {
            Coder.makeRoom(s, need);
        }
        // From here on: no calls, no allocation.
        if (s.dead) {
            s.low = 1;
            return;
        }
        int[] ev = s.ev;
        byte[] q = s.q;
        int at = s.qTail;
        long low = s.low;
        int slow = s.slowProgress;
        if (mode == Coder.CLOSE) {
            ev[n++] = (progress * 0x9E3779B1 >>> 16) << 5 | 16;
        }
        for (int i = 0; i <= n; i++) {
            int code = i < n ? ev[i] : ESC;
            if (code == ESC && (i < n || mode >= Coder.FLUSH && low != 1)) {
                // An escape, or the end of the record.
                if (low < 0) {
                    // Exactly 63 bits: a word of their own.
                    for (int b = 56; b >= 0; b -= 8) {
                        q[at++] = (byte) ((low & Long.MAX_VALUE) >>> b);
                    }
                    low = 1;
                }
                // How many bits there are, found without a call.
                int m = 0;
                while (low >>> m != 1) {
                    m++;
                }
                // 1, m, the bits: above them in one number if they fit.
                long head = 64 | m;
                if (m <= 56) {
                    long all = head << m | low & (1L << m) - 1;
                    int b = m + 7;
                    for (; b >= 8; b -= 8) {
                        q[at++] = (byte) (all >>> (b - 8));
                    }
                    if (b > 0) {
                        q[at++] = (byte) (all << (8 - b));
                    }
                } else {
                    // 64 to 69 bits: the first byte, then what is left, 62 bits at most.
                    q[at++] = (byte) (head << 1 | low >>> (m - 1) & 1);
                    int b = m - 1;
                    for (; b >= 8; b -= 8) {
                        q[at++] = (byte) (low >>> (b - 8));
                    }
                    if (b > 0) {
                        q[at++] = (byte) (low << (8 - b));
                    }
                }
                low = 1;
            } else if (i < n) {
                int length = code & 31;
                long more = low << length;
                if (more >>> length == low) {
                    low = more | (code >>> 5);
                } else {
                    // What fits makes the word full; the rest, a bit at least, begins the next.
                    int room = 0;
                    while (low << room > 0) {
                        room++;
                    }
                    int rest = length - room;
                    long word = low << room & Long.MAX_VALUE | code >>> 5 + rest;
                    for (int b = 56; b >= 0; b -= 8) {
                        q[at++] = (byte) (word >>> b);
                    }
                    low = 1L << rest | (code >>> 5) & (1 << rest) - 1;
                    slow = progress;
                }
            }
        }
        s.low = low;
        s.slowProgress = mode != Coder.PLAIN ? progress : slow;
        s.qTail = at;
    }
}
