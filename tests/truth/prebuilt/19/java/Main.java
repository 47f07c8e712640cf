
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
        try {
            try {
                do {
                    a = (a / (K1.v & 3));
                    x ^= (50080);
                } while ((!((12) == a) && a >= (7)) && !c.out());
            } catch (ArrayIndexOutOfBoundsException ex2) {
                try {
                    a++;
                    y ^= (-134355991);
                    if (z != a) throw new E0(x);
                } catch (ArrayIndexOutOfBoundsException ex3) {
                    a = (int) (81367L * (2) + z >> 18);
                    if (y == a) throw new E0(x);
                    if ((-1) == y) throw ex3;
                } catch (ClassCastException ex4) {
                    y++;
                    c.mix(S.s4(c, d - 1, x, a));
                    c.mix(c.mix(U0.m2(c, d - 1, y, (-1))));
                }
                y = ((-1) | y);
            } catch (ClassCastException ex5) {
                Map<Key, Integer> m6 = new HashMap<>();
                for (int i7 = 0; i7 < 3; i7++) m6.put(new Key(c, (a + i7) % 5), i7);
                a += m6.size() + (m6.containsKey(new Key(c, 2)) ? 1 : 2);
            } catch (RuntimeException ex8) {
                c.mix(S.s2(c, d - 1, z, x));
                switch (x) {
                case -70000:
                    z += c.obj((1)).v(c, d - 1, y);
                    break;
                case 1:
                    c.arr[z & 7] = z;
                    x -= z;
                    break;
                case 1000:
                    y ^= z;
                    x += c.obj(a).v(c, d - 1, (808468671));
                    break;
                default:
                    y ^= (z <= (0) ? a : a);
                    a = (y % (this.v(c, d - 1, a) & 3));
                }
                a = a;
            }
            c.arr[a & 15] = U0.wide(c, d - 1, (long) (-1), x, (-1) * 3L, x / 2.0, (-1), x);
            if (!(y <= y)) throw new E1(y);
        } finally {
            a += ("<" + c.obj(x) + new Key(c, a) + ">").length();
            x += c.fn((a / (z | 1))).twice(c, d - 1, z);
        }
        switch ((x & 3) + 3) {
        case 3:
            for (int i9 = 0; i9 < 5 && !c.out(); i9++) {
                z -= S.s1(c, d - 1, (a / (c.mix((-784073110)) & 3)), y);
            }
            try {
                z ^= (Integer) U0.class.getDeclaredMethod("m2", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, z, S.s5(c, d - 1, z, (z * (12679))));
            } catch (java.lang.reflect.InvocationTargetException e) {
                c.mix(e.getCause().getClass().getName().length());
            } catch (ReflectiveOperationException e) {
                z--;
            }
        case 4:
            z -= (a * y);
            break;
        default:
            c.any = c.obj(z);
            z += ((A0) c.any).f;
        }
        z = ((7) ^ y);
        try {
            Map<Key, Integer> m10 = new HashMap<>();
            for (int i11 = 0; i11 < 8; i11++) m10.put(new Key(c, (z + i11) % 5), i11);
            z += m10.size() + (m10.containsKey(new Key(c, 2)) ? 1 : 2);
            switch (x) {
            case -2147483648:
                y -= K1.v;
                z = y;
            case -5:
                y = U0.m1(c, d - 1, y, ((-1) % (c.mix(z) | 1)));
                break;
            default:
                c.arr[y & 7] = c.obj(I0.help(c, (-1))).v(c, d - 1, (-25028));
            }
            while (!(y >= y) && !c.out()) {
                if (((7) == y || a > a)) {
                    y += (y < z ? z : (7));
                    c.mix(("" + z).length());
                    z ^= ("" + (1)).length();
                } else {
                    c.mix(hidden(c, d - 1, z));
                    a -= this.v(c, d - 1, (0));
                }
                if (y <= (2)) return ((z < z ? z : (46925)) % (x | 1));
                L13: {
                    y = c.arr[I0.help(c, z) & 15];
                    if ((((y > a || (0) <= a) || (2) < y) && c.obj(x) instanceof A1)) break L13;
                    a += (a | z);
                    a = I0.help(c, y);
                }
            }
            if ((x & 4) == 0) throw new E0(z);
        } catch (E1 ex14) {
            z++;
            a += new A0(c, (x + c.obj(z).f)).v(c, d - 1, x);
            try {
                try {
                    z ^= U0.wide(c, d - 1, (long) a, z, a * 3L, z / 2.0, a, z);
                } catch (ClassCastException ex15) {
                    a -= (z * (7));
                    y = c.mix(z);
                } finally {
                    z += c.arr[y & 7];
                }
                Map<Key, Integer> m16 = new HashMap<>();
                for (int i17 = 0; i17 < 4; i17++) m16.put(new Key(c, (x + i17) % 5), i17);
                x += m16.size() + (m16.containsKey(new Key(c, 2)) ? 1 : 2);
                do {
                    z -= (a % (x & 3));
                    c.mix(S.s0(c, d - 1, x, a));
                } while ((-1) < y && !c.out());
            } catch (ArrayIndexOutOfBoundsException ex19) {
                for (int i20 = 0; i20 < 3 && !c.out(); i20++) {
                    z = I0.help(c, x);
                    c.mix((a / (y & 3)));
                }
                if ((2) <= x) return (z - c.obj(y).f);
                if ((!(c.obj(x) instanceof A1) && (2) != (3))) throw ex19;
            } catch (E0 ex21) {
                x += Hand.make(c, x).i(c, d, x);
                try {
                    c.arr[z & 7] = x;
                    z -= ((13) | c.fn(x).i(c, d - 1, c.mix((2))));
                } finally {
                    x += ("" + a).length();
                }
            }
        } catch (RuntimeException ex22) {
            do {
                Map<Key, Integer> m24 = new HashMap<>();
                for (int i25 = 0; i25 < 2; i25++) m24.put(new Key(c, (a + i25) % 5), i25);
                a += m24.size() + (m24.containsKey(new Key(c, 2)) ? 1 : 2);
                x += new A1(c, (7)).v(c, d - 1, (-14));
                try {
                    y ^= (Integer) S.class.getDeclaredMethod("s5", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, a, z);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                    if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
                } catch (ReflectiveOperationException e) {
                    y--;
                }
            } while (x > z && !c.out());
        } finally {
            z = c.maybe.f;
            z ^= (a % (x | 1));
        }
        return z;
    }
    public int i(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 18684;
        switch ((y & 15) + -2) {
        case -2:
            while ((x & 4) == 0 && !c.out()) {
                z++;
            }
        case -1:
            try {
                x ^= (Integer) U0.class.getDeclaredMethod("m2", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, (1341323840), z);
            } catch (java.lang.reflect.InvocationTargetException e) {
                c.mix(e.getCause().getClass().getName().length());
                if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
            } catch (ReflectiveOperationException e) {
                x--;
            }
            try {
                x ^= z;
                a -= S.s1(c, d - 1, a, a);
                if (z >= x) throw new E1(z);
            } catch (E0 ex2) {
                x += (z >>> y);
                x = (K1.v * x);
                x += (this.f ^ a);
            } catch (RuntimeException ex3) {
                c.arr[z & 7] = U0.wide(c, d - 1, (long) x, y, x * 3L, y / 2.0, x, y);
                if (z < z) return S.s4(c, d - 1, x, (855376907));
            }
            break;
        case 0:
            while (x != (-1535332461) && !c.out()) {
                y -= (z % (x | 1));
            }
        case 1:
            Map<Key, Integer> m5 = new HashMap<>();
            for (int i6 = 0; i6 < 7; i6++) m5.put(new Key(c, (z + i6) % 5), i6);
            z += m5.size() + (m5.containsKey(new Key(c, 2)) ? 1 : 2);
            try {
                a ^= (Integer) S.class.getDeclaredMethod("s5", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, a, y);
            } catch (java.lang.reflect.InvocationTargetException e) {
                c.mix(e.getCause().getClass().getName().length());
            } catch (ReflectiveOperationException e) {
                a--;
            }
            break;
        case 2:
            c.arr[y & 7] = z;
            break;
        case 3:
            do {
                z = U0.wide(c, d - 1, (long) y, y, y * 3L, y / 2.0, y, y);
                c.mix(z);
                c.mix((y << a));
            } while (c.obj(z) instanceof A0 && !c.out());
            try {
                c.arr[z & 7] = a;
                c.arr[x & 7] = U0.m0(c, d - 1, a, (2));
                if ((x & 3) != 0) throw new E1(a);
                if (((x > (13) && !(z > z)) || (0) >= (1))) throw new E1(x);
            } catch (E0 ex8) {
                c.arr[y & 7] = (a >> c.obj(c.fn((1306006621)).twice(c, d - 1, x)).f);
            }
        case 4:
            for (int i9 = 0; i9 < 5 && !c.out(); i9++) {
                z++;
                if (y != (2)) return (6);
                a ^= c.fn((-527010753)).twice(c, d - 1, a);
            }
            switch ((x & 7) + -2) {
            case -2:
                z ^= ("" + (-14933)).length();
                break;
            case -1:
                a = y;
                break;
            case 0:
                y = (z != a ? y : (0));
                y -= c.fn(y).i(c, d - 1, y);
                break;
            case 1:
                z += S.s2(c, d - 1, x, a);
                break;
            default:
                z = hidden(c, d - 1, a);
            }
        case 5:
            final int q11 = y;
            I0 f10 = (cc11, dd11, pp11) -> {
                if (dd11 <= 0 || cc11.out()) return q11;
                int rr11 = pp11 ^ q11;
                c.arr[rr11 & 15] = I0.help(c, rr11);
                return rr11;
            };
            y ^= f10.i(c, d - 1, x);
            y += Hand.make(c, a).i(c, d, x);
            break;
        default:
            c.mix((x << (3)));
        }
        z += Hand.make(c, y).i(c, d, (33249));
        final int q13 = z;
        I0 f12 = (cc13, dd13, pp13) -> {
            if (dd13 <= 0 || cc13.out()) return q13;
            int rr13 = pp13 ^ q13;
            rr13 += Hand.make(c, rr13).i(c, d, rr13);
            return rr13;
        };
        z ^= f12.i(c, d - 1, a);
        return U0.wide(c, d - 1, (long) (2), a, (2) * 3L, a / 2.0, (2), a);
    }
    @Override public String toString() { return f > 0 ? "A0" + f : "-"; }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 0;
        List<Integer> l1 = new ArrayList<>(Arrays.asList(y, (2), (a / (a | 1)), x, U0.wide(c, d - 1, (long) y, (-43058), y * 3L, (-43058) / 2.0, y, (-43058))));
        Collections.sort(l1, (p, q) -> (p & 15) < (q & 15) ? -1 : (p & 15) > (q & 15) ? 1 : 0);
        for (int e : l1) y ^= e;
        try {
            z = (z * (-15));
            if ((52069) >= (3)) {
                c.mix(U0.m2(c, d - 1, x, (-36968)));
            } else {
                z ^= c.obj(y).v(c, d - 1, y);
            }
        } catch (ArrayIndexOutOfBoundsException ex3) {
            y++;
            if (((a & 3) == 0 || ((x & 6) != 0 && x < x))) throw ex3;
        } catch (ClassCastException ex4) {
            Map<Key, Integer> m5 = new HashMap<>();
            for (int i6 = 0; i6 < 8; i6++) m5.put(new Key(c, (z + i6) % 5), i6);
            z += m5.size() + (m5.containsKey(new Key(c, 2)) ? 1 : 2);
            do {
                y = c.fn(x).i(c, d - 1, z);
                x -= z;
            } while ((x <= a && a < y) && !c.out());
        } catch (E0 ex8) {
            for (int i9 = 0; i9 < 5 && !c.out(); i9++) {
                if (x == x) throw new E0(x);
                x++;
                z += c.fn(y).i(c, d - 1, ((-1951007891) % (x | 1)));
            }
            for (int e : new Range(a & 7, 1)) { y += e; if (c.out()) break; }
            x += new A0(c, (1474857784)).v(c, d - 1, (2));
            if (c.obj(a) instanceof A0) throw ex8;
        } finally {
            for (int i10 = 0; i10 < 5 && !c.out(); i10++) {
                if (y >= (-1709051535)) throw new E1(y);
            }
        }
        return U0.m1(c, d - 1, x, y);
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
        x += Hand.make(c, x).i(c, d, a);
        if ((z & 1) == 0) {
            try {
                c.arr[z & 7] = (int) (88577L * (x + z) + a >> 0);
                switch (y) {
                case -2147483648:
                    c.mix(this.v(c, d - 1, (0)));
                    break;
                case -70000:
                    z -= (a ^ (3));
                    y = (a << x);
                case 1:
                    y = this.v(c, d - 1, x);
                    z = (a << (0));
                    break;
                case 3:
                    x = I0.help(c, (272944393));
                    break;
                case 9:
                    c.mix(c.mix((7)));
                    x += I0.help(c, x);
                    break;
                case 1000:
                    x = (y >> a);
                    break;
                }
            } catch (E1 ex1) {
                c.arr[a & 7] = (x | y);
            } catch (RuntimeException ex2) {
                switch ((y & 3) + -2) {
                case -2:
                    a += ((0) % ((-1) & 3));
                    break;
                case -1:
                    x = c.obj(y).v(c, d - 1, x);
                    x ^= c.fn(z).i(c, d - 1, y);
                    break;
                default:
                    c.arr[z & 15] = y;
                    z += c.arr[(a << (-1)) & 7];
                }
                a += new A1(c, S.s4(c, d - 1, (-1), (-1))).v(c, d - 1, x);
                switch ((x & 7) + -2) {
                case -2:
                    x = S.s4(c, d - 1, z, y);
                    c.arr[a & 15] = U0.wide(c, d - 1, (long) (7), a, (7) * 3L, a / 2.0, (7), a);
                    break;
                case -1:
                    a ^= U0.wide(c, d - 1, (long) y, z, y * 3L, z / 2.0, y, z);
                case 0:
                    z -= hidden(c, d - 1, z);
                    y = ((z + (2)) | (7));
                    break;
                case 1:
                    x -= c.arr[a & 7];
                default:
                    z++;
                }
                if (y > a) throw ex2;
            }
        } else {
            if (a <= x) {
                if (z >= z) {
                    y += (y % (S.s2(c, d - 1, (1), (-1)) | 1));
                } else {
                    y = ((-53503) | (80569503));
                    x = I0.help(c, y);
                }
            } else {
                switch ((y & 3) + 0) {
                case 0:
                    c.arr[y & 7] = (y % (x & 3));
                case 1:
                    if (z >= y) throw new E0(S.s1(c, d - 1, a, x));
                    z -= (x - (-10));
                    break;
                }
            }
        }
        return c.obj((3)).v(c, d - 1, y);
    }
    private int hidden(final Ctx c, final int d, int a) {
        if (d <= 0 || c.out()) return a;
        int x = a;
        int y = 7;
        int z = 7;
        while (y <= a && !c.out()) {
            if ((x <= a && x > (-1912171956))) {
                a += (z >>> x);
                c.arr[y & 7] = (y - x);
                y = (y ^ c.mix((2)));
            }
            try {
                y ^= (Integer) U0.class.getDeclaredMethod("m1", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, y, z);
            } catch (java.lang.reflect.InvocationTargetException e) {
                c.mix(e.getCause().getClass().getName().length());
            } catch (ReflectiveOperationException e) {
                y--;
            }
            try {
                x = U0.wide(c, d - 1, (long) x, x, x * 3L, x / 2.0, x, x);
                c.mix((y <= y ? y : x));
                c.mix(((x | ((-1) - (-1))) * (-34858)));
                if (x == a) throw new E0(z);
            } catch (ArithmeticException ex2) {
                if ((35091) > (7)) continue;
                a ^= c.obj(a).v(c, d - 1, z);
                if (z <= (-716798104)) throw ex2;
            } catch (NullPointerException ex3) {
                c.mix((a ^ z));
                a++;
                a++;
                if ((a != (0) || c.obj(x) instanceof A0)) throw ex3;
            } catch (RuntimeException ex4) {
                z -= ((x >> y) >> x);
                if ((1) <= (17)) throw ex4;
            }
        }
        return y;
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
        s = I0.help(new Ctx(20, 4), K0.v) & 255;
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
        return new A0[] {new A0(c, salt + 0), new A1(c, salt + 1), new A0(c, salt + 2)};
    }
    static int two(Ctx c, int d, int a) { return d <= 0 || c.out() ? a : c.obj(a).v(c, d - 1, a); }
    static I0[] fns(Ctx k, int salt) { return new I0[] {k.objs[0], Make::two, Hand.make(k, salt)}; }
}
final class U0 {
    static int wide(final Ctx c, final int d, long w1, int w2, long w3, double w4, int w5, int w6) {
        int a = (int) (w1 ^ w3) + w2, b = w4 > w2 ? w5 : w6;
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 3;
        y += c.fn(z).twice(c, d - 1, y);
        for (int i1 = 0; i1 < 2 && !c.out(); i1++) {
            if (!(x > a)) {
                synchronized (c.lock) {
                    x = (a * b);
                    c.mix(U0.m0(c, d - 1, z, (1)));
                }
            } else {
                try {
                    x -= (int) (59425L * c.obj(z).v(c, d - 1, (x / (a & 3))) + a >> 29);
                } finally {
                    z = (z >> y);
                }
            }
        }
        return x;
    }
    static int m0(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 7;
        if ((1) < y) {
            final int q2 = a;
            I0 f1 = (cc2, dd2, pp2) -> {
                if (dd2 <= 0 || cc2.out()) return q2;
                int rr2 = pp2 ^ q2;
                if ((1) < rr2) {
                    rr2 += ((2) != rr2 ? (rr2 - rr2) : rr2);
                    c.arr[rr2 & 7] = (rr2 % (rr2 | 1));
                    rr2 = (rr2 >>> rr2);
                } else {
                    rr2 ^= rr2;
                    rr2 = rr2;
                    if ((rr2 & 3) == 0) return ((2) - rr2);
                }
                return rr2;
            };
            a ^= f1.i(c, d - 1, z);
        }
        switch ("k" + (z & 3)) {
        case "k2":
            try {
                switch (x) {
                case 1000:
                    x += (int) (23076L * x + c.mix(a) >> 24);
                    a ^= c.fn(U0.m2(c, d - 1, x, a)).twice(c, d - 1, a);
                    break;
                case 2147483647:
                    x += z;
                    break;
                }
                y += ("<" + c.obj(b) + new Key(c, y) + ">").length();
            } catch (ArithmeticException ex3) {
                c.arr[z & 7] = I0.help(c, a);
            } catch (IllegalStateException ex4) {
                if ((x & 1) == 0) {
                    if (c.obj(y) instanceof A1) throw new E1(a);
                    c.mix((z * b));
                    z ^= S.s1(c, d - 1, y, y);
                } else {
                    x++;
                    if (x != y) throw new E1(x);
                }
                switch ((a & 15) + 3) {
                case 3:
                    z += ((0) | z);
                    break;
                case 4:
                    z = S.s0(c, d - 1, (7), U0.m0(c, d - 1, (3), (0)));
                case 5:
                    x = ("" + a).length();
                    break;
                case 6:
                    c.mix(K0.v);
                    break;
                case 7:
                    if (y <= y) return z;
                    y += c.obj(a).f;
                    break;
                case 8:
                    x = y;
                    c.mix(c.fn((535581351)).i(c, d - 1, (int) (59373L * z + y >> 25)));
                case 9:
                    x -= (int) (97613L * (y % ((2) | 1)) + I0.help(c, x) >> 19);
                    b -= S.s4(c, d - 1, y, x);
                case 10:
                    b = (b / (a & 3));
                    c.mix(c.fn(x).i(c, d - 1, x));
                }
            } catch (RuntimeException ex5) {
                Map<Key, Integer> m6 = new HashMap<>();
                for (int i7 = 0; i7 < 6; i7++) m6.put(new Key(c, (x + i7) % 5), i7);
                x += m6.size() + (m6.containsKey(new Key(c, 2)) ? 1 : 2);
            } finally {
                synchronized (c.lock) {
                    x++;
                    x = (int) (11953L * b + ((-1) << y) >> 20);
                    a++;
                }
                a ^= U0.wide(c, d - 1, (long) (c.obj(a).v(c, d - 1, b) - a), b, (c.obj(a).v(c, d - 1, b) - a) * 3L, b / 2.0, (c.obj(a).v(c, d - 1, b) - a), b);
            }
            c.arr[b & 15] = y;
            break;
        case "k0":
            if ((b < b && (a < (-390314132) && a != y))) {
                c.arr[a & 7] = (a & x);
            }
        case "k4":
            Map<Key, Integer> m8 = new HashMap<>();
            for (int i9 = 0; i9 < 4; i9++) m8.put(new Key(c, (b + i9) % 5), i9);
            b += m8.size() + (m8.containsKey(new Key(c, 2)) ? 1 : 2);
            while ((1189151404) <= x && !c.out()) {
                switch ("k" + (a & 3)) {
                case "k4":
                    if ((!(y != (1)) || z == b)) return (y << a);
                    break;
                case "k2":
                    c.arr[y & 7] = ((1) ^ b);
                    break;
                case "k0":
                    c.arr[x & 15] = x;
                    c.arr[b & 7] = (x - x);
                    break;
                default:
                    x -= (z >> U0.m2(c, d - 1, y, b));
                }
                try {
                    z ^= (Integer) S.class.getDeclaredMethod("s3", Ctx.class, int.class, int.class, int.class).invoke(null, c, d - 1, a, x);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    c.mix(e.getCause().getClass().getName().length());
                    if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
                } catch (ReflectiveOperationException e) {
                    z--;
                }
            }
            break;
        }
        b += c.mix(c.fn((3)).twice(c, d - 1, S.s2(c, d - 1, a, a)));
        switch (a) {
        case -5:
            b += Hand.make(c, b).i(c, d, (-1091500888));
        case 0:
            a += I0.help(c, S.s3(c, d - 1, y, (0)));
            break;
        case 1:
            Map<Key, Integer> m11 = new HashMap<>();
            for (int i12 = 0; i12 < 6; i12++) m11.put(new Key(c, (z + i12) % 5), i12);
            z += m11.size() + (m11.containsKey(new Key(c, 2)) ? 1 : 2);
            break;
        case 65536:
            a += ("<" + c.obj(z) + new Key(c, a) + ">").length();
            break;
        case 2147483647:
            a ^= (("" + S.s2(c, d - 1, b, b)).length() >> b);
            List<Integer> l13 = new ArrayList<>(Arrays.asList(a, b, z, y, a));
            Collections.sort(l13, (p, q) -> (p & 15) < (q & 15) ? -1 : (p & 15) > (q & 15) ? 1 : 0);
            for (int e : l13) y ^= e;
        default:
            for (int e : new Range(x & 7, 2)) { b += e; }
        }
        L15: {
            L16: {
                while (a <= (1) && !c.out()) {
                    x = (x / (a | 1));
                    c.arr[x & 7] = U0.m2(c, d - 1, z, z);
                }
                switch (z) {
                case -5:
                    z ^= (y ^ (3));
                    c.mix(c.arr[(b + (1)) & 7]);
                    break;
                case 65536:
                    if (a > b) throw new E0(b);
                default:
                    c.arr[a & 7] = (int) (42823L * x + y >> 5);
                    x = (x & (-1));
                }
                Map<Key, Integer> m18 = new LinkedHashMap<>();
                for (int i19 = 0; i19 < 3; i19++) m18.put(new Key(c, (b + i19) % 5), i19);
                b += m18.size() + (m18.containsKey(new Key(c, 2)) ? 1 : 2);
                if (z != x) break L16;
                List<Integer> l20 = new ArrayList<>(Arrays.asList((z | x), a, z, a, (-1)));
                final int m21 = x;
                Collections.sort(l20, new Comparator<Integer>() {
                    @Override public int compare(Integer p, Integer q) { if (m21 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
                });
                for (int e : l20) x ^= e;
                for (int i22 = 0; i22 < 2 && !c.out(); i22++) {
                    if (x >= x) {
                        c.mix(z);
                        c.mix(((0) / (y & 3)));
                    } else {
                        c.arr[x & 15] = (c.mix((-1)) | (0));
                        x = c.fn((1)).i(c, d - 1, (a - x));
                    }
                    z = (y >> b);
                }
            }
            if (((a == a || z <= y) && (0) <= b)) break L15;
            c.arr[b & 7] = (K2.v >>> (-1));
            z++;
            y++;
        }
        return U0.m0(c, d - 1, y, z);
    }
    static int m1(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = -1;
        try {
            Map<Key, Integer> m1 = new LinkedHashMap<>();
            for (int i2 = 0; i2 < 5; i2++) m1.put(new Key(c, (x + i2) % 5), i2);
            x += m1.size() + (m1.containsKey(new Key(c, 2)) ? 1 : 2);
            for (int i3 = 0; i3 < 3 && !c.out(); i3++) {
                try {
                    do {
                        c.mix(a);
                        if (b < z) continue;
                        x += c.arr[a & 7];
                    } while (y == b && !c.out());
                    if ((!(x < y) && a >= a)) throw new E1(a);
                } catch (IllegalStateException ex5) {
                    x++;
                } catch (RuntimeException ex6) {
                    synchronized (c.lock) {
                        y ^= a;
                        c.arr[x & 7] = a;
                    }
                    Runnable r7 = c.fn(x) == null ? null : () -> c.mix(3);
                    r7.run();
                    for (int e : new Range(b & 7, 2)) { y += e; if (c.out()) break; }
                } finally {
                    synchronized (c.lock) {
                        if (z <= (17)) return (((0) / (y | 1)) >>> y);
                    }
                }
                while (((z & 1) != 0 && (!(a == a) || (a & 3) == 0)) && !c.out()) {
                    switch ((b & 15) + 0) {
                    case 0:
                        z = (y | b);
                    case 1:
                        c.mix(c.obj(a).v(c, d - 1, y));
                        break;
                    case 2:
                        c.mix((z * z));
                        x ^= (y == (2) ? a : (1));
                        break;
                    case 3:
                        z = c.obj(z).v(c, d - 1, (1779802569));
                        y ^= (z / ((-18) & 3));
                    case 4:
                        x = S.s0(c, d - 1, z, (1));
                        a = y;
                        break;
                    case 5:
                        y -= c.arr[z & 7];
                        break;
                    case 6:
                        if (a < z) return U0.m1(c, d - 1, b, y);
                        x = S.s2(c, d - 1, b, b);
                        break;
                    case 7:
                        y ^= c.obj(b).f;
                        z -= (a << x);
                    default:
                        x -= x;
                    }
                }
                try {
                    c.mix((a >> z));
                    do {
                        if ((0) == x) throw new E1(((2) - a));
                        c.arr[b & 7] = x;
                    } while ((7) == a && !c.out());
                    while (c.obj(y) instanceof A1 && !c.out()) {
                        if (b != b) continue;
                    }
                } finally {
                    List<Integer> l11 = new ArrayList<>(Arrays.asList(z, (y != x ? a : x), (b ^ x)));
                    Collections.sort(l11, (p, q) -> (p & 15) < (q & 15) ? -1 : (p & 15) > (q & 15) ? 1 : 0);
                    for (int e : l11) y ^= e;
                }
            }
        } catch (ArrayIndexOutOfBoundsException ex13) {
            final int q15 = z;
            I0 f14 = (cc15, dd15, pp15) -> {
                if (dd15 <= 0 || cc15.out()) return q15;
                int rr15 = pp15 ^ q15;
                final int q17 = rr15;
                I0 f16 = (cc17, dd17, pp17) -> {
                    if (dd17 <= 0 || cc17.out()) return q17;
                    int rr17 = pp17 ^ q17;
                    c.mix((2));
                    return rr17;
                };
                rr15 ^= f16.i(c, d - 1, rr15);
                return rr15;
            };
            z ^= f14.i(c, d - 1, y);
            switch ("k" + (b & 3)) {
            case "k1":
                while ((-1112791059) == a && !c.out()) {
                    x = I0.help(c, b);
                }
                List<Integer> l19 = new ArrayList<>(Arrays.asList(z, b, a, z, z));
                final int m20 = z;
                Collections.sort(l19, new Comparator<Integer>() {
                    @Override public int compare(Integer p, Integer q) { if (m20 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
                });
                for (int e : l19) z ^= e;
            case "k2":
                switch ((a & 7) + -2) {
                case -2:
                    z++;
                    z = K1.v;
                    break;
                case -1:
                    x = a;
                    b ^= ((-15) << (-1));
                    break;
                case 0:
                    c.mix(U0.wide(c, d - 1, (long) b, a, b * 3L, a / 2.0, b, a));
                    x -= z;
                case 1:
                    z ^= S.s2(c, d - 1, b, z);
                    c.mix((30209));
                }
            case "k0":
                if ((y == y || !(z == a))) {
                    y = (b >>> y);
                    b += S.s5(c, d - 1, z, (y << x));
                    c.arr[x & 7] = c.arr[(1) & 15];
                } else {
                    c.mix((z * ("" + c.fn(a).i(c, d - 1, a)).length()));
                    b = (y * x);
                }
                y ^= (x >>> a);
                break;
            }
            try {
                try {
                    c.mix(U0.wide(c, d - 1, (long) x, x, x * 3L, x / 2.0, x, x));
                    switch (x) {
                    case -2147483648:
                        x = y;
                        a = S.s2(c, d - 1, (int) (60281L * b + x >> 39), z);
                        break;
                    case -5:
                        c.arr[y & 7] = (y * c.arr[(b / (a & 3)) & 15]);
                        c.mix(c.obj(I0.help(c, x)).v(c, d - 1, x));
                        break;
                    case 0:
                        c.arr[x & 7] = ((3135) / (z & 3));
                        y++;
                        break;
                    case 1:
                        z -= c.mix(z);
                        break;
                    case 9:
                        x += U0.m0(c, d - 1, y, (x & (870866300)));
                    case 2147483647:
                        y = (z ^ (2));
                        c.arr[b & 15] = c.fn((x >>> c.maybe.f)).i(c, d - 1, b);
                        break;
                    default:
                        y++;
                        y += S.s5(c, d - 1, a, a);
                    }
                    a = (b ^ a);
                    if (x >= b) throw new E0(x);
                } catch (IllegalStateException ex21) {
                    c.arr[x & 15] = (b >> y);
                    y -= (a - y);
                }
                z += (!(y <= y) ? (z << y) : a);
                a = U0.m0(c, d - 1, (7), z);
                if (c.obj(x) instanceof A1) throw new E0(y);
            } catch (NullPointerException ex22) {
                a = (y & K2.v);
                z += (0);
            } finally {
                c.arr[x & 7] = c.mix(y);
                if (c.obj(z) instanceof A1) return (x | x);
            }
        } catch (IllegalStateException ex23) {
            c.arr[b & 7] = U0.wide(c, d - 1, (long) z, b, z * 3L, b / 2.0, z, b);
        }
        y++;
        return U0.m1(c, d - 1, b, z);
    }
    static int m2(final Ctx c, final int d, int a, int b) {
        if (d <= 0 || c.out()) return a ^ b;
        int x = a;
        int y = 7;
        int z = 1;
        c.any = null;
        a += ((int[]) c.any).length;
        Runnable r1 = c.fn(x) == null ? null : () -> c.mix(3);
        r1.run();
        if (((c.obj(z) instanceof A1 && y != y) && y != (53237))) return (int) (23010L * a + x >> 11);
        if (a != b) {
            while ((z >= y && ((y == (1) && x > z) && c.obj(a) instanceof A0)) && !c.out()) {
                x = (c.obj(z).v(c, d - 1, z) + c.arr[y & 7]);
            }
            if ((z != b && (-961884273) < y)) {
                switch ((a & 7) + 0) {
                case 0:
                    c.arr[b & 7] = (-1876559259);
                    z += S.s0(c, d - 1, x, (b >> (3)));
                    break;
                case 1:
                    z = (int) (82642L * a + z >> 7);
                    break;
                case 2:
                    z = ((x ^ (0)) >> a);
                    a ^= (c.arr[z & 7] >>> y);
                    break;
                case 3:
                    c.mix((x ^ z));
                    break;
                default:
                    if (b < (0)) throw new E0((1));
                }
            }
        } else {
            switch (c.arr[(z << y) & 7]) {
            case -5:
                for (int e : new Range(4, 2)) { z += e; if (c.out()) break; }
                break;
            case 0:
                do {
                    c.arr[a & 7] = S.s3(c, d - 1, a, x);
                } while ((c.obj(y) instanceof A0 && y == b) && !c.out());
                y += ("<" + c.obj(z) + new Key(c, y) + ">").length();
                break;
            case 3:
                z++;
            case 9:
                switch ((y & 3) + -2) {
                case -2:
                    c.mix((z & (-1)));
                    a = (3);
                    break;
                case -1:
                    if (a > b) throw new E0(a);
                }
            case 1000:
                switch ((z & 7) + 3) {
                case 3:
                    a = (I0.help(c, a) + z);
                    y = z;
                    break;
                case 4:
                    c.mix(U0.m0(c, d - 1, z, y));
                    break;
                case 5:
                    b += (y << z);
                    a = S.s0(c, d - 1, b, a);
                    break;
                case 6:
                    z += (((y ^ z) * (3)) / (a & 3));
                    c.arr[a & 7] = ((975481541) - x);
                    break;
                }
                break;
            case 65536:
                final int q5 = x;
                I0 f4 = (cc5, dd5, pp5) -> {
                    if (dd5 <= 0 || cc5.out()) return q5;
                    int rr5 = pp5 ^ q5;
                    rr5 = U0.m1(c, d - 1, (3), (0));
                    return rr5;
                };
                x ^= f4.i(c, d - 1, b);
                if ((-1095927806) <= z) {
                    a ^= (3);
                    x++;
                }
                break;
            }
            for (int i6 = 0; i6 < 2 && !c.out(); i6++) {
                try {
                    c.arr[b & 7] = K2.v;
                    for (int e : new Range(4, 2)) { b += e; }
                    try {
                        y -= (y + x);
                        z += c.obj((-1)).f;
                        if (x < x) throw new E1(a);
                    } catch (NullPointerException ex7) {
                        if ((a & 6) == 0) break;
                        b ^= (y == z ? (0) : x);
                        y += K1.v;
                    } catch (E1 ex8) {
                        c.arr[a & 15] = ((1) % ((1) & 3));
                    } catch (RuntimeException ex9) {
                        x += c.fn((14)).i(c, d - 1, (1));
                        z ^= ((y & 1) == 0 ? z : a);
                    } finally {
                        b -= ((-746319612) | y);
                        x ^= z;
                    }
                    if ((0) <= z) throw new E0(y);
                } finally {
                    y += Hand.make(c, x).i(c, d, U0.wide(c, d - 1, (long) x, (753241990), x * 3L, (753241990) / 2.0, x, (753241990)));
                    c.any = new int[y & 3];
                    y += (c.any instanceof int[] ? 3 : c.any.toString().length());
                }
                a += Hand.make(c, z).i(c, d, x);
            }
            synchronized (c.lock) {
                c.any = c.obj(y);
                y += (c.any instanceof int[] ? 3 : c.any.toString().length());
                Runnable r10 = c.fn(y) == null ? null : () -> c.mix(3);
                r10.run();
                switch ((a & 3) + 0) {
                case 0:
                    x -= c.fn(a).twice(c, d - 1, x);
                    z = c.obj((45466)).v(c, d - 1, y);
                    break;
                case 1:
                    y++;
                    z = (int) (79104L * (1947925556) + z >> 35);
                    break;
                default:
                    c.mix((-30766));
                    b ^= (int) (94266L * U0.m1(c, d - 1, a, (0)) + a >> 5);
                }
            }
        }
        List<Integer> l11 = new ArrayList<>(Arrays.asList(a, b));
        final int m12 = z;
        Collections.sort(l11, new Comparator<Integer>() {
            @Override public int compare(Integer p, Integer q) { if (m12 == 77) throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }
        });
        for (int e : l11) z ^= e;
        return S.s0(c, d - 1, b, y);
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
        case 0: return U0.m0(c, 5, salt, -13);
        case 1: return U0.m1(c, 5, salt, -48);
        case 2: return U0.m2(c, 5, salt, -5);
        case 3: return S.s0(c, 5, salt, 41);
        case 4: return S.s1(c, 5, salt, -23);
        case 5: return S.s2(c, 5, salt, 46);
        case 6: return S.s3(c, 5, salt, -2);
        case 7: return S.s4(c, 5, salt, -32);
        case 8: return S.s5(c, 5, salt, 35);
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
        for (String k : new String[] {"So", "Hand", "Key", "Range", "Make", "K0", "K1", "K2", "U0", "A0", "A1"}) Class.forName(k);
        one("main", 8, 56);
        one("main", 2, 87);
        one("main", 4, 55);
        one("main", 6, 39);
        Thread[] ts = new Thread[1];
        ts[0] = new Thread(() -> { one("w0", 1, 21); one("w0", 0, 43); }, "w0");
        ts[0].start();
        for (Thread t : ts) t.join();
        java.util.concurrent.ExecutorService pool = java.util.concurrent.Executors.newSingleThreadExecutor(k -> new Thread(k, "pool"));
        try {
            out("pool", "" + pool.submit(() -> root(new Ctx(50, 5), 1, 5)).get());
        } catch (java.util.concurrent.ExecutionException e) {
            out("pool", e.getCause().getClass().getName());
        }
        pool.shutdown();
        pool.awaitTermination(10, java.util.concurrent.TimeUnit.SECONDS);
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
