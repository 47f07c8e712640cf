import java.io.DataInputStream;
import java.io.InputStream;
import pathlight.Probes;
import pathlight.State;

/** Plays one top-level callback whose slices are read from standard input (a count, then the slices). */
final class Steps {
    private Steps() {}

    static void run(InputStream from) throws Exception {
        DataInputStream in = new DataInputStream(from);
        int n = in.readInt();
        State s = Probes.enterGuarded(3);
        int frame = Probes.frame(s);
        for (int i = 0; i < n; i++) {
            Probes.step(s, in.readInt());
        }
        Probes.exitGuarded(s, frame);
    }
}
