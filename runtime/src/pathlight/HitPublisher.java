package pathlight;

/**
 * Writes what threads have counted into the file, ten times a second while they count; a second
 * without a hit, and it sleeps until the next one.
 */
final class HitPublisher implements Runnable {
    private static final int PAUSE = 100;
    /**
     * Pauses without a hit after which the next hit has to wake this thread; after twice as many
     * it sleeps.
     */
    private static final int QUIET = 10;

    /** Whether the next hit has to wake it. */
    private static volatile boolean asleep;
    private static HitPublisher publisher;

    private HitPublisher() {}

    /** Starts the thread. It belongs to nobody, as far as the app can see. */
    static void start() {
        publisher = new HitPublisher();
        Thread thread = new Thread(Control.root(), publisher, "pathlight hits");
        thread.setDaemon(true);
        thread.start();
        try {
            // Where a process ends by itself nothing is missing.
            Runtime.getRuntime().addShutdownHook(new Thread(Control.root(), new HitPublisher(),
                                                            "pathlight hits"));
        } catch (RuntimeException e) {
            // It ends already.
        }
    }

    /** Called by each hit that does not come right behind one of the same thread. */
    static void wake() {
        if (asleep) {
            wakeUp();
        }
    }

    private static void wakeUp() {
        synchronized (publisher) {
            asleep = false;
            publisher.notify();
        }
    }

    @Override
    public void run() {
        // The hook's.
        if (this != publisher) {
            HitFile.publish();
            return;
        }
        int quiet = 0;
        while (!Hits.off) {
            try {
                Thread.sleep(PAUSE);
                quiet = HitFile.publish() || quiet >= QUIET && !asleep ? 0 : quiet + 1;
                if (quiet == QUIET) {
                    // In this order: a hit that sees no cells sees that it has to wake this thread.
                    asleep = true;
                    Hits.cache = null;
                } else if (quiet == 2 * QUIET) {
                    rest();
                    quiet = 0;
                }
            } catch (InterruptedException e) {
                // By somebody who interrupts every thread.
            } catch (Throwable e) {
                // No memory, perhaps some in the next round.
            }
        }
    }

    private synchronized void rest() throws InterruptedException {
        while (asleep && !Hits.off) {
            wait();
        }
    }
}
