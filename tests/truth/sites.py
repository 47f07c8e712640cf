#!/usr/bin/env python3
"""Stack traces from random places of real code and of the fixtures, as R8 made them, before and
after instrumenting, on ART.

Before R8 gets the class files of an app, `sites/Planter.java` puts calls of `Plant.at` at random
places of it: of the libraries, too. A driver outside the app (`sites/host`) does the app's work
again and again, each time with an exception out of the next place that is reached. Then it calls
each constructor and static method of the app with null, zero and other simple arguments: what is
thrown there comes out of the app's own instructions. In a run of its own no place throws: each is
where the thread waits while another dumps its stack, as the system does when an app does not
respond. What the VM prints must be the same before and after: each frame of each stack trace and
dump, as it is and as R8's Retrace shows it.

Forms of debug info: R8 with a mapping writes tables of its own lines (API level 21) or none (26 and
33: the VM prints addresses, which the mapping translates); `kept` has the lines of the source,
`stripped` none and no mapping.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

from harness.vm import SHORT_JAVA

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SITES = os.path.join(HERE, "sites")
BENCH = os.path.join(ROOT, "bench", "java")
JARS = "/usr/share/java/"
PATHLIGHT, ART, D8 = (os.environ.get(v) for v in ("PATHLIGHT", "PATHLIGHT_ART", "D8_JAR"))
KOTLIN = os.environ.get("KOTLIN")
JDK = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("javac") or "/")))
ASM = "--add-exports=java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED"
FIXTURES = os.path.join(ROOT, "android-fixtures")
# The platform of the fixture apps.
STUBS = os.path.join(FIXTURES, "stubs", "prebuilt", "host")


class App:
    """A program: the class of the work, its sizes and seeds, the libraries (nothing is planted into
    those with "-"), and its sources."""

    def __init__(self, work, sizes, seeds, libraries, sources=None, fixture=None):
        self.work, self.sizes, self.seeds = work, sizes, seeds
        self.libraries = [l if "/" in l else JARS + l for l in libraries]
        self.sources = sources or [os.path.join(BENCH, *work.split(".")) + ".java"]
        self.components = os.path.join(FIXTURES, fixture, "components.txt") if fixture else None


def kotlin_library(name):
    return os.path.join(KOTLIN or "", "lib", name)


def fixture(name, wrapper, sizes, seeds, libraries=()):
    sources = [os.path.join(FIXTURES, name, "src"),
               os.path.join(SITES, "fixtures", "app", wrapper + ".java")]
    return App("app." + wrapper, sizes, seeds, libraries, sources,
               name if wrapper == "Session" else None)


# Of the pieces in Kotlin, that with coroutines is only compiled: with exceptions at places where
# none can be, event loops wait for ever.
APPS = {
    "kotlin": App("app.Pieces", "0,1,3,4,5,6,7", "1,2",
                  [kotlin_library("kotlin-stdlib.jar"), "-" + kotlin_library(
                      "kotlinx-coroutines-core-jvm.jar")], [os.path.join(SITES, "kotlin")]),
    "rhino": App("bench.libs.Rhino", "3", "1", ["js.jar"]),
    "jsoup": App("bench.libs.Jsoup", "2", "1,2", ["jsoup.jar"]),
    "gson": App("bench.libs.Gson", "2", "1,2", ["gson.jar"]),
    "lang": App("bench.libs.Lang", "2", "1,2", ["commons-lang3.jar"]),
    "kernels": fixture("kernels", "Kernels", "1", "1"),
    "tether": fixture("tether", "Session", "60", "1,2,3"),
    "notes": fixture("notes", "Session", "60", "1,2,3", [kotlin_library("kotlin-stdlib.jar")]),
}
# API level, keep rules beside keep.pro, and whether R8 writes a mapping.
LINES = "-keepattributes SourceFile,LineNumberTable\n"
FORMS = {"21": ("21", LINES, True), "26": ("26", LINES, True), "33": ("33", LINES, True),
         "kept": ("26", LINES, False), "stripped": ("21", "", False)}
VMS = {"art": ("dalvikvm", {}),
       "art-jit": ("dalvikvm", {"ART_JIT": "1", "ART_EXTRA": "-Xjitthreshold:20"}),
       "art11": ("dalvikvm11", {}),
       "art14": ("dalvikvm14", {}),
       "art14-jit": ("dalvikvm14", {"ART_JIT": "1", "ART_EXTRA": "-Xjitthreshold:20"})}
# Instructions of 1,000 that get a planted call before them. Large libraries have enough places
# with fewer.
PER_MILLE = 60
LIMIT = 900
SHOWN = 5


class Broken(Exception):
    """A tool failed, or something is not as before."""


def call(*command, **more):
    p = subprocess.run([str(c) for c in command], stdin=subprocess.DEVNULL, capture_output=True,
                       text=True, errors="replace", **more)
    if p.returncode:
        raise Broken("%s: exit %d: %s" % (" ".join(map(str, command))[:200], p.returncode,
                                          (p.stdout + p.stderr)[:1500]))
    return p.stdout


def below(folder, ends):
    return sorted(os.path.join(base, f) for base, _, files in os.walk(folder) for f in files
                  if f.endswith(ends))


def classes(folder):
    return below(folder, ".class")


def jar(path, folder, keep):
    with zipfile.ZipFile(path, "w") as z:
        for f in classes(folder):
            name = os.path.relpath(f, folder)
            if keep(name):
                z.write(f, name)


def host(work):
    """The driver, and what of the bench is not part of an app: as class files and as a dex file."""
    out = os.path.join(work, "host")
    os.makedirs(out)
    sources = [os.path.join(BENCH, "bench", n + ".java") for n in ("Workload", "Sum", "Rng")]
    sources += [os.path.join(SITES, "host", "sites", n + ".java") for n in ("Driver", "Plant")]
    call("javac", "--release", "8", "-Xlint:-options", "-g", "-d", out, *sources)
    dex = os.path.join(work, "host-dex")
    os.makedirs(dex)
    r8("D8", "--release", "--min-api", "21", "--output", dex, *classes(out))
    return out, os.path.join(dex, "classes.dex")


def r8(tool, *arguments):
    call("java", "-Xmx2g", "-cp", D8, "com.android.tools.r8." + tool, "--lib", JDK, *arguments)


def planted(app, seed, host_classes, work):
    """The app with planted calls, as a jar; and how many there are."""
    program = APPS[app]
    class_path = ":".join([host_classes, STUBS + ".jar"]
                          + [p.lstrip("-") for p in program.libraries])
    own = os.path.join(work, app + "-own")
    os.makedirs(own)
    files = [f for s in program.sources
             for f in (below(s, (".java", ".kt")) if os.path.isdir(s) else [s])]
    kotlin, java = ([f for f in files if f.endswith(end)] for end in (".kt", ".java"))
    if kotlin:
        call("bash", os.path.join(KOTLIN, "bin", "kotlinc"), "-nowarn", "-jvm-target", "1.8", "-cp",
             class_path, "-d", own, *files)
    if java:
        call("javac", "--release", "8", "-Xlint:-options", "-g", "-cp", class_path + ":" + own,
             "-d", own, *java)
    jar(own + ".jar", own, lambda name: True)
    out = os.path.join(work, app + ".jar")
    count = call("java", ASM, os.path.join(SITES, "Planter.java"), seed, PER_MILLE, out,
                 own + ".jar", *program.libraries)
    return out, int(count)


def build(form, program, host_classes, folder):
    """The dex file, and the mapping if there is one."""
    api, rules, mapped = FORMS[form]
    os.makedirs(folder)
    config = os.path.join(folder, "more.pro")
    with open(config, "w") as f:
        f.write(rules)
    mapping = os.path.join(folder, "mapping.txt") if mapped else None
    r8("R8", "--release", "--min-api", api, "--classpath", host_classes, "--classpath",
       STUBS + ".jar", "--pg-conf", os.path.join(SITES, "keep.pro"), "--pg-conf", config,
       *(["--pg-map-output", mapping] if mapped else []), "--output", folder, program)
    return os.path.join(folder, "classes.dex"), mapping


def run(vm, dex, host_dex, app, dumps=False):
    """What the driver prints: {key: [[frame]]}, and the text."""
    does = APPS[app]
    program, variables = VMS[vm]
    folder = os.path.dirname(dex)
    what = "-Dsites.dumps=true" if dumps else "-Dsites.code=" + dex
    arguments = ["-Dpathlight.dir=" + folder, what,
                 *(["-Dsites.components=" + does.components] if does.components else [])]
    arguments += ["-cp", ":".join([dex, host_dex, STUBS + ".dex"]), "sites.Driver", does.work,
                  does.sizes, does.seeds]
    try:
        text = call(os.path.join(ART, "bin", program), *arguments,
                    env=dict(os.environ, **variables), timeout=LIMIT)
    except subprocess.TimeoutExpired:
        raise Broken("%s: no end after %d s" % (vm, LIMIT))
    for f in os.listdir(folder):
        if f.endswith(".plt"):
            os.remove(os.path.join(folder, f))
    if not text.endswith("\nend\n"):
        raise Broken("%s: it does not come to its end: %s" % (vm, text[-300:]))
    return parse(text), text


def parse(text):
    found = {}
    for line in text.splitlines():
        if line.lstrip().startswith("at "):
            frames.append(line.lstrip()[3:])
        elif not line.startswith('"'):
            frames = []
            found.setdefault(line, []).append(frames)
    return found


def shown(frame):
    """A frame without its file: ART prints none where it prints an address, and Retrace takes it
    from the mapping."""
    method, _, place = frame.partition("(")
    return method + ":" + place.rstrip(")").rpartition(":")[2] if ":" in place else method


def same(before, after, what):
    """Compares all stack traces."""
    # What took too long once may not do so again: its own stack traces are not looked at.
    long = {key.split(" ", 1)[1] for found in (before, after) for key in found
            if key.split(" ")[0] in ("long", "deep")}
    differ = []
    for key in list(before) + [k for k in after if k not in before]:
        if key in long or key.split(" ")[0] in ("long", "deep"):
            continue
        a, b = ([[shown(f) for f in t] for t in found.get(key, [])] for found in (before, after))
        if a != b:
            differ.append((key, a, b))
    for key, a, b in differ[:SHOWN]:
        print("DIFFERS %s, %s:\n  before %s\n  after  %s" % (what, key, a, b))
    if differ:
        raise Broken("%d stack traces differ" % len(differ))


def retraced(mapping, text, folder):
    file = os.path.join(folder, "raw.txt")
    with open(file, "w") as f:
        f.write(text)
    # Retrace of this R8 fails on some lines of compiler-made methods; it does so before and after.
    retrace = [*SHORT_JAVA, "-cp", D8, "com.android.tools.r8.retrace.Retrace"]
    p = subprocess.run([*retrace, mapping, file],
                       stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if p.returncode:
        raise Broken("Retrace: " + p.stderr[-500:])
    # Of several possible frames, the order is not part of the answer; the text has the same order
    # for the same input.
    return p.stdout


def places(found):
    return {key for key in found if key.split(" ")[0] in ("site", "seen")}


def natural(found):
    """Innermost frames, in the app, of exceptions that calls with simple arguments made."""
    return {traces[0][0] for key, traces in found.items() if key.startswith("call ") and traces[0]}


def check(app, form, program, host_files, options, work, reached):
    folder = os.path.join(work, app + "-" + form)
    dex, mapping = build(form, program, host_files[0], folder)
    counts = []
    for vm in options.vm:
        before, text = run(vm, dex, host_files[1], app)
        waiting, dumps = run(vm, dex, host_files[1], app, dumps=True)
        source, dumps_source = (retraced(mapping, t, folder) if mapping else None
                                for t in (text, dumps))
        if mapping and (source == text or dumps_source == dumps):
            raise Broken("Retrace changes nothing")
        reached.update((app, form, key) for key in places(before))
        for codec in options.codec:
            beta = os.path.join(folder, "beta.dex")
            call(PATHLIGHT, "instrument", "--force", dex, "-o", beta, "--map",
                 os.path.join(folder, "beta.plmap"), "--codec", codec,
                 *(["--mapping", mapping] if mapping else []))
            what = "%s, %s, %s, %s" % (app, form, vm, codec)
            for was, was_source, dump, name in ((before, source, False, what),
                                                (waiting, dumps_source, True, what + ", dumps")):
                after, text = run(vm, beta, host_files[1], app, dump)
                same(was, after, name)
                if mapping:
                    same(parse(was_source), parse(retraced(mapping, text, folder)),
                         name + ", retraced")
        sites, seen = (sum(1 for k in before if k.startswith(w + " ")) for w in ("site", "seen"))
        dumped = sum(1 for k, traces in waiting.items() if k.startswith("dump ") and traces[0])
        if not dumped:
            raise Broken("no stack of a waiting thread was dumped")
        counts.append("%s: %d planted places threw, %d more in static initialisers, %d lines threw "
                      "by themselves, %d stacks dumped"
                      % (vm, sites, seen, len(natural(before)), dumped))
    return "; ".join(counts)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--app", action="append", choices=APPS,
                        help="only these; give it once for each")
    parser.add_argument("--form", action="append", choices=FORMS,
                        help="API level or form of debug info; give it once for each")
    parser.add_argument("--vm", action="append", choices=VMS, help="default: art and art11")
    parser.add_argument("--codec", action="append", help="default: arith and pap")
    parser.add_argument("--seed", default="1", help="of the planted places")
    parser.add_argument("--keep", metavar="DIR", help="keep everything in this folder")
    options = parser.parse_args()
    options.vm = options.vm or ["art", "art11"]
    options.codec = options.codec or ["arith", "pap"]
    work = options.keep or tempfile.mkdtemp(prefix="sites-")
    os.makedirs(work, exist_ok=True)
    passed = failed = 0
    reached = set()
    try:
        host_files = host(work)
        for app in options.app or APPS:
            program, count = planted(app, options.seed, host_files[0], work)
            print("%s: %d calls planted" % (app, count), flush=True)
            for form in options.form or FORMS:
                try:
                    print("pass %s, %s: %s"
                          % (app, form, check(app, form, program, host_files, options, work,
                                              reached)), flush=True)
                    passed += 1
                except Broken as e:
                    print("FAIL %s, %s: %s" % (app, form, e), flush=True)
                    failed += 1
    finally:
        if not options.keep:
            shutil.rmtree(work, ignore_errors=True)
    distinct = len({(app, key) for app, _, key in reached})
    print("planted places reached: %d in all builds, %d different ones" % (len(reached), distinct))
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
