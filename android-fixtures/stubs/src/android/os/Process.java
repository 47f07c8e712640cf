package android.os;

/** Process and thread numbers. The main thread's number is the process's; the others follow. */
public class Process {
    private static final int PID = findPid();
    private static final Thread MAIN = Thread.currentThread();

    public Process() {}

    private static int findPid() {
        try {
            return Integer.parseInt(new java.io.File("/proc/self").getCanonicalFile().getName());
        } catch (Exception e) {
            return 1000;
        }
    }

    public static final int myPid() { return PID; }
    public static final int myUid() { return 10001; }
    public static final int myTid() {
        Thread t = Thread.currentThread();
        return t == MAIN ? PID : PID + (int) t.getId();
    }

    /** Only one's own process can be killed here. */
    public static final void killProcess(int pid) {
        if (pid == PID) Runtime.getRuntime().halt(9);
    }
}
