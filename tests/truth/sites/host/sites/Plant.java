package sites;

import java.util.HashSet;
import java.util.Set;

/**
 * Throws at planted places, at each of them once in the process, and at most one in each attempt.
 * Prints the stack trace that the VM gives, before any handler of the app can change or drop the
 * exception. It is not part of the app and has no probes.
 *
 * <p>With -Dsites.dumps=true it throws nothing: another thread dumps the stack of this one, which
 * waits.
 */
public final class Plant {
    private static final Set<Integer> THROWN = new HashSet<>();
    private static final boolean DUMPS = Boolean.getBoolean("sites.dumps");
    private static volatile Thread armed;

    private Plant() {}

    static void arm() {
        armed = Thread.currentThread();
    }

    /** Whether an exception was thrown since. */
    static boolean disarm() {
        boolean thrown = armed == null;
        armed = null;
        return thrown;
    }

    public static void at(int place) {
        if (armed != Thread.currentThread() || !THROWN.add(place)) return;
        if (DUMPS) {
            Driver.dump("dump " + place, Thread.currentThread());
            return;
        }
        RuntimeException exception = place % 2 == 0 ? new IllegalStateException()
                : new ArithmeticException();
        StackTraceElement[] trace = exception.getStackTrace();
        // An exception that leaves a static initialiser makes its class useless for the rest of the
        // run.
        boolean initialises = false;
        for (StackTraceElement e : trace) initialises |= e.getMethodName().equals("<clinit>");
        Driver.print((initialises ? "seen " : "site ") + place, trace, 1);
        if (initialises) return;
        armed = null;
        throw exception;
    }
}
