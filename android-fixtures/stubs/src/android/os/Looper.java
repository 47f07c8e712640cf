package android.os;

import java.util.ArrayList;

/**
 * Message queues. The main one belongs to the driver: it runs what is due on a clock of its own, so
 * that a delay costs no time and the order depends on nothing outside. Others run on their thread
 * at once, in the order of their due times.
 */
public final class Looper {
    private static final ThreadLocal<Looper> MINE = new ThreadLocal<Looper>();
    private static Looper main;
    private static final ArrayList<Looper> OTHERS = new ArrayList<Looper>();
    private static long clock = 1000;

    private final ArrayList<Message> queue = new ArrayList<Message>();
    private final Thread thread = Thread.currentThread();
    private boolean quit;
    private boolean busy;

    private Looper() {}

    public static void prepare() {
        if (MINE.get() != null) {
            throw new RuntimeException("Only one Looper may be created per thread");
        }
        Looper me = new Looper();
        MINE.set(me);
        synchronized (OTHERS) { OTHERS.add(me); }
    }

    public static void prepareMainLooper() {
        main = new Looper();
        MINE.set(main);
    }

    public static Looper getMainLooper() { return main; }
    public static Looper myLooper() { return MINE.get(); }
    public Thread getThread() { return thread; }
    public boolean isCurrentThread() { return Thread.currentThread() == thread; }

    static synchronized long now() { return clock; }
    private static synchronized void advance(long to) { if (to > clock) clock = to; }

    void enqueue(Message m) {
        synchronized (queue) {
            if (quit) return;
            int i = queue.size();
            while (i > 0 && queue.get(i - 1).when > m.when) i--;
            queue.add(i, m);
            queue.notifyAll();
        }
    }

    void remove(Handler h, Runnable r, int what, boolean any) {
        synchronized (queue) {
            for (int i = queue.size() - 1; i >= 0; i--) {
                Message m = queue.get(i);
                if (m.target == h
                        && (any || (r != null
                                ? m.callback == r
                                : m.callback == null && m.what == what))) {
                    queue.remove(i);
                }
            }
        }
    }

    boolean has(Handler h, int what) {
        synchronized (queue) {
            for (Message m : queue) {
                if (m.target == h && m.callback == null && m.what == what) return true;
            }
        }
        return false;
    }

    public static void loop() {
        Looper me = MINE.get();
        while (true) {
            Message m;
            synchronized (me.queue) {
                me.busy = false;
                me.queue.notifyAll();
                while (me.queue.isEmpty() && !me.quit) {
                    try {
                        me.queue.wait();
                    } catch (InterruptedException e) {
                        /* a looper ends by quit only */
                    }
                }
                if (me.queue.isEmpty()) return;
                m = me.queue.remove(0);
                me.busy = true;
            }
            m.target.dispatchMessage(m);
        }
    }

    public void quit() { quitSafely(); }

    public void quitSafely() {
        synchronized (queue) {
            quit = true;
            queue.notifyAll();
        }
    }

    /** For the driver: runs the main queue until nothing is due before {@code ms} from now. */
    public static void runMain(long ms) {
        long end = now() + ms;
        while (true) {
            Message m;
            synchronized (main.queue) {
                if (main.queue.isEmpty() || main.queue.get(0).when > end) break;
                m = main.queue.remove(0);
            }
            advance(m.when);
            m.target.dispatchMessage(m);
        }
        advance(end);
    }

    /** For the driver: runs all loopers until none has anything left that is due now. */
    public static void settle() {
        while (true) {
            ArrayList<Looper> others;
            synchronized (OTHERS) { others = new ArrayList<Looper>(OTHERS); }
            for (Looper l : others) l.awaitIdle();
            synchronized (main.queue) {
                if (main.queue.isEmpty() || main.queue.get(0).when > now()) return;
            }
            runMain(0);
        }
    }

    private void awaitIdle() {
        synchronized (queue) {
            while ((busy || !queue.isEmpty()) && thread.isAlive()) {
                try { queue.wait(10); } catch (InterruptedException e) { return; }
            }
        }
    }
}
