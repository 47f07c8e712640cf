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
import java.util.zip.CRC32;

/**
 * The trace file: mapped into memory, so that what was written is there after a kill, without a
 * system call per write. It grows by chunks, which are filled with zeros by ordinary writes before
 * they are mapped: a full disk is an exception then, and never a fault on a memory access.
 *
 * <p>It is a row of cells of the slab size. A cell is a slab, or divided into smaller ones, all of
 * one size: threads begin with small ones, so that many short threads find room; threads that write
 * fast get some cells in a row as one slab. Places in the file are counted in steps, the size of
 * the smallest slab.
 */
final class FileSink {
    /** The first chunk; the next ones are twice the one before, up to 16 times this. */
    private static final int CHUNK = 1 << 16;
    /** No slab is smaller. */
    private static final int LEAST = 128;
    /**
     * A thread that had this many slabs, and fills them fast, gets a cell so often doubled as its
     * next one.
     */
    private static final int MANY = 16;
    private static final int DOUBLED = 2;

    private static File path;
    private static int size;
    /** How often the size is halved for the smallest slab. */
    private static int least;
    /** Cells in the first chunk. */
    private static int first;
    /** Cells that the cap allows. */
    private static int limit;
    /** Cells that the file's header takes. */
    private static int head;
    /** One entry per mapped chunk; replaced, never changed. */
    private static volatile ByteBuffer[] chunks;
    /** Cells given out; the header's count. */
    private static AtomicInteger given;
    private static boolean broken;
    /**
     * Of each size of small slabs: the step where the next one begins, and how many are left in
     * that cell.
     */
    private static int[] partAt;
    private static int[] parts;
    /**
     * Ring mode: where the search for the oldest slab goes on, and who owns the open ones (by
     * thread number).
     */
    private static int ringAt;
    private static WeakReference<?>[] owners;
    private static int orders;

    private FileSink() {}

    /** Makes the file. What a stack overflow broke off can be done once more: the same file. */
    static synchronized boolean open(int pid) throws Exception {
        size = Config.SLAB;
        if (size < LEAST || size > 65536) {
            return false;
        }
        for (least = 3; size % (LEAST << least) != 0 && least > 0; ) {
            least--;
        }
        byte[] identity = Sink.identity;
        int ends = 28 + identity.length;
        head = (ends + (Config.KEEP_TABLES ? 8 : 0) + size - 1) / size;
        if (chunks == null) {
            given = new AtomicInteger(head);
            ringAt = head;
            owners = new WeakReference<?>[64];
            partAt = new int[4];
            parts = new int[4];
            chunks = new ByteBuffer[0];
        }
        limit = Config.CAP_BYTES / size;
        first = Math.max(1, CHUNK / size);
        if (path == null && limit > head) {
            path = make(pid, ".plt");
        }
        if (path == null || limit < head + 1) {
            return false;
        }
        if (!grow(0)) {
            path.delete();
            LogSink.note("not recording: no space for " + path);
            return false;
        }
        ByteBuffer b = chunks[0];
        b.putShort(4, (short) Protocol.TRACE_VERSION);
        b.putShort(6, (short) size);
        for (int i = 0; i < identity.length; i++) {
            b.put(28 + i, identity[i]);
        }
        byte[] start = {'P', 'L', 'T', 'R', 0, Protocol.TRACE_VERSION, (byte) (size >> 8),
                        (byte) size};
        CRC32 crc = new CRC32();
        crc.update(start, 0, start.length);
        crc.update(identity, 0, identity.length);
        b.putInt(24, (int) crc.getValue());
        if (Config.KEEP_TABLES) {
            StartTable.begin(path.getParentFile(), b, ends);
        }
        b.putInt(0, 0x504C5452);
        LogSink.note("recording to " + path);
        return true;
    }

    /** The folder of the logs, which is made if need be; null when there is none. */
    static String folder() {
        String dir = System.getProperty("pathlight.dir");
        if (dir == null) {
            dir = Config.FOLDER;
            File folder = new File(dir);
            if (!folder.mkdirs() && !folder.isDirectory()) {
                dir = System.getProperty("java.io.tmpdir");
            }
        }
        return dir;
    }

    /** Makes a file that ends like this; null when there is none. */
    static File make(int pid, String end) {
        String dir = folder();
        if (dir == null) {
            return null;
        }
        String name = "pathlight-" + Config.BUILD_ID.substring(0, 8) + "-" + pid + "-"
                + Sink.wallStart;
        try {
            // Another class loader of this process can be as early.
            for (int n = 1; n <= 1000; n++) {
                File file = new File(dir, n == 1 ? name + end : name + "-" + n + end);
                if (file.createNewFile()) {
                    return file;
                }
            }
        } catch (IOException e) {
            LogSink.note("not recording: " + (
                Device.isolated() ? "isolated processes write no files; use --sink logcat"
                : "no file in " + dir + ": " + e.getMessage()));
        }
        return null;
    }

    /** A thread found no room: for anything, or for the rest. */
    static synchronized void refuse(boolean whole) {
        ByteBuffer b = chunks[0];
        int n = b.getInt(8) + 1;
        int cut = b.getInt(16) + 1;
        if (n == 1 && cut == 1) {
            LogSink.note("the log is full: threads end here, or are left out");
        }
        int count = whole ? n : cut;
        b.putLong(whole ? 8 : 16, (long) count << 32 | ~count & 0xFFFFFFFFL);
    }

    /** The chunk that a cell lies in. */
    private static int chunk(int cell) {
        int j = cell / first + 1;
        return j < 16 ? 31 - Integer.numberOfLeadingZeros(j) : 3 + j / 16;
    }

    /** The first cell of a chunk. */
    private static int start(int k) {
        return first * (k < 4 ? (1 << k) - 1 : 15 + 16 * (k - 4));
    }

    /** Where a cell begins in its chunk. */
    private static int base(int cell, int k) {
        return (cell - start(k)) * size;
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
        // Mapping on behalf of a thread that is interrupted fails, so its flag is put aside
        // meanwhile. (interrupt() can be overridden: then the flag stays, and another thread will
        // have to do this.)
        Thread t = Thread.currentThread();
        // Files and mapping go deep, and may initialise classes of the platform on their way: a
        // stack overflow in there would leave such a class unusable for the app, too. So there must
        // be plenty of stack.
        Start.reserve(1000, 1, 2, 3, 4);
        Object policy = Device.allowDisk();
        boolean aside = t.getClass().getMethod("interrupt").getDeclaringClass() == Thread.class
                && Thread.interrupted();
        try {
            map(k, old);
            return true;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (Exception e) {
            broken = true;
            return false;
        } finally {
            Device.restore(policy);
            if (aside) {
                t.interrupt();
            }
        }
    }

    private static void map(int k, ByteBuffer[] old) throws IOException {
        int n = (Math.min(start(k + 1), limit) - start(k)) * size;
        long at = (long) start(k) * size;
        try {
            Retention.make(path, at + n);
        } catch (RuntimeException e) {
            // Too much in the folder is no reason to record nothing.
        }
        // Opened anew each time: no descriptor stays behind, and an interrupt that closes the
        // channel does no harm.
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

    /** Takes a slab for a thread ahead, of the size that is due; false when there is none. */
    private static boolean take(State s) throws Exception {
        // Two small ones, then larger and larger ones. (In a ring, the oldest cell is free, and not
        // its neighbours.)
        if (!Config.RING && s.fast && s.sequence >= MANY && first % (1 << DOUBLED) == 0
            && size << DOUBLED <= 65536) {
            int i = cells(s.number, 1 << DOUBLED);
            if (i >= 0) {
                s.next = i << least;
                s.nextShift = -DOUBLED;
                return true;
            }
        }
        int due = Math.max(0, least - Math.max(0, s.sequence - 1));
        for (int shift = due; shift <= least; shift++) {
            int i = shift == 0 ? cells(s.number, 1) : part(s.number, shift, shift == due);
            if (i >= 0) {
                s.next = shift == 0 ? i << least : i;
                s.nextShift = shift;
                return true;
            }
        }
        return false;
    }

    /**
     * n cells in a row for a thread (0: to be divided), at a multiple of n; -1 when there are none.
     */
    private static int cells(int number, int n) throws Exception {
        int was = given.get();
        for (int i; (i = was + n - 1 & -n) + n <= limit; was = given.get()) {
            if (given.compareAndSet(was, i + n)) {
                // A chunk begins at a multiple of n, too.
                int k = chunk(i);
                if (!ready(k)) {
                    break;
                }
                ahead(i);
                chunks[k].putInt(base(i, k) + 4, number);
                return i;
            }
        }
        return Config.RING ? oldest(number) : -1;
    }

    /** A small slab for a thread: its step, -1 when there is none. */
    private static synchronized int part(int number, int shift, boolean divide) throws Exception {
        int more = 1 << least - shift;
        if (parts[shift] == 0) {
            int i = divide ? cells(0, 1) : -1;
            if (i < 0) {
                return -1;
            }
            int k = chunk(i);
            ByteBuffer b = chunks[k];
            for (int at = base(i, k), end = at + size; at < end; at += size >> shift) {
                // In a ring there is something older.
                b.putInt(at, 0);
                b.putInt(at + 4, 0);
                b.putInt(at + 16, 0xFFFF0000 | shift << Protocol.SLAB_SHIFT_AT);
            }
            partAt[shift] = i << least;
            parts[shift] = 1 << shift;
        }
        int step = partAt[shift];
        partAt[shift] = step + more;
        parts[shift]--;
        int k = chunk(step >> least);
        chunks[k].putInt(place(step, k) + 4, number);
        return step;
    }

    /** Where a step lies in its chunk. */
    private static int place(int step, int k) {
        return base(step >> least, k) + (step & (1 << least) - 1) * (size >> least);
    }

    /**
     * Near the end of the last chunk: makes the next one, so that a thread that is deep in its
     * stack finds it there.
     */
    private static void ahead(int i) throws Exception {
        int k = chunk(i) + 1;
        int end = start(k);
        if (k == chunks.length && end - i <= (end - start(k - 1)) / 8 && end < limit) {
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

    /** Ring mode: the oldest cell that nobody writes to. */
    private static synchronized int oldest(int number) {
        int n = Math.min(limit, start(chunks.length));
        for (int tries = head; tries < n; tries++) {
            int i = ringAt;
            ringAt = i + 1 < n ? i + 1 : head;
            int k = chunk(i);
            ByteBuffer b = chunks[k];
            int base = base(i, k);
            int part = size >> (b.get(base + 18) & 3);
            boolean free = true;
            for (int at = base; free && at < base + size; at += part) {
                // A slab that was taken ahead has an owner, but is not valid yet.
                free = b.getInt(at) != 0 && (b.get(at + 19) & 1) != 0 || orphan(b.getInt(at + 4));
            }
            if (free) {
                b.putInt(base, 0);
                b.putInt(base + 16, 0xFFFF0000);
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

    /**
     * Takes the next slab ahead or, when the one in use is full to the last byte, goes over to it.
     */
    static boolean roll(State s) throws Exception {
        if (s.next < 0) {
            if (!take(s)) {
                return false;
            }
        }
        if (s.buf == null || s.used == s.capacity) {
            if (s.buf != null) {
                Sink.close(s);
            }
            int k = chunk(s.next >> least);
            Sink.begin(s, chunks[k], place(s.next, k), s.nextShift < 0 ? size << -s.nextShift
                       : size >> s.nextShift, s.nextShift, order());
            s.next = -1;
        }
        return true;
    }

    private static synchronized int order() {
        return orders++;
    }
}
