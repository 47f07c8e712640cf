"""From raw.json to tables."""

import math
import statistics
from collections import defaultdict

import workloads as w


class Table:
    """Figures by workload, variant and VM."""

    def __init__(self, raw):
        self.raw = raw
        self.cells = defaultdict(dict)   # (workload, vm, variant) -> round -> {wall, cpu, process}
        for t in raw["times"]:
            self.cells[t["workload"], t["vm"], t["variant"]][t["round"]] = t
        self.workloads = [x.name for x in w.ALL if x.name in raw["figures"]]
        self.variants = raw["variants"]

    def ratio(self, workload, vm, variant, against=w.PLAIN, kind="cpu"):
        """Median over the rounds of time ÷ time within the round; None when not measured."""
        mine, other = self.cells.get((workload, vm, variant), {}), self.cells.get((workload, vm, against), {})
        both = [mine[r][kind] / other[r][kind] for r in mine if r in other and other[r][kind]]
        return statistics.median(both) if both else None

    def time(self, workload, vm, variant, kind="cpu"):
        """Median, in ms."""
        found = [t[kind] for t in self.cells.get((workload, vm, variant), {}).values()]
        return statistics.median(found) / 1e6 if found else None

    def figure(self, workload, variant):
        return self.raw["figures"][workload].get(variant, {})

    def geomean(self, values):
        values = [v for v in values if v]
        return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def number(x, form="%.2f"):
    return "–" if x is None else form % x


def text(raw):
    """A short table for people at work: processor time against the uninstrumented run, and bytes."""
    t = Table(raw)
    vms = sorted({c[1] for c in t.cells})
    out = []
    for vm in vms:
        out.append("%s: time / uninstrumented (%s rounds)" % (vm, raw["setup"]["rounds"]))
        out.append("%-12s %9s" % ("", "plain ms") + "".join("%16s" % v for v in t.variants[1:]))
        for x in t.workloads:
            out.append("%-12s %9s" % (x, number(t.time(x, vm, w.PLAIN))) + "".join("%16s" % number(t.ratio(x, vm, v)) for v in t.variants[1:]))
        out.append("%-12s %9s" % ("geomean", "") + "".join("%16s" % number(t.geomean([t.ratio(x, vm, v) for x in t.workloads])) for v in t.variants[1:]))
        out.append("")
    out.append("bits a branch (branches of the run in the first column)")
    coded = [v for v in t.variants if w.is_coded(v)]
    for x in t.workloads:
        branches = next((t.figure(x, v)["branch"]["decisions"] for v in coded if "branch" in t.figure(x, v)), 0)
        row = "".join("%16s" % number(8 * t.figure(x, v)["bytes"] / branches if branches and "bytes" in t.figure(x, v) else None, "%.4f") for v in coded)
        out.append("%-12s %9d" % (x, branches) + row)
    out += raw["failures"]
    return "\n".join(out)


def write(raw, folder):
    """RESULTS.md, results.csv, results.svg."""
    raise NotImplementedError
