package bench;

import java.lang.reflect.Method;

/** Processor time of the current thread: what other processes do on the machine does not count. */
final class Clock {
    private static Object bean;
    private static Method method;

    static {
        try {
            method = Class.forName("dalvik.system.VMDebug").getMethod("threadCpuTimeNanos");
        } catch (ReflectiveOperationException notArt) {
            try {
                bean = Class.forName("java.lang.management.ManagementFactory")
                        .getMethod("getThreadMXBean").invoke(null);
                method = Class.forName("java.lang.management.ThreadMXBean")
                        .getMethod("getCurrentThreadCpuTime");
            } catch (ReflectiveOperationException neither) {
                throw new IllegalStateException(neither);
            }
        }
    }

    private Clock() {}

    static long processor() throws ReflectiveOperationException {
        return (Long) method.invoke(bean);
    }
}
