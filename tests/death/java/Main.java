import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Threads that report their own progress: {@code Main FILE THREADS BEATS}.
 *
 * <p>Each thread goes BEATS rounds of branches, switches, calls with several targets, callbacks and
 * exceptions. Before each round it writes the round's number and the time into FILE, which is
 * mapped, so that both are there after SIGKILL. Thread i has 8,200 longs: the number, eight times
 * nothing, and the time at which round n began at n mod 8,191.
 */
public final class Main implements Runnable {
    static final int RING = 8191;
    static final int STRIDE = 8200;

    private final MappedByteBuffer out;
    private final int number;
    private final int beats;
    private long random;
    private int total;

    private Main(MappedByteBuffer out, int number, int beats) {
        this.out = out;
        this.number = number;
        this.beats = beats;
        random = number * 0x9E3779B97F4A7C15L + 1;
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[1]);
        int beats = Integer.parseInt(args[2]);
        RandomAccessFile file = new RandomAccessFile(args[0], "rw");
        MappedByteBuffer out = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0,
                                                     threads * STRIDE * 8L);
        file.close();
        Main[] work = new Main[threads];
        // The first thread stays in one callback as long as it lives ...
        work[0] = new Main(out, 0, beats);
        Thread whole = new Thread(work[0], "whole");
        whole.start();
        // ... the others come back to the platform's code after each round: a reader can begin at
        // any of them.
        ExecutorService[] pools = new ExecutorService[threads];
        for (int i = 1; i < threads; i++) {
            work[i] = new Main(out, i, beats);
            pools[i] = Executors.newSingleThreadExecutor(new Name("rounds-" + i));
            pools[i].execute(new Round(work[i], pools[i]));
        }
        whole.join();
        int sum = work[0].total;
        for (int i = 1; i < threads; i++) {
            pools[i].awaitTermination(1, TimeUnit.DAYS);
            sum += work[i].total;
        }
        System.out.println("total " + sum);
    }

    private static final class Name implements ThreadFactory {
        private final String name;

        Name(String name) {
            this.name = name;
        }

        @Override
        public Thread newThread(Runnable r) {
            return new Thread(r, name);
        }
    }

    private static final class Round implements Runnable {
        private final Main work;
        private final ExecutorService pool;
        private int n;

        Round(Main work, ExecutorService pool) {
            this.work = work;
            this.pool = pool;
        }

        @Override
        public void run() {
            work.beat(n++);
            if (n < work.beats) pool.execute(this);
            else pool.shutdown();
        }
    }

    @Override
    public void run() {
        for (int n = 0; n < beats; n++) beat(n);
    }

    private void beat(int n) {
        int at = number * STRIDE * 8;
        out.putLong(at + 64 + n % RING * 8, System.nanoTime());
        out.putLong(at, n + 1);
        work(next(64));
    }

    private int next(int n) {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return (int) (random >>> 33) % n;
    }

    private void work(int r) {
        Shape s = r % 3 == 0 ? new Square(r) : r % 3 == 1 ? new Disc(r) : new Shape(r);
        total += s.size();
        switch (next(5)) {
            case 0:
                total += spiral(next(6));
                break;
            case 1:
                try {
                    total += 100 / next(3);
                } catch (ArithmeticException e) {
                    total--;
                }
                break;
            case 2:
                Integer[] some = {next(9), next(9), next(9)};
                Arrays.sort(some, ORDER);
                total += some[0];
                break;
            case 3:
                try {
                    deep(next(4));
                } catch (IllegalStateException e) {
                    total += 2;
                } finally {
                    total ^= 1;
                }
                break;
            default:
                for (int i = next(7); i > 0; i--) total += i & 3;
        }
    }

    private int spiral(int n) {
        return n == 0 ? 1 : spiral(n - 1) + 1;
    }

    private void deep(int n) {
        if (n == 0) throw new IllegalStateException();
        if (n == 3) return;
        deep(n - 1);
    }

    private static final Comparator<Integer> ORDER = new Comparator<Integer>() {
        @Override
        public int compare(Integer a, Integer b) {
            return a < b ? -1 : a > b ? 1 : 0;
        }
    };

    static class Shape {
        final int a;

        Shape(int a) {
            this.a = a;
        }

        int size() {
            return a;
        }
    }

    static final class Square extends Shape {
        Square(int a) {
            super(a);
        }

        @Override
        int size() {
            return a * a;
        }
    }

    static final class Disc extends Shape {
        Disc(int a) {
            super(a);
        }

        @Override
        int size() {
            return a > 30 ? 3 * a : a;
        }
    }
}
