import java.io.DataInputStream;
import java.io.InputStream;
import pathlight.Probes;
import pathlight.State;

/**
 * Plays two empty top-level callbacks, then one whose slices are read from standard input (a count,
 * then the slices).
 */
final class Steps {
    private Steps() {}

    static void run(InputStream from) throws Exception {
        DataInputStream in = new DataInputStream(from);
        int n = in.readInt();
        int[] slices = new int[n];
        for (int i = 0; i < n; i++) {
            slices[i] = in.readInt();
        }
        // Once each before it counts: the third callback is to begin in the same millisecond as the
        // second.
        for (int i = 0; i < 2; i++) {
            State s = Probes.enterGuarded(3);
            Probes.exitGuarded(s, Probes.frame(s));
        }
        State s = Probes.enterGuarded(3);
        int frame = Probes.frame(s);
        for (int i = 0; i < n; i++) {
            Probes.step(s, slices[i]);
        }
        Probes.exitGuarded(s, frame);
    }
}
