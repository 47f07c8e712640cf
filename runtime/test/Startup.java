import pathlight.Probes;
import pathlight.State;

/**
 * The first probe of the process at the end of a stack: goes down until the stack is full, and on
 * the way up makes a record at every level, with a little more stack each time. Record n is one
 * frame of method 3 with the 16 bits of n, highest first, as symbols. At the top come 2000 more.
 */
final class Startup {
    private int skip;
    private int records;
    private int refused;

    void run(int skip) throws Exception {
        // What is tried is how the classes start, not how HotSpot's class loader (Java, too) bears
        // the end of a stack.
        String[] classes = {"Adapt", "Coder", "Config", "Events", "FileSink", "LogSink", "Pap",
                            "Probes", "Sink", "Slots", "Start", "State", "Packed", "StartTable"};
        for (String c : classes) {
            Class.forName("pathlight." + c, false, Startup.class.getClassLoader());
        }
        // Nor how its strings of wide characters start (Config.SLOTS is one).
        if ("\u0100".charAt(0) == 0) {
            throw new AssertionError();
        }
        this.skip = skip;
        down();
        for (int i = 0; i < 2000; i++) {
            record();
        }
        System.out.println("records " + records + " refused " + refused);
    }

    private void down() {
        try {
            down();
        } catch (StackOverflowError e) {
            // Up again.
        }
        if (skip-- <= 0) {
            record();
        }
    }

    private void record() {
        int n = records;
        State s;
        try {
            s = Probes.enterGuarded(3);
        } catch (StackOverflowError e) {
            refused++;
            return;
        }
        records++;
        int frame = Probes.frame(s);
        try {
            for (int bit = 15; bit >= 0; bit--) {
                if ((n >> bit & 1) == 0) {
                    Probes.even0(s);
                } else {
                    Probes.even1(s);
                }
            }
            Probes.exitGuarded(s, frame);
        } catch (Throwable t) {
            Probes.unwound(s, frame);
        }
    }
}
