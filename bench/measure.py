"""Runs variants on the VMs and reads their logs."""

import glob
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import threading

# Virtual machines; ART 10 where the name has no version. `aot14` and `nterp14` run over a boot
# image, as phones do: libcore is compiled ahead of time, and for `aot14` the program also.
VMS = ("jit14", "aot14", "nterp14", "jit", "int", "hotspot")
# Those that run a program as it is, without compiling it.
INTERPRETERS = ("nterp14", "int")
COMPILING = threading.Lock()
TIMEOUT = 300
# Limit of a log: no run reaches it.
CAP_MIB = 1024
# A heap above 768 MB leaves ART 10 no room for the JIT's code below 4 GB: it then interprets,
# silently.
ART_OPTIONS = ["-Xmx512m"]
JIT_OPTIONS = ["-Xjitthreshold:1000", "-Xjitinitialsize:16M", "-Xjitmaxsize:64M"]


class RunError(Exception):
    """A run failed or printed something unexpected."""


def command(vm, art, jar, properties, arguments):
    """(command, environment)"""
    props = ["-D%s=%s" % p for p in properties.items()]
    if vm == "hotspot":
        # As xtask/src/fixtures/session.rs: with a stack of 1 MB the runtime now and then meets its
        # end while it starts, and records nothing.
        return (["java", "-Xmx512m", "-Xss4m", "-XX:+UseSerialGC", "-XX:-UsePerfData", *props,
                 "-cp", jar, "bench.Main", *arguments], dict(os.environ))
    env = dict(os.environ, ART_LOG="w")
    is_jit = vm in ("jit", "jit14")
    if is_jit:
        env["ART_JIT"] = "1"
    if vm in ("aot14", "nterp14"):
        env["ART_IMAGE"] = "1"
    if vm == "aot14":
        jar = compiled_ahead(art, jar)
    options = ART_OPTIONS + (JIT_OPTIONS if is_jit else [])
    launcher = "dalvikvm14" if vm.endswith("14") else "dalvikvm"
    return ([os.path.join(art, "bin", launcher), *options, *props, "-cp", jar, "bench.Main",
             *arguments], env)


def compiled_ahead(art, jar):
    """A copy of the jar, in a folder of its own, with the code that dex2oat makes of it."""
    folder, name = os.path.split(os.path.splitext(jar)[0] + ".aot/program.jar")
    copy = os.path.join(folder, name)
    code = os.path.join(folder, "oat", "x86_64", "program.odex")
    with COMPILING:
        if not os.path.exists(code) or os.path.getmtime(code) < os.path.getmtime(jar):
            os.makedirs(os.path.dirname(code), exist_ok=True)
            shutil.copyfile(jar, copy)
            p = subprocess.run([os.path.join(art, "bin", "dex2oat14"), "--dex-file=" + copy,
                                "--oat-file=" + code, "--compiler-filter=speed",
                                "--class-loader-context=PCL[]"],
                               stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if p.returncode or not os.path.exists(code):
                raise RunError("dex2oat14 %s: exit %d: %s (`cargo xtask art setup --aot` builds it)"
                               % (jar, p.returncode, p.stderr[-1500:]))
    return copy


def execute(cmd, env, folder):
    """(stdout, stderr, exit code, processor seconds of the process)"""
    files = [os.path.join(folder, n) for n in ("stdout", "stderr")]
    with open(files[0], "wb") as out, open(files[1], "wb") as err:
        # JaCoCo's agent may leave a file where it runs.
        p = subprocess.Popen(cmd, env=env, cwd=folder, stdin=subprocess.DEVNULL, stdout=out,
                             stderr=err)
    timer = threading.Timer(TIMEOUT, p.kill)
    timer.start()
    try:
        _, status, usage = os.wait4(p.pid, 0)
    finally:
        timer.cancel()
    p.returncode = os.waitstatus_to_exitcode(status)
    texts = []
    for name in files:
        with open(name, errors="replace") as f:
            texts.append(f.read())
    return texts[0], texts[1], p.returncode, usage.ru_utime + usage.ru_stime


class Run:
    """One process: its repetitions, its result, its log files (in `logs`, which the caller
    removes)."""

    def __init__(self, vm, art, jar, workload, size, seed, warm, repetitions, scratch, coded):
        self.logs = tempfile.mkdtemp(prefix="log-", dir=scratch)
        properties = {"pathlight.dir": self.logs, "jacoco-agent.output": "none"}
        cmd, env = command(vm, art, jar, properties,
                           [workload.main, str(size), str(seed), str(warm), str(repetitions)])
        out, err, code, used = execute(cmd, env, self.logs)
        lines = out.splitlines()
        self.reps = [tuple(map(int, l.split()[1:])) for l in lines if l.startswith("rep ")]
        results = [l[7:] for l in lines if l.startswith("result ")]
        if code or len(results) != 1 or len(self.reps) != repetitions:
            raise RunError("%s on %s: exit %d\n%s" % (workload.name, vm, code, (out + err)[-3000:]))
        for bad in ("cannot create JIT", "failed lock verification", "Failed to create JIT"):
            if bad in err:
                raise RunError("%s on %s: %s"
                               % (workload.name, vm, next(l for l in err.splitlines() if bad in l)))
        self.result = results[0]
        # All threads, start-up included: would show work that a codec gives to another thread.
        self.process = used
        # Logs, or the counts of a build that counts.
        self.files = sorted(glob.glob(self.logs + "/*.pl[tch]"))
        if any(os.path.getsize(f) >= CAP_MIB << 20 for f in self.files):
            raise RunError("%s on %s filled its log" % (workload.name, vm))
        if coded and not self.files:
            raise RunError("%s on %s wrote no log: %s" % (workload.name, vm, err[-1000:]))

    def wall(self):
        return statistics.median(r[0] for r in self.reps)

    def cpu(self):
        return statistics.median(r[1] for r in self.reps)

    def discard(self):
        shutil.rmtree(self.logs, ignore_errors=True)


def hits(pathlight, plmap, files):
    """How often selected paths ran, each."""
    if not files:
        return []
    p = subprocess.run([pathlight, "decode", "--map", plmap, "--format", "json", *files],
                       stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if p.returncode:
        raise RunError("decode: exit %d: %s" % (p.returncode, p.stderr[-1500:]))
    found = json.loads(p.stdout)
    if found["lost"]:
        raise RunError("%d hits were lost" % found["lost"])
    return [path["count"] for path in found["paths"]]


def train(pathlight, plmap, files, model, *more):
    """Decodes the logs to their end (an error otherwise) into a model; returns the
    JSON of `train`."""
    p = subprocess.run([pathlight, "train", "--force", "--map", plmap, "-o", model, "--json", *more,
                        *files], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if p.returncode:
        raise RunError("train: exit %d: %s" % (p.returncode, p.stderr[-1500:]))
    found = json.loads(p.stdout)
    if p.stderr.strip():
        raise RunError("train: " + p.stderr[-1500:])
    return found


def floors(tool, plmap, files):
    """Empirical entropies of the decisions: see tests/examples/floors.rs."""
    p = subprocess.run([tool, plmap, *files], stdin=subprocess.DEVNULL, capture_output=True,
                       text=True)
    if p.returncode:
        raise RunError("floors: exit %d: %s" % (p.returncode, p.stderr[-1500:]))
    return json.loads(p.stdout)
