package pathlight;

import java.io.FileInputStream;
import java.lang.reflect.Method;

/**
 * Facts about the process, from the device: by reflection or from /proc, once at the start and
 * where the file grows.
 */
final class Device {
    private static final int MAX_NAME = 255;

    private Device() {}

    static int processId() {
        return number("/proc/self/stat");
    }

    /** The number that a file begins with, 0 if there is no such file. */
    private static int number(String file) {
        try {
            FileInputStream in = new FileInputStream(file);
            int id = 0;
            int c = in.read();
            while (c >= '0' && c <= '9') {
                id = id * 10 + c - '0';
                c = in.read();
            }
            in.close();
            return id;
        } catch (Exception | LinkageError e) {
            return 0;
        }
    }

    /** The name of the process in UTF-8, at most 255 bytes. */
    static byte[] processName() {
        try {
            // The kernel keeps only as much of a name as the zygote's own had.
            Object name = Class.forName("android.app.Application").getMethod("getProcessName")
                    .invoke(null);
            return Utf8.encode((String) name, MAX_NAME);
        } catch (Exception | LinkageError e) {
            // Before Android 9, or before the process knows.
        }
        try {
            FileInputStream in = new FileInputStream("/proc/self/cmdline");
            byte[] bytes = new byte[MAX_NAME + 1];
            int n = Math.max(0, in.read(bytes));
            in.close();
            int end = 0;
            while (end < n && bytes[end] != 0) {
                end++;
            }
            return cut(bytes, end);
        } catch (Exception | LinkageError e) {
            return new byte[0];
        }
    }

    private static byte[] cut(byte[] name, int length) {
        int end = Math.min(length, MAX_NAME);
        // Not in the middle of a character.
        while (end < length && end > 0 && (name[end] & 0xC0) == 0x80) {
            end--;
        }
        byte[] out = new byte[end];
        System.arraycopy(name, 0, out, 0, end);
        return out;
    }

    /** {@code android.os.Process.myTid()}, null where there is none. */
    static Method threadIds() {
        try {
            return Class.forName("android.os.Process").getMethod("myTid");
        } catch (Exception | LinkageError e) {
            return null;
        }
    }

    /** The kernel's id of the current thread; 0 if it cannot be read. */
    static int threadId() {
        // Files go deep: see FileSink.grow.
        Start.reserve(1000, 1, 2, 3, 4);
        return number("/proc/thread-self/stat");
    }

    /** Whether the process is isolated: it may write no files. */
    static boolean isolated() {
        try {
            int uid = (Integer) Class.forName("android.os.Process").getMethod("myUid").invoke(null);
            return uid % 100000 >= 90000;
        } catch (Exception | LinkageError e) {
            return false;
        }
    }

    /**
     * Lets this thread use the disk where the app's StrictMode forbids it, on pain of death
     * perhaps; gives what {@link #restore} wants.
     */
    static Object allowDisk() {
        try {
            return Class.forName("android.os.StrictMode").getMethod("allowThreadDiskWrites")
                    .invoke(null);
        } catch (Exception | LinkageError e) {
            return null;
        }
    }

    static void restore(Object policy) {
        if (policy != null) {
            try {
                Method set = Class.forName("android.os.StrictMode")
                        .getMethod("setThreadPolicy", policy.getClass());
                set.invoke(null, policy);
            } catch (Exception | LinkageError e) {
                // It was there a moment ago.
            }
        }
    }
}
