/**
 * Is not instrumented: fills the stack, then calls the app, whose probes are the first of the
 * process, in a given number of frames on the way up. At the end come calls with all of the stack.
 */
public final class Main implements Runnable {
    static int left;
    /** Calls from the end of the stack that came back. */
    static int back;

    static void down() {
        try {
            down();
        } catch (StackOverflowError e) {
            // Up again.
        }
        if (left-- > 0) {
            try {
                App.callee(5);
                back++;
            } catch (StackOverflowError e) {
                // What code at the end of a stack must reckon with.
            } catch (Throwable t) {
                left = 0;
                System.out.println(t);
            }
        }
    }

    @Override
    public void run() {
        down();
    }

    public static void main(String[] args) throws Exception {
        left = Integer.parseInt(args[0]);
        // Their own initialisation and loading is not what is tried.
        Class.forName("App");
        new StackOverflowError();
        Thread t = new Thread(null, new Main(), "deep", 65536);
        t.start();
        t.join();
        App.sum = 0;
        for (int i = 0; i < 3000; i++) App.callee(i % 3 + 2);
        System.out.println(App.sum + " " + back);
    }
}
