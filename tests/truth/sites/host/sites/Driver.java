package sites;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

import bench.Workload;

/**
 * CLASS SIZES SEEDS: does the work until no planted place that it reaches is left, each time with
 * an exception out of the next one. Then, with -Dsites.code=FILE, calls all static methods and
 * constructors of this DEX file with null, zero and other simple arguments. Prints each stack
 * trace: a line with its key, then the frames.
 */
public final class Driver {
    /** What a call may take. Longer ones are left alone; their traces are not looked at. */
    private static final long LIMIT_MS = 2000;
    /** What an attempt may take. */
    private static final long ATTEMPT_MS = 200_000;

    private Driver() {}

    public static void main(String[] args) throws Exception {
        Constructor<?> make = Class.forName(args[0]).getDeclaredConstructor();
        for (String size : args[1].split(",")) {
            for (String seed : args[2].split(",")) {
                boolean again = true;
                for (int attempt = 0; again; attempt++) {
                    String key = "left " + size + " " + seed + " " + attempt;
                    again = attempt(make, Integer.parseInt(size), Long.parseLong(seed), key);
                }
            }
        }
        if (System.getProperty("sites.code") != null) callAll(System.getProperty("sites.code"));
        System.out.println("end");
        System.out.flush();
        // Threads of calls that took too long may still run.
        Runtime.getRuntime().halt(0);
    }

    /** Whether a planted place threw. */
    private static boolean attempt(Constructor<?> make, int size, long seed, String key)
            throws InterruptedException {
        Thread thread = new Thread(() -> {
            Plant.arm();
            try {
                ((Workload) make.newInstance()).run(size, seed);
            } catch (Throwable t) {
                print(key, t.getStackTrace(), 0);
            }
        });
        thread.setDaemon(true);
        thread.start();
        thread.join(ATTEMPT_MS);
        if (thread.isAlive()) throw new IllegalStateException(key + ": no end");
        return Plant.disarm();
    }

    static synchronized void print(String key, StackTraceElement[] trace, int from) {
        StringBuilder out = new StringBuilder(key).append('\n');
        for (int i = from; i < trace.length; i++) out.append("\tat ").append(trace[i]).append('\n');
        System.out.print(out);
    }

    /** Prints what the calling thread does as the report of an app that does not respond has it. */
    static void dump(String key, Thread of) {
        Thread dumper = new Thread(() -> {
            // Not the frames in which it waits for this thread: where they end is the VM's affair.
            StackTraceElement[] trace = of.getStackTrace();
            int from = 0;
            while (!trace[from].getClassName().equals("sites.Plant")) from++;
            StringBuilder out =
                    new StringBuilder(key).append("\n\"worker\" prio=5 tid=2 Waiting\n");
            for (int i = from + 1; i < trace.length; i++)
                out.append("  at ").append(trace[i]).append('\n');
            synchronized (Driver.class) {
                System.out.print(out);
            }
        });
        dumper.start();
        try {
            dumper.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void callAll(String file) throws Exception {
        Class<?> dex = Class.forName("dalvik.system.DexFile");
        Object code = dex.getConstructor(String.class).newInstance(file);
        @SuppressWarnings("unchecked") List<String> names =
                Collections.list((Enumeration<String>) dex.getMethod("entries").invoke(code));
        Collections.sort(names);
        for (String name : names) {
            if (name.startsWith("pathlight.")) continue;
            Class<?> type;
            try {
                type = Class.forName(name, false, Driver.class.getClassLoader());
                for (Constructor<?> c : type.getDeclaredConstructors()) {
                    if (!Modifier.isAbstract(type.getModifiers()))
                        call(c.toString(), c.getParameterTypes(), c::newInstance, c);
                }
                Method[] methods = type.getDeclaredMethods();
                Arrays.sort(methods, (a, b) -> a.toString().compareTo(b.toString()));
                for (Method m : methods) {
                    if (Modifier.isStatic(m.getModifiers()))
                        call(m.toString(), m.getParameterTypes(), a -> m.invoke(null, a), m);
                }
            } catch (LinkageError e) {
                print("class " + name, e.getStackTrace(), 0);
            }
        }
    }

    private interface Call {
        Object go(Object... arguments) throws Exception;
    }

    private static void call(String name, Class<?>[] types, Call call,
                             java.lang.reflect.AccessibleObject of) throws InterruptedException {
        of.setAccessible(true);
        for (int kind = 0; kind < 3; kind++) {
            int which = kind;
            String key = "call " + kind + " " + name;
            Throwable[] thrown = new Throwable[1];
            Thread thread = new Thread(() -> {
                try {
                    Object[] arguments = new Object[types.length];
                    for (int i = 0; i < types.length; i++) arguments[i] = argument(types[i], which);
                    call.go(arguments);
                } catch (InvocationTargetException e) {
                    thrown[0] = e.getCause();
                } catch (Throwable e) {
                    thrown[0] = e;
                }
            });
            thread.setDaemon(true);
            thread.start();
            thread.join(LIMIT_MS);
            if (thread.isAlive()) {
                System.out.println("long " + key);
            } else if (thrown[0] instanceof StackOverflowError) {
                System.out.println("deep " + key);
            } else {
                for (Throwable t = thrown[0]; t != null; t = t.getCause())
                    print(key, t.getStackTrace(), 0);
            }
            if (types.length == 0) break;
        }
    }

    private static Object argument(Class<?> type, int kind) {
        int number = kind == 2 ? 3 : 0;
        if (type == int.class) return number;
        if (type == long.class) return (long) number;
        if (type == short.class) return (short) number;
        if (type == byte.class) return (byte) number;
        if (type == char.class) return (char) ('0' + number);
        if (type == boolean.class) return kind == 2;
        if (type == float.class) return (float) number;
        if (type == double.class) return (double) number;
        if (kind == 0) return null;
        if (type.isArray())
            return java.lang.reflect.Array.newInstance(type.getComponentType(), number);
        Object[] simple = {"3,x", number, new java.util.ArrayList<>(Arrays.asList("b", "a")),
                           new java.util.HashMap<>(), new StringBuilder("y"), 2.5};
        for (Object o : simple) if (type.isInstance(o)) return o;
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) return null;
        try {
            Constructor<?> c = type.getDeclaredConstructor();
            c.setAccessible(true);
            return c.newInstance();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            return null;
        }
    }
}
