package pathlight;

/** Places inside a callback where a ring's reader can begin (docs/PROTOCOL.md, section 6). */
final class Restarts {
    /**
     * Minimum distance in bytes of the stream from a position where a reader can begin to a
     * restart.
     */
    static final int BYTES = 8192;
    /**
     * The same where the frame was called back from within the callback: its callers are not known
     * to a reader who begins there.
     */
    private static final int NESTED_BYTES = 4 * BYTES;

    private Restarts() {}

    /**
     * At the head of a loop: what a reader must know to begin here. Two events, which must both be
     * there or neither: so there must be stack for them. If there is not, another time will do.
     */
    static void restart(State s, int place, int frame) {
        long last = s.syncAt;
        // The bytes before it must be in slabs, that each slab's header has the place of its own.
        if (s.dead || s.busy || Sink.stopped || last >= s.total) {
            return;
        }
        int g = s.guards;
        boolean guard = g != 0 && s.guardFrame[g - 1] == frame;
        int mode = !guard ? Protocol.RESTART_PLAIN
                : g == 1 && !s.unguarded ? Protocol.RESTART_OUTERMOST : Protocol.RESTART_GUARDED;
        int pages = s.pages.length;
        long least = mode == Protocol.RESTART_GUARDED ? NESTED_BYTES : pages != 0
                ? Adapt.RESET_BYTES : BYTES;
        if (s.total - last <= least) {
            return;
        }
        try {
            Start.reserve(128, 1, 2, 3, 4);
        } catch (StackOverflowError e) {
            return;
        }
        int n = Coder.escape(s, Protocol.ESCAPE_ENTRY);
        n = Coder.bits(s, n, 0, Sink.idBits);
        n = Coder.bits(s, n, place, 32);
        n = Coder.bits(s, n, Coder.hash(s.progress), 16);
        Coder.play(s, n, s.progress, Coder.FLUSH);
        long start = s.total + (s.qTail - s.qHead);
        n = Coder.bits(s, 0, mode, Protocol.RESTART_BITS);
        n = Coder.gamma(s, n, s.progress - frame);
        n = Coder.bits(s, n, Coder.hash(s.progress + 31 * place), 16);
        Coder.play(s, n, s.progress, Coder.PLAIN);
        for (int i = 0; i < pages; i++) {
            s.pages[i] = null;
        }
        s.syncAt = start;
        s.syncProgress = s.progress;
        s.syncTop = place;
        s.syncTime = s.lastTime;
        Coder.drain(s);
    }
}
