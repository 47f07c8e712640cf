#!/usr/bin/env python3
"""Judges the coverage that `pathlight report` writes.

usage: coverage.py --lcov F --jacoco F --cobertura F --real REAL --apk APK --table T --root DIR
    --genhtml COMMAND... [--counts F] TRACE...
  The sums of all three files must be equal. Hits of lines and calls of methods must be those of the
  traces (tests/harness/tracer.py) of the same sessions, never more; where an exception ended code
  they may be fewer (of 2 % at most). Of 200 lines, 199 must be covered or not as in the report of
  JaCoCo itself (REAL). Each genhtml (see genhtml.py) and JaCoCo's DTD must accept the files.
  --counts: the lcov file of a build that counts edges, for the same sessions: branches must be
  equal; where an exception or an announced call is not counted, one line of twenty and one method
  of seven may have fewer hits, and one of a hundred more.
"""

import argparse
import os
import subprocess
import tempfile
import xml.etree.ElementTree as xml

from genhtml import judged, sums as sums_of
from hits import hits

JACOCO = "/usr/share/java/org.jacoco.report.jar"


def same(what, found, wanted):
    if found != wanted:
        raise SystemExit(f"{what}: found {found}, wanted {wanted}")


def read_lcov(path):
    """Hits by file and line, calls by file and method, branches by file and place, and the sums of
    the file."""
    lines, calls, branches, sums, file = {}, {}, {}, {}, None
    for row in open(path, encoding="utf-8"):
        kind, _, rest = row.rstrip("\n").partition(":")
        if kind == "SF":
            file = os.path.basename(rest)
        elif kind == "DA":
            line, n = rest.split(",")
            lines[file, int(line)] = int(n)
        elif kind == "FNDA":
            n, name = rest.split(",", 1)
            calls[file, name] = int(n)
        elif kind == "BRDA":
            place, n = rest.rsplit(",", 1)
            branches[file, place] = n
        elif kind in ("LF", "LH", "BRF", "BRH", "FNF", "FNH"):
            sums[kind] = sums.get(kind, 0) + int(rest)
    return lines, calls, branches, sums


def totals(args, sums):
    report = xml.parse(args.jacoco).getroot()
    counters = {c.get("type"): (int(c.get("missed")), int(c.get("covered")))
                for c in report.findall("counter")}
    for kind, every, ran in (("LINE", "LF", "LH"), ("BRANCH", "BRF", "BRH"),
                             ("METHOD", "FNF", "FNH")):
        same(f"JaCoCo's {kind}", counters[kind], (sums[every] - sums[ran], sums[ran]))
    of_lines = [(n.get("ci"), n.get("cb"), n.get("mb")) for n in report.iter("line")]
    same("JaCoCo's lines", (len(of_lines), sum(ci != "0" for ci, _, _ in of_lines)),
         (sums["LF"], sums["LH"]))
    same("JaCoCo's branches", (sum(int(c) + int(m) for _, c, m in of_lines),
                               sum(int(c) for _, c, _ in of_lines)), (sums["BRF"], sums["BRH"]))
    root = xml.parse(args.cobertura).getroot()
    totals = [int(root.get(k))
              for k in ("lines-valid", "lines-covered", "branches-valid", "branches-covered")]
    same("Cobertura's sums", totals, [sums[k] for k in ("LF", "LH", "BRF", "BRH")])
    of_classes = {}
    for of in root.iter("class"):
        for n in of.findall("lines/line") + of.findall("methods/method/lines/line"):
            key, hits = (of.get("filename"), n.get("number")), int(n.get("hits"))
            same(f"Cobertura's hits of {key}", hits, of_classes.setdefault(key, hits))
    same("Cobertura's lines", (len(of_classes), sum(n > 0 for n in of_classes.values())),
         (sums["LF"], sums["LH"]))
    return (f"{sums['LH']} of {sums['LF']} lines, {sums['BRH']} of {sums['BRF']} branches, the "
            f"same in three formats")


def traced(args, lines, calls):
    called, ran = hits(args.table, args.traces, args.apk)
    same_as_real = beside(args, ran)
    wanted = {}
    for key, n in called.items():
        owner, method = key[1:].split(";->", 1)
        wanted[owner.split("/")[-1] + "." + method] = n
    # A method that the compiler made has no lines, or is left out.
    found = {name: n for (_, name), n in calls.items()}
    # What an exception left in a stretch of calls without probes is not known to have run.
    unknown = {name: (n, wanted.get(name, 0)) for name, n in found.items()
               if n != wanted.get(name, 0)}
    more = {name: pair for name, pair in unknown.items() if pair[0] > pair[1]}
    if more or len(unknown) * 50 > len(found):
        raise SystemExit(f"calls per method, found and traced: {more or unknown}")
    fewer = exact = 0
    for key, n in lines.items():
        want = ran.pop(key, 0)
        if n > want:
            raise SystemExit(f"{key}: {n} hits, traced {want}")
        fewer += n < want
        exact += n == want
    if fewer * 50 > exact:
        raise SystemExit(f"{fewer} lines have fewer hits than traced, {exact} the same")
    return (f"{len(found) - len(unknown)} methods and {exact} lines as traced, {len(unknown)} and "
            f"{fewer} with fewer hits, {len(ran)} traced lines of code that the compiler made; "
            f"{same_as_real}")


def covered(path):
    """Lines of a JaCoCo report by file: whether anything of them ran."""
    return {(f.get("name"), int(n.get("nr"))): n.get("ci") != "0"
            for f in xml.parse(path).getroot().iter("sourcefile") for n in f.findall("line")}


def beside(args, ran):
    """Covered lines of JaCoCo itself, with the class files of javac, in sessions that printed the
    same.

    What a branch-free stretch ran before an exception left it is not known to JaCoCo, and for
    certain to us as far as a call returned: so we may name lines that it does not, if the tracer
    saw them run. It leaves out some code of the source (empty private constructors, the ends of
    `synchronized` and `finally`): such lines are not compared.
    """
    found, real = covered(args.jacoco), covered(args.real)
    missing = real.keys() - found.keys()
    if missing:
        raise SystemExit(f"lines of JaCoCo that are not in the report: {sorted(missing)}")
    differ = sorted(key for key in real if found[key] != real[key])
    wrong = [key for key in differ if real[key] or ran.get(key, 0) == 0]
    if wrong or len(differ) * 200 > len(real):
        raise SystemExit(f"lines that differ from JaCoCo's: {wrong or differ}")
    of = ", ".join(f"{file}:{line}" for file, line in differ)
    return (f"{len(real) - len(differ)} of {len(real)} lines as in JaCoCo, {of or 'none'} ran by "
            f"the trace and not by it; {len(found) - len(real)} lines that it leaves out")


def counted(path, lines, calls, branches):
    """Compares what counts of edges and logs of the same sessions show."""
    of_lines, of_calls, of_branches, _ = read_lcov(path)
    apart = [key for key in branches.keys() | of_branches.keys()
             if branches.get(key) != of_branches.get(key)]
    if apart:
        raise SystemExit(f"branches that differ by counts: {sorted(apart)[:9]}")
    same("the lines of counts", of_lines.keys(), lines.keys())
    same("the methods of counts", of_calls.keys(), calls.keys())
    notes = []
    for what, by_logs, by_counts, most in (("lines", lines, of_lines, 20),
                                           ("methods", calls, of_calls, 7)):
        fewer = sorted(key for key in by_logs if by_counts[key] < by_logs[key])
        more = sorted(key for key in by_logs if by_counts[key] > by_logs[key])
        # What the platform calls inside of callbacks is not counted, if it decides nothing.
        if len(fewer) > len(by_logs) / most or len(more) > len(by_logs) / 100:
            raise SystemExit(f"{what} that differ by counts: fewer {fewer}, more {more}")
        notes.append(f"{len(by_logs) - len(fewer) - len(more)} of {len(by_logs)} {what}, "
                     f"{len(fewer)} with fewer and {len(more)} with more")
    return f"counts of edges show all {len(branches)} branches as logs do, " + ", ".join(notes)


def tools(args):
    for command in args.genhtml:
        same(f"counts of {command}", judged(command, args.lcov, args.root), sums_of(args.lcov))
    with tempfile.TemporaryDirectory() as folder:
        dtd = subprocess.run(["unzip", "-p", JACOCO, "org/jacoco/report/xml/report.dtd"],
                             check=True, capture_output=True).stdout
        file = os.path.join(folder, "report.dtd")
        open(file, "wb").write(dtd)
        subprocess.run(["xmllint", "--noout", "--nonet", "--dtdvalid", file, args.jacoco],
                       check=True, capture_output=True)
    return f"{len(args.genhtml)} versions of genhtml and JaCoCo's DTD accept them"


def main():
    p = argparse.ArgumentParser()
    for option in ("--lcov", "--jacoco", "--cobertura", "--real", "--apk", "--table", "--root"):
        p.add_argument(option, required=True)
    p.add_argument("--genhtml", action="append", required=True)
    p.add_argument("--counts")
    p.add_argument("traces", nargs="+")
    args = p.parse_args()
    lines, calls, branches, sums = read_lcov(args.lcov)
    by_counts = "; " + counted(args.counts, dict(lines), calls, branches) if args.counts else ""
    print(totals(args, sums) + "; " + traced(args, lines, calls) + "; " + tools(args) + by_counts)


if __name__ == "__main__":
    main()
