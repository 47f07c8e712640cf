"""From raw.json to tables."""

import csv
import io
import math
import os
import statistics
import textwrap
from collections import defaultdict

import goals
import plot
import workloads as w

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = {"jit14": "JIT of ART 14", "aot14": "ART 14 ahead of time", "nterp14": "nterp of ART 14",
         "jit": "JIT", "int": "interpreter", "hotspot": "HotSpot"}


class Table:
    """Figures by workload, variant and VM."""

    def __init__(self, raw):
        self.raw = raw
        self.cells = defaultdict(dict)   # (workload, vm, variant) -> round -> {wall, cpu, process}
        for t in raw["times"]:
            self.cells[t["workload"], t["vm"], t["variant"]][t["round"]] = t
        self.workloads = [x.name for x in w.ALL if x.name in raw["figures"]]
        self.variants = raw["variants"]
        present = {c[1] for c in self.cells}
        self.vms = [vm for vm in NAMES if vm in present]

    def ratio(self, workload, vm, variant, against=w.PLAIN, kind="cpu"):
        """Median over the rounds of time ÷ time within the round; None when not measured."""
        mine, other = (self.cells.get((workload, vm, variant), {}),
                       self.cells.get((workload, vm, against), {}))
        both = [mine[r][kind] / other[r][kind] for r in mine if r in other and other[r][kind]]
        return statistics.median(both) if both else None

    def time(self, workload, vm, variant, kind="cpu"):
        """Median, in ms."""
        found = [t[kind] for t in self.cells.get((workload, vm, variant), {}).values()]
        return statistics.median(found) / 1e6 if found else None

    def figure(self, workload, variant):
        return self.raw["figures"][workload].get(variant, {})

    def floors(self, workload):
        """Decisions and their entropies; taken from a log of `arith`."""
        return next((f["floors"] for f in self.raw["figures"][workload].values() if "floors" in f),
                    {})

    def branches(self, workload):
        """Branch decisions of the run whose log was measured."""
        found = self.raw["figures"][workload].values()
        return next((f["branch"]["decisions"] for f in found if "floors" in f), None)

    def bits(self, workload, variant):
        """Bits of the log for each branch decision."""
        size, branches = self.figure(workload, variant).get("bytes"), self.branches(workload)
        return 8 * size / branches if size is not None and branches else None

    def to_floor(self, workload, variant, order, size="bytes"):
        """Bits of the log ÷ an entropy of the run's decisions."""
        size, floor = self.figure(workload, variant).get(size), self.floors(workload).get(order)
        return 8 * size / floor if size is not None and floor else None

    def added(self, workload, variant):
        """Nanoseconds that a variant adds for each branch decision, on the JIT. The log was that of
        two repetitions."""
        mine, plain, branches = (self.time(workload, "jit", variant),
                                 self.time(workload, "jit", w.PLAIN), self.branches(workload))
        return (mine - plain) * 1e6 / (branches / 2) if mine and plain and branches else None

    def growth(self, workload, variant):
        """Bytes of dex ÷ those of the uninstrumented."""
        mine, plain = self.figure(workload,
                                  variant).get("dex"), self.figure(workload, w.PLAIN).get("dex")
        return mine / plain if mine and plain else None

    @staticmethod
    def median(values):
        values = [v for v in values if v is not None]
        return statistics.median(values) if values else None

    @staticmethod
    def geomean(values):
        values = [v for v in values if v]
        return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def number(x, form="%.2f"):
    return "–" if x is None else form % x


def text(raw):
    """A short table for people at work: processor time against the uninstrumented run, and
    bytes."""
    t = Table(raw)
    vms = sorted({c[1] for c in t.cells})
    out = []
    for vm in vms:
        out.append("%s: time / uninstrumented (%s rounds)" % (vm, raw["setup"]["rounds"].get(vm)))
        out.append("%-12s %9s" % ("", "plain ms") + "".join("%21s" % v for v in t.variants[1:]))
        for x in t.workloads:
            out.append("%-12s %9s" % (x, number(t.time(x, vm, w.PLAIN)))
                       + "".join("%21s" % number(t.ratio(x, vm, v)) for v in t.variants[1:]))
        out.append("%-12s %9s" % ("geomean", "")
                   + "".join("%21s" % number(t.geomean([t.ratio(x, vm, v) for x in t.workloads]))
                             for v in t.variants[1:]))
        out.append("")
    out.append("bits a branch (branches of the run in the first column)")
    coded = [v for v in t.variants if w.is_coded(v)]
    out.append("%-12s %9s" % ("", "") + "".join("%21s" % v for v in coded))
    for x in t.workloads:
        out.append("%-12s %9s" % (x, t.branches(x))
                   + "".join("%21s" % number(t.bits(x, v), "%.4f") for v in coded))
    out += raw["failures"]
    return "\n".join(out)


def write(raw, folder):
    """RESULTS.md, results.csv, results.svg."""
    t = Table(raw)
    for name, content in (("RESULTS.md", markdown(t)), ("results.csv", table_csv(t)),
                          ("results.svg", plot.svg(t))):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(content)


def figures_csv(raw):
    """What results.csv has."""
    return table_csv(Table(raw))


def ratios_csv(raw):
    """A row for each workload, a cell for each VM: the ratios of all variants."""
    t = Table(raw)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    versions = {"jit": " of ART 10", "int": " of ART 10"}
    writer.writerow(["workload", *(NAMES[vm] + versions.get(vm, "") for vm in t.vms)])

    def row(name, ratio):
        cells = [" / ".join(number(ratio(vm, v)) for v in t.variants[1:]) for vm in t.vms]
        writer.writerow([name, *cells])

    for x in t.workloads:
        row(x, lambda vm, v, x=x: t.ratio(x, vm, v))
    for name, group in (("kernels", w.KERNELS), ("libraries", w.LIBRARIES), ("all", w.ALL)):
        names = {x.name for x in group}
        row(name + " (geometric mean)", lambda vm, v, names=names: t.geomean(
            [t.ratio(x, vm, v) for x in t.workloads if x in names]))
    return out.getvalue()


def rows(t):
    """One dictionary for each workload and variant."""
    for x in t.workloads:
        for v in t.variants:
            f = t.figure(x, v)
            if not f:
                continue
            row = {"workload": x, "variant": v}
            for vm in t.vms:
                row[vm + "_cpu_ms"] = t.time(x, vm, v)
                row[vm + "_time_ratio"] = t.ratio(x, vm, v)
                row[vm + "_clock_ratio"] = t.ratio(x, vm, v, kind="wall")
                row[vm + "_process_ratio"] = t.ratio(x, vm, v, kind="process")
            row["branches"] = t.branches(x)
            row["decisions"] = t.floors(x).get("decisions")
            row["jit_ns_added_per_branch"] = t.added(x, v)
            row["announced_calls"] = f.get("announced")
            row["log_bytes"] = f.get("bytes")
            row["bits_per_branch"] = t.bits(x, v)
            row["to_order0"] = t.to_floor(x, v, "order0")
            row["to_order8"] = t.to_floor(x, v, "order8")
            row["dex_bytes"] = f.get("dex")
            row["dex_growth"] = t.growth(x, v)
            yield row


def table_csv(t):
    out = io.StringIO()
    found = list(rows(t))
    if found:
        writer = csv.DictWriter(out, list(found[0]), lineterminator="\n")
        writer.writeheader()
        for r in found:
            writer.writerow({k: round(x, 5) if isinstance(x, float) else x for k, x in r.items()})
    return out.getvalue()


def markdown(t):
    lines = [*head(t), *goals.lines(t), *causes(t), *summary(t), *steps(), *whole(t), *setup(t)]
    return "\n".join(wrapped(lines)) + "\n"


def wrapped(lines):
    """Breaks paragraphs and list items at 100 columns; tables, headings and code stay."""
    for line in lines:
        if line.startswith(("|", "#", "!", "    ")) or not line:
            yield line
        else:
            rest = "  " if line.startswith("- ") else ""
            yield from textwrap.wrap(line, 100, subsequent_indent=rest, break_long_words=False,
                                     break_on_hyphens=False)


def head(t):
    s = t.raw["setup"]
    yield "# Results of the bench"
    yield ""
    yield "    cargo xtask bench run " + " ".join(shown(s["arguments"]))
    yield ""
    yield "%s, commit %s%s; %s, %d cores; %d minutes; rounds: %s. %s" % (
        s["date"], s["commit"], " with changes" if s["dirty"] else "", s["machine"], s["cpus"],
        round(s["seconds"] / 60),
        ", ".join("%d on the %s" % (n, NAMES[vm]) if vm != "hotspot" else "%d on HotSpot" % n
                  for vm, n in s["rounds"].items()), s["note"])
    yield ("Rounds, variants and how time is taken: [README.md](README.md). All figures: "
           "[results.csv](results.csv).")
    yield ""
    missing = [n for vm, n in NAMES.items() if vm not in t.vms]
    if missing:
        yield "**Not measured in this run**: %s (`--add` adds it to a run)." % ", ".join(missing)
        yield ""
    yield "![time and bits, by workload and variant](results.svg)"
    yield ""
    for f in t.raw["failures"]:
        yield "- **Failed**: " + " ".join(f.split())[:300]
    if t.raw["failures"]:
        yield ""


def shown(arguments):
    """Without places on this machine."""
    skip = False
    for a in arguments:
        if skip:
            skip = False
        elif a in ("--work", "--scratch", "--note"):
            skip = True
        elif a == "--out":
            skip = True
            yield "--out bench"
        elif a == "--settings-apk":
            skip = True
            yield "--settings-apk io.appium.settings.apk"
        else:
            yield a


def summary(t):
    yield "## All workloads together"
    yield ""
    yield ("Time ÷ uninstrumented: geometric mean (worst workload). Log figures and dex growth: "
           "medians. JaCoCo records a set without order.")
    yield ""
    yield ("| variant | %s | JIT: ns added a branch | bits a branch | ÷ order-0 floor | ÷ order-8 "
           "floor | dex growth: kernels | libraries |" % " | ".join(NAMES[vm] for vm in t.vms))
    yield "|---|%s---|---|---|---|---|---|" % ("---|" * len(t.vms))
    for v in t.variants[1:]:
        cells = []
        for vm in t.vms:
            found = [r for r in (t.ratio(x, vm, v) for x in t.workloads) if r]
            cells.append("%.2f (%.2f)" % (t.geomean(found), max(found)) if found else "–")
        cells.append(number(t.median(t.added(x, v) for x in t.workloads), "%.1f"))
        cells.append(number(t.median(t.bits(x, v) for x in t.workloads), "%.3f"))
        cells += [number(t.median(t.to_floor(x, v, o) for x in t.workloads), "%.3f")
                  for o in ("order0", "order8")]
        for group in (w.KERNELS, w.LIBRARIES):
            names = {x.name for x in group}
            cells.append(number(t.median(t.growth(x, v) for x in t.workloads if x in names)))
        yield "| %s | %s |" % (v, " | ".join(cells))
    yield ""


def steps():
    """Paragraph of RESULTS.md about bench/steps.csv, which has another command and is kept by
    hand."""
    with open(os.path.join(HERE, "RESULTS.md"), encoding="utf-8") as f:
        text = f.read()
    begin = text.index("## Steps\n")
    for block in text[begin:text.index("\n## ", begin)].rstrip("\n").split("\n\n"):
        # Paragraphs are wrapped anew.
        lines = block.split("\n")
        yield from lines if block.startswith(("#", " ", "|", "<!--")) else [" ".join(lines)]
        yield ""


def whole(t):
    yield "## Every workload"
    yield ""
    yield ("Time ÷ uninstrumented (plain: processor ms per repetition). The log is that of two "
           "repetitions at the JIT's size, the same work for every variant. Floors are those of "
           "its decisions (branches, and calls with several possible targets). Growth includes the "
           "runtime of each tool, which outweighs a small kernel.")
    yield ""
    yield ("| workload | variant | %s | bits a branch | ÷ order-0 | ÷ order-8 | log bytes | dex "
           "growth |" % " | ".join(NAMES[vm] for vm in t.vms))
    yield "|---|---|%s---|---|---|---|---|" % ("---|" * len(t.vms))
    for r in rows(t):
        plain = r["variant"] == w.PLAIN
        cells = [number(r[vm + "_cpu_ms"], "%.1f ms") if plain else number(r[vm + "_time_ratio"])
                 for vm in t.vms]
        cells += [number(r["bits_per_branch"], "%.4f"), number(r["to_order0"], "%.3f"),
                  number(r["to_order8"], "%.3f")]
        cells.append("%d branches" % r["branches"] if plain
                     and r["branches"] else "–" if r["log_bytes"] is None else str(r["log_bytes"]))
        cells.append("%d bytes" % r["dex_bytes"] if plain else number(r["dex_growth"]))
        yield "| %s | %s | %s |" % ("**%s**" % r["workload"] if plain else "", r["variant"],
                                    " | ".join(cells))
    yield ""


def causes(t):
    """Why some goals are missed, as far as the figures show it."""
    yield "### Why goals are missed"
    yield ""
    slow = [(t.ratio(x, "jit", "arith"), x) for x in t.workloads]
    slow = sorted((p for p in slow if p[0] and p[0] > 2.5), reverse=True)
    if slow:
        added = ", ".join("%s %.1f" % (x, t.added(x, "arith")) for _, x in slow)
        yield ("- **Above 2.5 × on the JIT with `arith`**: "
               + ", ".join("%s %.2f" % (x, r) for r, x in slow)
               + ". These have short methods that branch and are called often (JaCoCo is also "
               "slow there), or loops with several decisions per"
               + " nanosecond. `arith` adds, in ns per branch decision: " + added + ".")
        if any(x == "rhino" for _, x in slow):
            yield ("- **rhino**: `Interpreter.interpretLoop` has 7,610 code units, 9,980 with "
                   "probes of `arith`, 10,914 with those of JaCoCo. ART compiles no method above "
                   "10,000, so it interprets JaCoCo's.")
    over = [(t.to_floor(x, "arith", "order0"), x) for x in t.workloads]
    over = sorted((p for p in over if p[0] and p[0] > 1.005), reverse=True)
    if over:
        calls = ", ".join("%s %.3f (%d announced calls)"
                          % (x, r, t.figure(x, "arith").get("announced", 0)) for r, x in over)
        yield ("- **Above the order-0 floor by more than 0.5 % with `arith`**: " + calls
               + ", in the log of two repetitions. An announced call (a library calls back, a "
               "class initialises) costs an escape; the floor counts decisions only. With few "
               "announced calls, the model is the cause: it comes from another run, with another "
               "seed and size. Ratios below 1 come from counted loops, whose count is one symbol.")
    yield ("- **`pap`** is the baseline as docs/PROTOCOL.md, section 10, defines it: it writes a "
           "number for every activation that branches, with its frame. Programs with many short "
           "calls pay for that; loops without calls take about one bit a branch. So the ratio to "
           "`pap` depends on calls as much as on coding; compare with `huffman` and "
           "`arith-untrained`.")
    yield ""


def setup(t):
    s = t.raw["setup"]
    yield "## Conditions"
    yield ""
    yield ("- Load of the machine (15 minutes' average at the end): %s on %d cores; %d workloads "
           "measured at a time." % (s["load"], s["cpus"], s["parallel"]))
    yield ("- Time is the processor time of the working thread. `none` (reassembled without "
           "probes) shows the error of that.")
    yield ("- Order-8 floor: empirical entropy given the site and the thread's last eight "
           "decisions; learning is free there, so no real coder reaches it.")
    yield ("- `pathlight train` decoded the logs of these figures to their end, and the first log "
           "of every variant on the interpreter and HotSpot. Every run had the result of the "
           "uninstrumented program.")
    yield "- %s; %s." % (s["java"], "D8 " + s.get("d8", "?"))
    yield ""
    yield "| Debian package | version | licence |"
    yield "|---|---|---|"
    for p, version in sorted(s["packages"].items()):
        yield "| %s | %s | %s |" % (p, version, w.LICENCES[p])
