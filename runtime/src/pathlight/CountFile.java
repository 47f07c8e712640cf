package pathlight;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The count file (docs/PROTOCOL.md, section 12): a slot for each page that was touched, each mapped
 * by itself.
 */
final class CountFile {
    /**
     * Bytes by which the file grows. They are filled with zeros, so that a full disk is an
     * exception and never a fault on a memory access.
     */
    private static final int CHUNK = 1 << 16;
    /** Where the first slot begins. */
    private static final int FIRST = 320;
    /** Bytes of a slot before its copies, of a copy before its cells. */
    static final int SLOT = 12;
    static final int COPY = 8;

    private static File path;
    private static int end;
    private static boolean broken;

    private CountFile() {}

    /** Makes the file. What a stack overflow broke off can be done once more: the same file. */
    static synchronized boolean open(int pid) throws Exception {
        if (path == null) {
            path = FileSink.make(pid, ".plc");
        }
        if (path == null) {
            return false;
        }
        byte[] identity = Sink.identity;
        byte[] head = new byte[12 + identity.length];
        byte[] start = {'P', 'L', 'C', 'N', 0, 1, 0, 0};
        System.arraycopy(start, 0, head, 0, 8);
        System.arraycopy(identity, 0, head, 8, identity.length);
        int crc = Counts.checksum(head, 8 + identity.length);
        System.arraycopy(identity, 0, head, 12, identity.length);
        CountPage.put(head, 8, crc);
        RandomAccessFile file = new RandomAccessFile(path, "rw");
        try {
            reach(file, FIRST);
            file.seek(0);
            file.write(head);
        } catch (IOException e) {
            LogSink.note("not counting: no space for " + path);
            return false;
        } finally {
            file.close();
        }
        end = FIRST;
        LogSink.note("counting to " + path);
        return true;
    }

    /** Writes zeros until the file has this length. */
    private static void reach(RandomAccessFile file, long bytes) throws IOException {
        long length = file.length();
        while (length < bytes) {
            try {
                Retention.make(path, length + CHUNK);
            } catch (RuntimeException e) {
                // Too much in the folder is no reason to count nothing.
            }
            file.seek(length);
            file.write(new byte[(int) (CHUNK - length % CHUNK)]);
            length = file.length();
        }
    }

    /** A slot for a page; null when there is none: its counts stay in memory. */
    static synchronized ByteBuffer slot(CountPage page) {
        int cells = page.total.length;
        int size = SLOT + 2 * (COPY + 8 * cells);
        if (broken || path == null || end > Config.CAP_BYTES - size) {
            return null;
        }
        byte[] head = new byte[SLOT];
        CountPage.put(head, 0, page.number);
        CountPage.put(head, 4, cells);
        CountPage.put(head, 8, Counts.checksum(head, 8));
        Thread t = Thread.currentThread();
        // As in FileSink.grow.
        Start.reserve(1000, 1, 2, 3, 4);
        Object policy = Device.allowDisk();
        boolean aside = false;
        try {
            aside = t.getClass().getMethod("interrupt").getDeclaringClass() == Thread.class
                    && Thread.interrupted();
            RandomAccessFile file = new RandomAccessFile(path, "rw");
            try {
                reach(file, end + size);
                ByteBuffer slot = file.getChannel().map(FileChannel.MapMode.READ_WRITE, end, size);
                for (int i = 0; i < SLOT; i++) {
                    slot.put(i, head[i]);
                }
                end += size;
                return slot;
            } finally {
                file.close();
            }
        } catch (Exception e) {
            broken = true;
            LogSink.note("some counts stay in memory: no space in " + path);
            return null;
        } finally {
            Device.restore(policy);
            if (aside) {
                t.interrupt();
            }
        }
    }
}
