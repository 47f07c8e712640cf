"""Short typed methods and their callers in smali, for `pathlight instrument --inline all`.

Registers change their kind as D8 and kotlinc let them: dead parameters, the halves of wide ones,
and locals are reused for whatever comes. Each class has callees, callers, and `run()V`, which
prints what each caller gives for some arguments. No more is written than the kinds of registers at
each place allow, so ART verifies any of it.
"""

import random

KINDS = "IJFDLZBSC"
WIDE = "JD"
ARGUMENTS = {"I": [0, 1, -1, 7, -128, 70000, -2147483648], "J": [0, -1, 5, 1 << 40, -(1 << 63)],
             "F": [0, 0x3f800000, -0x3f600000, 0x7fc00000, 0x4b189680],
             "D": [0, 0x3ff0000000000000, -0x3fe8000000000000, 0x7ff8000000000000,
                   0x40c3880000000000], "Z": [0, 1], "B": [0, -128, 127, 3],
             "S": [0, -32768, 32767, 9], "C": [0, 65535, 40], "L": [0, 1]}
MATH = [("abs(I)I", "I"), ("min(II)I", "II"), ("max(JJ)J", "JJ"), ("abs(D)D", "D"),
        ("max(FF)F", "FF"), ("sqrt(D)D", "D"), ("floor(D)D", "D")]
NARROW = {"B": "int-to-byte", "S": "int-to-short", "C": "int-to-char"}


def words(kinds):
    return sum(2 if k in WIDE else 1 for k in kinds)


def descriptor(kinds):
    return "".join("Ljava/lang/Object;" if k == "L" else k for k in kinds)


class Callee:
    """What a call must know: name, whether it takes `this`, kinds of parameters and result."""

    def __init__(self, owner, name, this, kinds, result):
        self.owner, self.name, self.this, self.kinds, self.result = owner, name, this, kinds, result

    def text(self):
        return "%s->%s(%s)%s" % (self.owner, self.name, descriptor(self.kinds),
                                 descriptor(self.result))


class Method:
    """One method. `state` is what each register holds where the text now ends: a kind, or `J<`,
    `J>`, `D<`, `D>` for halves."""

    def __init__(self, rng, owner, name, this, kinds, result, callees, short):
        self.r, self.owner, self.name, self.this, self.kinds, self.result, self.callees = (
            rng, owner, name, this, kinds, result, callees)
        # Short: nothing in it may throw, it only branches forwards.
        self.short = short
        self.out, self.tail = [], []
        self.labels = 0
        # Registers that must keep their kind here, because a loop's head or a handler reads them.
        self.kept = {}
        given = words(kinds) + this
        size = max(given, 4) + rng.choice([0, 1, 2, 3, 5,
                                           8]) + (rng.choice([0, 0, 12, 30]) if not short else 0)
        self.registers = max(size, 4)
        self.state = {}
        at = self.registers - given
        if this:
            self.state[at] = "T"
            at += 1
        for k in kinds:
            self.define(at, "I" if k in "ZBSC" else k)
            at += 2 if k in WIDE else 1
        # Parameters that nothing reads.
        for r in list(self.state):
            if rng.random() < 0.2:
                self.forget(r)

    def emit(self, text):
        self.out.append("    " + text)

    def label(self):
        self.labels += 1
        return ":l%d" % self.labels

    def forget(self, r):
        kind = self.state.pop(r, "")
        if kind[1:] == "<":
            self.state.pop(r + 1, None)
        elif kind[1:] == ">":
            self.state.pop(r - 1, None)

    def define(self, r, kind):
        for i in range(r, r + (2 if kind in WIDE else 1)):
            self.forget(i)
        if kind in WIDE:
            self.state[r], self.state[r + 1] = kind + "<", kind + ">"
        else:
            self.state[r] = kind

    def holding(self, kind, limit=256):
        wanted = {"L": ("L", "T")}.get(kind, (kind + "<" if kind in WIDE else kind,))
        return [r for r, k in sorted(self.state.items()) if k in wanted and r < limit]

    def target(self, kind, limit=256):
        """A register that may take this kind."""
        width = 2 if kind in WIDE else 1
        allowed = [r for r in range(min(limit, self.registers - width + 1))
                   if all(self.kept.get(i) in (None, s)
                          for i, s in zip((r, r + 1),
                                          [kind + "<", kind + ">"] if width == 2 else [kind]))
                   # A half of a kept pair must not go either.
                   and not (width == 1 and self.kept.get(r, "")[1:])]
        return self.r.choice(allowed) if allowed else None

    def constant(self, kind, limit=256):
        to = self.target(kind, limit)
        if to is None:
            return None
        value = self.r.choice(ARGUMENTS[kind])
        if kind in WIDE:
            self.emit("const-wide v%d, %dL" % (to, value))
        elif kind == "L":
            if self.short or self.r.random() < 0.5:
                self.emit("const/16 v%d, 0x0" % to)
            else:
                self.emit('const-string v%d, "o%d"' % (to, self.r.randrange(4)))
        else:
            self.emit("const v%d, %d" % (to, value))
        self.define(to, kind)
        return to

    def value(self, kind, limit=256):
        """A register that holds this kind, made if there is none."""
        there = self.holding(kind, limit)
        return (self.r.choice(there) if there
                and self.r.random() < 0.85 else self.constant(kind, limit))

    def values(self, kinds, limit=256):
        """Registers that hold these kinds all at once."""
        for _ in range(8):
            found = [self.value(k, limit) for k in kinds]
            if all(r is not None and r in self.holding(k, limit) for r, k in zip(found, kinds)):
                return found
        return None

    def binary(self):
        r = self.r
        kind = r.choice("IIJFD")
        name = {"I": "int", "J": "long", "F": "float", "D": "double"}[kind]
        ops = ["add", "sub", "mul"] + (["and", "or", "xor", "shl", "shr", "ushr"] if kind in "IJ"
                                       else ["div"])
        op = r.choice(ops)
        second = "I" if op in ("shl", "shr", "ushr") else kind
        found = self.values(kind + second)
        if not found:
            return
        a, b = found
        if (r.random() < 0.4 and a < 16 and b < 16
            and self.kept.get(a, self.state[a]) == self.state[a]):
            self.emit("%s-%s/2addr v%d, v%d" % (op, name, a, b))
            self.define(a, kind)
            return
        to = self.target(kind)
        if to is not None:
            self.emit("%s-%s v%d, v%d, v%d" % (op, name, to, a, b))
            self.define(to, kind)

    def convert(self):
        names = {"I": "int", "J": "long", "F": "float", "D": "double"}
        source, kind = self.r.choice("IJFD"), self.r.choice("IJFD")
        a = self.value(source, 16)
        to = self.target(kind, 16)
        if a is None or to is None:
            return
        if source == kind:
            self.emit("neg-%s v%d, v%d" % (names[kind], to, a))
        else:
            self.emit("%s-to-%s v%d, v%d" % (names[source], names[kind], to, a))
        self.define(to, kind)

    def compare(self):
        kind = self.r.choice("JFD")
        found = self.values(kind * 2)
        to = self.target("I")
        if found and to is not None:
            name = {"J": ["cmp-long"], "F": ["cmpl-float", "cmpg-float"],
                    "D": ["cmpl-double", "cmpg-double"]}[kind]
            self.emit("%s v%d, v%d, v%d" % (self.r.choice(name), to, *found))
            self.define(to, "I")

    def move(self):
        kind = self.r.choice("IJFDLT")
        there = self.holding(kind)
        to = self.target(kind)
        if there and to is not None:
            self.emit("%s/16 v%d, v%d" % ({"J": "move-wide", "D": "move-wide", "L": "move-object",
                                           "T": "move-object"}.get(kind, "move"), to,
                                          self.r.choice(there)))
            self.define(to, kind)

    def field(self):
        kind = self.r.choice("IJDL")
        op = {"I": "", "J": "-wide", "D": "-wide", "L": "-object"}[kind]
        this = self.holding("T", 16)
        own = this and self.r.random() < 0.6
        limit = 16 if own else 256
        get = self.r.random() < 0.5
        at = self.target(kind, limit) if get else self.value(kind, limit)
        # What made the value may have taken the object's register.
        this = self.holding("T", 16) if own else []
        if at is None or own and not this:
            return
        where = "%s->%s%s:%s" % (self.owner, "i" if own else "s", kind, descriptor(kind))
        self.emit("%s%s%s v%d, %s%s" % ("i" if own else "s", "get" if get else "put", op, at,
                                        "v%d, " % self.r.choice(this) if own else "", where))
        if get:
            self.define(at, kind)

    def call(self):
        r = self.r
        if r.random() < 0.1:
            text, kinds = r.choice(MATH)
            result, this, text, op = text[-1], False, "Ljava/lang/Math;->" + text, "invoke-static"
        else:
            open_to = [c for c in self.callees if not c.this or self.holding("T")]
            if not open_to:
                return
            c = r.choice(open_to)
            kinds, result, this, text = c.kinds, c.result, c.this, c.text()
            op = "invoke-direct" if this else "invoke-static"
        for k in sorted(set(kinds) & set("ZBSC")):
            a, to = self.value("I", 16), self.target("I", 16)
            if a is None or to is None:
                return
            self.emit("and-int/lit8 v%d, v%d, 1" % (to, a) if k == "Z"
                      else "%s v%d, v%d" % (NARROW[k], to, a))
            self.define(to, "I")
            self.state[to] = k
        # Registers that hold a narrow value are called by its kind until this call is written.
        wanted = ("T" if this else "") + kinds
        low = words(wanted.replace("T", "L")) <= 5
        found = self.arguments(wanted, 16 if low else 256)
        if found is None:
            self.widen()
            return
        listed = []
        for k, a in zip(wanted, found):
            listed += [a, a + 1] if k in WIDE else [a]
        if low and all(a < 16 for a in listed):
            self.emit("%s {%s}, %s" % (op, ", ".join("v%d" % a for a in listed), text))
        else:
            # The range form: moved to registers that follow each other and hold nothing that is
            # moved later.
            bases = [b for b in range(self.registers - len(listed) + 1)
                     if not any(i in listed or i in self.kept for i in range(b, b + len(listed)))]
            if not bases:
                self.widen()
                return
            base = at = r.choice(bases)
            for k, a in zip(wanted, found):
                self.emit("%s/16 v%d, v%d" % ("move-wide" if k in WIDE else "move-object"
                                              if k in "LT" else "move", at, a))
                self.define(at, k)
                at += 2 if k in WIDE else 1
            self.emit("%s/range {v%d .. v%d}, %s" % (op, base, at - 1, text) if listed
                      else "%s {}, %s" % (op, text))
        self.widen()
        if result != "V" and r.random() < 0.85:
            kind = "I" if result in "ZBSC" else result
            to = self.target(kind)
            if to is not None:
                self.emit("move-result%s v%d"
                          % ("-wide" if kind in WIDE else "-object" if kind == "L" else "", to))
                self.define(to, kind)

    def arguments(self, wanted, limit):
        found = []
        for _ in range(6):
            found = []
            for k in wanted:
                there = self.holding(k, limit)
                if not there:
                    if k in "ZBSCT" or self.constant(k, limit) is None:
                        return None
                    break
                found.append(self.r.choice(there))
            if len(found) == len(wanted):
                return found
        return None

    def widen(self):
        for a, k in list(self.state.items()):
            if k in "ZBSC":
                self.state[a] = "I"

    def test(self, label):
        r = self.r
        kind = r.randrange(5)
        if kind == 0 and (there := self.holding("L")):
            self.emit("if-%s v%d, %s" % (r.choice(["eqz", "nez"]), r.choice(there), label))
        elif kind == 1 and len(there := self.holding("L", 16)) > 1:
            self.emit("if-%s v%d, v%d, %s"
                      % (r.choice(["eq", "ne"]), r.choice(there), r.choice(there), label))
        elif kind == 2 and len(there := self.holding("I", 16)) > 1:
            self.emit("if-%s v%d, v%d, %s" % (r.choice(["lt", "ge", "gt", "le", "eq", "ne"]),
                                              r.choice(there), r.choice(there), label))
        else:
            a = self.value("I")
            if a is None:
                return False
            self.emit("if-%sz v%d, %s" % (r.choice(["lt", "ge", "gt", "le", "eq", "ne"]), a, label))
        return True

    def joined(self, a, b):
        """What holds where both come together."""
        both = {r: k for r, k in a.items() if b.get(r) == k}
        return {r: k for r, k in both.items() if not k[1:]
                or both.get(r + 1 if k[1] == "<" else r - 1, "")[:1] == k[0]
                and r + (1 if k[1] == "<" else -1) in both}

    def branch(self, depth):
        other, end = self.label(), self.label()
        if not self.test(other):
            return
        before = dict(self.state)
        self.block(depth + 1)
        if self.r.random() < 0.3 and not self.kept:
            self.leave()
            self.emit(other)
            self.state = before
            return
        if self.r.random() < 0.5:
            self.emit("goto/32 %s" % end)
            after, self.state = self.state, before
            self.emit(other)
            self.block(depth + 1)
            self.emit(end)
        else:
            after = before
            self.emit(other)
        self.state = self.joined(after, self.state)

    def keep(self):
        """Pins some registers as they are; returns what to put back."""
        before = dict(self.kept)
        for a, k in sorted(self.state.items()):
            if self.r.random() < 0.5 and k[1:] != ">":
                self.kept[a] = k
                if k[1:]:
                    self.kept[a + 1] = k[0] + ">"
        return before

    def loop(self, depth):
        before = self.keep()
        count = next((i for i in range(min(self.registers, 256)) if i not in self.kept), None)
        if count is not None:
            self.emit("const/16 v%d, %d" % (count, self.r.randrange(1, 5)))
            self.define(count, "I")
            # Nothing but the loop itself may write its counter: a kind that nothing has.
            self.kept[count] = "I#"
            self.state = {a: k for a, k in self.state.items() if a in self.kept}
            self.state[count] = "I#"
            entry = dict(self.state)
            head = self.label()
            self.emit(head)
            self.block(depth + 1)
            self.emit("add-int/lit8 v%d, v%d, -0x1" % (count, count))
            self.emit("if-gtz v%d, %s" % (count, head))
            self.state = {a: k for a, k in self.state.items() if entry.get(a) == k
                          or a not in entry}
            self.state[count] = "I"
        self.kept = before

    def guard(self, depth):
        """A range with a handler that reads what is kept."""
        before = self.keep()
        start, end, handler, on = (self.label() for _ in range(4))
        entry = {a: k for a, k in self.state.items() if a in self.kept}
        self.emit(start)
        if found := self.values("II"):
            to = self.target("I")
            if to is not None:
                self.emit("div-int v%d, v%d, v%d" % (to, *found))
                self.define(to, "I")
        else:
            self.emit("nop")
        self.call()
        self.emit("nop")
        self.emit(end)
        after = self.state
        self.tail += ["    .catchall {%s .. %s} %s" % (start, end, handler), "    " + handler,
                      "    goto/32 " + on]
        self.emit(on)
        self.kept = before
        self.state = self.joined(entry, after)

    def block(self, depth):
        r = self.r
        for _ in range(r.randrange(1, 5 if self.short else 7)):
            k = r.randrange(22)
            if k < 5:
                self.binary()
            elif k < 7:
                self.convert()
            elif k == 7:
                self.compare()
            elif k < 10:
                self.constant(r.choice("IJFDL"))
            elif k < 12:
                self.move()
            elif k == 12:
                self.field()
            elif k < 16 if self.short else k < 19:
                if not self.short or r.random() < 0.4:
                    self.call()
            elif depth < 2:
                if self.short or r.random() < 0.6:
                    self.branch(depth)
                elif r.random() < 0.5:
                    self.loop(depth)
                else:
                    self.guard(depth)

    def leave(self):
        k = self.result
        if k == "V":
            self.emit("return-void")
            return
        if k in "ZBSC":
            a = self.value("I", 16)
            to = self.target("I", 16)
            self.emit("and-int/lit8 v%d, v%d, 1" % (to, a) if k == "Z"
                      else "%s v%d, v%d" % (NARROW[k], to, a))
            a = to
        else:
            a = self.value(k)
        self.emit("return%s v%d" % ("-wide" if k in WIDE else "-object" if k == "L" else "", a))

    def fold(self):
        """Returns a long made of a part of what the registers hold, so that what is lost shows."""
        r = self.r
        parts = [(a, k[0]) for a, k in sorted(self.state.items()) if k[0] in "IJFDL"
                 and k[1:] in ("", "<") and a < 256 and r.random() < 0.7]
        for a, k in parts:
            self.emit("invoke-static/range {v%d .. v%d}, LOut;->add(%s)V"
                      % (a, a + (k in WIDE), descriptor(k)))
        self.emit("return-void")

    def text(self):
        r = self.r
        if self.short:
            for _ in range(3):
                self.block(1)
                self.branch(1)
            self.leave()
        else:
            for _ in range(r.randrange(1, 5)):
                self.block(0)
            for _ in range(2):
                self.call()
            self.fold()
        access = "private " if self.this and self.short else "public " if self.this else "static "
        head = ".method %s%s(%s)%s" % (access, self.name, descriptor(self.kinds),
                                       descriptor(self.result))
        return "\n".join([head, "    .registers %d" % self.registers] + self.out + self.tail
                         + [".end method", "", ""])


def parameters(r):
    kinds = ""
    for _ in range(r.choice([0, 1, 1, 2, 2, 3, 4])):
        kinds += r.choice("JJDDIIFLZBSC")
    return kinds


def a_class(seed, callers, callees):
    """The smali text of class LG<seed>;."""
    r = random.Random("inline %d" % seed)
    owner = "LG%d;" % seed
    fields = "".join(".field %s%s%s:%s\n" % ("static " if s == "s" else "", s, k, descriptor(k))
                     for s in "si" for k in "IJDL")
    text = ".class public final %s\n.super Ljava/lang/Object;\n%s\n" % (owner, fields)
    text += (".method constructor <init>()V\n    .registers 1\n    invoke-direct {p0}, "
             "Ljava/lang/Object;-><init>()V\n    return-void\n.end method\n\n")
    known, run = [], []
    for i in range(callees):
        this = r.random() < 0.25
        c = Callee(owner, "h%d" % i, this, parameters(r), r.choice("VIJFDLZBSCIJD"))
        for attempt in range(20):
            m = Method(random.Random("inline %d %d %d" % (seed, i, attempt)), owner, c.name, this,
                       c.kinds, c.result, known[-4:], True)
            body = m.text()
            # What is longer is not put in line anyway.
            if len(m.out) <= 60:
                break
        text += body
        known.append(c)
    for i in range(callers):
        this = r.random() < 0.4
        m = Method(r, owner, "g%d" % i, this, parameters(r), "V", known, False)
        text += m.text()
        for _ in range(3):
            at = 1
            for k in m.kinds:
                value = r.choice(ARGUMENTS[k])
                if k in WIDE:
                    run.append("const-wide v%d, %dL" % (at, value))
                elif k == "L" and value:
                    run.append('const-string v%d, "o%d"' % (at, r.randrange(4)))
                else:
                    run.append("const v%d, %d" % (at, value))
                at += 2 if k in WIDE else 1
            range_ = "v%d .. v%d" % (0 if this else 1, at - 1) if at > 1 or this else ""
            if this:
                run += ["new-instance v0, %s" % owner, "invoke-direct {v0}, %s-><init>()V" % owner]
            run.append("invoke-%s {%s}, %s->%s(%s)V"
                       % (("virtual" if this else "static") + ("/range" if range_ else ""), range_,
                          owner, m.name, descriptor(m.kinds)))
        run += ['const-string v0, "%s.g%d"' % (owner[1:-1], i),
                "invoke-static {v0}, LOut;->print(Ljava/lang/String;)V"]
    text += "\n".join([".method public static run()V", "    .registers 12"]
                      + ["    " + l for l in run] + ["    return-void", ".end method", ""])
    return text


OUT = """.class public LOut;
.super Ljava/lang/Object;
.field static h:J
.method static add(J)V
    .registers 6
    sget-wide v0, LOut;->h:J
    const-wide/16 v2, 0x1f
    mul-long/2addr v0, v2
    xor-long/2addr v0, p0
    sput-wide v0, LOut;->h:J
    return-void
.end method
.method static add(I)V
    .registers 3
    int-to-long v0, p0
    invoke-static {v0, v1}, LOut;->add(J)V
    return-void
.end method
.method static add(F)V
    .registers 2
    invoke-static {p0}, Ljava/lang/Float;->floatToIntBits(F)I
    move-result v0
    invoke-static {v0}, LOut;->add(I)V
    return-void
.end method
.method static add(D)V
    .registers 4
    invoke-static {p0, p1}, Ljava/lang/Double;->doubleToLongBits(D)J
    move-result-wide v0
    invoke-static {v0, v1}, LOut;->add(J)V
    return-void
.end method
.method static add(Ljava/lang/Object;)V
    .registers 3
    instance-of v0, p0, Ljava/lang/String;
    if-eqz v0, :no
    invoke-virtual {p0}, Ljava/lang/Object;->hashCode()I
    move-result v0
    :no
    invoke-static {v0}, LOut;->add(I)V
    return-void
.end method
.method static print(Ljava/lang/String;)V
    .registers 5
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    new-instance v1, Ljava/lang/StringBuilder;
    invoke-direct {v1}, Ljava/lang/StringBuilder;-><init>()V
    invoke-virtual {v1, p0}, \
Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v2, " "
    invoke-virtual {v1, v2}, \
Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    sget-wide v2, LOut;->h:J
    invoke-virtual {v1, v2, v3}, Ljava/lang/StringBuilder;->append(J)Ljava/lang/StringBuilder;
    invoke-virtual {v1}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    const-wide/16 v0, 0x0
    sput-wide v0, LOut;->h:J
    return-void
.end method
"""


def main_class(seeds):
    """Runs every class; for one that does not load, prints that instead."""
    lines = [".class public LMain;", ".super Ljava/lang/Object;",
             ".method public static main([Ljava/lang/String;)V", "    .registers 5",
             "    array-length v3, p0", "    :again"]
    tail = []
    for s in seeds:
        lines += ["    :a%d" % s, "    invoke-static {}, LG%d;->run()V" % s, "    :b%d" % s,
                  "    :c%d" % s]
        tail += ["    .catchall {:a%d .. :b%d} :h%d" % (s, s, s), "    :h%d" % s,
                 "    move-exception v0",
                 "    sget-object v1, Ljava/lang/System;->out:Ljava/io/PrintStream;",
                 "    invoke-virtual {v1, v0}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V",
                 "    goto/32 :c%d" % s]
    # As often as there are arguments, for the JIT.
    lines += ["    add-int/lit8 v3, v3, -0x1", "    if-gez v3, :more", "    return-void",
              "    :more", "    goto/32 :again"]
    return "\n".join(lines + tail + [".end method", ""])


def write(folder, seeds, callers, callees):
    """A program of these classes."""
    import os
    os.makedirs(folder, exist_ok=True)
    texts = {"G%d" % s: a_class(s, callers, callees) for s in seeds}
    texts.update(Out=OUT, Main=main_class(seeds))
    for name, text in texts.items():
        with open("%s/%s.smali" % (folder, name), "w") as f:
            f.write(text)
