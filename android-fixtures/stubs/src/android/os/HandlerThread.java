package android.os;

public class HandlerThread extends Thread {
    private Looper looper;

    public HandlerThread(String name) { super(name); }

    protected void onLooperPrepared() {}

    @Override
    public void run() {
        Looper.prepare();
        synchronized (this) {
            looper = Looper.myLooper();
            notifyAll();
        }
        onLooperPrepared();
        Looper.loop();
    }

    public Looper getLooper() {
        synchronized (this) {
            while (looper == null) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    /* the thread is about to start */
                }
            }
        }
        return looper;
    }

    public boolean quit() { getLooper().quit(); return true; }
    public boolean quitSafely() { getLooper().quitSafely(); return true; }
}
