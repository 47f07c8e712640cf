package org.example.tether;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.TreeMap;

/** Runs commands by name through reflection. */
public class Commands {
    private static final class Broken {
        static final int TABLE = table();

        private static int table() {
            int[] t = new int[2];
            return t[Settings.CHANNELS.length];
        }
    }

    private final Network network;
    private final TreeMap<String, Method> known = new TreeMap<>();

    Commands(Network n) {
        network = n;
        for (Method m : Commands.class.getDeclaredMethods()) {
            if (m.getName().startsWith("cmd")) {
                known.put(m.getName().substring(3).toLowerCase(java.util.Locale.ROOT), m);
            }
        }
    }

    public String cmdClients(String arg) {
        return network.clients().sorted(arg.isEmpty() ? Client.BY_TRAFFIC : null).toString();
    }
    public String cmdStatus(String arg) { return network.toString(); }
    public String cmdAddress(String arg) { return Address.format(Address.parse(arg) + 1); }
    public String cmdBroken(String arg) { return "table " + Broken.TABLE; }

    /** Counts how often it called itself: {@code ackermann} small. */
    public String cmdDeep(String arg) {
        return Integer.toString(ackermann(2, Integer.parseInt(arg)));
    }

    private static int ackermann(int m, int n) {
        if (m == 0) return n + 1;
        if (n == 0) return ackermann(m - 1, 1);
        return ackermann(m - 1, ackermann(m, n - 1));
    }

    String run(String line) {
        int space = line.indexOf(' ');
        String name = space < 0 ? line : line.substring(0, space);
        String arg = space < 0 ? "" : line.substring(space + 1);
        Method m = known.get(name);
        if (m == null) return "unknown command " + name + " of " + known.keySet();
        try {
            return (String) m.invoke(this, arg);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            if (cause instanceof ExceptionInInitializerError) {
                return "initialiser: " + cause.getCause().getClass().getSimpleName();
            }
            if (cause instanceof NoClassDefFoundError) return "still broken";
            return name + " failed: " + cause.getClass().getSimpleName();
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /** A listener made at run time. */
    static EventBus.Listener proxy(final StringBuilder into) {
        ClassLoader loader = Commands.class.getClassLoader();
        Class<?>[] types = {EventBus.Listener.class};
        return (EventBus.Listener) Proxy.newProxyInstance(loader, types, new InvocationHandler() {
            @Override
            public Object invoke(Object self, Method m, Object[] args) {
                switch (m.getName()) {
                    case "onEvent": into.append(args[0]).append(';'); return null;
                    case "equals": return self == args[0];
                    case "hashCode": return System.identityHashCode(self);
                    default: return m.getName();
                }
            }
        });
    }
}
