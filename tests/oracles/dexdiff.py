#!/usr/bin/env python3
"""Compares the contents of two dex files or APKs, class by class, as Debian's dexdump reads them.

usage: dexdiff.py [--classes N] [--lines N] [--only REGEX] ORIGINAL REWRITTEN

Compared: class data, fields with their initial values, annotations, every instruction with its
registers and operands (the bytes of switch tables and array data, which dexdump does not print, are
read at the place it names), try ranges and handlers, line tables, locals, call sites and method
handles. Left out: what a rewriter may change without changing the meaning, namely file offsets,
checksums, indices into the pools, the order of classes, the order of locals that dexdump prints as
their ranges end, and which dex of an APK holds a class. Not visible to dexdump, so not compared:
the low digits of float constants in field values and annotations, and the prologue marks of debug
info.

Exit status: 0 the same, 1 different (the classes are listed, with the first lines that differ), 2 a
file cannot be read.
"""
import argparse
import difflib
import hashlib
import mmap
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

BLOCK = 1 << 22
# Everything that carries an offset or a pool index, and what stays of it. Each pattern starts with
# a literal, which makes the search fast: half a gigabyte of text passes through here for a large
# app.
NOISE = [
    # file offset and raw code units before an instruction
    (re.compile(rb"\n[0-9a-f]{6,8}: [0-9a-f. ]*\|(?:\[[0-9a-f]+\])?"), rb"\n|"),
    (re.compile(rb" // (?:(?:method|type|field|string|call_site|method_handle|proto)@[0-9a-f]+(?:, "
                rb")?)+(?=\n)"), rb""),
    (re.compile(rb"(\nAnnotations on (?:field|method)) #\d+"), rb"\1"),
    (re.compile(rb"(\n  source_file_idx   :) -?\d+"), rb"\1"),
    (re.compile(rb"(Call site #\d+:) // offset \d+"), rb"\1"),
]
PAYLOAD = re.compile(rb"\n([0-9a-f]{6,8}): [^|\n]*(\|[0-9a-f]+: "
                     rb"(?:packed-switch|sparse-switch|array)-data \((\d+) units\))")
LOCALS = re.compile(rb"\n      locals        : \n((?:        0x[0-9a-f]+ - .*\n){2,})")
DESCRIPTOR = re.compile(rb"^  Class descriptor  : '(.*)'$", re.M)
TAIL = re.compile(rb"^(?:Method handle|Call site) #", re.M)
OUTS = re.compile(rb"\n      outs          : \d+")
IGNORE_OUTS = "--ignore-outs" in sys.argv
REST = b"(call sites and method handles)"


class Unreadable(Exception):
    """dexdump, or we, cannot read a file."""


def normalise(piece, data):
    """One class as text without offsets and indices; `data` is the dex file, for what dexdump
    leaves out."""
    if b"-data (" in piece:
        def payload(m):
            at = int(m.group(1), 16)
            return b"\n" + m.group(2) + b" " + data[at:at + 2 * int(m.group(3))].hex().encode()

        piece = PAYLOAD.sub(payload, piece)
    piece = b"\n" + piece.strip(b"\n") + b"\n"
    for pattern, kept in NOISE:
        piece = pattern.sub(kept, piece)
    if IGNORE_OUTS:
        piece = OUTS.sub(b"", piece)
    return LOCALS.sub(lambda m: b"\n      locals        : \n"
                      + b"".join(sorted(m.group(1).splitlines(True))), piece)


def pieces(dex):
    """(class descriptor, its part of the dump) for each class, and the rest at the end."""
    with tempfile.TemporaryFile() as err:
        p = subprocess.Popen(["dexdump", "-d", "-a", "-f", "-l", "plain", str(dex)],
                             stdout=subprocess.PIPE, stderr=err)
        pending, annotations, header = b"", b"", True
        while True:
            block = p.stdout.read(BLOCK)
            parts = (pending + block).split(b"\nClass #")
            pending = b"" if not block else parts.pop()
            if header and parts:
                parts.pop(0)
                header = False
            for part in parts:
                number, _, text = part.partition(b" ")
                if text.startswith(b"annotations:"):
                    annotations = text
                    continue
                tail = TAIL.search(text) if not block else None
                if tail:
                    text, rest = text[:tail.start()], text[tail.start():]
                yield DESCRIPTOR.search(text).group(1), annotations + b"\n" + text
                annotations = b""
                if tail:
                    yield REST, rest
            if not block:
                break
        if p.wait() != 0:
            err.seek(0)
            complaint = err.read().decode(errors="replace").strip().splitlines()
            raise Unreadable(f"dexdump refuses {dex}: "
                             f"{complaint[-1] if complaint else p.returncode}")


def digests(dex, wanted=None):
    """Per class its digest, or (when `wanted` names classes) the text itself."""
    result = []
    with open(dex, "rb") as f, mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for name, piece in pieces(dex):
            if wanted is None:
                result.append((name,
                               hashlib.blake2b(normalise(piece, data), digest_size=16).digest()))
            elif name in wanted:
                result.append((name, normalise(piece, data)))
    return result


def unpack(path, folder):
    """The dex files of an APK, jar or zip, or the dex file itself."""
    with open(path, "rb") as f:
        magic = f.read(4)
    if magic == b"dex\n":
        return [Path(path)]
    found = []
    try:
        with zipfile.ZipFile(path) as z:
            for name in sorted(z.namelist()):
                if re.fullmatch(r"classes\d*\.dex", name):
                    out = Path(folder) / name
                    out.write_bytes(z.read(name))
                    found.append(out)
    except zipfile.BadZipFile as e:
        raise Unreadable(f"{path}: {e}") from e
    if not found:
        raise Unreadable(f"{path}: no dex file in it")
    return found


def gather(lists):
    """Key: descriptor and how often it came before (a class may be there twice)."""
    out = {}
    for entries in lists:
        for name, value in entries:
            n = 0
            while (name, n) in out:
                n += 1
            out[(name, n)] = value
    return out


def main():
    a = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("original")
    a.add_argument("rewritten")
    a.add_argument("--classes", type=int, default=5,
                   help="how many differing classes to show in detail")
    a.add_argument("--lines", type=int, default=30, help="how many lines of each")
    a.add_argument("--ignore-outs", action="store_true",
                   help="leave out outs_size, which compilers set larger than needed")
    a.add_argument("--only",
                   help="compare only classes whose descriptor matches this regular expression")
    args = a.parse_args()
    with tempfile.TemporaryDirectory() as tmp:
        sides = []
        for i, path in enumerate((args.original, args.rewritten)):
            folder = Path(tmp) / str(i)
            folder.mkdir()
            sides.append(unpack(path, folder))
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            runs = [list(side) for side in sides]
            # Largest first, so that no core waits long at the end.
            order = sorted(((i, k) for i in (0, 1) for k in range(len(runs[i]))),
                           key=lambda t: -os.path.getsize(runs[t[0]][t[1]]))
            futures = {t: pool.submit(digests, runs[t[0]][t[1]]) for t in order}
            before, after = (gather(futures[(i, k)].result() for k in range(len(runs[i])))
                             for i in (0, 1))
        if args.only:
            keep = re.compile(args.only.encode())
            before, after = ({k: v for k, v in side.items() if keep.search(k[0])}
                             for side in (before, after))
        missing = sorted(before.keys() - after.keys())
        added = sorted(after.keys() - before.keys())
        changed = sorted(k for k in before.keys() & after.keys() if before[k] != after[k])
        for what, keys in (("missing", missing), ("added", added), ("differs", changed)):
            for name, n in keys:
                print(f"{what}: {name.decode(errors='replace')}"
                      + (f" (copy {n + 1})" if n else ""))
        shown = changed[: args.classes]
        if shown:
            wanted = {name for name, _ in shown}
            texts = [gather(digests(d, wanted) for d in side) for side in sides]
            for key in shown:
                x, y = (t[key].decode(errors="backslashreplace").splitlines() for t in texts)
                lines = [l for l in difflib.unified_diff(x, y, "original", "rewritten", lineterm="",
                                                         n=2)]
                print(f"\n== {key[0].decode(errors='replace')}")
                print("\n".join(lines[: args.lines]) + ("\n…" if len(lines) > args.lines else ""))
        print(f"{len(before)} classes before, {len(after)} after: {len(changed)} differ, "
              f"{len(missing)} missing, {len(added)} added")
        return 1 if missing or added or changed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Unreadable, OSError) as e:
        print(f"dexdiff: {e}", file=sys.stderr)
        sys.exit(2)
