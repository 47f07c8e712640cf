package pathlight;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeMap;
import java.util.zip.CRC32;

/**
 * Ends of earlier processes, as Android 11 and later remember them: noted beside their logs, or in
 * one line of logcat (docs/PROTOCOL.md, section 14).
 */
final class ExitNotes {
    /** Exits that are asked for at most. */
    private static final int MOST = 64;
    /** Bytes of a note. */
    private static final int SIZE = 48;
    /** Names of notes: this, the words of the log's name, {@link #END}. */
    private static final String BEGIN = "pathlight_exit-";
    private static final String END = ".plx";
    /** Bit in the mask of {@code android.os.StrictMode}: hidden methods are watched. */
    private static final int NON_SDK = 1 << 9;

    /** Positions of the values of an exit in its row. */
    private static final int PID = 0;
    private static final int TIME = 1;
    private static final int REASON = 2;
    private static final int STATUS = 3;
    private static final int IMPORTANCE = 4;

    private ExitNotes() {}

    /** Asks, and notes the answer. */
    static void note() throws Exception {
        if (State.local != null) {
            // A class loader of the app may be asked, and be instrumented.
            State.local.set(State.nowhere);
        }
        long[][] exits = ask();
        if (exits.length == 0) {
            return;
        }
        if (Sink.lines) {
            line(exits);
        } else {
            beside(exits, new File(FileSink.folder()));
        }
    }

    /** The exits, a row each. */
    private static long[][] ask() throws Exception {
        Class<?> info = Class.forName("android.app.ApplicationExitInfo");
        String policy = Class.forName("android.os.StrictMode").getMethod("getVmPolicy").invoke(null)
                .toString();
        String mask = policy.substring(policy.indexOf('=') + 1, policy.length() - 1);
        if ((Long.parseLong(mask) & NON_SDK) != 0) {
            // There is no public way to a context without the app's objects; and here the app dies
            // of another one, perhaps.
            return new long[0][];
        }
        Class<?> process = Class.forName("android.app.ActivityThread");
        Object thread = process.getMethod("currentActivityThread").invoke(null);
        Object context = process.getMethod("getSystemContext").invoke(thread);
        Object manager = Class.forName("android.content.Context")
                .getMethod("getSystemService", String.class).invoke(context, "activity");
        // No package: those of the app's user id.
        List<?> list = (List<?>) Class.forName("android.app.ActivityManager")
                .getMethod("getHistoricalProcessExitReasons", String.class, int.class, int.class)
                .invoke(manager, null, 0, MOST);
        Method[] getters = {
            info.getMethod("getPid"), info.getMethod("getTimestamp"), info.getMethod("getReason"),
            info.getMethod("getStatus"), info.getMethod("getImportance")};
        long[][] exits = new long[list == null ? 0 : Math.min(list.size(), MOST)][getters.length];
        for (int i = 0; i < exits.length; i++) {
            for (int k = 0; k < getters.length; k++) {
                exits[i][k] = ((Number) getters[k].invoke(list.get(i))).longValue();
            }
        }
        return exits;
    }

    private static void line(long[][] exits) {
        StringBuilder text = new StringBuilder("exits:");
        for (int i = 0; i < exits.length; i++) {
            text.append(i == 0 ? "" : ";");
            for (int k = 0; k < exits[i].length; k++) {
                text.append(' ').append(exits[i][k]);
            }
        }
        LogSink.note(text.toString());
    }

    /** Notes the exits beside the logs, and deletes notes whose logs have gone. */
    private static void beside(long[][] exits, File folder) throws IOException {
        File[] files = folder.listFiles();
        TreeMap<String, String[]> logs = new TreeMap<String, String[]>();
        for (File file : files) {
            String[] log = Retention.log(file.getName());
            if (log != null) {
                logs.put(BEGIN + log[0] + "-" + log[1] + "-" + log[2] + END, log);
            }
        }
        for (File file : files) {
            String name = file.getName();
            if (name.startsWith(BEGIN) && name.endsWith(END) && !logs.containsKey(name)) {
                file.delete();
            }
        }
        for (String name : logs.keySet()) {
            File note = new File(folder, name);
            if (note.length() == SIZE) {
                continue;
            }
            try {
                byte[] bytes = content(exits, logs.get(name), logs.values());
                if (bytes != null) {
                    FileOutputStream out = new FileOutputStream(note);
                    try {
                        out.write(bytes);
                    } finally {
                        out.close();
                    }
                }
            } catch (NumberFormatException e) {
                // The name of another's file.
            }
        }
    }

    /**
     * The note of a log: the first exit of its process id since it began. Null: there is none, or
     * another log of the build is of a later process with that id, which the exit may belong to.
     */
    private static byte[] content(long[][] exits, String[] log, Iterable<String[]> logs) {
        long start = Long.parseLong(log[2]);
        long pid = Long.parseLong(log[1]);
        long[] exit = null;
        for (long[] e : exits) {
            if (e[PID] == pid && e[TIME] >= start && (exit == null || e[TIME] < exit[TIME])) {
                exit = e;
            }
        }
        for (String[] other : logs) {
            if (exit != null && other[0].equals(log[0]) && other[1].equals(log[1])) {
                long later = Long.parseLong(other[2]);
                if (later > start && later <= exit[TIME]) {
                    exit = null;
                }
            }
        }
        if (exit == null) {
            return null;
        }
        byte[] bytes = new byte[SIZE];
        ByteBuffer b = ByteBuffer.wrap(bytes);
        b.putInt(0x504C584E).putInt(1 << 16).putInt(0).putInt((int) Long.parseLong(log[0], 16));
        b.putInt((int) pid).putLong(start).putLong(exit[TIME]).putInt((int) exit[REASON]);
        b.putInt((int) exit[STATUS]).putInt((int) exit[IMPORTANCE]);
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, 8);
        crc.update(bytes, 12, SIZE - 12);
        b.putInt(8, (int) crc.getValue());
        return bytes;
    }
}
