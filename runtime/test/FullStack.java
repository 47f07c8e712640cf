import pathlight.Config;
import pathlight.Pap;
import pathlight.Probes;
import pathlight.State;

/**
 * Codec pap: method 1 calls itself until the stack is full, and that many frames leave their
 * numbers in the ring, as the code that the instrumenter adds does without a call; then the
 * outermost one finds the stack to record all.
 */
final class FullStack {
    private FullStack() {}

    static void run(int frames) {
        Config.PAP = true;
        State s = Probes.enterGuarded(1);
        int outermost = Probes.frame(s);
        int innermost = outermost;
        for (int i = 0; i < frames; i++) {
            s.callToken = 1;
            innermost = Probes.frame(Probes.enterGuarded(1));
        }
        for (int frame = innermost; frame != outermost; frame--) {
            int at = s.lostEnd & s.lost.length - 1;
            s.lost[at] = 1;
            s.lost[at + 1] = frame;
            s.lost[at + 2] = 0;
            s.lostEnd += 4;
            s.callToken = 0;
        }
        Pap.unwound(s, 0, outermost, 0, 1);
    }
}
