import java.io.DataInputStream;
import java.io.InputStream;
import pathlight.Adapt;
import pathlight.Config;
import pathlight.Probes;
import pathlight.State;

/**
 * Plays branches that adapt. Read from standard input: INC, FLOOR, SHIFT; how many cells and their
 * units; how many branches, and of each its cell and its alternatives; seed and number of
 * operations. The test that reads the trace runs the same generator
 * (tests/tests/runtime_stream/adapting.rs: keep the two alike).
 */
final class Adapting {
    private long x;

    private Adapting(long seed) {
        x = seed;
    }

    private int next(int n) {
        x = x * 6364136223846793005L + 1442695040888963407L;
        return (int) ((x >>> 33) % n);
    }

    static void run(InputStream from) throws Exception {
        DataInputStream in = new DataInputStream(from);
        Config.INC = in.readInt();
        Config.FLOOR = in.readInt();
        Config.SHIFT = in.readInt();
        char[] units = new char[in.readInt()];
        for (int i = 0; i < units.length; i++) {
            units[i] = in.readChar();
        }
        Config.CELLS = new String(units);
        Config.PAGES = (units.length + 511) / 512;
        int n = in.readInt();
        int[] cells = new int[n];
        int[] ways = new int[n];
        StringBuilder wide = new StringBuilder();
        for (int i = 0; i < n; i++) {
            cells[i] = in.readInt();
            ways[i] = in.readInt();
            if (ways[i] > 2) {
                wide.append((char) (cells[i] >>> 16)).append((char) cells[i]);
            }
        }
        Config.WIDE = wide.toString();
        Adapting a = new Adapting(in.readInt());
        int ops = in.readInt();
        State s = null;
        int frame = 0;
        for (int i = 0; i < ops; i++) {
            if (s == null) {
                s = Probes.enterGuarded(3);
                frame = Probes.frame(s);
            }
            int b = a.next(n);
            int k = a.next(100);
            int taken = k < 80 ? 0 : k < 90 ? ways[b] - 1 : a.next(ways[b]);
            if (ways[b] > 2) {
                Adapt.many(s, cells[b] << 8 | taken);
            } else if (Config.SHIFT != 0) {
                if (taken == 0) {
                    Adapt.shift0(s, cells[b]);
                } else {
                    Adapt.shift1(s, cells[b]);
                }
            } else if (taken == 0) {
                Adapt.inc0(s, cells[b]);
            } else {
                Adapt.inc1(s, cells[b]);
            }
            if (a.next(300) == 0) {
                Probes.exitGuarded(s, frame);
                s = null;
            }
        }
        Probes.flush();
    }
}
