"""Random methods in smali: control flow, switches, handlers and registers that no Java compiler
makes.

Class S with static methods sN(Ctx, int depth, int, int): random jumps (irreducible loops included),
where every edge that goes back passes a fuel check. Register kinds never change, so any graph
verifies: v0 fuel, then ints, a long pair, one object.
"""

EXCEPTIONS = ["Ljava/lang/ArithmeticException;", "Ljava/lang/NullPointerException;",
              "Ljava/lang/ArrayIndexOutOfBoundsException;", "Ljava/lang/RuntimeException;", "LE0;",
              "LE1;", "Ljava/lang/Exception;"]
SIGNATURE = "(LCtx;III)I"


class SmaliMethod:
    def __init__(self, rng, name, callees, filler):
        self.r = rng
        self.name = name
        self.callees = callees
        self.filler = filler
        self.out = []
        self.late = []
        self.switches = []
        self.labels = 0

    def emit(self, text):
        self.out.append("    " + text)

    def label(self, kind):
        self.labels += 1
        return ":%s%d" % (kind, self.labels)

    def frame(self):
        r = self.r
        style = r.choice(["tight", "tight", "middle", "wide"])
        # v0 fuel, v1-v4 ints, v5/v6 long, v7 object, v8 scratch int
        locals_ = 9 + {"tight": r.randrange(0, 8), "middle": r.randrange(8, 60),
                       "wide": r.randrange(250, 300)}[style]
        self.low = [1, 2, 3, 4]
        self.high = [v for v in range(9, locals_)]
        self.locals = locals_
        return locals_

    def int_reg(self, limit=255):
        """A register with an int in it, at most `limit`."""
        pool = self.low + [v for v in self.high if v <= limit]
        return self.r.choice(self.low) if self.r.random() < 0.5 else self.r.choice(pool)

    def back(self, target):
        """A label that checks the fuel and then goes to the target."""
        label = self.label("fuel")
        self.late += ["    %s" % label, "    add-int/lit8 v0, v0, -0x1", "    if-ltz v0, :exit",
                      "    goto/32 %s" % target]
        return label

    def to(self, i, j):
        return ":b%d" % j if j > i else self.back(":b%d" % j)

    def op(self):
        r = self.r
        kind = r.randrange(17)
        if kind < 4:
            name = r.choice(["add", "sub", "mul", "and", "or", "xor", "shl", "shr", "ushr"])
            self.emit("%s-int v%d, v%d, v%d"
                      % (name, self.int_reg(), self.int_reg(), self.int_reg()))
        elif kind == 4:
            self.emit("%s-int/2addr v%d, v%d" % (r.choice(["add", "sub", "mul", "xor"]),
                                                 r.choice(self.low), r.choice(self.low)))
        elif kind == 5:
            self.emit("%s-int/lit8 v%d, v%d, %d"
                      % (r.choice(["add", "mul", "and", "xor", "shl"]), self.int_reg(),
                         self.int_reg(), r.randrange(-128, 128)))
        elif kind == 6:
            self.emit("rem-int/lit16 v%d, v%d, %d"
                      % (r.choice(self.low), r.choice(self.low), r.randrange(2, 3000)))
        elif kind == 7:
            # May divide by zero.
            self.emit("and-int/lit8 v8, v%d, 3" % self.int_reg())
            self.emit("%s-int v%d, v%d, v8"
                      % (r.choice(["div", "rem"]), self.int_reg(), self.int_reg()))
        elif kind == 8:
            # May be out of bounds.
            self.emit("move-object/from16 v7, p0")
            self.emit("iget-object v7, v7, LCtx;->arr:[I")
            self.emit("and-int/lit8 v8, v%d, %d" % (self.int_reg(), r.choice([7, 7, 15])))
            self.emit("%s v%d, v7, v8" % (r.choice(["aget", "aput"]), self.int_reg()))
        elif kind == 9:
            self.emit("int-to-long v5, v%d" % r.choice(self.low))
            self.emit("mul-long/2addr v5, v5")
            self.emit("long-to-int v%d, v5" % r.choice(self.low))
        elif kind == 10:
            self.emit("const v%d, %d" % (self.int_reg(), r.randrange(-2 ** 31, 2 ** 31)))
        elif kind == 11:
            a, b = self.r.choice(self.high) if self.high else 1, self.int_reg(65535)
            self.emit("move/16 v%d, v%d" % (a, b))
        elif kind == 12:
            # A null receiver, sometimes.
            self.emit("move-object/from16 v7, p0")
            self.emit("iget-object v7, v7, LCtx;->maybe:LA0;")
            self.emit("iget v%d, v7, LA0;->f:I" % r.choice(self.low))
        elif kind == 13:
            self.emit("move-object/from16 v7, p0")
            self.emit("invoke-virtual {v7, v%d}, LCtx;->mix(I)I" % r.choice(self.low))
            if r.random() < 0.7:
                self.emit("move-result v%d" % self.int_reg())
        elif kind == 14:
            self.emit(r.choice(["nop", "const-string v7, \"s\\n:b1\"", "const-class v7, LA0;",
                                "cmp-long v8, v5, v5", "neg-int v1, v2"]))
        else:
            owner, name = r.choice(self.callees)
            self.emit("move-object/from16 v7, p0")
            self.emit("move/from16 v8, p1")
            self.emit("add-int/lit8 v8, v8, -0x1")
            if r.random() < 0.3 and len(self.low) == 4:
                # Range form: v7 object, v8 depth, then two ints right behind, where the frame has
                # them.
                if len(self.high) >= 2:
                    self.emit("invoke-static/range {v7 .. v10}, %s->%s%s"
                              % (owner, name, SIGNATURE))
                else:
                    self.emit("invoke-static {v7, v8, v1, v2}, %s->%s%s" % (owner, name, SIGNATURE))
            else:
                self.emit("invoke-static {v7, v8, v%d, v%d}, %s->%s%s"
                          % (r.choice(self.low), r.choice(self.low), owner, name, SIGNATURE))
            if r.random() < 0.8:
                self.emit("move-result v%d" % self.int_reg())

    def terminator(self, i, n):
        """Ends block i; returns nothing, may fall through to block i + 1 (which exists)."""
        r = self.r
        kind = r.randrange(20)
        j = r.randrange(n)
        if kind < 7:
            self.emit("if-%s v%d, v%d, %s"
                      % (r.choice(["eq", "ne", "lt", "ge", "gt", "le"]), r.choice(self.low),
                         r.choice(self.low), self.to(i, j)))
        elif kind < 11:
            self.emit("if-%sz v%d, %s" % (r.choice(["eq", "ne", "lt", "ge", "gt", "le"]),
                                          self.int_reg(), self.to(i, j)))
        elif kind < 14:
            t = self.to(i, j)
            self.emit("%s %s" % (r.choice(["goto", "goto/16", "goto/32"]) if not self.filler
                                 else "goto/32", t))
        elif kind == 14:
            reg = self.int_reg()
            cases = r.choice([0, 1, 3, 8, 20])
            self.emit("and-int/lit8 v8, v%d, 31" % reg)
            name = self.label("packed")
            self.emit("packed-switch v8, %s" % name)
            first = r.randrange(-5, 20)
            targets = [self.to(i, r.randrange(n)) for _ in range(max(1, min(cases, 4)))]
            self.switches.append(["    %s" % name, "    .packed-switch %d" % first]
                                 + ["        %s" % r.choice(targets) for _ in range(cases)]
                                 + ["    .end packed-switch"])
        elif kind == 15:
            self.emit("and-int/lit16 v8, v%d, 0x3ff" % r.choice(self.low))
            name = self.label("sparse")
            self.emit("sparse-switch v8, %s" % name)
            keys = sorted(r.sample(range(-50, 1100), r.choice([1, 2, 5, 30])))
            targets = [self.to(i, r.randrange(n)) for _ in range(4)]
            self.switches.append(["    %s" % name, "    .sparse-switch"]
                                 + ["        %d -> %s" % (k, r.choice(targets)) for k in keys]
                                 + ["    .end sparse-switch"])
        elif kind == 16:
            self.emit("return v%d" % self.int_reg())
        elif kind == 17:
            self.emit("new-instance v7, LE0;")
            self.emit("invoke-direct {v7, v%d}, LE0;-><init>(I)V" % r.choice(self.low))
            self.emit("throw v7")
        # else: falls through

    def text(self):
        r = self.r
        locals_ = self.frame()
        n = r.randrange(3, 22)
        self.emit("move-object/from16 v7, p0")
        self.emit("invoke-virtual {v7}, LCtx;->out()Z")
        self.emit("move-result v1")
        self.emit("move/from16 v8, p1")
        self.emit("if-nez v1, :over")
        self.emit("if-gtz v8, :start")
        self.emit(":over")
        self.emit("move/from16 v1, p2")
        self.emit("return v1")
        self.emit(":start")
        self.emit("const/16 v0, %d" % r.choice([3, 8, 20, 40]))
        self.emit("move/from16 v1, p2")
        self.emit("move/from16 v2, p3")
        self.emit("const/4 v3, 0x5")
        self.emit("const/4 v4, -0x3")
        self.emit("const-wide/16 v5, 0x7")
        for v in self.high:
            if v <= 255:
                self.emit("const/16 v%d, %d" % (v, r.randrange(-300, 300)))
            else:
                self.emit("move/16 v%d, v%d" % (v, r.choice(self.low)))
        starts = {}
        ends = {}
        tries = []
        for _ in range(r.choice([0, 0, 1, 2, 3])):
            a = r.randrange(n)
            b = r.randrange(a, n)
            types = r.sample(EXCEPTIONS, r.randrange(0, 3))
            if r.random() < 0.5 or not types:
                types.append(None)
            tries.append((a, b, types))
        # Ranges of one method either nest or are disjoint in what they catch; smali refuses one
        # type twice over the same code.
        used = [set() for _ in range(n)]
        kept = []
        for a, b, types in tries:
            types = [t for t in types
                     if all(t not in used[i] and None not in used[i] for i in range(a, b + 1))]
            if types:
                kept.append((a, b, types))
                for i in range(a, b + 1):
                    used[i] |= set(types)
        for i in range(n):
            self.out.append("    :b%d" % i)
            for k, (a, _, _) in enumerate(kept):
                if a == i:
                    self.out.append("    :t%d_start" % k)
            if self.filler and i == n // 2:
                # Far jumps: code that is long but mostly passed over.
                self.emit("const/4 v8, 0x0")
                skip = self.label("skip")
                self.emit("goto/32 %s" % skip)
                for _ in range(self.filler):
                    self.emit("const-wide v5, 0x123456789abcdefL")
                self.emit(skip)
            for _ in range(r.randrange(0, 5)):
                self.op()
            self.terminator(i, n)
            for k, (_, b, _) in enumerate(kept):
                if b == i:
                    # An empty range is not allowed.
                    self.emit("nop")
                    self.out.append("    :t%d_end" % k)
        self.emit("goto/32 :exit")
        for k, (a, b, types) in enumerate(kept):
            for t in types:
                target = self.back(":b%d" % r.randrange(n))
                kind = r.random()
                if kind < 0.75:
                    label = self.label("handler")
                    self.late.append("    %s" % label)
                    self.late.append("    move-exception v7")
                    if kind < 0.2:
                        # Throw on, when v1 is odd.
                        self.late += ["    and-int/lit8 v8, v1, 0x1", "    if-eqz v8, %s" % target,
                                      "    throw v7"]
                    else:
                        self.late.append("    goto/32 %s" % target)
                else:
                    # A handler without move-exception that is reached by jumps too.
                    label = target
                self.out.append("    .catch%s {:t%d_start .. :t%d_end} %s"
                                % ("all" if t is None else " " + t, k, k, label))
        self.out += self.late
        self.emit(":exit")
        self.emit("return v1")
        for s in self.switches:
            self.out += s
        return "\n".join([".method public static %s%s" % (self.name, SIGNATURE),
                          "    .registers %d" % (locals_ + 4)] + self.out + [".end method", "", ""])


def generate(rng, count, callees, filler):
    """The smali text of class S with methods s0 … s(count-1)."""
    own = [("LS;", "s%d" % i) for i in range(count)]
    text = ".class public LS;\n.super Ljava/lang/Object;\n.source \"S.smali\"\n\n"
    for i in range(count):
        text += SmaliMethod(rng, "s%d" % i, callees + own, filler if i == 0 else 0).text()
    return text
