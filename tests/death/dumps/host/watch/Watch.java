package watch;

import java.util.Random;

/**
 * SAMPLES: starts Dumps, waits until all threads that will stand do so, and prints where they
 * stand. Then prints SAMPLES times, at random moments, where the running threads are. It is not
 * part of the app and has no probes.
 */
public final class Watch {
    private static final String[] STAND = {"main", "sleeper", "waiter", "holder", "keeper",
                                           "caught", "blocked", "entered"};
    private static final String[] RUN = {"busy", "arrays", "tight"};

    public static void main(String[] args) throws Exception {
        int samples = Integer.parseInt(args[0]);
        Thread watcher = new Thread(() -> watch(samples), "watch");
        watcher.setDaemon(true);
        watcher.start();
        Class<?> app = Class.forName("Dumps");
        app.getField("commit").set(null, (Runnable) Watch::commit);
        app.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    }

    /** Without this, a thread that is killed loses what its coder holds. */
    private static void commit() {
        try {
            Class.forName("pathlight.Pathlight").getMethod("flush").invoke(null);
        } catch (ClassNotFoundException without) {
            return;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Thread find(String name) {
        for (Thread t : Thread.getAllStackTraces().keySet()) if (t.getName().equals(name)) return t;
        return null;
    }

    private static void watch(int samples) {
        try {
            Thread[] standing = all(STAND);
            // The main thread stands for short whiles before, too: where it ends up, it is asleep
            // for long.
            for (int still = 0; still < 40; still++) {
                for (Thread t : standing) if (t.getState() == Thread.State.RUNNABLE) still = 0;
                Thread.sleep(5);
            }
            for (Thread t : standing) print("stands", t);
            Random random = new Random(1);
            Thread[] running = all(RUN);
            for (int i = 0; i < samples; i++) {
                Thread.sleep(random.nextInt(3), random.nextInt(900_000));
                for (Thread t : running) print("runs", t);
            }
            System.out.println("ready");
            System.out.flush();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Thread[] all(String[] names) throws InterruptedException {
        Thread[] found = new Thread[names.length];
        for (int i = 0; i < names.length; i++) {
            while ((found[i] = find(names[i])) == null) Thread.sleep(5);
        }
        return found;
    }

    private static void print(String how, Thread t) {
        StringBuilder out = new StringBuilder(how + " " + t.getName() + "\n");
        for (StackTraceElement e : t.getStackTrace()) out.append("\tat ").append(e).append('\n');
        System.out.print(out);
    }
}
