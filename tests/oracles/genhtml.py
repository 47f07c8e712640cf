#!/usr/bin/env python3
"""Judges tracefiles by several versions of genhtml: each must accept them and count the same.

usage: genhtml.py --root DIR --genhtml COMMAND... -- TRACEFILE...
  COMMAND is a genhtml with its options, as one word for the shell. Paths in the tracefiles are
  relative to DIR. genhtml refuses a tracefile whose sources are missing: sources of libraries,
  which are not in DIR, are files of blank lines here.
"""

import argparse
import os
import re
import subprocess
import tempfile


def sums(path):
    """Sums a tracefile: of lines, functions and branches, the number that ran and of all."""
    names = {
        "LH": ("line", 0),
        "LF": ("line", 1),
        "FNH": ("function", 0),
        "FNF": ("function", 1),
        "BRH": ("branch", 0),
        "BRF": ("branch", 1),
    }
    found = {"line": [0, 0], "function": [0, 0], "branch": [0, 0]}
    for row in open(path, encoding="utf-8"):
        kind, _, rest = row.partition(":")
        if kind in names:
            subject, column = names[kind]
            found[subject][column] += int(rest)
    # genhtml prints no figure of a subject without entries.
    return {subject: tuple(pair) for subject, pair in found.items() if pair[1]}


def sources(tracefile, root, to):
    """Links the sources of a tracefile into a folder; missing ones become blank files."""
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
    """Returns the counts that genhtml prints."""
    with tempfile.TemporaryDirectory() as folder:
        work = os.path.join(folder, "sources")
        os.mkdir(work)
        sources(tracefile, root, work)
        call = f"{command} --branch-coverage -o {folder}/html {os.path.abspath(tracefile)}"
        shell = ["bash", "-c", call]
        ran = subprocess.run(shell, cwd=work, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise SystemExit(f"{call}: exit code {ran.returncode}\n{ran.stdout}{ran.stderr}")
    if "ERROR" in ran.stdout + ran.stderr:
        raise SystemExit(f"{call}\n{ran.stdout}{ran.stderr}")
    rows = re.findall(r"\((\d+) of (\d+) (line|function|branch)", ran.stdout)
    return {subject: (int(count), int(total)) for count, total, subject in rows}


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
    versions, files = len(args.genhtml), len(args.tracefiles)
    print(f"{versions} versions of genhtml count the same as {files} tracefiles")


if __name__ == "__main__":
    main()
