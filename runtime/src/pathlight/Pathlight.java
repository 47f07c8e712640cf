package pathlight;

import java.io.Closeable;
import java.io.Flushable;

/**
 * For app and test code, by reflection: {@code
 * Class.forName("pathlight.Pathlight").getMethod("flush").invoke(null)}. Reaches all builds of the
 * process that record, from any build's copy of this class. So it has one name and the same code in
 * all builds, and names no other class of the runtime (these are renamed from build to build): it
 * finds the builds through the thread groups of {@link Control}.
 */
public final class Pathlight {
    private Pathlight() {}

    /** Makes everything that the current thread has recorded so far readable. */
    public static void flush() {
        tell(false);
    }

    /**
     * Switches recording off for the rest of the process: each thread ends its stream when it next
     * comes by.
     */
    public static void off() {
        try {
            // For builds whose first probe is still to run.
            System.setProperty("pathlight.off", "true");
        } catch (RuntimeException e) {
            // A security manager refuses.
        }
        tell(true);
    }

    private static void tell(boolean off) {
        try {
            ThreadGroup root = Thread.currentThread().getThreadGroup();
            for (ThreadGroup up = root.getParent(); up != null; up = root.getParent()) {
                root = up;
            }
            // Groups may be added meanwhile.
            ThreadGroup[] groups = new ThreadGroup[root.activeGroupCount() + 16];
            int n = root.enumerate(groups, false);
            for (int i = 0; i < n; i++) {
                if (groups[i] instanceof Flushable
                    && groups[i].getName().startsWith("pathlight ")) {
                    tell(groups[i], off);
                }
            }
        } catch (Throwable e) {
            // The next flush takes it along.
        }
    }

    private static void tell(ThreadGroup build, boolean off) {
        try {
            if (off) {
                ((Closeable) build).close();
            } else {
                ((Flushable) build).flush();
            }
        } catch (Throwable e) {
            // The next flush takes it along; the thread ends its stream later.
        }
    }
}
