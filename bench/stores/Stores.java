import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Times a hit behind a method of a few instructions, by where the hit is counted: see ../README.md.
 * Arguments: a file to write, calls.
 */
public final class Stores {
    static final class Cells {
        final Thread thread = Thread.currentThread();
        final long[] longs = new long[16];
        final int[] ints = new int[16];
        final ByteBuffer big;
        final ByteBuffer little;
        final LongBuffer longView;
        final IntBuffer intView;

        Cells(MappedByteBuffer file) {
            big = file;
            little = file.duplicate().order(ByteOrder.LITTLE_ENDIAN);
            longView = little.asLongBuffer();
            intView = little.asIntBuffer();
        }
    }

    interface Form {
        int run(int calls);
    }

    static final long STEP = 0x9E3779B97F4A7C15L;
    static Cells cache;

    static int work(int a, int b) {
        if (a == 0) return 1 - b & 0xFFFF;
        if (b == 0) return 1 - a & 0xFFFF;
        int product = a * b;
        int low = product & 0xFFFF;
        int high = product >>> 16;
        return low - high + (low < high ? 1 : 0) & 0xFFFF;
    }

    static void slow() {
        throw new IllegalStateException();
    }

    static int check(long n, int path) {
        int h = (int) (n ^ n >>> 32) * 0x9E3779B1 + (path + 1) * 0x85EBCA6B + 0xC2B2AE35;
        h = (h ^ h >>> 15) * 0x27D4EB2F;
        return h >>> 16;
    }

    static void hashed(int path) {
        Cells c = cache;
        if (c.thread != Thread.currentThread()) { slow(); return; }
        long n = c.longs[path] + 1;
        c.longs[path] = n;
        c.big.putLong(8 * path, n << 16 | check(n, path));
    }

    static void stepped(int path) {
        Cells c = cache;
        if (c.thread != Thread.currentThread()) { slow(); return; }
        long word = c.longs[path] + STEP;
        c.longs[path] = word;
        c.little.putLong(8 * path, word);
    }

    static void longView(int path) {
        Cells c = cache;
        if (c.thread != Thread.currentThread()) { slow(); return; }
        long word = c.longs[path] + STEP;
        c.longs[path] = word;
        c.longView.put(path, word);
    }

    static void intView(int path) {
        Cells c = cache;
        if (c.thread != Thread.currentThread()) { slow(); return; }
        int n = c.ints[path] + 1;
        c.ints[path] = n;
        c.intView.put(path, n);
    }

    static void array(int path) {
        Cells c = cache;
        if (c.thread != Thread.currentThread()) { slow(); return; }
        c.ints[path]++;
    }

    static int withHashed(int a, int b) { int r = work(a, b); hashed(3); return r; }
    static int withStepped(int a, int b) { int r = work(a, b); stepped(3); return r; }
    static int withLongView(int a, int b) { int r = work(a, b); longView(3); return r; }
    static int withIntView(int a, int b) { int r = work(a, b); intView(3); return r; }
    static int withArray(int a, int b) { int r = work(a, b); array(3); return r; }

    public static void main(String[] args) throws Exception {
        RandomAccessFile file = new RandomAccessFile(args[0], "rw");
        file.setLength(4096);
        cache = new Cells(file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 4096));
        String[] names = {"bare", "putLong, big-endian, hash", "putLong, native, constant",
                          "LongBuffer.put", "IntBuffer.put", "int[]"};
        Form[] forms = {
            n -> {
                int x = 7;
                for (int i = 0; i < n; i++) x = work(x + 1, i & 0xFFFF);
                return x;
            },
            n -> {
                int x = 7;
                for (int i = 0; i < n; i++) x = withHashed(x + 1, i & 0xFFFF);
                return x;
            },
            n -> {
                int x = 7;
                for (int i = 0; i < n; i++) x = withStepped(x + 1, i & 0xFFFF);
                return x;
            },
            n -> {
                int x = 7;
                for (int i = 0; i < n; i++) x = withLongView(x + 1, i & 0xFFFF);
                return x;
            },
            n -> {
                int x = 7;
                for (int i = 0; i < n; i++) x = withIntView(x + 1, i & 0xFFFF);
                return x;
            },
            n -> {
                int x = 7;
                for (int i = 0; i < n; i++) x = withArray(x + 1, i & 0xFFFF);
                return x;
            },
        };
        int calls = Integer.parseInt(args[1]);
        int sum = 0;
        for (int form = 0; form < forms.length; form++) {
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 60; round++) {
                long start = System.nanoTime();
                sum += forms[form].run(calls);
                least = Math.min(least, System.nanoTime() - start);
            }
            System.out.printf("%-26s %6.2f ns%n", names[form], (double) least / calls);
        }
        System.out.println(sum);
    }
}
