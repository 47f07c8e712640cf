"""Short methods that branch and mostly cannot throw, for programs of seeds from FROM on: `pathlight
instrument --inline` puts them in place of their calls.

They draw from a source of chance of their own: programs of smaller seeds are what they always
were."""

import random

FROM = 1000
# (name, parameters, result)
KINDS = [("h0", "int a, int b", "int"), ("h1", "long w, int a", "long"),
         ("h2", "int a, double x, int b", "int"), ("h3", "int a", "boolean"),
         ("h4", "Object p, Object q, int a", "Object")]


class Short:
    def __init__(self, seed):
        self.r = random.Random("short %d" % seed)
        self.on = seed >= FROM

    def call(self, a, b, this):
        """An int expression with a call, or None: most of the time it is somebody else's turn."""
        r = self.r
        if not self.on or r.random() > 0.3:
            return None
        calls = ["h0(%s, %s)" % (a, b), "h0(%s, %s)" % (a, a), "(int) h1(%s * 3L, %s)" % (a, b),
                 "h2(%s, %s / 2.0, %s)" % (a, b, a), "(h3(%s) ? %s : %s)" % (a, b, a),
                 "h4(\"p\", c.lock, %s).getClass().getName().length()" % a]
        return r.choice(calls + ["g0(%s)" % a] * (2 if this else 0))

    def value(self, names, depth=0):
        r = self.r
        k = r.randrange(6) if depth < 2 else 0
        if k < 2:
            return r.choice(names)
        if k == 2:
            return "(%d)" % r.choice([0, 1, -1, 5, 0xFFFF, -70000])
        a, b = self.value(names, depth + 1), self.value(names, depth + 1)
        if k == 3:
            return "(%s ? %s : %s)" % (self.test(names), a, b)
        return "(%s %s %s)" % (a, r.choice("+-*&|^") if k == 4 else r.choice(["<<", ">>", ">>>"]),
                               b)

    def test(self, names):
        r = self.r
        one = "%s %s %s" % (r.choice(names), r.choice(["<", "<=", ">", ">=", "==", "!="]),
                            r.choice(names + ["0", "3", "-100"]))
        return one if r.random() < 0.7 else "%s %s %s %s 7" % (
            one, r.choice(["&&", "||"]), r.choice(names), r.choice(["<", ">", "!="]))

    def body(self, names, cast, inner):
        r = self.r
        out = []
        for _ in range(r.randrange(1, 4)):
            to = r.choice(names)
            value = ("(%s) (%s)" % (cast, self.value(names)) if r.random() < 0.8
                     or not inner else r.choice(inner))
            form = r.randrange(3)
            if form == 0:
                out.append("if (%s) %s = %s;" % (self.test(names), to, value))
            elif form == 1:
                out.append("if (%s) return %s; else %s = %s;" % (self.test(names), "%s", to, value))
            else:
                out.append("%s = %s;" % (to, value))
        out.append("if (%s) return %s;" % (self.test(names), "%s"))
        return out

    def members(self, this):
        """The methods of one class."""
        if not self.on:
            return []
        r = self.r
        lines = []
        for name, parameters, result in KINDS:
            ints = {"h1": ["a"], "h3": ["a"], "h4": ["a"]}.get(name, ["a", "b"])
            inner = [] if name == "h0" else ["h0(%s, %s)" % (r.choice(ints), r.choice(ints))]
            ends = {"int": lambda: "(int) (%s)" % self.value(ints),
                    "long": lambda: "w %s %s" % (r.choice("+^*"), self.value(ints)),
                    "boolean": lambda: r.choice([self.test(ints), "true", "false"]),
                    "Object": lambda: r.choice(["p", "q"])}
            lines.append("private %sstatic %s %s(%s) {"
                         % (r.choice(["", "", "", "synchronized "]) if name == "h3" else "", result,
                            name, parameters))
            if name == "h1":
                lines.append("    if (w > a) w = w * 31 + %s;" % self.value(ints))
            if name == "h2":
                lines.append("    if (x < a) x = Math.%s(x%s) - 1; if (x > 2) b ^= (int) x;"
                             % r.choice([("abs", ""), ("max", ", a"), ("sqrt", "")]))
            lines += ["    " + (l % ends[result]() if "%s" in l else l)
                      for l in self.body(ints, "int", inner)]
            lines.append("    return %s;" % ends[result]())
            lines.append("}")
        if this:
            lines.append("private int g0(int a) {")
            lines.append("    if (a > f) %s;" % r.choice(["a -= f", "a = f & 7", "return f"]))
            lines += ["    " + (l % self.value(["a"]) if "%s" in l else l)
                      for l in self.body(["a"], "int", ["h0(a, a)"])]
            lines.append("    return a < 0 ? f : h0(a, f);")
            lines.append("}")
        return lines
