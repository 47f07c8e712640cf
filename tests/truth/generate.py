#!/usr/bin/env python3
"""Writes a random program: generate.py SEED OUTDIR

OUTDIR/java/*.java (Java 8), OUTDIR/smali/S.smali for most seeds (see generate_smali.py; java/S.java
then only stands in for it at compile time), OUTDIR/min-api, OUTDIR/elastic (methods whose
activations differ in number from run to run: stack overflow), and OUTDIR/instrument-args for seeds
from 1,000 on (see generate_short.py).

The programs print checksums, end quickly (fuel per context, depth passed down), and take the same
path in every run: no shared mutable state between threads, no identity hash codes, no time, static
initialisers never raced for.
"""

import os
import random
import sys

import generate_short
import generate_smali

EXC = ["ArithmeticException", "NullPointerException", "ArrayIndexOutOfBoundsException",
       "ClassCastException", "E1", "E0", "IllegalStateException", "RuntimeException"]

FIXED = """
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
            @Override public Integer next() { \
if (i > 5) throw new NoSuchElementException(); i += step; return i; }
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
        return (I0) Proxy.newProxyInstance(Hand.class.getClassLoader(), \
new Class<?>[] {I0.class}, new Hand(c, k));
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
"""


class Gen:
    def __init__(self, seed):
        self.seed = seed
        self.r = random.Random(seed)
        r = self.r
        self.short = generate_short.Short(seed)
        self.statics = []  # (owner, name): int f(Ctx, int, int, int)
        self.kinds = r.randrange(2, 6)  # subclasses of A0
        self.inits = r.randrange(1, 4)  # classes with static initialisers
        self.units = r.randrange(1, 4)
        self.smali = r.randrange(2, 7) if seed % 10 >= 3 else 0
        self.fuel = r.choice([60, 150, 400, 900])
        self.concurrent = r.random() < 0.5
        self.vars = []
        self.loops = []
        self.n = 0
        self.lines = []
        self.indent = 0
        self.this = None
        self.in_init = False

    def fresh(self, p):
        self.n += 1
        return "%s%d" % (p, self.n)

    def w(self, text):
        self.lines.append("    " * self.indent + text)

    # ---- expressions

    def var(self):
        return self.r.choice(self.vars)

    def const(self):
        r = self.r
        return str(r.choice([0, 1, 2, 3, 7, -1, r.randrange(-20, 20), r.randrange(-70000, 70000),
                             r.randrange(-2 ** 31, 2 ** 31 - 1)]))

    def small(self, depth=0):
        r = self.r
        k = r.randrange(5)
        if k < 3 or depth > 2:
            return self.var()
        return "(%s)" % self.const() if k == 3 else self.expr(depth + 1)

    def expr(self, depth=0):
        r = self.r
        k = r.randrange(30) if depth < 3 else r.randrange(4)
        if k < 3:
            return self.var()
        if k == 3:
            return "(%s)" % self.const()
        a, b = self.small(depth), self.small(depth)
        short = self.short.call(a, b, self.this)
        if short:
            return short
        if k < 12:
            return "(%s %s %s)" % (a, r.choice(["+", "-", "*", "&", "|", "^", "<<", ">>", ">>>"]),
                                   b)
        if k == 12:
            return "(%s %s (%s | 1))" % (a, r.choice("/%"), b)
        if k == 13:
            return "(%s %s (%s & 3))" % (a, r.choice("/%"), b)
        if k == 14:
            return "(%s ? %s : %s)" % (self.cond(depth + 1), a, b)
        if k == 15:
            return "c.arr[%s & %d]" % (a, r.choice([7, 7, 7, 15]))
        if k == 16:
            return "c.mix(%s)" % a
        if k == 17:
            return "c.obj(%s).v(c, d - 1, %s)" % (a, b)
        if k == 18:
            return "c.fn(%s).i(c, d - 1, %s)" % (a, b)
        if k == 19:
            return "(int) (%sL * %s + %s >> %d)" % (r.randrange(1, 99999), a, b, r.randrange(0, 40))
        if k == 20:
            return "c.maybe.f" if r.random() < 0.3 else "c.obj(%s).f" % a
        if k == 21:
            return "(\"\" + %s).length()" % a
        if k == 22:
            return "U0.wide(c, d - 1, (long) %s, %s, %s * 3L, %s / 2.0, %s, %s)" % (
                a, b, a, b, a, b)
        if k == 23 and not (self.concurrent and self.in_init):
            return "K%d.v" % r.randrange(self.inits)
        if k == 24:
            return "c.fn(%s).twice(c, d - 1, %s)" % (a, b)
        if k == 25 and self.this:
            return r.choice(["this.f", "hidden(c, d - 1, %s)" % a, "this.v(c, d - 1, %s)" % b])
        if k == 26:
            return "I0.help(c, %s)" % a
        owner, name = r.choice(self.statics)
        return "%s.%s(c, d - 1, %s, %s)" % (owner, name, a, b)

    def cond(self, depth=0):
        r = self.r
        k = r.randrange(12)
        if k < 7 or depth > 2:
            return "%s %s %s" % (self.small(2), r.choice(["<", "<=", ">", ">=", "==", "!="]),
                                 self.small(2))
        if k == 7:
            return "(%s && %s)" % (self.cond(depth + 1), self.cond(depth + 1))
        if k == 8:
            return "(%s || %s)" % (self.cond(depth + 1), self.cond(depth + 1))
        if k == 9:
            return "!(%s)" % self.cond(depth + 1)
        if k == 10:
            return "c.obj(%s) instanceof A%d" % (self.var(), r.randrange(self.kinds))
        return "(%s & %d) %s 0" % (self.var(), r.choice([1, 3, 4, 6]), r.choice(["==", "!="]))

    # ---- statements

    def block(self, depth, most=3):
        self.indent += 1
        for _ in range(self.r.randrange(1, most + 1)):
            self.stmt(depth + 1)
        self.indent -= 1

    def stmt(self, depth):
        r = self.r
        self.budget -= 1
        k = r.randrange(34) if depth < 4 and self.budget > 0 else r.randrange(7)
        x = self.var()
        if k < 4:
            self.w("%s %s %s;" % (x, r.choice(["=", "=", "+=", "^=", "-="]), self.expr()))
        elif k == 4:
            self.w("c.arr[%s & %d] = %s;" % (self.var(), r.choice([7, 7, 7, 15]), self.expr()))
        elif k == 5:
            kind = r.randrange(4)
            if kind == 0 and self.loops and self.loops[-1]:
                self.w("if (%s) %s;" % (self.cond(), r.choice(["break", "continue"])))
            elif kind == 1:
                self.w("if (%s) return %s;" % (self.cond(), self.expr(1)))
            elif kind == 2:
                self.w("if (%s) throw new %s(%s);"
                       % (self.cond(), r.choice(["E0", "E1"]), self.small()))
            else:
                self.w("%s++;" % x)
        elif k == 6:
            self.w("c.mix(%s);" % self.expr())
        elif k < 10:
            self.w("if (%s) {" % self.cond())
            self.block(depth)
            if r.random() < 0.6:
                self.w("} else {")
                self.block(depth)
            self.w("}")
        elif k < 14:
            i = self.fresh("i")
            form = r.randrange(3)
            self.loops.append(True)
            if form == 0:
                self.w("for (int %s = 0; %s < %d && !c.out(); %s++) {"
                       % (i, i, r.choice([2, 3, 5, 9]), i))
            elif form == 1:
                self.w("while (%s && !c.out()) {" % self.cond())
            else:
                self.w("do {")
            self.block(depth)
            if form == 2:
                self.w("} while (%s && !c.out());" % self.cond())
            else:
                self.w("}")
            self.loops.pop()
        elif k < 18:
            self.switch(depth, x)
        elif k < 22:
            self.trying(depth)
        elif k == 22:
            self.w("synchronized (c.lock) {")
            self.block(depth)
            self.w("}")
        elif k == 23:
            label = self.fresh("L")
            self.w("%s: {" % label)
            self.loops.append(False)
            self.block(depth)
            self.w("    if (%s) break %s;" % (self.cond(), label))
            self.block(depth)
            self.loops.pop()
            self.w("}")
        elif k == 24:
            l, cmp = self.fresh("l"), self.fresh("m")
            self.w("List<Integer> %s = new ArrayList<>(Arrays.asList(%s));"
                   % (l, ", ".join(self.small() for _ in range(r.randrange(2, 7)))))
            form = r.randrange(3)
            if form == 0:
                self.w("Collections.sort(%s, (p, q) -> (p & 15) < (q & 15) ? -1 : (p & 15) > (q & "
                       "15) ? 1 : 0);" % l)
            elif form == 1:
                self.w("final int %s = %s;" % (cmp, x))
                self.w("Collections.sort(%s, new Comparator<Integer>() {" % l)
                self.w("    @Override public int compare(Integer p, Integer q) { if (%s == 77) "
                       "throw new E0(1); return c.mix(p) == c.mix(q) ? 0 : p.compareTo(q); }" % cmp)
                self.w("});")
            else:
                self.w("Collections.sort(%s, Integer::compareTo);" % l)
            self.w("for (int e : %s) %s ^= e;" % (l, x))
        elif k == 25:
            m = self.fresh("m")
            self.w("Map<Key, Integer> %s = new %s<>();"
                   % (m, r.choice(["HashMap", "HashMap", "TreeMap", "LinkedHashMap"])))
            i = self.fresh("i")
            self.w("for (int %s = 0; %s < %d; %s++) %s.put(new Key(c, (%s + %s) %% 5), %s);"
                   % (i, i, r.randrange(2, 9), i, m, x, i, i))
            self.w("%s += %s.size() + (%s.containsKey(new Key(c, 2)) ? 1 : 2);" % (x, m, m))
        elif k == 26:
            n = r.choice(["%s & 7" % self.var(), "4"])
            self.w("for (int e : new Range(%s, %d)) { %s += e;%s }"
                   % (n, r.choice([1, 2]), x, " if (c.out()) break;" if r.random() < 0.4 else ""))
        elif k == 27:
            owner, name = r.choice(self.statics)
            self.w("try {")
            self.w("    %s ^= (Integer) %s.class.getDeclaredMethod(\"%s\", Ctx.class, int.class, "
                   "int.class, int.class).invoke(null, c, d - 1, %s, %s);"
                   % (x, owner, name, self.small(), self.small()))
            self.w("} catch (java.lang.reflect.InvocationTargetException e) {")
            self.w("    c.mix(e.getCause().getClass().getName().length());")
            if r.random() < 0.3:
                self.w("    if (e.getCause() instanceof RuntimeException) throw (RuntimeException) "
                       "e.getCause();")
            self.w("} catch (ReflectiveOperationException e) {")
            self.w("    %s--;" % x)
            self.w("}")
        elif k == 28:
            self.w("%s += Hand.make(c, %s).i(c, d, %s);" % (x, self.var(), self.small()))
        elif k == 29:
            self.w("%s += (\"<\" + c.obj(%s) + new Key(c, %s) + \">\").length();"
                   % (x, self.var(), x))
        elif k == 30:
            f = self.fresh("f")
            q = self.fresh("q")
            self.w("final int %s = %s;" % (q, x))
            saved, loops, this, init = self.vars, self.loops, self.this, self.in_init
            n = self.n
            self.w("I0 %s = (cc%d, dd%d, pp%d) -> {" % (f, n, n, n))
            self.w("    if (dd%d <= 0 || cc%d.out()) return %s;" % (n, n, q))
            self.w("    int rr%d = pp%d ^ %s;" % (n, n, q))
            self.indent += 1
            self.vars, self.loops = ["rr%d" % n], []
            # Inside, c and d of the method are captured.
            for _ in range(r.randrange(1, 3)):
                self.stmt(depth + 2)
            self.indent -= 1
            self.vars, self.loops, self.this, self.in_init = saved, loops, this, init
            self.w("    return rr%d;" % n)
            self.w("};")
            self.w("%s ^= %s.i(c, d - 1, %s);" % (x, f, self.small()))
        elif k == 31:
            self.w("%s += new A%d(c, %s).v(c, d - 1, %s);"
                   % (x, r.randrange(self.kinds), self.small(), self.small()))
        elif k == 32:
            self.w("c.any = %s;"
                   % r.choice(["c.obj(%s)" % x, "\"s\" + %s" % x, "new int[%s & 3]" % x, "null"]))
            self.w("%s += %s;"
                   % (x, r.choice(["((A0) c.any).f", "(c.any instanceof int[] ? 3 : "
                                   "c.any.toString().length())", "((int[]) c.any).length"])))
        else:
            self.w("Runnable %s = c.fn(%s) == null ? null : () -> c.mix(3);" % (self.fresh("r"), x))
            self.w("r%d.run();" % self.n)

    def switch(self, depth, x):
        r = self.r
        form = r.randrange(4)
        self.loops.append(False)
        if form == 3:
            self.w("switch (\"k\" + (%s & 3)) {" % x)
            keys = ["\"k%d\"" % i for i in r.sample(range(5), 3)]
        elif form == 2:
            self.w("switch (%s) {" % self.small())
            keys = sorted(r.sample([-2 ** 31, -70000, -5, 0, 1, 3, 9, 1000, 65536, 2 ** 31 - 1],
                                   r.randrange(2, 7)))
        else:
            n = r.choice([2, 4, 8])
            first = r.choice([0, -2, 3])
            self.w("switch ((%s & %d) + %d) {" % (x, 2 * n - 1, first))
            keys = [first + i for i in range(n)]
        for key in keys:
            self.w("case %s:" % key)
            self.block(depth + 1, 2)
            if r.random() < 0.7:
                self.w("    break;")
        if r.random() < 0.6:
            self.w("default:")
            self.block(depth + 1, 2)
        self.w("}")
        self.loops.pop()

    def trying(self, depth):
        r = self.r
        saved = self.loops
        handlers = r.choice([0, 1, 1, 2, 3])
        # javac copies a finally block to every way out: nested ones grow without bound.
        last = handlers == 0 or r.random() < 0.35
        if last and self.finallies == 2:
            last, handlers = False, max(handlers, 1)
        self.finallies += last
        self.w("try {")
        self.block(depth)
        if r.random() < 0.5:
            self.w("    if (%s) throw new %s(%s);"
                   % (self.cond(), r.choice(["E0", "E1"]), self.var()))
        names = sorted(r.sample(range(len(EXC)), handlers))
        for e in names:
            self.w("} catch (%s ex%d) {" % (EXC[e], self.n + 1))
            ex = self.fresh("ex")
            self.block(depth)
            if r.random() < 0.25:
                self.w("    if (%s) throw ex%s;" % (self.cond(), ex[2:]))
        if last:
            self.w("} finally {")
            self.block(depth, 2)
        self.finallies -= last
        self.w("}")
        self.loops = saved

    # ---- members

    def body(self, args, depth=0, statements=6):
        self.n = 0
        self.budget = 80
        self.finallies = 0
        self.indent += 1
        self.w("if (d <= 0 || c.out()) return %s;" % " ^ ".join(args))
        self.vars = list(args)
        for v, e in (("x", args[0]), ("y", "7"), ("z", self.const())):
            self.w("int %s = %s;" % (v, e))
            self.vars.append(v)
        for _ in range(self.r.randrange(1, statements)):
            self.stmt(depth)
        self.w("return %s;" % self.expr())
        self.indent -= 1

    def statics_of(self, unit):
        r = self.r
        self.w("final class U%d {" % unit)
        self.indent = 1
        for line in self.short.members(False):
            self.w(line)
        if unit == 0:
            self.w("static int wide(final Ctx c, final int d, long w1, int w2, long w3, double w4, "
                   "int w5, int w6) {")
            self.w("    int a = (int) (w1 ^ w3) + w2, b = w4 > w2 ? w5 : w6;")
            self.body(["a", "b"], 1, 4)
            self.w("}")
        for owner, name in self.statics:
            if owner == "U%d" % unit:
                sync = "synchronized " if r.random() < 0.1 and not self.concurrent else ""
                self.w("static %sint %s(final Ctx c, final int d, int a, int b) {" % (sync, name))
                self.body(["a", "b"])
                self.w("}")
        if unit == 0 and self.seed % 12 == 5:
            self.w("static int huge(final Ctx c, final int d, int a, int b) {")
            self.w("    if (d <= 0 || c.out()) return a;")
            self.w("    switch (%s) {" % r.choice(["(a & 0x7ff)", "(a & 0x7ff) * 3", "a"]))
            step = r.choice([1, 3])
            for i in range(1000):
                self.w("    case %d: b %s %d;%s"
                       % (i * step, r.choice(["+=", "^=", "-="]), i, " break;" if i % 3 else ""))
            self.w("    }")
            self.w("    return b;")
            self.w("}")
        self.indent = 0
        self.w("}")

    def classes(self):
        r = self.r
        self.w("interface I0 {")
        self.w("    int i(Ctx c, int d, int a);")
        self.w("    default int twice(Ctx c, int d, int a) { if (d <= 0 || c.out()) return a; "
               "return i(c, d - 1, a) + i(c, d - 1, a + 1); }")
        self.w("    static int help(Ctx c, int a) { return a > 3 ? c.mix(a) : a; }")
        self.w("}")
        for k in range(self.kinds):
            base = None if k == 0 else "A%d" % r.randrange(k)
            self.w("class A%d %simplements I0 {" % (k, "extends %s " % base if base else ""))
            self.indent = 1
            self.this = True
            for line in self.short.members(True):
                self.w(line)
            if base is None:
                self.w("int f;")
                self.w("A0(Ctx c, int f) { this.f = f; if (f == 99) throw new E0(f); }")
            else:
                call = r.choice(["f + 1", "c.mix(f)", "f / ((f & 7) - 7 == 0 ? 0 : 1)",
                                 "U0.%s(c, 2, f, 1)" % self.statics[0][1]])
                # The one recursion that no depth bounds, three frames for each unit of fuel. From
                # 900 it comes within 1 % of a thread's stack of 1 MB (seed 171: overflows by itself
                # from 910 on), and frames with probes are 4 % larger.
                if call.startswith("U0") and self.fuel > 400:
                    call = "c.fuel > 400 ? f : " + call
                self.w("A%d(Ctx c, int f) {" % k)
                self.w("    super(c, %s);" % call)
                self.w("    if (f > 5) this.f ^= c.mix(%d);" % k)
                self.w("}")
            if base is None or r.random() < 0.75:
                self.w("%sint v(final Ctx c, final int d, int a) {"
                       % ("synchronized " if r.random() < 0.2 else ""))
                if base and r.random() < 0.5:
                    self.indent += 1
                    self.w("if (a > 2) a += super.v(c, d - 1, a);")
                    self.indent -= 1
                self.body(["a"], 1, 5)
                self.w("}")
            if base is None or r.random() < 0.5:
                self.w("public int i(final Ctx c, final int d, int a) {")
                self.body(["a"], 1, 4)
                self.w("}")
            if r.random() < 0.3:
                self.w("@Override public int twice(Ctx c, int d, int a) { return d <= 0 || c.out() "
                       "? 1 : %s; }" % ("super.twice(c, d - 1, a) + 1" if base
                                        else "I0.super.twice(c, d - 1, a) * 3"))
            # The base class has one too: Object's own prints an identity hash.
            if base is None or r.random() < 0.4:
                self.w("@Override public String toString() { return f > 0 ? \"A%d\" + f : \"-\"; }"
                       % k)
            self.w("private int hidden(final Ctx c, final int d, int a) {")
            self.body(["a"], 2, 4)
            self.w("}")
            self.indent = 0
            self.this = None
            self.w("}")
        for k in range(self.inits):
            self.w("final class K%d {" % k)
            self.w("    static int v;")
            kind = r.randrange(4) if not self.concurrent else r.randrange(3)
            nested = "K%d.v" % (k - 1) if k else "3"
            self.w("    static {")
            self.w("        int s = %d;" % k)
            if kind == 0:
                self.w("        for (int i = 0; i < 5; i++) s += i * %s;" % nested)
            elif kind == 1:
                self.w("        try { s = new int[2][%s & 1 | 2].length; } catch "
                       "(ArrayIndexOutOfBoundsException e) { s = 4; } finally { s++; }" % nested)
            elif kind == 2:
                self.w("        s = I0.help(new Ctx(20, 4), %s) & 255;" % nested)
            else:
                # Fails the first time; later uses throw NoClassDefFoundError.
                self.w("        if (s >= 0) throw new E0(s);")
            self.w("        v = s;")
            self.w("    }")
            self.w("}")
        self.w("final class Make {")
        self.w("    static A0[] objs(Ctx c, int salt) {")
        self.w("        return new A0[] {%s};"
               % ", ".join("new A%d(c, salt + %d)" % (r.randrange(self.kinds), i)
                           for i in range(r.randrange(1, 5))))
        self.w("    }")
        fns = ["(c, d, a) -> a * %d" % r.randrange(2, 9), "Make::two"]
        if r.random() < 0.7:
            fns.append("k.objs[0]")
        if r.random() < 0.4:
            fns.append("Hand.make(k, salt)")
        if r.random() < 0.3:
            fns.append("null")
        r.shuffle(fns)
        self.w("    static int two(Ctx c, int d, int a) { return d <= 0 || c.out() ? a : "
               "c.obj(a).v(c, d - 1, a); }")
        self.w("    static I0[] fns(Ctx k, int salt) { return new I0[] {%s}; }"
               % ", ".join(fns[:r.randrange(1, len(fns) + 1)]))
        self.w("}")

    def roots(self):
        r = self.r
        calls = [(o, n) for o, n in self.statics]
        if self.seed % 12 == 5:
            calls += [("U0", "huge")] * 4
        return calls

    def main(self):
        r = self.r
        self.w("public class Main {")
        self.indent = 1
        calls = self.roots()
        depth = r.choice([3, 5, 8])
        self.w("static void one(String name, int which, int salt) {")
        self.w("    Ctx c = null;")
        self.w("    String s;")
        self.w("    try {")
        self.w("        c = new Ctx(%d, salt);" % self.fuel)
        self.w("        s = \"\" + root(c, which, salt);")
        self.w("    } catch (RuntimeException | LinkageError e) {")
        self.w("        s = e.getClass().getName();")
        self.w("    }")
        self.w("    out(name, s + \" \" + (c == null ? 0 : c.h));")
        self.w("}")
        self.w("static int root(Ctx c, int which, int salt) {")
        self.w("    switch (which) {")
        for i, (o, n) in enumerate(calls):
            self.w("    case %d: return %s.%s(c, %d, salt, %s);"
                   % (i, o, n, depth, r.randrange(-50, 50)))
        self.w("    default: return c.fn(which).i(c, 3, salt);")
        self.w("    }")
        self.w("}")
        self.w("static final Map<String, StringBuilder> OUT = new TreeMap<>();")
        self.w("static void out(String name, String s) {")
        self.w("    synchronized (OUT) {")
        self.w("        StringBuilder b = OUT.get(name);")
        # No branch on shared state: the order of threads must not show in anybody's path.
        self.w("        b.append(s).append('\\n');")
        self.w("    }")
        self.w("}")
        workers = r.randrange(0, 5)
        same = r.random() < 0.2
        self.w("public static void main(String[] args) throws Throwable {")
        self.w("    OUT.put(\"main\", new StringBuilder());")
        for t in range(workers):
            self.w("    OUT.put(\"w%d\", new StringBuilder());" % t)
        self.w("    OUT.put(\"pool\", new StringBuilder());")
        if self.concurrent:
            self.w("    for (String k : new String[] {%s}) Class.forName(k);" % ", ".join(
                "\"%s\"" % n for n in ["So", "Hand", "Key", "Range", "Make"]
                + ["K%d" % k for k in range(self.inits)] + ["U%d" % u for u in range(self.units)]
                + ["A%d" % u for u in range(self.kinds)]))
        for i in range(r.randrange(2, 7)):
            self.w("    one(\"main\", %d, %d);"
                   % (r.randrange(len(calls) + 1), r.randrange(-30, 100)))
        if self.seed % 10 == 7:
            self.w("    out(\"main\", \"\" + So.run(new Ctx(5, 1)));")
        self.w("    Thread[] ts = new Thread[%d];" % workers)
        for t in range(workers):
            name = "w" if same else "w%d" % t
            jobs = " ".join("one(\"w%d\", %d, %d);"
                            % (t, r.randrange(len(calls) + 1), r.randrange(-30, 100))
                            for _ in range(r.randrange(1, 4)))
            if r.random() < 0.25:
                jobs += " throw new E1(%d);" % t
            form = r.randrange(2)
            if form == 0:
                self.w("    ts[%d] = new Thread(() -> { %s }, \"%s\");" % (t, jobs, name))
            else:
                self.w("    ts[%d] = new Thread(\"%s\") { @Override public void run() { %s } };"
                       % (t, name, jobs))
            if r.random() < 0.3:
                self.w("    ts[%d].setUncaughtExceptionHandler((th, e) -> out(\"w%d\", "
                       "e.getClass().getName()));" % (t, t))
            self.w("    ts[%d].start();" % t)
            if not self.concurrent or same:
                self.w("    ts[%d].join();" % t)
        self.w("    for (Thread t : ts) t.join();")
        if r.random() < 0.3:
            self.w("    java.util.concurrent.ExecutorService pool = "
                   "java.util.concurrent.Executors.newSingleThreadExecutor(k -> new Thread(k, "
                   "\"pool\"));")
            for _ in range(r.randrange(1, 3)):
                which, salt = r.randrange(len(calls)), r.randrange(-9, 50)
                self.w("    try {")
                self.w("        out(\"pool\", \"\" + pool.submit(() -> root(new Ctx(50, %d), %d, "
                       "%d)).get());" % (salt, which, salt))
                self.w("    } catch (java.util.concurrent.ExecutionException e) {")
                self.w("        out(\"pool\", e.getCause().getClass().getName());")
                self.w("    }")
            self.w("    pool.shutdown();")
            self.w("    pool.awaitTermination(10, java.util.concurrent.TimeUnit.SECONDS);")
        if self.seed % 8 == 3:
            self.w("    final java.util.concurrent.CountDownLatch latch = new "
                   "java.util.concurrent.CountDownLatch(1);")
            self.w("    Thread dead = new Thread(\"daemon\") {")
            self.w("        @Override public void run() {")
            self.w("            one(\"main\", 0, 5);")
            self.w("            latch.countDown();")
            self.w("            while (true) try { Thread.sleep(1000000); } catch "
                   "(InterruptedException e) { return; }")
            self.w("        }")
            self.w("    };")
            self.w("    dead.setDaemon(true);")
            self.w("    dead.start();")
            self.w("    latch.await();")
            self.w("    Thread.sleep(30);")
        self.w("    for (StringBuilder b : OUT.values()) System.out.print(b);")
        end = self.seed % 9
        if end == 4:
            self.w("    System.exit(%d);" % r.randrange(0, 5))
        elif end == 7:
            self.w("    throw new E1(5);")
        self.w("}")
        self.indent = 0
        self.w("}")

    def program(self):
        for u in range(self.units):
            for m in range(self.r.randrange(1, 5)):
                self.statics.append(("U%d" % u, "m%d" % m))
        own = list(self.statics)
        self.statics += [("S", "s%d" % i) for i in range(self.smali)]
        self.classes()
        for u in range(self.units):
            self.statics_of(u)
        self.main()
        files = {"java/Main.java": FIXED + "\n".join(self.lines) + "\n",
                 "min-api": self.r.choice(["19", "21", "24", "26", "28"]),
                 "elastic": "LSo;->so(I)I\n" if self.seed % 10 == 7 else ""}
        if self.short.on:
            files["instrument-args"] = "--inline all\n"
        if self.smali:
            filler = self.r.choice([0, 60, 5000]) if self.seed % 5 == 4 else 0
            files["java/S.java"] = "class S {\n%s}\n" % "".join(
                "    static int s%d(Ctx c, int d, int a, int b) { return 0; }\n" % i
                for i in range(self.smali))
            files["smali/S.smali"] = generate_smali.generate(
                self.r, self.smali, [("L%s;" % o, n) for o, n in own], filler)
        return files


def write(seed, folder):
    for name, text in Gen(seed).program().items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    write(int(sys.argv[1]), sys.argv[2])
