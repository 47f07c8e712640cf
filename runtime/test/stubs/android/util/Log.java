package android.util;

public final class Log {
    public static int i(String tag, String text) {
        System.out.println(tag + ": " + text);
        return 0;
    }
}
