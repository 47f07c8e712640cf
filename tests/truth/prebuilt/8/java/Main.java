
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
        int z = 0;
        z += new A1(c, (16)).v(c, d - 1, z);
        switch (((7) % (a & 3))) {
        case -2147483648:
            Runnable r1 = c.fn(x) == null ? null : () -> c.mix(3);
            r1.run();
            if (((-31149) != (-2) || a == y)) {
                c.mix(c.mix((x >>> y)));
                x = (x << a);
                z += I0.help(c, (2));
            }
            break;
        case -70000:
            z += I0.help(c, z);
            break;
        case -5:
            for (int e : new Range(a & 7, 2)) { z += e; }
            a = c.fn(c.mix(x)).twice(c, d - 1, z);
            break;
        case 9:
            try {
                if (x <= z) return ((z < z && z == z) ? a : x);
            } catch (E0 ex2) {
                a = z;
                a = K0.v;
            }
        case 1000:
            c.any = new int[x & 3];
            x += ((int[]) c.any).length;
            break;
        case 65536:
            y -= (y << (-1805512345));
        default:
            Runnable r3 = c.fn(y) == null ? null : () -> c.mix(3);
            r3.run();
            synchronized (c.lock) {
                c.mix(((7) << y));
                c.arr[y & 7] = ("" + (1385943390)).length();
                y ^= c.fn(y).twice(c, d - 1, y);
            }
        }
        c.any = new int[y & 3];
        y += ((int[]) c.any).length;
        for (int e : new Range(y & 7, 1)) { x += e; }
        return K1.v;
    }
    public int i(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 1;
        for (int i1 = 0; i1 < 3 && !c.out(); i1++) {
            for (int i2 = 0; i2 < 2 && !c.out(); i2++) {
                y += ("<" + c.obj(a) + new Key(c, y) + ">").length();
                if (c.obj(a) instanceof A1) {
                    c.mix(S.s2(c, d - 1, y, x));
                } else {
                    y += (a - ((-10) - z));
                    c.arr[a & 7] = U0.m0(c, d - 1, y, a);
                }
            }
        }
        x = c.obj(y).v(c, d - 1, z);
        if (x > z) {
            while ((17) == z && !c.out()) {
                Runnable r4 = c.fn(x) == null ? null : () -> c.mix(3);
                r4.run();
                try {
                    y = c.fn((z / ((0) | 1))).i(c, d - 1, y);
                    z = (int) (58841L * a + x >> 37);
                } catch (E1 ex5) {
                    c.arr[y & 7] = (int) (85224L * y + y >> 6);
                    x = c.arr[y & 7];
                    if ((y & 1) == 0) return (((2) | x) | z);
                } catch (IllegalStateException ex6) {
                    y += ((-46645) / (x | 1));
                    z += c.arr[(x / (a | 1)) & 7];
                }
            }
        } else {
            while (a != y && !c.out()) {
                try {
                    y = (a % (x & 3));
                } finally {
                    z -= (x + z);
                    z = y;
                }
                c.arr[y & 7] = (z | y);
                Runnable r8 = c.fn(y) == null ? null : () -> c.mix(3);
                r8.run();
            }
            z = U0.wide(c, d - 1, (long) x, z, x * 3L, z / 2.0, x, z);
        }
        return (x ^ z);
    }
    @Override public String toString() { return f > 0 ? "A0" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 60619;
        L1: {
            for (int i2 = 0; i2 < 3 && !c.out(); i2++) {
                c.mix((int) (94724L * x + z >> 38));
                y = c.fn(a).i(c, d - 1, (3));
                if ((1) >= (-1)) break;
            }
            a -= U0.wide(c, d - 1, (long) (z >> (0)), a, (z >> (0)) * 3L, a / 2.0, (z >> (0)), a);
            x = c.obj(a).f;
            if ((-28522) != a) break L1;
            x += ("<" + c.obj(a) + new Key(c, x) + ">").length();
            c.any = null;
            z += ((int[]) c.any).length;
        }
        final int q4 = x;
        I0 f3 = (cc4, dd4, pp4) -> {
            if (dd4 <= 0 || cc4.out()) return q4;
            int rr4 = pp4 ^ q4;
            c.arr[rr4 & 7] = c.fn(((2) / (rr4 | 1))).i(c, d - 1, (3));
            return rr4;
        };
        x ^= f3.i(c, d - 1, I0.help(c, (3)));
        try {
            if ((3) >= z) {
                c.arr[y & 7] = c.mix(c.arr[a & 7]);
            } else {
                x = (z - (1));
                c.mix(c.arr[(2) & 7]);
            }
            switch ((x & 15) + 0) {
            case 0:
                a = c.mix(z);
                z = c.fn(x).i(c, d - 1, a);
            case 1:
                x++;
                break;
            case 2:
                z += z;
                z ^= ((0) ^ ("" + a).length());
                break;
            case 3:
                c.arr[z & 7] = c.mix(a);
                break;
            case 4:
                c.mix(this.f);
                z += ((a >>> y) | (-1));
                break;
            case 5:
                a++;
                c.arr[x & 7] = U1.m1(c, d - 1, (int) (94526L * a + a >> 33), (y * (7)));
                break;
            case 6:
                c.mix(I0.help(c, y));
                break;
            case 7:
                c.arr[z & 7] = U1.m1(c, d - 1, a, a);
            default:
                c.mix(c.obj(((-406223180) >>> S.s0(c, d - 1, (11), z))).v(c, d - 1, (1950846409)));
            }
            do {
                z += (y & y);
            } while ((-1498) > z && !c.out());
        } catch (ArrayIndexOutOfBoundsException ex6) {
            for (int i7 = 0; i7 < 3 && !c.out(); i7++) {
                if (!(y > x)) return U0.wide(c, d - 1, (long) (1), U0.wide(c, d - 1, (long) a, a, a * 3L, a / 2.0, a, a), (1) * 3L, U0.wide(c, d - 1, (long) a, a, a * 3L, a / 2.0, a, a) / 2.0, (1), U0.wide(c, d - 1, (long) a, a, a * 3L, a / 2.0, a, a));
            }
            if (y <= x) {
                a ^= ((1775710472) >= y ? z : a);
                a = (x ^ (z % (x | 1)));
            }
        }
        return a;
    }
}
class A1 extends A0 implements I0 {
    A1(Ctx c, int f) {
        super(c, f + 1);
        if (f > 5) this.f ^= c.mix(1);
    }
    int v(final Ctx c, final int d, int a) {
        if (a > 2) a += super.v(c, d - 1, a);
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 2;
        z += Hand.make(c, a).i(c, d, y);
        try {
            switch ((0)) {
            case 0:
                a ^= S.s2(c, d - 1, S.s2(c, d - 1, z, x), z);
                y++;
                break;
            case 1000:
                c.arr[z & 7] = (z % (y | 1));
                a = y;
                break;
            default:
                c.mix(a);
            }
            if ((1) > y) throw new E1(x);
        } catch (ArrayIndexOutOfBoundsException ex1) {
            while (a != z && !c.out()) {
                for (int i3 = 0; i3 < 2 && !c.out(); i3++) {
                    z ^= S.s2(c, d - 1, x, (-1));
                }
                x -= z;
                c.mix(((1) | a));
            }
            while ((0) == z && !c.out()) {
                if (z == (-1)) {
                    y = (z - x);
                    y = ((-34338) << (1632149434));
                    y = K0.v;
                } else {
                    x = (z % (y & 3));
                }
                while ((13) <= z && !c.out()) {
                    z = z;
                    c.mix((y ^ x));
                }
                switch ((x & 3) + 3) {
                case 3:
                    c.mix(a);
                    a = c.arr[x & 7];
                    break;
                case 4:
                    x -= c.arr[(2) & 7];
                    a++;
                default:
                    if (y < a) return S.s1(c, d - 1, z, y);
                }
            }
        } catch (IllegalStateException ex6) {
            if (!((-1) == y)) {
                final int q8 = x;
                I0 f7 = (cc8, dd8, pp8) -> {
                    if (dd8 <= 0 || cc8.out()) return q8;
                    int rr8 = pp8 ^ q8;
                    c.mix(((rr8 ^ (-430416242)) / ((rr8 | rr8) & 3)));
                    c.arr[rr8 & 7] = c.obj((-1929626318)).v(c, d - 1, rr8);
                    return rr8;
                };
                x ^= f7.i(c, d - 1, y);
            } else {
                for (int i9 = 0; i9 < 5 && !c.out(); i9++) {
                    c.arr[a & 15] = (z | x);
                }
                if (!((7) == (-1497247293))) {
                    c.mix((y >> a));
                    z = U0.wide(c, d - 1, (long) z, x, z * 3L, x / 2.0, z, x);
                    c.arr[a & 7] = (x * (a << this.v(c, d - 1, z)));
                } else {
                    z ^= ((2) | y);
                    c.arr[y & 7] = K0.v;
                }
                while (z < a && !c.out()) {
                    c.arr[x & 7] = (y != (-1) ? y : y);
                }
            }
            for (int i11 = 0; i11 < 5 && !c.out(); i11++) {
                try {
                    if ((x & 1) == 0) throw new E1(x);
                } catch (ArrayIndexOutOfBoundsException ex12) {
                    c.mix((a + (18)));
                    a ^= z;
                }
            }
            try {
                switch ((a & 15) + 0) {
                case 0:
                    c.arr[a & 7] = (("" + (1)).length() & x);
                    c.mix(U1.m0(c, d - 1, c.obj((7)).v(c, d - 1, ((-721819456) - (7))), a));
                    break;
                case 1:
                    a -= c.mix(x);
                    break;
                case 2:
                    a -= ("" + a).length();
                    c.mix((-2));
                case 3:
                    z = c.fn(x).i(c, d - 1, (z % (x | 1)));
                    a ^= U1.m0(c, d - 1, (0), a);
                    break;
                case 4:
                    c.arr[y & 7] = U1.m1(c, d - 1, y, y);
                    c.arr[a & 7] = y;
                    break;
                case 5:
                    z = (a ^ x);
                    y -= c.maybe.f;
                    break;
                case 6:
                    y ^= U0.wide(c, d - 1, (long) K0.v, z, K0.v * 3L, z / 2.0, K0.v, z);
                    y -= ((-20) >> (1));
                case 7:
                    x = U1.m1(c, d - 1, z, x);
                    x -= (2);
                    break;
                default:
                    y = (a >>> a);
                    z ^= ("" + a).length();
                }
                try {
                    z += S.s1(c, d - 1, (3749), x);
                    a += this.f;
                    y = ("" + x).length();
                    if (((x & 3) == 0 && (!(a <= y) && a != x))) throw new E1(z);
                } catch (E1 ex13) {
                    x = x;
                }
                List<Integer> l14 = new ArrayList<>(Arrays.asList(a, a, z, (a >> y), a));
                final int m15 = y;
                Collections.sort(l14, new Comparator<Integer>() {
                    @Override public int compare(Integer p, Integer q) { if (m15 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
                });
                for (int e : l14) y ^= e;
            } catch (NullPointerException ex16) {
                c.arr[a & 7] = ((1) >> (-1));
                final int q18 = a;
                I0 f17 = (cc18, dd18, pp18) -> {
                    if (dd18 <= 0 || cc18.out()) return q18;
                    int rr18 = pp18 ^ q18;
                    rr18 = this.v(c, d - 1, ("" + (7)).length());
                    return rr18;
                };
                a ^= f17.i(c, d - 1, (2));
                y ^= z;
                if (!(y > (0))) throw ex16;
            } catch (ArrayIndexOutOfBoundsException ex19) {
                do {
                    if (c.obj(z) instanceof A0) continue;
                } while (y < a && !c.out());
            } catch (E1 ex21) {
                try {
                    z = (int) (34684L * (("" + (1)).length() | a) + x >> 16);
                    c.mix(((2) + y));
                    if (z < x) throw new E1(z);
                } catch (NullPointerException ex22) {
                    a += (z % (z | 1));
                } catch (IllegalStateException ex23) {
                    c.mix(U1.m1(c, d - 1, z, z));
                }
                if (z >= x) throw ex21;
            }
        } catch (RuntimeException ex24) {
            y += (!((a & 6) == 0) ? y : x);
            a ^= c.fn(z).twice(c, d - 1, (7));
            c.arr[z & 15] = U1.m1(c, d - 1, x, y);
        }
        return c.obj((a / (y | 1))).v(c, d - 1, a);
    }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 3;
        a += Hand.make(c, x).i(c, d, (7));
        if (!(!(z == (3)))) {
            L1: {
                a += (y & (7));
                if (x > x) break L1;
                c.arr[z & 15] = hidden(c, d - 1, z);
                z ^= (int) (83910L * x + y >> 5);
                y -= S.s1(c, d - 1, z, a);
            }
            try {
                z ^= (Integer) S.class.getDeclaredMethod("s0", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, z, a);
            } catch (java.lang.reflect.InvocationTargetException e) {
                c.mix(e.getCause().getClass().getName().length());
                if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
            } catch (ReflectiveOperationException e) {
                z--;
            }
        }
        return (c.obj(c.maybe.f).v(c, d - 1, K1.v) * ((x ^ (-60443)) - K1.v));
    }
}
class A2 extends A0 implements I0 {
    A2(Ctx c, int f) {
        super(c, f + 1);
        if (f > 5) this.f ^= c.mix(2);
    }
    int v(final Ctx c, final int d, int a) {
        if (a > 2) a += super.v(c, d - 1, a);
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 1;
        synchronized (c.lock) {
            if (c.obj(a) instanceof A1) {
                for (int i1 = 0; i1 < 5 && !c.out(); i1++) {
                    x -= c.obj(x).v(c, d - 1, y);
                    c.arr[y & 7] = z;
                }
            } else {
                synchronized (c.lock) {
                    x ^= c.arr[c.obj(x).v(c, d - 1, a) & 7];
                    c.mix((y >> z));
                }
                switch ("k" + (y & 3)) {
                case "k2":
                    z += c.arr[x & 7];
                    break;
                case "k3":
                    y ^= c.mix(x);
                    c.arr[x & 7] = (S.s2(c, d - 1, y, x) >> a);
                    break;
                case "k4":
                    c.arr[z & 7] = ((-12577) + y);
                    break;
                default:
                    if (a != z) return S.s0(c, d - 1, a, (1));
                    c.mix(U1.m1(c, d - 1, (7), a));
                }
                try {
                    a ^= (Integer) S.class.getDeclaredMethod("s1", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, (1), (0));
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                } catch (ReflectiveOperationException e) {
                    a--;
                }
            }
            a += ("<" + c.obj(y) + new Key(c, a) + ">").length();
        }
        return I0.help(c, x);
    }
    public int i(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = -1;
        try {
            try {
                final int q2 = z;
                I0 f1 = (cc2, dd2, pp2) -> {
                    if (dd2 <= 0 || cc2.out()) return q2;
                    int rr2 = pp2 ^ q2;
                    rr2 = (rr2 << rr2);
                    rr2 = rr2;
                    return rr2;
                };
                z ^= f1.i(c, d - 1, (68560));
                if ((a > a || z <= y)) throw new E1(z);
            } catch (ClassCastException ex3) {
                while (((-1) != x || y != x) && !c.out()) {
                    c.mix((x - hidden(c, d - 1, (z | x))));
                    c.mix(c.arr[S.s0(c, d - 1, x, ((7) & a)) & 7]);
                }
                synchronized (c.lock) {
                    a++;
                    c.mix(((y - y) >>> z));
                    c.mix((x | (3)));
                }
            } catch (E0 ex5) {
                switch ((x & 15) + -2) {
                case -2:
                    if (a >= x) return (x | (1));
                    break;
                case -1:
                    c.arr[x & 7] = S.s2(c, d - 1, (y - (-1)), (x << y));
                case 0:
                    x = ("" + x).length();
                    break;
                case 1:
                    z = (int) (35522L * (-66819) + y >> 22);
                    c.arr[y & 7] = c.obj(y).f;
                    break;
                case 2:
                    a = (a >> x);
                    x = z;
                    break;
                case 3:
                    c.mix(((7) << (12)));
                    break;
                case 4:
                    x ^= ((2) << (7));
                    y = c.obj(y).v(c, d - 1, x);
                    break;
                case 5:
                    x += (y < x ? U1.m0(c, d - 1, S.s1(c, d - 1, y, x), y) : y);
                    break;
                default:
                    y -= I0.help(c, (x * U1.m0(c, d - 1, z, (1))));
                    z += ((3) >>> a);
                }
                for (int e : new Range(4, 2)) { z += e; }
            } catch (RuntimeException ex6) {
                L7: {
                    a = ((2) / (z | 1));
                    x = c.obj((y % ((x >> (7)) | 1))).f;
                    y ^= (c.obj(z) instanceof A1 ? y : z);
                    if (a >= (-1)) break L7;
                    c.mix(I0.help(c, x));
                    y = c.mix((-769858220));
                    y = c.obj(z).f;
                }
                do {
                    y += U0.m0(c, d - 1, a, y);
                    a ^= U0.wide(c, d - 1, (long) c.obj(y).v(c, d - 1, a), (0), c.obj(y).v(c, d - 1, a) * 3L, (0) / 2.0, c.obj(y).v(c, d - 1, a), (0));
                    c.mix(this.f);
                } while (x <= a && !c.out());
            } finally {
                while (z <= y && !c.out()) {
                    c.arr[y & 7] = hidden(c, d - 1, (7));
                    y -= c.mix((19));
                }
            }
            a -= (a ^ x);
            if (z == x) throw new E1(x);
        } finally {
            L10: {
                final int q12 = z;
                I0 f11 = (cc12, dd12, pp12) -> {
                    if (dd12 <= 0 || cc12.out()) return q12;
                    int rr12 = pp12 ^ q12;
                    if (c.obj(rr12) instanceof A0) return U0.wide(c, d - 1, (long) (rr12 ^ rr12), rr12, (rr12 ^ rr12) * 3L, rr12 / 2.0, (rr12 ^ rr12), rr12);
                    return rr12;
                };
                z ^= f11.i(c, d - 1, (y == z ? x : c.obj(y).f));
                while (y != y && !c.out()) {
                    if ((19) >= x) throw new E1((2));
                    y = c.mix(z);
                }
                if (z >= x) break L10;
                do {
                    y ^= (y / ((z <= z ? a : y) | 1));
                    c.mix(c.obj(a).f);
                    x -= (3);
                } while (((x <= (2) || x != a) || y < y) && !c.out());
                final int q16 = a;
                I0 f15 = (cc16, dd16, pp16) -> {
                    if (dd16 <= 0 || cc16.out()) return q16;
                    int rr16 = pp16 ^ q16;
                    c.mix(c.obj(rr16).f);
                    return rr16;
                };
                a ^= f15.i(c, d - 1, y);
            }
            x++;
        }
        return ("" + y).length();
    }
    @Override public int twice(Ctx c, int d, int a) { return d <= 0 || c.out() ? 1 : super.twice(c, d - 1, a) + 1; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 3;
        try {
            if (z > y) throw new E1(y);
            do {
                y = I0.help(c, y);
                a -= S.s1(c, d - 1, z, (x * (-63026)));
                z = (int) (14231L * z + x >> 1);
            } while (y <= (2) && !c.out());
            try {
                x ^= (Integer) U0.class.getDeclaredMethod("m0", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, y, (int) (30268L * (1) + z >> 0));
            } catch (java.lang.reflect.InvocationTargetException e) {
                c.mix(e.getCause().getClass().getName().length());
            } catch (ReflectiveOperationException e) {
                x--;
            }
        } catch (ArrayIndexOutOfBoundsException ex2) {
            try {
                x -= (a <= x ? x : x);
                c.arr[y & 15] = ("" + (0)).length();
                if ((z & 4) == 0) throw new E1(x);
            } finally {
                y = ("" + (2)).length();
            }
        }
        try {
            switch ((a & 15) + -2) {
            case -2:
                c.mix((int) (22148L * x + x >> 26));
                break;
            case -1:
                y ^= (z ^ x);
            case 0:
                a++;
                break;
            case 1:
                c.mix((("" + z).length() >>> (7)));
                c.mix((z != (-1) ? (1) : (x / (y | 1))));
                break;
            case 2:
                c.mix((z >>> z));
            case 3:
                c.arr[a & 7] = I0.help(c, x);
                y += ((59385) % ((U1.m0(c, d - 1, a, x) & x) | 1));
            case 4:
                c.mix(I0.help(c, a));
                c.mix(I0.help(c, x));
            case 5:
                a = c.fn(hidden(c, d - 1, y)).i(c, d - 1, x);
                break;
            default:
                c.arr[x & 7] = K0.v;
                z = c.maybe.f;
            }
        } catch (ArrayIndexOutOfBoundsException ex3) {
            y = ("" + (1330518175)).length();
            switch ((a & 7) + 0) {
            case 0:
                x = U1.m0(c, d - 1, (3), (x * z));
            case 1:
                a ^= (x * x);
                x ^= c.fn((-13037)).i(c, d - 1, y);
                break;
            case 2:
                y ^= ((0) << (40632));
                c.arr[z & 7] = (-1);
                break;
            case 3:
                c.arr[y & 7] = U0.wide(c, d - 1, (long) x, y, x * 3L, y / 2.0, x, y);
            }
        }
        return I0.help(c, a);
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
final class K1 {
    static int v;
    static {
        int s = 1;
        if (s >= 0) throw new E0(s);
        v = s;
    }
}
final class Make {
    static A0[] objs(Ctx c, int salt) {
        return new A0[] {new A2(c, salt + 0)};
    }
    static int two(Ctx c, int d, int a) { return d <= 0 || c.out() ? a : c.obj(a).v(c, d - 1, a); }
    static I0[] fns(Ctx k, int salt) { return new I0[] {k.objs[0]}; }
}
final class U0 {
    static int wide(final Ctx c, final int d, long w1, int w2, long w3, double w4, int w5, int w6) {
        int a = (int) (w1 ^ w3) + w2, b = w4 > w2 ? w5 : w6;
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 7;
        a++;
        z -= (c.mix((21979)) | (-54389));
        return (a % (K0.v | 1));
    }
    static int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 2;
        c.any = "s" + a;
        a += (c.any instanceof int[] ? 3 : c.any.toString().length());
        b ^= ((-1) / (z | 1));
        y++;
        try {
            x += ("<" + c.obj(y) + new Key(c, x) + ">").length();
            if (y != (1428382906)) return c.fn(a).twice(c, d - 1, b);
        } catch (ArithmeticException ex1) {
            try {
                y += (b * x);
            } catch (RuntimeException ex2) {
                try {
                    try {
                        y += I0.help(c, ("" + z).length());
                        a -= c.maybe.f;
                    } catch (IllegalStateException ex3) {
                        x = c.mix(b);
                    }
                    do {
                        c.mix(b);
                        x = I0.help(c, (3));
                    } while (a > x && !c.out());
                    switch ("k" + (x & 3)) {
                    case "k1":
                        z++;
                        b = ((379115621) >>> (b % (b & 3)));
                        break;
                    case "k4":
                        z++;
                        c.arr[z & 7] = c.fn(c.fn(z).i(c, d - 1, (178250184))).i(c, d - 1, y);
                        break;
                    case "k2":
                        z -= (-49176);
                        z += S.s2(c, d - 1, ((-1912660042) & z), (2));
                        break;
                    }
                    if ((a & 6) == 0) throw new E1(b);
                } catch (ClassCastException ex5) {
                    a += new A2(c, K1.v).v(c, d - 1, y);
                    do {
                        if (y >= y) throw new E0((19568));
                        if (a >= y) break;
                        z -= ((2) & a);
                    } while (x < z && !c.out());
                    try {
                        a ^= (Integer) S.class.getDeclaredMethod("s2", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, b, (-1));
                    } catch (java.lang.reflect.InvocationTargetException e) {
                        c.mix(e.getCause().getClass().getName().length());
                        if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
                    } catch (ReflectiveOperationException e) {
                        a--;
                    }
                } catch (RuntimeException ex7) {
                    while ((1366586822) != y && !c.out()) {
                        x = U0.wide(c, d - 1, (long) (1), a, (1) * 3L, a / 2.0, (1), a);
                    }
                    switch ((a & 7) + -2) {
                    case -2:
                        z ^= y;
                        break;
                    case -1:
                        y = (a & z);
                        break;
                    case 0:
                        c.arr[b & 15] = (z >>> (-1));
                        c.mix((1));
                    case 1:
                        c.arr[a & 7] = a;
                        y = (a < z ? (1) : U0.wide(c, d - 1, (long) y, S.s2(c, d - 1, x, (7)), y * 3L, S.s2(c, d - 1, x, (7)) / 2.0, y, S.s2(c, d - 1, x, (7))));
                        break;
                    default:
                        b ^= b;
                    }
                    if ((10009) >= a) {
                        z -= I0.help(c, (S.s2(c, d - 1, b, a) + (3)));
                    } else {
                        x -= (x + (1087813028));
                        z = c.fn(z).twice(c, d - 1, z);
                    }
                }
                if ((1) < z) {
                    a -= (y * (3));
                }
                if ((x & 6) != 0) throw ex2;
            } finally {
                if (a < (13)) {
                    try {
                        b += ("" + b).length();
                        c.arr[y & 7] = c.fn(y).twice(c, d - 1, y);
                        c.mix((y - y));
                    } catch (NullPointerException ex9) {
                        z ^= (((-462137902) >= a || !(z <= x)) ? z : (1));
                        x = ((1) >>> (7));
                    }
                } else {
                    y++;
                    while ((b != y && b < x) && !c.out()) {
                        z = (z ^ z);
                    }
                }
            }
            switch ((z & 7) + 0) {
            case 0:
                for (int i11 = 0; i11 < 2 && !c.out(); i11++) {
                    a = I0.help(c, x);
                    y += U1.m0(c, d - 1, x, b);
                }
                b++;
                break;
            case 1:
                z = (b << x);
                break;
            case 2:
                for (int e : new Range(4, 2)) { a += e; if (c.out()) break; }
                break;
            case 3:
                Map<Key, Integer> m12 = new LinkedHashMap<>();
                for (int i13 = 0; i13 < 5; i13++) m12.put(new Key(c, (x + i13) % 5), i13);
                x += m12.size() + (m12.containsKey(new Key(c, 2)) ? 1 : 2);
                synchronized (c.lock) {
                    z = (b / (b & 3));
                    a = c.obj((-1)).v(c, d - 1, x);
                    c.arr[x & 7] = U0.m0(c, d - 1, z, z);
                }
                break;
            }
            if (b >= a) {
                switch (b) {
                case -2147483648:
                    y += (y - a);
                    x -= K1.v;
                    break;
                case -70000:
                    c.arr[y & 7] = (((-1940850819) + y) % (a & 3));
                    break;
                case 0:
                    y = (y ^ c.fn(a).twice(c, d - 1, b));
                case 3:
                    y++;
                    y = (945290481);
                    break;
                case 9:
                    b ^= z;
                    c.mix(c.mix(a));
                    break;
                case 2147483647:
                    c.arr[z & 7] = ((-149263508) | x);
                    a ^= (I0.help(c, a) >>> z);
                    break;
                }
                c.arr[b & 7] = ((31600) < (1154216282) ? a : b);
                c.mix(((a > (-948527560) ? a : (-1)) % ((25869) | 1)));
            }
        } catch (NullPointerException ex14) {
            c.arr[y & 15] = b;
            x += (int) (19605L * (-1) + y >> 23);
        } catch (RuntimeException ex15) {
            c.arr[x & 7] = (U1.m0(c, d - 1, c.obj(b).v(c, d - 1, a), (34456)) | x);
            c.arr[x & 7] = I0.help(c, (1));
            if ((0) < b) return (b - (1369491556));
        } finally {
            if (y > z) throw new E1((48131));
        }
        return (x % ((-1) | 1));
    }
}
final class U1 {
    static int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = -1;
        final int q2 = z;
        I0 f1 = (cc2, dd2, pp2) -> {
            if (dd2 <= 0 || cc2.out()) return q2;
            int rr2 = pp2 ^ q2;
            do {
                rr2 ^= U1.m1(c, d - 1, rr2, rr2);
                if (!(rr2 <= rr2)) {
                    rr2 -= c.arr[rr2 & 7];
                    rr2 += ((3) & rr2);
                    rr2 = U1.m0(c, d - 1, rr2, rr2);
                }
            } while (!(!(rr2 == rr2)) && !c.out());
            return rr2;
        };
        z ^= f1.i(c, d - 1, c.fn(x).i(c, d - 1, (3)));
        if (b >= b) {
            c.mix(U1.m1(c, d - 1, b, (0)));
            y = ("" + x).length();
        } else {
            synchronized (c.lock) {
                if (b >= z) {
                    b += new A0(c, y).v(c, d - 1, y);
                    switch ((y & 15) + 0) {
                    case 0:
                        z = ((-1) * c.maybe.f);
                        break;
                    case 1:
                        if ((7) >= b) throw new E1(b);
                        a++;
                        break;
                    case 2:
                        b = (int) (2720L * S.s0(c, d - 1, x, (551135681)) + a >> 37);
                        break;
                    case 3:
                        a = x;
                        break;
                    case 4:
                        x = c.obj(z).v(c, d - 1, z);
                        x = ("" + c.mix(y)).length();
                        break;
                    case 5:
                        b = b;
                    case 6:
                        z -= c.fn(y).i(c, d - 1, x);
                        y -= c.obj(c.fn(x).twice(c, d - 1, a)).v(c, d - 1, y);
                        break;
                    case 7:
                        x = (3);
                        break;
                    }
                    x += (-1);
                } else {
                    Map<Key, Integer> m4 = new HashMap<>();
                    for (int i5 = 0; i5 < 7; i5++) m4.put(new Key(c, (b + i5) % 5), i5);
                    b += m4.size() + (m4.containsKey(new Key(c, 2)) ? 1 : 2);
                }
                try {
                    z ^= (Integer) S.class.getDeclaredMethod("s2", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, x, z);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                } catch (ReflectiveOperationException e) {
                    z--;
                }
            }
            for (int i6 = 0; i6 < 9 && !c.out(); i6++) {
                Runnable r7 = c.fn(z) == null ? null : () -> c.mix(3);
                r7.run();
            }
            try {
                z += new A2(c, x).v(c, d - 1, b);
            } catch (NullPointerException ex8) {
                if (b == x) {
                    while (!(z < x) && !c.out()) {
                        y = c.fn(y).i(c, d - 1, y);
                        a ^= S.s2(c, d - 1, x, c.fn(y).twice(c, d - 1, a));
                        a ^= b;
                    }
                    List<Integer> l10 = new ArrayList<>(Arrays.asList(b, y, (-1825812080), c.fn((-1)).i(c, d - 1, x), x));
                    Collections.sort(l10, Integer::compareTo);
                    for (int e : l10) x ^= e;
                } else {
                    List<Integer> l12 = new ArrayList<>(Arrays.asList((3), x, y, z, ((a >= b ? y : (398473022)) * z), (b ^ z)));
                    Collections.sort(l12, Integer::compareTo);
                    for (int e : l12) z ^= e;
                    final int q15 = a;
                    I0 f14 = (cc15, dd15, pp15) -> {
                        if (dd15 <= 0 || cc15.out()) return q15;
                        int rr15 = pp15 ^ q15;
                        rr15 ^= c.fn(rr15).i(c, d - 1, rr15);
                        rr15 -= (rr15 % (rr15 & 3));
                        return rr15;
                    };
                    a ^= f14.i(c, d - 1, z);
                    if ((x & 6) != 0) {
                        z ^= c.fn(z).i(c, d - 1, c.fn(z).i(c, d - 1, a));
                    } else {
                        if (y <= (59555)) throw new E1(z);
                    }
                }
                y += ("<" + c.obj(y) + new Key(c, y) + ">").length();
                Map<Key, Integer> m16 = new LinkedHashMap<>();
                for (int i17 = 0; i17 < 3; i17++) m16.put(new Key(c, (a + i17) % 5), i17);
                a += m16.size() + (m16.containsKey(new Key(c, 2)) ? 1 : 2);
            } catch (RuntimeException ex18) {
                for (int i19 = 0; i19 < 5 && !c.out(); i19++) {
                    y ^= c.fn(x).i(c, d - 1, (7));
                    switch ((b & 3) + -2) {
                    case -2:
                        c.arr[y & 7] = U1.m1(c, d - 1, ((445672505) ^ a), a);
                        c.arr[y & 7] = I0.help(c, a);
                        break;
                    case -1:
                        a++;
                        break;
                    }
                }
                try {
                    L20: {
                        x = U0.wide(c, d - 1, (long) x, y, x * 3L, y / 2.0, x, y);
                        if (z >= b) break L20;
                        a++;
                        c.arr[b & 7] = c.fn(a).i(c, d - 1, c.arr[x & 7]);
                    }
                    c.any = new int[y & 3];
                    y += ((A0) c.any).f;
                    if (a == x) {
                        c.mix((x | (-244147396)));
                    }
                    if (a > z) throw new E1(y);
                } catch (NullPointerException ex21) {
                    switch ("k" + (a & 3)) {
                    case "k3":
                        c.arr[z & 7] = c.maybe.f;
                        z = (y - c.mix(z));
                        break;
                    case "k4":
                        c.mix((a ^ x));
                        z += c.fn(b).twice(c, d - 1, x);
                        break;
                    case "k0":
                        c.arr[x & 7] = (x + (1));
                        break;
                    default:
                        y -= (x ^ x);
                        a ^= c.fn(a).i(c, d - 1, a);
                    }
                    if ((1) < (2)) throw ex21;
                } catch (ArrayIndexOutOfBoundsException ex22) {
                    Map<Key, Integer> m23 = new LinkedHashMap<>();
                    for (int i24 = 0; i24 < 2; i24++) m23.put(new Key(c, (a + i24) % 5), i24);
                    a += m23.size() + (m23.containsKey(new Key(c, 2)) ? 1 : 2);
                    for (int i25 = 0; i25 < 3 && !c.out(); i25++) {
                        b++;
                    }
                    if (y > a) throw ex22;
                } catch (RuntimeException ex26) {
                    try {
                        c.arr[y & 15] = c.obj(z).f;
                        y = c.mix(c.mix(z));
                        c.mix((((-1) / (c.fn(b).i(c, d - 1, y) & 3)) >> b));
                        if ((1838337641) > b) throw new E0(y);
                    } catch (NullPointerException ex27) {
                        c.mix((x ^ x));
                    } catch (IllegalStateException ex28) {
                        x ^= a;
                        if (!(x == (-11056))) throw ex28;
                    } finally {
                        b -= ((7) / (x & 3));
                        x ^= S.s1(c, d - 1, y, y);
                    }
                    if ((x != a || (3) < y)) throw ex26;
                } finally {
                    c.arr[a & 7] = b;
                    if (!(((-2072085822) != x && z > a))) throw new E0(y);
                }
            }
        }
        a ^= (a / (U0.wide(c, d - 1, (long) (-15), a, (-15) * 3L, a / 2.0, (-15), a) & 3));
        return c.arr[y & 7];
    }
    static int m1(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 16;
        c.mix(U1.m0(c, d - 1, U1.m0(c, d - 1, (int) (24095L * x + x >> 20), x), b));
        return U1.m1(c, d - 1, z, z);
    }
}
public class Main {
    static void one(String name, int which, int salt) {
        Ctx c = null;
        String s;
        try {
            c = new Ctx(150, salt);
            s = "" + root(c, which, salt);
        } catch (RuntimeException | LinkageError e) {
            s = e.getClass().getName();
        }
        out(name, s + " " + (c == null ? 0 : c.h));
    }
    static int root(Ctx c, int which, int salt) {
        switch (which) {
        case 0: return U0.m0(c, 8, salt, -48);
        case 1: return U1.m0(c, 8, salt, -20);
        case 2: return U1.m1(c, 8, salt, -27);
        case 3: return S.s0(c, 8, salt, 14);
        case 4: return S.s1(c, 8, salt, -28);
        case 5: return S.s2(c, 8, salt, -37);
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
        one("main", 3, 80);
        one("main", 3, 30);
        Thread[] ts = new Thread[2];
        ts[0] = new Thread("w0") { @Override public void run() { one("w0", 0, 23); } };
        ts[0].start();
        ts[0].join();
        ts[1] = new Thread(() -> { one("w1", 2, 46); }, "w1");
        ts[1].start();
        ts[1].join();
        for (Thread t : ts) t.join();
        for (StringBuilder b : OUT.values()) System.out.print(b);
    }
}
