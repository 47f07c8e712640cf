"""Methods in smali whose types depend on a branch after `instance-of`.

R8 leaves a `check-cast` out where a test for the same class has passed. ART then takes the type
from the pair of `instance-of` and `if`, as long as nothing stands between them. Each method tests
objects in many shapes (a `move-object` before, the branch either way round, in loops, handlers and
switches, one test in another, results of callees that may be inlined) and uses them as what the
test found: as receivers, for fields, elements, arguments, stored and returned values.

The text follows what ART holds each register for, so ART accepts every method.
"""

import random

TYPES = {
    "O": "Ljava/lang/Object;", "S": "Ljava/lang/String;", "X": "Ljava/lang/Number;",
    "N": "Ljava/lang/Integer;", "A": "LA;", "B": "LB;", "C": "LC;", "i": "[I",
    "o": "[Ljava/lang/Object;", "c": "[Ljava/lang/CharSequence;", "I": "I", "V": "V"}
# What a register of a type can be narrowed to.
BELOW = {"O": "SXNABCio", "A": "BC", "B": "C", "X": "N"}
SLOTS = "OOOAABXSNCio"
RESULTS = "VIIIOSABNicc"
OBJECTS = "OSXNABCio"


def above(kind):
    """Types that a value of this one may be stored as, the nearest last."""
    return [k for k in OBJECTS if kind in BELOW.get(k, "")] + [kind]


def joined(a, b):
    """What ART holds a register for where both come together; None: control does not."""
    if a is None or b is None:
        return a if b is None else b
    return {s: [k for k in above(a[s]) if k in above(b[s])][-1] for s in a}


class Method:
    """One method. `declared` has the type that each register of an object never exceeds, `state`
    what ART holds it for where the text now ends; None where control does not come."""

    def __init__(self, rng, owner, name, broken=False):
        self.r, self.owner, self.name, self.broken = rng, owner, name, broken
        self.out, self.tail, self.labels = [], [], 0
        self.result = rng.choice(RESULTS)
        self.kinds = [rng.choice("OOOAXSo") for _ in range(rng.choice([1, 1, 2, 3]))]
        # Ints: tested, sum, scratch, loop counter.
        self.test, self.sum, self.spare, self.count = 0, 1, 2, 3
        own = ["O"] + [rng.choice(SLOTS) for _ in range(rng.choice([2, 3, 4, 6, 6, 14]))]
        self.declared = dict(enumerate(own, 4))
        self.thrown = 4 + len(own)
        self.registers = self.thrown + len(self.kinds) + 2
        self.declared.update(enumerate(self.kinds, self.thrown + 1))
        self.number = self.registers - 1
        self.state = dict(self.declared)
        self.guarded = False
        # Statements that may still come.
        self.left = rng.choice([4, 8, 8, 16, 24])

    def emit(self, text, *values):
        self.out.append("    " + text % values)

    def label(self):
        self.labels += 1
        return ":l%d" % self.labels

    def place(self, label):
        self.out.append("    " + label)

    def goto(self, label):
        """Leaves for a label; returns what arrives there. ART judges what follows the label at
        once, so all that others bring there later must be in it already."""
        if self.state is not None:
            self.reset()
            self.emit("goto/16 %s", label)
        return self.state

    def slots(self, wanted=lambda slot: True):
        return [s for s in sorted(self.declared) if wanted(s)]

    def move(self, to, source):
        form = "move-object" if max(to, source) < 16 else "move-object/16"
        self.emit("%s v%d, v%d", form, to, source)
        self.state[to] = self.state[source]

    def load(self, slot=None):
        slot = slot or self.r.choice(self.slots())
        kind = self.declared[slot]
        self.emit("sget-object v%d, LUse;->x%s:%s", slot, kind, TYPES[kind])
        self.state[slot] = kind

    def reset(self):
        """Makes each register hold what it is declared for: what arrives later changes nothing."""
        for slot in self.slots(lambda s: self.state[s] != self.declared[s]):
            self.load(slot)

    def integer(self, register):
        """The int parameter, or a constant."""
        if self.r.random() < 0.6:
            self.emit("move/from16 v%d, v%d", register, self.number)
        else:
            self.emit("const/16 v%d, %d", register, self.r.randrange(-3, 9))

    def use(self, slot):
        """Uses an object as what its register is known to hold."""
        kind, r = self.state[slot], self.r
        ty = TYPES[kind]
        forms = ["argument", "store"]
        if kind in "SNABC":
            forms += ["call"] * 3
        if kind in "ABC" and slot < 16:
            forms += ["get", "put"]
        if kind in "io":
            forms = ["element", "element", "length"] if slot < 16 else ["element"]
        if self.result == kind and r.random() < 0.3:
            forms = ["return"]
        form = r.choice(forms)
        if form == "argument":
            self.emit("invoke-static/range {v%d .. v%d}, LUse;->take(%s)I", slot, slot, ty)
            self.emit("move-result v%d", self.spare)
        elif form == "store":
            self.emit("sput-object v%d, LUse;->x%s:%s", slot, kind, ty)
        elif form == "call":
            name = {"S": "length", "N": "intValue"}.get(kind, kind.lower())
            self.emit("invoke-virtual/range {v%d .. v%d}, %s->%s()I", slot, slot, ty, name)
            self.emit("move-result v%d", self.spare)
        elif form == "get":
            self.emit("iget v%d, v%d, %s->f%s:I", self.spare, slot, ty, kind)
        elif form == "put":
            self.emit("iput v%d, v%d, %s->f%s:I", self.sum, slot, ty, kind)
        elif form == "length":
            self.emit("array-length v%d, v%d", self.spare, slot)
        elif form == "element":
            self.element(kind, slot)
        else:
            self.emit("return-object v%d", slot)
            self.state = None
        if form in ("argument", "call", "get", "length"):
            self.emit("add-int v%d, v%d, v%d", self.sum, self.sum, self.spare)

    def element(self, kind, slot):
        self.emit("const/4 v%d, 0x0", self.spare)
        if kind == "i":
            op = self.r.choice(["aget", "aput"])
            value = self.sum if op == "aput" else self.spare
            self.emit("%s v%d, v%d, v%d", op, value, slot, self.spare)
            return
        objects = self.slots(lambda s: s != slot and self.declared[s] == "O")
        if objects and self.r.random() < 0.5:
            to = self.r.choice(objects)
            self.emit("aget-object v%d, v%d, v%d", to, slot, self.spare)
            self.state[to] = "O"
        else:
            self.emit("aput-object v%d, v%d, v%d", slot, slot, self.spare)

    def narrow(self, depth, slot=None):
        """A test of an object, and uses of what it found."""
        r = self.r
        source = slot or r.choice(self.slots(lambda s: self.state[s] in BELOW) or [0])
        if source == 0:
            return
        wanted = r.choice(BELOW[self.state[source]])
        tested = source
        copies = self.slots(
            lambda s: s < 16 and s != source and self.declared[s] in above(self.state[source]))
        if copies and (source > 15 or r.random() < 0.35):
            tested = r.choice(copies)
            self.move(tested, source)
        if tested > 15:
            return
        self.emit("instance-of v%d, v%d, %s", self.test, tested, TYPES[wanted])
        if self.broken:
            self.emit("nop")
        before = dict(self.state)
        narrowed = dict(before)
        narrowed.update({tested: wanted, source: wanted})
        yes, no, end = self.label(), self.label(), self.label()
        if slot is None and r.random() < 0.04:
            # Both alternatives lead to the same place.
            self.emit("if-%s v%d, %s", r.choice(["eqz", "nez"]), self.test, end)
            self.place(end)
            return
        if r.random() < 0.4:
            self.emit("if-nez v%d, %s", self.test, yes)
            self.block(depth + 1)
            other = self.goto(end)
            self.place(yes)
            self.found(depth, narrowed, [tested, source], wanted)
        else:
            self.emit("if-eqz v%d, %s", self.test, no)
            self.found(depth, narrowed, [tested, source], wanted)
            if r.random() < 0.5:
                self.place(no)
                self.state = joined(self.state, before)
                return
            other = self.goto(end)
            self.place(no)
            self.state = before
            self.block(depth + 1)
        self.place(end)
        self.state = joined(self.state, other)

    def found(self, depth, state, slots, wanted):
        """Where a test has found a type."""
        self.state = state
        self.use(self.r.choice(slots))
        if self.state and self.r.random() < 0.3:
            self.block(depth + 1)
        again = self.r.choice(slots)
        if self.state and self.state[again] == wanted:
            self.use(again)

    def branch(self, depth):
        other, end = self.label(), self.label()
        self.integer(self.spare)
        test = self.r.choice(["lt", "ge", "gt", "le", "eq", "ne"])
        self.emit("if-%sz v%d, %s", test, self.spare, other)
        before = dict(self.state)
        self.block(depth + 1)
        left = self.goto(end)
        self.place(other)
        self.state = before
        self.block(depth + 1)
        self.place(end)
        self.state = joined(left, self.state)

    def loop(self, depth):
        if self.count is None:
            return
        self.reset()
        count, self.count = self.count, None
        head = self.label()
        self.emit("const/16 v%d, %d", count, self.r.randrange(1, 4))
        self.place(head)
        self.block(depth + 1)
        if self.state is not None:
            self.emit("add-int/lit8 v%d, v%d, -0x1", count, count)
            self.emit("if-gtz v%d, %s", count, head)
        self.count = count

    def switch(self, depth):
        table, end = self.label(), self.label()
        self.integer(self.spare)
        self.emit("packed-switch v%d, %s", self.spare, table)
        cases = [self.label() for _ in range(self.r.choice([2, 3, 4]))]
        before, after = dict(self.state), None
        for case in [None] + cases:
            if case:
                self.place(case)
            self.state = dict(before)
            self.block(depth + 1)
            after = joined(after, self.goto(end))
        self.tail += ["    " + table, "    .packed-switch 0x0"]
        self.tail += ["        " + case for case in cases] + ["    .end packed-switch"]
        self.place(end)
        self.state = after

    def guard(self, depth):
        if self.guarded:
            return
        self.guarded = True
        start, end, handler, on = (self.label() for _ in range(4))
        self.reset()
        self.place(start)
        self.emit("invoke-static {}, LUse;->may()V")
        self.block(depth + 1)
        self.place(end)
        self.guarded = False
        after = self.goto(on)
        caught = self.r.choice([".catchall", ".catch Ljava/lang/RuntimeException;"])
        self.emit("%s {%s .. %s} %s", caught, start, end, handler)
        self.place(handler)
        self.emit("move-exception v%d", self.thrown)
        self.state = dict(self.declared)
        self.block(depth + 1)
        self.place(on)
        self.state = joined(after, self.state)

    def call(self):
        """A short callee that `--inline all` puts in place."""
        self.emit("invoke-static/range {v%d .. v%d}, %s->h(I)I", self.sum, self.sum, self.owner)
        self.emit("move-result v%d", self.sum)

    def pick(self):
        """One that gives an object back: what the caller passes is more than it declares."""
        r = self.r
        to, given = self.slots(lambda s: self.declared[s] == "O"), self.slots(lambda s: s < 16)
        a, b, to = r.choice(given), r.choice(given), r.choice(to)
        self.emit("invoke-static {v%d, v%d, v%d}, %s->p(Ljava/lang/Object;Ljava/lang/Object;I)"
                  "Ljava/lang/Object;", a, b, self.sum, self.owner)
        self.emit("move-result-object v%d", to)
        self.state[to] = "O"

    def block(self, depth):
        r = self.r
        for _ in range(r.choice([1, 1, 2])):
            if self.state is None:
                return
            kind = r.random()
            self.left -= 1
            if depth >= 3 or self.left < 0 or kind < 0.2:
                r.choice([self.call, self.load, self.pick])()
            elif kind < 0.65:
                self.narrow(depth)
            else:
                r.choice([self.branch, self.loop, self.guard, self.switch])(depth)

    def leave(self):
        slot = self.spare
        if self.result == "V":
            self.emit("return-void")
        elif self.result == "I":
            self.emit("return v%d", self.sum)
        elif self.result == "c":
            # Arrays of two classes that share an interface: ART joins them to Object[].
            other = self.label()
            self.emit("if-lez v%d, %s", self.sum, other)
            self.emit("sget-object v%d, LUse;->strings:[Ljava/lang/String;", slot)
            self.emit("return-object v%d", slot)
            self.place(other)
            self.emit("sget-object v%d, LUse;->builders:[Ljava/lang/StringBuilder;", slot)
            self.emit("return-object v%d", slot)
        else:
            ty = TYPES[self.result]
            self.emit("sget-object v%d, LUse;->x%s:%s", slot, self.result, ty)
            self.emit("return-object v%d", slot)

    def descriptor(self):
        kinds = "".join(TYPES[k] for k in self.kinds)
        return "%s(%sI)%s" % (self.name, kinds, TYPES[self.result])

    def text(self):
        self.emit("const/4 v%d, 0x1", self.sum)
        for slot in self.slots(lambda s: s < self.thrown):
            self.load(slot)
        # The first register of an object can always be tested.
        self.narrow(1, 4)
        while self.left > 0 and self.state is not None:
            self.block(0)
        self.emit("sput v%d, LUse;->sum:I", self.sum)
        self.leave()
        head = ".method static %s" % self.descriptor()
        lines = [head, "    .registers %d" % self.registers]
        return "\n".join(lines + self.out + self.tail + [".end method", "", ""])


CALLEES = """.method static h(I)I
    .registers 2
    if-lez p0, :no
    add-int/lit8 p0, p0, 0x3
    return p0
    :no
    const/4 v0, 0x2
    return v0
.end method
.method static p(Ljava/lang/Object;Ljava/lang/Object;I)Ljava/lang/Object;
    .registers 4
    if-lez p2, :second
    return-object p0
    :second
    const/4 v0, 0x5
    if-eq p2, v0, :none
    return-object p1
    :none
    const/4 v0, 0x0
    return-object v0
.end method
"""


def a_class(seed, methods, broken=False):
    """The smali text of class LG<seed>; and its `run()V`."""
    owner = "LG%d;" % seed
    text, run = ".class public final %s\n.super Ljava/lang/Object;\n%s" % (owner, CALLEES), []
    for i in range(methods):
        m = Method(random.Random("narrowing %d %d" % (seed, i)), owner, "g%d" % i, broken)
        text += m.text()
        for attempt in range(3):
            for at, kind in enumerate(m.kinds):
                ty = TYPES[kind]
                if kind == "O":
                    run += ["const/16 v%d, %d" % (at, attempt * 7 + i),
                            "invoke-static/range {v%d .. v%d}, LUse;->some(I)Ljava/lang/Object;"
                            % (at, at), "move-result-object v%d" % at]
                else:
                    run.append("sget-object v%d, LUse;->x%s:%s" % (at, kind, ty))
            at = len(m.kinds)
            run += ["const/16 v%d, %d" % (at, attempt),
                    "invoke-static/range {v0 .. v%d}, %s->%s" % (at, owner, m.descriptor()),
                    "invoke-static {}, LUse;->fold()V"]
    lines = ["    " + l for l in run]
    return text + "\n".join([".method static run()V", "    .registers 8"] + lines
                            + ["    return-void", ".end method", ""])


def hierarchy():
    """A, B and C, each of which extends the one before."""
    parents = {"A": "Ljava/lang/Object;", "B": "LA;", "C": "LB;"}
    for name, parent in parents.items():
        yield name, """.class public L%s;
.super %s
.field f%s:I
.method constructor <init>()V
    .registers 1
    invoke-direct {p0}, %s-><init>()V
    return-void
.end method
.method %s()I
    .registers 2
    iget v0, p0, L%s;->f%s:I
    return v0
.end method
""" % (name, parent, name, parent, name.lower(), name, name)


def use_class():
    """Fields of each type, with a value of it, and what takes each."""
    made = {
        "S": ['const-string v0, "four"'], "A": ["new A"], "B": ["new B"], "C": ["new C"],
        "N": ["const/16 v0, 0x29",
              "invoke-static {v0}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;",
              "move-result-object v0"],
        "i": ["const/4 v0, 0x3", "new-array v0, v0, [I"],
        "o": ["const/4 v0, 0x3", "new-array v0, v0, [Ljava/lang/Object;"]}
    made["O"], made["X"] = made["S"], made["N"]
    text = ".class public LUse;\n.super Ljava/lang/Object;\n.field static sum:I\n"
    text += ".field static hash:I\n.field static strings:[Ljava/lang/String;\n"
    text += ".field static builders:[Ljava/lang/StringBuilder;\n"
    set_up, some = [], []
    for kind in "OSXNABCio":
        ty = TYPES[kind]
        text += ".field static x%s:%s\n" % (kind, ty)
        for line in made[kind]:
            if line.startswith("new "):
                set_up += ["new-instance v0, L%s;" % line[4:],
                           "invoke-direct {v0}, L%s;-><init>()V" % line[4:]]
            else:
                set_up.append(line)
        set_up.append("sput-object v0, LUse;->x%s:%s" % (kind, ty))
        some.append("    sget-object v0, LUse;->x%s:%s\n    return-object v0" % (kind, ty))
        text += (".method static take(%s)I\n    .registers 1\n    const/4 p0, 0x2\n"
                 "    return p0\n.end method\n" % ty)
    lines = "\n".join("    " + line for line in set_up)
    text += ".method static set()V\n    .registers 1\n%s\n    return-void\n.end method\n" % lines
    cases = "\n".join("    :s%d\n%s" % (i, body) for i, body in enumerate(some))
    table = "\n".join("        :s%d" % i for i in range(len(some)))
    text += """.method static some(I)Ljava/lang/Object;
    .registers 2
    rem-int/lit8 v0, p0, %d
    packed-switch v0, :table
    const/4 v0, 0x0
    return-object v0
%s
    :table
    .packed-switch 0x0
%s
    .end packed-switch
.end method
""" % (len(some), cases, table)
    return text + USE


USE = """.method static may()V
    .registers 2
    sget v0, LUse;->hash:I
    const/4 v1, 0x7
    and-int/2addr v0, v1
    if-nez v0, :no
    new-instance v0, Ljava/lang/IllegalStateException;
    invoke-direct {v0}, Ljava/lang/IllegalStateException;-><init>()V
    throw v0
    :no
    return-void
.end method
.method static fold()V
    .registers 2
    sget v0, LUse;->hash:I
    mul-int/lit8 v0, v0, 0x1f
    sget v1, LUse;->sum:I
    add-int/2addr v0, v1
    sput v0, LUse;->hash:I
    invoke-static {}, LUse;->set()V
    return-void
.end method
.method static print()V
    .registers 2
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    sget v1, LUse;->hash:I
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(I)V
    return-void
.end method
"""


def main_class(seeds):
    """Runs every class and prints what its methods left; an exception prints its name."""
    head = [".class public LMain;", ".super Ljava/lang/Object;",
            ".method public static main([Ljava/lang/String;)V", "    .registers 4",
            "    invoke-static {}, LUse;->set()V"]
    lines, tail = [], []
    for s in seeds:
        lines += ["    :a%d" % s, "    invoke-static {}, LG%d;->run()V" % s, "    :b%d" % s,
                  "    :c%d" % s, "    invoke-static {}, LUse;->print()V"]
        tail += ["    .catchall {:a%d .. :b%d} :h%d" % (s, s, s), "    :h%d" % s,
                 "    move-exception v0", "    sget-object v1, Ljava/lang/System;->out:"
                 "Ljava/io/PrintStream;", "    invoke-virtual {v1, v0}, Ljava/io/PrintStream;->"
                 "println(Ljava/lang/Object;)V", "    goto/32 :c%d" % s]
    return "\n".join(head + lines + ["    return-void"] + tail + [".end method", ""])


def write(folder, seeds, methods, broken=False):
    """A program of these classes."""
    import os
    os.makedirs(folder, exist_ok=True)
    texts = {"G%d" % s: a_class(s, methods, broken) for s in seeds}
    texts.update(hierarchy(), Use=use_class(), Main=main_class(seeds))
    for name, text in texts.items():
        with open("%s/%s.smali" % (folder, name), "w") as f:
            f.write(text)
