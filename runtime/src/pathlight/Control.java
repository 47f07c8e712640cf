package pathlight;

import java.io.Closeable;
import java.io.Flushable;

/**
 * Where {@link Pathlight} finds this build: a thread group without threads, below the root of all
 * groups. Several builds may be in one process, each in a package of its own, perhaps in class
 * loaders that do not see each other. The list of groups belongs to the process, is typed by java.*
 * alone, and an app that reads it can cope with one more (which is not so of objects among the
 * system properties: Properties.list() throws then).
 */
final class Control extends ThreadGroup implements Flushable, Closeable {
    /** How the groups' names begin. */
    static final String NAME = "pathlight ";

    /** Kept here because the group above may refer to it weakly. */
    private static Control control;

    private Control(ThreadGroup root) {
        super(root, NAME + Config.BUILD_ID);
    }

    /**
     * Makes this build known, once. Without it flush() and off() do not reach the build, that is
     * all.
     */
    static void register() {
        if (control != null) {
            return;
        }
        try {
            control = new Control(root());
        } catch (RuntimeException e) {
            // A security manager refuses, or the current thread has no group any more.
        }
    }

    static ThreadGroup root() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        for (ThreadGroup up = group.getParent(); up != null; up = group.getParent()) {
            group = up;
        }
        return group;
    }

    /** Makes everything that the current thread has recorded so far readable. */
    @Override
    public void flush() {
        if (Config.SELECTED == 0) {
            Probes.flush();
        } else {
            HitFile.publish();
        }
    }

    /** Ends recording: each thread ends its stream when it next comes by. */
    @Override
    public void close() {
        if (Config.SELECTED != 0) {
            HitFile.publish();
            HitFile.close();
            return;
        }
        // First what the current thread has done so far: the end of a stream does not contain the
        // position of the thread.
        Probes.flush();
        Sink.stopped = true;
        Probes.flush();
    }
}
