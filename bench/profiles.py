#!/usr/bin/env python3
"""Shares of the paths of all fixtures that follow from counts of edges: cargo xtask bench profiles

Each fixture runs twice on ART's interpreter: with `--profile trace`, for `analyse`, and with
`--profile edges`, whose cells of regions must lie within the bounds that the counts of their ways
give (tests/examples/region_cells.rs): else the script ends with an error. Writes
bench/profiles.csv.
"""

import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

from harness import vm

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
FIXTURES = os.path.join(ROOT, "tests", "truth", "fixtures")
APPS = os.path.join(ROOT, "android-fixtures")
SESSIONS = (("tether", (1, 2, 3)), ("notes", (1, 2, 3)), ("kernels", (1,)))
TIMEOUT = 300
CELLS = re.compile(r"(\d+) paths of regions in their bounds, (\d+) exact; (\d+) of (\d+) "
                   r"passes definite; (\d+) methods")


def call(*command, **more):
    p = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                       errors="replace", timeout=TIMEOUT, **more)
    if p.returncode:
        sys.exit("%s: exit %d\n%s" % (" ".join(command)[:300], p.returncode,
                                      (p.stdout + p.stderr)[-2000:]))
    return p.stdout


def program(source, native, parts, logs):
    """A fixture of tests/truth; it may end with any exit code."""
    got, err = vm.run_vm("int", parts, "-Dpathlight.dir=" + logs, *native)
    if not glob.glob(logs + "/*"):
        sys.exit("%s wrote nothing: %s" % (source, err[-500:]))


def app(name, seeds, apk, logs):
    """Sessions of an Android fixture, as xtask/src/fixtures/session.rs plays them."""
    folder = os.path.join(APPS, name)
    components, main = (os.path.join(folder, "components.txt"),
                        os.path.join(folder, "main-class.txt"))
    what = ["fixture.driver.Driver",
            components] if os.path.exists(components) else [open(main).read().strip()]
    for seed in seeds:
        call(os.path.join(vm.ART, "bin", "dalvikvm"), "-Dpathlight.dir=" + logs, "-cp",
             apk + ":" + os.path.join(APPS, "stubs/prebuilt/host.dex"), *what, str(seed))


def row(name, tools, work, code, arguments, play):
    """One fixture: both builds, both runs."""
    pathlight, cells = tools
    analysed = {}
    for profile in ("trace", "edges"):
        out, plmap, logs = (os.path.join(work, profile + e)
                            for e in (os.path.splitext(code)[1], ".plmap", ".logs"))
        os.makedirs(logs)
        call(pathlight, "instrument", "--force", code, "-o", out, "--map", plmap, "--profile",
             profile, *arguments)
        play(out, logs)
        files = sorted(glob.glob(logs + "/*"))
        if profile == "trace":
            p = subprocess.run([pathlight, "analyse", "--map", plmap, "--json", *files],
                               capture_output=True, text=True, timeout=TIMEOUT)
            # It also fails where a record is refused, which some fixtures are for.
            analysed = json.loads(p.stdout)
        else:
            seen = [int(n) for n in CELLS.match(call(cells, plmap, *files)).groups()]
    share = lambda part, all: "%.1f" % (100 * part / all) if all else "–"
    cut = sum(m["truncation"]["exceptions"] + m["truncation"]["log_end"]
              + m["truncation"]["overwritten"] for m in analysed["methods"])
    compared, exact, definite, passes, unknown = seen
    return [name, analysed["passes"], share(analysed["definite"], analysed["passes"]),
            "%.3f" % analysed["lost_bits"], share(cut, analysed["passes"] + cut), compared, exact,
            passes, share(definite, passes), unknown]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="fixtures; all without any")
    a = parser.parse_args()
    tools = os.environ["PATHLIGHT"], os.environ["REGION_CELLS"]
    rows = ["fixture,passes,definite %,bits lost,cut %,paths of regions,told exactly,their "
            "passes,definite % of these,methods unknown".split(",")]
    for name, seeds in SESSIONS:
        if a.names and name not in a.names:
            continue
        with tempfile.TemporaryDirectory(prefix="profiles-") as work:
            code = os.path.join(APPS, name, "prebuilt", name + ".apk")
            rows.append(row(name, tools, work, code,
                            [], lambda out, logs: app(name, seeds, out, logs)))
            print(*rows[-1], sep=",", flush=True)
    for name in sorted(os.listdir(FIXTURES)):
        if a.names and name not in a.names:
            continue
        source = os.path.join(FIXTURES, name)
        with tempfile.TemporaryDirectory(prefix="profiles-") as work:
            native = vm.compile_native(source, work)
            given = os.path.join(source, "instrument-args")
            arguments = open(given).read().split() if os.path.exists(given) else []

            def play(out, logs):
                parts = ":".join([out] + sorted(glob.glob(os.path.splitext(out)[0] + ".*.dex")))
                program(source, native, parts, logs)

            rows.append(row(name, tools, work, source + "/program.dex", arguments, play))
            print(*rows[-1], sep=",", flush=True)
    if not a.names:
        with open(os.path.join(HERE, "profiles.csv"), "w") as f:
            f.write("".join(",".join(map(str, r)) + "\n" for r in rows))


if __name__ == "__main__":
    main()
