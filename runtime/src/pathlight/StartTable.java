package pathlight;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.zip.CRC32;

/**
 * The table that distributions which adapt begin with (docs/PROTOCOL.md, section 9): what they had
 * become in earlier processes, in a file beside the logs that its contents name. No file changes
 * once it has its name. Builds without kept tables have none of this.
 */
final class StartTable {
    /**
     * Length of the stream in bytes at which a thread keeps what it has learnt, for the first
     * time; then at each doubling.
     */
    static final int FIRST_BYTES = 128;
    /** Bytes of a file before the changes. */
    private static final int HEADER = 44;
    /**
     * Bytes of a log's header: before the identity, of that before the name's length, of it with a
     * name and of the id behind it.
     */
    private static final int BEFORE = 28;
    private static final int FIXED = 44;
    private static final int MOST = BEFORE + FIXED + 1 + 255 + 8;
    /** Files of other builds that no log names stay for a week: these may run, too. */
    private static final long WEEK = 7L * 24 * 3600 * 1000;
    /** Number of table files up to which none is looked for that no log names. */
    private static final int FEW = 4;

    /** The id of the table that this process began with; 0: the map's. */
    private static long id;

    private static boolean opened;
    private static File folder;
    /** Its file; null if there is none. */
    private static byte[] file;
    private static int generation;
    /**
     * Cells of branches with more than two alternatives; their number, and behind it a cell for
     * each alternative.
     */
    private static int[] wide;
    /** Cells as the map has them, as they were in the newest table, and as threads left them. */
    private static char[] map;
    private static char[] written;
    private static char[] kept;

    private StartTable() {}

    /** The header of the log names the table; but for its first word it is valid then. */
    static void begin(File in, ByteBuffer header, int ends) {
        open(in);
        header.putShort(4, (short) Protocol.TRACE_WITH_TABLE);
        header.putLong(ends, id);
        if (!sure()) {
            header.putLong(ends, 0);
        }
        byte[] start = {'P', 'L', 'T', 'R'};
        CRC32 crc = new CRC32();
        crc.update(start, 0, 4);
        for (int i = 4; i < ends + 8; i++) {
            if (i < 8 || i >= BEFORE) {
                crc.update(header.get(i));
            }
        }
        header.putInt(24, (int) crc.getValue());
    }

    /** Chooses the table: that of the highest generation among those in the folder. */
    private static void open(File in) {
        if (opened) {
            return;
        }
        folder = in;
        wide = Slots.ints(Config.WIDE);
        String t = Config.CELLS;
        char[] cells = new char[t.length()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = (char) (t.charAt(i) - 1 ^ 0x8000);
        }
        map = cells;
        char[] best = cells;
        File[] files = folder.listFiles();
        for (int i = 0; files != null && i < files.length; i++) {
            String name = files[i].getName();
            if (name.startsWith(".pathlight-") && name.endsWith(".tmp")
                && !new File("/proc/" + name.split("-")[2]).exists()) {
                // Its process was killed while it wrote.
                files[i].delete();
            }
            if (!own(name) || name.length() != name(0).length()) {
                continue;
            }
            byte[] bytes = read(files[i], HEADER + 10 * cells.length);
            char[] found = bytes != null ? parse(bytes) : null;
            if (found != null && (file == null || number(bytes, 32) - generation > 0
                    || number(bytes, 32) == generation && longAt(bytes, 8) > id)) {
                best = found;
                file = bytes;
                generation = number(bytes, 32);
                id = longAt(bytes, 8);
            }
        }
        written = best;
        State.cells0 = best;
        opened = true;
    }

    /**
     * The log names the table now, so nobody deletes it any more: makes sure that it is still
     * there. False: it cannot be kept.
     */
    private static boolean sure() {
        if (file == null || new File(folder, name(id)).exists()) {
            return true;
        }
        try {
            write(file, id);
            return true;
        } catch (IOException e) {
            file = null;
            id = 0;
            written = map;
            State.cells0 = map;
            return false;
        }
    }

    /** Takes over what a thread has learnt. Never throws, if there is stack for the call. */
    static void keep(State s) {
        if (s.dead || s.busy || kept == null && !opened) {
            return;
        }
        int token = s.callToken;
        Object policy = null;
        s.busy = true;
        s.room = 0;
        try {
            // As in FileSink.grow.
            Start.reserve(1000, 1, 2, 3, 4);
            s.keepAt = 2 * Math.max(s.total, FIRST_BYTES / 2);
            if (merge(s)) {
                policy = Device.allowDisk();
                next();
            }
        } catch (Throwable e) {
            // Another time: it is learnt again.
        }
        try {
            Device.restore(policy);
        } catch (Throwable e) {
            // No stack for it; the app's own policy comes back with the next one.
        }
        s.callToken = token;
        s.busy = false;
    }

    /** How many cells the branch has that begins here; w: which of the wide ones would be next. */
    private static int length(int at, int w) {
        return w < wide.length && wide[w] == at ? map[at] + 1 : 1;
    }

    /**
     * Branches that are not as the process began become the mean of what they are in this thread
     * and what was known: the last values alone describe a branch that goes either way badly.
     * Whether that is worth a file: a 16th as many as it knows are new, or a quarter has moved by a
     * quarter.
     */
    private static synchronized boolean merge(State s) {
        char[] began = State.cells0;
        if (kept == null) {
            kept = began.clone();
        }
        int before = 0;
        int worth = 0;
        for (int at = 0, w = 0, n; at < map.length; at += n) {
            n = length(at, w);
            w += n > 1 ? 1 : 0;
            char[] page = s.pages[at / Adapt.PAGE];
            boolean learnt = false;
            boolean old = false;
            boolean is = false;
            boolean moved = false;
            for (int i = at; page != null && page != State.unused && i < at + n; i++) {
                learnt |= page[i % Adapt.PAGE] != began[i];
            }
            int rest = n > 1 ? 65535 : 0;
            for (int i = n > 1 ? at + 1 : at; learnt && i < at + n; i++) {
                int f = page[i % Adapt.PAGE];
                kept[i] = (char) (kept[i] + f >> 1);
                rest -= n > 1 ? kept[i] : 0;
            }
            if (learnt && n > 1) {
                // What rounding down has left.
                kept[at + 1] += rest;
            }
            for (int i = at; i < at + n; i++) {
                old |= written[i] != map[i];
                is |= kept[i] != map[i];
                moved |= Math.abs(kept[i] - written[i]) > 16384;
            }
            before += old ? 1 : 0;
            worth += is && !old ? 16 : moved ? 4 : 0;
        }
        return worth > before;
    }

    /** Writes what is known as the next generation. */
    private static synchronized void next() throws IOException {
        char[] cells = kept.clone();
        File[] files = folder.listFiles();
        int tables = 1;
        for (int i = 0; files != null && i < files.length; i++) {
            if (own(files[i].getName())) {
                tables++;
                byte[] head = read(files[i], HEADER);
                if (head != null && head.length == HEADER && number(head, 32) - generation > 0) {
                    generation = number(head, 32);
                }
            }
        }
        generation++;
        byte[] bytes = bytes(cells);
        write(bytes, longAt(bytes, 8));
        written = cells;
        if (tables > FEW) {
            sweep(name(longAt(bytes, 8)));
        }
    }

    /** A table as a file. */
    private static byte[] bytes(char[] cells) {
        byte[] out = new byte[HEADER + 10 * cells.length];
        int to = HEADER;
        int last = 0;
        for (int at = 0; at < cells.length;) {
            int end = at;
            while (end < cells.length && cells[end] != map[end]) {
                end++;
            }
            if (end == at) {
                at++;
                continue;
            }
            to = group(out, group(out, to, at - last), end - at);
            for (; at < end; at++) {
                out[to++] = (byte) (cells[at] >> 8);
                out[to++] = (byte) cells[at];
            }
            last = end;
        }
        byte[] file = new byte[to];
        System.arraycopy(out, HEADER, file, HEADER, to - HEADER);
        byte[] start = {'P', 'L', 'K', 'T', 0, 1};
        System.arraycopy(start, 0, file, 0, 6);
        System.arraycopy(Sink.identity, 0, file, 16, 16);
        put(file, 32, generation);
        put(file, 36, cells.length);
        put(file, 40, to - HEADER);
        long hash = hash(file);
        put(file, 8, (int) (hash >>> 32));
        put(file, 12, (int) hash);
        return file;
    }

    private static int group(byte[] out, int at, int n) {
        for (; n > 0x7F; n >>>= 7) {
            out[at++] = (byte) (n | 0x80);
        }
        out[at++] = (byte) n;
        return at;
    }

    /** FNV-1a of all bytes but the id's. */
    private static long hash(byte[] bytes) {
        long h = 0xCBF29CE484222325L;
        for (int i = 0; i < bytes.length; i++) {
            if (i < 8 || i >= 16) {
                h = (h ^ bytes[i] & 0xFF) * 0x100000001B3L;
            }
        }
        return h == 0 ? 1 : h;
    }

    /** The cells of a file; null if it is damaged, or none of this build. */
    private static char[] parse(byte[] b) {
        if (b.length < HEADER || number(b, 0) != 0x504C4B54 || number(b, 4) != 1 << 16
            || number(b, 36) != map.length || number(b, 40) != b.length - HEADER
            || hash(b) != longAt(b, 8)) {
            return null;
        }
        for (int i = 0; i < 16; i++) {
            if (b[16 + i] != Sink.identity[i]) {
                return null;
            }
        }
        char[] cells = map.clone();
        int at = 0;
        for (int from = HEADER; from < b.length;) {
            int[] n = new int[2];
            for (int k = 0; k < 2; k++) {
                for (int shift = 0;; shift += 7) {
                    if (from == b.length || shift > 21) {
                        return null;
                    }
                    n[k] |= (b[from] & 0x7F) << shift;
                    if (b[from++] >= 0) {
                        break;
                    }
                }
            }
            at += n[0];
            if (at + n[1] > cells.length || 2 * n[1] > b.length - from) {
                return null;
            }
            for (int end = at + n[1]; at < end; from += 2) {
                cells[at++] = (char) (b[from] << 8 | b[from + 1] & 0xFF);
            }
        }
        return sound(cells) ? cells : null;
    }

    /**
     * Whether these are frequencies: another one would end in an exception, or in a log that nobody
     * can read.
     */
    private static boolean sound(char[] cells) {
        for (int at = 0, w = 0, n; at < cells.length; at += n) {
            n = length(at, w);
            w += n > 1 ? 1 : 0;
            int sum = 0;
            for (int i = at + 1; i < at + n; i++) {
                sum += cells[i] == 0 ? 1 << 20 : cells[i];
            }
            boolean ok = n > 1 ? cells[at] == map[at] && sum == 65535 : cells[at] % 65535 != 0
                    || cells[at] == map[at];
            if (!ok) {
                return false;
            }
        }
        return true;
    }

    /** Makes the file of a table, under a name of its own first: so it is whole, or not there. */
    private static void write(byte[] bytes, long id) throws IOException {
        File own = new File(folder, ".pathlight-" + build() + "-" + Sink.pid + "-"
                            + System.nanoTime() + ".tmp");
        FileOutputStream out = new FileOutputStream(own);
        try {
            out.write(bytes);
        } finally {
            out.close();
        }
        if (!own.renameTo(new File(folder, name(id)))) {
            own.delete();
            throw new IOException("not renamed");
        }
    }

    /**
     * Deletes the tables that no log names but the newest one. A process that begins meanwhile
     * names its table in its log first, then looks whether the table is there ({@link #sure}). So
     * each is put aside first, and comes back if a log names it then.
     */
    private static void sweep(String newest) throws IOException {
        HashSet<String> named = named();
        File[] files = folder.listFiles();
        long now = System.currentTimeMillis();
        for (int i = 0; files != null && i < files.length; i++) {
            String name = files[i].getName();
            if (!table(name) || name.equals(newest) || named.contains(id(name))
                || !own(name) && now - files[i].lastModified() < WEEK) {
                continue;
            }
            files[i].renameTo(new File(folder, whole(name) + "-2.plk"));
        }
        // The files first: what is put aside later is another process's.
        files = folder.listFiles();
        named = named();
        for (int i = 0; files != null && i < files.length; i++) {
            String name = files[i].getName();
            if (!table(name) || !name.endsWith("-2.plk")) {
                continue;
            }
            if (named.contains(id(name))) {
                files[i].renameTo(new File(folder, whole(name) + ".plk"));
            } else {
                files[i].delete();
            }
        }
    }

    /** The ids that logs in the folder name. */
    private static HashSet<String> named() throws IOException {
        HashSet<String> ids = new HashSet<String>();
        File[] files = folder.listFiles();
        for (int i = 0; files != null && i < files.length; i++) {
            String name = files[i].getName();
            if (!name.startsWith("pathlight-") || !name.endsWith(".plt")) {
                continue;
            }
            byte[] head = read(files[i], MOST);
            if (head == null || head.length < MOST || head[5] != Protocol.TRACE_WITH_TABLE) {
                continue;
            }
            int at = BEFORE + FIXED + 1 + (head[BEFORE + FIXED] & 0xFF);
            ids.add(hex(longAt(head, at)));
        }
        return ids;
    }

    /** The first bytes of a file, at most this many; null if the file is gone. */
    private static byte[] read(File file, int most) {
        try {
            RandomAccessFile in = new RandomAccessFile(file, "r");
            try {
                byte[] bytes = new byte[(int) Math.min(in.length(), most)];
                in.readFully(bytes);
                return bytes;
            } finally {
                in.close();
            }
        } catch (IOException e) {
            return null;
        }
    }

    private static String build() {
        return Config.BUILD_ID.substring(0, 8);
    }

    private static String name(long id) {
        return "pathlight-" + build() + "-table-" + hex(id) + ".plk";
    }

    /** 16 digits. */
    private static String hex(long id) {
        String digits = Long.toHexString(id);
        return "0000000000000000".substring(digits.length()) + digits;
    }

    /** Whether a table of any build, or of this one, has such a name. */
    private static boolean table(String name) {
        int n = name(0).length();
        return name.startsWith("pathlight-") && name.endsWith(".plk")
                && name.startsWith("-table-", 18)
                && (name.length() == n || name.length() == n + 2 && name.endsWith("-2.plk"));
    }

    private static boolean own(String name) {
        return table(name) && name.startsWith(build(), 10);
    }

    /** A table's name without its end; its id. */
    private static String whole(String name) {
        return name.substring(0, 41);
    }

    private static String id(String name) {
        return name.substring(25, 41);
    }

    private static void put(byte[] to, int at, int n) {
        for (int i = 0; i < 4; i++) {
            to[at + i] = (byte) (n >>> 24 - 8 * i);
        }
    }

    private static int number(byte[] b, int at) {
        return b[at] << 24 | (b[at + 1] & 0xFF) << 16 | (b[at + 2] & 0xFF) << 8 | b[at + 3] & 0xFF;
    }

    private static long longAt(byte[] b, int at) {
        return (long) number(b, at) << 32 | number(b, at + 4) & 0xFFFFFFFFL;
    }
}
