package pathlight;

/**
 * Starts the question for the ends of earlier processes ({@link ExitNotes}): once, in a thread
 * that ends then, as the answer comes from another process. This class is small: the thread that
 * was first in the app loads it.
 */
final class ExitReasons implements Runnable {
    private ExitReasons() {}

    /** Starts the thread. It belongs to nobody, as far as the app can see. */
    static void start() {
        try {
            // Before Android 11 there is no such class, and no thread.
            Class.forName("android.app.ApplicationExitInfo");
            Thread thread = new Thread(Control.root(), new ExitReasons(), "pathlight exits");
            thread.setDaemon(true);
            thread.start();
        } catch (Throwable e) {
            // Or there is no thread to be had: then nobody asks.
        }
    }

    @Override
    public void run() {
        try {
            ExitNotes.note();
        } catch (Throwable e) {
            // In an isolated process, without a folder.
        }
    }
}
