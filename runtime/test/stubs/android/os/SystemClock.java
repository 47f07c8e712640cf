package android.os;

public final class SystemClock {
    public static long elapsedRealtime() {
        return Long.getLong("stub.elapsed", 1000);
    }
}
