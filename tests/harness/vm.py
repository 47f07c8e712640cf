"""Runs programs on the ART host, and the product on their files."""

import glob
import os
import re
import shutil
import subprocess

ART = os.environ["PATHLIGHT_ART"]
# Names android.os.SystemClock, which the ART host does not have: ART verifies the class when it
# runs.
CLOCK = re.compile(r"SOFT pathlight\.b[0-9a-f]{16}\.Clock\b")
VMS = {
    "int": ("dalvikvm", {}),
    "jit": ("dalvikvm", {"ART_JIT": "1", "ART_EXTRA": "-Xjitthreshold:10"}),
    "art11": ("dalvikvm11", {}),
    "art14": ("dalvikvm14", {}),
    "art14jit": ("dalvikvm14", {"ART_JIT": "1", "ART_EXTRA": "-Xjitthreshold:10"}),
}
# Of VMS, those that a judge takes without --vm.
USUAL = ("art11", "int", "jit")
# Launchers by the names that `cargo xtask fixtures run --vm` takes.
LAUNCHERS = {"art": "dalvikvm", "art-jit": "dalvikvm", "art11": "dalvikvm11",
             "art14": "dalvikvm14", "art14-jit": "dalvikvm14"}
# ART 11's default interpreter remembers, for an instruction that reads a static field, that it did
# so while the class was being initialized. When the initialization fails, the same instruction goes
# on reading instead of throwing NoClassDefFoundError; whether it is remembered depends on where
# code lies. Its other interpreter does not remember (tests/truth/README.md has a program of ten
# lines).
SWITCH = "art11-switch"
TIMEOUT = 120
# A JVM that runs some seconds: its second compiler would take more time than it saves.
SHORT_JAVA = ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]


def launcher(vm):
    """Path of the launcher of a VM in LAUNCHERS."""
    return os.path.join(ART, "bin", LAUNCHERS[vm])


def variables(vm, threshold):
    """Environment variables of a VM in LAUNCHERS; a JIT compiles after `threshold` calls."""
    jit = {"ART_JIT": "1", "ART_EXTRA": "-Xjitthreshold:%d" % threshold}
    return jit if vm.endswith("-jit") else {}


class Failed(Exception):
    """One program failed; the message names the step."""


def compile_native(source, folder):
    """Compiles native/*.c of a program, if there are any; returns the option that names the
    library."""
    files = sorted(glob.glob(source + "/native/*.c"))
    if not files:
        return []
    javac = shutil.which("javac")
    include = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(javac or "/"))),
                           "include")
    if not os.path.exists(include + "/jni.h") or not shutil.which("gcc"):
        raise Failed("native code needs gcc and %s/jni.h: tests/prerequisites.sh art installs gcc "
                     "and a JDK" % include)
    library = os.path.join(os.path.abspath(folder), "libtruth.so")
    p = subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-g", "-Wall", "-Werror", "-pthread",
                        "-I", include, "-I", include + "/linux", "-o", library, *files],
                       stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT)
    if p.returncode:
        raise Failed("gcc: " + p.stderr.decode("utf-8", "replace")[-1500:])
    return ["-Dtruth.native=" + library]


def run_vm(vm, jar, *options):
    """(exit code, stdout, frames of printed stack traces)"""
    program, env = ("dalvikvm11", {"ART_EXTRA": "-Xint"}) if vm == SWITCH else VMS[vm]
    p = subprocess.run([os.path.join(ART, "bin", program), *options, "-cp", jar, "Main"],
                       env=dict(os.environ, **env), stdin=subprocess.DEVNULL, capture_output=True,
                       timeout=TIMEOUT)
    err = p.stderr.decode("utf-8", "replace")
    frames = sorted(l.strip() for l in err.splitlines()
                    if re.match(r"\s+at .*(Main\.java|S\.smali|S\.\w+\(Unknown Source)", l))
    return (p.returncode, p.stdout, frames), err


def verdicts(jar):
    """{class: verdict of ART's verifier, with its explanation} for the classes that are not
    fine."""
    p = subprocess.run([os.path.join(ART, "bin", "dexverify"), "-v", jar], stdin=subprocess.DEVNULL,
                       capture_output=True, timeout=TIMEOUT)
    text = (p.stdout + p.stderr).decode("utf-8", "replace")
    found = {}
    for line in text.splitlines():
        m = re.match(r"(SOFT|HARD|ACCESS|UNLINKED) (\S+)(.*)", line)
        if m and not CLOCK.match(line):
            found[m.group(2)] = m.group(1) + m.group(3)
    return found


def differ(a, b, addresses=True):
    """What is different in a run, or None. ART prints no file and the address as the line where a
    method has no line table; a file beside the same line is as good. Without `addresses` these
    frames are left out: code that was traced lies elsewhere."""
    if a[0] != b[0]:
        return "exit code %d instead of %d" % (b[0], a[0])
    if a[1] != b[1]:
        return "other output: %r instead of %r" % (b[1][-200:], a[1][-200:])
    old, new = ([f.replace("Unknown Source", "S.smali") for f in frames if addresses
                 or "Unknown Source" not in f] for frames in (a[2], b[2]))
    if old != new:
        return "other stack trace: %r instead of %r" % (sorted(set(new) - set(old))[:3],
                                                        sorted(set(old) - set(new))[:3])
    return None


def must_match(step, wanted, got, err, addresses=True):
    d = differ(wanted, got, addresses)
    if d:
        raise Failed("%s: %s\n%s" % (step, d, err[-1500:]))


def product(step, *args, may_fail=False):
    p = subprocess.run([os.environ["PATHLIGHT"], *args], stdin=subprocess.DEVNULL,
                       capture_output=True, timeout=TIMEOUT)
    if p.returncode and not (may_fail and p.returncode == 1):
        raise Failed("%s: exit %d: %s" % (step, p.returncode,
                                          p.stderr.decode("utf-8", "replace")[-1500:]))
    return p.stdout
