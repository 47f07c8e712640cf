"""What was to be reached, and whether it is."""

import workloads as w


def lines(t):
    """The table of goals; a goal that was not measured is marked as such."""
    yield "## Goals"
    yield ""
    yield "| | goal | measured | |"
    yield "|---|---|---|---|"
    for what, goal, value, form, note in checks(t):
        if value is None:
            yield "| %s | %s | not measured | %s |" % (what, goal_text(goal), note)
            continue
        verdict = "holds" if value <= goal else "**missed by %.0f %%**" % (100 * (value / goal - 1))
        if value > goal and value / goal - 1 < 0.01:
            verdict = "**missed by %.2f %%**" % (100 * (value / goal - 1))
        yield "| %s | %s | %s%s | %s |" % (what, goal_text(goal), form % value,
                                           " " + note if note else "", verdict)
    yield ""


def goal_text(goal):
    return "≤ %s ×" % goal


def checks(t):
    """(what, at most, measured, form, note)"""
    every = t.workloads
    against = [v for v in (t.ratio(x, "jit", "arith", "pap") for x in every) if v]
    sizes = [t.figure(x, "arith").get("bytes", 0) / t.figure(x, "pap")["bytes"] for x in every
             if t.figure(x, "pap").get("bytes")]
    yield ("log of `arith` (trained on another run) against `pap`, median", 0.35, t.median(sizes),
           "%.3f", worst_of(t, sizes))
    yield ("time of `arith` against `pap`, JIT, median", 1.0, t.median(against), "%.3f",
           worst_of(t, against))
    times = {x: t.ratio(x, "jit", "arith") for x in every}
    times = {x: r for x, r in times.items() if r}
    yield ("time of `arith` against uninstrumented, JIT, geometric mean", 1.65,
           t.geomean(list(times.values())), "%.3f", "")
    worst = max(times, key=times.get, default=None)
    above = sum(r > 2.5 for r in times.values())
    yield ("the same, slowest workload", 2.5, times.get(worst), "%.2f",
           "(%s; %d of %d above)" % (worst, above, len(times)) if worst else "")
    slow = [v for v in (t.ratio(x, "int", "arith") for x in every) if v]
    yield ("time of `arith` against uninstrumented, interpreter, geometric mean", 2.7,
           t.geomean(slow) if slow else None, "%.3f", "")
    coverage = [v for v in (t.ratio(x, "jit", "arith", w.JACOCO) for x in every) if v]
    yield ("time of `arith` against JaCoCo, JIT, geometric mean", 1.03, t.geomean(coverage), "%.3f",
           "")
    floor = [t.to_floor(x, "arith", "order0") for x in every]
    floor = [v for v in floor if v]
    yield ("coded bits of `arith` (trained on another run) against the order-0 floor, median",
           1.005, t.median(floor), "%.4f", worst_of(t, floor))
    same = [t.to_floor(x, "arith", "order0", "bytes_same_run") for x in every]
    same = [v for v in same if v]
    yield ("the same, trained on the same run (what the coder itself loses), median", 1.005,
           t.median(same), "%.4f", worst_of(t, same))
    for v in t.variants:
        if v.startswith("arith-adaptive"):
            yield ("`%s` against the order-0 floor where phases change (`phases`)" % v, 1.0,
                   t.to_floor("phases", v, "order0") if "phases" in every else None, "%.3f", "")
    settings = t.raw.get("settings", {})
    yield "dex growth of `arith`, io.appium.settings", 1.27, settings.get("arith"), "%.3f", ""


def worst_of(t, values):
    return "(%.3f to %.3f)" % (min(values), max(values)) if values else ""
