
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
        int z = -14962;
        List<Integer> l1 = new ArrayList<>(Arrays.asList(z, x, (0), z, z, x));
        final int m2 = z;
        Collections.sort(l1, new Comparator<Integer>() {
            @Override public int compare(Integer p, Integer q) { if (m2 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
        });
        for (int e : l1) z ^= e;
        return c.arr[(x | z) & 7];
    }
    public int i(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = -1;
        c.any = "s" + z;
        z += (c.any instanceof int[] ? 3 : c.any.toString().length());
        try {
            final int q2 = x;
            I0 f1 = (cc2, dd2, pp2) -> {
                if (dd2 <= 0 || cc2.out()) return q2;
                int rr2 = pp2 ^ q2;
                rr2 += c.obj(rr2).v(c, d - 1, (2));
                c.arr[rr2 & 15] = K2.v;
                return rr2;
            };
            x ^= f1.i(c, d - 1, c.fn((x / (a | 1))).i(c, d - 1, U0.m3(c, d - 1, z, y)));
        } catch (ArithmeticException ex3) {
            if (z > z) {
                synchronized (c.lock) {
                    y ^= (int) (12007L * x + x >> 35);
                    c.mix(a);
                }
                a++;
            } else {
                switch ((y & 15) + 0) {
                case 0:
                    a = (x >> y);
                    y++;
                    break;
                case 1:
                    z += (y / (y & 3));
                case 2:
                    c.mix((z * a));
                    z -= I0.help(c, z);
                    break;
                case 3:
                    z++;
                    if (y < y) return U0.m0(c, d - 1, x, (0));
                    break;
                case 4:
                    c.arr[x & 7] = (y % (x | 1));
                    break;
                case 5:
                    z += c.mix((-19));
                    x += this.f;
                    break;
                case 6:
                    c.arr[y & 7] = (y * z);
                    c.arr[y & 7] = (z % (x & 3));
                    break;
                case 7:
                    x -= y;
                    y -= c.obj(z).v(c, d - 1, a);
                }
                a = (a % (x & 3));
            }
            while (x != z && !c.out()) {
                try {
                    if (y != z) continue;
                    if (y == (-1223235606)) throw new E1(y);
                } catch (NullPointerException ex5) {
                    y = (a >> a);
                    y = (a % (x | 1));
                    c.mix((a + (int) (95574L * this.f + (1) >> 4)));
                } catch (E1 ex6) {
                    c.mix(c.arr[(-1) & 7]);
                    c.mix((y * y));
                } finally {
                    c.arr[y & 7] = (z << (x >> a));
                }
                switch ("k" + (z & 3)) {
                case "k0":
                    z = hidden(c, d - 1, (-1));
                    break;
                case "k3":
                    c.arr[x & 7] = ((10) & y);
                    a -= c.obj(x).f;
                    break;
                case "k1":
                    c.arr[a & 15] = (y ^ (-7));
                    x -= K1.v;
                default:
                    c.mix((((-295233896) >= y && z != x) ? z : (-1)));
                }
            }
            Runnable r7 = c.fn(z) == null ? null : () -> c.mix(3);
            r7.run();
        } catch (ClassCastException ex8) {
            switch ((y & 3) + -2) {
            case -2:
                c.arr[y & 7] = c.fn(z).i(c, d - 1, y);
                break;
            case -1:
                c.mix(c.fn((1)).i(c, d - 1, a));
                break;
            default:
                x++;
                c.arr[y & 15] = c.mix(y);
            }
        } catch (E0 ex9) {
            synchronized (c.lock) {
                Map<Key, Integer> m10 = new LinkedHashMap<>();
                for (int i11 = 0; i11 < 2; i11++) m10.put(new Key(c, (y + i11) % 5), i11);
                y += m10.size() + (m10.containsKey(new Key(c, 2)) ? 1 : 2);
                List<Integer> l12 = new ArrayList<>(Arrays.asList(y, K2.v, z));
                Collections.sort(l12, Integer::compareTo);
                for (int e : l12) z ^= e;
                try {
                    z ^= (Integer) U0.class.getDeclaredMethod("m2", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, c.fn(z).i(c, d - 1, y), z);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                } catch (ReflectiveOperationException e) {
                    z--;
                }
            }
            if (a == y) {
                for (int e : new Range(4, 2)) { y += e; }
                a += ("<" + c.obj(y) + new Key(c, a) + ">").length();
            } else {
                try {
                    a ^= (Integer) U0.class.getDeclaredMethod("m2", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, z, x);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                } catch (ReflectiveOperationException e) {
                    a--;
                }
                while (c.obj(y) instanceof A2 && !c.out()) {
                    x = U0.m2(c, d - 1, y, a);
                    a = ((x | (34783)) & (y | U0.wide(c, d - 1, (long) a, (3), a * 3L, (3) / 2.0, a, (3))));
                }
                c.arr[z & 7] = (int) (15183L * z + (x & (3)) >> 13);
            }
        }
        try {
            Map<Key, Integer> m15 = new LinkedHashMap<>();
            for (int i16 = 0; i16 < 2; i16++) m15.put(new Key(c, (y + i16) % 5), i16);
            y += m15.size() + (m15.containsKey(new Key(c, 2)) ? 1 : 2);
        } finally {
            a = ("" + z).length();
        }
        return I0.help(c, z);
    }
    @Override public String toString() { return f > 0 ? "A0" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 0;
        final int q2 = y;
        I0 f1 = (cc2, dd2, pp2) -> {
            if (dd2 <= 0 || cc2.out()) return q2;
            int rr2 = pp2 ^ q2;
            c.mix(U0.m0(c, d - 1, rr2, rr2));
            rr2 = U0.m0(c, d - 1, rr2, rr2);
            return rr2;
        };
        y ^= f1.i(c, d - 1, (-1995142707));
        return x;
    }
}
class A1 extends A0 implements I0 {
    A1(Ctx c, int f) {
        super(c, f / ((f & 7) - 7 == 0 ? 0 : 1));
        if (f > 5) this.f ^= c.mix(1);
    }
    public int i(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 2;
        switch ("k" + (x & 3)) {
        case "k3":
            switch ((x & 3) + 3) {
            case 3:
                z -= U0.wide(c, d - 1, (long) c.maybe.f, x, c.maybe.f * 3L, x / 2.0, c.maybe.f, x);
                break;
            case 4:
                c.mix(U0.m2(c, d - 1, a, z));
                break;
            default:
                c.arr[z & 7] = U0.m2(c, d - 1, (1016298878), a);
            }
            try {
                y += K0.v;
                c.arr[y & 7] = c.mix((2));
            } catch (E1 ex1) {
                x += ((z - x) % (y | 1));
                y += (y ^ c.mix(a));
                c.mix(c.fn(z).i(c, d - 1, z));
            } finally {
                z++;
                c.arr[x & 7] = c.mix((3));
            }
            break;
        case "k2":
            c.any = c.obj(x);
            x += ((A0) c.any).f;
            switch ((x & 3) + 0) {
            case 0:
                a++;
                c.arr[a & 7] = (a * x);
                break;
            case 1:
                y ^= U0.wide(c, d - 1, (long) x, z, x * 3L, z / 2.0, x, z);
                c.mix(((-20501) % (y & 3)));
                break;
            }
        case "k4":
            c.arr[z & 7] = ((7) | a);
            c.any = new int[y & 3];
            y += ((int[]) c.any).length;
            break;
        }
        Runnable r2 = c.fn(z) == null ? null : () -> c.mix(3);
        r2.run();
        try {
            if (z != y) {
                Map<Key, Integer> m3 = new HashMap<>();
                for (int i4 = 0; i4 < 2; i4++) m3.put(new Key(c, (y + i4) % 5), i4);
                y += m3.size() + (m3.containsKey(new Key(c, 2)) ? 1 : 2);
                a++;
            } else {
                L5: {
                    z = c.arr[x & 7];
                    x -= this.v(c, d - 1, y);
                    if (z > (-7)) break L5;
                    a = (x - a);
                    x ^= c.fn(z).twice(c, d - 1, a);
                    z -= x;
                }
                try {
                    y ^= (Integer) U0.class.getDeclaredMethod("m0", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, z, y);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                } catch (ReflectiveOperationException e) {
                    y--;
                }
            }
            do {
                while ((-2) < (3) && !c.out()) {
                    c.arr[z & 7] = U0.m2(c, d - 1, (-1), (-1));
                }
            } while ((-1165825226) > x && !c.out());
            if (x >= x) throw new E1(y);
        } catch (E1 ex8) {
            try {
                final int q10 = x;
                I0 f9 = (cc10, dd10, pp10) -> {
                    if (dd10 <= 0 || cc10.out()) return q10;
                    int rr10 = pp10 ^ q10;
                    rr10 -= U0.wide(c, d - 1, (long) (-1897678575), rr10, (-1897678575) * 3L, rr10 / 2.0, (-1897678575), rr10);
                    if (!(((rr10 <= rr10 && rr10 != rr10) && !(rr10 > rr10)))) throw new E1((rr10 | rr10));
                    return rr10;
                };
                x ^= f9.i(c, d - 1, K0.v);
                y = a;
                if (a > a) throw new E0(z);
            } catch (E0 ex11) {
                switch (a) {
                case -70000:
                    a -= (int) (35512L * c.arr[((7) / (a & 3)) & 7] + (-1071971721) >> 33);
                    z = (y / (y | 1));
                    break;
                case 3:
                    if (x >= y) return U0.m3(c, d - 1, x, z);
                    a -= (y * a);
                    break;
                case 9:
                    a ^= (int) (62117L * (-3) + (y == y ? a : (0)) >> 15);
                case 1000:
                    y = (-1);
                    break;
                case 65536:
                    c.arr[z & 15] = (y ^ (0));
                    break;
                case 2147483647:
                    c.arr[y & 7] = c.fn(z).i(c, d - 1, z);
                    break;
                }
                Map<Key, Integer> m12 = new HashMap<>();
                for (int i13 = 0; i13 < 3; i13++) m12.put(new Key(c, (x + i13) % 5), i13);
                x += m12.size() + (m12.containsKey(new Key(c, 2)) ? 1 : 2);
                try {
                    if ((c.obj(x) instanceof A1 && (z > x && (0) != x))) throw new E1((2));
                    a += z;
                    if (c.obj(x) instanceof A2) throw new E1(a);
                } catch (ClassCastException ex14) {
                    x += ("" + a).length();
                    if ((1) == z) return x;
                }
                if ((2) == z) throw ex11;
            } catch (RuntimeException ex15) {
                for (int e : new Range(4, 1)) { x += e; }
                switch ((y & 7) + 3) {
                case 3:
                    c.mix(c.fn(y).twice(c, d - 1, x));
                    y += ((2) & y);
                    break;
                case 4:
                    c.arr[x & 7] = c.obj((1)).v(c, d - 1, a);
                    break;
                case 5:
                    z = c.fn((c.obj(x).v(c, d - 1, (-12)) & x)).i(c, d - 1, x);
                    z -= (y + z);
                    break;
                case 6:
                    c.arr[z & 7] = (int) (17350L * a + x >> 6);
                    break;
                default:
                    x++;
                }
                if (y != a) {
                    c.mix(("" + (0)).length());
                }
            } finally {
                Map<Key, Integer> m16 = new LinkedHashMap<>();
                for (int i17 = 0; i17 < 2; i17++) m16.put(new Key(c, (y + i17) % 5), i17);
                y += m16.size() + (m16.containsKey(new Key(c, 2)) ? 1 : 2);
                if (((-18) != x || a >= (409385560))) {
                    c.mix(c.mix(x));
                }
            }
            c.arr[a & 15] = x;
        } finally {
            final int q19 = a;
            I0 f18 = (cc19, dd19, pp19) -> {
                if (dd19 <= 0 || cc19.out()) return q19;
                int rr19 = pp19 ^ q19;
                c.mix(rr19);
                return rr19;
            };
            a ^= f18.i(c, d - 1, I0.help(c, c.obj(z).f));
            z += c.fn(x).i(c, d - 1, c.fn(U0.m3(c, d - 1, a, z)).i(c, d - 1, this.f));
        }
        return U0.m2(c, d - 1, y, a);
    }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = -710890730;
        x += (x + ((1575370503) ^ (7)));
        c.arr[y & 15] = c.obj(a).v(c, d - 1, x);
        switch ((z & 3) + -2) {
        case -2:
            x = ((3) ^ y);
            x = (a != (1) ? a : y);
            break;
        case -1:
            y++;
            break;
        default:
            y = U0.m0(c, d - 1, a, (-1059511123));
            x = c.mix(a);
        }
        return c.mix(y);
    }
}
class A2 extends A0 implements I0 {
    A2(Ctx c, int f) {
        super(c, f / ((f & 7) - 7 == 0 ? 0 : 1));
        if (f > 5) this.f ^= c.mix(2);
    }
    @Override public String toString() { return f > 0 ? "A2" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 1;
        try {
            y ^= (Integer) U0.class.getDeclaredMethod("m2", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, z, z);
        } catch (java.lang.reflect.InvocationTargetException e) {
            c.mix(e.getCause().getClass().getName().length());
        } catch (ReflectiveOperationException e) {
            y--;
        }
        c.any = null;
        z += ((int[]) c.any).length;
        final int q2 = x;
        I0 f1 = (cc2, dd2, pp2) -> {
            if (dd2 <= 0 || cc2.out()) return q2;
            int rr2 = pp2 ^ q2;
            rr2++;
            c.arr[rr2 & 7] = rr2;
            return rr2;
        };
        x ^= f1.i(c, d - 1, (-1150433621));
        return ((0) > y ? z : x);
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
        for (int i = 0; i < 5; i++) s += i * K0.v;
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
        return new A0[] {new A1(c, salt + 0), new A2(c, salt + 1), new A0(c, salt + 2)};
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
        int z = -1;
        b -= K2.v;
        return ((7) % (a | 1));
    }
    static int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = -1;
        try {
            if (c.obj(x) instanceof A2) {
                switch ((y & 7) + 0) {
                case 0:
                    z = U0.m1(c, d - 1, K0.v, z);
                    x = U0.m3(c, d - 1, b, a);
                case 1:
                    a = z;
                    break;
                case 2:
                    c.arr[z & 7] = c.arr[x & 7];
                case 3:
                    y = (U0.wide(c, d - 1, (long) (-18), a, (-18) * 3L, a / 2.0, (-18), a) * (c.maybe.f ^ a));
                    break;
                default:
                    x += z;
                }
                if (a < a) return K2.v;
                switch ("k" + (z & 3)) {
                case "k1":
                    c.mix((x - (19)));
                    b ^= U0.m2(c, d - 1, b, c.obj(b).f);
                case "k0":
                    c.mix(((3) % ((2) & 3)));
                    x -= (U0.wide(c, d - 1, (long) b, (1), b * 3L, (1) / 2.0, b, (1)) >> (x | b));
                    break;
                case "k2":
                    z += U0.m3(c, d - 1, (-1), b);
                    c.arr[a & 7] = c.maybe.f;
                    break;
                }
            }
            for (int i1 = 0; i1 < 5 && !c.out(); i1++) {
                Map<Key, Integer> m2 = new TreeMap<>();
                for (int i3 = 0; i3 < 8; i3++) m2.put(new Key(c, (b + i3) % 5), i3);
                b += m2.size() + (m2.containsKey(new Key(c, 2)) ? 1 : 2);
                b += U0.wide(c, d - 1, (long) b, b, b * 3L, b / 2.0, b, b);
            }
            switch (b) {
            case -70000:
                c.any = "s" + y;
                y += ((int[]) c.any).length;
                synchronized (c.lock) {
                    c.mix((b & b));
                    b ^= (a & a);
                }
                break;
            case 1:
                if (!(z != b)) return ((0) >>> y);
                break;
            case 9:
                c.arr[x & 7] = (int) (44302L * z + y >> 26);
                c.arr[a & 7] = b;
            default:
                switch ("k" + (x & 3)) {
                case "k3":
                    x++;
                    break;
                case "k0":
                    c.arr[x & 7] = c.fn(c.arr[(b ^ b) & 7]).twice(c, d - 1, K0.v);
                    a++;
                    break;
                case "k1":
                    c.arr[x & 7] = c.fn((-489595125)).i(c, d - 1, I0.help(c, (-1)));
                    z += U0.m1(c, d - 1, y, b);
                    break;
                }
                x -= (z + (3));
            }
            if (y >= x) throw new E1(b);
        } catch (ArrayIndexOutOfBoundsException ex4) {
            do {
                switch ("k" + (z & 3)) {
                case "k3":
                    z -= c.mix(z);
                    b++;
                case "k4":
                    y ^= U0.wide(c, d - 1, (long) K0.v, a, K0.v * 3L, a / 2.0, K0.v, a);
                    a++;
                    break;
                case "k2":
                    y = c.arr[(3) & 7];
                    break;
                default:
                    a++;
                    y += U0.m3(c, d - 1, (1), y);
                }
                final int q7 = z;
                I0 f6 = (cc7, dd7, pp7) -> {
                    if (dd7 <= 0 || cc7.out()) return q7;
                    int rr7 = pp7 ^ q7;
                    rr7 += ((rr7 << (1)) * rr7);
                    return rr7;
                };
                z ^= f6.i(c, d - 1, z);
            } while (y < (7) && !c.out());
        } catch (RuntimeException ex8) {
            try {
                b += Hand.make(c, y).i(c, d, z);
                if (y != z) throw new E1(z);
            } catch (RuntimeException ex9) {
                y += new A2(c, b).v(c, d - 1, z);
                for (int i10 = 0; i10 < 2 && !c.out(); i10++) {
                    x ^= x;
                    L11: {
                        c.arr[b & 7] = U0.m2(c, d - 1, x, (4));
                        c.arr[b & 7] = z;
                        y = U0.wide(c, d - 1, (long) a, (-20), a * 3L, (-20) / 2.0, a, (-20));
                        if (z != x) break L11;
                        y += c.obj((b >>> b)).v(c, d - 1, b);
                    }
                }
                if (!(((-1) == a || b <= (1)))) throw ex9;
            } finally {
                final int q13 = z;
                I0 f12 = (cc13, dd13, pp13) -> {
                    if (dd13 <= 0 || cc13.out()) return q13;
                    int rr13 = pp13 ^ q13;
                    rr13 = (rr13 & (-62181));
                    return rr13;
                };
                z ^= f12.i(c, d - 1, b);
            }
            x = ((a ^ y) >>> y);
        } finally {
            switch ("k" + (b & 3)) {
            case "k2":
                try {
                    x ^= (Integer) U0.class.getDeclaredMethod("m1", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, a, b);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                    if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
                } catch (ReflectiveOperationException e) {
                    x--;
                }
                switch ("k" + (y & 3)) {
                case "k4":
                    b -= a;
                    break;
                case "k3":
                    b = U0.wide(c, d - 1, (long) y, z, y * 3L, z / 2.0, y, z);
                    a++;
                    break;
                case "k2":
                    c.arr[x & 7] = I0.help(c, a);
                    x = c.arr[y & 15];
                    break;
                default:
                    z ^= c.maybe.f;
                }
                break;
            case "k4":
                c.mix((b - z));
                z ^= U0.m0(c, d - 1, a, y);
                break;
            case "k1":
                Map<Key, Integer> m14 = new HashMap<>();
                for (int i15 = 0; i15 < 4; i15++) m14.put(new Key(c, (a + i15) % 5), i15);
                a += m14.size() + (m14.containsKey(new Key(c, 2)) ? 1 : 2);
                final int q17 = y;
                I0 f16 = (cc17, dd17, pp17) -> {
                    if (dd17 <= 0 || cc17.out()) return q17;
                    int rr17 = pp17 ^ q17;
                    rr17 ^= (c.obj(rr17) instanceof A1 ? rr17 : ((2) << rr17));
                    return rr17;
                };
                y ^= f16.i(c, d - 1, x);
                break;
            }
            a += new A1(c, x).v(c, d - 1, U0.m1(c, d - 1, b, z));
        }
        a += ("<" + c.obj(y) + new Key(c, a) + ">").length();
        final int q19 = z;
        I0 f18 = (cc19, dd19, pp19) -> {
            if (dd19 <= 0 || cc19.out()) return q19;
            int rr19 = pp19 ^ q19;
            L20: {
                rr19 += (int) (84751L * rr19 + rr19 >> 17);
                c.any = null;
                rr19 += ((A0) c.any).f;
                rr19 -= (int) (98697L * U0.m0(c, d - 1, (-1), U0.m0(c, d - 1, rr19, rr19)) + rr19 >> 12);
                if (rr19 <= rr19) break L20;
                c.mix(((rr19 + rr19) | rr19));
                c.mix(((0) / ((-1) & 3)));
                rr19 = U0.m2(c, d - 1, rr19, rr19);
            }
            c.mix((rr19 | (rr19 % (rr19 | 1))));
            return rr19;
        };
        z ^= f18.i(c, d - 1, b);
        c.mix(U0.wide(c, d - 1, (long) (-184420128), b, (-184420128) * 3L, b / 2.0, (-184420128), b));
        return ((-14) ^ z);
    }
    static int m1(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 1;
        x += new A2(c, c.maybe.f).v(c, d - 1, y);
        try {
            x ^= (Integer) U0.class.getDeclaredMethod("m0", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, b, U0.wide(c, d - 1, (long) U0.m3(c, d - 1, a, x), a, U0.m3(c, d - 1, a, x) * 3L, a / 2.0, U0.m3(c, d - 1, a, x), a));
        } catch (java.lang.reflect.InvocationTargetException e) {
            c.mix(e.getCause().getClass().getName().length());
            if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
        } catch (ReflectiveOperationException e) {
            x--;
        }
        return U0.m3(c, d - 1, y, (2));
    }
    static int m2(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = -6;
        for (int e : new Range(a & 7, 1)) { z += e; }
        return x;
    }
    static int m3(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 1;
        try {
            synchronized (c.lock) {
                synchronized (c.lock) {
                    try {
                        c.mix((z + x));
                        if (c.obj(b) instanceof A0) throw new E0(a);
                        y = (z << x);
                    } catch (ClassCastException ex1) {
                        y = (x % (x | 1));
                    }
                }
            }
            c.arr[b & 7] = c.mix((2));
            if (x > x) throw new E1(a);
        } catch (ArithmeticException ex2) {
            a += Hand.make(c, b).i(c, d, x);
        } finally {
            if (c.obj(a) instanceof A0) {
                do {
                    y = c.obj(y).v(c, d - 1, z);
                    b = a;
                    if (!(b >= z)) {
                        x -= ((68567) / (a | 1));
                        c.mix(c.fn((0)).i(c, d - 1, x));
                    } else {
                        a ^= K0.v;
                        c.arr[z & 7] = (b | (-10));
                    }
                } while (a < (3) && !c.out());
            } else {
                c.mix(U0.m3(c, d - 1, a, x));
                z += new A2(c, y).v(c, d - 1, ((-4) >> ((-1) << a)));
                y = c.maybe.f;
            }
            try {
                try {
                    try {
                        z += (1);
                        z = (a ^ y);
                        if ((c.obj(y) instanceof A2 && c.obj(a) instanceof A2)) throw new E1(z);
                    } catch (NullPointerException ex4) {
                        a = (x >>> b);
                        z += y;
                        c.mix((x >> a));
                    }
                    Map<Key, Integer> m5 = new HashMap<>();
                    for (int i6 = 0; i6 < 3; i6++) m5.put(new Key(c, (b + i6) % 5), i6);
                    b += m5.size() + (m5.containsKey(new Key(c, 2)) ? 1 : 2);
                    y++;
                    if ((0) >= x) throw new E1(b);
                } catch (ArithmeticException ex7) {
                    for (int e : new Range(4, 2)) { y += e; }
                    a ^= I0.help(c, (-1458683309));
                } catch (E1 ex8) {
                    Runnable r9 = c.fn(b) == null ? null : () -> c.mix(3);
                    r9.run();
                    switch ((a & 7) + 3) {
                    case 3:
                        x -= ((-28228) * b);
                        y = (a + (0));
                        break;
                    case 4:
                        if (!((x >= (-48343) && ((7) <= a || y < z)))) throw new E0(a);
                        c.arr[y & 7] = (c.mix(b) << y);
                        break;
                    case 5:
                        c.arr[a & 7] = (b << (7));
                        break;
                    case 6:
                        x = c.fn(b).i(c, d - 1, K1.v);
                        y ^= U0.wide(c, d - 1, (long) c.mix(x), y, c.mix(x) * 3L, y / 2.0, c.mix(x), y);
                        break;
                    default:
                        z++;
                    }
                    try {
                        y = c.fn((1)).i(c, d - 1, U0.m3(c, d - 1, a, (int) (67690L * (0) + x >> 39)));
                        c.mix(U0.m2(c, d - 1, c.arr[z & 7], U0.m3(c, d - 1, z, (int) (83045L * (0) + b >> 17))));
                        x = (2);
                        if (b < a) throw new E0(z);
                    } catch (NullPointerException ex10) {
                        y = I0.help(c, a);
                    }
                } catch (E0 ex11) {
                    do {
                        c.mix(((U0.m0(c, d - 1, x, a) % ((y + a) | 1)) << (U0.m0(c, d - 1, y, (2)) - y)));
                        c.mix((x ^ b));
                    } while (!(z < y) && !c.out());
                } finally {
                    for (int e : new Range(4, 1)) { x += e; if (c.out()) break; }
                }
                Runnable r13 = c.fn(x) == null ? null : () -> c.mix(3);
                r13.run();
                c.any = "s" + x;
                x += ((A0) c.any).f;
                if ((b & 6) != 0) throw new E1(a);
            } catch (RuntimeException ex14) {
                if ((a <= y && a != (3))) {
                    L15: {
                        if (x >= x) return b;
                        if (c.obj(b) instanceof A0) throw new E1(x);
                        if (a >= z) break L15;
                        if (!((x & 6) != 0)) throw new E1(y);
                        z ^= U0.m0(c, d - 1, x, a);
                    }
                    for (int i16 = 0; i16 < 9 && !c.out(); i16++) {
                        y -= a;
                        b -= ((5) & y);
                    }
                }
                x += U0.m0(c, d - 1, x, ((-715296310) | b));
                try {
                    switch (x) {
                    case 1:
                        b++;
                        a -= (a & K1.v);
                        break;
                    case 9:
                        b++;
                        x = c.maybe.f;
                        break;
                    case 1000:
                        x ^= U0.m3(c, d - 1, b, y);
                        break;
                    default:
                        y = c.fn(z).twice(c, d - 1, (-16));
                    }
                    for (int i17 = 0; i17 < 5 && !c.out(); i17++) {
                        a = (int) (62551L * y + (0) >> 11);
                    }
                } catch (ArithmeticException ex18) {
                    Map<Key, Integer> m19 = new HashMap<>();
                    for (int i20 = 0; i20 < 6; i20++) m19.put(new Key(c, (z + i20) % 5), i20);
                    z += m19.size() + (m19.containsKey(new Key(c, 2)) ? 1 : 2);
                    c.any = c.obj(x);
                    x += ((int[]) c.any).length;
                    List<Integer> l21 = new ArrayList<>(Arrays.asList(b, U0.wide(c, d - 1, (long) a, z, a * 3L, z / 2.0, a, z)));
                    Collections.sort(l21, Integer::compareTo);
                    for (int e : l21) x ^= e;
                } catch (NullPointerException ex23) {
                    b ^= ("" + a).length();
                    if (z != b) throw new E0(b);
                    b += (a << ((7) >> (2)));
                } catch (ClassCastException ex24) {
                    x -= (x * y);
                    c.mix((y | a));
                    if (((-1) < (-1) && !((y & 3) != 0))) throw ex24;
                } finally {
                    a = K1.v;
                    y++;
                }
            }
        }
        return (y / ((b & (2)) | 1));
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
        case 0: return U0.m0(c, 8, salt, -6);
        case 1: return U0.m1(c, 8, salt, -9);
        case 2: return U0.m2(c, 8, salt, 14);
        case 3: return U0.m3(c, 8, salt, 6);
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
        for (String k : new String[] {"So", "Hand", "Key", "Range", "Make", "K0", "K1", "K2", "U0", "A0", "A1", "A2"}) Class.forName(k);
        one("main", 4, 17);
        one("main", 0, 98);
        one("main", 1, 33);
        one("main", 1, 0);
        one("main", 2, -27);
        Thread[] ts = new Thread[1];
        ts[0] = new Thread(() -> { one("w0", 2, 43); }, "w0");
        ts[0].setUncaughtExceptionHandler((th, e) -> out("w0", e.getClass().getName()));
        ts[0].start();
        for (Thread t : ts) t.join();
        for (StringBuilder b : OUT.values()) System.out.print(b);
    }
}
