/**
 * A plugin: instrumented by itself, and loaded by class loaders that its app makes. Each copy of
 * the class has its own name and log.
 */
public final class Plugin implements Runnable {
    private static final String COPY = "plugin-" + System.identityHashCode(Plugin.class);

    static {
        System.out.println(COPY + " Plugin.<clinit>");
    }

    private int runs;

    public Plugin() {
        System.out.println(COPY + " Plugin.<init>");
    }

    @Override
    public void run() {
        System.out.println(COPY + " Plugin.run");
        for (int i = 0; i <= runs; i++) {
            work(i);
        }
        runs++;
    }

    private static int work(int n) {
        System.out.println(COPY + " Plugin.work");
        switch (n) {
            case 0: return 7;
            case 1: return leaf() + 1;
            default: return 0;
        }
    }

    private static int leaf() {
        System.out.println(COPY + " Plugin.leaf");
        return 1;
    }
}
