
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
        int z = 1;
        for (int e : new Range(x & 7, 2)) { a += e; if (c.out()) break; }
        if (c.obj(a) instanceof A3) {
            switch ((a & 7) + -2) {
            case -2:
                c.arr[y & 7] = (1);
                break;
            case -1:
                c.arr[x & 15] = ("" + (z % (S.s0(c, d - 1, (2), a) & 3))).length();
                break;
            case 0:
                c.mix(((1) >> c.fn(y).i(c, d - 1, z)));
                break;
            case 1:
                z = y;
                break;
            }
        }
        try {
            synchronized (c.lock) {
                if (y <= z) {
                    c.mix(x);
                    z -= (z * ((3) * a));
                } else {
                    z -= (y << x);
                }
                L1: {
                    a++;
                    if (c.obj(z) instanceof A3) break L1;
                    a ^= c.maybe.f;
                    c.arr[a & 7] = (int) (19471L * a + z >> 16);
                }
                synchronized (c.lock) {
                    a ^= ((y & 6) == 0 ? (2) : y);
                    c.arr[x & 7] = (S.s0(c, d - 1, y, y) ^ x);
                }
            }
            switch ((y & 15) + 0) {
            case 0:
                c.mix(K0.v);
                break;
            case 1:
                y += x;
                x ^= (x - (-1));
            case 2:
                x ^= S.s1(c, d - 1, z, a);
                break;
            case 3:
                if (a <= (-1)) return (c.obj(a).v(c, d - 1, a) | K0.v);
                y -= ((z ^ a) * (-340898981));
                break;
            case 4:
                c.mix(c.fn(a).twice(c, d - 1, x));
                break;
            case 5:
                c.arr[y & 15] = hidden(c, d - 1, a);
                break;
            case 6:
                c.arr[a & 7] = (((y == z || (-1) < z) || y < y) ? x : z);
                break;
            case 7:
                x = ((-10) / ((z % (y | 1)) | 1));
            default:
                a ^= ((int) (13734L * a + x >> 5) + y);
                c.mix((z * z));
            }
        } catch (RuntimeException ex2) {
            try {
                for (int i3 = 0; i3 < 5 && !c.out(); i3++) {
                    if (a > z) throw new E0(z);
                }
                switch ((x & 15) + 3) {
                case 3:
                    x += x;
                    break;
                case 4:
                    if ((-1) < a) return a;
                    x++;
                    break;
                case 5:
                    z ^= c.obj((3)).v(c, d - 1, y);
                    x ^= (x | a);
                    break;
                case 6:
                    z -= ("" + x).length();
                    break;
                case 7:
                    z = (y * (a ^ x));
                    break;
                case 8:
                    z += c.mix(x);
                    z -= z;
                    break;
                case 9:
                    x++;
                    c.arr[z & 7] = K0.v;
                case 10:
                    c.mix(a);
                    break;
                }
                c.mix(I0.help(c, (0)));
                if (a != (7)) throw new E0(x);
            } catch (ClassCastException ex4) {
                z += ("<" + c.obj(z) + new Key(c, z) + ">").length();
                c.arr[y & 7] = (int) (63232L * a + (y + x) >> 3);
                y += new A0(c, z).v(c, d - 1, y);
            } finally {
                if (z < z) {
                    c.mix(((1) ^ y));
                } else {
                    c.arr[a & 7] = ((2) >> z);
                    y = (z % (a & 3));
                    y += I0.help(c, (0));
                }
                L5: {
                    a += S.s1(c, d - 1, (1), y);
                    x += ((y >>> (1775642057)) / (a & 3));
                    if ((z & 6) == 0) break L5;
                    c.mix(c.arr[x & 15]);
                    y += (z >> y);
                    c.arr[a & 7] = c.obj(a).f;
                }
            }
            y += Hand.make(c, z).i(c, d, (1));
            do {
                try {
                    a ^= ((7) % (a | 1));
                    y = ("" + c.mix(a)).length();
                    c.mix((z << (1)));
                } catch (RuntimeException ex7) {
                    a = (a & (2));
                    c.arr[y & 7] = c.maybe.f;
                } finally {
                    y = hidden(c, d - 1, a);
                }
            } while ((y & 1) == 0 && !c.out());
            if (c.obj(z) instanceof A0) throw ex2;
        } finally {
            switch (z) {
            case 3:
                if (a <= (3)) return ((7) * z);
                z ^= U1.m2(c, d - 1, x, (2));
                break;
            case 9:
                z ^= U1.m1(c, d - 1, a, x);
                break;
            }
            Runnable r8 = c.fn(z) == null ? null : () -> c.mix(3);
            r8.run();
        }
        y ^= I0.help(c, y);
        return (y | (-1));
    }
    public int i(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = -46995;
        L1: {
            try {
                switch ((z & 7) + 0) {
                case 0:
                    a += (y ^ y);
                    c.arr[y & 7] = U0.m0(c, d - 1, y, a);
                case 1:
                    z ^= this.v(c, d - 1, (0));
                    break;
                case 2:
                    c.arr[y & 7] = ((z < y || !(a >= (2))) ? a : ((1) >>> z));
                    break;
                case 3:
                    if (y > y) throw new E0((3));
                    break;
                }
                for (int i2 = 0; i2 < 9 && !c.out(); i2++) {
                    x = c.obj((-43175)).f;
                    y = (3);
                }
            } catch (E1 ex3) {
                y += Hand.make(c, a).i(c, d, y);
                if (x < y) throw ex3;
            } catch (E0 ex4) {
                while (x == a && !c.out()) {
                    z -= c.arr[z & 7];
                }
            } finally {
                do {
                    y += (y % (U1.m2(c, d - 1, z, (3)) & 3));
                    a ^= U1.m2(c, d - 1, z, a);
                } while (!((0) == z) && !c.out());
            }
            if (x <= y) break L1;
            Runnable r7 = c.fn(x) == null ? null : () -> c.mix(3);
            r7.run();
        }
        return U0.m0(c, d - 1, a, (2));
    }
    @Override public String toString() { return f > 0 ? "A0" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 10;
        do {
            for (int i2 = 0; i2 < 3 && !c.out(); i2++) {
                x ^= (x + x);
            }
            y = ((a == (-8331) ? U1.m2(c, d - 1, z, x) : (47123)) % (z | 1));
        } while (x > (-45958) && !c.out());
        return c.mix(("" + a).length());
    }
}
class A1 extends A0 implements I0 {
    A1(Ctx c, int f) {
        super(c, U0.m0(c, 2, f, 1));
        if (f > 5) this.f ^= c.mix(1);
    }
    int v(final Ctx c, final int d, int a) {
        if (a > 2) a += super.v(c, d - 1, a);
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 2;
        try {
            switch (((-3374) >>> y)) {
            case -2147483648:
                z = c.maybe.f;
            case 3:
                c.arr[y & 15] = K0.v;
                x = (int) (19578L * y + (y & a) >> 18);
                break;
            case 2147483647:
                y = ((0) | y);
                y -= ((2) >> y);
                break;
            default:
                x++;
            }
            c.mix(c.obj(y).f);
        } catch (RuntimeException ex1) {
            Runnable r2 = c.fn(z) == null ? null : () -> c.mix(3);
            r2.run();
            switch ((x & 3) + 0) {
            case 0:
                x = (a * x);
                break;
            case 1:
                c.mix(c.mix(a));
                z++;
                break;
            default:
                z = (y - a);
                y = (("" + (3)).length() & y);
            }
            do {
                while (!((-119655583) != a) && !c.out()) {
                    if ((2) <= a) throw new E0(x);
                    x = a;
                }
                if ((a & 1) == 0) {
                    c.mix((U1.m0(c, d - 1, z, x) + a));
                    a += c.arr[x & 7];
                    y ^= (y + y);
                }
            } while (z > z && !c.out());
            if ((z != x || (a & 4) == 0)) throw ex1;
        } finally {
            x += c.fn(a).twice(c, d - 1, z);
            c.mix(U0.wide(c, d - 1, (long) z, ((y >> x) - a), z * 3L, ((y >> x) - a) / 2.0, z, ((y >> x) - a)));
        }
        a += new A2(c, a).v(c, d - 1, (0));
        L5: {
            switch ((z & 7) + 3) {
            case 3:
                x -= (int) (16523L * c.obj(y).f + x >> 21);
                break;
            case 4:
                c.arr[y & 7] = c.fn((x * y)).twice(c, d - 1, y);
            case 5:
                if (c.obj(a) instanceof A1) return (x % (y | 1));
                x = c.obj(y).f;
                break;
            case 6:
                if ((y == (-20) && (z & 3) == 0)) throw new E0(z);
                y += c.obj(z).f;
                break;
            default:
                z = (int) (64205L * (-1) + z >> 6);
                y -= (x * (z & ((-1) >> z)));
            }
            Map<Key, Integer> m6 = new TreeMap<>();
            for (int i7 = 0; i7 < 7; i7++) m6.put(new Key(c, (a + i7) % 5), i7);
            a += m6.size() + (m6.containsKey(new Key(c, 2)) ? 1 : 2);
            if (y >= (-17)) break L5;
            synchronized (c.lock) {
                switch ("k" + (y & 3)) {
                case "k4":
                    x = U1.m1(c, d - 1, x, (2));
                    z++;
                case "k1":
                    c.mix((y >> (2)));
                    break;
                case "k3":
                    x += ((1) | x);
                    c.mix(a);
                }
            }
            if (c.obj(a) instanceof A0) {
                c.arr[y & 7] = c.fn(x).i(c, d - 1, z);
            } else {
                do {
                    c.arr[y & 7] = c.arr[a & 7];
                } while ((-54677) <= (-1440461650) && !c.out());
            }
        }
        x += (c.obj(y) instanceof A0 ? c.arr[z & 15] : x);
        return a;
    }
    @Override public String toString() { return f > 0 ? "A1" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 63857;
        x ^= c.obj(y).f;
        return c.fn(c.obj(y).v(c, d - 1, (-1066990329))).twice(c, d - 1, y);
    }
}
class A2 extends A1 implements I0 {
    A2(Ctx c, int f) {
        super(c, f / ((f & 7) - 7 == 0 ? 0 : 1));
        if (f > 5) this.f ^= c.mix(2);
    }
    public int i(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 1601871001;
        for (int i1 = 0; i1 < 5 && !c.out(); i1++) {
            try {
                a++;
                Map<Key, Integer> m2 = new LinkedHashMap<>();
                for (int i3 = 0; i3 < 4; i3++) m2.put(new Key(c, (a + i3) % 5), i3);
                a += m2.size() + (m2.containsKey(new Key(c, 2)) ? 1 : 2);
                c.mix(x);
            } catch (RuntimeException ex4) {
                z -= (S.s1(c, d - 1, x, z) * a);
                z = S.s0(c, d - 1, y, y);
                switch ((y & 7) + 0) {
                case 0:
                    z -= c.obj(U0.m0(c, d - 1, z, c.mix(a))).f;
                    z = U0.m0(c, d - 1, a, (1));
                    break;
                case 1:
                    z = (((2) >>> y) + (0));
                    break;
                case 2:
                    a++;
                    break;
                case 3:
                    c.mix((int) (61578L * y + z >> 10));
                    break;
                }
            }
        }
        while ((7) < a && !c.out()) {
            try {
                List<Integer> l6 = new ArrayList<>(Arrays.asList(a, y, z, a, x));
                Collections.sort(l6, Integer::compareTo);
                for (int e : l6) x ^= e;
                if ((c.obj(z) instanceof A2 || ((3) > z || (y == z && y < z)))) {
                    c.arr[y & 15] = c.mix((x * a));
                    c.arr[z & 7] = (z ^ a);
                    if (a > a) break;
                } else {
                    x += S.s0(c, d - 1, z, z);
                    c.mix((y << x));
                    a = y;
                }
                z += ("<" + c.obj(a) + new Key(c, z) + ">").length();
            } catch (IllegalStateException ex8) {
                if (!(z <= (3))) throw new E0(a);
            }
        }
        return (a >>> y);
    }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 2;
        x += c.fn(((-13) <= (0) ? z : y)).i(c, d - 1, (3));
        c.arr[x & 15] = (1);
        return (x > a ? y : z);
    }
}
class A3 extends A0 implements I0 {
    A3(Ctx c, int f) {
        super(c, U0.m0(c, 2, f, 1));
        if (f > 5) this.f ^= c.mix(3);
    }
    synchronized int v(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 3;
        y -= I0.help(c, y);
        a += new A2(c, (-1488768693)).v(c, d - 1, x);
        return c.obj((3)).v(c, d - 1, z);
    }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = -14;
        y = c.obj(z).f;
        return c.mix(x);
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
        return new A0[] {new A2(c, salt + 0), new A1(c, salt + 1), new A1(c, salt + 2), new A1(c, salt + 3)};
    }
    static int two(Ctx c, int d, int a) { return d <= 0 || c.out() ? a : c.obj(a).v(c, d - 1, a); }
    static I0[] fns(Ctx k, int salt) { return new I0[] {Make::two}; }
}
final class U0 {
    static int wide(final Ctx c, final int d, long w1, int w2, long w3, double w4, int w5, int w6) {
        int a = (int) (w1 ^ w3) + w2, b = w4 > w2 ? w5 : w6;
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 0;
        synchronized (c.lock) {
            a += new A0(c, (7)).v(c, d - 1, b);
            L1: {
                L2: {
                    c.mix((S.s1(c, d - 1, (-1), x) >> (1)));
                    z = c.mix((b * b));
                    x -= I0.help(c, a);
                    if (z != (-7514)) break L2;
                    a = x;
                }
                if ((7) < a) break L1;
                if (!(b != (0))) {
                    y -= I0.help(c, c.mix(y));
                    x ^= I0.help(c, S.s0(c, d - 1, y, x));
                    y = (z ^ a);
                } else {
                    if ((0) < z) return ((z - x) & y);
                    x = (b >>> a);
                    a ^= c.fn(U1.m0(c, d - 1, y, z)).i(c, d - 1, y);
                }
                try {
                    c.arr[y & 7] = c.obj((-168004412)).f;
                    c.mix(b);
                    b = c.mix(((x % (b | 1)) / (((3) + a) | 1)));
                } catch (RuntimeException ex3) {
                    z ^= I0.help(c, (3));
                    x = ("" + z).length();
                    c.mix((a / ((15) & 3)));
                }
            }
        }
        switch ((z & 7) + -2) {
        case -2:
            try {
                c.arr[y & 7] = y;
                y += ((y ^ (a / (x | 1))) + y);
                a += c.fn((-1)).i(c, d - 1, I0.help(c, K0.v));
                if (z >= b) throw new E1(y);
            } catch (IllegalStateException ex4) {
                c.mix(S.s1(c, d - 1, (K0.v >>> x), a));
                x -= U1.m0(c, d - 1, (-902259357), z);
            }
            z -= (2);
            break;
        case -1:
            try {
                a -= a;
                b ^= c.fn(c.fn(z).i(c, d - 1, (y * b))).twice(c, d - 1, c.fn((2)).twice(c, d - 1, c.arr[(0) & 7]));
                if (x <= x) throw new E0(z);
            } finally {
                b ^= (int) (31234L * (-19) + c.fn(y).twice(c, d - 1, z) >> 15);
            }
            break;
        case 0:
            for (int i5 = 0; i5 < 9 && !c.out(); i5++) {
                z += U1.m0(c, d - 1, (-16), ((34490) - b));
                x ^= (x >>> (-1));
            }
        case 1:
            Map<Key, Integer> m6 = new HashMap<>();
            for (int i7 = 0; i7 < 5; i7++) m6.put(new Key(c, (a + i7) % 5), i7);
            a += m6.size() + (m6.containsKey(new Key(c, 2)) ? 1 : 2);
            synchronized (c.lock) {
                b ^= (b ^ (0));
            }
        default:
            if (((-1) > y || x >= b)) throw new E1(x);
        }
        z += Hand.make(c, x).i(c, d, ((2) - z));
        return c.obj(y).v(c, d - 1, z);
    }
    static int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 1;
        switch ((x & 15) + 0) {
        case 0:
            L1: {
                do {
                    b += ((23296) * x);
                    x += U1.m0(c, d - 1, (-19), a);
                } while (x == a && !c.out());
                Map<Key, Integer> m3 = new HashMap<>();
                for (int i4 = 0; i4 < 5; i4++) m3.put(new Key(c, (a + i4) % 5), i4);
                a += m3.size() + (m3.containsKey(new Key(c, 2)) ? 1 : 2);
                if (b >= z) break L1;
                for (int i5 = 0; i5 < 9 && !c.out(); i5++) {
                    c.arr[y & 7] = S.s0(c, d - 1, a, a);
                    c.arr[b & 7] = x;
                    x = ((-939886184) % (x & 3));
                }
                x += Hand.make(c, z).i(c, d, (3));
            }
            break;
        case 1:
            b += new A0(c, (z >>> b)).v(c, d - 1, b);
        case 2:
            synchronized (c.lock) {
                if (y != (-2122229981)) throw new E1(x);
                try {
                    a -= (b % (((a > b && y < x) ? (7) : x) & 3));
                    if (b == a) throw new E0(y);
                } catch (RuntimeException ex6) {
                    if ((-1332261887) > x) throw new E0(z);
                }
            }
            break;
        case 3:
            switch ((a & 15) + 0) {
            case 0:
                c.mix(I0.help(c, x));
            case 1:
                x -= ((3) >>> b);
            case 2:
                a = (0);
                y ^= c.arr[x & 7];
                break;
            case 3:
                a ^= c.arr[b & 7];
                c.mix(U1.m2(c, d - 1, (x % (a & 3)), a));
                break;
            case 4:
                b++;
                break;
            case 5:
                c.mix(("" + z).length());
                z += c.mix((7));
                break;
            case 6:
                y = (z & b);
                y++;
                break;
            case 7:
                c.arr[y & 7] = c.mix(z);
                b -= K0.v;
                break;
            default:
                z ^= (c.fn(z).i(c, d - 1, c.fn(y).i(c, d - 1, y)) >>> z);
                c.arr[z & 7] = (a > a ? (3) : c.arr[b & 7]);
            }
            while (y < z && !c.out()) {
                synchronized (c.lock) {
                    if (b > y) break;
                    c.mix((x >> ((-1) + y)));
                }
            }
            break;
        case 4:
            a += new A0(c, b).v(c, d - 1, z);
        case 5:
            if (y < x) {
                z += new A3(c, a).v(c, d - 1, b);
            }
            Map<Key, Integer> m8 = new HashMap<>();
            for (int i9 = 0; i9 < 7; i9++) m8.put(new Key(c, (y + i9) % 5), i9);
            y += m8.size() + (m8.containsKey(new Key(c, 2)) ? 1 : 2);
        case 6:
            switch ((z & 7) + -2) {
            case -2:
                b -= (int) (95322L * b + x >> 29);
                break;
            case -1:
                x += x;
                c.arr[x & 7] = b;
                break;
            case 0:
                if ((7) > a) return U1.m1(c, d - 1, U1.m0(c, d - 1, b, (7)), a);
            case 1:
                if ((-1) != y) return c.mix(b);
                b = y;
                break;
            default:
                z = (x >>> z);
                x++;
            }
            for (int i10 = 0; i10 < 3 && !c.out(); i10++) {
                synchronized (c.lock) {
                    c.mix(K0.v);
                    z = c.fn(x).twice(c, d - 1, a);
                }
                while ((z != b && b == a) && !c.out()) {
                    c.mix((a >>> x));
                }
            }
            break;
        case 7:
            try {
                y ^= (int) (5960L * b + y >> 5);
                try {
                    c.mix(x);
                    c.arr[a & 15] = (int) (20473L * b + a >> 13);
                    if (x >= z) throw new E0(z);
                } catch (NullPointerException ex12) {
                    y = c.fn(z).twice(c, d - 1, (-595476216));
                    c.arr[b & 7] = z;
                    a += (y * a);
                    if (((x == b || z < b) || ((y >= x && a < (2)) && (0) > (3)))) throw ex12;
                } catch (E0 ex13) {
                    c.mix(c.obj(x).f);
                    x += x;
                    if (x != (3)) throw ex13;
                } catch (RuntimeException ex14) {
                    a ^= ((0) + b);
                    x = c.mix(a);
                    y++;
                }
                Map<Key, Integer> m15 = new HashMap<>();
                for (int i16 = 0; i16 < 6; i16++) m15.put(new Key(c, (x + i16) % 5), i16);
                x += m15.size() + (m15.containsKey(new Key(c, 2)) ? 1 : 2);
                if (c.obj(a) instanceof A0) throw new E0(z);
            } catch (ClassCastException ex17) {
                try {
                    a ^= (Integer) S.class.getDeclaredMethod("s1", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, a, a);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                } catch (ReflectiveOperationException e) {
                    a--;
                }
                if ((-1185787709) <= z) {
                    c.mix(S.s1(c, d - 1, x, b));
                    x = x;
                } else {
                    z = ((a >> a) % ((((-1) << (4)) & a) & 3));
                }
                List<Integer> l18 = new ArrayList<>(Arrays.asList(a, S.s0(c, d - 1, a, (15032)), y));
                Collections.sort(l18, Integer::compareTo);
                for (int e : l18) b ^= e;
                if ((y & 4) != 0) throw ex17;
            } finally {
                List<Integer> l20 = new ArrayList<>(Arrays.asList((-1), z));
                Collections.sort(l20, Integer::compareTo);
                for (int e : l20) x ^= e;
            }
            break;
        }
        switch ("k" + (x & 3)) {
        case "k2":
            if ((z <= b || c.obj(b) instanceof A1)) {
                b = ((3) << x);
                x += ("" + c.mix(y)).length();
                y = c.fn((b >>> y)).twice(c, d - 1, z);
            } else {
                c.mix((z | a));
                z = ((x >> x) >> z);
            }
        case "k3":
            y += (int) (53468L * a + (7) >> 27);
            break;
        case "k4":
            b ^= U0.m0(c, d - 1, ((a - x) << y), (0));
            c.arr[y & 15] = U0.wide(c, d - 1, (long) (1), (-1566455250), (1) * 3L, (-1566455250) / 2.0, (1), (-1566455250));
        default:
            b++;
        }
        return c.obj(x).v(c, d - 1, ((3) + z));
    }
}
final class U1 {
    static int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = -13473;
        while ((17) < x && !c.out()) {
            for (int i2 = 0; i2 < 3 && !c.out(); i2++) {
                switch (x) {
                case 0:
                    x = U1.m0(c, d - 1, (3), a);
                    break;
                case 1:
                    y -= (x >>> y);
                    if (y == a) throw new E1(y);
                    break;
                case 9:
                    c.mix((int) (56849L * (3) + b >> 7));
                    break;
                case 65536:
                    c.mix(c.arr[a & 7]);
                    break;
                case 2147483647:
                    c.arr[y & 7] = (a << (-2475));
                    break;
                default:
                    b ^= (z * z);
                }
                try {
                    if (x >= x) {
                        if ((-1) != (-1)) break;
                    }
                    if (c.obj(z) instanceof A0) throw new E1(y);
                } catch (E0 ex3) {
                    a += new A1(c, (419949018)).v(c, d - 1, b);
                    if (z > z) throw ex3;
                }
                c.mix((b * a));
            }
            try {
                L4: {
                    try {
                        c.arr[b & 15] = (!((-1) < b) ? a : z);
                        b = (y | b);
                        a = (-985827621);
                    } catch (NullPointerException ex5) {
                        c.arr[a & 7] = (x & (2));
                    } catch (ClassCastException ex6) {
                        c.arr[a & 7] = (3);
                        b++;
                        c.mix((a - (7)));
                        if (!(b == b)) throw ex6;
                    } catch (E0 ex7) {
                        c.arr[a & 7] = (c.fn(x).twice(c, d - 1, a) << (-1));
                    }
                    if (b <= b) break L4;
                    if (x != a) {
                        y -= c.fn(a).twice(c, d - 1, c.obj(b).f);
                        x -= ((7) * y);
                    } else {
                        c.mix((c.obj(a).v(c, d - 1, b) >> b));
                        c.arr[y & 7] = ((1) % (x | 1));
                        c.mix(x);
                    }
                    z += new A0(c, y).v(c, d - 1, (2));
                }
                try {
                    z += ("<" + c.obj(a) + new Key(c, z) + ">").length();
                    try {
                        y ^= ("" + U1.m2(c, d - 1, a, a)).length();
                        x = (b << z);
                        if (b >= a) throw new E0(a);
                    } finally {
                        z += K0.v;
                    }
                    if (c.obj(a) instanceof A3) throw new E1(x);
                } catch (ArrayIndexOutOfBoundsException ex8) {
                    a += ("<" + c.obj(x) + new Key(c, a) + ">").length();
                    final int q10 = b;
                    I0 f9 = (cc10, dd10, pp10) -> {
                        if (dd10 <= 0 || cc10.out()) return q10;
                        int rr10 = pp10 ^ q10;
                        rr10 = c.fn(c.mix(rr10)).i(c, d - 1, rr10);
                        return rr10;
                    };
                    b ^= f9.i(c, d - 1, y);
                    for (int e : new Range(4, 2)) { a += e; }
                } finally {
                    a += new A2(c, b).v(c, d - 1, U1.m0(c, d - 1, b, z));
                }
            } catch (ArithmeticException ex11) {
                List<Integer> l12 = new ArrayList<>(Arrays.asList(x, (14121), (-14)));
                final int m13 = x;
                Collections.sort(l12, new Comparator<Integer>() {
                    @Override public int compare(Integer p, Integer q) { if (m13 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
                });
                for (int e : l12) x ^= e;
                List<Integer> l14 = new ArrayList<>(Arrays.asList(b, ((7) != x ? I0.help(c, (2)) : (1)), (7), z));
                final int m15 = y;
                Collections.sort(l14, new Comparator<Integer>() {
                    @Override public int compare(Integer p, Integer q) { if (m15 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
                });
                for (int e : l14) y ^= e;
            } catch (E1 ex16) {
                c.arr[a & 15] = I0.help(c, x);
            }
        }
        return c.obj(y).f;
    }
    static int m1(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 136545023;
        try {
            for (int e : new Range(z & 7, 1)) { a += e; }
            if (!((x & 3) == 0)) throw new E0(b);
        } catch (NullPointerException ex1) {
            y += ((1) & (int) (15970L * (b ^ a) + U0.m0(c, d - 1, x, z) >> 20));
            y = (!((a == (7) || x == b)) ? z : y);
        } finally {
            try {
                do {
                    try {
                        x ^= (Integer) U0.class.getDeclaredMethod("m0", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, a, (5));
                    } catch (java.lang.reflect.InvocationTargetException e) {
                        c.mix(e.getCause().getClass().getName().length());
                        if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
                    } catch (ReflectiveOperationException e) {
                        x--;
                    }
                    x -= (a >> (-34941));
                } while (z <= y && !c.out());
                if (z < (7)) throw new E0(z);
            } catch (ArithmeticException ex3) {
                a += ((-1) ^ z);
                synchronized (c.lock) {
                    b += (y / (x & 3));
                }
                if (((x >= a && (z >= x || b != z)) && (2) < b)) {
                    List<Integer> l4 = new ArrayList<>(Arrays.asList(y, b));
                    Collections.sort(l4, Integer::compareTo);
                    for (int e : l4) a ^= e;
                    c.arr[x & 15] = c.arr[a & 7];
                    List<Integer> l6 = new ArrayList<>(Arrays.asList(S.s0(c, d - 1, b, (1)), y));
                    Collections.sort(l6, (p, q) -> (p & 15) < (q & 15) ? -1 : (p & 15) > (q & 15) ? 1 : 0);
                    for (int e : l6) a ^= e;
                } else {
                    switch ("k" + (y & 3)) {
                    case "k4":
                        c.arr[a & 7] = U1.m0(c, d - 1, a, (0));
                        b = y;
                        break;
                    case "k1":
                        a -= c.maybe.f;
                        break;
                    case "k0":
                        z ^= S.s1(c, d - 1, a, z);
                        c.mix(c.mix((int) (27363L * (int) (52031L * a + y >> 0) + K0.v >> 7)));
                    }
                    if (c.obj(a) instanceof A0) throw new E0(a);
                    L8: {
                        x = c.arr[c.fn(b).i(c, d - 1, a) & 7];
                        if (((1) < a || c.obj(b) instanceof A3)) return U1.m2(c, d - 1, b, ((7) ^ a));
                        if (y <= (3)) break L8;
                        z = (z + x);
                    }
                }
            } catch (E1 ex9) {
                try {
                    try {
                        y = (z >>> y);
                        if (a != y) return U0.wide(c, d - 1, (long) b, (x == a ? x : (0)), b * 3L, (x == a ? x : (0)) / 2.0, b, (x == a ? x : (0)));
                        c.arr[y & 7] = a;
                    } catch (ArithmeticException ex10) {
                        a = c.obj(y).v(c, d - 1, U0.wide(c, d - 1, (long) y, a, y * 3L, a / 2.0, y, a));
                    }
                    if ((b & 6) == 0) throw new E1(x);
                } catch (NullPointerException ex11) {
                    List<Integer> l12 = new ArrayList<>(Arrays.asList(x, x));
                    Collections.sort(l12, Integer::compareTo);
                    for (int e : l12) b ^= e;
                    if (a <= x) throw ex11;
                } catch (E0 ex14) {
                    b ^= (1);
                } catch (IllegalStateException ex15) {
                    a += x;
                } finally {
                    synchronized (c.lock) {
                        if (x > z) return ("" + b).length();
                        c.mix(U1.m2(c, d - 1, b, b));
                        c.mix(((1) >> (0)));
                    }
                }
            } catch (E0 ex16) {
                if (((y & 1) != 0 || (3) >= (1))) {
                    L17: {
                        x -= a;
                        c.arr[y & 7] = c.fn(S.s0(c, d - 1, (-13), b)).i(c, d - 1, z);
                        if (a < (52808)) break L17;
                        a ^= c.obj(a).f;
                        a = U0.wide(c, d - 1, (long) (-1374506437), z, (-1374506437) * 3L, z / 2.0, (-1374506437), z);
                        y = c.obj(y).v(c, d - 1, (b * (-1)));
                    }
                    switch ("k" + (a & 3)) {
                    case "k0":
                        y = I0.help(c, x);
                        break;
                    case "k3":
                        a = x;
                    case "k4":
                        y += c.mix((-13278));
                    default:
                        c.mix(y);
                    }
                } else {
                    z += c.fn(b).twice(c, d - 1, b);
                    switch ("k" + (z & 3)) {
                    case "k3":
                        z = ((2140941845) ^ z);
                        c.mix((y >> a));
                    case "k4":
                        c.arr[b & 7] = U0.wide(c, d - 1, (long) (1), x, (1) * 3L, x / 2.0, (1), x);
                        x = U1.m2(c, d - 1, y, z);
                    case "k0":
                        b ^= ("" + c.fn(z).i(c, d - 1, ((-16) & x))).length();
                    default:
                        x = (z >= (-1) ? (-1) : y);
                        y += (b + a);
                    }
                }
            }
        }
        Map<Key, Integer> m18 = new LinkedHashMap<>();
        for (int i19 = 0; i19 < 7; i19++) m18.put(new Key(c, (z + i19) % 5), i19);
        z += m18.size() + (m18.containsKey(new Key(c, 2)) ? 1 : 2);
        c.arr[z & 15] = (c.obj(x).v(c, d - 1, (-24016)) << b);
        L20: {
            try {
                while (c.obj(x) instanceof A1 && !c.out()) {
                    z += ("<" + c.obj(a) + new Key(c, z) + ">").length();
                }
                do {
                    for (int e : new Range(x & 7, 1)) { z += e; }
                    do {
                        b = (b - a);
                    } while (b <= (-1) && !c.out());
                    try {
                        a = (x + a);
                        if ((x & 4) != 0) return (z | U1.m0(c, d - 1, b, (0)));
                    } catch (ArithmeticException ex24) {
                        c.arr[b & 15] = U0.m0(c, d - 1, (-45537), (a / (z & 3)));
                    } catch (RuntimeException ex25) {
                        x -= (c.obj(a).v(c, d - 1, b) % (b & 3));
                        y -= (b * x);
                        if ((-1) == a) throw ex25;
                    }
                } while (!(x < z) && !c.out());
                switch ((b & 15) + 0) {
                case 0:
                    b += (-1);
                    if (a == (7)) throw new E0((0));
                case 1:
                    c.arr[x & 7] = (7);
                    a -= (y - x);
                case 2:
                    z = ((7) - z);
                    if ((-10) >= x) throw new E0(y);
                case 3:
                    x ^= c.arr[b & 7];
                case 4:
                    c.mix(x);
                    c.arr[b & 7] = (x + y);
                case 5:
                    c.arr[a & 7] = (int) (41654L * a + b >> 17);
                case 6:
                    z += ((3) / (y | 1));
                    c.mix(S.s0(c, d - 1, b, x));
                    break;
                case 7:
                    x = (U0.wide(c, d - 1, (long) a, b, a * 3L, b / 2.0, a, b) >>> b);
                    a++;
                default:
                    c.mix(K0.v);
                    x = S.s0(c, d - 1, b, a);
                }
                if ((a & 3) != 0) throw new E1(x);
            } catch (RuntimeException ex26) {
                z ^= (x - z);
                c.arr[z & 7] = c.arr[(3) & 7];
            }
            a++;
            z -= (b % ((7) & 3));
            if (z < x) break L20;
            b ^= c.obj(y).f;
            z = c.arr[c.fn(b).twice(c, d - 1, (b / (z | 1))) & 7];
            c.arr[b & 7] = (y * y);
        }
        return (int) (55086L * z + b >> 13);
    }
    static int m2(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 0;
        do {
            switch ((z & 3) + 3) {
            case 3:
                do {
                    y -= U0.wide(c, d - 1, (long) x, (0), x * 3L, (0) / 2.0, x, (0));
                    a = S.s1(c, d - 1, ("" + (2)).length(), y);
                    b = ((7) >> b);
                } while (b == a && !c.out());
                break;
            case 4:
                for (int e : new Range(4, 2)) { y += e; }
                break;
            default:
                c.any = "s" + b;
                b += ((A0) c.any).f;
            }
            synchronized (c.lock) {
                Map<Key, Integer> m3 = new TreeMap<>();
                for (int i4 = 0; i4 < 7; i4++) m3.put(new Key(c, (a + i4) % 5), i4);
                a += m3.size() + (m3.containsKey(new Key(c, 2)) ? 1 : 2);
            }
        } while (x != (1564832206) && !c.out());
        a ^= (c.obj((-1475452801)).f >>> (2));
        Map<Key, Integer> m5 = new TreeMap<>();
        for (int i6 = 0; i6 < 2; i6++) m5.put(new Key(c, (b + i6) % 5), i6);
        b += m5.size() + (m5.containsKey(new Key(c, 2)) ? 1 : 2);
        return (z >> y);
    }
}
public class Main {
    static void one(String name, int which, int salt) {
        Ctx c = null;
        String s;
        try {
            c = new Ctx(60, salt);
            s = "" + root(c, which, salt);
        } catch (RuntimeException | LinkageError e) {
            s = e.getClass().getName();
        }
        out(name, s + " " + (c == null ? 0 : c.h));
    }
    static int root(Ctx c, int which, int salt) {
        switch (which) {
        case 0: return U0.m0(c, 5, salt, -15);
        case 1: return U1.m0(c, 5, salt, -4);
        case 2: return U1.m1(c, 5, salt, 16);
        case 3: return U1.m2(c, 5, salt, -48);
        case 4: return S.s0(c, 5, salt, -6);
        case 5: return S.s1(c, 5, salt, 20);
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
        OUT.put("w3", new StringBuilder());
        OUT.put("pool", new StringBuilder());
        one("main", 5, 92);
        one("main", 0, 55);
        one("main", 2, 69);
        one("main", 4, 36);
        out("main", "" + So.run(new Ctx(5, 1)));
        Thread[] ts = new Thread[4];
        ts[0] = new Thread(() -> { one("w0", 2, 69); throw new E1(0); }, "w0");
        ts[0].setUncaughtExceptionHandler((th, e) -> out("w0", e.getClass().getName()));
        ts[0].start();
        ts[0].join();
        ts[1] = new Thread(() -> { one("w1", 2, 96); one("w1", 1, 66); throw new E1(1); }, "w1");
        ts[1].setUncaughtExceptionHandler((th, e) -> out("w1", e.getClass().getName()));
        ts[1].start();
        ts[1].join();
        ts[2] = new Thread("w2") { @Override public void run() { one("w2", 6, 5); one("w2", 1, 49); one("w2", 1, 26); throw new E1(2); } };
        ts[2].setUncaughtExceptionHandler((th, e) -> out("w2", e.getClass().getName()));
        ts[2].start();
        ts[2].join();
        ts[3] = new Thread(() -> { one("w3", 0, 6); one("w3", 4, -8); one("w3", 6, 8); }, "w3");
        ts[3].setUncaughtExceptionHandler((th, e) -> out("w3", e.getClass().getName()));
        ts[3].start();
        ts[3].join();
        for (Thread t : ts) t.join();
        for (StringBuilder b : OUT.values()) System.out.print(b);
        throw new E1(5);
    }
}
