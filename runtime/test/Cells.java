package pathlight;

/** Cells of a build that counts, which pass 2^32: see tests/tests/runtime_stream/cells.rs. */
public final class Cells {
    private Cells() {}

    public static void main(String[] args) {
        Config.BUILD_ID = "000102030405060708090a0b0c0d0e0f";
        Config.NEXT_CALLBACKS = "\0\0";
        // One page, and no cells for the one slot.
        Config.COUNTS = "\0\1\0\0";
        CountCells c = Counts.enterGuarded(0, 3);
        int frame = Counts.frame(c);
        // 2^32 - 50 each: a cell; one whose counts are of a thread that has ended; rounds; a symbol
        // of a loop that is left after three rounds.
        long most = (1L << 32) - 50;
        c.now[7] = most;
        ((CountPage) Counts.all[0]).total[8] = most;
        c.now[100 + 37] = most;
        c.now[200 + 3] = most;
        for (int i = 0; i < 100; i++) {
            Counts.hit(c, 7);
            Counts.hit(c, 8);
            Counts.lap(c, 100, 3);
            Counts.trips(c, 200, 3);
        }
        Counts.exitGuarded(c, frame);
        System.out.println("done");
    }
}
