package pathlight;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32;

/**
 * The hit file (docs/PROTOCOL.md, section 13): a slab for each thread, in chunks that are mapped as
 * a whole.
 */
final class HitFile {
    /**
     * Bytes by which the file grows at least. They are filled with zeros, so that a full disk is
     * an exception and never a fault on a memory access.
     */
    private static final int CHUNK = 1 << 16;
    /** Where the first slab begins. */
    private static final int FIRST = 384;
    /** Bytes of a slab before its counts, and of a thread's name in it. */
    private static final int SLAB = 48;
    private static final int NAME = 36;

    private static File path;
    private static int paths;
    /** Bytes of a slab; slabs in a chunk; slabs that were given out. */
    private static int size;
    private static int inChunk;
    private static int given;
    private static ByteBuffer head;
    private static ByteBuffer chunk;
    private static boolean full;
    /** Of threads for which there is no room; null: nothing is recorded. */
    private static HitCells others;
    /** Of each thread; of one that is just getting its own: {@link #none}. */
    private static ThreadLocal<HitCells> local;
    private static HitCells none;
    /** Those that are published. */
    private static HitCells publishing;
    /** Hits that could not be counted, and how many of them the file names. */
    private static int lost;
    private static int told;

    private HitFile() {}

    /** Counts for a thread that is not the one that came last. */
    static void hit(int at) {
        if (Hits.off) {
            return;
        }
        try {
            if (local == null) {
                // As in Start.ready.
                Start.reserve(256, 1, 2, 3, 4);
                prepare();
            }
            HitCells c = local.get();
            if (c == null) {
                c = make();
            }
            if (c == null || c == none) {
                lost++;
                return;
            }
            if (c == others) {
                c.addShared(at);
            } else {
                Hits.cache = c;
                if (Hits.off) {
                    Hits.cache = null;
                }
                if (c.now == null) {
                    c.add(at);
                } else {
                    c.now[at]++;
                    HitPublisher.wake();
                }
            }
        } catch (Throwable e) {
            // No stack, or no memory.
            lost++;
        }
    }

    /** Nothing is counted any more. */
    static void close() {
        Hits.off = true;
        Hits.cache = null;
    }

    private static synchronized void prepare() {
        if (local == null) {
            none = new HitCells(null, 0, null, 0, 0, false);
            local = new ThreadLocal<HitCells>();
        }
    }

    /** The counts of the current thread; null when there is too little stack. */
    private static HitCells make() throws Exception {
        Start.reserve(128, 1, 2, 3, 4);
        Thread t = Thread.currentThread();
        // What a class loader or a thread's name does meanwhile comes here again.
        local.set(none);
        HitCells c = null;
        try {
            if (Sink.open()) {
                c = others == null ? new HitCells(t, paths(), null, 0, 0,
                                                  Config.PUBLISHED) : slab(t);
            }
        } finally {
            local.set(c);
        }
        return c;
    }

    private static int paths() {
        return Config.SELECTED;
    }

    /** Makes the file. What a stack overflow broke off can be done once more: the same file. */
    static synchronized void open(int pid) throws Exception {
        if (path == null) {
            path = FileSink.make(pid, ".plh");
        }
        if (path == null) {
            return;
        }
        paths = paths();
        size = SLAB + 8 * paths;
        inChunk = Math.max(1, CHUNK / size);
        byte[] identity = Sink.identity;
        byte[] bytes = new byte[24 + identity.length];
        byte[] start = {'P', 'L', 'H', 'T', 0, 2, 0, (byte) (Config.PUBLISHED ? 1 : 0)};
        System.arraycopy(start, 0, bytes, 0, 8);
        System.arraycopy(identity, 0, bytes, 24, identity.length);
        ByteBuffer parts = ByteBuffer.wrap(bytes);
        parts.putInt(12, paths);
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, 8);
        crc.update(bytes, 12, 4);
        crc.update(bytes, 24, identity.length);
        parts.putInt(8, (int) crc.getValue());
        try {
            chunk = map(FIRST, inChunk * size);
            head = map(0, FIRST);
        } catch (IOException e) {
            path.delete();
            LogSink.note("not counting: no space for " + path);
            return;
        }
        // The first four bytes last: a file that has them is whole.
        for (int i = bytes.length - 1; i >= 0; i--) {
            head.put(i, bytes[i]);
        }
        others = cells(null, new byte[0]);
        if (Config.PUBLISHED) {
            HitPublisher.start();
        }
        LogSink.note("counting to " + path);
    }

    /**
     * Writes what threads have counted; whether there was anything new. Those that have ended go.
     */
    static synchronized boolean publish() {
        boolean more = false;
        if (Hits.off) {
            return more;
        }
        HitCells before = null;
        for (HitCells c = publishing; c != null; c = c.next) {
            // Asked first: what it counted last is there then.
            boolean ended = !c.thread.isAlive();
            more |= c.publish();
            if (!ended) {
                before = c;
            } else if (before == null) {
                publishing = c.next;
            } else {
                before.next = c.next;
            }
        }
        return more;
    }

    /** Maps a part of the file, which gets zeros up to the part's end. */
    private static ByteBuffer map(int from, int bytes) throws Exception {
        Object policy = Device.allowDisk();
        boolean aside = false;
        try {
            // As in FileSink.grow.
            aside = Thread.currentThread().getClass().getMethod("interrupt")
                    .getDeclaringClass() == Thread.class && Thread.interrupted();
            RandomAccessFile file = new RandomAccessFile(path, "rw");
            try {
                long end = from + bytes;
                if (file.length() < end) {
                    retain(end);
                }
                for (long at = file.length(); at < end; at = file.length()) {
                    file.seek(at);
                    file.write(new byte[(int) Math.min(CHUNK, end - at)]);
                }
                return file.getChannel().map(FileChannel.MapMode.READ_WRITE, from, bytes);
            } finally {
                file.close();
            }
        } finally {
            Device.restore(policy);
            if (aside) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void retain(long bytes) {
        try {
            Retention.make(path, bytes);
        } catch (RuntimeException e) {
            // Too much in the folder is no reason to count nothing.
        }
    }

    /** A slab for a thread; that of all others when there is none. */
    private static HitCells slab(Thread t) throws Exception {
        byte[] name = Utf8.encode(t.getName(), NAME);
        // As in FileSink.grow.
        Start.reserve(1000, 1, 2, 3, 4);
        return cells(t, name);
    }

    private static synchronized HitCells cells(Thread t, byte[] name) throws Exception {
        int at = given % inChunk;
        if (given > 0 && at == 0 && !full) {
            int end = FIRST + given * size;
            full = end > Config.CAP_BYTES - inChunk * size;
            if (!full) {
                try {
                    chunk = map(end, inChunk * size);
                } catch (Exception e) {
                    full = true;
                    LogSink.note("threads share their counts from here on: no space in " + path);
                }
            }
        }
        if (full) {
            return others;
        }
        byte[] bytes = new byte[SLAB];
        ByteBuffer.wrap(bytes).putInt(given);
        System.arraycopy(name, 0, bytes, 4, name.length);
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, SLAB - 4);
        ByteBuffer chunk = HitFile.chunk;
        chunk.putInt(at * size + SLAB - 4, (int) crc.getValue());
        for (int i = 0; i < SLAB - 4; i++) {
            chunk.put(at * size + i, bytes[i]);
        }
        boolean published = Config.PUBLISHED && t != null;
        ByteBuffer words = chunk.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        HitCells c = new HitCells(t, paths, words, at * size + SLAB, given, published);
        if (published) {
            c.next = publishing;
            publishing = c;
        }
        given++;
        int n = lost;
        if (n != told) {
            told = n;
            head.putLong(16, (long) n << 32 | ~n & 0xFFFFFFFFL);
        }
        return c;
    }
}
