package pathlight;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;

/** Logcat: each slab is one line, {@code PL3 } and base64. */
final class LogSink {
    /** As many bytes as a line below 4,000 characters can carry. */
    private static final int LINE = 2994;
    private static final String DIGITS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    private static Method log;
    private static int orders;

    private LogSink() {}

    /** A line for people, if there is a log. */
    static void note(String text) {
        try {
            if (log != null || open()) {
                log.invoke(null, "Pathlight", "PL0 " + text);
            }
        } catch (Throwable e) {
            // There is no log to report this to.
        }
    }

    static boolean open() {
        try {
            log = Class.forName("android.util.Log").getMethod("i", String.class, String.class);
            log.invoke(null, "Pathlight", "PL0 this app records its paths");
            return true;
        } catch (StackOverflowError e) {
            throw e;
        } catch (Throwable e) {
            return false;
        }
    }

    /** Puts the full slab out and begins another. */
    static boolean roll(State s) {
        if (s.buf == null) {
            // The thread's own buffer; a slab of its own is not spare, so that the spare bytes are
            // never held back.
            s.next = 0;
            int size = LINE - Sink.identity.length;
            Sink.begin(s, ByteBuffer.allocate(size), 0, size, 0, 0);
        } else {
            line(s);
        }
        return true;
    }

    /** Puts what there is out as a line. */
    static void line(State s) {
        if (s.buf == null || s.used == 0) {
            return;
        }
        Start.reserve(256, 1, 2, 3, 4);
        s.buf.putInt(12, order());
        Sink.close(s);
        byte[] slab = s.buf.array();
        byte[] who = Sink.identity;
        byte[] all = new byte[who.length + Sink.HEADER + s.used];
        System.arraycopy(who, 0, all, 0, who.length);
        System.arraycopy(slab, 0, all, who.length, Sink.HEADER + s.used);
        String text = "PL3 " + base64(all);
        // From here on the slab counts as sent: a line that was cut short by an exception must not
        // come twice.
        Sink.begin(s, s.buf, 0, slab.length, 0, 0);
        s.lastLine = Sink.now();
        try {
            log.invoke(null, "Pathlight", text);
        } catch (Throwable e) {
            s.dead = true;
            s.guards = 0;
        }
    }

    private static synchronized int order() {
        return orders++;
    }

    private static String base64(byte[] b) {
        char[] out = new char[(b.length * 4 + 2) / 3];
        int n = 0;
        for (int i = 0; i < b.length; i += 3) {
            int left = b.length - i;
            int v = (b[i] & 0xFF) << 16 | (left > 1 ? (b[i + 1] & 0xFF) << 8 : 0)
                    | (left > 2 ? b[i + 2] & 0xFF : 0);
            out[n++] = DIGITS.charAt(v >>> 18);
            out[n++] = DIGITS.charAt(v >>> 12 & 63);
            if (left > 1) {
                out[n++] = DIGITS.charAt(v >>> 6 & 63);
            }
            if (left > 2) {
                out[n++] = DIGITS.charAt(v & 63);
            }
        }
        return new String(out);
    }
}
