import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.io.File;

/**
 * An app whose other parts are instrumented by themselves: {@code Main MODE PLUGIN}. Every method
 * of every part prints its part and its name when it begins: what decoding the part's log must
 * give. A feature is in the same class path. A plugin comes through two class loaders, one that
 * sees the app and one that does not. MODE flush: halts behind Pathlight's flush(); off: goes on
 * behind its off(). Lines that begin with "--" name no method.
 */
public final class Main implements Runnable {
    private final int limit;

    private Main(int limit) {
        System.out.println("app Main.<init>");
        this.limit = limit;
    }

    public static void main(String[] args) throws Exception {
        System.out.println("app Main.main");
        File plugin = new File(args[1]);
        Feature feature = new Feature();
        feature.each(new Main(2), 5);
        Runnable child = load(plugin, Main.class.getClassLoader());
        child.run();
        odd(3);
        if (args[0].equals("off")) {
            door("off");
        }
        load(plugin, ClassLoader.getSystemClassLoader().getParent()).run();
        child.run();
        feature.each(new Main(1), 3);
        odd(4);
        if (args[0].equals("flush")) {
            door("flush");
            Runtime.getRuntime().halt(0);
        }
    }

    @Override
    public void run() {
        System.out.println("app Main.run");
        for (int i = 0; i < limit; i++) {
            if (odd(i)) {
                System.out.println("-- odd");
            }
        }
    }

    private static boolean odd(int n) {
        System.out.println("app Main.odd");
        return n % 2 == 1;
    }

    /** The class is not there when this runs without having been instrumented. */
    private static void door(String name) throws Exception {
        System.out.println("app Main.door");
        System.out.println("-- " + name);
        try {
            Class.forName("pathlight.Pathlight").getMethod(name).invoke(null);
        } catch (ClassNotFoundException e) {
            System.out.println("-- " + e);
        }
    }

    /** The plugin's class in a loader of its own. */
    private static Runnable load(File plugin, ClassLoader parent) throws Exception {
        System.out.println("app Main.load");
        ClassLoader loader;
        try {
            Class<?> android = Class.forName("dalvik.system.PathClassLoader");
            Constructor<?> c = android.getConstructor(String.class, ClassLoader.class);
            loader = (ClassLoader) c.newInstance(plugin.getPath(), parent);
        } catch (ClassNotFoundException e) {
            loader = new URLClassLoader(new URL[] {plugin.toURI().toURL()}, parent);
        }
        return (Runnable) loader.loadClass("Plugin").getConstructor().newInstance();
    }
}
