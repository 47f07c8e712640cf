
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
    synchronized int v(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = -7;
        y = y;
        z += Hand.make(c, x).i(c, d, y);
        return U2.m0(c, d - 1, z, c.fn((-1)).i(c, d - 1, y));
    }
    public int i(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = -34649;
        for (int i1 = 0; i1 < 3 && !c.out(); i1++) {
            synchronized (c.lock) {
                y += ("<" + c.obj(y) + new Key(c, y) + ">").length();
                Map<Key, Integer> m2 = new LinkedHashMap<>();
                for (int i3 = 0; i3 < 6; i3++) m2.put(new Key(c, (x + i3) % 5), i3);
                x += m2.size() + (m2.containsKey(new Key(c, 2)) ? 1 : 2);
            }
            switch ((x & 15) + -2) {
            case -2:
                z ^= (z / (x | 1));
                break;
            case -1:
                if ((z & 4) != 0) return (x | ((0) * y));
                x -= (-6);
                break;
            case 0:
                y = c.mix(x);
                break;
            case 1:
                c.arr[z & 7] = U1.m0(c, d - 1, a, y);
                z = ("" + y).length();
                break;
            case 2:
                if (y >= y) throw new E0(((0) >> z));
                break;
            case 3:
                c.arr[y & 7] = (a < x ? (0) : z);
                break;
            case 4:
                c.arr[y & 7] = (a >> z);
                c.arr[a & 7] = c.obj(x).v(c, d - 1, y);
                break;
            case 5:
                x = z;
            default:
                c.mix(x);
                x++;
            }
            do {
                a -= (c.fn(z).twice(c, d - 1, x) * (a + a));
            } while ((a & 1) != 0 && !c.out());
        }
        y++;
        for (int i5 = 0; i5 < 2 && !c.out(); i5++) {
            try {
                if ((a == y && x > (7))) {
                    z = c.fn((0)).twice(c, d - 1, (1));
                } else {
                    a ^= c.fn(K1.v).i(c, d - 1, (z >> x));
                }
                a = (c.mix(z) & z);
            } catch (ArithmeticException ex6) {
                if (y != y) {
                    y = (a >>> x);
                    z += (I0.help(c, c.arr[(7) & 7]) % ((-49625) | 1));
                    a ^= ((7) / (a | 1));
                } else {
                    c.mix(((x * a) / (z & 3)));
                    x = (a << x);
                }
                do {
                    c.mix(U2.m0(c, d - 1, (a >>> a), c.fn(a).twice(c, d - 1, (3))));
                } while ((3) < x && !c.out());
                if (x <= a) throw ex6;
            } catch (RuntimeException ex8) {
                z += new A0(c, z).v(c, d - 1, z);
                if (a < (7)) throw ex8;
            }
        }
        return (c.obj(x) instanceof A1 ? z : a);
    }
    @Override public String toString() { return f > 0 ? "A0" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = -1;
        try {
            do {
                z = c.arr[(2) & 7];
                x -= c.fn(z).twice(c, d - 1, (64322));
            } while ((x & 1) == 0 && !c.out());
            x ^= z;
            switch ((z & 7) + 0) {
            case 0:
                x ^= c.fn(z).twice(c, d - 1, (z / ((-6) | 1)));
                a = ((a & 1) != 0 ? K1.v : x);
            case 1:
                z = (x / (z & 3));
                break;
            case 2:
                a += ((3) - z);
                break;
            case 3:
                x = c.fn(a).i(c, d - 1, (-16160));
                break;
            }
            if (c.obj(x) instanceof A1) throw new E0(a);
        } catch (IllegalStateException ex2) {
            do {
                y += (z <= a ? a : (2));
                x++;
            } while (z < (0) && !c.out());
            try {
                c.mix((2));
            } finally {
                c.arr[a & 15] = c.mix(y);
                a -= (z | ((3) << (335335106)));
            }
            a += (z == x ? z : a);
        } finally {
            y ^= x;
            Runnable r4 = c.fn(y) == null ? null : () -> c.mix(3);
            r4.run();
        }
        y ^= z;
        return ((2) & z);
    }
}
class A1 extends A0 implements I0 {
    A1(Ctx c, int f) {
        super(c, U0.m0(c, 2, f, 1));
        if (f > 5) this.f ^= c.mix(1);
    }
    synchronized int v(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 7;
        Map<Key, Integer> m1 = new HashMap<>();
        for (int i2 = 0; i2 < 2; i2++) m1.put(new Key(c, (y + i2) % 5), i2);
        y += m1.size() + (m1.containsKey(new Key(c, 2)) ? 1 : 2);
        for (int i3 = 0; i3 < 3 && !c.out(); i3++) {
            c.mix(S.s0(c, d - 1, (-796499958), a));
        }
        try {
            c.mix((y - x));
        } catch (ClassCastException ex4) {
            for (int i5 = 0; i5 < 2 && !c.out(); i5++) {
                try {
                    a += c.fn((7)).i(c, d - 1, (2));
                    c.mix((y << z));
                } catch (NullPointerException ex6) {
                    x++;
                } catch (IllegalStateException ex7) {
                    x = ("" + (741947049)).length();
                    c.arr[y & 15] = U0.wide(c, d - 1, (long) (3), z, (3) * 3L, z / 2.0, (3), z);
                    c.mix((y * y));
                    if (x != y) throw ex7;
                }
                L8: {
                    x -= ((7) % (a | 1));
                    x = U1.m1(c, d - 1, a, z);
                    if (z != y) break L8;
                    c.arr[a & 7] = ((int) (33453L * (7) + y >> 13) / (z & 3));
                }
                a += ("<" + c.obj(y) + new Key(c, a) + ">").length();
            }
        } catch (E0 ex9) {
            while (z == (2) && !c.out()) {
                a ^= ((14) | ((-56816) | (-1)));
                c.arr[a & 7] = (x + z);
            }
            if ((a < a && (y < (8) || a >= z))) {
                for (int i11 = 0; i11 < 2 && !c.out(); i11++) {
                    if (x > z) continue;
                }
                switch ((y * z)) {
                case -5:
                    z++;
                    break;
                case 65536:
                    a -= ("" + y).length();
                    break;
                }
                x += S.s1(c, d - 1, (y >>> (21450)), (2));
            } else {
                try {
                    x ^= (Integer) U1.class.getDeclaredMethod("m0", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, y, y);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                } catch (ReflectiveOperationException e) {
                    x--;
                }
                c.any = new int[z & 3];
                z += ((int[]) c.any).length;
                L12: {
                    z -= ((0) & z);
                    if (a < z) break L12;
                    x ^= ((3) >> c.mix(a));
                    y = ("" + (7)).length();
                    x += I0.help(c, y);
                }
            }
        } finally {
            List<Integer> l13 = new ArrayList<>(Arrays.asList(((-1) + (-38523)), a, c.obj((0)).v(c, d - 1, z), z));
            final int m14 = x;
            Collections.sort(l13, new Comparator<Integer>() {
                @Override public int compare(Integer p, Integer q) { if (m14 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
            });
            for (int e : l13) x ^= e;
            switch ((a & 15) + 0) {
            case 0:
                a -= (a ^ (x & c.obj((2)).v(c, d - 1, z)));
                z -= (0);
                break;
            case 1:
                a -= (-2025103783);
                c.mix((a + x));
            case 2:
                y = c.obj(z).v(c, d - 1, x);
                c.mix((a / (y & 3)));
                break;
            case 3:
                c.arr[x & 15] = (3);
                break;
            case 4:
                y = (hidden(c, d - 1, y) >> z);
                a = (z >>> (7));
            case 5:
                x += (int) (67232L * x + y >> 12);
                x -= (443820950);
            case 6:
                c.arr[y & 7] = ((2) - y);
                break;
            case 7:
                c.arr[a & 15] = (((2) + z) >>> (3));
                break;
            default:
                x = (("" + z).length() / (x | 1));
            }
        }
        return this.v(c, d - 1, c.obj(a).v(c, d - 1, x));
    }
    public int i(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 7;
        final int q2 = z;
        I0 f1 = (cc2, dd2, pp2) -> {
            if (dd2 <= 0 || cc2.out()) return q2;
            int rr2 = pp2 ^ q2;
            rr2 = (rr2 <= rr2 ? ((-1) - (0)) : (44962));
            return rr2;
        };
        z ^= f1.i(c, d - 1, x);
        if (c.obj(a) instanceof A0) {
            z -= (!((2) < z) ? y : (-19));
        } else {
            Runnable r3 = c.fn(x) == null ? null : () -> c.mix(3);
            r3.run();
            switch ("k" + (x & 3)) {
            case "k2":
                if ((!(!(x == a)) || !((1787558308) != (26765)))) return U0.m1(c, d - 1, z, a);
                if (!(!(a != z))) throw new E1(hidden(c, d - 1, y));
                break;
            case "k0":
                c.arr[y & 7] = U2.m1(c, d - 1, (x & (-1)), x);
                a ^= (y & (1376027128));
                break;
            case "k3":
                z++;
            default:
                z -= K0.v;
            }
        }
        Map<Key, Integer> m4 = new LinkedHashMap<>();
        for (int i5 = 0; i5 < 6; i5++) m4.put(new Key(c, (x + i5) % 5), i5);
        x += m4.size() + (m4.containsKey(new Key(c, 2)) ? 1 : 2);
        return c.obj(z).f;
    }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 0;
        L1: {
            if ((-1332078518) != a) {
                c.arr[y & 7] = c.obj(y).v(c, d - 1, (x >> (2)));
            } else {
                c.arr[x & 7] = (z ^ a);
                y += z;
                x = (x ^ z);
            }
            L2: {
                if (y != a) throw new E0(c.mix(y));
                if ((y < x || a <= y)) break L2;
                y++;
                y = ("" + (7)).length();
            }
            L3: {
                y ^= ("" + z).length();
                a ^= U0.wide(c, d - 1, (long) a, a, a * 3L, a / 2.0, a, a);
                if (y >= (0)) break L3;
                a = c.fn((-1724912884)).twice(c, d - 1, x);
            }
            if ((a & 3) == 0) break L1;
            while ((-30298) == z && !c.out()) {
                x -= S.s0(c, d - 1, y, (z == x ? (a | x) : y));
            }
            a += Hand.make(c, y).i(c, d, c.obj((-1)).v(c, d - 1, (-40713)));
        }
        if ((7) > z) {
            List<Integer> l5 = new ArrayList<>(Arrays.asList(z, a));
            final int m6 = y;
            Collections.sort(l5, new Comparator<Integer>() {
                @Override public int compare(Integer p, Integer q) { if (m6 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
            });
            for (int e : l5) y ^= e;
            z = c.fn(x).i(c, d - 1, hidden(c, d - 1, a));
            try {
                y ^= (Integer) U0.class.getDeclaredMethod("m1", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, y, x);
            } catch (java.lang.reflect.InvocationTargetException e) {
                c.mix(e.getCause().getClass().getName().length());
                if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
            } catch (ReflectiveOperationException e) {
                y--;
            }
        }
        x ^= (x * a);
        return hidden(c, d - 1, x);
    }
}
class A2 extends A1 implements I0 {
    A2(Ctx c, int f) {
        super(c, f / ((f & 7) - 7 == 0 ? 0 : 1));
        if (f > 5) this.f ^= c.mix(2);
    }
    @Override public String toString() { return f > 0 ? "A2" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 3;
        try {
            y += Hand.make(c, a).i(c, d, a);
            while ((!((a & 1) == 0) || z == a) && !c.out()) {
                y = (int) (17072L * y + z >> 4);
                a += x;
                if (x >= (7)) break;
            }
        } catch (IllegalStateException ex2) {
            synchronized (c.lock) {
                if ((-1) > x) return ("" + (-8)).length();
            }
            z += Hand.make(c, x).i(c, d, y);
        }
        try {
            try {
                c.arr[z & 7] = c.mix(y);
                x++;
                if (c.obj(x) instanceof A0) return ((y / (y | 1)) % (x & 3));
                if (a > y) throw new E0(z);
            } catch (NullPointerException ex3) {
                x = (7);
                if (z >= a) throw ex3;
            } catch (E1 ex4) {
                y -= ((-11296) >> a);
                c.arr[y & 15] = ("" + (14)).length();
                z++;
                if ((!((2) <= x) && x < z)) throw ex4;
            } catch (E0 ex5) {
                z = S.s0(c, d - 1, x, (32727));
                a ^= this.f;
                y = z;
            } finally {
                y = U0.wide(c, d - 1, (long) (911431368), a, (911431368) * 3L, a / 2.0, (911431368), a);
                y += (x ^ y);
            }
            x += new A2(c, x).v(c, d - 1, x);
            switch ((a & 15) + -2) {
            case -2:
                x ^= y;
                c.mix(((581337451) - (-6)));
                break;
            case -1:
                x = c.fn((-1)).i(c, d - 1, ((-1) / (a | 1)));
                break;
            case 0:
                y += (((z * z) % (hidden(c, d - 1, a) | 1)) >>> z);
                break;
            case 1:
                a = U0.m0(c, d - 1, (2), a);
                break;
            case 2:
                y ^= (a >>> (-1));
                x += ((0) + a);
                break;
            case 3:
                x += (c.obj(y).f % (a & 3));
                z ^= U1.m0(c, d - 1, x, x);
            case 4:
                c.arr[y & 7] = ((a << a) / (z | 1));
                c.mix(c.mix((8980)));
                break;
            case 5:
                if (y >= z) throw new E1(z);
                break;
            default:
                c.arr[x & 7] = ((1) << y);
                a = c.obj(((y + (-2300)) >>> y)).f;
            }
            if ((3) > (0)) throw new E0(a);
        } catch (ArithmeticException ex6) {
            c.mix(U0.m1(c, d - 1, (x ^ ((7) >> a)), z));
            if ((c.obj(y) instanceof A1 || z <= x)) throw ex6;
        } catch (E1 ex7) {
            c.arr[x & 7] = c.maybe.f;
        } catch (RuntimeException ex8) {
            x += new A1(c, a).v(c, d - 1, a);
            try {
                y = ((("" + a).length() - (2)) - (0));
                z = (int) (35715L * U0.m1(c, d - 1, z, x) + y >> 30);
                z += (a * x);
                if ((y & 6) != 0) throw new E1(x);
            } catch (NullPointerException ex9) {
                a += (int) (37182L * (2) + z >> 39);
            } catch (ArrayIndexOutOfBoundsException ex10) {
                y -= y;
                x ^= ((1) / ((3) | 1));
                y = S.s1(c, d - 1, x, z);
                if (a == z) throw ex10;
            } catch (E0 ex11) {
                z += (int) (3069L * a + c.obj((7)).f >> 30);
                z = c.obj(y).f;
            } finally {
                z = ((1) ^ y);
            }
        } finally {
            c.any = new int[x & 3];
            x += ((int[]) c.any).length;
        }
        return c.arr[x & 7];
    }
}
class A3 extends A1 implements I0 {
    A3(Ctx c, int f) {
        super(c, f / ((f & 7) - 7 == 0 ? 0 : 1));
        if (f > 5) this.f ^= c.mix(3);
    }
    int v(final Ctx c, final int d, int a) {
        if (a > 2) a += super.v(c, d - 1, a);
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 1308131921;
        a += Hand.make(c, x).i(c, d, (a >>> (736244780)));
        switch ((z & 7) + -2) {
        case -2:
            do {
                a += c.fn((z * y)).twice(c, d - 1, a);
                x += ("" + x).length();
                y = c.fn(z).i(c, d - 1, y);
            } while ((z & 3) != 0 && !c.out());
            break;
        case -1:
            L2: {
                z = S.s2(c, d - 1, a, x);
                c.arr[y & 15] = U0.m0(c, d - 1, z, z);
                if (y < z) break L2;
                c.mix(c.obj(z).v(c, d - 1, a));
                x ^= U2.m0(c, d - 1, x, a);
                c.arr[a & 7] = (z / (y & 3));
            }
            break;
        case 0:
            if (!((y & 1) != 0)) return a;
            break;
        case 1:
            synchronized (c.lock) {
                c.arr[a & 15] = (y >> z);
            }
        }
        switch ("k" + (x & 3)) {
        case "k1":
            for (int i3 = 0; i3 < 9 && !c.out(); i3++) {
                z ^= a;
                y ^= a;
            }
            try {
                z ^= (Integer) U1.class.getDeclaredMethod("m0", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, y, z);
            } catch (java.lang.reflect.InvocationTargetException e) {
                c.mix(e.getCause().getClass().getName().length());
                if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
            } catch (ReflectiveOperationException e) {
                z--;
            }
            break;
        case "k0":
            switch ((3)) {
            case -70000:
                y -= S.s0(c, d - 1, (0), (3));
            case -5:
                z ^= (x * (x / (c.obj(a).f & 3)));
            case 1000:
                z -= S.s2(c, d - 1, (z ^ (7)), a);
                c.mix(c.obj((7)).v(c, d - 1, y));
            case 65536:
                c.mix((a > (0) ? z : (x * (a >> y))));
                break;
            default:
                x ^= (int) (14773L * x + a >> 7);
            }
            List<Integer> l4 = new ArrayList<>(Arrays.asList((11), z));
            Collections.sort(l4, Integer::compareTo);
            for (int e : l4) a ^= e;
            break;
        case "k4":
            while (z > z && !c.out()) {
                c.arr[z & 7] = (int) (54493L * x + (3) >> 26);
            }
            break;
        }
        return U0.wide(c, d - 1, (long) a, (7), a * 3L, (7) / 2.0, a, (7));
    }
    @Override public int twice(Ctx c, int d, int a) { return d <= 0 || c.out() ? 1 : super.twice(c, d - 1, a) + 1; }
    @Override public String toString() { return f > 0 ? "A3" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 1;
        z += ("<" + c.obj(y) + new Key(c, z) + ">").length();
        return c.fn(a).i(c, d - 1, (3));
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
final class Make {
    static A0[] objs(Ctx c, int salt) {
        return new A0[] {new A3(c, salt + 0), new A0(c, salt + 1), new A3(c, salt + 2), new A2(c, salt + 3)};
    }
    static int two(Ctx c, int d, int a) { return d <= 0 || c.out() ? a : c.obj(a).v(c, d - 1, a); }
    static I0[] fns(Ctx k, int salt) { return new I0[] {Hand.make(k, salt), Make::two, (c, d, a) -> a * 2}; }
}
final class U0 {
    static int wide(final Ctx c, final int d, long w1, int w2, long w3, double w4, int w5, int w6) {
        int a = (int) (w1 ^ w3) + w2, b = w4 > w2 ? w5 : w6;
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 2;
        try {
            switch ((z & 3) + -2) {
            case -2:
                a ^= x;
                break;
            case -1:
                b ^= (I0.help(c, a) & z);
                a = ((9) + S.s1(c, d - 1, x, (1526591346)));
                break;
            default:
                if (b != y) throw new E0(S.s2(c, d - 1, (-1), x));
            }
            z ^= c.mix((-15840));
            try {
                while ((b & 4) != 0 && !c.out()) {
                    a = ((2) << y);
                    if (!((((0) > y && x == a) && b == a))) return ("" + (9)).length();
                    a = U2.m0(c, d - 1, b, b);
                }
                switch ((y & 15) + 3) {
                case 3:
                    a += c.mix((0));
                    break;
                case 4:
                    y -= (int) (35727L * z + z >> 3);
                case 5:
                    c.mix((((a & y) << x) ^ a));
                    y += I0.help(c, a);
                case 6:
                    a ^= U0.wide(c, d - 1, (long) (3), b, (3) * 3L, b / 2.0, (3), b);
                    z += (53426);
                    break;
                case 7:
                    c.mix(((2) >> y));
                    break;
                case 8:
                    z = (y | (-1));
                    c.arr[b & 7] = ((0) >>> (z % (y & 3)));
                case 9:
                    c.mix(x);
                    break;
                case 10:
                    c.mix(c.fn(a).twice(c, d - 1, (7)));
                    x -= (x / (z | 1));
                    break;
                default:
                    if (a >= z) throw new E1(c.obj((0)).v(c, d - 1, ("" + x).length()));
                }
                if (x <= y) throw new E0(y);
            } finally {
                try {
                    x -= (int) (95520L * y + S.s1(c, d - 1, ("" + b).length(), ((3) >>> x)) >> 21);
                    a ^= x;
                    c.arr[a & 7] = (b >>> z);
                    if ((c.obj(x) instanceof A2 || !((z == a && b < x)))) throw new E0(x);
                } catch (ArrayIndexOutOfBoundsException ex2) {
                    y = ((a >>> z) << (z * x));
                    a ^= (x + b);
                    if (b >= y) throw ex2;
                }
            }
            if (z <= x) throw new E0(x);
        } catch (ArrayIndexOutOfBoundsException ex3) {
            b -= c.obj(a).v(c, d - 1, a);
            c.arr[a & 7] = c.fn(z).twice(c, d - 1, (3));
            switch (x) {
            case -2147483648:
                b = (int) (13934L * b + z >> 7);
            case -5:
                b += (((-1) - (y >> (-1))) >>> z);
                break;
            case 0:
                c.arr[b & 7] = (z - (-1));
                break;
            case 1:
                b = I0.help(c, a);
                break;
            case 1000:
                x = ((-1089501481) * (1461205290));
            }
            if ((2) != b) throw ex3;
        }
        y += Hand.make(c, z).i(c, d, x);
        return ((3) * ("" + z).length());
    }
    static int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 2;
        Map<Key, Integer> m1 = new TreeMap<>();
        for (int i2 = 0; i2 < 2; i2++) m1.put(new Key(c, (z + i2) % 5), i2);
        z += m1.size() + (m1.containsKey(new Key(c, 2)) ? 1 : 2);
        if (c.obj(a) instanceof A1) {
            try {
                b ^= (Integer) U0.class.getDeclaredMethod("m1", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, z, y);
            } catch (java.lang.reflect.InvocationTargetException e) {
                c.mix(e.getCause().getClass().getName().length());
            } catch (ReflectiveOperationException e) {
                b--;
            }
        } else {
            while (x == (1) && !c.out()) {
                Runnable r4 = c.fn(b) == null ? null : () -> c.mix(3);
                r4.run();
                c.arr[z & 7] = U2.m0(c, d - 1, z, b);
                if (((1) >= y && z >= (3))) {
                    switch ((z & 7) + 0) {
                    case 0:
                        b -= (x & z);
                        break;
                    case 1:
                        b++;
                        b += (x / ((2) & 3));
                        break;
                    case 2:
                        z ^= c.obj((b / ((15) & 3))).v(c, d - 1, b);
                        z ^= U0.m0(c, d - 1, a, b);
                        break;
                    case 3:
                        x += K0.v;
                        c.mix(U0.wide(c, d - 1, (long) b, (1), b * 3L, (1) / 2.0, b, (1)));
                        break;
                    default:
                        b ^= S.s0(c, d - 1, (7), c.obj((19)).f);
                    }
                } else {
                    y = (y * K0.v);
                }
            }
            y += c.fn(z).twice(c, d - 1, x);
            switch ((z & 15) + 0) {
            case 0:
                try {
                    a ^= (Integer) U1.class.getDeclaredMethod("m0", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, (x - y), z);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                    if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
                } catch (ReflectiveOperationException e) {
                    a--;
                }
                y += new A1(c, (47228)).v(c, d - 1, S.s2(c, d - 1, (7), y));
                break;
            case 1:
                for (int i5 = 0; i5 < 2 && !c.out(); i5++) {
                    a -= c.fn(z).twice(c, d - 1, ((0) & x));
                    c.mix(I0.help(c, y));
                    c.arr[a & 7] = (((b > (-1385407514) && y != a) && a > b) ? (7) : y);
                }
                switch ((a & 3) + 3) {
                case 3:
                    y += U0.m0(c, d - 1, U0.m0(c, d - 1, b, (x - b)), b);
                    b++;
                    break;
                case 4:
                    if (a == y) throw new E0(y);
                    if (!((a >= (1) || y != (9354050)))) return I0.help(c, a);
                    break;
                }
                break;
            case 2:
                try {
                    a ^= (Integer) S.class.getDeclaredMethod("s0", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, z, (2));
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                    if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
                } catch (ReflectiveOperationException e) {
                    a--;
                }
            case 3:
                switch ((a & 3) + 3) {
                case 3:
                    z = (b != x ? y : y);
                    z = ("" + x).length();
                case 4:
                    b += a;
                    y += (7);
                default:
                    z = (b >>> a);
                }
                break;
            case 4:
                switch ((z & 7) + 0) {
                case 0:
                    x = K1.v;
                    c.mix((1));
                    break;
                case 1:
                    b = c.mix(a);
                    c.arr[x & 7] = (c.mix((3)) / (c.obj(x).v(c, d - 1, y) | 1));
                    break;
                case 2:
                    x += (a << (x ^ y));
                    break;
                case 3:
                    x++;
                    break;
                default:
                    if ((!((1) == b) || y == b)) throw new E1((1));
                }
            case 5:
                c.arr[y & 7] = a;
                do {
                    y = (!(((-1) <= (0) && y != y)) ? (1209951442) : (-1));
                    y -= (a ^ a);
                    b = c.obj((2144521900)).f;
                } while (!(c.obj(z) instanceof A0) && !c.out());
                break;
            case 6:
                Map<Key, Integer> m7 = new HashMap<>();
                for (int i8 = 0; i8 < 8; i8++) m7.put(new Key(c, (x + i8) % 5), i8);
                x += m7.size() + (m7.containsKey(new Key(c, 2)) ? 1 : 2);
            case 7:
                Map<Key, Integer> m9 = new LinkedHashMap<>();
                for (int i10 = 0; i10 < 5; i10++) m9.put(new Key(c, (z + i10) % 5), i10);
                z += m9.size() + (m9.containsKey(new Key(c, 2)) ? 1 : 2);
                x = (b & a);
                break;
            }
        }
        if ((-19) != z) return c.obj(y).f;
        x += new A2(c, b).v(c, d - 1, c.obj(S.s0(c, d - 1, a, z)).v(c, d - 1, z));
        return c.arr[y & 15];
    }
    static synchronized int m1(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 7;
        L1: {
            List<Integer> l2 = new ArrayList<>(Arrays.asList(a, a, z, a, S.s1(c, d - 1, (1), y)));
            Collections.sort(l2, Integer::compareTo);
            for (int e : l2) a ^= e;
            if (!(x >= (3))) break L1;
            for (int i4 = 0; i4 < 3 && !c.out(); i4++) {
                switch ((z & 15) + 3) {
                case 3:
                    x = (y ^ y);
                    c.arr[y & 7] = x;
                    break;
                case 4:
                    z ^= (x >>> x);
                    z ^= (y + b);
                    break;
                case 5:
                    y = c.arr[a & 7];
                    c.mix((x << (2)));
                    break;
                case 6:
                    c.mix((("" + b).length() ^ c.obj(a).v(c, d - 1, (0))));
                    break;
                case 7:
                    z = (z >>> ((3) % ((1) | 1)));
                case 8:
                    z ^= (z << x);
                    break;
                case 9:
                    z ^= (a - a);
                    a = z;
                case 10:
                    x = U1.m1(c, d - 1, x, U0.wide(c, d - 1, (long) x, b, x * 3L, b / 2.0, x, b));
                    break;
                }
                b += (b | (a ^ a));
            }
            switch ((3)) {
            case -70000:
                c.arr[x & 7] = (c.obj((0)).f ^ y);
                break;
            case 2147483647:
                while ((z & 6) != 0 && !c.out()) {
                    y += ((7) >>> x);
                    c.arr[y & 15] = c.arr[(-7931) & 15];
                }
                for (int i6 = 0; i6 < 9 && !c.out(); i6++) {
                    b += (b ^ c.obj(a).v(c, d - 1, (int) (97711L * b + (3) >> 4)));
                    x = c.fn(("" + a).length()).i(c, d - 1, c.arr[(0) & 7]);
                }
                break;
            default:
                for (int i7 = 0; i7 < 3 && !c.out(); i7++) {
                    z ^= c.fn(b).i(c, d - 1, z);
                    c.arr[x & 7] = (2);
                }
                switch (y) {
                case -5:
                    y += (a - (x + c.arr[b & 15]));
                    y = c.obj(x).v(c, d - 1, x);
                    break;
                case 0:
                    z = (z / (x | 1));
                    break;
                default:
                    b ^= c.fn(z).twice(c, d - 1, (b ^ K1.v));
                    z = c.mix(b);
                }
            }
        }
        return U0.wide(c, d - 1, (long) (7), x, (7) * 3L, x / 2.0, (7), x);
    }
}
final class U1 {
    static int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = -16;
        try {
            c.arr[b & 7] = S.s1(c, d - 1, z, y);
            do {
                if ((x != x || b >= x)) {
                    try {
                        c.arr[z & 7] = (x << (1));
                        z += c.arr[z & 7];
                    } catch (ClassCastException ex2) {
                        y += K1.v;
                        b = c.arr[c.fn((63630)).i(c, d - 1, (b / (b | 1))) & 7];
                        c.mix(c.mix(y));
                    }
                    x += Hand.make(c, z).i(c, d, (7));
                }
                c.any = c.obj(x);
                x += ((A0) c.any).f;
            } while (z >= b && !c.out());
        } catch (IllegalStateException ex3) {
            try {
                if (c.obj(y) instanceof A1) {
                    do {
                        z = a;
                        a = (b | x);
                    } while (((b > (2) && a == x) || (x & 3) != 0) && !c.out());
                }
                try {
                    synchronized (c.lock) {
                        c.arr[y & 7] = U1.m1(c, d - 1, b, z);
                    }
                    a += Hand.make(c, y).i(c, d, (7));
                } catch (ClassCastException ex5) {
                    c.arr[x & 7] = (int) (98798L * (3) + (-1) >> 20);
                    if (x <= (1)) {
                        if ((z < z && c.obj(a) instanceof A3)) return (int) (78188L * z + (7) >> 21);
                        x = ((x & 3) != 0 ? z : b);
                        z += c.fn(z).twice(c, d - 1, (-1));
                    }
                    switch ("k" + (x & 3)) {
                    case "k0":
                        z -= c.fn((2)).twice(c, d - 1, x);
                        break;
                    case "k3":
                        z = S.s2(c, d - 1, U0.m0(c, d - 1, (-1), y), (0));
                        break;
                    case "k2":
                        a = x;
                    default:
                        c.mix(U0.m1(c, d - 1, b, y));
                        c.arr[a & 7] = ((-17) * (0));
                    }
                    if ((7) > a) throw ex5;
                } catch (RuntimeException ex6) {
                    for (int e : new Range(x & 7, 2)) { a += e; if (c.out()) break; }
                } finally {
                    for (int e : new Range(4, 2)) { b += e; if (c.out()) break; }
                }
                y -= U1.m1(c, d - 1, x, z);
                if ((b > x || (a > y || a != a))) throw new E0(a);
            } catch (E1 ex7) {
                a ^= x;
            } catch (E0 ex8) {
                x = ("" + (b | (-1))).length();
                for (int i9 = 0; i9 < 9 && !c.out(); i9++) {
                    if ((b <= x || (1) > (7))) {
                        a ^= c.fn(y).i(c, d - 1, b);
                        a -= c.fn(U0.m0(c, d - 1, z, a)).twice(c, d - 1, y);
                        c.mix(((b == a || z != (3)) ? (7) : K0.v));
                    } else {
                        b += K0.v;
                        z = (x >> y);
                    }
                    Map<Key, Integer> m10 = new HashMap<>();
                    for (int i11 = 0; i11 < 5; i11++) m10.put(new Key(c, (b + i11) % 5), i11);
                    b += m10.size() + (m10.containsKey(new Key(c, 2)) ? 1 : 2);
                }
                if (a != (0)) throw ex8;
            } catch (IllegalStateException ex12) {
                Runnable r13 = c.fn(z) == null ? null : () -> c.mix(3);
                r13.run();
            } finally {
                switch ("k" + (y & 3)) {
                case "k1":
                    c.arr[a & 7] = U1.m1(c, d - 1, b, z);
                    break;
                case "k4":
                    b += ((66687) & (-1));
                    b -= S.s1(c, d - 1, y, (int) (54473L * ((-1080068687) + a) + y >> 7));
                    break;
                case "k3":
                    a++;
                    break;
                }
                if (x < (7)) {
                    synchronized (c.lock) {
                        x += c.fn(y).twice(c, d - 1, a);
                        y -= (a & b);
                    }
                    b += ("<" + c.obj(b) + new Key(c, b) + ">").length();
                }
            }
            if (y == (-53460)) throw ex3;
        } catch (RuntimeException ex14) {
            Map<Key, Integer> m15 = new TreeMap<>();
            for (int i16 = 0; i16 < 4; i16++) m15.put(new Key(c, (z + i16) % 5), i16);
            z += m15.size() + (m15.containsKey(new Key(c, 2)) ? 1 : 2);
            List<Integer> l17 = new ArrayList<>(Arrays.asList(z, b));
            Collections.sort(l17, (p, q) -> (p & 15) < (q & 15) ? -1 : (p & 15) > (q & 15) ? 1 : 0);
            for (int e : l17) a ^= e;
            List<Integer> l19 = new ArrayList<>(Arrays.asList(a, a, z, (7)));
            final int m20 = y;
            Collections.sort(l19, new Comparator<Integer>() {
                @Override public int compare(Integer p, Integer q) { if (m20 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
            });
            for (int e : l19) y ^= e;
        }
        try {
            synchronized (c.lock) {
                switch ("k" + (z & 3)) {
                case "k1":
                    a = S.s1(c, d - 1, z, (S.s1(c, d - 1, b, b) ^ z));
                    c.mix((z % (b | 1)));
                    break;
                case "k0":
                    x -= ((-1) + b);
                    break;
                case "k2":
                    c.mix(y);
                    c.mix(x);
                    break;
                default:
                    c.arr[a & 7] = ((0) ^ (1));
                }
                x -= (b % (b & 3));
                b ^= ((-29109) % (b & 3));
            }
            if (!(c.obj(z) instanceof A1)) throw new E0(y);
        } catch (E1 ex21) {
            z -= c.obj((-758947072)).f;
            a = ((-1) % (z | 1));
        } catch (RuntimeException ex22) {
            try {
                x ^= (!(x > (3)) ? b : a);
            } catch (NullPointerException ex23) {
                switch (a) {
                case -70000:
                    c.mix((U2.m0(c, d - 1, (0), (2)) & (0)));
                    b += c.fn((2137263856)).i(c, d - 1, K1.v);
                    break;
                case 0:
                    x = (b | z);
                    break;
                case 65536:
                    b -= (z - z);
                    x = (z ^ (3));
                case 2147483647:
                    z ^= (z & a);
                    break;
                default:
                    z++;
                    c.arr[z & 7] = ((3) % (a & 3));
                }
                c.arr[y & 7] = I0.help(c, x);
            } catch (ArrayIndexOutOfBoundsException ex24) {
                z = (z << y);
            } catch (ClassCastException ex25) {
                y ^= (b >>> (1));
            }
        }
        x = y;
        c.arr[z & 15] = I0.help(c, (x + z));
        y -= (y * (1));
        return U2.m1(c, d - 1, b, x);
    }
    static int m1(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = -36495;
        b = y;
        switch (x) {
        case -70000:
            z = (z ^ y);
            a++;
            break;
        case 0:
            c.arr[a & 15] = ((z | a) - y);
        case 3:
            switch ("k" + (a & 3)) {
            case "k0":
                b += ((-2) % (a | 1));
                break;
            case "k3":
                if (a > (0)) throw new E1(z);
                break;
            case "k1":
                c.mix((3279));
            default:
                c.arr[z & 15] = (z ^ a);
                y += (((-4) | c.mix(b)) * a);
            }
            Map<Key, Integer> m1 = new HashMap<>();
            for (int i2 = 0; i2 < 4; i2++) m1.put(new Key(c, (a + i2) % 5), i2);
            a += m1.size() + (m1.containsKey(new Key(c, 2)) ? 1 : 2);
            break;
        case 9:
            for (int i3 = 0; i3 < 9 && !c.out(); i3++) {
                a ^= ((-18) - (7));
            }
            do {
                b -= ((-3) << ("" + (1)).length());
                b += (y ^ z);
            } while ((7) >= b && !c.out());
        case 1000:
            final int q6 = z;
            I0 f5 = (cc6, dd6, pp6) -> {
                if (dd6 <= 0 || cc6.out()) return q6;
                int rr6 = pp6 ^ q6;
                rr6 -= rr6;
                rr6++;
                return rr6;
            };
            z ^= f5.i(c, d - 1, K1.v);
            if (!((348969352) >= x)) {
                while ((a > x && x >= y) && !c.out()) {
                    b = c.mix(("" + x).length());
                }
            }
            break;
        }
        Runnable r8 = c.fn(x) == null ? null : () -> c.mix(3);
        r8.run();
        try {
            a ^= (Integer) U2.class.getDeclaredMethod("m0", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, (z != z ? (int) (82465L * (3) + x >> 35) : (b % (a & 3))), a);
        } catch (java.lang.reflect.InvocationTargetException e) {
            c.mix(e.getCause().getClass().getName().length());
            if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
        } catch (ReflectiveOperationException e) {
            a--;
        }
        return y;
    }
}
final class U2 {
    static int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 0;
        switch ("k" + (a & 3)) {
        case "k0":
            y += Hand.make(c, z).i(c, d, b);
            break;
        case "k2":
            x += (a >> a);
            Runnable r1 = c.fn(a) == null ? null : () -> c.mix(3);
            r1.run();
            break;
        case "k4":
            if ((!((5) > a) || (x & 6) != 0)) {
                switch (a) {
                case -70000:
                    y++;
                    break;
                case -5:
                    y = c.arr[(1) & 7];
                    break;
                case 0:
                    c.arr[b & 7] = b;
                    break;
                case 1:
                    a = c.arr[z & 7];
                case 9:
                    c.mix(c.mix(z));
                    break;
                case 1000:
                    z -= x;
                    break;
                default:
                    c.mix((!(c.obj(y) instanceof A1) ? (-63925) : x));
                    c.arr[x & 7] = U0.m1(c, d - 1, b, (2));
                }
                List<Integer> l2 = new ArrayList<>(Arrays.asList((-1215940157), (4), c.obj(z).f, z, x));
                final int m3 = y;
                Collections.sort(l2, new Comparator<Integer>() {
                    @Override public int compare(Integer p, Integer q) { if (m3 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
                });
                for (int e : l2) y ^= e;
            } else {
                if (y > y) {
                    c.mix((7));
                    a = U0.m1(c, d - 1, b, y);
                    c.mix(U2.m0(c, d - 1, x, z));
                } else {
                    b = y;
                    x ^= S.s1(c, d - 1, (1), (int) (69237L * ((-1) / (z & 3)) + (x / (b & 3)) >> 39));
                }
            }
            c.any = null;
            a += ((A0) c.any).f;
            break;
        default:
            List<Integer> l4 = new ArrayList<>(Arrays.asList(y, z));
            Collections.sort(l4, (p, q) -> (p & 15) < (q & 15) ? -1 : (p & 15) > (q & 15) ? 1 : 0);
            for (int e : l4) z ^= e;
        }
        L6: {
            x++;
            switch ((z & 15) + 0) {
            case 0:
                c.any = null;
                x += ((A0) c.any).f;
                do {
                    c.mix(((2) << z));
                } while (x > (2) && !c.out());
                break;
            case 1:
                y += new A0(c, (0)).v(c, d - 1, (-1));
                break;
            case 2:
                switch ((y & 15) + -2) {
                case -2:
                    x ^= I0.help(c, (y & (2)));
                    break;
                case -1:
                    a++;
                case 0:
                    z = c.obj((-1)).v(c, d - 1, (2));
                case 1:
                    a = c.fn(y).i(c, d - 1, b);
                    c.mix(c.obj(a).f);
                    break;
                case 2:
                    x = (a + (z >> y));
                    b = U0.m1(c, d - 1, x, ((-1) - y));
                    break;
                case 3:
                    c.arr[a & 7] = (("" + a).length() - c.fn(y).i(c, d - 1, y));
                    z += U2.m1(c, d - 1, ((3) ^ z), x);
                    break;
                case 4:
                    y = c.mix((1));
                    c.mix((z * b));
                case 5:
                    a++;
                    break;
                default:
                    a ^= c.mix((0));
                    c.arr[z & 7] = I0.help(c, (int) (35244L * x + (1) >> 4));
                }
            case 3:
                y ^= a;
                if (z <= b) throw new E1(I0.help(c, z));
                break;
            case 4:
                switch (S.s2(c, d - 1, b, y)) {
                case 9:
                    c.arr[b & 7] = (z % ((-54321) | 1));
                    y = c.fn(((-1) >> a)).twice(c, d - 1, a);
                    break;
                case 65536:
                    a ^= c.arr[z & 7];
                    break;
                default:
                    x -= U1.m0(c, d - 1, x, x);
                }
                do {
                    y += c.obj(x).f;
                } while (c.obj(a) instanceof A0 && !c.out());
            case 5:
                a ^= ((-1) >>> (7));
                if (z < (0)) {
                    x += (c.mix(b) / (y & 3));
                } else {
                    c.mix(S.s0(c, d - 1, b, (1)));
                }
            case 6:
                try {
                    z = c.arr[c.arr[b & 15] & 7];
                    if ((x & 1) == 0) return c.fn(b).i(c, d - 1, (-3));
                    if ((19041) != b) throw new E0(y);
                } finally {
                    y++;
                    y += (K1.v | a);
                }
                break;
            case 7:
                do {
                    b ^= ((x >> (x / (z & 3))) ^ z);
                    x -= c.maybe.f;
                    z ^= ((0) - S.s1(c, d - 1, y, z));
                } while ((a != z || (5) >= z) && !c.out());
                for (int i10 = 0; i10 < 3 && !c.out(); i10++) {
                    y += (U0.m1(c, d - 1, a, ((3) << b)) >>> S.s1(c, d - 1, (0), (7)));
                    c.arr[a & 7] = (-1);
                }
                break;
            default:
                a += U0.wide(c, d - 1, (long) y, (y + y), y * 3L, (y + y) / 2.0, y, (y + y));
            }
            if (a >= x) break L6;
            L11: {
                synchronized (c.lock) {
                    switch ((c.mix(b) << I0.help(c, b))) {
                    case 1:
                        y++;
                        break;
                    case 1000:
                        x ^= U0.m1(c, d - 1, (-1), x);
                        break;
                    }
                }
                do {
                    try {
                        z += z;
                        c.mix(x);
                        a -= (x + z);
                    } catch (ArrayIndexOutOfBoundsException ex13) {
                        z = U0.m1(c, d - 1, (1), b);
                        x ^= (z * a);
                    } catch (E0 ex14) {
                        x ^= S.s0(c, d - 1, x, (-2045996295));
                        y = S.s2(c, d - 1, x, (int) (68262L * a + (7) >> 3));
                        z += U0.wide(c, d - 1, (long) z, x, z * 3L, x / 2.0, z, x);
                    }
                } while (z <= x && !c.out());
                if (b <= y) break L11;
                if (x < z) return (("" + a).length() * y);
            }
            if (x > b) return c.arr[a & 7];
            x = U2.m1(c, d - 1, x, a);
        }
        return c.mix(a);
    }
    static int m1(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 14;
        for (int i1 = 0; i1 < 2 && !c.out(); i1++) {
            y += (c.fn(z).twice(c, d - 1, x) & a);
            if (c.obj(z) instanceof A3) {
                y += new A3(c, z).v(c, d - 1, (7));
                if (x > x) {
                    y = c.obj((10)).v(c, d - 1, b);
                    for (int i2 = 0; i2 < 2 && !c.out(); i2++) {
                        a = b;
                    }
                } else {
                    for (int i3 = 0; i3 < 3 && !c.out(); i3++) {
                        b = (a * (-1));
                        c.mix((z % (y | 1)));
                        b = U2.m0(c, d - 1, I0.help(c, x), ((b * (14)) ^ (7)));
                    }
                }
            } else {
                synchronized (c.lock) {
                    try {
                        c.mix(((-1) * (3)));
                        a = I0.help(c, b);
                    } catch (NullPointerException ex4) {
                        b = U0.wide(c, d - 1, (long) x, (17), x * 3L, (17) / 2.0, x, (17));
                        if ((0) == z) throw ex4;
                    } catch (E0 ex5) {
                        x = ("" + x).length();
                    } finally {
                        c.mix(("" + z).length());
                    }
                    do {
                        c.mix((x - (1)));
                        z += (19);
                        if (a != (-36585)) throw new E1((3));
                    } while (((3) == (16919) || b < x) && !c.out());
                }
            }
        }
        List<Integer> l7 = new ArrayList<>(Arrays.asList(z, U1.m0(c, d - 1, a, (2))));
        final int m8 = y;
        Collections.sort(l7, new Comparator<Integer>() {
            @Override public int compare(Integer p, Integer q) { if (m8 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
        });
        for (int e : l7) y ^= e;
        if ((a & 4) != 0) {
            try {
                y += I0.help(c, a);
                if (x > b) throw new E0(a);
            } catch (ClassCastException ex9) {
                for (int i10 = 0; i10 < 9 && !c.out(); i10++) {
                    c.mix(c.mix(x));
                    c.any = new int[b & 3];
                    b += (c.any instanceof int[] ? 3 : c.any.toString().length());
                    List<Integer> l11 = new ArrayList<>(Arrays.asList(c.obj((0)).v(c, d - 1, U2.m0(c, d - 1, z, b)), z, x, (-1)));
                    Collections.sort(l11, Integer::compareTo);
                    for (int e : l11) z ^= e;
                }
                for (int e : new Range(b & 7, 2)) { x += e; if (c.out()) break; }
                if ((-18) >= (-1)) throw ex9;
            } finally {
                try {
                    if ((7) == z) {
                        z += S.s0(c, d - 1, (61372), (0));
                        b++;
                    } else {
                        c.arr[x & 15] = U2.m0(c, d - 1, (y << (-1610865914)), a);
                        c.arr[b & 7] = I0.help(c, a);
                    }
                    for (int e : new Range(z & 7, 1)) { x += e; if (c.out()) break; }
                    if (a != (1361790794)) throw new E1(z);
                } catch (ArithmeticException ex13) {
                    Runnable r14 = c.fn(z) == null ? null : () -> c.mix(3);
                    r14.run();
                    y = z;
                    c.arr[z & 7] = (a / (("" + a).length() & 3));
                    if (x < b) throw ex13;
                } catch (NullPointerException ex15) {
                    c.mix(((1025564585) - z));
                } catch (E1 ex16) {
                    c.arr[z & 7] = c.obj(b).v(c, d - 1, b);
                }
                for (int i17 = 0; i17 < 3 && !c.out(); i17++) {
                    switch ("k" + (a & 3)) {
                    case "k0":
                        z = (y == a ? (-449581433) : z);
                        a ^= (y - S.s2(c, d - 1, (-18), x));
                    case "k2":
                        z++;
                        break;
                    case "k3":
                        c.arr[b & 15] = b;
                        c.arr[x & 7] = U0.wide(c, d - 1, (long) (-14), b, (-14) * 3L, b / 2.0, (-14), b);
                        break;
                    }
                }
            }
            synchronized (c.lock) {
                if ((((2) != b && (24883) < z) && (1) > (1))) {
                    List<Integer> l18 = new ArrayList<>(Arrays.asList(x, (-57399), a, x));
                    final int m19 = a;
                    Collections.sort(l18, new Comparator<Integer>() {
                        @Override public int compare(Integer p, Integer q) { if (m19 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
                    });
                    for (int e : l18) a ^= e;
                    if (y <= b) {
                        c.arr[y & 7] = ((888584920) * (3));
                    } else {
                        c.mix(I0.help(c, b));
                        y = (z - I0.help(c, c.maybe.f));
                    }
                } else {
                    if (((b != a && !(x < (-1906085485))) || b < z)) {
                        b -= S.s1(c, d - 1, a, b);
                        if (y != a) throw new E0((2));
                        c.arr[b & 7] = (z & x);
                    } else {
                        c.mix((c.obj(x) instanceof A0 ? b : (2)));
                        c.arr[z & 7] = ((4) / (z & 3));
                        z = ("" + (-1)).length();
                    }
                    if (y != z) {
                        z = U0.m0(c, d - 1, (-42884), y);
                        x = c.arr[y & 7];
                        c.mix(S.s2(c, d - 1, x, (y >> z)));
                    }
                    a += Hand.make(c, x).i(c, d, a);
                }
            }
        } else {
            x = c.fn(b).twice(c, d - 1, (0));
            switch ((z & 7) + 3) {
            case 3:
                do {
                    y = b;
                } while (x > b && !c.out());
                b += c.fn(y).twice(c, d - 1, x);
                break;
            case 4:
                while (x != (7) && !c.out()) {
                    x -= U2.m0(c, d - 1, ((y & 6) != 0 ? z : (3)), (-13));
                    z -= ((y & ((0) & y)) | (y - ((62363) < b ? z : x)));
                    z = (y | x);
                }
                c.arr[b & 7] = U0.wide(c, d - 1, (long) b, b, b * 3L, b / 2.0, b, b);
            case 5:
                c.arr[a & 15] = (int) (50731L * z + y >> 30);
                break;
            case 6:
                a = (y & (-6785));
                break;
            default:
                c.arr[x & 7] = c.arr[a & 7];
            }
            b = U1.m1(c, d - 1, x, ("" + z).length());
        }
        y++;
        return c.mix(b);
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
        case 0: return U0.m0(c, 3, salt, -49);
        case 1: return U0.m1(c, 3, salt, 21);
        case 2: return U1.m0(c, 3, salt, -9);
        case 3: return U1.m1(c, 3, salt, -15);
        case 4: return U2.m0(c, 3, salt, -42);
        case 5: return U2.m1(c, 3, salt, -42);
        case 6: return S.s0(c, 3, salt, -31);
        case 7: return S.s1(c, 3, salt, -39);
        case 8: return S.s2(c, 3, salt, 39);
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
        OUT.put("pool", new StringBuilder());
        one("main", 1, 48);
        one("main", 4, 51);
        one("main", 7, -13);
        one("main", 1, 42);
        one("main", 2, 61);
        Thread[] ts = new Thread[1];
        ts[0] = new Thread("w0") { @Override public void run() { one("w0", 4, 14); } };
        ts[0].start();
        ts[0].join();
        for (Thread t : ts) t.join();
        for (StringBuilder b : OUT.values()) System.out.print(b);
        System.exit(2);
    }
}
