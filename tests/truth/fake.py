"""Makes from a trace what a right decoder would print, and seeded errors in it: the comparer's own
test.

The blocks come from what was seen in the trace (where control arrived other than by falling
through, and behind each branch), so they need not be the product's, only a partition of the code
that fits.
"""

from harness import compare, implied

BRANCH = ("goto", "if-", "return", "throw", "packed-switch", "sparse-switch")


def leaders(table, trace):
    found = {m: set(o[:1]) for m, o in table.offsets.items()}
    for m, ops in table.ops.items():
        offsets = table.offsets[m]
        for i, o in enumerate(offsets[:-1]):
            if ops[o].startswith(BRANCH):
                found[m].add(offsets[i + 1])
    for _, _, ids in trace:
        stack = []
        for event in ids:
            kind, m, o, op = table.events[event]
            if kind == "enter":
                stack.append(-1)
            elif kind == "unwind":
                stack.pop()
            elif kind == "catch":
                stack[-1] = -1
                found[m].add(o)
            else:
                i = table.index[m][o]
                if i != stack[-1] + 1:
                    found[m].add(o)
                stack[-1] = i
                if op.startswith("return"):
                    stack.pop()
    return found


def fake(table, trace):
    """[(thread number, name, events)] as compare.read_paths gives them."""
    heads = leaders(table, trace)
    ends = {}
    for m, s in heads.items():
        order = sorted(s)
        last = table.offsets[m][-1] + 1 if table.offsets[m] else 0
        ends[m] = dict(zip(order, order[1:] + [last]))
    out = []
    for number, name, ids in trace:
        events = []
        stack = []  # [method, block, last offset]
        base = {"t": number, "name": name}

        def emit(**more):
            events.append(dict(base, depth=len(stack), **more))

        for event in ids:
            kind, m, o, op = table.events[event]
            if kind == "enter":
                caller, _, pc = stack[-1] if stack else (None, None, None)
                called = pc is not None and implied.same_method(table.targets[caller].get(pc), m)
                stack.append([m, None, None])
                emit(e="enter", m=m,
                    **({"via": "call", "call": {"pc": pc}} if called else {"via": "callback"}))
            elif kind == "at":
                stack[-1][2] = o
                if o in heads[m]:
                    stack[-1][1] = o
                    emit(e="block", m=m, pc=o, end=ends[m][o])
                if op.startswith("return"):
                    emit(e="return")
                    stack.pop()
            else:
                if stack[-1][1] is not None:
                    emit(e="throw", candidates=[stack[-1][1]])
                if kind == "catch":
                    emit(e="catch", m=m, pc=o)
                else:
                    emit(e="unwound")
                    stack.pop()
        out.append((number, name, events))
    return out


def mutate(paths, kind, rng):
    """A copy with one error of this kind, or None when there is no place for it."""
    paths = [(t, name, list(events)) for t, name, events in paths]
    places = [(events, i) for _, _, events in paths for i in range(len(events))]

    def pick(test):
        fit = [p for p in places if test(*p)]
        return rng.choice(fit) if fit else None

    def same(events, i, e):
        return events[i]["e"] == e

    def edit(events, i, **changes):
        events[i] = dict(events[i], **changes)

    if kind == "wrong branch":
        blocks = {}
        for events, i in places:
            if same(events, i, "block"):
                blocks.setdefault(events[i]["m"], {})[events[i]["pc"]] = events[i]["end"]
        p = pick(lambda ev, i: same(ev, i, "block") and len(blocks[ev[i]["m"]]) > 1)
        if not p:
            return None
        events, i = p
        pc, end = rng.choice([b for b in blocks[events[i]["m"]].items() if b[0] != events[i]["pc"]])
        edit(events, i, pc=pc, end=end)
    elif kind == "longer block":
        known = {(ev[i]["m"], ev[i]["pc"]) for ev, i in places if same(ev, i, "block")}
        p = pick(lambda ev, i: same(ev, i, "block") and i + 1 < len(ev) and same(ev, i + 1, "block")
                 and ev[i + 1]["pc"] != ev[i]["end"] and ev[i + 1]["m"] == ev[i]["m"]
                 and (ev[i]["m"], ev[i]["end"]) in known)
        if not p:
            return None
        edit(*p, end=p[0][p[1]]["end"] + 1)
    elif kind == "missing block":
        p = pick(lambda ev, i: same(ev, i, "block"))
        del p[0][p[1]]
    elif kind == "extra block":
        p = pick(lambda ev, i: same(ev, i, "block"))
        p[0].insert(p[1], dict(p[0][p[1]]))
    elif kind == "missing call":
        p = pick(lambda ev, i: same(ev, i, "enter") and ev[i]["depth"] > 1)
        if not p:
            return None
        events, i = p
        j = i + 1
        while j < len(events) and events[j]["depth"] > events[i]["depth"]:
            j += 1
        while (j < len(events) and events[j]["depth"] == events[i]["depth"]
               and events[j]["e"] != "enter"):
            j += 1
        del events[i:j]
    elif kind == "wrong callee":
        methods = sorted({ev[i]["m"] for ev, i in places if same(ev, i, "enter")})
        p = pick(lambda ev, i: same(ev, i, "enter")) if len(methods) > 1 else None
        if not p:
            return None
        edit(*p, m=rng.choice([m for m in methods if m != p[0][p[1]]["m"]]))
    elif kind == "wrong handler":
        p = pick(lambda ev, i: same(ev, i, "catch"))
        if not p:
            return None
        edit(*p, pc=p[0][p[1]]["pc"] + rng.choice([-1, 1]))
    elif kind == "wrong candidates":
        p = pick(lambda ev, i: same(ev, i, "throw"))
        if not p:
            return None
        edit(*p, candidates=[c + 1 for c in p[0][p[1]]["candidates"]])
    elif kind == "missing catch":
        p = pick(lambda ev, i: same(ev, i, "catch"))
        if not p:
            return None
        del p[0][p[1]]
    elif kind == "catch in another frame":
        p = pick(lambda ev, i: same(ev, i, "catch") and ev[i]["depth"] > 1)
        if not p:
            return None
        edit(*p, depth=p[0][p[1]]["depth"] - 1)
    elif kind == "return for unwound":
        p = pick(lambda ev, i: same(ev, i, "unwound"))
        if not p:
            return None
        edit(*p, e="return")
    elif kind == "missing end":
        events = paths[rng.randrange(len(paths))][2]
        del events[len(events) - 1 - rng.randrange(min(3, len(events))):]
    elif kind == "swapped threads":
        pairs = [(i, j) for i in range(len(paths)) for j in range(i)
                 if [dict(e, t=0, name="") for e in paths[i][2]]
                 != [dict(e, t=0, name="") for e in paths[j][2]] and paths[i][1] != paths[j][1]]
        if not pairs:
            return None
        i, j = rng.choice(pairs)
        a, b = paths[i], paths[j]
        paths[i], paths[j] = (a[0], a[1], b[2]), (b[0], b[1], a[2])
    elif kind == "missing thread":
        if len(paths) < 2:
            return None
        del paths[rng.randrange(len(paths))]
    else:
        raise ValueError(kind)
    return paths


KINDS = ["wrong branch", "longer block", "missing block", "extra block", "missing call",
         "wrong callee", "wrong handler", "wrong candidates", "missing catch",
         "catch in another frame", "return for unwound", "missing end", "swapped threads",
         "missing thread"]


def unsure_errors(table, ids, path):
    """Tries compare.unsure_thread on a right path and on changed ones: what it should not have
    taken for what it did, as text; None when all is well."""
    end = [{"e": "end", "how": "clean"}]
    cut = [{"e": "end", "how": "cut"}]
    error = [{"e": "error"}]
    blocks = [i for i, e in enumerate(path) if e["e"] == "block"]
    middle = blocks[len(blocks) // 2]
    wrong = path[:middle] + [path[middle]] + path[middle:]
    entered = {e["m"] for e in path[:middle] if e["e"] == "enter"}
    later = [e["m"] for e in path[middle:] if e["e"] == "enter" and e["m"] not in entered]
    tries = [
        ("a right path", path + end, "exact_threads"),
        ("a cut one", path[:middle] + cut, "cut_threads"),
        ("a refused one", path[:middle] + error, "refused_threads"),
        ("one that lacks its end", path[:middle] + end, None),
        ("a wrong one", wrong + end, None),
        ("a wrong one that is cut", wrong + cut, None),
        ("a wrong one before what was refused", wrong + error, None),
        ("one that goes on behind what was refused", path[:middle] + error + path[middle:], None),
        ("a doubtful one", wrong + [{"e": "doubtful", "m": path[0]["m"]}] + end,
         "doubtful_threads"),
        ("a doubtful one before what was refused",
         wrong + [{"e": "doubtful", "m": path[0]["m"]}] + error, None),
    ]
    if later:
        tries.append(("one that is wrong before what is doubtful",
                      wrong + [{"e": "doubtful", "m": later[0]}] + end, None))
    for what, events, wanted in tries:
        try:
            got = [k for k, n in vars(compare.unsure_thread(table, ids, events)).items()
                   if k.endswith("_threads") and n]
        except compare.Difference:
            got = []
        if got != ([wanted] if wanted else []):
            return "%s: %s instead of %s" % (what, got, wanted)
    return None
