package pathlight;

/** The rule of {@link State#room}, asked after each operation of a script. */
public final class Room {
    private Room() {}

    /** Words go straight to the slab only while nothing else is due. */
    public static void check(State s) {
        if (s.room == 0) {
            return;
        }
        boolean isDue = s.qHead != s.qTail || s.pending != 0 || s.busy || s.dead || s.buf == null
            || !s.synced && s.syncAt >= s.total;
        // A word needs 4 bytes, and the mark behind it 4 more; the spare ones stay free.
        int most = s.capacity - (s.next < 0 ? Sink.SPARE : 4) - 3;
        if (isDue || s.room > most) {
            throw new AssertionError("room " + s.room + " of " + most + ", due: " + isDue);
        }
    }
}
