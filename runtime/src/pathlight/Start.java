package pathlight;

/**
 * The runtime's first steps in a process. They may be asked for at the very end of a stack, where
 * any call can throw. A class whose static initialiser throws is unusable for ever; so no class of
 * the runtime has one, but {@link Config}, which is not touched before there is stack for it. Each
 * step here either completes or is tried again by a later probe.
 */
final class Start {
    private static volatile boolean ready;

    private Start() {}

    /**
     * The slow way into a method. This class is small: what {@link Events} needs is not touched
     * before there is stack for it. (And this method is large: ART would put a small one in line in
     * each method of the app, with all that it calls.)
     */
    static State enter(int id, boolean guarded) {
        State s = State.cache;
        if (s == null || s.thread != Thread.currentThread()) {
            s = State.current();
            State.cache = s;
        }
        int[] frames = s.guardFrame;
        int g = s.guards;
        if (s.room == 0 || g == frames.length || Sink.stopped) {
            return s.busy ? State.nowhere : Events.enter(s, id, guarded);
        }
        // What comes most: the same as in Events.enter, without what is not due.
        int token = s.callToken;
        int saved = 0;
        int symbol = 0;
        if (token == id) {
            guarded = false;
        } else {
            if (token < 0) {
                // As Slots.place has it: an interpreter pays for calls.
                int[] known = s.known;
                int at = (token * 29 + id) << 2 & known.length - 4;
                if (known[at] != token || known[at + 1] != id) {
                    return Events.enter(s, id, guarded);
                }
                symbol = known[at + 2];
            }
            if (symbol != 0) {
                long r = s.range >>> 16;
                if (r <= 32767L) {
                    return Events.enter(s, id, guarded);
                }
                s.low += r * (symbol >>> 16);
                s.range = r * (char) symbol;
            } else {
                // No slot's callee, or not this slot's: it came in before that.
                if (!guarded || g == 0 || !Coder.announce(s, id)) {
                    return Events.enter(s, id, guarded);
                }
                saved = token;
                s.gathered = 0;
            }
        }
        s.callToken = 0;
        int frame = ++s.progress;
        if (guarded) {
            frames[g] = frame;
            s.guardToken[g] = saved;
            s.guards = g + 1;
            s.top = frame;
        }
        return s;
    }

    /**
     * Makes what {@link State} needs before there can be one. A stack overflow in here leaves
     * nothing behind.
     */
    static void ready() {
        if (!ready) {
            // Linking and verifying classes takes native stack, which ART does not check. So there
            // must be plenty.
            reserve(256, 1, 2, 3, 4);
            prepare();
        }
    }

    private static synchronized void prepare() {
        if (ready) {
            return;
        }
        // These even a dead state's probes look at.
        Sink.slots = Config.SLOTS;
        Sink.places = Slots.places(Config.SLOTS, Config.PACKED);
        Sink.idle = Config.NEXT_CALLBACKS;
        Sink.idBits = Config.ID_BITS;
        Sink.pap = Config.PAP;
        State.paths0 = Slots.symbols(Config.PATHS, Config.PACKED);
        State.unused = Config.PAGES == 0 ? null : new char[Adapt.PAGE];
        int[] counts = Slots.ints(Config.COUNTS);
        if (counts.length != 0) {
            State.pageCount = counts[0] + 1;
            Sink.cells = counts;
            Counts.prepare(counts[0]);
            Sink.counts = true;
        }
        Origins.prepare();
        State nowhere = new State(null, 0, 1);
        nowhere.dead = true;
        nowhere.busy = Sink.counts;
        State.nowhere = nowhere;
        if (Sink.counts) {
            Counts.ready(nowhere);
        }
        State.late = new State(null, 0, 1);
        State.local = new ThreadLocal<State>();
        ready = true;
    }

    /** Takes stack, so that a stack overflow happens now rather than in the middle of something. */
    static int reserve(int n, int a, int b, int c, int d) {
        return n == 0 ? a : reserve(n - 1, b, c, d, a + 1) + b;
    }
}
