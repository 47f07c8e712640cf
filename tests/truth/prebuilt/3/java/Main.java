
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
    int f;
    A0(Ctx c, int f) { this.f = f; if (f == 99) throw new E0(f); }
    int v(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 3;
        final int q2 = z;
        I0 f1 = (cc2, dd2, pp2) -> {
            if (dd2 <= 0 || cc2.out()) return q2;
            int rr2 = pp2 ^ q2;
            if (c.obj(rr2) instanceof A2) {
                rr2++;
                rr2 += c.fn(rr2).twice(c, d - 1, (18));
            } else {
                rr2 += (3);
                rr2 += (I0.help(c, (16)) % (S.s1(c, d - 1, c.fn(rr2).i(c, d - 1, rr2), rr2) & 3));
                rr2 = (rr2 % (rr2 & 3));
            }
            if (!(!((7) == rr2))) {
                rr2 = (int) (44541L * rr2 + (0) >> 20);
                rr2 ^= ((617997333) % (rr2 | 1));
            }
            return rr2;
        };
        z ^= f1.i(c, d - 1, y);
        try {
            y ^= (Integer) S.class.getDeclaredMethod("s2", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, y, z);
        } catch (java.lang.reflect.InvocationTargetException e) {
            c.mix(e.getCause().getClass().getName().length());
        } catch (ReflectiveOperationException e) {
            y--;
        }
        return (z ^ c.fn(a).i(c, d - 1, z));
    }
    public int i(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 3118;
        a += ((-1) ^ y);
        return U1.m0(c, d - 1, (z * a), x);
    }
    @Override public int twice(Ctx c, int d, int a) { return d <= 0 || c.out() ? 1 : I0.super.twice(c, d - 1, a) * 3; }
    @Override public String toString() { return f > 0 ? "A0" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 1;
        try {
            if (!((a < y && !(y != y)))) return c.fn(z).i(c, d - 1, y);
            if (c.obj(z) instanceof A1) throw new E1(z);
        } catch (ArithmeticException ex1) {
            if ((-281954670) != a) {
                y -= (a & (x >>> a));
                a = c.arr[x & 7];
                x = c.obj(x).v(c, d - 1, y);
            }
            if ((c.obj(z) instanceof A0 && y == (0))) {
                c.mix(a);
            } else {
                a -= c.mix((1));
                if (x > (0)) throw new E1(x);
            }
            if ((!(c.obj(z) instanceof A2) && (27627) != z)) throw ex1;
        }
        return U0.wide(c, d - 1, (long) (3), (z * z), (3) * 3L, (z * z) / 2.0, (3), (z * z));
    }
}
class A1 extends A0 implements I0 {
    A1(Ctx c, int f) {
        super(c, f / ((f & 7) - 7 == 0 ? 0 : 1));
        if (f > 5) this.f ^= c.mix(1);
    }
    int v(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 1;
        c.mix(c.fn((2)).i(c, d - 1, z));
        a -= (0);
        try {
            final int q2 = y;
            I0 f1 = (cc2, dd2, pp2) -> {
                if (dd2 <= 0 || cc2.out()) return q2;
                int rr2 = pp2 ^ q2;
                c.mix(rr2);
                rr2 -= rr2;
                return rr2;
            };
            y ^= f1.i(c, d - 1, (x >> x));
        } finally {
            switch ("k" + (y & 3)) {
            case "k2":
                c.arr[z & 7] = (c.fn(("" + (2)).length()).twice(c, d - 1, (65595)) % (K0.v & 3));
                y ^= (int) (50168L * c.fn(x).i(c, d - 1, a) + z >> 12);
                break;
            case "k3":
                y ^= c.fn(z).twice(c, d - 1, (-137211493));
                z = U0.m3(c, d - 1, (3), a);
            case "k0":
                y = (U0.wide(c, d - 1, (long) y, a, y * 3L, a / 2.0, y, a) << x);
                break;
            }
            if (a > (0)) {
                try {
                    z++;
                    if (y < (1662964138)) throw new E1(a);
                } catch (E0 ex3) {
                    c.mix((a >> a));
                    c.arr[a & 7] = ("" + K2.v).length();
                    if ((2) >= (1)) throw ex3;
                } catch (RuntimeException ex4) {
                    x++;
                }
                switch ("k" + (y & 3)) {
                case "k0":
                    c.arr[x & 7] = U0.m1(c, d - 1, z, (-51853));
                    y -= (3);
                    break;
                case "k1":
                    c.mix(c.fn(((2) ^ y)).i(c, d - 1, a));
                    c.mix(U0.m0(c, d - 1, (7), (8486)));
                    break;
                case "k4":
                    x ^= (c.obj((1211833152)).f * (2));
                    break;
                default:
                    y -= (z ^ y);
                }
            } else {
                if (!(y <= x)) {
                    x++;
                    a = (x % (z & 3));
                } else {
                    c.arr[x & 15] = (z + (44916));
                }
                switch ((13)) {
                case -2147483648:
                    z -= (x << x);
                    c.arr[a & 7] = (-25899);
                    break;
                case 0:
                    z += (a / (z & 3));
                    break;
                case 1:
                    x = ((1) / (a | 1));
                default:
                    c.mix(c.arr[y & 7]);
                    a = ("" + (0)).length();
                }
            }
        }
        while (y <= (-1) && !c.out()) {
            z += c.fn(c.obj((-15)).f).twice(c, d - 1, ("" + (1441636994)).length());
            L6: {
                switch ("k" + (z & 3)) {
                case "k2":
                    a = (z ^ a);
                    a -= U0.m3(c, d - 1, z, (1));
                    break;
                case "k4":
                    y = (a < y ? x : a);
                case "k0":
                    c.mix(c.mix((this.f - a)));
                    break;
                default:
                    c.mix(c.obj((35607)).f);
                }
                z += Hand.make(c, x).i(c, d, a);
                if ((y > z && z != x)) break L6;
                synchronized (c.lock) {
                    z ^= y;
                    y = K0.v;
                }
            }
            while ((y >= y && z > (2)) && !c.out()) {
                try {
                    z ^= c.mix((y >> a));
                    c.mix(K2.v);
                } catch (ArithmeticException ex8) {
                    a = c.fn((2058301681)).twice(c, d - 1, z);
                    if (z > a) throw ex8;
                }
                y += Hand.make(c, y).i(c, d, z);
            }
        }
        return (y % (a & 3));
    }
    public int i(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 2;
        for (int e : new Range(4, 1)) { y += e; if (c.out()) break; }
        z = U1.m0(c, d - 1, (710759614), (2));
        do {
            c.mix(c.fn(z).twice(c, d - 1, (7)));
        } while ((x == z || ((-1) == z && y < (-2002954917))) && !c.out());
        return c.arr[(-1) & 15];
    }
    @Override public String toString() { return f > 0 ? "A1" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = -18;
        try {
            if (a != a) return (z >> z);
            switch ((y & 3) + 0) {
            case 0:
                x = U0.m2(c, d - 1, z, (0));
                c.mix((x >>> a));
            case 1:
                a ^= (a / (a | 1));
                break;
            default:
                a = y;
                z = y;
            }
        } catch (RuntimeException ex1) {
            try {
                z -= ((2) % ((x <= a ? (2) : x) & 3));
                c.arr[a & 7] = (z >>> ("" + y).length());
                c.arr[y & 7] = c.fn((z ^ c.fn(y).i(c, d - 1, y))).i(c, d - 1, y);
                if (y != y) throw new E1(y);
            } finally {
                z += c.obj(z).v(c, d - 1, a);
                z -= U0.m3(c, d - 1, c.fn(a).twice(c, d - 1, z), (-572881419));
            }
            if (((7) > z && (z <= x && a == x))) throw ex1;
        }
        if (x < y) throw new E1(x);
        y += Hand.make(c, a).i(c, d, U0.m1(c, d - 1, (7), x));
        return I0.help(c, a);
    }
}
class A2 extends A1 implements I0 {
    A2(Ctx c, int f) {
        super(c, c.mix(f));
        if (f > 5) this.f ^= c.mix(2);
    }
    synchronized int v(final Ctx c, final int d, int a) {
        if (a > 2) a += super.v(c, d - 1, a);
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 7;
        a++;
        return S.s1(c, d - 1, a, y);
    }
    @Override public String toString() { return f > 0 ? "A2" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 3;
        for (int i1 = 0; i1 < 2 && !c.out(); i1++) {
            Runnable r2 = c.fn(a) == null ? null : () -> c.mix(3);
            r2.run();
            c.any = c.obj(x);
            x += ((A0) c.any).f;
            switch ("k" + (z & 3)) {
            case "k2":
                y += S.s1(c, d - 1, (c.obj(y).v(c, d - 1, x) & (7)), (1));
                break;
            case "k4":
                c.mix((a & z));
                a = (z % (x | 1));
                break;
            case "k1":
                y = (y & (-25883));
                y -= (z >> c.obj((7)).v(c, d - 1, (-1809848957)));
                break;
            default:
                c.arr[z & 7] = (c.arr[z & 7] % ((z | ((-1) >>> a)) | 1));
                c.arr[z & 7] = U0.m3(c, d - 1, z, K2.v);
            }
        }
        List<Integer> l3 = new ArrayList<>(Arrays.asList((z >> z), z, c.fn(a).i(c, d - 1, z), x));
        Collections.sort(l3, Integer::compareTo);
        for (int e : l3) a ^= e;
        return ("" + a).length();
    }
}
final class K0 {
    static int v;
    static {
        int s = 0;
        if (s >= 0) throw new E0(s);
        v = s;
    }
}
final class K1 {
    static int v;
    static {
        int s = 1;
        s = I0.help(new Ctx(20, 4), K0.v) & 255;
        v = s;
    }
}
final class K2 {
    static int v;
    static {
        int s = 2;
        if (s >= 0) throw new E0(s);
        v = s;
    }
}
final class Make {
    static A0[] objs(Ctx c, int salt) {
        return new A0[] {new A0(c, salt + 0), new A1(c, salt + 1), new A1(c, salt + 2)};
    }
    static int two(Ctx c, int d, int a) { return d <= 0 || c.out() ? a : c.obj(a).v(c, d - 1, a); }
    static I0[] fns(Ctx k, int salt) { return new I0[] {null, k.objs[0], Make::two, (c, d, a) -> a * 7}; }
}
final class U0 {
    static int wide(final Ctx c, final int d, long w1, int w2, long w3, double w4, int w5, int w6) {
        int a = (int) (w1 ^ w3) + w2, b = w4 > w2 ? w5 : w6;
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 2;
        c.any = "s" + b;
        b += ((A0) c.any).f;
        switch (a) {
        case -70000:
            if (a != (-1)) {
                y++;
                c.mix((z << z));
            } else {
                y = (z | x);
            }
            z -= K0.v;
        case 0:
            y += new A2(c, b).v(c, d - 1, z);
            break;
        case 1000:
            switch ((b & 15) + 0) {
            case 0:
                a = c.obj(((2) % (a | 1))).f;
                break;
            case 1:
                a = (z / ((-11127) | 1));
                c.mix((b << y));
                break;
            case 2:
                c.arr[z & 7] = (a >> (3));
                c.arr[x & 15] = ("" + z).length();
                break;
            case 3:
                z = ((x + (a << (3))) >> a);
                break;
            case 4:
                z++;
            case 5:
                x += I0.help(c, (7));
                break;
            case 6:
                a = ("" + b).length();
            case 7:
                b++;
            default:
                a += ("" + (-1)).length();
            }
        default:
            switch (x) {
            case -5:
                b++;
                break;
            case 0:
                b += (7);
                break;
            case 3:
                c.arr[x & 15] = (x / ((-977192893) & 3));
                b = c.fn(y).twice(c, d - 1, z);
            case 9:
                y -= c.mix((((627370879) & a) % (U0.m3(c, d - 1, b, (1)) & 3)));
                y -= U2.m0(c, d - 1, x, z);
                break;
            case 1000:
                a += (b & (-1));
                if ((z <= (7) || x == x)) throw new E1(x);
                break;
            }
            for (int i1 = 0; i1 < 9 && !c.out(); i1++) {
                a -= U0.m3(c, d - 1, (1409370212), y);
                x = (-1);
            }
        }
        return S.s2(c, d - 1, (a ^ c.fn(a).i(c, d - 1, x)), (x ^ a));
    }
    static synchronized int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 6228;
        b += Hand.make(c, y).i(c, d, a);
        while ((-18141) >= (0) && !c.out()) {
            try {
                y = U0.wide(c, d - 1, (long) b, z, b * 3L, z / 2.0, b, z);
                if (x < z) {
                    switch ((x & 15) + 0) {
                    case 0:
                        a -= (c.obj(y) instanceof A2 ? y : y);
                        c.arr[a & 7] = ("" + b).length();
                        break;
                    case 1:
                        b = U0.wide(c, d - 1, (long) (3), y, (3) * 3L, y / 2.0, (3), y);
                        if (b != b) throw new E1(x);
                        break;
                    case 2:
                        if (!((x & 4) == 0)) return (z << y);
                        z -= (x | b);
                        break;
                    case 3:
                        x -= (y < (-4000) ? (3) : x);
                        break;
                    case 4:
                        c.mix(S.s1(c, d - 1, a, y));
                        b = U0.m1(c, d - 1, b, S.s2(c, d - 1, (b >> b), (3)));
                        break;
                    case 5:
                        y -= x;
                        c.mix(((-812981154) >>> (3)));
                        break;
                    case 6:
                        a = y;
                        break;
                    case 7:
                        x -= I0.help(c, y);
                    default:
                        y ^= ("" + (-17)).length();
                        x ^= (a - b);
                    }
                } else {
                    Map<Key, Integer> m2 = new HashMap<>();
                    for (int i3 = 0; i3 < 7; i3++) m2.put(new Key(c, (y + i3) % 5), i3);
                    y += m2.size() + (m2.containsKey(new Key(c, 2)) ? 1 : 2);
                }
                if (x > y) throw new E1(y);
            } catch (ArithmeticException ex4) {
                synchronized (c.lock) {
                    List<Integer> l5 = new ArrayList<>(Arrays.asList(z, b, a, b));
                    final int m6 = x;
                    Collections.sort(l5, new Comparator<Integer>() {
                        @Override public int compare(Integer p, Integer q) { if (m6 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
                    });
                    for (int e : l5) x ^= e;
                }
                switch ((b & 15) + -2) {
                case -2:
                    y += ((b % ((-1) | 1)) % (x | 1));
                    z++;
                    break;
                case -1:
                    c.arr[x & 7] = S.s2(c, d - 1, c.fn(b).twice(c, d - 1, y), b);
                    x -= ((1) * c.fn(z).i(c, d - 1, (-1)));
                case 0:
                    b ^= c.fn((2)).twice(c, d - 1, c.fn((-1)).twice(c, d - 1, z));
                    break;
                case 1:
                    c.arr[y & 7] = (int) (52543L * (7) + z >> 4);
                    break;
                case 2:
                    x ^= c.fn(x).twice(c, d - 1, b);
                    break;
                case 3:
                    b -= ("" + y).length();
                    c.arr[b & 7] = (int) (22200L * a + x >> 34);
                case 4:
                    z ^= a;
                case 5:
                    y = (1);
                    break;
                default:
                    y = x;
                }
                c.arr[z & 7] = (b & (0));
            } catch (NullPointerException ex7) {
                synchronized (c.lock) {
                    do {
                        y = c.fn(a).twice(c, d - 1, b);
                        c.arr[b & 15] = U0.m3(c, d - 1, x, y);
                        c.arr[b & 7] = (c.maybe.f % (z | 1));
                    } while ((b & 1) == 0 && !c.out());
                    final int q10 = a;
                    I0 f9 = (cc10, dd10, pp10) -> {
                        if (dd10 <= 0 || cc10.out()) return q10;
                        int rr10 = pp10 ^ q10;
                        rr10 -= I0.help(c, rr10);
                        return rr10;
                    };
                    a ^= f9.i(c, d - 1, z);
                    a += (a - x);
                }
                x -= c.arr[y & 7];
                while (!((1) != y) && !c.out()) {
                    c.any = null;
                    a += (c.any instanceof int[] ? 3 : c.any.toString().length());
                    c.arr[z & 7] = ("" + b).length();
                    Map<Key, Integer> m12 = new TreeMap<>();
                    for (int i13 = 0; i13 < 8; i13++) m12.put(new Key(c, (y + i13) % 5), i13);
                    y += m12.size() + (m12.containsKey(new Key(c, 2)) ? 1 : 2);
                }
            } catch (E0 ex14) {
                if (b == (3)) {
                    z += Hand.make(c, z).i(c, d, y);
                    List<Integer> l15 = new ArrayList<>(Arrays.asList((int) (79979L * a + y >> 27), y));
                    final int m16 = x;
                    Collections.sort(l15, new Comparator<Integer>() {
                        @Override public int compare(Integer p, Integer q) { if (m16 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
                    });
                    for (int e : l15) x ^= e;
                    c.mix((a >= (13) ? U0.wide(c, d - 1, (long) U1.m0(c, d - 1, (-10), (0)), a, U1.m0(c, d - 1, (-10), (0)) * 3L, a / 2.0, U1.m0(c, d - 1, (-10), (0)), a) : z));
                }
            }
            b = ((2) / (x | 1));
            synchronized (c.lock) {
                x += c.obj(z).f;
                b ^= U0.wide(c, d - 1, (long) x, a, x * 3L, a / 2.0, x, a);
                switch ("k" + (x & 3)) {
                case "k0":
                    y = ((15) << b);
                    c.mix((1));
                    break;
                case "k3":
                    x += (y != y ? y : a);
                    break;
                case "k2":
                    x += c.obj(a).v(c, d - 1, y);
                    x = (a >>> y);
                    break;
                default:
                    c.arr[y & 7] = (a >>> (x * b));
                    b = (b << b);
                }
            }
        }
        b += U2.m0(c, d - 1, a, y);
        try {
            z += Hand.make(c, a).i(c, d, b);
            switch ("k" + (z & 3)) {
            case "k1":
                L17: {
                    z ^= ("" + x).length();
                    a -= (b | x);
                    if ((-793984374) > x) break L17;
                    a ^= ((2) >> y);
                    x += (y - a);
                }
                break;
            case "k3":
                Runnable r18 = c.fn(b) == null ? null : () -> c.mix(3);
                r18.run();
            case "k4":
                c.any = "s" + y;
                y += (c.any instanceof int[] ? 3 : c.any.toString().length());
                break;
            default:
                Map<Key, Integer> m19 = new HashMap<>();
                for (int i20 = 0; i20 < 5; i20++) m19.put(new Key(c, (b + i20) % 5), i20);
                b += m19.size() + (m19.containsKey(new Key(c, 2)) ? 1 : 2);
            }
            c.mix(c.obj(x).v(c, d - 1, b));
        } catch (E0 ex21) {
            a = (z + y);
        } finally {
            a += c.fn(c.maybe.f).twice(c, d - 1, z);
            z++;
        }
        return (int) (99175L * (-64009) + (-1) >> 5);
    }
    static int m1(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = -269688784;
        try {
            switch ((b & 7) + -2) {
            case -2:
                y += Hand.make(c, a).i(c, d, (a | y));
                switch ((x & 3) + -2) {
                case -2:
                    c.arr[a & 7] = z;
                    break;
                case -1:
                    z ^= U0.wide(c, d - 1, (long) (x % ((1445036434) | 1)), (-1), (x % ((1445036434) | 1)) * 3L, (-1) / 2.0, (x % ((1445036434) | 1)), (-1));
                    a = (c.mix((-1)) >> z);
                    break;
                default:
                    c.mix((1));
                    b -= U2.m0(c, d - 1, (((3) | z) >>> x), x);
                }
                break;
            case -1:
                do {
                    y = a;
                    y ^= K0.v;
                } while (a > y && !c.out());
                Runnable r2 = c.fn(y) == null ? null : () -> c.mix(3);
                r2.run();
                break;
            case 0:
                a = (c.obj((-1)).f >>> b);
                for (int i3 = 0; i3 < 5 && !c.out(); i3++) {
                    c.mix((z >> (-13)));
                    b = c.arr[x & 15];
                    y = I0.help(c, (-40747));
                }
                break;
            case 1:
                synchronized (c.lock) {
                    if (((z & 1) != 0 || y == (-1))) throw new E1(y);
                }
                if (z <= (-1)) {
                    x -= z;
                    if (z <= a) return c.fn(S.s1(c, d - 1, (0), z)).twice(c, d - 1, (3));
                    z++;
                } else {
                    b = ((-1) % (a | 1));
                    a = c.mix((-1));
                }
            }
            Map<Key, Integer> m4 = new TreeMap<>();
            for (int i5 = 0; i5 < 2; i5++) m4.put(new Key(c, (y + i5) % 5), i5);
            y += m4.size() + (m4.containsKey(new Key(c, 2)) ? 1 : 2);
            c.arr[z & 7] = (7);
        } catch (NullPointerException ex6) {
            c.mix(U1.m0(c, d - 1, c.arr[K0.v & 7], (-795282807)));
            L7: {
                switch ("k" + (a & 3)) {
                case "k0":
                    x = U0.wide(c, d - 1, (long) (3), I0.help(c, z), (3) * 3L, I0.help(c, z) / 2.0, (3), I0.help(c, z));
                    break;
                case "k4":
                    x -= U0.m1(c, d - 1, b, (-989552168));
                case "k2":
                    b -= (int) (62261L * (a % (y | 1)) + x >> 14);
                    break;
                }
                if ((7) == y) break L7;
                Map<Key, Integer> m8 = new LinkedHashMap<>();
                for (int i9 = 0; i9 < 5; i9++) m8.put(new Key(c, (a + i9) % 5), i9);
                a += m8.size() + (m8.containsKey(new Key(c, 2)) ? 1 : 2);
                c.mix((a * b));
                if ((y & 3) != 0) return (7);
            }
            for (int i10 = 0; i10 < 5 && !c.out(); i10++) {
                do {
                    final int q13 = b;
                    I0 f12 = (cc13, dd13, pp13) -> {
                        if (dd13 <= 0 || cc13.out()) return q13;
                        int rr13 = pp13 ^ q13;
                        rr13 ^= (rr13 / ((-1) | 1));
                        rr13 = c.mix(rr13);
                        return rr13;
                    };
                    b ^= f12.i(c, d - 1, b);
                } while ((a <= z && (y == z && c.obj(a) instanceof A1)) && !c.out());
                y ^= U0.m2(c, d - 1, b, b);
            }
        } catch (E1 ex14) {
            c.mix(((!(z == b) && (-796755431) <= z) ? z : (3)));
        } catch (IllegalStateException ex15) {
            if ((((b <= (2) && (7) <= x) || z > (3)) || (y & 6) == 0)) {
                if (a > (3)) {
                    try {
                        x -= (y | a);
                        x = K0.v;
                        y += U0.wide(c, d - 1, (long) ("" + y).length(), y, ("" + y).length() * 3L, y / 2.0, ("" + y).length(), y);
                        if ((-50381) != a) throw new E0(x);
                    } catch (ClassCastException ex16) {
                        b += U2.m0(c, d - 1, z, x);
                        if ((0) >= (1)) throw ex16;
                    }
                }
                y = (int) (92911L * (3) + z >> 14);
            }
            try {
                if (z == y) {
                    c.mix(c.obj(a).v(c, d - 1, (a | (7))));
                    try {
                        b ^= c.mix((-30430));
                    } catch (NullPointerException ex17) {
                        if (z < b) return (a - y);
                        b = S.s2(c, d - 1, b, (2));
                        if ((a & 1) != 0) throw ex17;
                    }
                    switch ((z & 7) + 0) {
                    case 0:
                        c.mix((z + y));
                        break;
                    case 1:
                        b += x;
                    case 2:
                        c.arr[y & 15] = U1.m0(c, d - 1, (int) (84274L * b + (-17) >> 5), (7));
                        break;
                    case 3:
                        c.mix((((-63767) | (48545)) * x));
                        b = c.arr[z & 7];
                        break;
                    default:
                        x -= U0.wide(c, d - 1, (long) (a / ((b | b) | 1)), y, (a / ((b | b) | 1)) * 3L, y / 2.0, (a / ((b | b) | 1)), y);
                    }
                }
                switch ((a & 15) + 0) {
                case 0:
                    b -= U0.m1(c, d - 1, z, a);
                    break;
                case 1:
                    z += (z - (33701));
                    break;
                case 2:
                    c.mix((b >>> (1)));
                    y = ((2) ^ (-18));
                case 3:
                    y ^= I0.help(c, x);
                case 4:
                    b ^= (((0) > x || (3) >= a) ? y : x);
                    break;
                case 5:
                    c.arr[a & 7] = K1.v;
                    break;
                case 6:
                    if (a == x) return ("" + x).length();
                case 7:
                    b = K1.v;
                    break;
                }
            } catch (ArithmeticException ex18) {
                switch ("k" + (y & 3)) {
                case "k1":
                    y ^= c.obj(z).f;
                    break;
                case "k2":
                    c.mix(c.obj((26835)).v(c, d - 1, (x + (b >> b))));
                case "k4":
                    a = a;
                    break;
                default:
                    c.arr[x & 7] = ((7) % (b & 3));
                    c.arr[a & 15] = ((55926) > b ? a : (2));
                }
            } catch (RuntimeException ex19) {
                x = K0.v;
                y += (-20);
            }
            if (!(z != y)) throw ex15;
        } finally {
            z += a;
        }
        b += (z + (y + c.fn(b).twice(c, d - 1, y)));
        c.mix(S.s2(c, d - 1, a, y));
        if ((1) == (1)) throw new E1(x);
        return I0.help(c, x);
    }
    static int m2(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = -2;
        try {
            switch ((a & 7) + 3) {
            case 3:
                do {
                    c.mix(U0.wide(c, d - 1, (long) b, b, b * 3L, b / 2.0, b, b));
                    c.mix(U0.wide(c, d - 1, (long) z, b, z * 3L, b / 2.0, z, b));
                    y = ((7) % (y | 1));
                } while (c.obj(x) instanceof A0 && !c.out());
            case 4:
                try {
                    a ^= (Integer) S.class.getDeclaredMethod("s2", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, a, y);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                } catch (ReflectiveOperationException e) {
                    a--;
                }
            case 5:
                c.arr[a & 7] = z;
                break;
            case 6:
                if (x == (-4213017)) {
                    c.arr[y & 7] = (z | a);
                    c.mix((x >>> c.fn(x).twice(c, d - 1, x)));
                } else {
                    z ^= c.obj(x).f;
                    a += c.mix((-12));
                    a ^= I0.help(c, a);
                }
                while ((1) < b && !c.out()) {
                    if (c.obj(y) instanceof A1) return c.fn(a).i(c, d - 1, x);
                    a = S.s0(c, d - 1, a, x);
                }
                break;
            default:
                if (a >= (1)) {
                    x -= b;
                    a += y;
                }
                try {
                    a ^= (b >>> x);
                    c.arr[z & 7] = (b | (0));
                    y += (x % ((-1) | 1));
                    if (c.obj(y) instanceof A0) throw new E1(z);
                } catch (NullPointerException ex3) {
                    c.mix(((-13) | z));
                    if ((c.obj(b) instanceof A2 && x <= b)) return z;
                    x = I0.help(c, x);
                } catch (ClassCastException ex4) {
                    b ^= (a >> z);
                } catch (IllegalStateException ex5) {
                    y++;
                }
            }
            switch ((b & 15) + 3) {
            case 3:
                switch (a) {
                case -70000:
                    x += U0.m1(c, d - 1, b, z);
                case -5:
                    y ^= U0.m0(c, d - 1, b, x);
                    c.arr[x & 7] = y;
                    break;
                case 1:
                    c.arr[b & 15] = ("" + z).length();
                    c.arr[z & 15] = ((-1) ^ y);
                    break;
                case 2147483647:
                    c.mix(((x ^ y) * x));
                    b -= c.fn((-5)).twice(c, d - 1, y);
                    break;
                }
                synchronized (c.lock) {
                    c.arr[z & 7] = (b + z);
                    b -= c.fn(a).twice(c, d - 1, c.mix(b));
                }
            case 4:
                b -= c.fn(x).twice(c, d - 1, y);
            case 5:
                try {
                    z ^= U0.m0(c, d - 1, (1), y);
                    if ((a <= (0) && (z & 4) == 0)) throw new E0(a);
                } catch (NullPointerException ex6) {
                    c.arr[x & 15] = (int) (31221L * (42091) + x >> 12);
                    c.mix((((9) | x) % (b & 3)));
                    if (a == b) throw ex6;
                } finally {
                    a = x;
                }
                break;
            case 6:
                c.any = new int[a & 3];
                a += (c.any instanceof int[] ? 3 : c.any.toString().length());
            case 7:
                for (int i7 = 0; i7 < 9 && !c.out(); i7++) {
                    c.arr[x & 7] = (z % ((3) & 3));
                    c.arr[a & 7] = c.obj(x).v(c, d - 1, y);
                    b += c.arr[z & 7];
                }
            case 8:
                try {
                    if (y != a) return I0.help(c, (-68196));
                    c.arr[z & 7] = K0.v;
                    if (z > z) throw new E1(b);
                } catch (E1 ex8) {
                    b++;
                    a = b;
                    b -= (int) (2263L * x + y >> 3);
                    if (b <= b) throw ex8;
                } finally {
                    z += ((b ^ b) & a);
                }
            case 9:
                try {
                    y ^= (Integer) S.class.getDeclaredMethod("s0", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, z, (2));
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                } catch (ReflectiveOperationException e) {
                    y--;
                }
                break;
            case 10:
                try {
                    c.arr[z & 15] = U2.m0(c, d - 1, a, b);
                    c.mix((y * b));
                    if (x > z) throw new E0(z);
                } catch (ArithmeticException ex9) {
                    if ((c.obj(z) instanceof A1 || (0) == z)) throw new E0((1));
                    c.mix((int) (86928L * b + y >> 39));
                    y = ((56346) & y);
                }
                List<Integer> l10 = new ArrayList<>(Arrays.asList(y, x, b, (2), (7)));
                final int m11 = b;
                Collections.sort(l10, new Comparator<Integer>() {
                    @Override public int compare(Integer p, Integer q) { if (m11 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
                });
                for (int e : l10) b ^= e;
                break;
            }
            c.arr[y & 15] = z;
            if ((0) >= y) throw new E0(y);
        } catch (NullPointerException ex12) {
            z += new A0(c, (0)).v(c, d - 1, y);
        } catch (ArrayIndexOutOfBoundsException ex13) {
            b += ("<" + c.obj(x) + new Key(c, b) + ">").length();
            switch ("k" + (b & 3)) {
            case "k2":
                List<Integer> l14 = new ArrayList<>(Arrays.asList(((-66510) - (-17)), (-1), a, (0)));
                final int m15 = a;
                Collections.sort(l14, new Comparator<Integer>() {
                    @Override public int compare(Integer p, Integer q) { if (m15 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
                });
                for (int e : l14) a ^= e;
                synchronized (c.lock) {
                    x = c.fn(y).twice(c, d - 1, b);
                    z = b;
                    b -= (a << (z * z));
                }
            case "k1":
                List<Integer> l16 = new ArrayList<>(Arrays.asList((b * y), (7), S.s2(c, d - 1, z, a), (c.arr[(2) & 7] >> (2)), b, c.fn(a).twice(c, d - 1, a)));
                Collections.sort(l16, (p, q) -> (p & 15) < (q & 15) ? -1 : (p & 15) > (q & 15) ? 1 : 0);
                for (int e : l16) y ^= e;
            case "k3":
                synchronized (c.lock) {
                    a++;
                    y += U0.m0(c, d - 1, (1227338154), y);
                }
                y ^= U0.m2(c, d - 1, z, I0.help(c, y));
                break;
            default:
                y = U0.m3(c, d - 1, b, z);
            }
            c.mix((510009044));
        } catch (E0 ex18) {
            y = (z & z);
            a = (("" + (z - x)).length() | y);
            if (a == (14)) return (3);
            if (y > a) throw ex18;
        }
        b++;
        z += c.mix(z);
        return U0.m2(c, d - 1, z, x);
    }
    static int m3(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 3;
        y++;
        b += new A2(c, z).v(c, d - 1, b);
        while ((z & 4) == 0 && !c.out()) {
            if (!(b < a)) return z;
            while (c.obj(z) instanceof A1 && !c.out()) {
                while ((y & 4) != 0 && !c.out()) {
                    try {
                        a = (x != x ? y : b);
                    } catch (E0 ex4) {
                        c.arr[z & 7] = U1.m0(c, d - 1, a, y);
                    } finally {
                        a -= (U0.m3(c, d - 1, z, U1.m0(c, d - 1, b, x)) / (c.fn((0)).twice(c, d - 1, z) | 1));
                        c.mix(c.fn(b).twice(c, d - 1, y));
                    }
                    switch ((0)) {
                    case -2147483648:
                        a += U1.m0(c, d - 1, x, a);
                        a++;
                    case -70000:
                        x = (x / ((11) | 1));
                        break;
                    case -5:
                        x += U0.wide(c, d - 1, (long) (1), (-1), (1) * 3L, (-1) / 2.0, (1), (-1));
                        z = U2.m0(c, d - 1, (1), (0));
                        break;
                    case 0:
                        z = I0.help(c, b);
                        break;
                    case 1:
                        y -= a;
                        a++;
                    case 2147483647:
                        b -= c.mix(b);
                        break;
                    }
                }
                x -= (int) (53636L * b + x >> 6);
            }
            if ((c.obj(z) instanceof A0 || x > z)) {
                for (int i5 = 0; i5 < 9 && !c.out(); i5++) {
                    Runnable r6 = c.fn(x) == null ? null : () -> c.mix(3);
                    r6.run();
                    a++;
                    a ^= ("" + (1)).length();
                }
            } else {
                try {
                    y = U0.m2(c, d - 1, z, (3));
                    y += new A0(c, y).v(c, d - 1, b);
                    try {
                        z = (b & x);
                    } catch (RuntimeException ex7) {
                        a += (y >>> y);
                    }
                    if ((x & 6) != 0) throw new E1(y);
                } finally {
                    L8: {
                        x = c.maybe.f;
                        y = (63887);
                        if (z > (7)) break L8;
                        if (!(a > b)) throw new E1(y);
                        x ^= (z >> z);
                    }
                    switch (b) {
                    case -70000:
                        b = U0.m2(c, d - 1, b, a);
                        break;
                    case 1:
                        b ^= (y + z);
                    case 3:
                        y ^= (y + (1290634718));
                    case 9:
                        b ^= K2.v;
                        break;
                    case 1000:
                        a ^= (a ^ (1));
                    case 2147483647:
                        x = I0.help(c, z);
                        y += b;
                        break;
                    default:
                        b = y;
                    }
                }
            }
        }
        switch ("k" + (x & 3)) {
        case "k0":
            while (!(a != (-36963)) && !c.out()) {
                switch (a) {
                case -2147483648:
                    c.mix((int) (4599L * y + (a / (("" + y).length() | 1)) >> 16));
                    break;
                case 1:
                    c.mix(U2.m0(c, d - 1, a, x));
                    b ^= U0.m3(c, d - 1, x, x);
                    break;
                case 9:
                    y ^= U2.m0(c, d - 1, a, ((3) % ((-1) | 1)));
                    c.mix(b);
                    break;
                }
                try {
                    z = ((1) % (z | 1));
                    z += c.arr[x & 15];
                    z -= y;
                    if (((-17) == x && b <= x)) throw new E1(a);
                } catch (NullPointerException ex10) {
                    b -= c.obj(y).v(c, d - 1, (0));
                } catch (E0 ex11) {
                    b = S.s2(c, d - 1, z, b);
                }
            }
            for (int i12 = 0; i12 < 2 && !c.out(); i12++) {
                switch ("k" + (x & 3)) {
                case "k3":
                    c.mix((z - x));
                    z += x;
                case "k2":
                    c.arr[x & 15] = ((0) << (3));
                    break;
                case "k1":
                    x ^= c.mix((0));
                    c.arr[x & 15] = (!(b <= (7)) ? b : b);
                    break;
                }
                try {
                    c.arr[b & 7] = c.fn(b).i(c, d - 1, x);
                    x += (a >>> z);
                    if ((9252) != (2)) continue;
                    if (z == z) throw new E1(y);
                } catch (NullPointerException ex13) {
                    c.arr[y & 7] = (a ^ z);
                } catch (E1 ex14) {
                    if (a == a) return (b % (y & 3));
                }
                try {
                    if (z > a) throw new E1(z);
                } catch (E0 ex15) {
                    a -= (int) (64417L * x + z >> 23);
                } finally {
                    if (b < y) throw new E0(x);
                }
            }
            break;
        case "k1":
            b = I0.help(c, b);
            break;
        case "k4":
            c.mix(U0.m3(c, d - 1, y, z));
            break;
        default:
            c.arr[x & 7] = (y > y ? b : z);
        }
        return U0.m0(c, d - 1, c.fn(a).twice(c, d - 1, (2)), y);
    }
}
final class U1 {
    static int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = -20;
        synchronized (c.lock) {
            b += new A1(c, a).v(c, d - 1, c.mix(z));
            y += ("<" + c.obj(a) + new Key(c, y) + ">").length();
            z += (3);
        }
        final int q2 = b;
        I0 f1 = (cc2, dd2, pp2) -> {
            if (dd2 <= 0 || cc2.out()) return q2;
            int rr2 = pp2 ^ q2;
            try {
                Map<Key, Integer> m3 = new TreeMap<>();
                for (int i4 = 0; i4 < 5; i4++) m3.put(new Key(c, (rr2 + i4) % 5), i4);
                rr2 += m3.size() + (m3.containsKey(new Key(c, 2)) ? 1 : 2);
            } catch (E1 ex5) {
                switch (rr2) {
                case -2147483648:
                    c.arr[rr2 & 7] = (rr2 << rr2);
                    rr2 += (rr2 | rr2);
                case -70000:
                    c.mix((rr2 & (3)));
                    c.arr[rr2 & 15] = K2.v;
                    break;
                case 1:
                    if (((-2096978459) > (61724) && ((rr2 & 1) == 0 && rr2 >= rr2))) return (rr2 << (66218));
                    break;
                case 9:
                    rr2 = (3);
                    rr2 += c.arr[rr2 & 15];
                    break;
                case 65536:
                    c.arr[rr2 & 15] = c.arr[rr2 & 7];
                    break;
                default:
                    c.mix(U0.wide(c, d - 1, (long) (1), rr2, (1) * 3L, rr2 / 2.0, (1), rr2));
                }
                try {
                    rr2 -= (int) (52912L * rr2 + rr2 >> 32);
                } catch (E0 ex6) {
                    rr2 = c.obj(rr2).f;
                    rr2 = ("" + I0.help(c, (44072))).length();
                    if (((19) > rr2 || rr2 < rr2)) throw ex6;
                } catch (IllegalStateException ex7) {
                    rr2++;
                    if (rr2 > (3)) return U0.m1(c, d - 1, K1.v, rr2);
                    c.mix((S.s0(c, d - 1, rr2, rr2) ^ (-1)));
                } catch (RuntimeException ex8) {
                    rr2 += c.obj(rr2).v(c, d - 1, (-1363801629));
                    rr2++;
                }
            } catch (IllegalStateException ex9) {
                try {
                    rr2 ^= rr2;
                    if (rr2 > rr2) return S.s2(c, d - 1, rr2, rr2);
                    rr2 = ("" + rr2).length();
                    if (rr2 < rr2) throw new E0(rr2);
                } catch (NullPointerException ex10) {
                    rr2 -= rr2;
                    rr2 ^= c.arr[rr2 & 7];
                    c.arr[rr2 & 7] = ((S.s1(c, d - 1, rr2, rr2) << (61528)) / (rr2 & 3));
                } catch (RuntimeException ex11) {
                    c.mix(U0.m3(c, d - 1, (-1), (2)));
                    c.mix(U0.m1(c, d - 1, rr2, rr2));
                    rr2 = U2.m0(c, d - 1, (0), (1));
                }
            }
            switch ((rr2 & 15) + 3) {
            case 3:
                rr2 ^= (rr2 % (rr2 | 1));
                c.mix(rr2);
                break;
            case 4:
                rr2 += U0.wide(c, d - 1, (long) rr2, rr2, rr2 * 3L, rr2 / 2.0, rr2, rr2);
                c.arr[rr2 & 7] = (rr2 | (rr2 << rr2));
                break;
            case 5:
                rr2 += c.mix(rr2);
                rr2 = ("" + (1)).length();
                break;
            case 6:
                rr2 = ((rr2 >> rr2) % (I0.help(c, (rr2 >>> rr2)) | 1));
                rr2 -= (S.s0(c, d - 1, (2), rr2) + rr2);
            case 7:
                rr2 -= U0.m3(c, d - 1, rr2, rr2);
                rr2 -= (rr2 + rr2);
                break;
            case 8:
                rr2 -= (rr2 - rr2);
            case 9:
                if (rr2 == rr2) return rr2;
                break;
            case 10:
                rr2 ^= (rr2 % ((2) & 3));
                c.arr[rr2 & 7] = c.fn(rr2).twice(c, d - 1, (rr2 * rr2));
                break;
            default:
                rr2 ^= U0.m0(c, d - 1, (rr2 < rr2 ? rr2 : rr2), rr2);
            }
            return rr2;
        };
        b ^= f1.i(c, d - 1, y);
        for (int i12 = 0; i12 < 5 && !c.out(); i12++) {
            b += (z >> (x & y));
            x += Hand.make(c, y).i(c, d, (-4844));
            List<Integer> l13 = new ArrayList<>(Arrays.asList((23276), I0.help(c, y), (3), U0.m3(c, d - 1, ("" + x).length(), (-1)), (-60002), z));
            final int m14 = y;
            Collections.sort(l13, new Comparator<Integer>() {
                @Override public int compare(Integer p, Integer q) { if (m14 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
            });
            for (int e : l13) y ^= e;
        }
        return x;
    }
}
final class U2 {
    static int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 2;
        if ((c.obj(x) instanceof A0 && z > (14663))) {
            c.any = "s" + b;
            b += ((int[]) c.any).length;
            switch (z) {
            case -5:
                while ((z >= y && ((x > z || a > (-1)) && x <= (1))) && !c.out()) {
                    if ((-934356287) < (30129)) throw new E0((3));
                    z = (z - (2071060735));
                }
                try {
                    z ^= (Integer) S.class.getDeclaredMethod("s0", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, z, b);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                    if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
                } catch (ReflectiveOperationException e) {
                    z--;
                }
            case 0:
                try {
                    x += (y * (10));
                    if (a < (-1)) throw new E1(z);
                } catch (ArithmeticException ex2) {
                    b++;
                    c.arr[z & 7] = U0.m0(c, d - 1, y, y);
                } catch (ClassCastException ex3) {
                    b = c.fn((0)).i(c, d - 1, z);
                    x++;
                } catch (RuntimeException ex4) {
                    z ^= U0.m2(c, d - 1, (2), x);
                    b = c.mix(z);
                    y = U0.m1(c, d - 1, b, x);
                }
                break;
            case 1:
                a = (int) (38857L * z + x >> 21);
                c.any = null;
                x += (c.any instanceof int[] ? 3 : c.any.toString().length());
                break;
            case 3:
                if ((c.obj(b) instanceof A1 && x >= x)) {
                    c.arr[x & 7] = U0.wide(c, d - 1, (long) (1158932958), z, (1158932958) * 3L, z / 2.0, (1158932958), z);
                } else {
                    b -= c.arr[x & 7];
                    y += ((2) % (b | 1));
                    z = c.arr[((0) * (0)) & 15];
                }
                x++;
                break;
            case 2147483647:
                x += y;
                switch ("k" + (x & 3)) {
                case "k0":
                    c.arr[x & 7] = S.s2(c, d - 1, x, x);
                    y = (-1);
                case "k2":
                    x = (((6) >>> z) & (y ^ y));
                    break;
                case "k4":
                    c.arr[z & 15] = S.s1(c, d - 1, y, b);
                }
                break;
            }
        } else {
            x += new A0(c, x).v(c, d - 1, ((-51584) ^ b));
            final int q6 = x;
            I0 f5 = (cc6, dd6, pp6) -> {
                if (dd6 <= 0 || cc6.out()) return q6;
                int rr6 = pp6 ^ q6;
                Map<Key, Integer> m7 = new HashMap<>();
                for (int i8 = 0; i8 < 5; i8++) m7.put(new Key(c, (rr6 + i8) % 5), i8);
                rr6 += m7.size() + (m7.containsKey(new Key(c, 2)) ? 1 : 2);
                return rr6;
            };
            x ^= f5.i(c, d - 1, a);
        }
        try {
            for (int e : new Range(x & 7, 1)) { y += e; }
            try {
                if ((a & 3) == 0) {
                    while (y != y && !c.out()) {
                        a = c.obj(c.obj(b).f).v(c, d - 1, a);
                        x = (z % (c.arr[z & 7] & 3));
                    }
                    switch ((y & 3) + 0) {
                    case 0:
                        c.arr[z & 7] = z;
                        y ^= I0.help(c, x);
                    case 1:
                        z = z;
                    }
                } else {
                    b += Hand.make(c, a).i(c, d, I0.help(c, y));
                    try {
                        x ^= (Integer) S.class.getDeclaredMethod("s2", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, (3), (3));
                    } catch (java.lang.reflect.InvocationTargetException e) {
                        c.mix(e.getCause().getClass().getName().length());
                        if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
                    } catch (ReflectiveOperationException e) {
                        x--;
                    }
                }
                do {
                    for (int e : new Range(b & 7, 1)) { z += e; }
                    c.mix(U0.m3(c, d - 1, b, (x / ((y - z) & 3))));
                    z += U2.m0(c, d - 1, (-1), (2));
                } while ((502996989) > y && !c.out());
                z -= z;
            } catch (NullPointerException ex11) {
                List<Integer> l12 = new ArrayList<>(Arrays.asList(z, x, z));
                Collections.sort(l12, Integer::compareTo);
                for (int e : l12) b ^= e;
            } catch (ArrayIndexOutOfBoundsException ex14) {
                try {
                    c.mix(((1) >>> (y - (-1))));
                } catch (E0 ex15) {
                    for (int e : new Range(y & 7, 1)) { z += e; if (c.out()) break; }
                } catch (IllegalStateException ex16) {
                    try {
                        y += ((z * (16)) | x);
                        z ^= (b | y);
                        a -= c.fn(b).twice(c, d - 1, b);
                    } catch (NullPointerException ex17) {
                        b = c.fn((b * c.obj(x).v(c, d - 1, (15)))).i(c, d - 1, y);
                    } catch (E0 ex18) {
                        z -= c.fn(c.mix((7))).i(c, d - 1, y);
                        z += c.fn((-1)).i(c, d - 1, (int) (58157L * y + (0) >> 5));
                    } finally {
                        z -= c.obj(a).f;
                        a -= U0.m3(c, d - 1, (11), z);
                    }
                    List<Integer> l19 = new ArrayList<>(Arrays.asList(z, (12368)));
                    final int m20 = b;
                    Collections.sort(l19, new Comparator<Integer>() {
                        @Override public int compare(Integer p, Integer q) { if (m20 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
                    });
                    for (int e : l19) b ^= e;
                    Runnable r21 = c.fn(y) == null ? null : () -> c.mix(3);
                    r21.run();
                } catch (RuntimeException ex22) {
                    synchronized (c.lock) {
                        c.arr[a & 15] = (x | (7));
                        x++;
                        x ^= ("" + y).length();
                    }
                    Map<Key, Integer> m23 = new LinkedHashMap<>();
                    for (int i24 = 0; i24 < 3; i24++) m23.put(new Key(c, (y + i24) % 5), i24);
                    y += m23.size() + (m23.containsKey(new Key(c, 2)) ? 1 : 2);
                }
            }
            if (!(z <= x)) throw new E1(x);
        } catch (NullPointerException ex25) {
            y += (y + y);
            final int q27 = b;
            I0 f26 = (cc27, dd27, pp27) -> {
                if (dd27 <= 0 || cc27.out()) return q27;
                int rr27 = pp27 ^ q27;
                switch ((rr27 & 15) + 0) {
                case 0:
                    rr27 = U1.m0(c, d - 1, rr27, U0.m0(c, d - 1, (-1), rr27));
                    rr27 += (-8);
                case 1:
                    rr27 = rr27;
                    if (rr27 >= (3)) throw new E1(rr27);
                case 2:
                    rr27 = rr27;
                    c.arr[rr27 & 7] = U0.m0(c, d - 1, rr27, (2));
                case 3:
                    rr27 -= ((1) >>> rr27);
                case 4:
                    rr27 = (rr27 ^ rr27);
                    c.mix(c.maybe.f);
                    break;
                case 5:
                    c.arr[rr27 & 7] = S.s0(c, d - 1, rr27, (0));
                    break;
                case 6:
                    c.arr[rr27 & 7] = c.obj((rr27 % (c.arr[rr27 & 7] | 1))).f;
                    rr27 ^= c.arr[rr27 & 7];
                    break;
                case 7:
                    c.mix(("" + (rr27 - rr27)).length());
                    break;
                default:
                    rr27 = U0.wide(c, d - 1, (long) (3), rr27, (3) * 3L, rr27 / 2.0, (3), rr27);
                    rr27 = (3);
                }
                rr27 = ((2) << rr27);
                return rr27;
            };
            b ^= f26.i(c, d - 1, (x >> a));
            a = U1.m0(c, d - 1, y, (1));
        } catch (E1 ex28) {
            y ^= c.mix((-121955827));
        } catch (IllegalStateException ex29) {
            z += (U2.m0(c, d - 1, z, z) << a);
        }
        a -= (-19);
        z = (a * z);
        x ^= c.mix(b);
        return z;
    }
}
public class Main {
    static void one(String name, int which, int salt) {
        Ctx c = null;
        String s;
        try {
            c = new Ctx(400, salt);
            s = "" + root(c, which, salt);
        } catch (RuntimeException | LinkageError e) {
            s = e.getClass().getName();
        }
        out(name, s + " " + (c == null ? 0 : c.h));
    }
    static int root(Ctx c, int which, int salt) {
        switch (which) {
        case 0: return U0.m0(c, 3, salt, -17);
        case 1: return U0.m1(c, 3, salt, 32);
        case 2: return U0.m2(c, 3, salt, 6);
        case 3: return U0.m3(c, 3, salt, -31);
        case 4: return U1.m0(c, 3, salt, -11);
        case 5: return U2.m0(c, 3, salt, 48);
        case 6: return S.s0(c, 3, salt, -39);
        case 7: return S.s1(c, 3, salt, 17);
        case 8: return S.s2(c, 3, salt, 6);
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
        OUT.put("pool", new StringBuilder());
        one("main", 5, -18);
        one("main", 5, 66);
        Thread[] ts = new Thread[0];
        for (Thread t : ts) t.join();
        final java.util.concurrent.CountDownLatch latch = new java.util.concurrent.CountDownLatch(1);
        Thread dead = new Thread("daemon") {
            @Override public void run() {
                one("main", 0, 5);
                latch.countDown();
                while (true) try { Thread.sleep(1000000); } catch (InterruptedException e) { return; }
            }
        };
        dead.setDaemon(true);
        dead.start();
        latch.await();
        Thread.sleep(30);
        for (StringBuilder b : OUT.values()) System.out.print(b);
    }
}
