package android.os;

public class Handler {
    public interface Callback {
        boolean handleMessage(Message m);
    }

    private final Looper looper;
    private final Callback callback;

    public Handler() { this(Looper.myLooper(), null); }
    public Handler(Callback c) { this(Looper.myLooper(), c); }
    public Handler(Looper l) { this(l, null); }
    public Handler(Looper l, Callback c) {
        if (l == null) {
            throw new RuntimeException(
                    "Can't create handler inside thread that has not called Looper.prepare()");
        }
        looper = l;
        callback = c;
    }

    public final Looper getLooper() { return looper; }
    public void handleMessage(Message m) {}

    public void dispatchMessage(Message m) {
        if (m.callback != null) m.callback.run();
        else if (callback == null || !callback.handleMessage(m)) handleMessage(m);
    }

    private boolean send(Message m, long delay) {
        m.target = this;
        m.when = SystemClock.uptimeMillis() + Math.max(0, delay);
        looper.enqueue(m);
        return true;
    }

    private static Message of(Runnable r) { Message m = new Message(); m.callback = r; return m; }

    public final boolean post(Runnable r) { return send(of(r), 0); }
    public final boolean postDelayed(Runnable r, long ms) { return send(of(r), ms); }
    public boolean sendMessageAtTime(Message m, long at) {
        return send(m, at - SystemClock.uptimeMillis());
    }
    public final boolean sendMessage(Message m) { return send(m, 0); }
    public final boolean sendMessageDelayed(Message m, long ms) { return send(m, ms); }
    public final boolean sendEmptyMessage(int what) { return send(Message.obtain(this, what), 0); }
    public final boolean sendEmptyMessageDelayed(int what, long ms) {
        return send(Message.obtain(this, what), ms);
    }
    public final Message obtainMessage(int what) { return Message.obtain(this, what); }
    public final Message obtainMessage(int what, Object o) {
        Message m = Message.obtain(this, what);
        m.obj = o;
        return m;
    }
    public final Message obtainMessage(int what, int a, int b) {
        Message m = Message.obtain(this, what);
        m.arg1 = a;
        m.arg2 = b;
        return m;
    }
    public final void removeCallbacks(Runnable r) { looper.remove(this, r, 0, false); }
    public final void removeMessages(int what) { looper.remove(this, null, what, false); }
    public final void removeCallbacksAndMessages(Object token) {
        looper.remove(this, null, 0, true);
    }
    public final boolean hasMessages(int what) { return looper.has(this, what); }
}
