import java.io.RandomAccessFile;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;

/**
 * Threads that call {@link Work} again and again: {@code Driver FILE THREADS ROUNDS}; with one more
 * argument, it does not flush at its end. Each writes into the mapped file how many of its calls
 * have begun and how many have ended. It is not instrumented itself, so each call is a callback.
 */
public final class Driver extends Thread {
    private final LongBuffer beats;
    private final int number;
    private final int rounds;
    private int sum;

    private Driver(LongBuffer beats, int number, int rounds) {
        super("counting-" + number);
        this.beats = beats;
        this.number = number;
        this.rounds = rounds;
    }

    @Override
    public void run() {
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            beats.put(2 * number, i + 1);
            sum += Work.step(i);
            beats.put(2 * number + 1, i + 1);
        }
        this.sum = sum;
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[1]);
        RandomAccessFile file = new RandomAccessFile(args[0], "rw");
        file.setLength(16L * threads);
        LongBuffer beats = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 16L * threads)
                .asLongBuffer();
        Driver[] all = new Driver[threads];
        for (int i = 0; i < threads; i++) {
            all[i] = new Driver(beats, i, Integer.parseInt(args[2]));
            all[i].start();
        }
        int sum = 0;
        for (Driver thread : all) {
            thread.join();
            sum += thread.sum;
        }
        try {
            if (args.length > 3) {
                System.out.println(sum);
                return;
            }
            // What threads that ended have counted last, nobody else would publish: no callback
            // follows.
            Class.forName("pathlight.Pathlight").getMethod("flush").invoke(null);
        } catch (ClassNotFoundException e) {
            // Not instrumented.
        }
        System.out.println(sum);
    }
}
