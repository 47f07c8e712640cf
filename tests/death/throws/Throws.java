/** Each of {@code Main}'s throws ends a thread of its own; the VM prints their stack traces. */
public class Throws {
    public static void main(String[] args) throws InterruptedException {
        for (int k = 0; k < 18; k++) {
            final int which = k;
            Thread thread = new Thread(() -> Main.run(which), "throws-" + k);
            thread.start();
            thread.join();
        }
    }
}
