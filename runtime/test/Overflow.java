import pathlight.Probes;
import pathlight.State;

/**
 * Runs into the end of the stack again and again, with probes at every level, exactly as
 * instrumented code would have them. The program that the test walks: top (guarded, id 3) calls one
 * frame of "even" (id 4, unguarded, predicted); even at depth d codes a symbol for d, calls "odd"
 * (id 5, guarded, not predicted) and has a handler (id 40) for the overflow; odd codes a symbol,
 * calls even (predicted) and has no handler.
 */
final class Overflow {
    private int caught;
    private int deepest;

    void run(int rounds) {
        for (int i = 0; i < rounds; i++) {
            top(i);
        }
        System.out.println("caught " + caught + " deepest " + deepest);
    }

    /** The symbol at depth d: four alternatives of very different sizes. */
    static int slice(int d) {
        switch (d * 7 / 3 & 3) {
            case 0:
                return 60000;
            case 1:
                return 60000 << 16 | 5000;
            case 2:
                return 65000 << 16 | 534;
            default:
                return 65534 << 16 | 1;
        }
    }

    private void top(int i) {
        State s = Probes.enterGuarded(3);
        int frame = Probes.frame(s);
        try {
            Probes.step(s, slice(i));
            s.callToken = 4;
            even(0);
            Probes.step(s, slice(i + 1));
            Probes.exitGuarded(s, frame);
        } catch (Throwable t) {
            Probes.unwound(s, frame);
        }
    }

    private int even(int d) {
        State s = Probes.enter(4);
        int frame = Probes.frame(s);
        int r = 0;
        Probes.step(s, slice(d));
        try {
            r = odd(d + 1);
        } catch (StackOverflowError e) {
            Probes.caught(s, 40, frame);
            caught++;
            if (d > deepest) {
                deepest = d;
            }
        }
        Probes.step(s, slice(d + 2));
        Probes.exit(s);
        return r + 1;
    }

    private int odd(int d) {
        State s = Probes.enterGuarded(5);
        int frame = Probes.frame(s);
        try {
            Probes.step(s, slice(d));
            s.callToken = 4;
            int r = even(d + 1);
            Probes.step(s, slice(d + 1));
            Probes.exitGuarded(s, frame);
            return r + 1;
        } catch (Throwable t) {
            Probes.unwound(s, frame);
            throw t;
        }
    }
}
