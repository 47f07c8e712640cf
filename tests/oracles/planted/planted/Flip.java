package planted;

import java.util.HashSet;
import java.util.Set;

/**
 * Plants faults into the fixture `tether`, and reports on standard error where: class, method, line
 * and thread, as the VM's own stack trace has them. It is not part of the app and has no probes.
 */
public final class Flip {
    private static final int PLACE = Integer.getInteger("planted.place", -1);
    private static final int NTH = Integer.getInteger("planted.nth", 1);
    private static final Set<String> REPORTED = new HashSet<>();
    private static int times;

    private Flip() {}

    /** The condition, or at the chosen place, the chosen time, its opposite. */
    public static synchronized boolean at(int place, boolean was) {
        if (place != PLACE || ++times != NTH) return was;
        report("flip", Integer.toString(place));
        return !was;
    }

    /** The app came here. */
    public static synchronized void site(String name) {
        if (REPORTED.add(name)) report("site", name);
    }

    /** Comes back when the thread waits: what it does then does not depend on when it began. */
    public static void waiting(Thread t) {
        while (t.getState() != Thread.State.WAITING) Thread.yield();
    }

    private static void report(String what, String name) {
        StackTraceElement at = new Throwable().getStackTrace()[2];
        System.err.println("planted " + what + " " + name + " " + at.getClassName() + " "
                           + at.getMethodName() + " " + at.getLineNumber() + " "
                           + Thread.currentThread().getName());
    }
}
