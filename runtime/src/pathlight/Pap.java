package pathlight;

/**
 * Codec {@code pap} (docs/PROTOCOL.md, section 10): items of whole bytes instead of symbols. An
 * item is written behind the end of the queue and counts when {@link State#qTail} moves over it:
 * whatever throws before that leaves nothing, and nothing may throw behind it.
 */
public final class Pap {
    static final int FRAME = 2;
    static final int CAUGHT = 3;
    static final int UNWIND = 4;
    static final int ENTRY = 5;
    static final int SLOT = 6;
    static final int TOP = 7;
    static final int CLOSE = 8;
    static final int END = 9;
    static final int LOST = 10;

    private Pap() {}

    /** Room for the longest item; where it begins. */
    private static int room(State s) {
        if (s.q.length - s.qTail < 64) {
            Coder.makeRoom(s, 64);
        }
        return s.qTail;
    }

    private static int varint(byte[] q, int at, int v) {
        while ((v & ~0x7F) != 0) {
            q[at++] = (byte) (v | 0x80);
            v >>>= 7;
        }
        q[at++] = (byte) v;
        return at;
    }

    private static int varlong(byte[] q, int at, long v) {
        while ((v & ~0x7FL) != 0) {
            q[at++] = (byte) ((int) v | 0x80);
            v >>>= 7;
        }
        q[at++] = (byte) v;
        return at;
    }

    /** The distance from the frame that was named last, sign in the lowest bit. */
    private static int distance(State s, int frame) {
        int d = frame - s.lastFrame;
        return d << 1 ^ d >> 31;
    }

    /** A number would outgrow its register: it is put out. */
    public static void full(State s, int unused, int frame, int block, long r) {
        if (s.dead) {
            return;
        }
        int at = room(s);
        byte[] q = s.q;
        if (frame != s.lastFrame) {
            q[at] = FRAME;
            at = varint(q, at + 1, distance(s, frame));
        }
        for (int shift = 56; shift >= 0; shift -= 8) {
            q[at++] = (byte) (r >>> shift);
        }
        // The first byte marks the kind: no other item begins like this.
        q[at - 8] |= (byte) 0x80;
        s.qTail = at;
        s.lastFrame = frame;
        try {
            Coder.drain(s);
        } catch (StackOverflowError e) {
            // The number is out: the method goes on with a new one.
        }
    }

    /** A normal exit of an activation with branches. */
    public static void leave(State s, int unused, int frame, int block, long r) {
        boolean guard = s.top == frame;
        if (guard) {
            // What follows the item must not fail for want of stack.
            Start.reserve(32, 1, 2, 3, 4);
        }
        if (!s.dead) {
            int at = room(s);
            byte[] q = s.q;
            int d = distance(s, frame);
            if ((d & ~0x3F) == 0 && d != 0x3F) {
                q[at++] = (byte) (0x40 | d);
            } else {
                q[at] = 0x7F;
                at = varint(q, at + 1, d);
            }
            at = varint(q, at, block);
            at = varlong(q, at, r);
            s.qTail = at;
            s.lastFrame = frame;
        }
        if (guard) {
            Events.exit(s, frame);
        } else {
            s.progress++;
        }
        if (s.qTail - s.qHead > 64) {
            try {
                Coder.drain(s);
            } catch (StackOverflowError e) {
                // The frame has been left all the same.
            }
        }
    }

    private static int thrown(State s, int at, int kind, int frame, int block, long r) {
        byte[] q = s.q;
        q[at] = (byte) kind;
        at = varint(q, at + 1, distance(s, frame));
        at = varint(q, at, block);
        at = varlong(q, at, r);
        return varint(q, at, s.progress - s.slowProgress);
    }

    /** First in a handler: an exception arrived there. */
    public static void caught(State s, int handler, int frame, int block, long r) {
        if (!s.dead) {
            settle(s);
            int at = thrown(s, room(s), CAUGHT, frame, block, r);
            s.qTail = varint(s.q, at, handler);
            s.lastFrame = frame;
            s.slowProgress = s.progress;
            int age = s.progress - frame + Integer.MIN_VALUE;
            int g = s.guards;
            while (g > 0 && s.progress - s.guardFrame[g - 1] + Integer.MIN_VALUE < age) {
                g--;
            }
            s.guards = g;
            if (g != 0) {
                s.top = s.guardFrame[g - 1];
            }
        }
        s.callToken = 0;
        try {
            Coder.drain(s);
        } catch (StackOverflowError e) {
            // The handler runs: its number has been recorded.
        }
    }

    /**
     * An exception is about to leave a method. If this finds no stack to run on, the method leaves
     * its number in {@link State#lost} and lets the exception go on: the next frame that has the
     * stack records both.
     */
    public static void unwound(State s, int unused, int frame, int block, long r) {
        if (s.dead) {
            return;
        }
        settle(s);
        boolean closed = unwind(s, frame, block, r);
        try {
            Coder.drain(s);
            if (closed && Sink.lines) {
                Coder.push(s, true);
            }
        } catch (StackOverflowError e) {
            // The frame has been recorded.
        }
    }

    /**
     * Records the frames that an exception left without stack to record that, in the order in
     * which it left them.
     */
    static void settle(State s) {
        while (s.lostTold != s.lostEnd) {
            int over = s.lostEnd - s.lostTold - State.LOST;
            if (over > 0) {
                // Overwritten: a reader refuses the record with the reason.
                int at = room(s);
                s.q[at] = LOST;
                s.qTail = varint(s.q, at + 1, over / 4);
                s.lostTold += over;
            }
            int i = s.lostTold & State.LOST - 1;
            unwind(s, (int) s.lost[i + 1], (int) s.lost[i + 2], s.lost[i]);
            s.lostTold += 4;
        }
    }

    /** One frame; whether that closed the record. */
    private static boolean unwind(State s, int frame, int block, long r) {
        int at = thrown(s, room(s), UNWIND, frame, block, r);
        int g = s.guards - 1;
        while (g >= 0 && s.guardFrame[g] != frame) {
            g--;
        }
        if (g == 0) {
            int now = Sink.now();
            at = check(s, at, s.progress, now);
            s.lastTime = now;
        }
        s.qTail = at;
        s.lastFrame = frame;
        s.slowProgress = s.progress;
        if (g >= 0) {
            s.callToken = s.guardToken[g];
            s.guards = g;
            if (g != 0) {
                s.top = s.guardFrame[g - 1];
            }
        }
        return g == 0;
    }

    private static int check(State s, int at, int progress, int now) {
        byte[] q = s.q;
        int hash = Coder.hash(progress);
        q[at] = CLOSE;
        q[at + 1] = (byte) (hash >>> 8);
        q[at + 2] = (byte) hash;
        return varint(q, at + 3, now - s.lastTime);
    }

    /** The record is over: its check, and the time. */
    static void close(State s, int progress, int now) {
        if (!s.dead) {
            s.qTail = check(s, room(s), progress, now);
        }
    }

    /** Entry of a method that nothing predicted; gives the token to be restored at its end. */
    static int announce(State s, int id, int token, boolean slot) {
        int at = room(s);
        byte[] q = s.q;
        if (slot) {
            q[at] = SLOT;
            s.qTail = varint(q, at + 1, id);
            return 0;
        }
        if (s.guards != 0) {
            q[at] = ENTRY;
            at = varint(q, at + 1, id);
            s.qTail = varint(q, at, s.progress - s.slowProgress);
            s.slowProgress = s.progress;
            return token;
        }
        long start = s.total + (at - s.qHead);
        int now = Sink.now();
        q[at] = TOP;
        at = varint(q, at + 1, id);
        at = varint(q, at, now - s.lastTime);
        s.qTail = at;
        s.slowProgress = s.progress;
        s.lastFrame = s.progress;
        if (s.syncAt < s.total) {
            s.syncAt = start;
            s.syncProgress = s.progress;
            s.syncTop = s.lastTop;
            s.syncTime = s.lastTime;
        }
        s.lastTop = id;
        s.lastTime = now;
        return 0;
    }

    /** A call through a slot came back, and nothing had announced itself. */
    static void none(State s) {
        if (!s.dead) {
            int at = room(s);
            s.q[at] = SLOT;
            s.q[at + 1] = 0;
            s.qTail = at + 2;
        }
        s.callToken = 0;
    }

    /** Nothing follows. */
    static void end(State s) {
        int at = room(s);
        s.q[at] = END;
        s.qTail = at + 1;
        try {
            Coder.drain(s);
        } catch (StackOverflowError e) {
            // The thread is over for the log, whether or not the last bytes get there.
        }
    }
}
