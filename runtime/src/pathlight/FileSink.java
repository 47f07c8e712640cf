package pathlight;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The trace file: mapped into memory, so that what was written is there after a kill, without a system call per write. It
 * grows by chunks, which are filled with zeros by ordinary writes before they are mapped: a full disk is an exception then,
 * and never a fault on a memory access.
 */
final class FileSink {
    private static final int CHUNK = 1 << 20;

    private static File path;
    private static int size;
    private static int perChunk;
    /** Slabs that the cap allows. */
    private static int limit;
    /** One entry per mapped chunk; replaced, never changed. */
    private static volatile ByteBuffer[] chunks;
    /** Slabs given out, also beyond the limit. Slab 0 of the file is taken by its header. */
    private static AtomicInteger given;
    private static boolean broken;
    /** Ring mode: where the search for the oldest slab goes on, and who owns the open ones (by thread number). */
    private static int ringAt;
    private static WeakReference<?>[] owners;
    private static int orders;

    private FileSink() {}

    /** Makes the file. What a stack overflow broke off can be done once more: the same file. */
    static synchronized boolean open(int pid) throws Exception {
        if (chunks == null) {
            given = new AtomicInteger(1);
            ringAt = 1;
            owners = new WeakReference<?>[64];
            chunks = new ByteBuffer[0];
        }
        size = Config.SLAB;
        if (size < 128 || size > 65536) {
            return false;
        }
        limit = Config.CAP_BYTES / size;
        perChunk = Math.max(1, Math.min(CHUNK, Config.CAP_BYTES) / size);
        String dir = System.getProperty("pathlight.dir");
        if (dir == null) {
            dir = System.getProperty("java.io.tmpdir");
        }
        if (dir == null || limit < 2) {
            return false;
        }
        path = new File(dir, "pathlight-" + Config.BUILD_ID.substring(0, 8) + "-" + pid + "-" + Sink.wallStart + ".plt");
        if (!grow(0)) {
            path.delete();
            LogSink.note("not recording: no space for " + path);
            return false;
        }
        ByteBuffer b = chunks[0];
        b.putShort(4, (short) 1);
        b.putShort(6, (short) size);
        for (int i = 0; i < 16; i++) {
            b.put(8 + i, Sink.build[i]);
        }
        b.putInt(24, pid);
        b.putLong(28, Sink.wallStart);
        processName(b);
        b.putInt(0, 0x504C5452);
        LogSink.note("recording to " + path);
        return true;
    }

    private static void processName(ByteBuffer b) {
        try {
            RandomAccessFile in = new RandomAccessFile("/proc/self/cmdline", "r");
            byte[] name = new byte[27];
            int n = Math.max(0, in.read(name));
            in.close();
            int end = 0;
            while (end < n && name[end] != 0) {
                end++;
            }
            if (end == 27) {
                // Not in the middle of a character.
                while (end > 0 && (name[end - 1] & 0xC0) == 0x80) {
                    end--;
                }
                if (end > 0 && (name[end - 1] & 0x80) != 0) {
                    end--;
                }
            }
            for (int i = 0; i < end; i++) {
                b.put(37 + i, name[i]);
            }
            b.put(36, (byte) end);
        } catch (Throwable e) {
            // A trace without a name.
        }
    }

    /** Makes chunk k usable; false when the disk is full or the file has gone. */
    private static synchronized boolean grow(int k) throws Exception {
        ByteBuffer[] old = chunks;
        if (k < old.length) {
            return true;
        }
        if (broken || k != old.length) {
            return false;
        }
        // Mapping on behalf of a thread that is interrupted fails, so its flag is put aside meanwhile. (interrupt() can be
        // overridden: then the flag stays, and another thread will have to do this.)
        Thread t = Thread.currentThread();
        // Files and mapping go deep, and may initialise classes of the platform on their way: a stack overflow in there would
        // leave such a class unusable for the app, too. So there must be plenty of stack.
        Start.reserve(1000, 1, 2, 3, 4);
        boolean aside = t.getClass().getMethod("interrupt").getDeclaringClass() == Thread.class && Thread.interrupted();
        try {
            map(k, old);
            return true;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (Exception e) {
            broken = true;
            return false;
        } finally {
            if (aside) {
                t.interrupt();
            }
        }
    }

    private static void map(int k, ByteBuffer[] old) throws IOException {
        int n = Math.min(perChunk, limit - k * perChunk) * size;
        long at = (long) k * perChunk * size;
        // Opened anew each time: no descriptor stays behind, and an interrupt that closes the channel does no harm.
        RandomAccessFile file = new RandomAccessFile(path, "rw");
        try {
            if (file.length() < at) {
                throw new IOException("the file has gone");
            }
            byte[] zeros = new byte[Math.min(n, 65536)];
            file.seek(at);
            for (int i = 0; i < n; i += zeros.length) {
                file.write(zeros, 0, Math.min(zeros.length, n - i));
            }
            MappedByteBuffer map = file.getChannel().map(FileChannel.MapMode.READ_WRITE, at, n);
            ByteBuffer[] all = new ByteBuffer[k + 1];
            System.arraycopy(old, 0, all, 0, k);
            all[k] = map;
            chunks = all;
        } finally {
            file.close();
        }
    }

    /** A free slab for a thread, -1 when there is none. */
    private static int take(int number) throws Exception {
        // Read first: the counter must not run on (and around) when the file has long been full.
        if (given.get() < limit) {
            int i = given.getAndIncrement();
            if (i < limit && ready(i / perChunk)) {
                ahead(i);
                chunks[i / perChunk].putInt(i % perChunk * size + 4, number);
                return i;
            }
        }
        return Config.RING ? oldest(number) : -1;
    }

    /** Near the end of the last chunk: makes the next one, so that a thread that is deep in its stack finds it there. */
    private static void ahead(int i) throws Exception {
        int k = i / perChunk + 1;
        if (k == chunks.length && i % perChunk >= perChunk - perChunk / 8 && k * perChunk < limit) {
            try {
                grow(k);
            } catch (StackOverflowError e) {
                // The next one will try.
            }
        }
    }

    /** Makes all chunks up to k usable. */
    private static boolean ready(int k) throws Exception {
        while (k >= chunks.length) {
            if (!grow(chunks.length)) {
                return false;
            }
        }
        return true;
    }

    /** Ring mode: the oldest slab that nobody writes to. */
    private static synchronized int oldest(int number) {
        int n = Math.min(limit, chunks.length * perChunk);
        for (int tries = 1; tries < n; tries++) {
            int i = ringAt;
            ringAt = i + 1 < n ? i + 1 : 1;
            ByteBuffer b = chunks[i / perChunk];
            int base = i % perChunk * size;
            // A slab that was taken ahead has an owner, but is not valid yet.
            if (b.getInt(base) != 0 && b.getShort(base + 18) != 0 || orphan(b.getInt(base + 4))) {
                b.putInt(base, 0);
                b.putInt(base + 4, number);
                return i;
            }
        }
        return -1;
    }

    /** Whether the thread with this number writes no longer. */
    private static boolean orphan(int number) {
        if (number == 0) {
            // Just being taken.
            return false;
        }
        WeakReference<?> ref = number < owners.length ? owners[number] : null;
        State s = ref != null ? (State) ref.get() : null;
        if (s != null && !s.dead && s.thread.isAlive()) {
            return false;
        }
        if (ref != null) {
            owners[number] = null;
        }
        return true;
    }

    /** Ring mode: makes a thread known as an owner of slabs. */
    static synchronized void register(State s) {
        if (!Config.RING || Sink.lines) {
            return;
        }
        if (s.number >= owners.length) {
            WeakReference<?>[] more = new WeakReference<?>[2 * s.number];
            System.arraycopy(owners, 0, more, 0, owners.length);
            owners = more;
        }
        owners[s.number] = s.self;
    }

    /** Takes the next slab ahead or, when the one in use is full to the last byte, goes over to it. */
    static boolean roll(State s) throws Exception {
        if (s.next < 0) {
            int i = take(s.number);
            if (i < 0) {
                return false;
            }
            s.next = i;
        }
        if (s.buf == null || s.used == s.room) {
            if (s.buf != null) {
                Sink.close(s);
            }
            int i = s.next;
            Sink.begin(s, chunks[i / perChunk], i % perChunk * size, size, order());
            s.next = -1;
        }
        return true;
    }

    private static synchronized int order() {
        return orders++;
    }
}
