import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CyclicBarrier;
import pathlight.Config;
import pathlight.Probes;
import pathlight.State;

/**
 * Few records, and what becomes of their files (tests/tests/runtime_stream/storage.rs).
 *
 * <pre>Storage MODE N [CONFIG=VALUE …]</pre>
 *
 * short: N threads of one record each, one after the other. callbacks: N records of this thread, an
 * hour apart by {@code stub.elapsed}. long: N records in one slab. loaders: N class loaders begin
 * at once, in the same millisecond. strict: a record of a thread that may not use the disk. names:
 * a record of a thread with each of {@link #NAMES}. exits: N records, then waits for the thread
 * that asks how earlier processes ended; {@code stub.exits=own}: one of them had this one's id.
 */
public final class Storage {
    /**
     * Two, three and four bytes a character; halves of pairs; as much as fits, and more, to the
     * byte and in the middle of a character.
     */
    static final String DIGITS = "0123456789012345678901234567890123456789012345678901234";
    static final String[] NAMES = {
        "\u00e9\u20ac\ud83d\ude00!", "a\ud83d", "\ude00\ud83db", DIGITS + "\ud83d\ude00",
        DIGITS + "5\ud83d\ude00", DIGITS + "56\ud83d\ude00",
    };

    private Storage() {}

    static void record() {
        State s = Probes.enterGuarded(3);
        Probes.exitGuarded(s, Probes.frame(s));
    }

    public static void main(String[] args) throws Exception {
        Config.BUILD_ID = "000102030405060708090a0b0c0d0e0f";
        Config.ID_BITS = 17;
        Config.SLOTS = Script.SLOTS;
        Config.NEXT_CALLBACKS = Script.NEXT_CALLBACKS;
        for (int i = 2; i < args.length; i++) {
            String[] set = args[i].split("=");
            Field field = Config.class.getField(set[0]);
            if (field.getType() == String.class) {
                field.set(null, set[1]);
            } else {
                field.setInt(null, Integer.parseInt(set[1]));
            }
        }
        int n = Integer.parseInt(args[1]);
        switch (args[0]) {
            case "short":
                for (int i = 0; i < n; i++) {
                    Thread t = new Thread(new Runnable() {
                        public void run() {
                            record();
                            Probes.flush();
                        }
                    }, "s-" + i);
                    t.start();
                    t.join();
                }
                break;
            case "callbacks":
                for (int i = 0; i < n; i++) {
                    System.setProperty("stub.elapsed", String.valueOf(5000 + 3600000L * i));
                    record();
                }
                Probes.flush();
                break;
            case "long":
                State s = Probes.enterGuarded(3);
                for (int i = 0; i < n; i++) {
                    Probes.step(s, 1 << 16 | 1);
                }
                Probes.exitGuarded(s, Probes.frame(s));
                Probes.flush();
                break;
            case "names":
                System.setProperty("stub.process", "org.example.\ud83d\ude00\udc00");
                for (String name : NAMES) {
                    Thread t = new Thread(new Runnable() {
                        public void run() {
                            record();
                            Probes.flush();
                        }
                    }, name);
                    t.start();
                    t.join();
                }
                break;
            case "exits":
                if ("own".equals(System.getProperty("stub.exits"))) {
                    String pid = new File("/proc/self").getCanonicalFile().getName();
                    System.setProperty("stub.exits", pid + ","
                                       + (System.currentTimeMillis() - 1000) + ",6,0,0");
                }
                for (int i = 0; i < n; i++) {
                    record();
                }
                Probes.flush();
                await("pathlight exits");
                break;
            case "loaders":
                loaders(n);
                break;
            case "strict":
                // As StrictMode's penaltyDeath for disk access on this thread.
                System.setSecurityManager((SecurityManager) Class.forName(
                    "android.os.StrictMode$Disk").getDeclaredConstructor().newInstance());
                record();
                Probes.flush();
                try {
                    new File(System.getProperty("pathlight.dir"), "x").createNewFile();
                    System.out.println("allowed for ever");
                } catch (Error e) {
                    // As it was.
                }
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
        System.out.println("done");
    }

    private static void await(String name) throws Exception {
        Thread[] all = new Thread[100];
        ThreadGroup root = Thread.currentThread().getThreadGroup().getParent();
        for (int i = root.enumerate(all) - 1; i >= 0; i--) {
            if (all[i].getName().equals(name)) {
                all[i].join();
            }
        }
    }

    private static void loaders(int n) throws Exception {
        final CyclicBarrier together = new CyclicBarrier(n);
        Thread[] all = new Thread[n];
        for (int i = 0; i < n; i++) {
            URL here = Storage.class.getProtectionDomain().getCodeSource().getLocation();
            ClassLoader loader = new URLClassLoader(new URL[] {here}, null);
            Class<?> config = loader.loadClass("pathlight.Config");
            config.getField("BUILD_ID").set(null, Config.BUILD_ID);
            config.getField("ID_BITS").setInt(null, 17);
            config.getField("SLOTS").set(null, Config.SLOTS);
            config.getField("NEXT_CALLBACKS").set(null, Config.NEXT_CALLBACKS);
            Field start = loader.loadClass("pathlight.Sink").getDeclaredField("wallStart");
            start.setAccessible(true);
            start.setLong(null, 1700000000000L);
            final Method play = loader.loadClass("Script")
                    .getDeclaredMethod("run", long.class, int.class, boolean.class, boolean.class);
            play.setAccessible(true);
            final long seed = 100 + i;
            all[i] = new Thread("script-" + seed) {
                @Override
                public void run() {
                    try {
                        together.await();
                        play.invoke(null, seed, 3000, true, false);
                    } catch (Exception e) {
                        throw new RuntimeException(e);
                    }
                }
            };
            all[i].start();
        }
        for (Thread t : all) {
            t.join();
        }
    }
}
