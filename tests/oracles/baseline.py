#!/usr/bin/env python3
"""Judges the baseline profile of an instrumented app beside that of the app it was made from.

usage: baseline.py make APK PROFILE METADATA
       baseline.py pack APK PROFILE METADATA OUT.apk
       baseline.py compare APK INSTRUMENTED.apk [--least SHARE] [--clones NUMBER]
                           [--profdump PROGRAM] [--profdump14 PROGRAM]
       baseline.py transcode APK PROFILE
  `make` writes a profile of every second method of an app, `pack` puts such files into an app as
  aapt stores them. `compare` reads both profiles by names: at least SHARE (default 0.99) of the old
  rules must be in the new profile, with their flags; all others must be of the runtime or clones;
  checksums, numbers of ids, entry method, alignment and metadata must be right. The programs are
  bin/profdump and bin/profdump14 of the ART host: ART 10 must read the same rules, and ART 14 must
  read them of what `transcode` writes: what androidx.profileinstaller makes of an app's profile on
  Android 12 and later (version 015).
"""

import argparse
import re
import subprocess
import tempfile
import zipfile
import zlib
from collections import Counter

import art_profile as art

PROFILE, METADATA = "assets/dexopt/baseline.prof", "assets/dexopt/baseline.profm"
BUNDLE = "BUNDLE-METADATA/com.android.tools.build.profiles/"
RUNTIME = re.compile(r"Lpathlight/b[0-9a-f]{16}/")


def entry(package, name):
    """The name of an APK's entry in this package."""
    is_bundle = "BundleConfig.pb" in package.namelist()
    return BUNDLE + name.rpartition("/")[2] if is_bundle else name


def dex_entry(package, key):
    return f"base/dex/{key}" if "BundleConfig.pb" in package.namelist() else key


class App:
    """A package with its profile by names."""

    def __init__(self, path):
        self.path, self.package = path, zipfile.ZipFile(path)
        self.version, files = art.read_profile(self.package.read(entry(self.package, PROFILE)))
        self.files = {file.key: file for file in files}
        self.methods, self.classes, self.problems = {}, set(), []
        self.dex, self.counts = {}, Counter()
        for key, file in self.files.items():
            data = self.package.read(dex_entry(self.package, key))
            dex = self.dex[key] = art.Dex(data)
            if zlib.crc32(data) != file.checksum:
                self.problems.append(f"{key}: checksum {file.checksum:#x}")
            if len(dex.methods) != file.method_ids:
                self.problems.append(f"{key}: {file.method_ids} method ids")
            for index, flags in file.methods.items():
                method = dex.methods[index]
                # Several DEX files may define one class.
                self.methods[method] = self.methods.get(method, 0) | flags
                self.counts[method] += 1
            self.classes |= {dex.types[index] for index in file.classes}
            self.counts.update(dex.types[index] for index in file.classes)
        self.metadata = self.read_metadata()

    def read_metadata(self):
        name = entry(self.package, METADATA)
        if name not in self.package.namelist():
            return None
        listed = art.read_metadata(self.package.read(name))
        if {key for _, key, _, _ in listed} != set(self.files) or len(listed) != len(self.files):
            self.problems.append("metadata has other DEX files than the profile")
        if len({number for number, *_ in listed}) != len(listed):
            self.problems.append("two DEX files of the metadata have one number")
        found = set()
        for _, key, types, definitions in listed:
            if types != len(self.dex[key].types):
                self.problems.append(f"{key}: {types} type ids in the metadata")
            found |= {self.dex[key].definitions[index] for index in definitions}
        return found

    def on_android_12(self, name="base.apk"):
        """Its profile as androidx.profileinstaller writes it there, for the installed file `name`:
        version 015, which counts type ids also."""
        _, files = art.read_profile(self.package.read(entry(self.package, PROFILE)))
        for file in files:
            file.type_ids = len(self.dex[file.key].types)
        return art.write_sections(files, name)

    def storage(self, name):
        """Compression method, and offset of the bytes modulo 4."""
        info = self.package.getinfo(entry(self.package, name))
        with open(self.path, "rb") as file:
            file.seek(info.header_offset + 26)
            lengths = file.read(4)
        name_length = int.from_bytes(lengths[:2], "little")
        extra = int.from_bytes(lengths[2:], "little")
        return info.compress_type, (info.header_offset + 30 + name_length + extra) % 4


def is_clone(method, old):
    """True for a method of the profile's with the runtime's state as its last parameter."""
    owner, name, proto = method
    m = re.fullmatch(r"\((.*)Lpathlight/b[0-9a-f]{16}/State;\)(.*)", proto)
    return bool(m) and (owner, name, f"({m.group(1)}){m.group(2)}") in old


def read_by_art(program, app, data):
    """Methods with flags, and classes, as ART reads them of a profile's bytes; and the DEX files
    that it knows."""
    with tempfile.NamedTemporaryFile() as profile:
        profile.write(data)
        profile.flush()
        command = [program, profile.name, app.path]
        out = subprocess.run(command, check=True, capture_output=True).stdout
    methods, classes, known = {}, set(), 0
    for line in out.decode("utf-8", "surrogateescape").splitlines():
        kind, first, *rest = line.split(" ")
        if kind == "M":
            owner, _, method = rest[0].partition("->")
            name, _, proto = method.partition("(")
            flags = sum(bit for letter, bit in zip("HSP", (1, 2, 4)) if letter in first)
            method = (owner, name, "(" + proto)
            methods[method] = methods.get(method, 0) | flags
        elif kind == "C":
            classes.add(first)
        elif rest == ["known"]:
            known += 1
    return methods, classes, known


def judge_by_art(program, app, data, problems):
    methods, classes, known = read_by_art(program, app, data)
    if known != len(app.files):
        problems.append(f"ART knows {known} of {len(app.files)} DEX files")
    if methods != app.methods:
        other = [m for m in app.methods if methods.get(m) != app.methods[m]]
        problems.append(f"ART reads {len(methods)} of {len(app.methods)} methods: {other[:5]}")
    if classes != app.classes:
        problems.append(f"ART reads other classes: {sorted(classes ^ app.classes)[:5]}")


def compare(args):
    old, new = App(args.apk), App(args.instrumented)
    problems = new.problems
    for app in (old, new):
        if args.profdump:
            judge_by_art(args.profdump, app, app.package.read(PROFILE), problems)
        if args.profdump14:
            judge_by_art(args.profdump14, app, app.on_android_12(), problems)
    if old.problems:
        problems.append(f"the original's profile is of another build: {old.problems}")
    if old.version != new.version:
        problems.append(f"version {old.version} became {new.version}")
    kept = [m for m, flags in old.methods.items() if new.methods.get(m, 0) & flags == flags]
    lost_flags = set(old.methods) - set(kept)
    rules = old.counts.total()
    carried = sum(
        min(count, new.counts[rule])
        for rule, count in old.counts.items()
        if rule not in lost_flags
    )
    share = carried / max(rules, 1)
    if share < args.least:
        lost = [m for m in old.methods if m not in new.methods][:5]
        classes = list(old.classes - new.classes)[:5]
        problems.append(f"{share:.4f} of the rules: lost {lost}, {classes}")
    if old.metadata is not None:
        if new.metadata is None:
            problems.append("the metadata is gone")
        elif len(old.metadata & new.metadata) < args.least * len(old.metadata):
            problems.append(f"metadata lost {old.metadata - new.metadata}")
    clones = runtime = 0
    for method in set(new.methods) - set(old.methods):
        if RUNTIME.match(method[0]):
            runtime += 1
        elif is_clone(method, old.methods):
            clones += 1
        else:
            problems.append(f"{method} is new")
    runtime_classes = new.classes - old.classes
    strangers = [c for c in runtime_classes if not RUNTIME.match(c)]
    problems += [f"{c} is new" for c in strangers]
    if args.clones is not None and clones < args.clones:
        problems.append(f"{clones} clones, at least {args.clones} expected")
    changed = [m for m in kept if new.methods[m] != old.methods[m]]
    problems += [f"{m} has other flags" for m in changed]
    for name in (PROFILE, METADATA):
        if entry(old.package, name) not in old.package.namelist():
            continue
        (method, _), (after, at) = old.storage(name), new.storage(name)
        if method != after or (after == 0 and at):
            problems.append(f"{name}: compression {method} became {after}, {at} bytes off")
    print(
        f"{args.apk.rpartition('/')[2]}: version {new.version}, {carried} of {rules} rules "
        f"({len(old.methods)} methods, {len(old.classes)} classes), added: "
        f"{runtime} methods and {len(runtime_classes)} classes of the runtime, {clones} clones"
    )
    if problems:
        raise SystemExit("\n".join(problems[:20]))


def make(args):
    package = zipfile.ZipFile(args.apk)
    files, metadata = [], []
    for name in sorted(n for n in package.namelist() if re.fullmatch(r"classes\d*\.dex", n)):
        data = package.read(name)
        dex = art.Dex(data)
        file = art.File(name, zlib.crc32(data), len(dex.types), len(dex.methods))
        # Every combination of flags occurs.
        for n, method in enumerate(dex.methods_with_code()[::2]):
            file.flag(method, 1 + n % 7)
        definitions = set(range(0, len(dex.definitions), 3))
        file.classes = {dex.types.index(dex.definitions[n]) for n in definitions}
        files.append(file)
        metadata.append((name, len(dex.types), definitions))
    open(args.profile, "wb").write(art.write_profile(files))
    open(args.metadata, "wb").write(art.write_metadata(metadata))


def pack(args):
    old = zipfile.ZipFile(args.apk)
    with zipfile.ZipFile(args.out, "w") as new:
        for info in old.infolist():
            if not info.filename.startswith("META-INF/"):
                new.writestr(info, old.read(info.filename))
        for name, path in ((PROFILE, args.profile), (METADATA, args.metadata)):
            new.writestr(zipfile.ZipInfo(name), open(path, "rb").read())


def transcode(args):
    open(args.profile, "wb").write(App(args.apk).on_android_12(args.name))


def main():
    parser = argparse.ArgumentParser()
    tasks = parser.add_subparsers(required=True)
    task = tasks.add_parser("make")
    task.set_defaults(run=make)
    for name in ("apk", "profile", "metadata"):
        task.add_argument(name)
    task = tasks.add_parser("pack")
    task.set_defaults(run=pack)
    for name in ("apk", "profile", "metadata", "out"):
        task.add_argument(name)
    task = tasks.add_parser("compare")
    task.set_defaults(run=compare)
    task.add_argument("apk")
    task.add_argument("instrumented")
    task.add_argument("--least", type=float, default=0.99)
    task.add_argument("--clones", type=int)
    task.add_argument("--profdump")
    task.add_argument("--profdump14")
    task = tasks.add_parser("transcode")
    task.set_defaults(run=transcode)
    task.add_argument("apk")
    task.add_argument("profile")
    task.add_argument("--name", default="base.apk")
    args = parser.parse_args()
    args.run(args)


main()
