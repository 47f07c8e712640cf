package android.os;

public final class Process {
    public static int myTid() {
        return 4321;
    }

    public static int myUid() {
        return Integer.getInteger("stub.uid", 10123);
    }
}
