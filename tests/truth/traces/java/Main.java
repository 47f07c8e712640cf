import java.util.*;
/**
 * Throws at many kinds of places; what it prints are its stack traces. Long lines: each throws at
 * several places.
 */
public class Main {
    interface Op { int go(int x, Object o); }
    static int depth(int n, Object o) {
        if (n == 0) return o.hashCode();
        int r = 0;
        for (int i = 0; i < n; i++) { r += i; if (i == n - 1) r += depth(n - 1, o); }
        return r;
    }
    static int div(int a, int b) {
        int c = a > 3 ? a / b : b / a;
        if (c > 100) c--;
        return c + a % (b - b);
    }
    static int arr(int[] a, int i) {
        if (i < 0) return a[-i];
        int s = 0;
        for (int k = 0; k < 3; k++) s += a[i + k];
        switch (s) {
            case 1: return a[7];
            case 2: return a[8] + 1;
            case 9: s += a[9];
            default: return s + a[s];
        }
    }
    static String cast(Object o, boolean b) {
        if (b) { return (String) o; } else { Integer i = (Integer) o; return "" + (i + 1); }
    }
    static synchronized int sync(Object o, int x) {
        synchronized (o) { if (x > 2) throw new IllegalStateException("x" + x); return x; }
    }
    static int nested(Object o) {
        try {
            return sync(null, 1);
        }
        catch (NullPointerException e) {
            try { return sync(o, 5); } finally { System.out.println("finally"); }
        }
    }
    static long mixed(long a, double d, String s) {
        long r = a * 3;
        if (d > 2.5) r += (long) d;
        if (s.length() > 2) r ^= s.charAt(5);
        return r;
    }
    static void run(int k) {
        switch (k) {
            case 0: depth(4, null); break;
            case 1: div(5, 0); break;
            case 2: div(5, 2); break;
            case 3: arr(new int[]{1, 2, 3, 4}, 2); break;
            case 4: arr(null, -1); break;
            case 5: cast(5, true); break;
            case 6: cast("x", false); break;
            case 7: sync(new Object(), 9); break;
            case 8: nested(new Object()); break;
            case 9: mixed(3, 2.0, "abc"); break;
            case 10: mixed(3, 9.0, null); break;
            case 11: new ArrayList<>(Arrays.asList(1, 2)).iterator().remove(); break;
            case 12: arr(new int[]{0, 1, 0, 1}, 0); break;
            case 13: arr(new int[]{3, 3, 3, 1}, 0); break;
            case 14:
                List<Integer> l = Arrays.asList(3, 1, 2);
                l.forEach(x -> { if (x == 2) throw new RuntimeException("lambda " + x); });
                break;
            case 15: Object[] oo = new String[1]; oo[0] = Integer.valueOf(3); break;
            case 16: Object n = new int[-k]; break;
            default: throw new Error("default");
        }
    }
    public static void main(String[] args) {
        for (int k = 0; k < 18; k++) {
            System.out.println("run " + k);
            try {
                run(k);
            } catch (Throwable t) {
                t.printStackTrace(System.out);
            }
        }
    }
}
