/** Not recorded. */
final class Log {
    private static final long[] times = new long[6];
    private static final StringBuilder lines = new StringBuilder();

    private Log() {}

    static void at(int i) {
        times[i] = System.nanoTime();
    }

    static void sleep(int ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void line(int sum) {
        for (long t : times) {
            lines.append(t).append(' ');
        }
        lines.append(sum).append('\n');
    }

    /** Afterwards: printing takes time. */
    static void print() {
        System.out.print(lines);
    }
}
