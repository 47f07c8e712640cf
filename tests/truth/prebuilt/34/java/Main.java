
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
        int z = 7;
        c.mix((0));
        if (y != z) {
            try {
                x += Hand.make(c, x).i(c, d, U0.wide(c, d - 1, (long) (3), a, (3) * 3L, a / 2.0, (3), a));
            } catch (ClassCastException ex1) {
                try {
                    a -= K1.v;
                    a += c.mix(y);
                } catch (E0 ex2) {
                    c.arr[a & 7] = K2.v;
                    y ^= (a | c.maybe.f);
                    z = (z << y);
                }
                if ((x > (15) && (!((-10) >= x) && ((7) >= a || x != a)))) throw ex1;
            } catch (E1 ex3) {
                a ^= c.arr[(-1091016796) & 7];
                try {
                    a = K1.v;
                    c.mix(((-44761) + x));
                    if ((c.obj(z) instanceof A2 || a >= (3))) throw new E0(x);
                } catch (ArithmeticException ex4) {
                    y += (y * z);
                    c.arr[z & 7] = c.fn(K1.v).i(c, d - 1, (-15020));
                    y = z;
                    if (x > (26339)) throw ex4;
                }
            } finally {
                if (x != y) {
                    a = U0.wide(c, d - 1, (long) y, y, y * 3L, y / 2.0, y, y);
                    x ^= (x - (c.fn(z).twice(c, d - 1, y) ^ x));
                    if (!((a & 1) == 0)) throw new E1(z);
                } else {
                    c.arr[y & 7] = (a / (a | 1));
                }
            }
        } else {
            z += Hand.make(c, a).i(c, d, a);
            y += new A1(c, a).v(c, d - 1, (1980279332));
            do {
                try {
                    x ^= (Integer) U0.class.getDeclaredMethod("m1", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, a, ("" + z).length());
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                } catch (ReflectiveOperationException e) {
                    x--;
                }
            } while (c.obj(z) instanceof A2 && !c.out());
        }
        for (int e : new Range(y & 7, 1)) { z += e; if (c.out()) break; }
        return (y % (z & 3));
    }
    public int i(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 3;
        synchronized (c.lock) {
            try {
                Runnable r1 = c.fn(y) == null ? null : () -> c.mix(3);
                r1.run();
                try {
                    x = (y * x);
                    x = (int) (20703L * c.fn((z % ((-1) | 1))).i(c, d - 1, z) + c.fn((x << (7))).i(c, d - 1, y) >> 5);
                } catch (ArrayIndexOutOfBoundsException ex2) {
                    x++;
                }
            } catch (ClassCastException ex3) {
                switch ((x & a)) {
                case -5:
                    a ^= (x >> a);
                    a = ((11340) << y);
                    break;
                case 9:
                    z = ((z > a && (y < z || z < x)) ? y : (x + (-36116)));
                    break;
                case 65536:
                    c.mix((c.arr[(11835) & 15] * a));
                    a = (int) (94203L * a + y >> 32);
                    break;
                case 2147483647:
                    y += ((3) << z);
                    z = (x * (-20363));
                }
                x += new A2(c, x).v(c, d - 1, U0.wide(c, d - 1, (long) (y - (6)), y, (y - (6)) * 3L, y / 2.0, (y - (6)), y));
            } catch (E1 ex4) {
                a = (z - a);
            }
            if (!(x < y)) {
                try {
                    a -= ((!(a >= x) || !((1) == (-1))) ? y : a);
                    c.mix(c.arr[x & 7]);
                    z -= (a - a);
                    if (x >= (0)) throw new E0(y);
                } finally {
                    a = K1.v;
                }
                switch ((a & 3) + 3) {
                case 3:
                    c.mix(y);
                    z -= ((-1452183767) * y);
                    break;
                case 4:
                    x = U0.m0(c, d - 1, c.obj((-118345349)).f, x);
                    break;
                default:
                    z = a;
                    c.mix(U0.wide(c, d - 1, (long) x, ("" + x).length(), x * 3L, ("" + x).length() / 2.0, x, ("" + x).length()));
                }
            }
            y -= ((-3201) | a);
        }
        return c.obj((y ^ (0))).v(c, d - 1, a);
    }
    @Override public String toString() { return f > 0 ? "A0" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 1559220916;
        x ^= c.obj(y).f;
        switch (a) {
        case -70000:
            c.arr[y & 7] = ("" + y).length();
            break;
        case -5:
            a ^= I0.help(c, (3));
            break;
        case 0:
            a ^= (x & ((7) ^ ((1320531294) >>> a)));
            break;
        case 1:
            c.arr[x & 7] = (y >> y);
            c.mix(c.fn(a).twice(c, d - 1, a));
            break;
        case 3:
            a++;
            break;
        case 9:
            c.mix(c.mix((1)));
            z += S.s2(c, d - 1, ("" + z).length(), y);
            break;
        default:
            c.arr[z & 7] = c.fn(z).i(c, d - 1, (-1));
            c.arr[z & 7] = (a / (y & 3));
        }
        try {
            List<Integer> l1 = new ArrayList<>(Arrays.asList(a, ((353999194) | a), c.obj(y).f));
            Collections.sort(l1, (p, q) -> (p & 15) < (q & 15) ? -1 : (p & 15) > (q & 15) ? 1 : 0);
            for (int e : l1) z ^= e;
        } catch (E0 ex3) {
            x -= (a ^ y);
            if (!(x == y)) throw ex3;
        } catch (RuntimeException ex4) {
            x += ("<" + c.obj(x) + new Key(c, x) + ">").length();
            c.arr[z & 7] = (y - z);
            x += Hand.make(c, a).i(c, d, y);
        } finally {
            for (int i5 = 0; i5 < 3 && !c.out(); i5++) {
                z += c.fn(y).twice(c, d - 1, a);
                a ^= y;
                a += ((-40106) - (-59550));
            }
        }
        return (int) (84317L * z + x >> 13);
    }
}
class A1 extends A0 implements I0 {
    A1(Ctx c, int f) {
        super(c, U0.m0(c, 2, f, 1));
        if (f > 5) this.f ^= c.mix(1);
    }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = -1;
        switch ((a & 7) + -2) {
        case -2:
            z ^= U0.m2(c, d - 1, y, z);
            y = (z << (-13));
            break;
        case -1:
            c.mix((((y != x ? a : y) << ((1) - a)) << z));
            break;
        case 0:
            z -= U0.m1(c, d - 1, a, x);
            break;
        case 1:
            x++;
            a -= (z * a);
            break;
        default:
            z++;
            x = (0);
        }
        if (a >= a) {
            switch ((z & 3) + 0) {
            case 0:
                z ^= U0.m1(c, d - 1, y, y);
            case 1:
                c.arr[x & 7] = U0.m0(c, d - 1, x, (3));
                c.arr[y & 7] = U0.wide(c, d - 1, (long) (1), y, (1) * 3L, y / 2.0, (1), y);
            default:
                y = c.obj(x).v(c, d - 1, z);
            }
            if ((-1) >= (0)) {
                x -= (int) (45429L * a + y >> 30);
            } else {
                c.arr[z & 15] = ((a & (7)) % (a & 3));
            }
        } else {
            try {
                y += c.obj(x).f;
                if (x != z) throw new E1((-20044));
                z += (z + z);
                if (a >= y) throw new E1(x);
            } catch (ArithmeticException ex1) {
                y += y;
                y = c.obj((-1)).f;
            }
        }
        do {
            do {
                z++;
                y -= c.fn((-48666)).twice(c, d - 1, z);
            } while (((7) <= (0) || (x & 1) == 0) && !c.out());
        } while (c.obj(y) instanceof A3 && !c.out());
        return I0.help(c, a);
    }
}
class A2 extends A1 implements I0 {
    A2(Ctx c, int f) {
        super(c, f + 1);
        if (f > 5) this.f ^= c.mix(2);
    }
    int v(final Ctx c, final int d, int a) {
        if (a > 2) a += super.v(c, d - 1, a);
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 3;
        try {
            y ^= (Integer) S.class.getDeclaredMethod("s1", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, (0), (0));
        } catch (java.lang.reflect.InvocationTargetException e) {
            c.mix(e.getCause().getClass().getName().length());
            if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
        } catch (ReflectiveOperationException e) {
            y--;
        }
        return (z >>> y);
    }
    @Override public String toString() { return f > 0 ? "A2" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 7;
        try {
            do {
                c.arr[x & 15] = a;
                a -= c.fn((523667096)).twice(c, d - 1, z);
            } while (((a & 3) == 0 && y <= x) && !c.out());
            if (c.obj(x) instanceof A0) {
                a ^= K0.v;
                a -= y;
                z ^= S.s2(c, d - 1, ((a & (-3)) << (-1)), x);
            } else {
                c.mix(c.obj(z).f);
            }
            List<Integer> l2 = new ArrayList<>(Arrays.asList((c.mix((7)) & y), x));
            Collections.sort(l2, (p, q) -> (p & 15) < (q & 15) ? -1 : (p & 15) > (q & 15) ? 1 : 0);
            for (int e : l2) a ^= e;
            if ((a & 6) == 0) throw new E0(y);
        } finally {
            try {
                a -= S.s0(c, d - 1, (a % (y | 1)), a);
                if ((1) >= x) throw new E0(x);
            } catch (NullPointerException ex4) {
                c.arr[a & 7] = ((-16) / (y & 3));
                a = c.maybe.f;
            } catch (E0 ex5) {
                a -= (x << z);
                if (a == x) throw ex5;
            }
        }
        switch ((y & 3) + -2) {
        case -2:
            a = U0.wide(c, d - 1, (long) x, (-1), x * 3L, (-1) / 2.0, x, (-1));
            break;
        case -1:
            c.mix(c.arr[a & 7]);
            if (!((7) <= a)) throw new E1(x);
        default:
            z += x;
        }
        return (z << c.mix(c.mix(z)));
    }
}
class A3 extends A1 implements I0 {
    A3(Ctx c, int f) {
        super(c, f + 1);
        if (f > 5) this.f ^= c.mix(3);
    }
    int v(final Ctx c, final int d, int a) {
        if (a > 2) a += super.v(c, d - 1, a);
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 1;
        do {
            y = U0.m1(c, d - 1, y, (12));
            c.arr[y & 7] = this.v(c, d - 1, z);
            Runnable r2 = c.fn(a) == null ? null : () -> c.mix(3);
            r2.run();
        } while (z == (1332090863) && !c.out());
        return x;
    }
    @Override public int twice(Ctx c, int d, int a) { return d <= 0 || c.out() ? 1 : super.twice(c, d - 1, a) + 1; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 1;
        a ^= c.arr[x & 7];
        if (!(y == z)) {
            x ^= ((0) % (x | 1));
            switch ((y & 15) + 0) {
            case 0:
                a = (z >>> (7));
                break;
            case 1:
                a++;
            case 2:
                a -= ("" + a).length();
                y ^= c.fn(a).i(c, d - 1, x);
            case 3:
                c.mix(U0.wide(c, d - 1, (long) S.s0(c, d - 1, (-1), x), z, S.s0(c, d - 1, (-1), x) * 3L, z / 2.0, S.s0(c, d - 1, (-1), x), z));
                y -= (a - y);
            case 4:
                x++;
                c.mix((z - x));
                break;
            case 5:
                x -= a;
                c.arr[y & 7] = z;
                break;
            case 6:
                c.mix(("" + x).length());
                break;
            case 7:
                c.mix(c.arr[a & 15]);
                if ((c.obj(x) instanceof A0 && (x >= y && y != y))) return (a ^ (7));
                break;
            }
        } else {
            c.any = null;
            z += (c.any instanceof int[] ? 3 : c.any.toString().length());
            L1: {
                x += x;
                a = this.v(c, d - 1, x);
                if (y != y) return c.mix(U0.wide(c, d - 1, (long) y, z, y * 3L, z / 2.0, y, z));
                if (a == (-1)) break L1;
                y = K0.v;
                c.mix((x % ((1) & 3)));
            }
        }
        try {
            Runnable r2 = c.fn(a) == null ? null : () -> c.mix(3);
            r2.run();
            List<Integer> l3 = new ArrayList<>(Arrays.asList(x, y, ((z <= z || (7) > y) ? z : a), y, (x % (y | 1))));
            Collections.sort(l3, (p, q) -> (p & 15) < (q & 15) ? -1 : (p & 15) > (q & 15) ? 1 : 0);
            for (int e : l3) a ^= e;
            if ((z & 6) != 0) throw new E0(x);
        } catch (ArithmeticException ex5) {
            do {
                x = ((27339) & a);
                x = (7);
                z -= c.arr[(x << a) & 7];
            } while (y <= z && !c.out());
        }
        return K1.v;
    }
}
final class K0 {
    static int v;
    static {
        int s = 0;
        try { s = new int[2][3 & 1 | 2].length; } catch (ArrayIndexOutOfBoundsException e) { s = 4; } finally { s++; }
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
final class K2 {
    static int v;
    static {
        int s = 2;
        for (int i = 0; i < 5; i++) s += i * K1.v;
        v = s;
    }
}
final class Make {
    static A0[] objs(Ctx c, int salt) {
        return new A0[] {new A2(c, salt + 0), new A0(c, salt + 1), new A3(c, salt + 2), new A2(c, salt + 3)};
    }
    static int two(Ctx c, int d, int a) { return d <= 0 || c.out() ? a : c.obj(a).v(c, d - 1, a); }
    static I0[] fns(Ctx k, int salt) { return new I0[] {Make::two, Hand.make(k, salt)}; }
}
final class U0 {
    static int wide(final Ctx c, final int d, long w1, int w2, long w3, double w4, int w5, int w6) {
        int a = (int) (w1 ^ w3) + w2, b = w4 > w2 ? w5 : w6;
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 3;
        b = b;
        try {
            c.mix((b & K1.v));
            try {
                Runnable r1 = c.fn(y) == null ? null : () -> c.mix(3);
                r1.run();
            } catch (ArithmeticException ex2) {
                synchronized (c.lock) {
                    y -= x;
                    x += U0.m0(c, d - 1, x, (7));
                    if ((-1) != z) return c.obj((-1)).v(c, d - 1, z);
                }
                if (!((c.obj(y) instanceof A3 && b >= z))) throw ex2;
            } catch (IllegalStateException ex3) {
                L4: {
                    a ^= a;
                    y += U0.m0(c, d - 1, b, z);
                    c.arr[b & 7] = ("" + (9)).length();
                    if (z < z) break L4;
                    x -= (a + b);
                    x ^= x;
                    x ^= (y & (734594144));
                }
            } catch (RuntimeException ex5) {
                try {
                    z = (13);
                    c.arr[y & 15] = (1);
                    if (x != y) throw new E1(a);
                } finally {
                    y ^= c.fn(a).i(c, d - 1, y);
                }
                if (a == y) {
                    x = (z % (U0.m1(c, d - 1, a, a) | 1));
                    a = ((7) >> b);
                    b += (a >> (-1));
                }
                if (!(b < a)) throw ex5;
            }
        } catch (ArithmeticException ex6) {
            b += new A2(c, y).v(c, d - 1, a);
            if (a >= b) return (0);
        } catch (E1 ex7) {
            do {
                c.mix((a - c.obj((z & b)).v(c, d - 1, x)));
                b += new A3(c, a).v(c, d - 1, c.arr[U0.wide(c, d - 1, (long) a, (2), a * 3L, (2) / 2.0, a, (2)) & 7]);
            } while (!((!(y < y) || z >= x)) && !c.out());
            switch ((-1)) {
            case -70000:
                x = U0.m1(c, d - 1, z, (3));
                break;
            case 1000:
                z = (((a | z) ^ K2.v) % (x & 3));
                x -= (b / (z & 3));
                break;
            case 2147483647:
                x -= c.fn(y).twice(c, d - 1, y);
                break;
            }
        }
        return S.s2(c, d - 1, b, c.obj(y).v(c, d - 1, z));
    }
    static int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 2;
        z += ((x | (0)) >> a);
        c.any = new int[y & 3];
        y += (c.any instanceof int[] ? 3 : c.any.toString().length());
        return (a >> ("" + a).length());
    }
    static int m1(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 1;
        switch ("k" + (x & 3)) {
        case "k1":
            c.mix((b + x));
        case "k2":
            for (int i1 = 0; i1 < 3 && !c.out(); i1++) {
                try {
                    x ^= (int) (40858L * x + z >> 35);
                    if (y < b) throw new E0(y);
                } catch (E0 ex2) {
                    b += ((z >> x) ^ x);
                } finally {
                    y -= (x >>> x);
                    z++;
                }
                x = ((1) >>> y);
                try {
                    c.arr[x & 15] = a;
                } catch (E1 ex3) {
                    z ^= S.s0(c, d - 1, x, a);
                } catch (IllegalStateException ex4) {
                    c.mix(U0.m1(c, d - 1, a, c.mix(((2) | (7)))));
                    a += (U0.m1(c, d - 1, z, c.maybe.f) & b);
                }
            }
            break;
        case "k3":
            try {
                if (c.obj(y) instanceof A1) {
                    z = (S.s0(c, d - 1, x, y) << b);
                    if ((7) != a) return c.fn((int) (18715L * (0) + b >> 15)).i(c, d - 1, z);
                    c.arr[x & 15] = ((0) - ((1) % (b | 1)));
                } else {
                    b++;
                    b += S.s2(c, d - 1, z, K0.v);
                }
            } catch (ArithmeticException ex5) {
                y ^= S.s2(c, d - 1, c.fn(x).i(c, d - 1, a), b);
                while (a != a && !c.out()) {
                    if (z == y) continue;
                }
            } catch (NullPointerException ex7) {
                switch ((b & 3) + -2) {
                case -2:
                    a++;
                    break;
                case -1:
                    c.arr[z & 15] = (x / (y & 3));
                    if (a == z) throw new E1((a >> (7)));
                    break;
                default:
                    x += (x | x);
                }
                c.arr[x & 7] = (c.mix(b) << z);
            }
            try {
                Map<Key, Integer> m8 = new HashMap<>();
                for (int i9 = 0; i9 < 7; i9++) m8.put(new Key(c, (y + i9) % 5), i9);
                y += m8.size() + (m8.containsKey(new Key(c, 2)) ? 1 : 2);
                if (c.obj(y) instanceof A2) {
                    z += c.fn((-1)).i(c, d - 1, (2));
                    z ^= (y >> (1));
                    if (y < a) return c.maybe.f;
                }
                switch (x) {
                case -70000:
                    c.arr[z & 7] = c.arr[x & 15];
                case -5:
                    z -= y;
                    c.mix(((3) >>> (z / (("" + b).length() | 1))));
                    break;
                case 1:
                    b = c.obj(z).f;
                    break;
                case 3:
                    x += ("" + b).length();
                    b ^= ((2) >= z ? y : (x & (b - a)));
                    break;
                case 2147483647:
                    x -= x;
                    y++;
                }
            } catch (E1 ex10) {
                switch ("k" + (a & 3)) {
                case "k2":
                    c.arr[a & 7] = x;
                    z = z;
                    break;
                case "k3":
                    y = (x % (b | 1));
                    a += ((1419369243) << (0));
                    break;
                case "k1":
                    a = S.s1(c, d - 1, y, x);
                    x -= (x * x);
                    break;
                default:
                    x = c.obj(y).f;
                }
                switch ((y & 15) + 3) {
                case 3:
                    y = c.arr[(2) & 7];
                    c.mix(S.s2(c, d - 1, z, c.obj(b).v(c, d - 1, x)));
                    break;
                case 4:
                    b = S.s2(c, d - 1, x, a);
                    x -= (x / (x | 1));
                    break;
                case 5:
                    y = c.fn(a).i(c, d - 1, a);
                    break;
                case 6:
                    z = (I0.help(c, (b - b)) * (3));
                    break;
                case 7:
                    a = (a == (1353728371) ? y : y);
                    a -= ("" + x).length();
                    break;
                case 8:
                    a ^= ((3) << y);
                    break;
                case 9:
                    b++;
                    break;
                case 10:
                    y = ((15) % (x | 1));
                    y -= (y < (-1) ? (-1) : b);
                default:
                    y = U0.m2(c, d - 1, z, (7));
                    a ^= (a / (y | 1));
                }
                if (x > b) throw ex10;
            }
        }
        return c.obj(x).f;
    }
    static int m2(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 3;
        switch (((-1) / (y & 3))) {
        case -70000:
            Map<Key, Integer> m1 = new HashMap<>();
            for (int i2 = 0; i2 < 5; i2++) m1.put(new Key(c, (b + i2) % 5), i2);
            b += m1.size() + (m1.containsKey(new Key(c, 2)) ? 1 : 2);
            break;
        case 2147483647:
            for (int i3 = 0; i3 < 2 && !c.out(); i3++) {
                try {
                    c.arr[y & 7] = y;
                    c.mix(S.s1(c, d - 1, z, b));
                    if (x == (7)) throw new E0(a);
                } catch (E1 ex4) {
                    c.mix((int) (89969L * a + (-2) >> 34));
                    if (!((2050234410) <= x)) return U0.m2(c, d - 1, b, a);
                    if ((b == x || !(c.obj(x) instanceof A1))) throw ex4;
                } catch (E0 ex5) {
                    if ((y & 6) == 0) return I0.help(c, (z * y));
                } finally {
                    c.mix((x - x));
                    z += K0.v;
                }
                while (!(c.obj(z) instanceof A0) && !c.out()) {
                    a ^= c.arr[x & 7];
                    z -= (y >> (y > y ? x : b));
                }
            }
            do {
                while ((14) == a && !c.out()) {
                    y += c.fn(y).twice(c, d - 1, z);
                }
                if (!((2) <= a)) {
                    y += ("" + a).length();
                    if ((0) > a) continue;
                } else {
                    a++;
                    y ^= ("" + z).length();
                    y = (y * z);
                }
            } while ((b & 4) == 0 && !c.out());
        default:
            switch ((x & 7) + 0) {
            case 0:
                c.arr[b & 7] = I0.help(c, b);
                x ^= c.mix(x);
                break;
            case 1:
                c.arr[b & 7] = S.s0(c, d - 1, x, z);
                break;
            case 2:
                x ^= U0.m2(c, d - 1, c.obj(x).f, b);
            case 3:
                b = ((10) >>> z);
                c.arr[b & 7] = I0.help(c, (150349917));
                break;
            default:
                c.arr[b & 15] = ((2) / ((S.s1(c, d - 1, (-1), b) * (z < a ? z : b)) | 1));
                z = (a != a ? x : b);
            }
            do {
                c.any = null;
                b += (c.any instanceof int[] ? 3 : c.any.toString().length());
            } while ((y < b && (((3) > a && (-27624) != (1)) || x >= (7))) && !c.out());
        }
        Map<Key, Integer> m10 = new LinkedHashMap<>();
        for (int i11 = 0; i11 < 4; i11++) m10.put(new Key(c, (b + i11) % 5), i11);
        b += m10.size() + (m10.containsKey(new Key(c, 2)) ? 1 : 2);
        c.any = new int[b & 3];
        b += ((A0) c.any).f;
        return U0.m0(c, d - 1, (7), b);
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
        case 0: return U0.m0(c, 5, salt, -28);
        case 1: return U0.m1(c, 5, salt, -12);
        case 2: return U0.m2(c, 5, salt, -41);
        case 3: return S.s0(c, 5, salt, -30);
        case 4: return S.s1(c, 5, salt, 17);
        case 5: return S.s2(c, 5, salt, 9);
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
        one("main", 3, 87);
        one("main", 6, -4);
        one("main", 4, 87);
        one("main", 6, 45);
        one("main", 3, 89);
        Thread[] ts = new Thread[0];
        for (Thread t : ts) t.join();
        java.util.concurrent.ExecutorService pool = java.util.concurrent.Executors.newSingleThreadExecutor(k -> new Thread(k, "pool"));
        try {
            out("pool", "" + pool.submit(() -> root(new Ctx(50, 17), 4, 17)).get());
        } catch (java.util.concurrent.ExecutionException e) {
            out("pool", e.getCause().getClass().getName());
        }
        try {
            out("pool", "" + pool.submit(() -> root(new Ctx(50, 45), 1, 45)).get());
        } catch (java.util.concurrent.ExecutionException e) {
            out("pool", e.getCause().getClass().getName());
        }
        pool.shutdown();
        pool.awaitTermination(10, java.util.concurrent.TimeUnit.SECONDS);
        for (StringBuilder b : OUT.values()) System.out.print(b);
        throw new E1(5);
    }
}
