import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that stand (asleep, waiting, blocked, parked) and threads that run for ever, each in code
 * of its own.
 */
public class Dumps {
    interface Shape { int area(int n); }

    static final Object LOCK = new Object();
    static final Object GATE = new Object();
    static final Dumps ONE = new Dumps();
    /** Set from outside: writes what the thread has done so far into the log. */
    public static Runnable commit;
    static volatile boolean open;
    static volatile long sink;

    static void sleeper(int n) {
        if (n % 3 == 1) sink += n;
        if (n > 0) { sleeper(n - 1); sink++; } else { pause(n); }
    }

    static void pause(int n) {
        try {
            if (n == 0) { commit.run(); Thread.sleep(1_000_000); }
            else Thread.sleep(n);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void waiter(int rounds) throws InterruptedException {
        synchronized (GATE) {
            for (int i = 0; i < rounds; i++) sink ^= i;
            while (!open) { commit.run(); GATE.wait(); }
        }
    }

    static void holder(List<String> words) {
        synchronized (LOCK) {
            for (String w : words) { if (w.length() > 2) sink += w.length(); }
            while (!open) { commit.run(); LockSupport.park(); }
        }
    }

    static int blocked(int n) {
        int r = n > 2 ? n * 2 : n;
        commit.run();
        synchronized (LOCK) { r += (int) sink; }
        return r;
    }

    synchronized void keeper() {
        while (!open) { commit.run(); LockSupport.parkNanos(this, 1_000_000_000_000L); }
    }

    synchronized int entered(int n) { return n > 0 ? n : (int) sink; }

    static void caught(String text) {
        int n = 0;
        try {
            n = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            n = text.length();
        } finally {
            sink += n;
        }
        if (n > 1) pause(n - n); else pause(n);
    }

    static void busy() {
        Shape[] shapes = { n -> n * n, n -> n > 5 ? n : -n, new Shape() {
            public int area(int n) { return step(n, 3); }
        } };
        for (int i = 0; true; i++) {
            rest(i);
            int a = shapes[i % shapes.length].area(i & 15);
            switch (a % 5) {
                case 0: sink += step(a, 2); break;
                case 1: sink -= text(a).length(); break;
                case 2:
                    try { sink += 100 / (a % 3); } catch (ArithmeticException e) { sink++; }
                    break;
                default: if ((a & 8) != 0) sink = a; else sink--;
            }
        }
    }

    /** Now and then: the machine has other work. */
    static void rest(int round) {
        if ((round & 127) == 127) pause(2 - (round & 1));
    }

    static int step(int n, int by) {
        int s = 0;
        for (int i = 0; i < n; i++) { s += i * by; if ((s & 7) == 3) s++; }
        return s;
    }

    static String text(int n) {
        StringBuilder out = new StringBuilder();
        while (n > 0) { out.append((char) ('a' + n % 7)); n /= 3; }
        return out.toString();
    }

    static void arrays() {
        int[] a = new int[64];
        for (int round = 0; true; round++) {
            rest(round);
            for (int i = 1; i < a.length; i++) {
                if (a[i] > a[i - 1]) a[i - 1] += 3; else a[i]++;
            }
            List<Integer> list = new ArrayList<>();
            for (int i = 0; i < 8; i++) list.add(a[i] & 31);
            for (int n : list) sink += n;
        }
    }

    static void tight() {
        int x = 7;
        while (true) {
            int n = x & 1023;
            while (n != 1) { n = (n & 1) == 0 ? n >> 1 : n * 3 + 1; if (n <= 0) n = 1; x++; }
            rest(x);
            if (x == -5) sink = x;
        }
    }

    static void start(String name, Runnable code) {
        Thread t = new Thread(code, name);
        t.setDaemon(true);
        t.start();
    }

    /** Waits until the thread stands: what comes then does not depend on who was first. */
    static void stands(String name) throws InterruptedException {
        for (int i = 0; true; i++) {
            for (Thread t : Thread.getAllStackTraces().keySet()) {
                if (t.getName().equals(name) && t.getState() != Thread.State.RUNNABLE
                    && t.getState() != Thread.State.NEW)
                    return;
            }
            Thread.sleep(5);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        start("sleeper", () -> sleeper(6));
        start("waiter", () -> { try { waiter(5); } catch (InterruptedException e) { sink = 1; } });
        List<String> words = new ArrayList<>();
        for (int i = 0; i < 4; i++) words.add(text(i * i + 3));
        start("holder", () -> holder(words));
        start("keeper", () -> ONE.keeper());
        start("caught", () -> caught("12x"));
        stands("holder");
        stands("keeper");
        start("blocked", () -> sink = blocked(3));
        start("entered", () -> { commit.run(); sink = ONE.entered(1); });
        start("busy", () -> busy());
        start("arrays", () -> arrays());
        start("tight", () -> tight());
        caught("57");
    }
}
