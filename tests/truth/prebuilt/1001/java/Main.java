
import java.lang.reflect.*;
import java.util.*;

class E0 extends RuntimeException {
    final int code;
    E0(int code) { super("e"); this.code = code; }
    public synchronized Throwable fillInStackTrace() { return this; }
}

class E1 extends E0 {
    E1(int code) { super(code / 1); }
}

final class Ctx {
    int fuel;
    long h = 17;
    int[] arr = new int[8];
    final Object lock = new Object();
    A0[] objs;
    I0[] fns;
    A0 maybe;
    Object any = "any";

    Ctx(int fuel, int salt) {
        this.fuel = fuel;
        for (int i = 0; i < arr.length; i++) arr[i] = salt * (i + 3);
        // Constructors below may already ask for one.
        objs = new A0[] {new A0(this, 3)};
        fns = new I0[] {Make::two};
        objs = Make.objs(this, salt);
        fns = Make.fns(this, salt);
        if ((salt & 1) == 0) maybe = objs[0];
    }

    boolean out() { return --fuel < 0; }

    int mix(int v) {
        h = h * 31 + v;
        return (int) (h >>> 7) ^ v;
    }

    A0 obj(int i) { return objs[(i & 0x7fffffff) % objs.length]; }

    I0 fn(int i) { return fns[(i & 0x7fffffff) % fns.length]; }
}

final class Key implements Comparable<Key> {
    final Ctx c;
    final int k;
    Key(Ctx c, int k) { this.c = c; this.k = k; }
    @Override public int hashCode() { return c.mix(k) > 0 ? k & 3 : k & 7; }
    @Override public boolean equals(Object o) { return o instanceof Key && ((Key) o).k == k; }
    @Override public int compareTo(Key o) { return k < o.k ? -1 : k > o.k ? 1 : 0; }
    @Override public String toString() { return k % 2 == 0 ? "k" + k : "odd"; }
}

final class Range implements Iterable<Integer> {
    final int n, step;
    Range(int n, int step) { this.n = n; this.step = step; }
    @Override public Iterator<Integer> iterator() {
        return new Iterator<Integer>() {
            int i;
            @Override public boolean hasNext() { return i < n; }
            @Override public Integer next() { if (i > 5) throw new NoSuchElementException(); i += step; return i; }
        };
    }
}

final class Hand implements InvocationHandler {
    final Ctx c;
    final int k;
    Hand(Ctx c, int k) { this.c = c; this.k = k; }
    @Override public Object invoke(Object p, Method m, Object[] a) throws Throwable {
        if (m.getName().equals("i")) {
            int d = (Integer) a[1], x = (Integer) a[2];
            if (x % 7 == 0) throw new E1(x);
            return c.mix(x + k) + d;
        }
        return m.getName().length();
    }
    static I0 make(Ctx c, int k) {
        return (I0) Proxy.newProxyInstance(Hand.class.getClassLoader(), new Class<?>[] {I0.class}, new Hand(c, k));
    }
}

final class So {
    static int so(int n) { return so(n + 1) + 1; }
    static int run(Ctx c) {
        try {
            return so(0);
        } catch (StackOverflowError e) {
            return c.mix(5);
        }
    }
}
interface I0 {
    int i(Ctx c, int d, int a);
    default int twice(Ctx c, int d, int a) { if (d <= 0 || c.out()) return a; return i(c, d - 1, a) + i(c, d - 1, a + 1); }
    static int help(Ctx c, int a) { return a > 3 ? c.mix(a) : a; }
}
class A0 implements I0 {
    private static int h0(int a, int b) {
        b = (int) ((b > 3 ? (a >>> b) : (b + a)));
        if (a >= a || a != 7) return (int) (a); else a = (int) ((5));
        if (a <= -100 || a < 7) return (int) (((a + a) * b));
        return (int) ((a > 0 || b != 7 ? (b >= 0 ? b : b) : b));
    }
    private static long h1(long w, int a) {
        if (w > a) w = w * 31 + ((65535) - (a * a));
        if (a < 3) a = (int) (a);
        if (a == 3) a = (int) (((a >= -100 || a < 7 ? a : a) >>> a));
        if (a >= 3) return w + a; else a = (int) (((a >>> a) + (a == 0 && a > 7 ? a : a)));
        if (a <= 0) return w * a;
        return w * a;
    }
    private static int h2(int a, double x, int b) {
        if (x < a) x = Math.sqrt(x) - 1; if (x > 2) b ^= (int) x;
        if (a >= 0) b = (int) (((a >> b) | a));
        a = (int) (((a << b) | (5)));
        if (a > b) a = (int) (((a & a) - (b << b)));
        if (b >= a && b != 7) return (int) ((5));
        return (int) ((a | (b >>> a)));
    }
    private synchronized static boolean h3(int a) {
        a = (int) (((a >> a) >>> a));
        a = (int) (a);
        if (a <= -100) return true;
        return true;
    }
    private static Object h4(Object p, Object q, int a) {
        if (a == 3) a = h0(a, a);
        if (a < a || a < 7) return q;
        return q;
    }
    private int g0(int a) {
        if (a > f) a = f & 7;
        a = (int) (a);
        if (a != 0) a = (int) ((a <= -100 ? (-70000) : (a == a || a > 7 ? a : a)));
        if (a > -100) return (a & (a > -100 ? a : a));
        return a < 0 ? f : h0(a, f);
    }
    int f;
    A0(Ctx c, int f) { this.f = f; if (f == 99) throw new E0(f); }
    int v(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 3;
        z -= K0.v;
        return ("" + a).length();
    }
    public int i(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 184854331;
        if ((1) == a) throw new E1((int) h1(x * 3L, z));
        for (int i1 = 0; i1 < 5 && !c.out(); i1++) {
            do {
                Runnable r3 = c.fn(x) == null ? null : () -> c.mix(3);
                r3.run();
                a = c.mix(((2) >> a));
            } while (x < (-1) && !c.out());
            c.mix((int) (64165L * y + (-1) >> 25));
        }
        return h0(h0(h2(a, x / 2.0, a), (x - y)), h0(h2(a, x / 2.0, a), (x - y)));
    }
    @Override public String toString() { return f > 0 ? "A0" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 1;
        c.any = null;
        z += ((int[]) c.any).length;
        return U0.m1(c, d - 1, U0.m2(c, d - 1, z, x), h2(a, z / 2.0, a));
    }
}
class A1 extends A0 implements I0 {
    private static int h0(int a, int b) {
        if (b <= 0) b = (int) ((b != a ? (a >= a ? a : a) : (1)));
        b = (int) (a);
        if (a >= 0 && a != 7) return (int) (a);
        return (int) ((a > -100 ? a : (b <= b || a < 7 ? b : b)));
    }
    private static long h1(long w, int a) {
        if (w > a) w = w * 31 + (a != 0 ? a : (1));
        if (a <= 3) a = h0(a, a);
        if (a < a || a < 7) return w * a;
        return w * a;
    }
    private static int h2(int a, double x, int b) {
        if (x < a) x = Math.abs(x) - 1; if (x > 2) b ^= (int) x;
        a = (int) ((a == a ? (a >= 3 ? b : a) : (-70000)));
        if (b < -100) return (int) (a);
        return (int) ((-70000));
    }
    private static boolean h3(int a) {
        if (a > 3) a = (int) (a);
        if (a >= 3 && a < 7) return true;
        return a < 3;
    }
    private static Object h4(Object p, Object q, int a) {
        if (a != -100) a = (int) (a);
        if (a < 3 && a < 7) return p;
        return q;
    }
    private int g0(int a) {
        if (a > f) return f;
        if (a < 3) a = (int) ((a == 3 ? a : (a << a)));
        a = (int) ((-70000));
        if (a == a) return (-1);
        return a < 0 ? f : h0(a, f);
    }
    A1(Ctx c, int f) {
        super(c, c.fuel > 400 ? f : U0.m0(c, 2, f, 1));
        if (f > 5) this.f ^= c.mix(1);
    }
    int v(final Ctx c, final int d, int a) {
        if (a > 2) a += super.v(c, d - 1, a);
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 1;
        if ((2) >= z) {
            switch ((x & 15) + 3) {
            case 3:
                z++;
                x = c.obj(y).v(c, d - 1, y);
                break;
            case 4:
                z += U0.m3(c, d - 1, (h3(a) ? y : a), K0.v);
                break;
            case 5:
                c.arr[z & 7] = I0.help(c, (24204));
                break;
            case 6:
                c.mix(z);
                a++;
                break;
            case 7:
                a += x;
                break;
            case 8:
                c.arr[y & 7] = x;
                break;
            case 9:
                y = K0.v;
                break;
            case 10:
                if ((a != z && (a != y || z == z))) return (int) (72047L * z + x >> 32);
                break;
            }
            for (int i1 = 0; i1 < 5 && !c.out(); i1++) {
                for (int i2 = 0; i2 < 2 && !c.out(); i2++) {
                    c.mix(("" + y).length());
                    c.mix((z << a));
                }
                c.arr[z & 15] = this.v(c, d - 1, a);
            }
            z += Hand.make(c, z).i(c, d, ((6) | (39547)));
        } else {
            z ^= (int) (25281L * y + x >> 4);
            if ((z == z || (x >= a || x < x))) {
                y -= ((7) >> a);
            } else {
                z += Hand.make(c, x).i(c, d, (2));
            }
            Runnable r3 = c.fn(x) == null ? null : () -> c.mix(3);
            r3.run();
        }
        if (z < x) {
            try {
                c.arr[x & 7] = h0((65669), (h3(x) ? (8) : x));
                for (int e : new Range(a & 7, 1)) { z += e; }
                c.any = c.obj(a);
                a += ((int[]) c.any).length;
            } catch (ArrayIndexOutOfBoundsException ex4) {
                do {
                    y += U0.wide(c, d - 1, (long) a, x, a * 3L, x / 2.0, a, x);
                    c.arr[x & 7] = g0((0));
                } while (!(((z < y && x != x) && c.obj(y) instanceof A0)) && !c.out());
                final int q7 = a;
                I0 f6 = (cc7, dd7, pp7) -> {
                    if (dd7 <= 0 || cc7.out()) return q7;
                    int rr7 = pp7 ^ q7;
                    c.mix(h2(h4("p", c.lock, (rr7 & (774245429))).getClass().getName().length(), g0(rr7) / 2.0, h4("p", c.lock, (rr7 & (774245429))).getClass().getName().length()));
                    rr7++;
                    return rr7;
                };
                a ^= f6.i(c, d - 1, y);
                z = (int) (45747L * x + (0) >> 38);
            }
        } else {
            x -= (0);
            final int q9 = y;
            I0 f8 = (cc9, dd9, pp9) -> {
                if (dd9 <= 0 || cc9.out()) return q9;
                int rr9 = pp9 ^ q9;
                rr9++;
                rr9 = (rr9 << rr9);
                return rr9;
            };
            y ^= f8.i(c, d - 1, (-6));
        }
        for (int i10 = 0; i10 < 5 && !c.out(); i10++) {
            switch (z) {
            case 1:
                y -= c.fn(z).i(c, d - 1, (x * a));
                c.arr[x & 7] = U0.m2(c, d - 1, a, (1));
            case 1000:
                a = I0.help(c, (a >>> y));
                break;
            }
        }
        while ((2) < (-3) && !c.out()) {
            switch ("k" + (a & 3)) {
            case "k2":
                y -= U0.m1(c, d - 1, x, y);
                if ((-750019570) >= a) throw new E0(h2(a, a / 2.0, a));
                break;
            case "k3":
                c.mix((c.obj(a).f + (x | z)));
                x -= h4("p", c.lock, a).getClass().getName().length();
                break;
            case "k4":
                z = z;
                break;
            default:
                c.arr[z & 7] = g0(z);
                c.arr[a & 7] = U0.m3(c, d - 1, x, (27235));
            }
            L12: {
                final int q14 = a;
                I0 f13 = (cc14, dd14, pp14) -> {
                    if (dd14 <= 0 || cc14.out()) return q14;
                    int rr14 = pp14 ^ q14;
                    c.mix((rr14 | rr14));
                    return rr14;
                };
                a ^= f13.i(c, d - 1, x);
                z += ("<" + c.obj(z) + new Key(c, z) + ">").length();
                do {
                    c.mix(h0(z, z));
                    if ((0) != y) continue;
                } while (c.obj(a) instanceof A1 && !c.out());
                if ((3) == z) break L12;
                y -= c.fn(z).twice(c, d - 1, x);
                x++;
                while ((-1067544783) < (678969790) && !c.out()) {
                    y += (int) h1(U0.m2(c, d - 1, x, x) * 3L, y);
                }
            }
            for (int i17 = 0; i17 < 5 && !c.out(); i17++) {
                try {
                    if (z == (1)) throw new E0((a & x));
                } catch (NullPointerException ex18) {
                    y -= (a * a);
                    y++;
                    c.mix(c.mix(a));
                } catch (E1 ex19) {
                    z = g0(x);
                    if (a != z) return (int) h1(a * 3L, x);
                    a = (h0(z, z) ^ y);
                }
            }
        }
        return (x + (-1));
    }
    @Override public String toString() { return f > 0 ? "A1" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 0;
        do {
            while (c.obj(y) instanceof A1 && !c.out()) {
                z = h0(I0.help(c, (h3(a) ? a : a)), I0.help(c, (h3(a) ? a : a)));
                c.mix((h0(x, x) * (7)));
            }
        } while (y >= a && !c.out());
        return (!((0) == y) ? (y - a) : z);
    }
}
final class K0 {
    static int v;
    static {
        int s = 0;
        s = I0.help(new Ctx(20, 4), 3) & 255;
        v = s;
    }
}
final class Make {
    static A0[] objs(Ctx c, int salt) {
        return new A0[] {new A0(c, salt + 0)};
    }
    static int two(Ctx c, int d, int a) { return d <= 0 || c.out() ? a : c.obj(a).v(c, d - 1, a); }
    static I0[] fns(Ctx k, int salt) { return new I0[] {Hand.make(k, salt), null, (c, d, a) -> a * 7}; }
}
final class U0 {
    private static int h0(int a, int b) {
        b = (int) (((a * b) - (b | b)));
        if (a > -100 || a < 7) a = (int) (((b != b ? a : b) << (b < a ? b : a)));
        if (b < -100) return (int) (((a >> b) & (65535)));
        return (int) ((5));
    }
    private static long h1(long w, int a) {
        if (w > a) w = w * 31 + (a > 3 ? (a & a) : a);
        a = (int) (a);
        if (a != 3 || a < 7) return w + (5);
        return w + (5);
    }
    private static int h2(int a, double x, int b) {
        if (x < a) x = Math.max(x, a) - 1; if (x > 2) b ^= (int) x;
        if (a == 3 && b != 7) b = (int) (b);
        if (b > b || b > 7) return (int) (((65535) << (b ^ b)));
        return (int) (a);
    }
    private static boolean h3(int a) {
        if (a == 0) a = h0(a, a);
        if (a <= a) a = (int) ((a < a ? (a >>> a) : a));
        a = (int) (a);
        if (a >= 3) return true;
        return true;
    }
    private static Object h4(Object p, Object q, int a) {
        a = (int) ((65535));
        if (a <= -100 || a < 7) return q; else a = (int) (((a >> a) ^ a));
        if (a != 0 && a != 7) return q;
        return p;
    }
    static int wide(final Ctx c, final int d, long w1, int w2, long w3, double w4, int w5, int w6) {
        int a = (int) (w1 ^ w3) + w2, b = w4 > w2 ? w5 : w6;
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 0;
        c.mix(K0.v);
        return K0.v;
    }
    static int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 2;
        switch ("k" + (z & 3)) {
        case "k4":
            try {
                try {
                    b ^= (Integer) U0.class.getDeclaredMethod("m2", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, z, x);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                } catch (ReflectiveOperationException e) {
                    b--;
                }
                if (x != (2)) throw new E1(b);
            } finally {
                b += Hand.make(c, y).i(c, d, ((592523498) >> (b ^ b)));
            }
            switch ("k" + (z & 3)) {
            case "k0":
                c.arr[b & 15] = h0(y, y);
                if (a <= x) return (y & y);
                break;
            case "k4":
                c.arr[a & 7] = h4("p", c.lock, b).getClass().getName().length();
                break;
            case "k1":
                x = a;
            }
            break;
        case "k1":
            b -= h0((-44587), (-44587));
            synchronized (c.lock) {
                if (!(b > (10))) {
                    a = a;
                    if (c.obj(b) instanceof A0) return h0(h0((-47282), (-47282)), h0((-47282), (-47282)));
                } else {
                    if ((a & 3) == 0) throw new E0(c.fn((1)).twice(c, d - 1, z));
                }
                a -= U0.m1(c, d - 1, y, a);
                b = h2(y, a / 2.0, y);
            }
            break;
        case "k3":
            try {
                z ^= (Integer) U0.class.getDeclaredMethod("m0", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, (3), I0.help(c, (1)));
            } catch (java.lang.reflect.InvocationTargetException e) {
                c.mix(e.getCause().getClass().getName().length());
            } catch (ReflectiveOperationException e) {
                z--;
            }
            a += U0.m0(c, d - 1, y, (3));
            break;
        default:
            if (c.obj(x) instanceof A1) {
                synchronized (c.lock) {
                    if (x > x) return h2(U0.m3(c, d - 1, x, z), (0) / 2.0, U0.m3(c, d - 1, x, z));
                    y = (a - x);
                }
                z += new A0(c, z).v(c, d - 1, a);
            }
            try {
                switch ((x & 15) + -2) {
                case -2:
                    c.arr[x & 7] = (int) h1(a * 3L, b);
                    break;
                case -1:
                    c.arr[y & 7] = y;
                    b += h0(b, b);
                    break;
                case 0:
                    x = h0(x, x);
                    break;
                case 1:
                    b += (h3(z) ? y : z);
                    a = c.obj(((3) ^ (2))).v(c, d - 1, x);
                    break;
                case 2:
                    c.mix(c.fn((3)).twice(c, d - 1, x));
                    x -= (z >>> y);
                    break;
                case 3:
                    c.mix((y << a));
                    if (y == b) throw new E0((h3(a) ? U0.m2(c, d - 1, x, a) : a));
                    break;
                case 4:
                    b += U0.wide(c, d - 1, (long) U0.m2(c, d - 1, (16955), (a & a)), (3), U0.m2(c, d - 1, (16955), (a & a)) * 3L, (3) / 2.0, U0.m2(c, d - 1, (16955), (a & a)), (3));
                    break;
                case 5:
                    b = U0.m2(c, d - 1, (-1), b);
                default:
                    a = c.fn(a).twice(c, d - 1, y);
                }
                if ((-44586) == x) throw new E0(x);
            } catch (E0 ex1) {
                final int q3 = a;
                I0 f2 = (cc3, dd3, pp3) -> {
                    if (dd3 <= 0 || cc3.out()) return q3;
                    int rr3 = pp3 ^ q3;
                    rr3 += (rr3 >>> (rr3 / (rr3 | 1)));
                    c.arr[rr3 & 7] = (rr3 / (rr3 | 1));
                    return rr3;
                };
                a ^= f2.i(c, d - 1, z);
                if (c.obj(z) instanceof A1) throw ex1;
            } finally {
                x += ("<" + c.obj(z) + new Key(c, x) + ">").length();
                if (x >= (12072)) {
                    a = c.maybe.f;
                    z -= (z ^ z);
                    z ^= c.fn(K0.v).i(c, d - 1, a);
                } else {
                    c.arr[y & 7] = h0((2), a);
                }
            }
        }
        return (c.obj(x).f + (int) h1((30666) * 3L, a));
    }
    static int m1(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 674394719;
        for (int i1 = 0; i1 < 3 && !c.out(); i1++) {
            try {
                if ((c.obj(x) instanceof A1 || b > z)) {
                    try {
                        b = y;
                        x = (a | (2));
                        if ((a & 4) == 0) throw new E1(y);
                    } catch (NullPointerException ex2) {
                        c.mix((h3(y) ? (-1) : y));
                        c.arr[x & 7] = (x ^ a);
                        c.mix((int) (79231L * z + b >> 31));
                    } catch (ArrayIndexOutOfBoundsException ex3) {
                        c.arr[z & 15] = ((3) | (int) (98422L * a + a >> 6));
                        if (c.obj(z) instanceof A1) return (-1);
                        if ((-2) > (2)) throw ex3;
                    } catch (ClassCastException ex4) {
                        b = h0(x, x);
                        c.mix(c.arr[(-62101) & 7]);
                    } finally {
                        a -= c.maybe.f;
                        y ^= c.arr[a & 7];
                    }
                    for (int e : new Range(4, 2)) { b += e; if (c.out()) break; }
                }
                for (int i5 = 0; i5 < 5 && !c.out(); i5++) {
                    switch ((19)) {
                    case -2147483648:
                        x -= h4("p", c.lock, (int) h1((0) * 3L, (0))).getClass().getName().length();
                        c.mix(z);
                    case 3:
                        c.mix(c.maybe.f);
                        break;
                    case 1000:
                        c.arr[z & 15] = b;
                        break;
                    case 65536:
                        a ^= h0(z, z);
                        break;
                    }
                    if (!(!(x != b))) {
                        z += b;
                    } else {
                        y += ((12) > z ? (int) (20755L * (7) + b >> 5) : a);
                        x -= y;
                    }
                }
                List<Integer> l6 = new ArrayList<>(Arrays.asList(x, (-842472654)));
                Collections.sort(l6, (p, q) -> (p & 15) < (q & 15) ? -1 : (p & 15) > (q & 15) ? 1 : 0);
                for (int e : l6) x ^= e;
            } catch (E1 ex8) {
                final int q10 = b;
                I0 f9 = (cc10, dd10, pp10) -> {
                    if (dd10 <= 0 || cc10.out()) return q10;
                    int rr10 = pp10 ^ q10;
                    c.arr[rr10 & 7] = ("" + (1)).length();
                    return rr10;
                };
                b ^= f9.i(c, d - 1, a);
                b = ((1) << I0.help(c, x));
            }
        }
        b -= I0.help(c, (2));
        while (a != (-65185) && !c.out()) {
            z -= h4("p", c.lock, z).getClass().getName().length();
        }
        x += new A0(c, (3)).v(c, d - 1, y);
        do {
            synchronized (c.lock) {
                List<Integer> l13 = new ArrayList<>(Arrays.asList((b >> b), (3), x, a));
                Collections.sort(l13, (p, q) -> (p & 15) < (q & 15) ? -1 : (p & 15) > (q & 15) ? 1 : 0);
                for (int e : l13) z ^= e;
            }
            do {
                synchronized (c.lock) {
                    Runnable r16 = c.fn(z) == null ? null : () -> c.mix(3);
                    r16.run();
                }
                c.any = "s" + a;
                a += (c.any instanceof int[] ? 3 : c.any.toString().length());
            } while ((3) != y && !c.out());
        } while (x > (7) && !c.out());
        return (y % (c.fn(a).i(c, d - 1, y) & 3));
    }
    static int m2(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 7;
        Map<Key, Integer> m1 = new HashMap<>();
        for (int i2 = 0; i2 < 3; i2++) m1.put(new Key(c, (b + i2) % 5), i2);
        b += m1.size() + (m1.containsKey(new Key(c, 2)) ? 1 : 2);
        synchronized (c.lock) {
            do {
                c.mix(c.arr[h0(z, U0.wide(c, d - 1, (long) x, y, x * 3L, y / 2.0, x, y)) & 7]);
                z ^= h0(b, y);
            } while (!((y > a && c.obj(x) instanceof A1)) && !c.out());
            try {
                z = U0.wide(c, d - 1, (long) x, (7), x * 3L, (7) / 2.0, x, (7));
                c.arr[a & 7] = h0((-1), (-1));
                if (z <= x) {
                    for (int i4 = 0; i4 < 3 && !c.out(); i4++) {
                        z ^= (x * z);
                        b = h0(x, x);
                        x = (x >> x);
                    }
                }
            } finally {
                L5: {
                    try {
                        a = (z + a);
                        c.arr[x & 7] = U0.m0(c, d - 1, x, z);
                        if ((x <= z || y != b)) return (y + (411775979));
                        if (!(a >= z)) throw new E0(z);
                    } catch (E1 ex6) {
                        c.mix(U0.m0(c, d - 1, y, a));
                        y++;
                        a ^= K0.v;
                    } catch (IllegalStateException ex7) {
                        x = x;
                        c.arr[y & 7] = a;
                    }
                    synchronized (c.lock) {
                        c.arr[y & 7] = (int) h1(a * 3L, (433620355));
                        c.mix(U0.m1(c, d - 1, a, h0((b * y), a)));
                        c.arr[y & 7] = a;
                    }
                    switch ((x & 15) + 3) {
                    case 3:
                        a ^= c.obj(U0.m2(c, d - 1, (17), ((-14) - (3)))).f;
                        break;
                    case 4:
                        b ^= b;
                        c.arr[b & 15] = h4("p", c.lock, x).getClass().getName().length();
                    case 5:
                        x = I0.help(c, y);
                    case 6:
                        y = c.fn(c.obj(x).v(c, d - 1, a)).i(c, d - 1, (3));
                        x -= a;
                        break;
                    case 7:
                        c.mix((y + b));
                    case 8:
                        x += (int) h1(x * 3L, c.obj(y).v(c, d - 1, z));
                        z += (int) h1(y * 3L, ("" + I0.help(c, a)).length());
                        break;
                    case 9:
                        x = a;
                        z++;
                        break;
                    case 10:
                        c.mix(h2(x, (1) / 2.0, x));
                        a ^= a;
                        break;
                    default:
                        x = c.fn(b).twice(c, d - 1, (x * z));
                        b += (int) h1((263255050) * 3L, c.fn(a).twice(c, d - 1, c.fn(b).twice(c, d - 1, a)));
                    }
                    if (!(a > a)) break L5;
                    if (((c.obj(x) instanceof A1 || (-1) < y) && (c.obj(x) instanceof A0 || (7) > (2)))) {
                        x += z;
                        z = U0.m0(c, d - 1, (7), (3));
                    }
                }
            }
        }
        try {
            if (y != a) {
                List<Integer> l8 = new ArrayList<>(Arrays.asList((1), a, z, ((7) ^ a)));
                final int m9 = x;
                Collections.sort(l8, new Comparator<Integer>() {
                    @Override public int compare(Integer p, Integer q) { if (m9 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
                });
                for (int e : l8) x ^= e;
                c.mix(((3) > z ? (-1) : (2)));
            } else {
                Map<Key, Integer> m10 = new TreeMap<>();
                for (int i11 = 0; i11 < 8; i11++) m10.put(new Key(c, (x + i11) % 5), i11);
                x += m10.size() + (m10.containsKey(new Key(c, 2)) ? 1 : 2);
                try {
                    while (!(b <= (7)) && !c.out()) {
                        if (((x & 6) != 0 || (y & 3) == 0)) throw new E0(y);
                        b++;
                        c.arr[x & 7] = ((z * x) + b);
                    }
                    a ^= c.fn((-62894)).i(c, d - 1, b);
                } catch (ArithmeticException ex13) {
                    c.mix(a);
                } catch (IllegalStateException ex14) {
                    for (int e : new Range(a & 7, 1)) { a += e; }
                    switch ((x & 15) + -2) {
                    case -2:
                        y -= U0.m3(c, d - 1, y, b);
                        break;
                    case -1:
                        b = U0.m0(c, d - 1, z, y);
                        x ^= (h3(z) ? x : z);
                        break;
                    case 0:
                        if (c.obj(z) instanceof A0) return ((1272997076) ^ h2(x, x / 2.0, x));
                        break;
                    case 1:
                        a += U0.m3(c, d - 1, b, x);
                    case 2:
                        b = (a / (z | 1));
                        y++;
                        break;
                    case 3:
                        x += (h3(a) ? x : a);
                        break;
                    case 4:
                        b += (int) (22104L * y + (1) >> 35);
                    case 5:
                        if (y == a) return h2(I0.help(c, b), y / 2.0, I0.help(c, b));
                        a = (int) (9669L * (1) + h4("p", c.lock, (3)).getClass().getName().length() >> 14);
                        break;
                    default:
                        y ^= h2((8), U0.m2(c, d - 1, (y ^ b), x) / 2.0, (8));
                        c.mix(U0.m2(c, d - 1, x, x));
                    }
                    while (a >= y && !c.out()) {
                        c.mix(h2(b, x / 2.0, b));
                        x ^= h0(a, a);
                        c.arr[z & 7] = U0.m2(c, d - 1, x, (0));
                    }
                }
            }
            Runnable r16 = c.fn(z) == null ? null : () -> c.mix(3);
            r16.run();
        } catch (ArithmeticException ex17) {
            z -= U0.m1(c, d - 1, (-1), y);
        }
        return (z >> h2((0), (3) / 2.0, (0)));
    }
    static synchronized int m3(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 0;
        if ((3) <= y) {
            if (b >= b) {
                do {
                    for (int e : new Range(4, 2)) { b += e; }
                    y += new A1(c, b).v(c, d - 1, (1));
                } while ((c.obj(y) instanceof A0 && b < (3)) && !c.out());
                c.arr[z & 7] = h4("p", c.lock, U0.m2(c, d - 1, y, (z + (7)))).getClass().getName().length();
            } else {
                if (x >= y) return h0(x, x);
                try {
                    c.mix(((I0.help(c, y) >> a) + z));
                    if ((a <= y && (-13557) < z)) throw new E0(y);
                } catch (ArrayIndexOutOfBoundsException ex2) {
                    Runnable r3 = c.fn(b) == null ? null : () -> c.mix(3);
                    r3.run();
                } catch (E0 ex4) {
                    b += ((x % (x & 3)) * z);
                    try {
                        z += c.mix((9));
                        c.mix(h0(U0.m0(c, d - 1, y, z), z));
                        c.mix(a);
                        if (y <= a) throw new E1(b);
                    } catch (ClassCastException ex5) {
                        b = b;
                    }
                    switch ((a & 3) + 3) {
                    case 3:
                        b = (b % (a | 1));
                        a += (z >>> a);
                        break;
                    case 4:
                        if (c.obj(b) instanceof A1) throw new E1(h4("p", c.lock, (0)).getClass().getName().length());
                        y = h0(z, z);
                        break;
                    default:
                        a = (int) (42145L * z + x >> 4);
                    }
                }
            }
            switch ((b & 3) + -2) {
            case -2:
                a += (int) h1((0) * 3L, a);
                List<Integer> l6 = new ArrayList<>(Arrays.asList(b, z, z, x, x, U0.m2(c, d - 1, a, b)));
                Collections.sort(l6, (p, q) -> (p & 15) < (q & 15) ? -1 : (p & 15) > (q & 15) ? 1 : 0);
                for (int e : l6) x ^= e;
                break;
            case -1:
                if ((y & 3) == 0) throw new E1(x);
            }
        }
        for (int e : new Range(y & 7, 1)) { x += e; if (c.out()) break; }
        return h2(z, a / 2.0, z);
    }
    static int huge(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a;
        switch ((a & 0x7ff)) {
        case 0: b ^= 0;
        case 3: b -= 1; break;
        case 6: b += 2; break;
        case 9: b -= 3;
        case 12: b += 4; break;
        case 15: b -= 5; break;
        case 18: b ^= 6;
        case 21: b += 7; break;
        case 24: b -= 8; break;
        case 27: b -= 9;
        case 30: b -= 10; break;
        case 33: b -= 11; break;
        case 36: b += 12;
        case 39: b += 13; break;
        case 42: b += 14; break;
        case 45: b += 15;
        case 48: b += 16; break;
        case 51: b ^= 17; break;
        case 54: b += 18;
        case 57: b ^= 19; break;
        case 60: b ^= 20; break;
        case 63: b ^= 21;
        case 66: b ^= 22; break;
        case 69: b -= 23; break;
        case 72: b += 24;
        case 75: b -= 25; break;
        case 78: b += 26; break;
        case 81: b += 27;
        case 84: b ^= 28; break;
        case 87: b += 29; break;
        case 90: b += 30;
        case 93: b ^= 31; break;
        case 96: b += 32; break;
        case 99: b -= 33;
        case 102: b -= 34; break;
        case 105: b += 35; break;
        case 108: b ^= 36;
        case 111: b -= 37; break;
        case 114: b += 38; break;
        case 117: b ^= 39;
        case 120: b ^= 40; break;
        case 123: b -= 41; break;
        case 126: b -= 42;
        case 129: b ^= 43; break;
        case 132: b ^= 44; break;
        case 135: b ^= 45;
        case 138: b -= 46; break;
        case 141: b += 47; break;
        case 144: b += 48;
        case 147: b -= 49; break;
        case 150: b ^= 50; break;
        case 153: b -= 51;
        case 156: b += 52; break;
        case 159: b += 53; break;
        case 162: b += 54;
        case 165: b += 55; break;
        case 168: b -= 56; break;
        case 171: b += 57;
        case 174: b += 58; break;
        case 177: b ^= 59; break;
        case 180: b -= 60;
        case 183: b -= 61; break;
        case 186: b += 62; break;
        case 189: b += 63;
        case 192: b += 64; break;
        case 195: b -= 65; break;
        case 198: b += 66;
        case 201: b += 67; break;
        case 204: b ^= 68; break;
        case 207: b -= 69;
        case 210: b += 70; break;
        case 213: b += 71; break;
        case 216: b += 72;
        case 219: b += 73; break;
        case 222: b -= 74; break;
        case 225: b += 75;
        case 228: b -= 76; break;
        case 231: b += 77; break;
        case 234: b -= 78;
        case 237: b ^= 79; break;
        case 240: b -= 80; break;
        case 243: b -= 81;
        case 246: b -= 82; break;
        case 249: b -= 83; break;
        case 252: b ^= 84;
        case 255: b ^= 85; break;
        case 258: b -= 86; break;
        case 261: b -= 87;
        case 264: b += 88; break;
        case 267: b -= 89; break;
        case 270: b ^= 90;
        case 273: b -= 91; break;
        case 276: b ^= 92; break;
        case 279: b += 93;
        case 282: b ^= 94; break;
        case 285: b ^= 95; break;
        case 288: b ^= 96;
        case 291: b ^= 97; break;
        case 294: b -= 98; break;
        case 297: b ^= 99;
        case 300: b += 100; break;
        case 303: b -= 101; break;
        case 306: b -= 102;
        case 309: b ^= 103; break;
        case 312: b += 104; break;
        case 315: b += 105;
        case 318: b ^= 106; break;
        case 321: b -= 107; break;
        case 324: b -= 108;
        case 327: b -= 109; break;
        case 330: b += 110; break;
        case 333: b -= 111;
        case 336: b -= 112; break;
        case 339: b += 113; break;
        case 342: b ^= 114;
        case 345: b += 115; break;
        case 348: b += 116; break;
        case 351: b += 117;
        case 354: b -= 118; break;
        case 357: b -= 119; break;
        case 360: b -= 120;
        case 363: b ^= 121; break;
        case 366: b += 122; break;
        case 369: b -= 123;
        case 372: b ^= 124; break;
        case 375: b += 125; break;
        case 378: b += 126;
        case 381: b += 127; break;
        case 384: b ^= 128; break;
        case 387: b ^= 129;
        case 390: b -= 130; break;
        case 393: b ^= 131; break;
        case 396: b ^= 132;
        case 399: b += 133; break;
        case 402: b += 134; break;
        case 405: b += 135;
        case 408: b += 136; break;
        case 411: b += 137; break;
        case 414: b += 138;
        case 417: b += 139; break;
        case 420: b -= 140; break;
        case 423: b -= 141;
        case 426: b ^= 142; break;
        case 429: b -= 143; break;
        case 432: b ^= 144;
        case 435: b ^= 145; break;
        case 438: b += 146; break;
        case 441: b -= 147;
        case 444: b ^= 148; break;
        case 447: b += 149; break;
        case 450: b += 150;
        case 453: b ^= 151; break;
        case 456: b += 152; break;
        case 459: b += 153;
        case 462: b ^= 154; break;
        case 465: b ^= 155; break;
        case 468: b -= 156;
        case 471: b ^= 157; break;
        case 474: b += 158; break;
        case 477: b -= 159;
        case 480: b += 160; break;
        case 483: b -= 161; break;
        case 486: b += 162;
        case 489: b -= 163; break;
        case 492: b -= 164; break;
        case 495: b ^= 165;
        case 498: b ^= 166; break;
        case 501: b -= 167; break;
        case 504: b ^= 168;
        case 507: b ^= 169; break;
        case 510: b += 170; break;
        case 513: b ^= 171;
        case 516: b -= 172; break;
        case 519: b ^= 173; break;
        case 522: b ^= 174;
        case 525: b ^= 175; break;
        case 528: b ^= 176; break;
        case 531: b += 177;
        case 534: b -= 178; break;
        case 537: b += 179; break;
        case 540: b -= 180;
        case 543: b += 181; break;
        case 546: b ^= 182; break;
        case 549: b -= 183;
        case 552: b ^= 184; break;
        case 555: b += 185; break;
        case 558: b ^= 186;
        case 561: b -= 187; break;
        case 564: b += 188; break;
        case 567: b += 189;
        case 570: b ^= 190; break;
        case 573: b ^= 191; break;
        case 576: b ^= 192;
        case 579: b ^= 193; break;
        case 582: b += 194; break;
        case 585: b ^= 195;
        case 588: b += 196; break;
        case 591: b ^= 197; break;
        case 594: b -= 198;
        case 597: b += 199; break;
        case 600: b += 200; break;
        case 603: b ^= 201;
        case 606: b += 202; break;
        case 609: b -= 203; break;
        case 612: b -= 204;
        case 615: b ^= 205; break;
        case 618: b += 206; break;
        case 621: b -= 207;
        case 624: b += 208; break;
        case 627: b ^= 209; break;
        case 630: b += 210;
        case 633: b += 211; break;
        case 636: b -= 212; break;
        case 639: b ^= 213;
        case 642: b ^= 214; break;
        case 645: b += 215; break;
        case 648: b += 216;
        case 651: b -= 217; break;
        case 654: b ^= 218; break;
        case 657: b ^= 219;
        case 660: b += 220; break;
        case 663: b += 221; break;
        case 666: b -= 222;
        case 669: b += 223; break;
        case 672: b ^= 224; break;
        case 675: b ^= 225;
        case 678: b -= 226; break;
        case 681: b += 227; break;
        case 684: b += 228;
        case 687: b += 229; break;
        case 690: b -= 230; break;
        case 693: b += 231;
        case 696: b += 232; break;
        case 699: b += 233; break;
        case 702: b -= 234;
        case 705: b -= 235; break;
        case 708: b -= 236; break;
        case 711: b ^= 237;
        case 714: b ^= 238; break;
        case 717: b ^= 239; break;
        case 720: b += 240;
        case 723: b -= 241; break;
        case 726: b += 242; break;
        case 729: b += 243;
        case 732: b += 244; break;
        case 735: b -= 245; break;
        case 738: b ^= 246;
        case 741: b -= 247; break;
        case 744: b ^= 248; break;
        case 747: b ^= 249;
        case 750: b ^= 250; break;
        case 753: b -= 251; break;
        case 756: b ^= 252;
        case 759: b ^= 253; break;
        case 762: b += 254; break;
        case 765: b += 255;
        case 768: b ^= 256; break;
        case 771: b -= 257; break;
        case 774: b ^= 258;
        case 777: b ^= 259; break;
        case 780: b += 260; break;
        case 783: b += 261;
        case 786: b -= 262; break;
        case 789: b ^= 263; break;
        case 792: b += 264;
        case 795: b -= 265; break;
        case 798: b ^= 266; break;
        case 801: b ^= 267;
        case 804: b += 268; break;
        case 807: b ^= 269; break;
        case 810: b -= 270;
        case 813: b += 271; break;
        case 816: b -= 272; break;
        case 819: b += 273;
        case 822: b += 274; break;
        case 825: b ^= 275; break;
        case 828: b -= 276;
        case 831: b ^= 277; break;
        case 834: b -= 278; break;
        case 837: b ^= 279;
        case 840: b ^= 280; break;
        case 843: b -= 281; break;
        case 846: b -= 282;
        case 849: b -= 283; break;
        case 852: b += 284; break;
        case 855: b += 285;
        case 858: b ^= 286; break;
        case 861: b -= 287; break;
        case 864: b += 288;
        case 867: b -= 289; break;
        case 870: b ^= 290; break;
        case 873: b ^= 291;
        case 876: b -= 292; break;
        case 879: b += 293; break;
        case 882: b ^= 294;
        case 885: b += 295; break;
        case 888: b ^= 296; break;
        case 891: b ^= 297;
        case 894: b -= 298; break;
        case 897: b ^= 299; break;
        case 900: b -= 300;
        case 903: b -= 301; break;
        case 906: b ^= 302; break;
        case 909: b ^= 303;
        case 912: b -= 304; break;
        case 915: b ^= 305; break;
        case 918: b ^= 306;
        case 921: b ^= 307; break;
        case 924: b += 308; break;
        case 927: b -= 309;
        case 930: b ^= 310; break;
        case 933: b += 311; break;
        case 936: b += 312;
        case 939: b ^= 313; break;
        case 942: b += 314; break;
        case 945: b -= 315;
        case 948: b -= 316; break;
        case 951: b ^= 317; break;
        case 954: b -= 318;
        case 957: b += 319; break;
        case 960: b ^= 320; break;
        case 963: b -= 321;
        case 966: b -= 322; break;
        case 969: b += 323; break;
        case 972: b ^= 324;
        case 975: b -= 325; break;
        case 978: b += 326; break;
        case 981: b -= 327;
        case 984: b ^= 328; break;
        case 987: b ^= 329; break;
        case 990: b += 330;
        case 993: b += 331; break;
        case 996: b ^= 332; break;
        case 999: b += 333;
        case 1002: b ^= 334; break;
        case 1005: b += 335; break;
        case 1008: b ^= 336;
        case 1011: b += 337; break;
        case 1014: b += 338; break;
        case 1017: b -= 339;
        case 1020: b += 340; break;
        case 1023: b ^= 341; break;
        case 1026: b ^= 342;
        case 1029: b += 343; break;
        case 1032: b -= 344; break;
        case 1035: b += 345;
        case 1038: b ^= 346; break;
        case 1041: b ^= 347; break;
        case 1044: b ^= 348;
        case 1047: b += 349; break;
        case 1050: b -= 350; break;
        case 1053: b ^= 351;
        case 1056: b ^= 352; break;
        case 1059: b -= 353; break;
        case 1062: b -= 354;
        case 1065: b ^= 355; break;
        case 1068: b -= 356; break;
        case 1071: b ^= 357;
        case 1074: b -= 358; break;
        case 1077: b += 359; break;
        case 1080: b += 360;
        case 1083: b -= 361; break;
        case 1086: b ^= 362; break;
        case 1089: b -= 363;
        case 1092: b += 364; break;
        case 1095: b -= 365; break;
        case 1098: b ^= 366;
        case 1101: b ^= 367; break;
        case 1104: b ^= 368; break;
        case 1107: b -= 369;
        case 1110: b ^= 370; break;
        case 1113: b ^= 371; break;
        case 1116: b ^= 372;
        case 1119: b += 373; break;
        case 1122: b += 374; break;
        case 1125: b += 375;
        case 1128: b -= 376; break;
        case 1131: b += 377; break;
        case 1134: b -= 378;
        case 1137: b -= 379; break;
        case 1140: b -= 380; break;
        case 1143: b ^= 381;
        case 1146: b -= 382; break;
        case 1149: b ^= 383; break;
        case 1152: b += 384;
        case 1155: b -= 385; break;
        case 1158: b ^= 386; break;
        case 1161: b += 387;
        case 1164: b ^= 388; break;
        case 1167: b ^= 389; break;
        case 1170: b -= 390;
        case 1173: b -= 391; break;
        case 1176: b ^= 392; break;
        case 1179: b += 393;
        case 1182: b -= 394; break;
        case 1185: b -= 395; break;
        case 1188: b ^= 396;
        case 1191: b -= 397; break;
        case 1194: b += 398; break;
        case 1197: b += 399;
        case 1200: b += 400; break;
        case 1203: b -= 401; break;
        case 1206: b -= 402;
        case 1209: b += 403; break;
        case 1212: b += 404; break;
        case 1215: b -= 405;
        case 1218: b -= 406; break;
        case 1221: b -= 407; break;
        case 1224: b -= 408;
        case 1227: b ^= 409; break;
        case 1230: b -= 410; break;
        case 1233: b ^= 411;
        case 1236: b += 412; break;
        case 1239: b ^= 413; break;
        case 1242: b ^= 414;
        case 1245: b -= 415; break;
        case 1248: b -= 416; break;
        case 1251: b -= 417;
        case 1254: b ^= 418; break;
        case 1257: b ^= 419; break;
        case 1260: b -= 420;
        case 1263: b ^= 421; break;
        case 1266: b ^= 422; break;
        case 1269: b += 423;
        case 1272: b += 424; break;
        case 1275: b -= 425; break;
        case 1278: b += 426;
        case 1281: b += 427; break;
        case 1284: b += 428; break;
        case 1287: b ^= 429;
        case 1290: b -= 430; break;
        case 1293: b -= 431; break;
        case 1296: b ^= 432;
        case 1299: b -= 433; break;
        case 1302: b += 434; break;
        case 1305: b ^= 435;
        case 1308: b ^= 436; break;
        case 1311: b += 437; break;
        case 1314: b -= 438;
        case 1317: b ^= 439; break;
        case 1320: b ^= 440; break;
        case 1323: b -= 441;
        case 1326: b ^= 442; break;
        case 1329: b ^= 443; break;
        case 1332: b += 444;
        case 1335: b += 445; break;
        case 1338: b ^= 446; break;
        case 1341: b ^= 447;
        case 1344: b ^= 448; break;
        case 1347: b ^= 449; break;
        case 1350: b -= 450;
        case 1353: b ^= 451; break;
        case 1356: b ^= 452; break;
        case 1359: b += 453;
        case 1362: b ^= 454; break;
        case 1365: b -= 455; break;
        case 1368: b -= 456;
        case 1371: b ^= 457; break;
        case 1374: b += 458; break;
        case 1377: b ^= 459;
        case 1380: b ^= 460; break;
        case 1383: b -= 461; break;
        case 1386: b ^= 462;
        case 1389: b ^= 463; break;
        case 1392: b -= 464; break;
        case 1395: b -= 465;
        case 1398: b += 466; break;
        case 1401: b += 467; break;
        case 1404: b -= 468;
        case 1407: b += 469; break;
        case 1410: b -= 470; break;
        case 1413: b ^= 471;
        case 1416: b += 472; break;
        case 1419: b += 473; break;
        case 1422: b += 474;
        case 1425: b ^= 475; break;
        case 1428: b -= 476; break;
        case 1431: b += 477;
        case 1434: b -= 478; break;
        case 1437: b ^= 479; break;
        case 1440: b += 480;
        case 1443: b += 481; break;
        case 1446: b += 482; break;
        case 1449: b += 483;
        case 1452: b += 484; break;
        case 1455: b += 485; break;
        case 1458: b += 486;
        case 1461: b ^= 487; break;
        case 1464: b += 488; break;
        case 1467: b ^= 489;
        case 1470: b += 490; break;
        case 1473: b += 491; break;
        case 1476: b ^= 492;
        case 1479: b += 493; break;
        case 1482: b ^= 494; break;
        case 1485: b += 495;
        case 1488: b += 496; break;
        case 1491: b += 497; break;
        case 1494: b += 498;
        case 1497: b -= 499; break;
        case 1500: b += 500; break;
        case 1503: b += 501;
        case 1506: b += 502; break;
        case 1509: b += 503; break;
        case 1512: b ^= 504;
        case 1515: b += 505; break;
        case 1518: b += 506; break;
        case 1521: b += 507;
        case 1524: b ^= 508; break;
        case 1527: b += 509; break;
        case 1530: b -= 510;
        case 1533: b += 511; break;
        case 1536: b ^= 512; break;
        case 1539: b -= 513;
        case 1542: b += 514; break;
        case 1545: b ^= 515; break;
        case 1548: b -= 516;
        case 1551: b += 517; break;
        case 1554: b += 518; break;
        case 1557: b -= 519;
        case 1560: b -= 520; break;
        case 1563: b -= 521; break;
        case 1566: b -= 522;
        case 1569: b += 523; break;
        case 1572: b += 524; break;
        case 1575: b += 525;
        case 1578: b += 526; break;
        case 1581: b += 527; break;
        case 1584: b += 528;
        case 1587: b -= 529; break;
        case 1590: b ^= 530; break;
        case 1593: b += 531;
        case 1596: b -= 532; break;
        case 1599: b ^= 533; break;
        case 1602: b ^= 534;
        case 1605: b += 535; break;
        case 1608: b -= 536; break;
        case 1611: b -= 537;
        case 1614: b -= 538; break;
        case 1617: b -= 539; break;
        case 1620: b ^= 540;
        case 1623: b -= 541; break;
        case 1626: b -= 542; break;
        case 1629: b -= 543;
        case 1632: b -= 544; break;
        case 1635: b += 545; break;
        case 1638: b ^= 546;
        case 1641: b ^= 547; break;
        case 1644: b ^= 548; break;
        case 1647: b ^= 549;
        case 1650: b += 550; break;
        case 1653: b += 551; break;
        case 1656: b += 552;
        case 1659: b -= 553; break;
        case 1662: b += 554; break;
        case 1665: b -= 555;
        case 1668: b ^= 556; break;
        case 1671: b -= 557; break;
        case 1674: b -= 558;
        case 1677: b ^= 559; break;
        case 1680: b += 560; break;
        case 1683: b ^= 561;
        case 1686: b ^= 562; break;
        case 1689: b ^= 563; break;
        case 1692: b ^= 564;
        case 1695: b ^= 565; break;
        case 1698: b ^= 566; break;
        case 1701: b -= 567;
        case 1704: b -= 568; break;
        case 1707: b += 569; break;
        case 1710: b -= 570;
        case 1713: b ^= 571; break;
        case 1716: b += 572; break;
        case 1719: b ^= 573;
        case 1722: b += 574; break;
        case 1725: b ^= 575; break;
        case 1728: b += 576;
        case 1731: b -= 577; break;
        case 1734: b -= 578; break;
        case 1737: b ^= 579;
        case 1740: b -= 580; break;
        case 1743: b ^= 581; break;
        case 1746: b -= 582;
        case 1749: b ^= 583; break;
        case 1752: b -= 584; break;
        case 1755: b += 585;
        case 1758: b ^= 586; break;
        case 1761: b ^= 587; break;
        case 1764: b += 588;
        case 1767: b -= 589; break;
        case 1770: b -= 590; break;
        case 1773: b += 591;
        case 1776: b ^= 592; break;
        case 1779: b += 593; break;
        case 1782: b ^= 594;
        case 1785: b += 595; break;
        case 1788: b -= 596; break;
        case 1791: b -= 597;
        case 1794: b -= 598; break;
        case 1797: b -= 599; break;
        case 1800: b += 600;
        case 1803: b ^= 601; break;
        case 1806: b -= 602; break;
        case 1809: b ^= 603;
        case 1812: b ^= 604; break;
        case 1815: b -= 605; break;
        case 1818: b += 606;
        case 1821: b -= 607; break;
        case 1824: b ^= 608; break;
        case 1827: b ^= 609;
        case 1830: b ^= 610; break;
        case 1833: b += 611; break;
        case 1836: b -= 612;
        case 1839: b ^= 613; break;
        case 1842: b += 614; break;
        case 1845: b += 615;
        case 1848: b += 616; break;
        case 1851: b ^= 617; break;
        case 1854: b += 618;
        case 1857: b += 619; break;
        case 1860: b ^= 620; break;
        case 1863: b ^= 621;
        case 1866: b -= 622; break;
        case 1869: b -= 623; break;
        case 1872: b -= 624;
        case 1875: b += 625; break;
        case 1878: b ^= 626; break;
        case 1881: b -= 627;
        case 1884: b += 628; break;
        case 1887: b += 629; break;
        case 1890: b += 630;
        case 1893: b ^= 631; break;
        case 1896: b ^= 632; break;
        case 1899: b += 633;
        case 1902: b += 634; break;
        case 1905: b += 635; break;
        case 1908: b += 636;
        case 1911: b -= 637; break;
        case 1914: b ^= 638; break;
        case 1917: b += 639;
        case 1920: b -= 640; break;
        case 1923: b ^= 641; break;
        case 1926: b -= 642;
        case 1929: b += 643; break;
        case 1932: b -= 644; break;
        case 1935: b ^= 645;
        case 1938: b -= 646; break;
        case 1941: b -= 647; break;
        case 1944: b += 648;
        case 1947: b += 649; break;
        case 1950: b ^= 650; break;
        case 1953: b ^= 651;
        case 1956: b -= 652; break;
        case 1959: b -= 653; break;
        case 1962: b += 654;
        case 1965: b -= 655; break;
        case 1968: b += 656; break;
        case 1971: b -= 657;
        case 1974: b -= 658; break;
        case 1977: b += 659; break;
        case 1980: b += 660;
        case 1983: b -= 661; break;
        case 1986: b ^= 662; break;
        case 1989: b += 663;
        case 1992: b += 664; break;
        case 1995: b += 665; break;
        case 1998: b ^= 666;
        case 2001: b -= 667; break;
        case 2004: b ^= 668; break;
        case 2007: b ^= 669;
        case 2010: b -= 670; break;
        case 2013: b += 671; break;
        case 2016: b ^= 672;
        case 2019: b ^= 673; break;
        case 2022: b -= 674; break;
        case 2025: b -= 675;
        case 2028: b ^= 676; break;
        case 2031: b += 677; break;
        case 2034: b ^= 678;
        case 2037: b += 679; break;
        case 2040: b ^= 680; break;
        case 2043: b += 681;
        case 2046: b ^= 682; break;
        case 2049: b ^= 683; break;
        case 2052: b += 684;
        case 2055: b += 685; break;
        case 2058: b += 686; break;
        case 2061: b -= 687;
        case 2064: b ^= 688; break;
        case 2067: b += 689; break;
        case 2070: b -= 690;
        case 2073: b += 691; break;
        case 2076: b ^= 692; break;
        case 2079: b += 693;
        case 2082: b += 694; break;
        case 2085: b -= 695; break;
        case 2088: b += 696;
        case 2091: b -= 697; break;
        case 2094: b += 698; break;
        case 2097: b -= 699;
        case 2100: b -= 700; break;
        case 2103: b -= 701; break;
        case 2106: b -= 702;
        case 2109: b ^= 703; break;
        case 2112: b ^= 704; break;
        case 2115: b += 705;
        case 2118: b += 706; break;
        case 2121: b += 707; break;
        case 2124: b += 708;
        case 2127: b -= 709; break;
        case 2130: b += 710; break;
        case 2133: b += 711;
        case 2136: b ^= 712; break;
        case 2139: b -= 713; break;
        case 2142: b ^= 714;
        case 2145: b -= 715; break;
        case 2148: b += 716; break;
        case 2151: b += 717;
        case 2154: b ^= 718; break;
        case 2157: b -= 719; break;
        case 2160: b += 720;
        case 2163: b ^= 721; break;
        case 2166: b += 722; break;
        case 2169: b -= 723;
        case 2172: b ^= 724; break;
        case 2175: b -= 725; break;
        case 2178: b -= 726;
        case 2181: b -= 727; break;
        case 2184: b += 728; break;
        case 2187: b -= 729;
        case 2190: b += 730; break;
        case 2193: b += 731; break;
        case 2196: b -= 732;
        case 2199: b ^= 733; break;
        case 2202: b += 734; break;
        case 2205: b += 735;
        case 2208: b += 736; break;
        case 2211: b += 737; break;
        case 2214: b ^= 738;
        case 2217: b += 739; break;
        case 2220: b += 740; break;
        case 2223: b += 741;
        case 2226: b += 742; break;
        case 2229: b += 743; break;
        case 2232: b ^= 744;
        case 2235: b += 745; break;
        case 2238: b += 746; break;
        case 2241: b += 747;
        case 2244: b += 748; break;
        case 2247: b -= 749; break;
        case 2250: b -= 750;
        case 2253: b += 751; break;
        case 2256: b -= 752; break;
        case 2259: b += 753;
        case 2262: b -= 754; break;
        case 2265: b -= 755; break;
        case 2268: b -= 756;
        case 2271: b += 757; break;
        case 2274: b += 758; break;
        case 2277: b ^= 759;
        case 2280: b -= 760; break;
        case 2283: b ^= 761; break;
        case 2286: b -= 762;
        case 2289: b -= 763; break;
        case 2292: b -= 764; break;
        case 2295: b ^= 765;
        case 2298: b ^= 766; break;
        case 2301: b += 767; break;
        case 2304: b += 768;
        case 2307: b -= 769; break;
        case 2310: b ^= 770; break;
        case 2313: b += 771;
        case 2316: b ^= 772; break;
        case 2319: b -= 773; break;
        case 2322: b -= 774;
        case 2325: b += 775; break;
        case 2328: b += 776; break;
        case 2331: b += 777;
        case 2334: b ^= 778; break;
        case 2337: b += 779; break;
        case 2340: b -= 780;
        case 2343: b ^= 781; break;
        case 2346: b += 782; break;
        case 2349: b -= 783;
        case 2352: b += 784; break;
        case 2355: b += 785; break;
        case 2358: b -= 786;
        case 2361: b ^= 787; break;
        case 2364: b -= 788; break;
        case 2367: b += 789;
        case 2370: b ^= 790; break;
        case 2373: b ^= 791; break;
        case 2376: b -= 792;
        case 2379: b ^= 793; break;
        case 2382: b += 794; break;
        case 2385: b -= 795;
        case 2388: b ^= 796; break;
        case 2391: b -= 797; break;
        case 2394: b -= 798;
        case 2397: b += 799; break;
        case 2400: b -= 800; break;
        case 2403: b ^= 801;
        case 2406: b -= 802; break;
        case 2409: b -= 803; break;
        case 2412: b -= 804;
        case 2415: b ^= 805; break;
        case 2418: b ^= 806; break;
        case 2421: b ^= 807;
        case 2424: b += 808; break;
        case 2427: b -= 809; break;
        case 2430: b += 810;
        case 2433: b -= 811; break;
        case 2436: b -= 812; break;
        case 2439: b ^= 813;
        case 2442: b -= 814; break;
        case 2445: b += 815; break;
        case 2448: b += 816;
        case 2451: b -= 817; break;
        case 2454: b += 818; break;
        case 2457: b ^= 819;
        case 2460: b ^= 820; break;
        case 2463: b += 821; break;
        case 2466: b -= 822;
        case 2469: b += 823; break;
        case 2472: b -= 824; break;
        case 2475: b += 825;
        case 2478: b -= 826; break;
        case 2481: b -= 827; break;
        case 2484: b -= 828;
        case 2487: b -= 829; break;
        case 2490: b ^= 830; break;
        case 2493: b ^= 831;
        case 2496: b -= 832; break;
        case 2499: b -= 833; break;
        case 2502: b ^= 834;
        case 2505: b += 835; break;
        case 2508: b ^= 836; break;
        case 2511: b -= 837;
        case 2514: b += 838; break;
        case 2517: b -= 839; break;
        case 2520: b ^= 840;
        case 2523: b ^= 841; break;
        case 2526: b -= 842; break;
        case 2529: b ^= 843;
        case 2532: b += 844; break;
        case 2535: b ^= 845; break;
        case 2538: b -= 846;
        case 2541: b += 847; break;
        case 2544: b ^= 848; break;
        case 2547: b ^= 849;
        case 2550: b -= 850; break;
        case 2553: b += 851; break;
        case 2556: b -= 852;
        case 2559: b ^= 853; break;
        case 2562: b ^= 854; break;
        case 2565: b += 855;
        case 2568: b -= 856; break;
        case 2571: b ^= 857; break;
        case 2574: b -= 858;
        case 2577: b ^= 859; break;
        case 2580: b += 860; break;
        case 2583: b ^= 861;
        case 2586: b += 862; break;
        case 2589: b -= 863; break;
        case 2592: b += 864;
        case 2595: b ^= 865; break;
        case 2598: b -= 866; break;
        case 2601: b ^= 867;
        case 2604: b ^= 868; break;
        case 2607: b -= 869; break;
        case 2610: b ^= 870;
        case 2613: b ^= 871; break;
        case 2616: b += 872; break;
        case 2619: b -= 873;
        case 2622: b ^= 874; break;
        case 2625: b -= 875; break;
        case 2628: b -= 876;
        case 2631: b += 877; break;
        case 2634: b += 878; break;
        case 2637: b += 879;
        case 2640: b -= 880; break;
        case 2643: b += 881; break;
        case 2646: b += 882;
        case 2649: b ^= 883; break;
        case 2652: b ^= 884; break;
        case 2655: b ^= 885;
        case 2658: b ^= 886; break;
        case 2661: b += 887; break;
        case 2664: b -= 888;
        case 2667: b -= 889; break;
        case 2670: b += 890; break;
        case 2673: b += 891;
        case 2676: b += 892; break;
        case 2679: b ^= 893; break;
        case 2682: b += 894;
        case 2685: b += 895; break;
        case 2688: b += 896; break;
        case 2691: b ^= 897;
        case 2694: b -= 898; break;
        case 2697: b -= 899; break;
        case 2700: b -= 900;
        case 2703: b += 901; break;
        case 2706: b ^= 902; break;
        case 2709: b += 903;
        case 2712: b -= 904; break;
        case 2715: b += 905; break;
        case 2718: b -= 906;
        case 2721: b ^= 907; break;
        case 2724: b -= 908; break;
        case 2727: b -= 909;
        case 2730: b += 910; break;
        case 2733: b ^= 911; break;
        case 2736: b += 912;
        case 2739: b ^= 913; break;
        case 2742: b ^= 914; break;
        case 2745: b += 915;
        case 2748: b ^= 916; break;
        case 2751: b -= 917; break;
        case 2754: b += 918;
        case 2757: b ^= 919; break;
        case 2760: b -= 920; break;
        case 2763: b += 921;
        case 2766: b ^= 922; break;
        case 2769: b -= 923; break;
        case 2772: b += 924;
        case 2775: b -= 925; break;
        case 2778: b ^= 926; break;
        case 2781: b -= 927;
        case 2784: b ^= 928; break;
        case 2787: b ^= 929; break;
        case 2790: b -= 930;
        case 2793: b += 931; break;
        case 2796: b += 932; break;
        case 2799: b ^= 933;
        case 2802: b += 934; break;
        case 2805: b += 935; break;
        case 2808: b += 936;
        case 2811: b -= 937; break;
        case 2814: b -= 938; break;
        case 2817: b += 939;
        case 2820: b -= 940; break;
        case 2823: b ^= 941; break;
        case 2826: b ^= 942;
        case 2829: b -= 943; break;
        case 2832: b ^= 944; break;
        case 2835: b ^= 945;
        case 2838: b ^= 946; break;
        case 2841: b += 947; break;
        case 2844: b -= 948;
        case 2847: b ^= 949; break;
        case 2850: b += 950; break;
        case 2853: b ^= 951;
        case 2856: b += 952; break;
        case 2859: b += 953; break;
        case 2862: b ^= 954;
        case 2865: b ^= 955; break;
        case 2868: b += 956; break;
        case 2871: b += 957;
        case 2874: b ^= 958; break;
        case 2877: b ^= 959; break;
        case 2880: b -= 960;
        case 2883: b += 961; break;
        case 2886: b ^= 962; break;
        case 2889: b -= 963;
        case 2892: b += 964; break;
        case 2895: b += 965; break;
        case 2898: b ^= 966;
        case 2901: b += 967; break;
        case 2904: b ^= 968; break;
        case 2907: b -= 969;
        case 2910: b ^= 970; break;
        case 2913: b += 971; break;
        case 2916: b += 972;
        case 2919: b += 973; break;
        case 2922: b -= 974; break;
        case 2925: b ^= 975;
        case 2928: b ^= 976; break;
        case 2931: b -= 977; break;
        case 2934: b ^= 978;
        case 2937: b -= 979; break;
        case 2940: b ^= 980; break;
        case 2943: b += 981;
        case 2946: b -= 982; break;
        case 2949: b ^= 983; break;
        case 2952: b -= 984;
        case 2955: b -= 985; break;
        case 2958: b -= 986; break;
        case 2961: b ^= 987;
        case 2964: b += 988; break;
        case 2967: b ^= 989; break;
        case 2970: b -= 990;
        case 2973: b ^= 991; break;
        case 2976: b += 992; break;
        case 2979: b += 993;
        case 2982: b ^= 994; break;
        case 2985: b += 995; break;
        case 2988: b ^= 996;
        case 2991: b -= 997; break;
        case 2994: b ^= 998; break;
        case 2997: b -= 999;
        }
        return b;
    }
}
public class Main {
    static void one(String name, int which, int salt) {
        Ctx c = null;
        String s;
        try {
            c = new Ctx(900, salt);
            s = "" + root(c, which, salt);
        } catch (RuntimeException | LinkageError e) {
            s = e.getClass().getName();
        }
        out(name, s + " " + (c == null ? 0 : c.h));
    }
    static int root(Ctx c, int which, int salt) {
        switch (which) {
        case 0: return U0.m0(c, 3, salt, 44);
        case 1: return U0.m1(c, 3, salt, 13);
        case 2: return U0.m2(c, 3, salt, 19);
        case 3: return U0.m3(c, 3, salt, -26);
        case 4: return U0.huge(c, 3, salt, 44);
        case 5: return U0.huge(c, 3, salt, 3);
        case 6: return U0.huge(c, 3, salt, 38);
        case 7: return U0.huge(c, 3, salt, 0);
        default: return c.fn(which).i(c, 3, salt);
        }
    }
    static final Map<String, StringBuilder> OUT = new TreeMap<>();
    static void out(String name, String s) {
        synchronized (OUT) {
            StringBuilder b = OUT.get(name);
            b.append(s).append('\n');
        }
    }
    public static void main(String[] args) throws Throwable {
        OUT.put("main", new StringBuilder());
        OUT.put("w0", new StringBuilder());
        OUT.put("w1", new StringBuilder());
        OUT.put("w2", new StringBuilder());
        OUT.put("pool", new StringBuilder());
        one("main", 0, 71);
        one("main", 2, 33);
        one("main", 1, 9);
        Thread[] ts = new Thread[3];
        ts[0] = new Thread("w0") { @Override public void run() { one("w0", 6, 18); one("w0", 6, 37); throw new E1(0); } };
        ts[0].setUncaughtExceptionHandler((th, e) -> out("w0", e.getClass().getName()));
        ts[0].start();
        ts[0].join();
        ts[1] = new Thread("w1") { @Override public void run() { one("w1", 3, 92); } };
        ts[1].setUncaughtExceptionHandler((th, e) -> out("w1", e.getClass().getName()));
        ts[1].start();
        ts[1].join();
        ts[2] = new Thread(() -> { one("w2", 5, -20); one("w2", 4, 27); }, "w2");
        ts[2].start();
        ts[2].join();
        for (Thread t : ts) t.join();
        for (StringBuilder b : OUT.values()) System.out.print(b);
    }
}
