package truthtrace;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Receives one number per traced place and appends it to its thread's log, in the file that the
 * system property truth.out names. The file is mapped, so that nothing is lost however the process
 * ends (ART runs no shutdown hooks when main returns).
 *
 * <p>The file consists of chunks of 65,536 bytes: thread number, length of the thread's name, 248
 * bytes for the name (UTF-16), then the numbers, each plus one; 0 ends a chunk early. All
 * big-endian. A thread's chunks follow one another in file order.
 *
 * <p>T.smali beside this file is this source after D8 and baksmali (see ../../README.md), so that
 * no Java compiler is needed.
 */
public final class T {
    private static final int CHUNK = 65536;
    private static final int HEADER = 256;
    private static FileChannel file;
    private static final AtomicInteger THREADS = new AtomicInteger();
    private static final AtomicInteger CHUNKS = new AtomicInteger();
    private static final ThreadLocal<Log> MINE = new ThreadLocal<>();

    private T() {}

    /** Where one thread writes. */
    static final class Log {
        int number;
        MappedByteBuffer out;
        int at = CHUNK;
    }

    static {
        try {
            file = open();
        } catch (IOException e) {
            throw new RuntimeException(e);
        }
    }

    private static FileChannel open() throws IOException {
        return new RandomAccessFile(System.getProperty("truth.out", "truth.bin"),
                                    "rw").getChannel();
    }

    /**
     * Maps the next chunk. One thread at a time: mapping sets the file's length, and of two threads
     * the one with the earlier chunk would cut off the other's. An interrupted thread closes the
     * channel it uses (java.nio.channels.InterruptibleChannel), for all threads: the interrupt is
     * put aside meanwhile, and where one comes in the midst of it the file is opened again.
     */
    private static synchronized MappedByteBuffer map() throws IOException {
        long at = (long) CHUNK * CHUNKS.getAndIncrement();
        boolean interrupted = false;
        try {
            for (;;) {
                interrupted |= Thread.interrupted();
                try {
                    return file.map(FileChannel.MapMode.READ_WRITE, at, CHUNK);
                } catch (ClosedChannelException e) {
                    file = open();
                }
            }
        } finally {
            if (interrupted) Thread.currentThread().interrupt();
        }
    }

    private static void more(Log log) {
        try {
            if (log.number == 0) log.number = THREADS.incrementAndGet();
            MappedByteBuffer out = map();
            String name = Thread.currentThread().getName();
            int n = Math.min(name.length(), 124);
            for (int i = 0; i < n; i++) out.putChar(8 + 2 * i, name.charAt(i));
            out.putInt(4, n);
            out.putInt(0, log.number);
            log.out = out;
            log.at = HEADER;
        } catch (IOException e) {
            throw new RuntimeException(e);
        }
    }

    /** Place number id is about to run (or, for a move-result or move-exception, has just run). */
    public static void p(int id) {
        Log log = MINE.get();
        if (log == null) {
            log = new Log();
            MINE.set(log);
        }
        if (log.at == CHUNK) more(log);
        log.out.putInt(log.at, id + 1);
        log.at += 4;
    }
}
