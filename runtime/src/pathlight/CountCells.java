package pathlight;

/** A thread's cells of one page. Only the thread changes them; whoever holds the page folds what is new into its totals. */
final class CountCells {
    final Thread thread;
    final int[] now = new int[Counts.CELLS];
    /** What the totals have of them. */
    final int[] folded = new int[Counts.CELLS];
    CountCells next;

    CountCells(Thread thread) {
        this.thread = thread;
    }
}
