package pathlight;

/**
 * What the instrumented code calls. The quick ways through these methods stay at or below 32 code
 * units, which is what ART inlines; the class has no static initialiser for the same reason.
 * Whatever throws in here (a stack overflow on a call) throws before anything has changed.
 */
public final class Probes {
    private Probes() {}

    /**
     * Entry of an unguarded method. Another thread's token may be read, and not be used: to ask for
     * the thread first costs an interpreter a native call, also where no token fits.
     */
    public static State enter(int id) {
        State s = State.cache;
        if (s != null && s.callToken == id && s.thread == Thread.currentThread()) {
            s.callToken = 0;
            s.progress++;
            return s;
        }
        return Start.enter(id, false);
    }

    /**
     * Entry of a guarded method: announced, or found through a slot, it gets an entry in the guard
     * stack.
     */
    public static State enterGuarded(int id) {
        State s = State.cache;
        if (s != null && s.callToken == id && s.thread == Thread.currentThread()) {
            s.callToken = 0;
            s.progress++;
            return s;
        }
        return Start.enter(id, true);
    }

    /** Normal exit of an unguarded method. */
    public static void exit(State s) {
        s.progress++;
    }

    /** Normal exit of a guarded method; frame is what {@link #frame} gave at its entry. */
    public static void exitGuarded(State s, int frame) {
        if (s.top == frame) {
            Events.exit(s, frame);
        } else {
            s.progress++;
        }
    }

    /** Entry and exit at once, of an unguarded method in which nothing else can happen. */
    public static void leaf(int id) {
        State s = State.cache;
        if (s != null && s.callToken == id && s.thread == Thread.currentThread()) {
            s.callToken = 0;
            s.progress += 2;
            return;
        }
        Events.leaf(id, false);
    }

    /** The same for a guarded method. */
    public static void leafGuarded(int id) {
        State s = State.cache;
        if (s != null && s.callToken == id && s.thread == Thread.currentThread()) {
            s.callToken = 0;
            s.progress += 2;
            return;
        }
        Events.leaf(id, true);
    }

    /** The frame number of the method that has just been entered. */
    public static int frame(State s) {
        return s.progress;
    }

    /** One symbol: slice is cum &lt;&lt; 16 | freq. */
    public static void step(State s, int slice) {
        long r = s.range >>> 16;
        // The range is below 2^31; written like this it fits the 32 units.
        if (r <= 32767L) {
            Events.step(s, slice);
            return;
        }
        s.low += r * (slice >>> 16);
        s.range = r * (char) slice;
    }

    /** One symbol whose slice begins at 0: freq is in the low 16 bits. */
    public static void first(State s, int freq) {
        long r = s.range >>> 16;
        if (r <= 32767L) {
            Events.step(s, (char) freq);
            return;
        }
        s.range = r * (char) freq;
    }

    /** One symbol whose slice ends at 65535: cum is in the low 16 bits. */
    public static void last(State s, int cum) {
        long r = s.range >>> 16;
        if (r <= 32767L) {
            Events.last(s, cum);
            return;
        }
        long below = r * (char) cum;
        s.low += below;
        s.range = (r << 16) - r - below;
    }

    /** The first of two alternatives of which nothing is known. */
    public static void even0(State s) {
        first(s, 32768);
    }

    /** The second of two alternatives of which nothing is known. */
    public static void even1(State s) {
        last(s, 32768);
    }

    /** The first of two such alternatives if the value is 0, else the second. */
    public static void zero0(State s, int value) {
        if (value == 0) {
            first(s, 32768);
        } else {
            last(s, 32768);
        }
    }

    /** The second of two such alternatives if the value is 0, else the first. */
    public static void zero1(State s, int value) {
        if (value == 0) {
            last(s, 32768);
        } else {
            first(s, 32768);
        }
    }

    /** The first of two such alternatives if the reference is null, else the second. */
    public static void null0(State s, Object object) {
        if (object == null) {
            first(s, 32768);
        } else {
            last(s, 32768);
        }
    }

    /** The second of two such alternatives if the reference is null, else the first. */
    public static void null1(State s, Object object) {
        if (object == null) {
            last(s, 32768);
        } else {
            first(s, 32768);
        }
    }

    /** The first of two such alternatives if a is b, else the second. */
    public static void same0(State s, int a, int b) {
        if (a == b) {
            first(s, 32768);
        } else {
            last(s, 32768);
        }
    }

    /** The second of two such alternatives if a is b, else the first. */
    public static void same1(State s, int a, int b) {
        if (a == b) {
            last(s, 32768);
        } else {
            first(s, 32768);
        }
    }

    /** The first of two such alternatives if a is less than b, else the second. */
    public static void less0(State s, int a, int b) {
        if (a < b) {
            first(s, 32768);
        } else {
            last(s, 32768);
        }
    }

    /** The second of two such alternatives if a is less than b, else the first. */
    public static void less1(State s, int a, int b) {
        if (a < b) {
            last(s, 32768);
        } else {
            first(s, 32768);
        }
    }

    /** The first of two such alternatives if the value is below 0, else the second. */
    public static void negative0(State s, int value) {
        if (value < 0) {
            first(s, 32768);
        } else {
            last(s, 32768);
        }
    }

    /** The second of two such alternatives if the value is below 0, else the first. */
    public static void negative1(State s, int value) {
        if (value < 0) {
            last(s, 32768);
        } else {
            first(s, 32768);
        }
    }

    /** The first of two such alternatives if the value is above 0, else the second. */
    public static void positive0(State s, int value) {
        if (value > 0) {
            first(s, 32768);
        } else {
            last(s, 32768);
        }
    }

    /** The second of two such alternatives if the value is above 0, else the first. */
    public static void positive1(State s, int value) {
        if (value > 0) {
            last(s, 32768);
        } else {
            first(s, 32768);
        }
    }

    /** The first of two such alternatives if one reference is the other, else the second. */
    public static void same0(State s, Object a, Object b) {
        if (a == b) {
            first(s, 32768);
        } else {
            last(s, 32768);
        }
    }

    /** The second of two such alternatives if one reference is the other, else the first. */
    public static void same1(State s, Object a, Object b) {
        if (a == b) {
            last(s, 32768);
        } else {
            first(s, 32768);
        }
    }

    /** One symbol, whatever the wire. */
    static void symbol(State s, int constant) {
        if (s.ranged) {
            step(s, constant);
        } else {
            put(s, constant);
        }
    }

    /**
     * A fused region is left: the symbol of its path. ({@link Packed} has this probe and the next
     * five for the other wire.)
     */
    public static void path(State s, int number) {
        step(s, s.paths[number]);
    }

    /**
     * Before a switch: the symbol of the way that a key takes. At base are the first key, how many
     * there are, their symbols, and the symbol of all other keys.
     */
    public static void lookupPacked(State s, int base, int key) {
        step(s, s.paths[way(s.paths, base, key)]);
    }

    /** Where the symbol of a key stands. */
    static int way(int[] t, int base, int key) {
        int i = key - t[base];
        int n = t[base + 1];
        return base + 2 + (i < 0 || i >= n ? n : i);
    }

    /**
     * The same for a switch whose keys have gaps: at base are how many keys there are, these, their
     * symbols, and that of all other keys.
     */
    public static void lookupSparse(State s, int base, int key) {
        step(s, Slots.lookupSparse(s.paths, base, key));
    }

    /** The key of the switch that comes next, where only two registers are within reach. */
    public static void key(State s, int key) {
        s.key = key;
    }

    /** {@link #lookupPacked(State, int, int)} with that key. */
    public static void lookupPacked(State s, int base) {
        lookupPacked(s, base, s.key);
    }

    /** {@link #lookupSparse(State, int, int)} with that key. */
    public static void lookupSparse(State s, int base) {
        lookupSparse(s, base, s.key);
    }

    /**
     * A counted loop is left: the symbol of its iteration count. The low 28 bits of base are the
     * start of its slices, the high ones the number of bits by which the register is shifted.
     */
    public static void trips(State s, int base, int register) {
        int count = register >>> (base >>> 28);
        if (count >>> 3 != 0) {
            Events.trips(s, base, count);
        } else {
            step(s, s.paths[(base & 0xFFFFFFF) + count]);
        }
    }

    /** A counted loop goes on, but its register is full. */
    public static void lap(State s, int register) {
        Events.openPath(s, Protocol.ESCAPE_LAP, register);
    }

    /** An exception leaves, perhaps while decisions are in the path register. */
    public static void broken(State s, int register) {
        if (register != 0) {
            Events.openPath(s, Protocol.ESCAPE_BROKEN, register);
        }
    }

    /** First thing in a handler of a method with regions or counted loops. */
    public static void caught(State s, int handler, int register, int frame) {
        if (register != 0) {
            Events.openPath(s, Protocol.ESCAPE_BROKEN, register);
        }
        Events.caught(s, handler, frame);
    }

    /** What an exception breaks off from now on; 0: nothing. */
    public static void gather(State s, int register) {
        s.gathered = register;
    }

    /** One symbol: code is bits &lt;&lt; 5 | length. */
    public static void put(State s, int code) {
        long low = s.low;
        // Shift distances count modulo 64; no code word is longer than 24 bits, and those above its
        // length are zeros.
        long more = low << (code & 31);
        if (more >>> (code & 31) != low) {
            Events.put(s, code);
            return;
        }
        s.low = more | (code >>> 5);
    }

    /** Leaves a call token. */
    public static void call(State s, int token) {
        s.callToken = token;
    }

    /** After a call through a slot: writes "none" if the token is still there. */
    public static void none(State s, int token) {
        if (s.callToken == token) {
            Events.none(s, token);
        }
    }

    /** First thing in a handler: an exception arrived there. */
    public static void caught(State s, int handler, int frame) {
        Events.caught(s, handler, frame);
    }

    /** An exception is about to leave a guarded method. */
    public static void unwound(State s, int frame) {
        Events.unwound(s, frame);
    }

    /**
     * At the head of a loop near the bottom of the stack, in a ring: now and then a reader can
     * begin here.
     */
    public static void restart(State s, int place, int frame) {
        if (s.total - s.syncAt > Restarts.BYTES) {
            Restarts.restart(s, place, frame);
        }
    }

    /** A component has reached one of its terminal callbacks: what is there goes to the sink. */
    public static void terminal(State s) {
        Events.flush(s);
    }

    /** Makes everything that the current thread has recorded so far readable. */
    public static void flush() {
        Events.flush(State.current());
    }
}
