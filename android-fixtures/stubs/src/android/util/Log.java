package android.util;

import android.os.Process;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;

/**
 * Writes what {@code adb logcat -v threadtime} would show. The system property {@code stub.logcat}
 * names the file (appended to); {@code -} is standard output; without it, standard error.
 */
public final class Log {
    public static final int VERBOSE = 2;
    public static final int DEBUG = 3;
    public static final int INFO = 4;
    public static final int WARN = 5;
    public static final int ERROR = 6;
    public static final int ASSERT = 7;

    /** The longest payload that logd takes; the rest of a message is cut off, as on a device. */
    private static final int MAX_PAYLOAD = 4068;
    private static final Object LOCK = new Object();
    private static OutputStream out;

    private Log() {}

    public static int v(String tag, String msg) { return println(VERBOSE, tag, msg); }
    public static int d(String tag, String msg) { return println(DEBUG, tag, msg); }
    public static int i(String tag, String msg) { return println(INFO, tag, msg); }
    public static int w(String tag, String msg) { return println(WARN, tag, msg); }
    public static int e(String tag, String msg) { return println(ERROR, tag, msg); }
    public static int v(String tag, String msg, Throwable t) {
        return v(tag, msg + '\n' + getStackTraceString(t));
    }
    public static int d(String tag, String msg, Throwable t) {
        return d(tag, msg + '\n' + getStackTraceString(t));
    }
    public static int i(String tag, String msg, Throwable t) {
        return i(tag, msg + '\n' + getStackTraceString(t));
    }
    public static int w(String tag, String msg, Throwable t) {
        return w(tag, msg + '\n' + getStackTraceString(t));
    }
    public static int w(String tag, Throwable t) { return w(tag, getStackTraceString(t)); }
    public static int e(String tag, String msg, Throwable t) {
        return e(tag, msg + '\n' + getStackTraceString(t));
    }
    public static int wtf(String tag, String msg) { return println(ASSERT, tag, msg); }
    public static boolean isLoggable(String tag, int level) { return level >= INFO; }

    public static String getStackTraceString(Throwable t) {
        if (t == null) return "";
        StringWriter w = new StringWriter();
        t.printStackTrace(new PrintWriter(w, true));
        return w.toString();
    }

    public static int println(int priority, String tag, String msg) {
        if (msg == null) msg = "null";
        if (tag == null) tag = "";
        int room = MAX_PAYLOAD - tag.length() - 3;
        if (msg.length() > room) msg = msg.substring(0, room);
        String head = new SimpleDateFormat("MM-dd HH:mm:ss.SSS", Locale.US).format(new Date())
                + pad(Process.myPid()) + pad(Process.myTid())
                + ' ' + "??VDIWEF".charAt(priority) + ' ' + tag + ": ";
        StringBuilder lines = new StringBuilder();
        for (String line : msg.split("\n")) lines.append(head).append(line).append('\n');
        byte[] bytes = lines.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
        synchronized (LOCK) {
            try {
                if (out == null) out = open();
                out.write(bytes);
                out.flush();
            } catch (IOException e) {
                return -1;
            }
        }
        return bytes.length;
    }

    private static OutputStream open() throws IOException {
        String name = System.getProperty("stub.logcat");
        if (name == null) return System.err;
        return name.equals("-") ? System.out : new FileOutputStream(name, true);
    }

    private static String pad(int n) {
        String s = Integer.toString(n);
        return "      ".substring(Math.min(5, s.length())) + s;
    }
}
