package android.os;

public final class StrictMode {
    private static final ThreadLocal<ThreadPolicy> CURRENT = new ThreadLocal<ThreadPolicy>();

    public static final class ThreadPolicy {
        private final boolean disk;

        ThreadPolicy(boolean disk) {
            this.disk = disk;
        }
    }

    /** The default of apps, or that of the property. */
    public static final class VmPolicy {
        @Override
        public String toString() {
            return "[StrictMode.VmPolicy; mask=" + Long.getLong("stub.vm", 268435488) + "]";
        }
    }

    public static VmPolicy getVmPolicy() {
        return new VmPolicy();
    }

    public static ThreadPolicy allowThreadDiskWrites() {
        ThreadPolicy old = CURRENT.get();
        CURRENT.set(new ThreadPolicy(true));
        return old != null ? old : new ThreadPolicy(false);
    }

    public static void setThreadPolicy(ThreadPolicy policy) {
        CURRENT.set(policy);
    }

    /** penaltyDeath for disk access on all threads. */
    public static final class Disk extends SecurityManager {
        /** Loads what {@link #check} names, before reading a class file asks for it. */
        public Disk() {
            check("");
            setThreadPolicy(new ThreadPolicy(false));
        }

        private static void check(String file) {
            ThreadPolicy policy = CURRENT.get();
            // The machine's class files are not the app's disk.
            boolean ours = file.startsWith("/proc")
                    || file.startsWith(System.getProperty("pathlight.dir"));
            if ((policy == null || !policy.disk) && ours) {
                throw new Error("StrictMode: " + file);
            }
        }

        @Override
        public void checkRead(String file) {
            check(file);
        }

        @Override
        public void checkWrite(String file) {
            check(file);
        }

        @Override
        public void checkPermission(java.security.Permission permission) {}
    }
}
