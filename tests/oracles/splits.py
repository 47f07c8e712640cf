#!/usr/bin/env python3
"""Judges the packages of a split app that `pathlight instrument` wrote.

usage: splits.py BEFORE AFTER DEX [--same-key]
  BEFORE, AFTER: folders or archives with the same packages. All of AFTER must verify by apksigner,
  with one certificate, which is none of BEFORE's (--same-key: which is theirs).
  Entries other than DEX files and signatures must be as before. The DEX files of AFTER go to the
  folder DEX, the base's first.
"""

import os
import re
import subprocess
import sys
import tempfile
import zipfile

SIGNATURE = re.compile(r"META-INF/(MANIFEST\.MF|[^/]*\.(SF|RSA))")
DEX = re.compile(r"classes\d*\.dex")


def packages(path):
    """{name: bytes}, and the archive's other entries."""
    if os.path.isdir(path):
        return {n: open(os.path.join(path, n), "rb").read() for n in os.listdir(path)}, {}
    with zipfile.ZipFile(path) as z:
        entries = {n: z.read(n) for n in z.namelist()}
    inner = {n: b for n, b in entries.items() if n.endswith(".apk")}
    return inner, {n: b for n, b in entries.items() if n not in inner}


def certificate(content):
    with tempfile.NamedTemporaryFile(suffix=".apk") as f:
        f.write(content)
        f.flush()
        verdict = subprocess.run(["apksigner", "verify", "--print-certs", "--min-sdk-version", "21",
                               f.name], capture_output=True, text=True, check=True)
    return re.search(r"certificate SHA-256 digest: (\w+)", verdict.stdout).group(1)


def entries(folder, name, content):
    path = os.path.join(folder, name.replace("/", "-"))
    open(path, "wb").write(content)
    with zipfile.ZipFile(path) as z:
        return {i.filename: z.read(i) for i in z.infolist()}


def same(what, found, wanted):
    if found != wanted:
        raise SystemExit(f"{what}: found {found}, wanted {wanted}")


def main():
    before, others = packages(sys.argv[1])
    after, others_after = packages(sys.argv[2])
    same("packages", sorted(after), sorted(before))
    if others != others_after:
        raise SystemExit("other entries of the archive have changed")
    old = {certificate(b) for b in before.values()}
    new = {certificate(b) for b in after.values()}
    if len(new) != 1 or (new != old if "--same-key" in sys.argv else new & old):
        raise SystemExit(f"certificates: {new}, before {old}")
    dex, kept = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(before,
                           key=lambda n: (not os.path.basename(n).startswith("base-master"), n)):
            was, now = entries(folder, name, before[name]), entries(folder, name, after[name])
            rest = {n: b for n, b in was.items() if not SIGNATURE.fullmatch(n)
                    and not DEX.fullmatch(n) and n != "stamp-cert-sha256"}
            found = {n: b for n, b in now.items() if not SIGNATURE.fullmatch(n)
                     and not DEX.fullmatch(n)}
            if rest != found:
                raise SystemExit(f"{name}: entries differ: "
                                 f"{sorted(rest.keys() ^ found.keys()) or 'contents'}")
            kept += len(rest)
            dex += [now[n] for n in sorted(now, key=lambda n: (len(n), n)) if DEX.fullmatch(n)]
            if any(DEX.fullmatch(n) and now[n] == was[n] for n in was):
                raise SystemExit(f"{name}: code without probes")
    os.makedirs(sys.argv[3])
    for i, content in enumerate(dex):
        open(os.path.join(sys.argv[3], f"classes{i + 1 if i else ''}.dex"), "wb").write(content)
    print(f"{len(after)} packages with one certificate, {kept} entries as before, {len(dex)} "
          f"DEX files")


if __name__ == "__main__":
    main()
