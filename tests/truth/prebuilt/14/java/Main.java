
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
        int z = -1;
        if (y > x) {
            switch ((x & 15) + 0) {
            case 0:
                c.arr[a & 7] = (z - (1));
                break;
            case 1:
                a ^= c.mix(y);
                c.arr[a & 7] = I0.help(c, y);
                break;
            case 2:
                a ^= c.arr[z & 15];
                c.arr[y & 15] = (z / (c.arr[x & 15] | 1));
                break;
            case 3:
                y += ((z << a) & a);
                a = c.fn((U0.m2(c, d - 1, y, a) & a)).i(c, d - 1, y);
                break;
            case 4:
                c.arr[y & 7] = x;
                break;
            case 5:
                z ^= ((0) >> z);
            case 6:
                a = (x >> y);
                break;
            case 7:
                a += U0.wide(c, d - 1, (long) z, (1), z * 3L, (1) / 2.0, z, (1));
                x = x;
            }
        }
        z ^= ((-1) - a);
        try {
            a ^= (Integer) U0.class.getDeclaredMethod("m0", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, a, y);
        } catch (java.lang.reflect.InvocationTargetException e) {
            c.mix(e.getCause().getClass().getName().length());
            if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
        } catch (ReflectiveOperationException e) {
            a--;
        }
        List<Integer> l1 = new ArrayList<>(Arrays.asList((937542318), y));
        Collections.sort(l1, (p, q) -> (p & 15) < (q & 15) ? -1 : (p & 15) > (q & 15) ? 1 : 0);
        for (int e : l1) x ^= e;
        return (y - c.obj(x).f);
    }
    public int i(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 7;
        try {
            try {
                a ^= (((z % (a & 3)) / ((1348733114) | 1)) & x);
                switch ((a & 3) + -2) {
                case -2:
                    x -= c.obj(z).f;
                    break;
                case -1:
                    x ^= (3);
                    c.mix(((2) + c.maybe.f));
                    break;
                default:
                    x = this.v(c, d - 1, c.fn(x).twice(c, d - 1, (z & (-1))));
                    if ((a < y || x <= x)) throw new E1(z);
                }
                if ((879470672) <= x) throw new E1(x);
            } catch (NullPointerException ex1) {
                final int q3 = a;
                I0 f2 = (cc3, dd3, pp3) -> {
                    if (dd3 <= 0 || cc3.out()) return q3;
                    int rr3 = pp3 ^ q3;
                    c.mix(S.s1(c, d - 1, c.fn(rr3).i(c, d - 1, rr3), (15)));
                    return rr3;
                };
                a ^= f2.i(c, d - 1, y);
                if (z >= y) {
                    c.arr[y & 7] = c.fn(z).twice(c, d - 1, x);
                } else {
                    c.arr[y & 15] = x;
                    c.mix((z / (z & 3)));
                }
                for (int e : new Range(4, 1)) { y += e; if (c.out()) break; }
            } catch (ArrayIndexOutOfBoundsException ex4) {
                switch ((x & 3) + 0) {
                case 0:
                    y = (a + y);
                case 1:
                    y = (y >>> a);
                default:
                    z = K0.v;
                    if ((!(c.obj(y) instanceof A0) || (c.obj(z) instanceof A0 && (z > y && a > x)))) return (z >> z);
                }
            } catch (RuntimeException ex5) {
                List<Integer> l6 = new ArrayList<>(Arrays.asList((y >>> x), (-1), (7), (0), y));
                Collections.sort(l6, (p, q) -> (p & 15) < (q & 15) ? -1 : (p & 15) > (q & 15) ? 1 : 0);
                for (int e : l6) a ^= e;
                z += new A0(c, z).v(c, d - 1, a);
                if (c.obj(x) instanceof A0) throw ex5;
            }
            for (int i8 = 0; i8 < 3 && !c.out(); i8++) {
                if (a == a) {
                    if ((-1) == (0)) continue;
                } else {
                    a ^= ((int) (42398L * x + y >> 1) >> x);
                }
                try {
                    c.mix((z % (x & 3)));
                    y ^= (a >>> (2));
                    if (c.obj(y) instanceof A1) throw new E1(a);
                } catch (ArithmeticException ex9) {
                    x = c.obj(a).v(c, d - 1, a);
                    c.arr[y & 15] = ((16) / (a | 1));
                } finally {
                    x += (7);
                    if ((z < (-1) && a > y)) throw new E0(y);
                }
            }
            z += new A0(c, y).v(c, d - 1, (S.s3(c, d - 1, y, y) | (-45328)));
            if (c.obj(z) instanceof A1) throw new E1(x);
        } catch (ArrayIndexOutOfBoundsException ex10) {
            switch ((x & 7) + 3) {
            case 3:
                if ((-1707401855) == (0)) throw new E0((7));
            case 4:
                c.arr[z & 15] = K2.v;
                c.mix((a == a ? (2) : z));
            case 5:
                x++;
                break;
            case 6:
                c.mix(c.obj(z).v(c, d - 1, x));
                break;
            default:
                c.mix((z >> (1)));
                x -= (z * x);
            }
        } finally {
            y += new A0(c, (-1)).v(c, d - 1, c.mix(a));
            Map<Key, Integer> m11 = new HashMap<>();
            for (int i12 = 0; i12 < 6; i12++) m11.put(new Key(c, (y + i12) % 5), i12);
            y += m11.size() + (m11.containsKey(new Key(c, 2)) ? 1 : 2);
        }
        a ^= c.arr[(-1) & 15];
        return (((-18) >> a) >>> a);
    }
    @Override public int twice(Ctx c, int d, int a) { return d <= 0 || c.out() ? 1 : I0.super.twice(c, d - 1, a) * 3; }
    @Override public String toString() { return f > 0 ? "A0" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 2;
        if (c.obj(y) instanceof A0) {
            switch ((y & 3) + 3) {
            case 3:
                c.mix(c.obj((-20)).v(c, d - 1, y));
                a = this.f;
            case 4:
                y -= c.arr[x & 15];
                break;
            }
            switch ((z & 7) + -2) {
            case -2:
                a += c.fn(a).twice(c, d - 1, y);
                a ^= ((y / (a | 1)) - x);
                break;
            case -1:
                y = ((3) + U0.m1(c, d - 1, (1), y));
                break;
            case 0:
                a = c.arr[(0) & 7];
                break;
            case 1:
                c.mix((((1020975024) & a) << (-1)));
                c.arr[y & 15] = S.s2(c, d - 1, y, a);
                break;
            }
        }
        if ((-1) <= (3)) throw new E1(z);
        return c.mix(x);
    }
}
class A1 extends A0 implements I0 {
    A1(Ctx c, int f) {
        super(c, c.mix(f));
        if (f > 5) this.f ^= c.mix(1);
    }
    int v(final Ctx c, final int d, int a) {
        if (a > 2) a += super.v(c, d - 1, a);
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 7;
        x += new A1(c, (-6)).v(c, d - 1, x);
        if ((z & 6) == 0) {
            for (int i1 = 0; i1 < 5 && !c.out(); i1++) {
                switch ("k" + (y & 3)) {
                case "k2":
                    z = S.s3(c, d - 1, (2), (7));
                    break;
                case "k0":
                    a += ((x % ((x < a ? (1) : y) | 1)) & (49438022));
                    x -= y;
                    break;
                case "k4":
                    c.mix(y);
                    break;
                default:
                    x -= (a | U2.m0(c, d - 1, y, (y & y)));
                    z = c.mix(a);
                }
                switch ((y & 15) + 3) {
                case 3:
                    y = c.arr[z & 7];
                    y += (a / (a | 1));
                    break;
                case 4:
                    y -= c.obj(a).v(c, d - 1, x);
                    x += hidden(c, d - 1, a);
                    break;
                case 5:
                    x ^= (z ^ a);
                    z++;
                case 6:
                    c.arr[a & 7] = S.s4(c, d - 1, y, z);
                    y++;
                case 7:
                    y ^= c.fn(y).twice(c, d - 1, a);
                    c.arr[a & 7] = ((y & 4) != 0 ? hidden(c, d - 1, z) : y);
                    break;
                case 8:
                    if (!((a < y || (1) == a))) throw new E1(a);
                    break;
                case 9:
                    x ^= (a >>> (a & x));
                    break;
                case 10:
                    c.arr[a & 7] = (y | x);
                default:
                    z = y;
                    z += S.s1(c, d - 1, S.s1(c, d - 1, z, z), z);
                }
                do {
                    y = S.s1(c, d - 1, z, U0.m2(c, d - 1, (a + a), z));
                    z = hidden(c, d - 1, x);
                    y = (z & (a | y));
                } while ((x & 6) != 0 && !c.out());
            }
        } else {
            L3: {
                if (!((y != y || (z & 3) != 0))) {
                    if (((-58248) < x || y <= (-19))) throw new E0(a);
                    c.mix((2));
                } else {
                    y += (z >= a ? U0.wide(c, d - 1, (long) x, z, x * 3L, z / 2.0, x, z) : x);
                    z++;
                    a -= (-1);
                }
                switch ((a & 7) + -2) {
                case -2:
                    c.mix(U0.m0(c, d - 1, (y | ((0) * (3))), a));
                    break;
                case -1:
                    x++;
                    break;
                case 0:
                    x ^= K2.v;
                    break;
                case 1:
                    a ^= c.obj((1)).f;
                    y -= c.arr[z & 15];
                    break;
                default:
                    z++;
                    y ^= (z / (x & 3));
                }
                if (!(x <= z)) break L3;
                try {
                    z ^= (Integer) U1.class.getDeclaredMethod("m1", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, (7), z);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                    if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
                } catch (ReflectiveOperationException e) {
                    z--;
                }
                c.any = new int[y & 3];
                y += (c.any instanceof int[] ? 3 : c.any.toString().length());
            }
        }
        return (x + U1.m1(c, d - 1, (-12), (7)));
    }
    public int i(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 3;
        while (x <= y && !c.out()) {
            c.arr[z & 7] = K2.v;
        }
        return ((3) * x);
    }
    @Override public String toString() { return f > 0 ? "A1" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 1535;
        switch ((z & 3) + 0) {
        case 0:
            c.mix(y);
        case 1:
            a ^= c.mix((x | a));
        }
        while ((-60890) == x && !c.out()) {
            Map<Key, Integer> m2 = new LinkedHashMap<>();
            for (int i3 = 0; i3 < 3; i3++) m2.put(new Key(c, (x + i3) % 5), i3);
            x += m2.size() + (m2.containsKey(new Key(c, 2)) ? 1 : 2);
            for (int i4 = 0; i4 < 5 && !c.out(); i4++) {
                a ^= c.fn((0)).i(c, d - 1, z);
                x += c.fn(z).i(c, d - 1, (7));
            }
            c.mix((x * (-9)));
        }
        if ((z & 1) == 0) {
            switch ("k" + (a & 3)) {
            case "k1":
                x ^= c.arr[z & 15];
            case "k3":
                c.mix((x / ((x - (-1)) & 3)));
                a = ((-5) / (x & 3));
            case "k4":
                z ^= ("" + a).length();
                z ^= U0.wide(c, d - 1, (long) a, U0.wide(c, d - 1, (long) x, (y >> z), x * 3L, (y >> z) / 2.0, x, (y >> z)), a * 3L, U0.wide(c, d - 1, (long) x, (y >> z), x * 3L, (y >> z) / 2.0, x, (y >> z)) / 2.0, a, U0.wide(c, d - 1, (long) x, (y >> z), x * 3L, (y >> z) / 2.0, x, (y >> z)));
                break;
            default:
                if (y == y) throw new E0(z);
                a -= K1.v;
            }
        }
        return (x / (z | 1));
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
        try { s = new int[2][K0.v & 1 | 2].length; } catch (ArrayIndexOutOfBoundsException e) { s = 4; } finally { s++; }
        v = s;
    }
}
final class K2 {
    static int v;
    static {
        int s = 2;
        try { s = new int[2][K1.v & 1 | 2].length; } catch (ArrayIndexOutOfBoundsException e) { s = 4; } finally { s++; }
        v = s;
    }
}
final class Make {
    static A0[] objs(Ctx c, int salt) {
        return new A0[] {new A0(c, salt + 0), new A0(c, salt + 1), new A0(c, salt + 2)};
    }
    static int two(Ctx c, int d, int a) { return d <= 0 || c.out() ? a : c.obj(a).v(c, d - 1, a); }
    static I0[] fns(Ctx k, int salt) { return new I0[] {Make::two, k.objs[0], (c, d, a) -> a * 8}; }
}
final class U0 {
    static int wide(final Ctx c, final int d, long w1, int w2, long w3, double w4, int w5, int w6) {
        int a = (int) (w1 ^ w3) + w2, b = w4 > w2 ? w5 : w6;
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 85;
        x += Hand.make(c, y).i(c, d, (354));
        try {
            try {
                x = c.fn(c.maybe.f).i(c, d - 1, a);
                try {
                    y ^= (Integer) U0.class.getDeclaredMethod("m2", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, z, b);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                } catch (ReflectiveOperationException e) {
                    y--;
                }
                if (z != (1)) throw new E1(y);
            } finally {
                for (int e : new Range(4, 1)) { x += e; }
            }
            try {
                synchronized (c.lock) {
                    if (!((c.obj(x) instanceof A1 || z > z))) return (z >> (0));
                }
                if (a == b) {
                    b++;
                } else {
                    a ^= (a >>> a);
                    c.arr[y & 7] = ("" + y).length();
                    x -= (x | b);
                }
                a = ((x << z) * z);
            } catch (ArithmeticException ex1) {
                try {
                    b = S.s5(c, d - 1, z, x);
                    c.mix(K1.v);
                    y += c.obj(("" + y).length()).f;
                } catch (ArithmeticException ex2) {
                    a += (int) (13289L * b + z >> 39);
                    a -= U0.wide(c, d - 1, (long) y, (2), y * 3L, (2) / 2.0, y, (2));
                    c.arr[x & 7] = (x * y);
                }
                try {
                    c.arr[z & 15] = U0.wide(c, d - 1, (long) a, (-69880), a * 3L, (-69880) / 2.0, a, (-69880));
                    z -= ((2) + y);
                    y ^= z;
                } catch (ArithmeticException ex3) {
                    if (x <= (3)) return (0);
                    x ^= (y * y);
                } catch (ClassCastException ex4) {
                    a++;
                }
            } catch (ArrayIndexOutOfBoundsException ex5) {
                if (y == a) {
                    y = ((1) | (-1029492644));
                    c.arr[x & 7] = U0.m0(c, d - 1, (-912127451), b);
                } else {
                    c.mix(b);
                }
            } catch (ClassCastException ex6) {
                for (int i7 = 0; i7 < 3 && !c.out(); i7++) {
                    x = c.arr[z & 15];
                }
            } finally {
                while ((-5) > y && !c.out()) {
                    x += c.arr[U0.m2(c, d - 1, c.mix(z), b) & 15];
                    a -= (x - (2));
                }
            }
            final int q10 = x;
            I0 f9 = (cc10, dd10, pp10) -> {
                if (dd10 <= 0 || cc10.out()) return q10;
                int rr10 = pp10 ^ q10;
                rr10 ^= U1.m0(c, d - 1, rr10, rr10);
                rr10 = ((rr10 + rr10) << rr10);
                return rr10;
            };
            x ^= f9.i(c, d - 1, y);
            if (y < b) throw new E1(a);
        } finally {
            while (z > z && !c.out()) {
                try {
                    a ^= (Integer) U1.class.getDeclaredMethod("m1", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, (2), (2));
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                } catch (ReflectiveOperationException e) {
                    a--;
                }
                if (((-9) >= (8) || (y == a || b >= a))) {
                    y += (y << (-2));
                    c.arr[a & 7] = c.mix(U0.wide(c, d - 1, (long) (1), x, (1) * 3L, x / 2.0, (1), x));
                }
                b += new A0(c, z).v(c, d - 1, a);
            }
        }
        return I0.help(c, x);
    }
    static int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 8;
        y = ((0) != z ? a : a);
        switch (y) {
        case 0:
            b -= c.fn((18)).twice(c, d - 1, (860233315));
            z ^= (y * x);
            break;
        case 2147483647:
            try {
                b ^= (Integer) U0.class.getDeclaredMethod("m0", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, (2), z);
            } catch (java.lang.reflect.InvocationTargetException e) {
                c.mix(e.getCause().getClass().getName().length());
            } catch (ReflectiveOperationException e) {
                b--;
            }
            break;
        default:
            for (int i1 = 0; i1 < 5 && !c.out(); i1++) {
                try {
                    x ^= (Integer) U1.class.getDeclaredMethod("m1", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, (y >>> z), (3));
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                    if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
                } catch (ReflectiveOperationException e) {
                    x--;
                }
            }
        }
        y = c.obj(y).v(c, d - 1, y);
        switch ((a & 15) + -2) {
        case -2:
            a -= (y + y);
            b -= z;
        case -1:
            Runnable r2 = c.fn(z) == null ? null : () -> c.mix(3);
            r2.run();
        case 0:
            c.arr[y & 15] = c.fn(y).i(c, d - 1, z);
            break;
        case 1:
            try {
                Map<Key, Integer> m3 = new LinkedHashMap<>();
                for (int i4 = 0; i4 < 5; i4++) m3.put(new Key(c, (y + i4) % 5), i4);
                y += m3.size() + (m3.containsKey(new Key(c, 2)) ? 1 : 2);
                do {
                    a -= ((-781240488) >> z);
                    c.arr[a & 15] = S.s3(c, d - 1, y, U1.m1(c, d - 1, (2053839643), (-15)));
                } while (c.obj(x) instanceof A1 && !c.out());
            } finally {
                final int q7 = x;
                I0 f6 = (cc7, dd7, pp7) -> {
                    if (dd7 <= 0 || cc7.out()) return q7;
                    int rr7 = pp7 ^ q7;
                    rr7++;
                    rr7 ^= (U0.m2(c, d - 1, ("" + rr7).length(), U2.m0(c, d - 1, (1), rr7)) + rr7);
                    return rr7;
                };
                x ^= f6.i(c, d - 1, (x | (-1)));
            }
            break;
        case 2:
            y ^= (a >> S.s1(c, d - 1, a, (b * (-1))));
            x += K0.v;
            break;
        case 3:
            while (x != z && !c.out()) {
                Runnable r9 = c.fn(b) == null ? null : () -> c.mix(3);
                r9.run();
            }
            if (!(b > x)) {
                switch (x) {
                case -2147483648:
                    b ^= a;
                    break;
                case -70000:
                    b = (y + I0.help(c, y));
                    z = (int) (42173L * (40621) + (z % ((7) | 1)) >> 1);
                case -5:
                    z += U0.wide(c, d - 1, (long) b, a, b * 3L, a / 2.0, b, a);
                case 1:
                    c.mix((y | b));
                    break;
                case 1000:
                    x += ((3) & a);
                case 65536:
                    if (x <= y) return (7);
                    break;
                default:
                    y -= c.arr[a & 7];
                    if (z >= b) return (x / (a | 1));
                }
                do {
                    c.arr[x & 7] = x;
                } while (x > (7) && !c.out());
                y ^= S.s3(c, d - 1, a, c.arr[x & 7]);
            } else {
                b++;
            }
            break;
        case 4:
            if ((x & 4) != 0) {
                y += ("<" + c.obj(x) + new Key(c, y) + ">").length();
                b += new A1(c, z).v(c, d - 1, b);
                b -= (U1.m0(c, d - 1, (7), z) | x);
            }
            try {
                y = (y | (y / (x & 3)));
                if ((7) <= z) throw new E1(b);
            } catch (ArithmeticException ex11) {
                z -= (c.maybe.f >> U0.m2(c, d - 1, z, z));
                final int q13 = z;
                I0 f12 = (cc13, dd13, pp13) -> {
                    if (dd13 <= 0 || cc13.out()) return q13;
                    int rr13 = pp13 ^ q13;
                    rr13 += I0.help(c, rr13);
                    return rr13;
                };
                z ^= f12.i(c, d - 1, y);
                if (y != (-1)) throw ex11;
            } catch (E0 ex14) {
                z = (z >= z ? x : y);
                c.any = new int[b & 3];
                b += (c.any instanceof int[] ? 3 : c.any.toString().length());
                switch ("k" + (a & 3)) {
                case "k4":
                    x++;
                    a = c.arr[c.fn((0)).i(c, d - 1, (-12)) & 7];
                    break;
                case "k1":
                    b = U0.wide(c, d - 1, (long) ((-1) << (62741)), x, ((-1) << (62741)) * 3L, x / 2.0, ((-1) << (62741)), x);
                    break;
                case "k2":
                    c.mix(U1.m0(c, d - 1, (1548402769), x));
                    break;
                }
            } finally {
                for (int e : new Range(4, 1)) { x += e; if (c.out()) break; }
                List<Integer> l15 = new ArrayList<>(Arrays.asList((17), y, x, y, x));
                Collections.sort(l15, Integer::compareTo);
                for (int e : l15) y ^= e;
            }
            break;
        case 5:
            for (int i17 = 0; i17 < 2 && !c.out(); i17++) {
                try {
                    if (x < (483685731)) continue;
                    c.mix(c.obj(b).f);
                    a += K2.v;
                    if ((21000) != z) throw new E1(a);
                } catch (NullPointerException ex18) {
                    c.arr[z & 7] = ((-1546447228) | U0.wide(c, d - 1, (long) z, (7), z * 3L, (7) / 2.0, z, (7)));
                    b ^= (z * (1));
                }
                Runnable r19 = c.fn(a) == null ? null : () -> c.mix(3);
                r19.run();
                y += Hand.make(c, z).i(c, d, ((-2) / (z & 3)));
            }
        }
        a += ((-849658815) >> b);
        return ("" + a).length();
    }
    static int m1(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 0;
        if (b == (-19921)) {
            synchronized (c.lock) {
                a -= ((1) <= y ? x : y);
                synchronized (c.lock) {
                    Runnable r1 = c.fn(b) == null ? null : () -> c.mix(3);
                    r1.run();
                    if ((7) >= (-62588)) {
                        c.mix(I0.help(c, x));
                    }
                    try {
                        c.arr[z & 7] = ((-14584) ^ y);
                        b -= ("" + (-159572190)).length();
                    } catch (ArrayIndexOutOfBoundsException ex2) {
                        c.mix((x + x));
                        if (x > (7)) return (b | x);
                        if (!((a & 1) != 0)) throw ex2;
                    } catch (E1 ex3) {
                        c.arr[b & 7] = ("" + ((0) * y)).length();
                        b = ((-1) >> a);
                    } finally {
                        x ^= c.obj(x).v(c, d - 1, a);
                    }
                }
                c.arr[a & 7] = K1.v;
            }
        } else {
            switch ("k" + (z & 3)) {
            case "k0":
                b ^= x;
                break;
            case "k3":
                try {
                    a++;
                    b = c.mix(y);
                    x = ((b != z || (b <= a && a < y)) ? S.s5(c, d - 1, x, (0)) : z);
                } catch (E1 ex4) {
                    b += c.obj(c.mix((-1))).f;
                    x = b;
                }
            case "k4":
                try {
                    y = (I0.help(c, (-1647327443)) ^ a);
                    z += (int) (63918L * (7) + y >> 39);
                } finally {
                    c.arr[z & 7] = (y / (a | 1));
                    b -= c.fn(y).i(c, d - 1, ("" + b).length());
                }
                c.any = null;
                y += (c.any instanceof int[] ? 3 : c.any.toString().length());
                break;
            }
        }
        b += ("<" + c.obj(b) + new Key(c, b) + ">").length();
        c.arr[z & 15] = U0.m0(c, d - 1, y, c.arr[(0) & 7]);
        return (int) (2167L * z + y >> 24);
    }
    static int m2(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 8845;
        try {
            switch ("k" + (b & 3)) {
            case "k2":
                switch ("k" + (z & 3)) {
                case "k2":
                    c.arr[a & 15] = U0.m2(c, d - 1, y, x);
                    break;
                case "k3":
                    a += b;
                    break;
                case "k4":
                    c.arr[b & 7] = K1.v;
                    break;
                }
                break;
            case "k1":
                c.any = new int[z & 3];
                z += ((A0) c.any).f;
            case "k4":
                if (x <= z) {
                    a++;
                }
                break;
            default:
                try {
                    y += c.arr[(42023) & 15];
                    c.mix((((1) >= (-124) || ((1357310371) < x && b > (3))) ? c.obj((1)).v(c, d - 1, b) : a));
                } catch (NullPointerException ex1) {
                    y = c.fn((-6)).i(c, d - 1, y);
                    a = S.s5(c, d - 1, z, b);
                    a = S.s3(c, d - 1, y, z);
                }
            }
        } catch (E0 ex2) {
            try {
                b ^= (Integer) S.class.getDeclaredMethod("s3", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, x, (7));
            } catch (java.lang.reflect.InvocationTargetException e) {
                c.mix(e.getCause().getClass().getName().length());
            } catch (ReflectiveOperationException e) {
                b--;
            }
            c.any = c.obj(a);
            a += ((int[]) c.any).length;
        }
        return (a - c.fn(z).i(c, d - 1, (0)));
    }
}
final class U1 {
    static int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = -23454;
        do {
            do {
                L3: {
                    Runnable r4 = c.fn(z) == null ? null : () -> c.mix(3);
                    r4.run();
                    Map<Key, Integer> m5 = new HashMap<>();
                    for (int i6 = 0; i6 < 4; i6++) m5.put(new Key(c, (b + i6) % 5), i6);
                    b += m5.size() + (m5.containsKey(new Key(c, 2)) ? 1 : 2);
                    b += ("<" + c.obj(x) + new Key(c, b) + ">").length();
                    if (z > a) break L3;
                    try {
                        z ^= (Integer) U0.class.getDeclaredMethod("m0", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, (5), a);
                    } catch (java.lang.reflect.InvocationTargetException e) {
                        c.mix(e.getCause().getClass().getName().length());
                    } catch (ReflectiveOperationException e) {
                        z--;
                    }
                    L7: {
                        y ^= b;
                        if ((!(((-5) >= (0) && x >= x)) || (-15) >= x)) break L7;
                        b++;
                    }
                }
            } while (a != y && !c.out());
            Runnable r8 = c.fn(a) == null ? null : () -> c.mix(3);
            r8.run();
            c.mix(U0.m1(c, d - 1, (a * a), b));
        } while ((-326921421) != b && !c.out());
        return c.obj(b).f;
    }
    static int m1(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 2;
        L1: {
            L2: {
                switch ((x & 15) + 0) {
                case 0:
                    x++;
                    a += a;
                    break;
                case 1:
                    x = K1.v;
                case 2:
                    z = ("" + z).length();
                case 3:
                    if ((3) != y) throw new E1(z);
                    b++;
                    break;
                case 4:
                    y -= c.fn(y).twice(c, d - 1, ((-62561) % (z & 3)));
                case 5:
                    x -= (1);
                    break;
                case 6:
                    b += c.arr[x & 7];
                    c.mix(b);
                case 7:
                    z ^= c.fn((7)).twice(c, d - 1, a);
                default:
                    z ^= b;
                    b += c.fn(z).twice(c, d - 1, (3));
                }
                try {
                    while (a == y && !c.out()) {
                        if (b != a) break;
                        a += c.arr[a & 7];
                        c.mix(I0.help(c, (-13)));
                    }
                    try {
                        x += (z / (a & 3));
                        a = c.maybe.f;
                        x -= c.fn(y).twice(c, d - 1, a);
                    } finally {
                        a ^= ("" + (7)).length();
                    }
                } finally {
                    switch ((y & 3) + 0) {
                    case 0:
                        c.mix((a >>> (z / ((11) & 3))));
                    case 1:
                        b += (y / (b | 1));
                        break;
                    }
                    try {
                        y -= c.arr[z & 7];
                    } catch (ArithmeticException ex4) {
                        a ^= c.obj(y).f;
                    } catch (E0 ex5) {
                        a++;
                        if (x <= b) return U0.wide(c, d - 1, (long) a, z, a * 3L, z / 2.0, a, z);
                        a += K2.v;
                    }
                }
                if (c.obj(y) instanceof A0) break L2;
                while (!((x & 3) == 0) && !c.out()) {
                    Runnable r7 = c.fn(x) == null ? null : () -> c.mix(3);
                    r7.run();
                }
            }
            try {
                switch ("k" + (b & 3)) {
                case "k2":
                    c.arr[y & 7] = (z >>> (2));
                case "k3":
                    if (((1) <= y || !((2) > (2)))) throw new E1((U0.wide(c, d - 1, (long) x, y, x * 3L, y / 2.0, x, y) >> b));
                case "k0":
                    y ^= I0.help(c, x);
                default:
                    if ((1) >= (1632116574)) return c.mix(U1.m2(c, d - 1, y, (16721)));
                }
                try {
                    b = S.s1(c, d - 1, (10973), a);
                } catch (E1 ex8) {
                    for (int i9 = 0; i9 < 3 && !c.out(); i9++) {
                        b -= S.s4(c, d - 1, b, z);
                    }
                }
                try {
                    c.any = "s" + y;
                    y += ((A0) c.any).f;
                    L10: {
                        c.mix((x ^ (2)));
                        y ^= (U0.m0(c, d - 1, y, (1)) - (-1));
                        c.arr[b & 7] = a;
                        if (c.obj(z) instanceof A0) break L10;
                        y = S.s5(c, d - 1, (16), (1));
                        if (a > b) return (I0.help(c, y) - x);
                        y = c.obj(c.fn((7)).i(c, d - 1, ("" + a).length())).f;
                    }
                    if ((a != b || z == z)) {
                        z += (y | z);
                        c.mix(c.fn(b).i(c, d - 1, a));
                    } else {
                        b -= (int) (72172L * (-15) + x >> 19);
                        x = ((U0.wide(c, d - 1, (long) x, y, x * 3L, y / 2.0, x, y) - a) - (x ^ x));
                        a = (a & a);
                    }
                } catch (ArithmeticException ex11) {
                    final int q13 = x;
                    I0 f12 = (cc13, dd13, pp13) -> {
                        if (dd13 <= 0 || cc13.out()) return q13;
                        int rr13 = pp13 ^ q13;
                        rr13++;
                        return rr13;
                    };
                    x ^= f12.i(c, d - 1, x);
                }
            } catch (E1 ex14) {
                c.any = null;
                z += ((int[]) c.any).length;
                Runnable r15 = c.fn(b) == null ? null : () -> c.mix(3);
                r15.run();
                synchronized (c.lock) {
                    y -= (b << y);
                    for (int e : new Range(x & 7, 1)) { b += e; if (c.out()) break; }
                }
                if (y > (1)) throw ex14;
            } finally {
                try {
                    c.any = "s" + a;
                    a += ((A0) c.any).f;
                    if ((c.obj(b) instanceof A0 && (0) <= z)) throw new E0(y);
                } catch (ArrayIndexOutOfBoundsException ex16) {
                    switch ((b & 7) + 0) {
                    case 0:
                        if (y <= a) throw new E0(y);
                        break;
                    case 1:
                        c.arr[x & 7] = U0.wide(c, d - 1, (long) (3), x, (3) * 3L, x / 2.0, (3), x);
                        b -= (b & I0.help(c, x));
                        break;
                    case 2:
                        z -= ((464724311) << I0.help(c, (a << (-10))));
                        b = I0.help(c, I0.help(c, z));
                    case 3:
                        b += U0.m0(c, d - 1, I0.help(c, y), x);
                        c.mix(c.fn((7)).twice(c, d - 1, (0)));
                        break;
                    default:
                        z = b;
                    }
                    c.mix(c.obj((206322451)).v(c, d - 1, x));
                } catch (IllegalStateException ex17) {
                    a -= ((7) ^ (3));
                } catch (RuntimeException ex18) {
                    c.mix((a * z));
                    c.arr[y & 15] = (x * (3));
                }
            }
            y = c.mix(a);
            if (a == a) break L1;
            c.arr[a & 7] = (b != b ? z : x);
            c.arr[a & 7] = (a << c.fn(z).i(c, d - 1, (0)));
        }
        return (c.mix(a) >> a);
    }
    static int m2(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 3;
        b += (a + (2072946064));
        try {
            a -= c.mix(x);
            Map<Key, Integer> m1 = new HashMap<>();
            for (int i2 = 0; i2 < 7; i2++) m1.put(new Key(c, (z + i2) % 5), i2);
            z += m1.size() + (m1.containsKey(new Key(c, 2)) ? 1 : 2);
            while (((a & 6) != 0 && a <= a) && !c.out()) {
                for (int e : new Range(4, 1)) { a += e; }
            }
        } catch (ArithmeticException ex4) {
            synchronized (c.lock) {
                while ((1800512601) == z && !c.out()) {
                    x += ("<" + c.obj(z) + new Key(c, x) + ">").length();
                }
                switch ((x & 7) + 0) {
                case 0:
                    y = c.arr[b & 15];
                    a ^= x;
                    break;
                case 1:
                    a = c.fn((7)).twice(c, d - 1, (0));
                    c.mix(U0.wide(c, d - 1, (long) (3), (-1302944968), (3) * 3L, (-1302944968) / 2.0, (3), (-1302944968)));
                    break;
                case 2:
                    b ^= y;
                    break;
                case 3:
                    b += b;
                    z ^= (x / ((2) | 1));
                    break;
                default:
                    y++;
                }
            }
        } finally {
            List<Integer> l6 = new ArrayList<>(Arrays.asList(U0.m2(c, d - 1, y, a), z, a, z, (-769588451)));
            Collections.sort(l6, Integer::compareTo);
            for (int e : l6) b ^= e;
        }
        if (z <= b) throw new E1((0));
        return (a >>> b);
    }
}
final class U2 {
    static int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 1;
        final int q2 = y;
        I0 f1 = (cc2, dd2, pp2) -> {
            if (dd2 <= 0 || cc2.out()) return q2;
            int rr2 = pp2 ^ q2;
            L3: {
                c.arr[rr2 & 7] = c.obj(rr2).f;
                do {
                    c.arr[rr2 & 7] = ((rr2 | rr2) & rr2);
                    c.mix(S.s3(c, d - 1, rr2, (rr2 < rr2 ? rr2 : rr2)));
                } while (rr2 < rr2 && !c.out());
                c.any = c.obj(rr2);
                rr2 += ((int[]) c.any).length;
                if (rr2 <= rr2) break L3;
                do {
                    rr2 += ("" + rr2).length();
                    rr2 = c.obj(rr2).v(c, d - 1, (-1556524578));
                    if (!(c.obj(rr2) instanceof A1)) throw new E1(S.s1(c, d - 1, rr2, rr2));
                } while ((!(rr2 > rr2) || (rr2 != rr2 || (rr2 != (1) || rr2 == rr2))) && !c.out());
                if (((1) != rr2 || rr2 == rr2)) throw new E0((3));
                c.mix(rr2);
            }
            switch ("k" + (rr2 & 3)) {
            case "k0":
                c.arr[rr2 & 7] = (rr2 - rr2);
            case "k3":
                rr2 ^= (rr2 + (-1));
                break;
            case "k4":
                if (c.obj(rr2) instanceof A0) return (rr2 | rr2);
                rr2++;
                break;
            }
            return rr2;
        };
        y ^= f1.i(c, d - 1, z);
        z += S.s5(c, d - 1, S.s0(c, d - 1, (-786504864), (2)), z);
        return z;
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
        case 0: return U0.m0(c, 5, salt, 47);
        case 1: return U0.m1(c, 5, salt, -1);
        case 2: return U0.m2(c, 5, salt, 40);
        case 3: return U1.m0(c, 5, salt, 10);
        case 4: return U1.m1(c, 5, salt, 30);
        case 5: return U1.m2(c, 5, salt, 3);
        case 6: return U2.m0(c, 5, salt, 19);
        case 7: return S.s0(c, 5, salt, -19);
        case 8: return S.s1(c, 5, salt, -1);
        case 9: return S.s2(c, 5, salt, -37);
        case 10: return S.s3(c, 5, salt, 14);
        case 11: return S.s4(c, 5, salt, 21);
        case 12: return S.s5(c, 5, salt, 37);
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
        for (String k : new String[] {"So", "Hand", "Key", "Range", "Make", "K0", "K1", "K2", "U0", "U1", "U2", "A0", "A1"}) Class.forName(k);
        one("main", 6, 52);
        one("main", 5, 38);
        one("main", 6, 3);
        one("main", 2, 17);
        one("main", 7, 45);
        Thread[] ts = new Thread[3];
        ts[0] = new Thread(() -> { one("w0", 10, -4); one("w0", 13, 71); one("w0", 13, 94); }, "w0");
        ts[0].start();
        ts[1] = new Thread(() -> { one("w1", 11, 14); throw new E1(1); }, "w1");
        ts[1].setUncaughtExceptionHandler((th, e) -> out("w1", e.getClass().getName()));
        ts[1].start();
        ts[2] = new Thread(() -> { one("w2", 1, 92); throw new E1(2); }, "w2");
        ts[2].setUncaughtExceptionHandler((th, e) -> out("w2", e.getClass().getName()));
        ts[2].start();
        for (Thread t : ts) t.join();
        for (StringBuilder b : OUT.values()) System.out.print(b);
    }
}
