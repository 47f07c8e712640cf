
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
        if (a < a || a > 7) b = (int) ((b >>> (b >>> b)));
        if (b <= 3 || a < 7) a = (int) ((5));
        if (b == -100 || a != 7) return (int) (((5) & b));
        return (int) ((b > -100 ? (a ^ a) : a));
    }
    private static long h1(long w, int a) {
        if (w > a) w = w * 31 + a;
        if (a == 3) a = (int) ((a != a && a > 7 ? a : (a >> a)));
        a = (int) (a);
        if (a != 3 && a > 7) return w ^ (-70000);
        return w * a;
    }
    private static int h2(int a, double x, int b) {
        if (x < a) x = Math.abs(x) - 1; if (x > 2) b ^= (int) x;
        if (b < 0 || a > 7) return (int) ((b - (b * b))); else a = (int) (a);
        if (a <= 3) return (int) (a);
        return (int) (b);
    }
    private static boolean h3(int a) {
        if (a == 3 && a < 7) return false; else a = (int) ((a - (a >>> a)));
        if (a < 0) a = (int) (a);
        if (a == -100 && a != 7) return false;
        return false;
    }
    private static Object h4(Object p, Object q, int a) {
        if (a <= 3 || a < 7) a = h0(a, a);
        if (a <= -100) a = (int) (a);
        if (a <= 3 || a != 7) return q;
        return p;
    }
    private int g0(int a) {
        if (a > f) a -= f;
        if (a >= 0) return a; else a = (int) ((0));
        if (a == 0 && a > 7) return ((a < -100 || a > 7 ? a : a) | a);
        return a < 0 ? f : h0(a, f);
    }
    int f;
    A0(Ctx c, int f) { this.f = f; if (f == 99) throw new E0(f); }
    int v(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 3;
        x += new A2(c, y).v(c, d - 1, (2));
        return U0.m1(c, d - 1, h2(x, (2) / 2.0, x), (7));
    }
    public int i(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = -1;
        z -= (x >>> x);
        try {
            switch ("k" + (z & 3)) {
            case "k2":
                y += ((7) * z);
                x ^= ((h3((-1)) ? a : (-1)) >> a);
                break;
            case "k1":
                a ^= c.obj(z).v(c, d - 1, (-1));
            case "k0":
                c.arr[x & 7] = S.s0(c, d - 1, z, h0((0), (a + x)));
                break;
            default:
                c.arr[x & 15] = (h3((int) h1(y * 3L, a)) ? a : (int) h1(y * 3L, a));
            }
            if (a < x) throw new E1(z);
        } finally {
            x ^= (z < (0) ? y : y);
        }
        return (h4("p", c.lock, y).getClass().getName().length() % (g0((y >> (1))) | 1));
    }
    @Override public String toString() { return f > 0 ? "A0" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 10;
        x += new A0(c, y).v(c, d - 1, z);
        List<Integer> l1 = new ArrayList<>(Arrays.asList((-7), y, (c.obj((3)).v(c, d - 1, z) ^ y), c.fn(y).twice(c, d - 1, y), x));
        final int m2 = x;
        Collections.sort(l1, new Comparator<Integer>() {
            @Override public int compare(Integer p, Integer q) { if (m2 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
        });
        for (int e : l1) x ^= e;
        synchronized (c.lock) {
            L3: {
                c.mix((int) (10344L * a + (3) >> 2));
                c.mix(x);
                if (y < y) break L3;
                c.arr[y & 15] = (7);
                c.mix((z + z));
            }
            if (c.obj(z) instanceof A1) {
                y = h4("p", c.lock, a).getClass().getName().length();
            } else {
                x++;
                z += ("" + x).length();
            }
        }
        return S.s0(c, d - 1, z, (-1));
    }
}
class A1 extends A0 implements I0 {
    private static int h0(int a, int b) {
        a = (int) ((a == -100 ? b : (a < b ? b : b)));
        if (a != a) return (int) ((b <= 3 ? b : (a * a)));
        return (int) (b);
    }
    private static long h1(long w, int a) {
        if (w > a) w = w * 31 + ((a << a) - (a >> a));
        if (a < 3) return w + (a * a); else a = (int) ((5));
        a = (int) (a);
        if (a != -100 && a > 7) a = h0(a, a);
        if (a > 0 || a < 7) return w * (5);
        return w * (-70000);
    }
    private static int h2(int a, double x, int b) {
        if (x < a) x = Math.sqrt(x) - 1; if (x > 2) b ^= (int) x;
        if (a <= a) return (int) (((a & a) * b)); else a = (int) ((b < a ? (b << b) : (a + a)));
        if (a >= 3 && b > 7) return (int) (b);
        return (int) ((a >= 0 ? b : (-1)));
    }
    private synchronized static boolean h3(int a) {
        if (a > -100 && a > 7) a = h0(a, a);
        if (a > 3 && a != 7) return false; else a = (int) ((a < 3 ? (0) : (a == a ? a : a)));
        if (a == -100) return a != -100; else a = h0(a, a);
        if (a <= a) return a < a;
        return false;
    }
    private static Object h4(Object p, Object q, int a) {
        if (a >= 3) return p; else a = (int) ((-70000));
        if (a < 3) a = (int) ((a > a && a != 7 ? (a * a) : (a <= 3 ? a : a)));
        if (a > a) a = (int) (((a >>> a) * a));
        if (a >= 3 || a < 7) return p;
        return p;
    }
    private int g0(int a) {
        if (a > f) return f;
        a = (int) (a);
        if (a < 0 || a < 7) return ((a >>> a) ^ (a & a)); else a = (int) (((a << a) >> (5)));
        if (a < 3) return ((5) - a); else a = h0(a, a);
        if (a != -100) return ((a >> a) << (a != 3 ? a : a));
        return a < 0 ? f : h0(a, f);
    }
    A1(Ctx c, int f) {
        super(c, c.mix(f));
        if (f > 5) this.f ^= c.mix(1);
    }
    int v(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 7;
        a += (c.mix(x) * c.fn(z).i(c, d - 1, (61039)));
        try {
            switch ("k" + (z & 3)) {
            case "k4":
                x += I0.help(c, y);
                break;
            case "k3":
                y++;
                break;
            case "k0":
                z = U0.m1(c, d - 1, U0.wide(c, d - 1, (long) y, z, y * 3L, z / 2.0, y, z), h0(("" + z).length(), (2)));
                y ^= c.obj(x).f;
                break;
            default:
                c.mix((int) h1(z * 3L, (x + h4("p", c.lock, y).getClass().getName().length())));
                x += (((h3(a) ? a : a) % (x | 1)) * (x + y));
            }
            c.any = new int[y & 3];
            y += (c.any instanceof int[] ? 3 : c.any.toString().length());
            if ((-1) == x) throw new E0(a);
        } catch (ClassCastException ex1) {
            try {
                x ^= (Integer) U0.class.getDeclaredMethod("m1", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, (0), (7));
            } catch (java.lang.reflect.InvocationTargetException e) {
                c.mix(e.getCause().getClass().getName().length());
            } catch (ReflectiveOperationException e) {
                x--;
            }
        }
        try {
            if (x != z) {
                Map<Key, Integer> m2 = new HashMap<>();
                for (int i3 = 0; i3 < 7; i3++) m2.put(new Key(c, (z + i3) % 5), i3);
                z += m2.size() + (m2.containsKey(new Key(c, 2)) ? 1 : 2);
            } else {
                List<Integer> l4 = new ArrayList<>(Arrays.asList(c.fn(a).twice(c, d - 1, (h3(y) ? a : y)), a, (-1), a));
                Collections.sort(l4, (p, q) -> (p & 15) < (q & 15) ? -1 : (p & 15) > (q & 15) ? 1 : 0);
                for (int e : l4) z ^= e;
            }
            z += Hand.make(c, a).i(c, d, x);
            y -= h2((1), z / 2.0, (1));
            if (a < x) throw new E0(a);
        } catch (NullPointerException ex6) {
            while (c.obj(z) instanceof A2 && !c.out()) {
                if ((y & 6) != 0) {
                    c.arr[z & 7] = a;
                } else {
                    x = (int) h1((c.obj(x) instanceof A2 ? z : a) * 3L, x);
                }
                synchronized (c.lock) {
                    c.mix(g0((-1)));
                }
                while (x > a && !c.out()) {
                    c.arr[y & 7] = this.v(c, d - 1, z);
                    z += z;
                    if ((((7) == y || !(y >= z)) || z == y)) break;
                }
            }
        }
        return U0.m0(c, d - 1, (int) h1(g0(z) * 3L, a), (int) (45848L * (-18572) + (x != z ? y : x) >> 27));
    }
    @Override public int twice(Ctx c, int d, int a) { return d <= 0 || c.out() ? 1 : super.twice(c, d - 1, a) + 1; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = -1;
        try {
            z = c.fn((0)).i(c, d - 1, x);
            synchronized (c.lock) {
                c.mix(g0(z));
            }
        } catch (IllegalStateException ex1) {
            switch ("k" + (z & 3)) {
            case "k2":
                c.arr[x & 15] = h2(x, z / 2.0, x);
                y -= (int) h1((-41844) * 3L, (3));
                break;
            case "k1":
                c.arr[y & 7] = ((3) + (61968));
                y = z;
            case "k4":
                a++;
                break;
            default:
                c.arr[a & 7] = ((((2) & y) + a) << (0));
                c.mix((h2(z, z / 2.0, z) - x));
            }
        } finally {
            a ^= (2);
            y += Hand.make(c, z).i(c, d, z);
        }
        final int q3 = y;
        I0 f2 = (cc3, dd3, pp3) -> {
            if (dd3 <= 0 || cc3.out()) return q3;
            int rr3 = pp3 ^ q3;
            if (rr3 <= rr3) return c.obj(rr3).v(c, d - 1, U1.m1(c, d - 1, rr3, rr3));
            return rr3;
        };
        y ^= f2.i(c, d - 1, z);
        if (x != (1)) {
            for (int i4 = 0; i4 < 9 && !c.out(); i4++) {
                x -= ("" + (5)).length();
            }
            switch ((x & 3) + -2) {
            case -2:
                c.arr[x & 7] = this.f;
                z += ((1) % ((-1) | 1));
            case -1:
                a += h0((-51764), (-51764));
                x = a;
            }
            y ^= (x << (18));
        } else {
            try {
                a ^= (Integer) U0.class.getDeclaredMethod("m0", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, z, (0));
            } catch (java.lang.reflect.InvocationTargetException e) {
                c.mix(e.getCause().getClass().getName().length());
                if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
            } catch (ReflectiveOperationException e) {
                a--;
            }
            Runnable r5 = c.fn(a) == null ? null : () -> c.mix(3);
            r5.run();
        }
        return c.mix(z);
    }
}
class A2 extends A1 implements I0 {
    private static int h0(int a, int b) {
        if (b < 3 && b > 7) return (int) (((b | a) | a)); else a = (int) (b);
        if (a >= 3) return (int) ((b > 3 || b < 7 ? (b != 3 ? a : a) : (-70000)));
        return (int) ((a == a ? (a >> b) : (b >>> a)));
    }
    private static long h1(long w, int a) {
        if (w > a) w = w * 31 + ((0) >>> (-70000));
        a = (int) (a);
        a = (int) (a);
        if (a <= -100) return w ^ a;
        return w * a;
    }
    private static int h2(int a, double x, int b) {
        if (x < a) x = Math.max(x, a) - 1; if (x > 2) b ^= (int) x;
        if (a >= a) return (int) ((a >>> a)); else a = (int) (b);
        if (b != -100) return (int) ((-1));
        return (int) ((b > 3 ? (0) : a));
    }
    private static boolean h3(int a) {
        if (a > -100) return a <= a; else a = (int) (a);
        if (a <= 0) a = h0(a, a);
        if (a >= 0) return a >= -100;
        return true;
    }
    private static Object h4(Object p, Object q, int a) {
        if (a < 3 && a != 7) a = (int) ((1));
        if (a >= a) a = (int) (((a < 3 ? a : a) & (a + a)));
        if (a < 0) return p;
        return p;
    }
    private int g0(int a) {
        if (a > f) a -= f;
        a = (int) ((65535));
        a = (int) ((-70000));
        if (a == -100) return ((a & a) + (a >>> a)); else a = (int) (((a < 0 ? a : a) << (a ^ a)));
        if (a == 3 && a != 7) return a;
        return a < 0 ? f : h0(a, f);
    }
    A2(Ctx c, int f) {
        super(c, c.mix(f));
        if (f > 5) this.f ^= c.mix(2);
    }
    @Override public int twice(Ctx c, int d, int a) { return d <= 0 || c.out() ? 1 : super.twice(c, d - 1, a) + 1; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = -4;
        c.any = null;
        x += ((int[]) c.any).length;
        return c.mix(a);
    }
}
final class K0 {
    static int v;
    static {
        int s = 0;
        for (int i = 0; i < 5; i++) s += i * 3;
        v = s;
    }
}
final class Make {
    static A0[] objs(Ctx c, int salt) {
        return new A0[] {new A1(c, salt + 0)};
    }
    static int two(Ctx c, int d, int a) { return d <= 0 || c.out() ? a : c.obj(a).v(c, d - 1, a); }
    static I0[] fns(Ctx k, int salt) { return new I0[] {Make::two}; }
}
final class U0 {
    private static int h0(int a, int b) {
        if (a != -100 || b > 7) return (int) (((b > -100 && b != 7 ? b : a) | a)); else b = (int) (b);
        if (b <= b) a = (int) ((b & (b >>> b)));
        if (b < b) return (int) ((65535));
        return (int) ((b << (b > 0 ? a : a)));
    }
    private static long h1(long w, int a) {
        if (w > a) w = w * 31 + a;
        if (a < a) a = (int) ((a << (a > 3 ? a : a)));
        if (a <= 3 && a < 7) return w ^ ((a >= 3 ? a : a) << a);
        return w + (0);
    }
    private static int h2(int a, double x, int b) {
        if (x < a) x = Math.abs(x) - 1; if (x > 2) b ^= (int) x;
        if (a != -100 || a > 7) b = (int) ((b - (a - a)));
        if (b >= a) return (int) ((-1)); else b = (int) (b);
        if (a == 3 && b != 7) return (int) ((a <= -100 ? (b & b) : (0))); else b = (int) ((-70000));
        if (a < b) return (int) ((5));
        return (int) ((b >> (b ^ a)));
    }
    private static boolean h3(int a) {
        if (a == 3) return a > 3; else a = (int) (a);
        if (a > a) return a > 0;
        return false;
    }
    private static Object h4(Object p, Object q, int a) {
        a = (int) (((5) >> (5)));
        if (a < a) return p;
        return p;
    }
    static int wide(final Ctx c, final int d, long w1, int w2, long w3, double w4, int w5, int w6) {
        int a = (int) (w1 ^ w3) + w2, b = w4 > w2 ? w5 : w6;
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = -1;
        z++;
        x += Hand.make(c, y).i(c, d, b);
        return (int) (91152L * z + h0(a, x) >> 31);
    }
    static int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 2;
        switch ((b & 7) + 0) {
        case 0:
            try {
                z = (!(a > y) ? a : (-8297));
                if (x >= z) throw new E0(y);
            } catch (ClassCastException ex1) {
                switch ((1)) {
                case -70000:
                    b ^= c.fn(b).i(c, d - 1, (1673914499));
                    break;
                case 1:
                    c.mix((y % (a & 3)));
                    y = h4("p", c.lock, (h4("p", c.lock, x).getClass().getName().length() + S.s0(c, d - 1, x, b))).getClass().getName().length();
                    break;
                case 9:
                    z -= h4("p", c.lock, z).getClass().getName().length();
                    a += x;
                    break;
                default:
                    b = c.mix(z);
                    b -= c.maybe.f;
                }
                switch (y) {
                case -5:
                    b = c.arr[b & 7];
                    break;
                case 0:
                    z -= (y | a);
                    x = z;
                    break;
                case 3:
                    c.mix(U0.m0(c, d - 1, a, z));
                    break;
                case 2147483647:
                    y = h0(c.obj((0)).f, (2));
                    y ^= U1.m1(c, d - 1, z, b);
                    break;
                }
                x = y;
            } catch (IllegalStateException ex2) {
                a -= x;
                switch ("k" + (x & 3)) {
                case "k2":
                    a = c.obj(b).v(c, d - 1, c.arr[x & 7]);
                case "k4":
                    a += (int) (28578L * ((a + x) >>> (20851)) + z >> 15);
                    break;
                case "k1":
                    a++;
                    b = h2(z, y / 2.0, z);
                    break;
                }
            } finally {
                c.mix(c.arr[c.mix(b) & 7]);
            }
            break;
        case 1:
            try {
                switch ((y & 15) + 0) {
                case 0:
                    y += U1.m1(c, d - 1, (7), b);
                    break;
                case 1:
                    z -= (int) (67147L * (-1) + (0) >> 11);
                    break;
                case 2:
                    x += (a << (-1));
                    break;
                case 3:
                    c.mix(c.obj(a).v(c, d - 1, y));
                    a += U0.m0(c, d - 1, a, (2));
                    break;
                case 4:
                    a -= (int) h1(y * 3L, b);
                    a ^= U0.wide(c, d - 1, (long) a, x, a * 3L, x / 2.0, a, x);
                case 5:
                    c.arr[b & 7] = b;
                    c.arr[a & 7] = (y ^ a);
                case 6:
                    c.arr[a & 7] = (a >> z);
                    break;
                case 7:
                    z += c.maybe.f;
                    break;
                default:
                    b -= ((0) >>> z);
                }
                Map<Key, Integer> m3 = new HashMap<>();
                for (int i4 = 0; i4 < 4; i4++) m3.put(new Key(c, (x + i4) % 5), i4);
                x += m3.size() + (m3.containsKey(new Key(c, 2)) ? 1 : 2);
            } catch (E1 ex5) {
                switch ((x & 15) + 0) {
                case 0:
                    c.arr[a & 15] = h0(z, z);
                    c.arr[y & 15] = h2((-17), x / 2.0, (-17));
                    break;
                case 1:
                    a = I0.help(c, (3));
                case 2:
                    if (b == a) return c.obj(a).f;
                    c.arr[z & 7] = K0.v;
                    break;
                case 3:
                    c.arr[z & 7] = ((7) ^ y);
                case 4:
                    if (z >= (-1)) return (b & z);
                    if ((((a == b && x > b) && a != z) || (x >= z || c.obj(y) instanceof A0))) return (z << b);
                case 5:
                    a = b;
                case 6:
                    z ^= h0((-17846), (-17846));
                case 7:
                    a += c.arr[y & 7];
                    c.arr[z & 7] = h0((2), (0));
                    break;
                }
                z += Hand.make(c, z).i(c, d, y);
            } catch (E0 ex6) {
                y += new A1(c, (3)).v(c, d - 1, y);
                for (int i7 = 0; i7 < 9 && !c.out(); i7++) {
                    c.mix((I0.help(c, (z << (3))) << h4("p", c.lock, h0(b, (2))).getClass().getName().length()));
                    c.mix((h3(x) ? h0(z, (1)) : x));
                    b = (h3(y) ? (3) : y);
                }
                do {
                    if (c.obj(a) instanceof A0) continue;
                } while (y == y && !c.out());
            } catch (IllegalStateException ex9) {
                try {
                    b ^= (Integer) U1.class.getDeclaredMethod("m1", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, (-1471034829), c.mix((0)));
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                } catch (ReflectiveOperationException e) {
                    b--;
                }
            }
            do {
                List<Integer> l11 = new ArrayList<>(Arrays.asList(c.fn((2)).twice(c, d - 1, b), x, (0), y, (1)));
                final int m12 = y;
                Collections.sort(l11, new Comparator<Integer>() {
                    @Override public int compare(Integer p, Integer q) { if (m12 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
                });
                for (int e : l11) y ^= e;
                switch ("k" + (b & 3)) {
                case "k2":
                    y = h4("p", c.lock, x).getClass().getName().length();
                case "k4":
                    x ^= h4("p", c.lock, (3)).getClass().getName().length();
                    c.mix(S.s0(c, d - 1, S.s0(c, d - 1, a, z), a));
                    break;
                case "k0":
                    b -= (int) (65677L * x + b >> 30);
                    break;
                default:
                    b = (x % ((S.s0(c, d - 1, x, z) / ((44937) | 1)) | 1));
                    b ^= (int) (37205L * y + h4("p", c.lock, z).getClass().getName().length() >> 17);
                }
            } while ((x & 3) == 0 && !c.out());
        case 2:
            try {
                x = ((2083163528) & z);
            } catch (ArithmeticException ex13) {
                y -= (int) (79741L * (3) + a >> 31);
            } catch (NullPointerException ex14) {
                if (!(a >= b)) {
                    x++;
                    c.mix(h2((x | (8489)), z / 2.0, (x | (8489))));
                    x ^= (a + S.s1(c, d - 1, b, x));
                } else {
                    a ^= (y > b ? (a ^ h0(a, a)) : a);
                }
                y = h0(h0(c.mix(x), a), b);
            } catch (IllegalStateException ex15) {
                b = K0.v;
                if (y <= b) throw new E1((3));
                a += (a - y);
            } finally {
                b = c.mix(h2((h3(b) ? a : b), b / 2.0, (h3(b) ? a : b)));
                c.mix((h3(x) ? a : x));
            }
            c.mix((1578162557));
        case 3:
            x = (int) h1(y * 3L, (-52601));
            y = U0.m1(c, d - 1, (3), b);
            break;
        default:
            c.mix(h4("p", c.lock, y).getClass().getName().length());
            c.arr[a & 7] = c.mix(y);
        }
        x = c.obj((1)).v(c, d - 1, b);
        return a;
    }
    static int m1(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 0;
        a += new A1(c, y).v(c, d - 1, (2));
        try {
            Map<Key, Integer> m1 = new HashMap<>();
            for (int i2 = 0; i2 < 3; i2++) m1.put(new Key(c, (x + i2) % 5), i2);
            x += m1.size() + (m1.containsKey(new Key(c, 2)) ? 1 : 2);
            if (c.obj(x) instanceof A1) {
                switch ("k" + (b & 3)) {
                case "k3":
                    c.arr[x & 7] = c.fn((z & (int) (31008L * x + (0) >> 38))).i(c, d - 1, x);
                case "k0":
                    a ^= (h3(b) ? z : b);
                case "k2":
                    y -= h4("p", c.lock, z).getClass().getName().length();
                    break;
                }
                c.arr[b & 15] = c.fn(z).twice(c, d - 1, a);
            } else {
                if (z < y) {
                    c.arr[b & 7] = (b | (34759375));
                    try {
                        y = (c.obj((3)).f + a);
                        y += h0((int) (74794L * y + b >> 33), (int) (74794L * y + b >> 33));
                        c.arr[z & 7] = h0(z, z);
                        if ((0) != x) throw new E1(x);
                    } catch (ArithmeticException ex3) {
                        a = ((h0(a, (7)) - a) + ((int) h1((2) * 3L, a) - (1398272636)));
                    } catch (NullPointerException ex4) {
                        y++;
                        c.arr[b & 7] = x;
                        if (y >= z) throw new E0(c.obj((-1374735462)).f);
                    }
                    List<Integer> l5 = new ArrayList<>(Arrays.asList(x, c.fn(z).i(c, d - 1, U1.m0(c, d - 1, a, b)), z, x, a, (24571)));
                    final int m6 = a;
                    Collections.sort(l5, new Comparator<Integer>() {
                        @Override public int compare(Integer p, Integer q) { if (m6 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
                    });
                    for (int e : l5) a ^= e;
                }
                Map<Key, Integer> m7 = new LinkedHashMap<>();
                for (int i8 = 0; i8 < 2; i8++) m7.put(new Key(c, (x + i8) % 5), i8);
                x += m7.size() + (m7.containsKey(new Key(c, 2)) ? 1 : 2);
                switch ((y & 3) + 3) {
                case 3:
                    a -= h0(a, a);
                    c.mix((0));
                    break;
                case 4:
                    x -= (b * c.arr[y & 7]);
                    break;
                default:
                    if ((a < x || (0) >= (2))) return c.arr[a & 7];
                }
            }
            if (z >= a) throw new E1(a);
        } catch (ClassCastException ex9) {
            b += ("<" + c.obj(y) + new Key(c, b) + ">").length();
            L10: {
                try {
                    List<Integer> l11 = new ArrayList<>(Arrays.asList(y, a, b, a, z));
                    Collections.sort(l11, Integer::compareTo);
                    for (int e : l11) a ^= e;
                    if ((421228114) != a) throw new E1(a);
                } catch (ArrayIndexOutOfBoundsException ex13) {
                    List<Integer> l14 = new ArrayList<>(Arrays.asList(x, y));
                    final int m15 = z;
                    Collections.sort(l14, new Comparator<Integer>() {
                        @Override public int compare(Integer p, Integer q) { if (m15 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
                    });
                    for (int e : l14) z ^= e;
                }
                if ((b & 4) != 0) break L10;
                while ((y & 1) == 0 && !c.out()) {
                    z = c.obj(((7) >>> (-66240))).f;
                    b += Hand.make(c, z).i(c, d, (1));
                }
                z = y;
            }
            if ((a & 1) != 0) throw ex9;
        }
        return (h3(a) ? b : a);
    }
}
final class U1 {
    private static int h0(int a, int b) {
        if (b > a) return (int) ((-70000)); else a = (int) ((a < a ? (b > 3 || a != 7 ? b : a) : (a << b)));
        if (b != b || b != 7) a = (int) ((b == 0 || b > 7 ? b : a));
        if (b == 3 || a > 7) return (int) ((-70000));
        return (int) ((a << (a ^ b)));
    }
    private static long h1(long w, int a) {
        if (w > a) w = w * 31 + (5);
        a = (int) ((1));
        a = (int) ((a <= 0 ? (a - a) : (a >= 0 ? a : a)));
        if (a == a || a > 7) return w + a;
        return w * ((a >> a) * (65535));
    }
    private static int h2(int a, double x, int b) {
        if (x < a) x = Math.abs(x) - 1; if (x > 2) b ^= (int) x;
        if (b != 0 && a != 7) a = (int) ((a << (a + a)));
        b = (int) (a);
        if (a <= a || a != 7) b = (int) (((b < a ? a : a) >> (-1)));
        if (b <= -100 && b != 7) return (int) (b);
        return (int) (((b != 3 || a > 7 ? a : b) + (a + a)));
    }
    private static boolean h3(int a) {
        if (a >= 0) a = h0(a, a);
        if (a > 0 && a > 7) return true;
        return a != -100;
    }
    private static Object h4(Object p, Object q, int a) {
        if (a <= 0) a = (int) ((a >= a ? (a + a) : (-1)));
        if (a >= -100 && a < 7) return q;
        return p;
    }
    static int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = -16;
        Map<Key, Integer> m1 = new LinkedHashMap<>();
        for (int i2 = 0; i2 < 2; i2++) m1.put(new Key(c, (y + i2) % 5), i2);
        y += m1.size() + (m1.containsKey(new Key(c, 2)) ? 1 : 2);
        return ("" + x).length();
    }
    static int m1(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = -486245172;
        a ^= (x & y);
        c.mix(c.fn(z).i(c, d - 1, y));
        c.arr[a & 7] = (x + z);
        return h0((3), (-1131));
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
        case 0: return U0.m0(c, 5, salt, -10);
        case 1: return U0.m1(c, 5, salt, -48);
        case 2: return U1.m0(c, 5, salt, -16);
        case 3: return U1.m1(c, 5, salt, -10);
        case 4: return S.s0(c, 5, salt, 26);
        case 5: return S.s1(c, 5, salt, -31);
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
        OUT.put("pool", new StringBuilder());
        one("main", 4, 71);
        one("main", 4, 26);
        one("main", 0, 70);
        one("main", 5, 88);
        Thread[] ts = new Thread[2];
        ts[0] = new Thread("w0") { @Override public void run() { one("w0", 1, 11); } };
        ts[0].setUncaughtExceptionHandler((th, e) -> out("w0", e.getClass().getName()));
        ts[0].start();
        ts[0].join();
        ts[1] = new Thread("w1") { @Override public void run() { one("w1", 0, -22); one("w1", 5, 92); } };
        ts[1].start();
        ts[1].join();
        for (Thread t : ts) t.join();
        for (StringBuilder b : OUT.values()) System.out.print(b);
    }
}
