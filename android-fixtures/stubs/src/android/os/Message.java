package android.os;

public final class Message implements Parcelable {
    public int what;
    public int arg1;
    public int arg2;
    public Object obj;
    Handler target;
    Runnable callback;
    long when;

    public Message() {}

    public static Message obtain() { return new Message(); }
    public static Message obtain(Handler h, int what) {
        Message m = new Message();
        m.target = h;
        m.what = what;
        return m;
    }
    public void sendToTarget() { target.sendMessage(this); }
    public long getWhen() { return when; }
    public Handler getTarget() { return target; }
}
