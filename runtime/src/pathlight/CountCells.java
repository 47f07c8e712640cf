package pathlight;

/**
 * A thread's cells of one page: what probes of a build that counts keep in a register. Only the thread changes them; whoever holds the page adds
 * those of all threads up. They have 64 bits, so that no hit has to look whether one is full: the call that it would need then keeps ART from
 * moving loads out of loops. A 32-bit device may read one in two halves; what is published next has it right.
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
