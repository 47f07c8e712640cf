#!/usr/bin/env python3
"""Judges tracefiles by every genhtml that is given: all must accept them, and count what the tracefile says.

usage: genhtml.py --root DIR --genhtml COMMAND... -- TRACEFILE...
  COMMAND is a genhtml with what it needs, as one word for the shell. Paths in the tracefiles begin in DIR. genhtml reads no tracefile of a
  source that is missing: sources of libraries, which are not in DIR, are blank lines here.
"""

import argparse
import os
import re
import subprocess
import tempfile


def sums(path):
    """What the tracefile says of lines, functions and branches: how many ran, and how many there are."""
    names = {"LH": ("line", 0), "LF": ("line", 1), "FNH": ("function", 0), "FNF": ("function", 1), "BRH": ("branch", 0), "BRF": ("branch", 1)}
    found = {"line": [0, 0], "function": [0, 0], "branch": [0, 0]}
    for row in open(path, encoding="utf-8"):
        kind, _, rest = row.partition(":")
        if kind in names:
            what, at = names[kind]
            found[what][at] += int(rest)
    # genhtml prints nothing of what is not there.
    return {what: tuple(pair) for what, pair in found.items() if pair[1]}


def sources(tracefile, root, to):
    """Links the sources of a tracefile into a folder; those that are missing are made."""
    lines = {}
    for row in open(tracefile, encoding="utf-8"):
        kind, _, rest = row.rstrip("\n").partition(":")
        if kind == "SF":
            file = lines.setdefault(rest, [0])
        elif kind == "DA":
            file[0] = max(file[0], int(rest.split(",")[0]))
    for name, (count,) in lines.items():
        path, source = os.path.join(to, name), os.path.join(root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.exists(source):
            os.symlink(os.path.abspath(source), path)
        else:
            with open(path, "w", encoding="utf-8") as blank:
                blank.write("\n" * count)


def judged(command, tracefile, root):
    """What genhtml counts."""
    with tempfile.TemporaryDirectory() as folder:
        work = os.path.join(folder, "sources")
        os.mkdir(work)
        sources(tracefile, root, work)
        call = f"{command} --branch-coverage -o {folder}/html {os.path.abspath(tracefile)}"
        ran = subprocess.run(["bash", "-c", call], cwd=work, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise SystemExit(f"{call}: exit code {ran.returncode}\n{ran.stdout}{ran.stderr}")
    if "ERROR" in ran.stdout + ran.stderr:
        raise SystemExit(f"{call}\n{ran.stdout}{ran.stderr}")
    rows = re.findall(r"\((\d+) of (\d+) (line|function|branch)", ran.stdout)
    return {what: (int(n), int(of)) for n, of, what in rows}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--root", required=True)
    p.add_argument("--genhtml", action="append", required=True)
    p.add_argument("tracefiles", nargs="+")
    args = p.parse_args()
    for tracefile in args.tracefiles:
        wanted = sums(tracefile)
        for command in args.genhtml:
            found = judged(command, tracefile, args.root)
            if found != wanted:
                raise SystemExit(f"{command}: {tracefile}: found {found}, wanted {wanted}")
    print(f"{len(args.genhtml)} versions of genhtml count what {len(args.tracefiles)} tracefiles say")


if __name__ == "__main__":
    main()
