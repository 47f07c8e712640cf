/** A feature of the app: instrumented apart from it, and loaded by the same class loader. */
public final class Feature {
    private int rounds;

    public Feature() {
        System.out.println("feature Feature.<init>");
    }

    public void each(Runnable what, int times) {
        System.out.println("feature Feature.each");
        for (int i = 0; i < times; i++) {
            if (third(i)) {
                what.run();
            } else {
                rounds++;
            }
        }
    }

    private static boolean third(int i) {
        System.out.println("feature Feature.third");
        return i % 3 == 0;
    }
}
