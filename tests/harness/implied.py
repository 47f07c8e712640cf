"""Compares calls of methods without probes ("implied": the decoder reports them because control
passed their calls).

The rest of the path is compared without them (compare.py). Here each activation of another method
has a row of what it called, once as traced and once as decoded, cut at its calls of methods with
probes and at its handlers. In each piece the implied calls must be the same, each from the same
instruction, and those inside them; where the product names the calls that were possible, the last
ones may be any first part of those. A callback must stand where it was, or behind as many calls as
were called possible before it.
"""


# Level of code in a method that leaves no record.
OUTSIDE = 1000


class Wrong(Exception):
    """The first difference."""


def same_method(target, method):
    """Whether an invoke of `target` can mean `method`: the class may be another one of the same
    line."""
    return target is not None and target.split("->", 1)[-1] == method.split("->", 1)[-1]


class Row:
    """What one activation called."""

    def __init__(self, method):
        self.method = method
        self.pieces = [[]]
        self.open = True
        self.callback = True


def traced_rows(table, ids, implied, ignored, left, announced):
    """Rows of the activations, in order of start, without those of `ignored` methods. What runs in
    those that were `left` as they were is a callback of their caller. `announced`: of the decoded
    ones, whether each was a callback: a call through a type of the library names the same method,
    and is none that the product knows."""
    rows, stack = [], []  # stack: [method, row or None, level of implied call or None, last offset]
    for event in ids:
        kind, method, offset, op = table.events[event]
        if kind == "enter":
            below = stack[-1] if stack else None
            target = (table.targets[below[0]].get(below[3]) if below
                      and below[3] is not None else None)
            called = same_method(target, method)
            if method in implied:
                row, level = None, -1
                # Entered from outside, it leaves no record, nor do its callees.
                if below and called and below[1] is not None and below[2] < OUTSIDE:
                    row, level = below[1], below[2] + 1
                    row.pieces[-1].append(("call", level, method, below[3]))
                elif below:
                    # What runs inside is a callback of the caller.
                    row, level = below[1], OUTSIDE
                stack.append([method, row, level, None])
                continue
            if method in left and below:
                stack.append([method, below[1], OUTSIDE, None])
                continue
            row = None
            if method not in ignored:
                row = Row(method)
                rows.append(row)
                if below and below[1] is not None:
                    if not announced.get(len(rows) - 1, True):
                        if not awaited(table, stack, method, left):
                            raise Wrong("%s was not called by %s" % (method, below[0]))
                        below[1].pieces.append([])
                    else:
                        below[1].pieces[-1].append(("callback",))
            stack.append([method, row, -1, None])
        elif kind == "at":
            stack[-1][3] = offset
            if op.startswith("return"):
                ended(stack.pop())
        elif kind == "catch":
            if stack[-1][1] is not None and stack[-1][2] == -1:
                stack[-1][1].pieces.append([])
        else:
            ended(stack.pop())
    return rows


def awaited(table, stack, method, left):
    """Whether the last call with a record of its own names this method. Methods that were `left`
    as they were may stand between: one of them overrides the method, and calls it."""
    caller = next((frame for frame in reversed(stack) if frame[0] not in left), None)
    return (caller is not None and caller[2] == -1 and caller[3] is not None
            and same_method(table.targets[caller[0]].get(caller[3]), method))


def ended(frame):
    if frame[1] is not None and frame[2] == -1:
        frame[1].open = False


def decoded_rows(events, ignored):
    rows, stack = [], []  # stack: [depth, row or None, level]
    for e in events:
        kind, depth = e["e"], e.get("depth")
        if kind == "enter":
            while stack and stack[-1][0] >= depth:
                stack.pop()
            below = stack[-1] if stack else None
            if e["via"] == "implied":
                if not below:
                    raise Wrong("an implied call of %s by nothing" % e["m"])
                if below[1] is not None:
                    below[1].pieces[-1].append(("call", below[2] + 1, e["m"],
                                                e.get("call", {}).get("pc")))
                stack.append([depth, below[1], below[2] + 1])
                continue
            row = None
            if e["m"] not in ignored:
                row = Row(e["m"])
                row.callback = e["via"] == "callback"
                rows.append(row)
                if below and below[1] is not None:
                    if row.callback:
                        below[1].pieces[-1].append(("callback",))
                    else:
                        below[1].pieces.append([])
            stack.append([depth, row, -1])
            continue
        at = next((f for f in reversed(stack) if f[0] == depth), None)
        if at is None or at[1] is None:
            continue
        if kind == "possible":
            at[1].pieces[-1].append(("possible", e["methods"]))
        elif kind == "catch":
            at[1].pieces.append([])
        elif kind in ("return", "unwound") and at[2] == -1:
            at[1].open = False
    return rows


def check(table, ids, events, implied, ignored, left, cut):
    """Compares one thread; raises Wrong. `cut`: the decoded path may end early. Returns how many
    implied calls are the same, and how many were only possible."""
    decoded = decoded_rows(events, ignored)
    traced = traced_rows(table, ids, implied, ignored, left,
                         {i: row.callback for i, row in enumerate(decoded)})
    if len(decoded) > len(traced) or (len(decoded) < len(traced) and not cut):
        raise Wrong("%d activations traced, %d decoded" % (len(traced), len(decoded)))
    same = only_possible = 0
    for t, d in zip(traced, decoded):
        if t.method != d.method:
            raise Wrong("%s traced, %s decoded" % (t.method, d.method))
        unfinished = cut and d.open
        if len(d.pieces) > len(t.pieces) or (len(d.pieces) < len(t.pieces) and not unfinished):
            raise Wrong("in %s: %d calls and handlers traced, %d decoded"
                        % (t.method, len(t.pieces) - 1, len(d.pieces) - 1))
        for i, (a, b) in enumerate(zip(t.pieces, d.pieces)):
            try:
                s, p = piece(a, b, unfinished and i == len(d.pieces) - 1)
            except Wrong as w:
                raise Wrong("in %s, piece %d: %s\n  traced  %s\n"
                            "  decoded %s" % (t.method, i, w, a, b))
            same += s
            only_possible += p
    return same, only_possible


def piece(traced, decoded, cut):
    ran = [x for x in traced if x[0] == "call"]
    reported = [x for x in decoded if x[0] == "call"]
    if ran[: len(reported)] != reported:
        raise Wrong("implied calls differ")
    rest = [x for x in ran[len(reported):] if x[1] == 0]
    if len(rest) < len(ran) - len(reported) and (not rest or ran[len(reported)][1] != 0):
        raise Wrong("an implied call within an implied call is missing")
    last = max([i for i, x in enumerate(decoded) if x[0] == "call"], default=-1)
    may = [x[1] for x in decoded[last + 1:] if x[0] == "possible"]
    if rest and not cut and [x[2] for x in rest] not in [m[: len(rest)] for m in may]:
        raise Wrong("%s ran, and is not called possible" % rest[0][2])
    # Callbacks, each with the calls of this activation before it.
    before_t = [sum(y[0] == "call" and y[1] == 0 for y in traced[:i]) for i, x in enumerate(traced)
                if x[0] == "callback"]
    before_d = [(sum(y[0] == "call" and y[1] == 0 for y in decoded[:i]), decoded[i - 1] if i
                 else None) for i, x in enumerate(decoded) if x[0] == "callback"]
    if len(before_d) > len(before_t) or (len(before_d) < len(before_t) and not cut):
        raise Wrong("callbacks differ")
    for n, (least, prior) in zip(before_t, before_d):
        most = least + (len(prior[1]) if prior and prior[0] == "possible" else 0)
        if not least <= n <= most:
            raise Wrong("a callback came behind %d implied calls, decoded as behind %d to %d"
                        % (n, least, most))
    return len(reported), len(rest)


def named(paths):
    """Methods that decoded paths have as implied or as possible."""
    found = set()
    for _, _, events in paths:
        for e in events:
            if e["e"] == "enter" and e.get("via") == "implied":
                found.add(e["m"])
            elif e["e"] == "possible":
                found.update(e["methods"])
    return found


def without(events):
    """The decoded path without implied calls."""
    out, hidden = [], None
    for e in events:
        depth = e.get("depth")
        if (hidden is not None and depth is not None
            and (depth > hidden or (depth == hidden and e["e"] != "enter"))):
            if depth == hidden and e["e"] == "return":
                hidden = None
            continue
        if e["e"] == "enter" and e.get("via") == "implied":
            hidden = depth
        elif e["e"] != "possible":
            out.append(e)
    return out


def choose(table, ids_of_threads):
    """For the comparer's own test: methods that could be implied, as far as the traces show."""
    good, bad = set(), set()
    for ids in ids_of_threads:
        stack = []
        for event in ids:
            kind, method, offset, op = table.events[event]
            if kind == "enter":
                below = stack[-1] if stack else None
                target = (table.targets[below[0]].get(below[1]) if below
                          and below[1] is not None else None)
                (good if same_method(target, method) else bad).add(method)
                # What calls anything stays as it is: callbacks would have to move.
                bad.update(m for m, _ in stack[-1:])
                stack.append([method, None])
            elif kind == "at":
                stack[-1][1] = offset
                if op.startswith("return"):
                    stack.pop()
            else:
                bad.add(method)
                # The caller's handler or end would have to name what was possible.
                if kind == "unwind":
                    stack.pop()
    return good - bad


def fake(events, implied):
    """Right paths in which these methods are implied; `events` as of fake.py, with a "call" for
    each of their entries."""
    return [dict(e, via="implied") if e["e"] == "enter"
            and e["m"] in implied else e for e in events]


def seeded_errors(table, ids, events, implied, rng):
    """Kinds of errors that the check does not see in this thread; a right path must pass."""
    try:
        check(table, ids, events, implied, set(), False)
    except Wrong as w:
        return ["a right path: %s" % w], 0
    places = [i for i, e in enumerate(events) if e["e"] == "enter" and e.get("via") == "implied"]
    if not places:
        return [], 0
    unseen = []
    for kind in ("missing", "twice", "elsewhere", "another"):
        i = rng.choice(places)
        end = next(j for j in range(i, len(events)) if events[j]["e"] == "return"
                   and events[j]["depth"] == events[i]["depth"])
        wrong = list(events)
        if kind == "missing":
            del wrong[i : end + 1]
        elif kind == "twice":
            wrong[i:i] = events[i : end + 1]
        elif kind == "elsewhere":
            wrong[i] = dict(events[i], call={"pc": events[i]["call"]["pc"] + 1})
        else:
            wrong[i] = dict(events[i], m=events[i]["m"] + "x")
        try:
            check(table, ids, wrong, implied, set(), False)
            unseen.append(kind)
        except Wrong:
            pass
    return unseen, 4
