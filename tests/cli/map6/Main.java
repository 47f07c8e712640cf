/** Callbacks from outside, an exception that leaves, a loop, two threads. */
public final class Main implements Runnable, Comparable<Main> {
    final int n;
    Main(int n) { this.n = n; }
    @Override public int compareTo(Main o) { return n % 5 == 4 ? o.n - n : n - o.n; }
    @Override public void run() {
        int sum = 0;
        for (int i = 0; i < 200 + n; i++) {
            sum += i % 7 == n ? twice(i) : i;
        }
        if (n == 3) {
            throw new IllegalStateException("three: " + sum);
        }
    }
    static int twice(int i) { return (i & 1) == 0 ? 2 * i : 2 * i + 1; }
    public static void main(String[] args) throws Exception {
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> { });
        for (int i = 0; i < 5; i++) {
            Thread t = new Thread(new Main(i), "worker-" + i);
            t.start();
            t.join();
        }
        java.util.Arrays.sort(new Main[] {new Main(4), new Main(1), new Main(9), new Main(2)});
    }
}
