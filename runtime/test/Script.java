import pathlight.Config;
import pathlight.Probes;
import pathlight.Room;
import pathlight.State;

/**
 * Plays scripted events through the probes. The script comes from a seeded generator; the test that
 * decodes the trace runs the same generator (tests/tests/runtime_stream.rs: keep the two alike).
 *
 * <pre>Script MODE SEED THREADS OPS [CONFIG=VALUE …]</pre>
 */
public final class Script {
    /**
     * Slot 0: other 40000, ids 3, 4, 5; slot 1: none 1000, ids 2, 9, 70000; slot 2: none 4096, ids
     * 2, 6 and 9 alike.
     */
    static final String SLOTS = "\0\3\2" + "\4\0" + "\4\u1000"
            + "\1\u9c40" + "\3\u1000" + "\1\u1000" + "\1\u43bf"
            + "\1\u03e8" + "\2\1" + "\7\u7fff" + "\0\1\u1167\u7c17"
            + "\2\2\4\3";
    /** After method 3 or 5 the next-callback distribution is 1. */
    static final String NEXT_CALLBACKS = "\0\2" + "\0\3\0\1" + "\0\5\0\1";

    private long x;
    private State s;
    private final int[] ids = new int[64];
    private final int[] frames = new int[64];
    private final int[] tokens = new int[64];
    private int depth;

    Script(long seed) {
        x = seed;
    }

    /** A number from 0 to n - 1. */
    int next(int n) {
        x = x * 6364136223846793005L + 1442695040888963407L;
        return (int) ((x >>> 33) % n);
    }

    /** Guarded methods have odd ids. */
    static boolean guarded(int id) {
        return (id & 1) != 0;
    }

    private void enter(int id, int token) {
        s = guarded(id) ? Probes.enterGuarded(id) : Probes.enter(id);
        ids[depth] = id;
        frames[depth] = Probes.frame(s);
        tokens[depth++] = token;
    }

    private void leave() {
        depth--;
        if (guarded(ids[depth])) {
            Probes.exitGuarded(s, frames[depth]);
        } else {
            Probes.exit(s);
        }
        // The caller's side of a slot call.
        if (tokens[depth] < 0) {
            Probes.none(s, tokens[depth]);
        }
    }

    private int anyId() {
        int k = next(8);
        return k < 6 ? k + 1 : k == 6 ? 9 : 70000;
    }

    /** One operation; unguarded: whether unguarded methods may come at top level. */
    void op(boolean unguarded) {
        if (depth == 0) {
            int id = anyId();
            if (!guarded(id) && !(unguarded && next(8) == 0)) {
                id = 3;
            }
            enter(id, 0);
            return;
        }
        int k = next(100);
        if (k < 60) {
            int shape = next(4);
            int cum = shape == 0 ? 0 : shape == 1 ? 65534 : next(65535);
            int freq = shape == 0 ? 65535 - next(20) : shape == 1 ? 1 : 1 + next(65535 - cum);
            if (cum == 0) {
                Probes.first(s, freq);
            } else if (cum + freq == 65535) {
                Probes.last(s, cum);
            } else {
                Probes.step(s, cum << 16 | freq);
            }
        } else if (k < 75 && depth < 60) {
            int id = anyId();
            int how = next(4);
            if (how == 0) {
                s.callToken = id;
                enter(id, 0);
            } else if (how == 1) {
                enter(id, 0);
            } else if (how == 2) {
                int token = ~next(3);
                s.callToken = token;
                enter(id, token);
            } else {
                // A call through a slot from which nothing instrumented calls back.
                int token = ~next(3);
                Probes.call(s, token);
                Probes.none(s, token);
            }
        } else if (k < 96) {
            leave();
        } else if (k < 98) {
            // An exception: past some frames, into a handler or out of everything.
            int to = next(depth + 1);
            while (depth > to) {
                depth--;
                if (guarded(ids[depth])) {
                    Probes.unwound(s, frames[depth]);
                }
            }
            if (depth > 0) {
                Probes.caught(s, 1 + next(1000), frames[depth - 1]);
            }
        } else if (next(4) == 0) {
            Probes.terminal(s);
        }
    }

    static void run(long seed, int ops, boolean unguarded, boolean report) {
        Script p = new Script(seed);
        for (int i = 0; i < ops; i++) {
            p.op(unguarded);
            Room.check(p.s);
            if (report && i % 1000 == 999) {
                System.out.println(i + 1);
            }
        }
        while (p.depth > 0) {
            p.leave();
        }
        Probes.flush();
    }

    public static void main(String[] args) throws Exception {
        Config.BUILD_ID = "000102030405060708090a0b0c0d0e0f";
        Config.ID_BITS = 17;
        Config.SLOTS = SLOTS;
        Config.NEXT_CALLBACKS = NEXT_CALLBACKS;
        for (int i = 4; i < args.length; i++) {
            String v = args[i].substring(args[i].indexOf('=') + 1);
            if (args[i].startsWith("SLAB=")) {
                Config.SLAB = Integer.parseInt(v);
            } else if (args[i].startsWith("CAP=")) {
                Config.CAP_BYTES = Integer.parseInt(v);
            } else if (args[i].startsWith("RING=")) {
                Config.RING = v.equals("true");
            } else if (args[i].startsWith("KEEP_TABLES=")) {
                Config.KEEP_TABLES = v.equals("true");
            } else if (args[i].startsWith("SINK=")) {
                Config.SINK = Integer.parseInt(v);
            }
        }
        final String mode = args[0];
        final long seed = Long.parseLong(args[1]);
        int threads = Integer.parseInt(args[2]);
        final int ops = Integer.parseInt(args[3]);
        if (mode.equals("steps")) {
            Steps.run(System.in);
        } else if (mode.equals("full")) {
            FullStack.run(ops);
        } else if (mode.equals("asked")) {
            Asked.run();
        } else if (mode.equals("adapt")) {
            Adapting.run(System.in);
        } else {
            Thread[] all = new Thread[threads];
            for (int t = 0; t < threads; t++) {
                final int k = t;
                all[t] = new Thread(null, new Runnable() {
                    public void run() {
                        if (mode.equals("overflow")) {
                            new Overflow().run(ops);
                        } else if (mode.equals("startup")) {
                            try {
                                new Startup().run(ops);
                            } catch (Exception e) {
                                throw new RuntimeException(e);
                            }
                        } else if (mode.equals("interrupted")) {
                            Thread.currentThread().interrupt();
                            Script.run(seed + k, ops, false, false);
                            System.out.println(Thread.interrupted());
                        } else {
                            Script.run(seed + k, ops, !mode.equals("ring"), mode.equals("kill"));
                        }
                    }
                }, "script-" + (seed + t), 300000);
                all[t].start();
                if (mode.equals("ring")) {
                    // One after the other: their slabs are left behind.
                    all[t].join();
                }
            }
            for (int t = 0; t < threads; t++) {
                all[t].join();
            }
        }
        System.out.println("done");
    }
}
