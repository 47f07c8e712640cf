package pathlight;

/**
 * A thread's cells of one page: what probes of a build that counts keep in a register. Only the thread changes them; whoever holds the page folds
 * what is new into its totals.
 */
public final class CountCells {
    final State state;
    final Thread thread;
    /** The page's number; negative: what is counted in here is lost. */
    final int page;
    final int[] now;
    /** What the totals have of them. */
    final int[] folded;
    CountCells next;

    CountCells(State state, int page, int[] now, int[] folded) {
        this.state = state;
        thread = state.thread;
        this.page = page;
        this.now = now;
        this.folded = folded;
    }
}
