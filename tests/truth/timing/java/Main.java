import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Callbacks that sleep and that compute, and what the program measures of them itself: a line for
 * each callback with its begin and end, and the times at which its two hot methods were entered and
 * left (System.nanoTime). What is printed is excluded from recording ({@code Log}).
 */
public final class Main implements Runnable {
    private final int nap;
    private final int first;
    private final int second;

    private Main(int nap, int first, int second) {
        this.nap = nap;
        this.first = first;
        this.second = second;
    }

    @Override
    public void run() {
        Log.at(0);
        int sum = 0;
        Log.at(1);
        if (first > 0) {
            sum += cheap(first);
        }
        Log.at(2);
        Log.sleep(nap);
        Log.at(3);
        if (second > 0) {
            sum += costly(second);
        }
        Log.at(4);
        Log.at(5);
        Log.line(sum);
    }

    /** Steps that cost little, each with a decision that nobody can foresee. */
    private static int cheap(int n) {
        int x = n;
        int sum = 0;
        for (int i = 0; i < n; i++) {
            x = x * 1103515245 + 12345;
            if ((x >>> 16 & 1) != 0) {
                sum += x;
            } else {
                sum ^= x;
            }
        }
        return sum;
    }

    /** The same with steps that cost several times as much. */
    private static int costly(int n) {
        int x = n;
        long sum = 1;
        for (int i = 0; i < n; i++) {
            x = x * 1103515245 + 12345;
            if ((x >>> 16 & 1) != 0) {
                sum += (x | 1L << 40) / (i + 3L) + (x | 1L << 41) / (i + 5L)
                        + (x | 1L << 42) / (i + 7L);
            } else {
                sum ^= (x | 1L << 43) / (i + 9L) + (x | 1L << 44) / (i + 11L)
                        + (x | 1L << 45) / (i + 13L);
            }
        }
        return (int) sum;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService one = Executors.newSingleThreadExecutor();
        int[][] all = {
            // The JIT compiler is to be done with the hot methods.
            {
                0, 300000, 300000
            }
            , {0, 300000, 300000}, {0, 0, 0}, {50, 0, 0}, {5, 0, 0}, {200, 0, 0}, {0, 2000000, 0},
                    {0, 0, 1000000}, {0, 1000000, 1000000}, {0, 3000000, 500000},
                    {0, 500000, 2000000}, {40, 1000000, 1000000}, {0, 30, 30}, {17, 0, 1000},
            };
        for (int[] a : all) {
            one.submit(new Main(a[0], a[1], a[2])).get();
        }
        one.shutdown();
        Log.print();
    }
}
