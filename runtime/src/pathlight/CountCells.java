package pathlight;

/**
 * A thread's cells of one page, which probes of a build that counts keep in a register. Only the
 * thread changes them; the holder of the page adds up those of all threads. They have 64 bits, so
 * that no hit has to check for a full cell: the call needed for that keeps ART from moving loads
 * out of loops. A 32-bit device may read one in two halves; what is published next has
 * it right.
 */
public final class CountCells {
    final State state;
    final Thread thread;
    /** The page's number; negative: what is counted in here is lost. */
    final int page;
    final long[] now;
    CountCells next;

    CountCells(State state, int page, long[] now) {
        this.state = state;
        thread = state.thread;
        this.page = page;
        this.now = now;
    }
}
