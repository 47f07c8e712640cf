"""Compiles workloads and makes their variants: jars with dex files, and jars with class files for
HotSpot."""

import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import zipfile

import measure
import workloads as w

HERE = os.path.dirname(os.path.abspath(__file__))
JARS = "/usr/share/java/"
JACOCO_TOOL = ["org.jacoco.core.jar", "asm.jar", "asm-commons.jar", "asm-tree.jar",
               "asm-analysis.jar"]
# What code instrumented offline needs at run time: the agent without its class file transformer and
# the report part.
JACOCO_RUNTIME = {
    "org.jacoco.agent.rt.jar": ("org/jacoco/agent/",),
    "org.jacoco.core.jar": ("org/jacoco/core/JaCoCo", "org/jacoco/core/data/",
                            "org/jacoco/core/internal/data/", "org/jacoco/core/jacoco.properties",
                            "org/jacoco/core/runtime/AgentOptions",
                            "org/jacoco/core/runtime/AbstractRuntime",
                            "org/jacoco/core/runtime/IRuntime",
                            "org/jacoco/core/runtime/RuntimeData",
                            "org/jacoco/core/runtime/CommandLineSupport",
                            "org/jacoco/core/runtime/IRemote",
                            "org/jacoco/core/runtime/RemoteControl",
                            "org/jacoco/core/runtime/WildcardMatcher",
                            "org/jacoco/core/runtime/IExecutionDataAccessorGenerator"),
}
# Below API 24 D8 turns default methods into static ones; enjarify cannot read what comes with later
# levels.
MIN_API = "21"


class BuildError(Exception):
    """A tool failed; the message has its output."""


def call(*command, **more):
    """Runs a tool and returns what it printed."""
    p = subprocess.run([str(c) for c in command], stdin=subprocess.DEVNULL, capture_output=True,
                       text=True, errors="replace", **more)
    if p.returncode:
        raise BuildError("%s: exit %d\n%s" % (" ".join(map(str, command))[:300], p.returncode,
                                              (p.stdout + p.stderr)[-3000:]))
    return p.stdout


def jdk():
    return os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("javac"))))


def d8(out, *inputs):
    call("java", "-Xmx2g", "-cp", os.environ["D8_JAR"], "com.android.tools.r8.D8", "--release",
         "--min-api", MIN_API, "--lib", jdk(), "--output", out, *inputs)


def r8(out, mapping, main, jar, more=""):
    """Shrinks, optimizes and renames a program in R8's full mode, as release builds do. `more`:
    further rules."""
    rules = mapping + ".rules"
    with open(rules, "w") as f:
        f.write("-keep class bench.Main { public static void main(...); }\n"
                "-keep class %s { <init>(); }\n"
                "-dontwarn **\n-ignorewarnings\n-keepattributes Signature,*Annotation*,"
                "InnerClasses,EnclosingMethod,SourceFile,LineNumberTable\n%s\n" % (main, more))
    call("java", "-Xmx2g", "-cp", os.environ["D8_JAR"], "com.android.tools.r8.R8", "--release",
         "--min-api", MIN_API, "--lib", jdk(), "--output", out, "--pg-conf", rules,
         "--pg-map-output", mapping, jar)


def jar_of(out, folder):
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as z:
        for base, _, files in sorted(os.walk(folder)):
            for f in sorted(files):
                z.write(os.path.join(base, f), os.path.relpath(os.path.join(base, f), folder))


def unpack(jar, folder, keep, drop):
    """Class files and resources of a library, without signatures, module descriptors and versions
    for later Javas."""
    with zipfile.ZipFile(jar) as z:
        for n in z.namelist():
            if n.endswith("/") or n.startswith("META-INF/") or n.endswith("module-info.class"):
                continue
            if (keep and not n.startswith(tuple(keep))) or (drop and n.startswith(tuple(drop))):
                continue
            z.extract(n, folder)


def dex_bytes(jar):
    """Bytes of all dex files in it."""
    with zipfile.ZipFile(jar) as z:
        return sum(i.file_size for i in z.infolist() if i.filename.endswith(".dex"))


class Builder:
    """Keeps what it made below a folder; what is there and newer than its inputs is not made
    again."""

    def __init__(self, folder, pathlight):
        self.folder = folder
        self.pathlight = pathlight
        with open(pathlight, "rb") as f:
            self.binary = hashlib.sha256(f.read()).hexdigest()[:16]
        os.makedirs(folder, exist_ok=True)

    def path(self, workload, *parts):
        return os.path.join(self.folder, workload.name, *parts)

    def stamp(self, workload):
        """Hash of everything that the workload's classes are made of."""
        h = hashlib.sha256()
        for f in self.sources(workload) + [JARS + j for j in workload.jars]:
            with open(f, "rb") as s:
                h.update(s.read())
        h.update(repr((workload.keep, workload.drop, workload.keep_rules, MIN_API)).encode())
        return h.hexdigest()[:16]

    def sources(self, workload):
        base = os.path.join(HERE, "java", "bench")
        return sorted(glob.glob(base + "/*.java")) + [
            os.path.join(HERE, "java", *workload.main.split(".")) + ".java"]

    def plain(self, workload):
        """The workload uninstrumented: a jar with dex files (and resources)."""
        out, stamp = self.path(workload, "plain.jar"), self.path(workload, "stamp")
        want = self.stamp(workload)
        if os.path.exists(out) and os.path.exists(stamp) and open(stamp).read() == want:
            return out
        shutil.rmtree(self.path(workload), ignore_errors=True)
        classes = self.path(workload, "classes")
        os.makedirs(classes)
        for j in workload.jars:
            unpack(JARS + j, classes, workload.keep, workload.drop)
        call("javac", "--release", "8", "-g", "-Xlint:-options", "-proc:none", "-encoding", "UTF-8",
             "-cp", classes, "-d", classes, *self.sources(workload))
        self.compile(workload, classes, out)
        with open(stamp, "w") as f:
            f.write(want)
        return out

    def compile(self, workload, classes, out):
        """Makes the uninstrumented program of its classes."""
        self.to_dex(classes, out)

    def mapping(self, _workload):
        """What R8 renamed; `None` where it did not run."""
        return None

    def to_dex(self, classes, out, *more):
        jar = out + ".classes"
        jar_of(jar + ".jar", classes)
        d8(out, jar + ".jar", *more)
        os.remove(jar + ".jar")
        resources(classes, out)

    def tools(self):
        """JaCoCo's instrumenter, compiled, and a jar with what instrumented code needs."""
        tool = os.path.join(self.folder, "jacoco-tool")
        path = ":".join(JARS + j for j in JACOCO_TOOL)
        if not os.path.isdir(tool):
            os.makedirs(tool)
            call("javac", "-cp", path, "-d", tool,
                 os.path.join(HERE, "java", "tools", "JacocoOffline.java"))
            # Debian's library names a runtime package with a build number that Debian's agent does
            # not have.
            unpack(JARS + "org.jacoco.core.jar", tool, ("org/jacoco/core/jacoco.properties",), ())
            properties = os.path.join(tool, "org/jacoco/core/jacoco.properties")
            with open(properties) as f:
                text = re.sub(r"(?m)^RUNTIMEPACKAGE=.*$",
                              "RUNTIMEPACKAGE=org.jacoco.agent.rt.internal", f.read())
            with open(properties, "w") as f:
                f.write(text)
        runtime = os.path.join(self.folder, "jacoco-runtime")
        if not os.path.isdir(runtime):
            for j, parts in JACOCO_RUNTIME.items():
                unpack(JARS + j, runtime, parts, ())
            jar_of(runtime + ".jar", runtime)
        return tool, runtime + ".jar"

    def jacoco(self, workload):
        """The same classes with JaCoCo's probes, and what those need at run time."""
        out = self.path(workload, "jacoco.jar")
        if os.path.exists(out):
            return out
        tool, runtime = self.tools()
        path = ":".join(JARS + j for j in JACOCO_TOOL)
        classes = self.path(workload, "jacoco-classes")
        shutil.rmtree(classes, ignore_errors=True)
        shutil.copytree(self.path(workload, "classes"), classes)
        call("java", "-cp", tool + ":" + path, "JacocoOffline", self.path(workload, "classes"),
             classes)
        self.to_dex(classes, out, runtime)
        return out

    def coded(self, workload, variant, codec, model=None):
        """The workload under a codec; returns (jar, map, report). A cap that no run reaches, so
        that all write all they have."""
        # First: where it is made anew, nothing else stays.
        plain = self.plain(workload)
        folder = self.path(workload, self.binary)
        os.makedirs(folder, exist_ok=True)
        jar, plmap, report = (os.path.join(folder, variant + e)
                              for e in (".jar", ".plmap", ".json"))
        if not os.path.exists(report):
            more = ["--model", model] if model else []
            mapping = self.mapping(workload)
            more += ["--mapping", mapping] if mapping else []
            text = call(self.pathlight, "instrument", "--force", plain, "-o", jar, "--map", plmap,
                        "--codec", codec, "--cap", measure.CAP_MIB, "--json", *more)
            with open(report, "w") as f:
                f.write(text)
        with open(report) as f:
            return jar, plmap, json.load(f)

    def select(self, workload, variant, plmap, logs):
        """Chooses the paths of a variant, of a log."""
        folder = self.path(workload, self.binary)
        chosen = os.path.join(folder, variant + ".paths.json")
        if not os.path.exists(chosen):
            asked = w.PATHS[variant][0] or self.through(workload, plmap, logs)
            call(self.pathlight, "select", "--map", plmap, "-o", chosen, *asked, *logs)

    def through(self, workload, plmap, logs):
        """Asks for the paths through the last line of the rarest one."""
        self.select(workload, "paths-rare", plmap, logs)
        with open(os.path.join(self.path(workload, self.binary), "paths-rare.paths.json")) as f:
            path = json.load(f)["paths"][0]
        lines = [n for n in path.get("lines", []) if n]
        if not lines:
            return ["--top", "0", "--rare", "1"]
        source = re.sub(r"[$;].*", "", path["method"].split("->")[0]).split("/")[-1] + ".java"
        return ["--through", "%s:%d" % (source, lines[-1])]

    def counting(self, workload, variant):
        """The workload with these paths counted; as `coded`."""
        folder = self.path(workload, self.binary)
        chosen, jar, plmap, report = (os.path.join(folder, variant + e)
                                      for e in (".paths.json", ".jar", ".plmap", ".json"))
        if not os.path.exists(report):
            text = call(self.pathlight, "instrument", "--force", self.plain(workload), "-o", jar,
                        "--map", plmap, "--profile", "paths", "--select", chosen, "--json",
                        *w.PATHS[variant][1])
            with open(report, "w") as f:
                f.write(text)
        with open(report) as f:
            return jar, plmap, json.load(f)

    def class_jar(self, jar):
        """What enjarify makes of the dex files, for HotSpot; None when it cannot translate all of
        them."""
        with open(jar, "rb") as f:
            out = os.path.join(self.folder, "enjarify",
                               hashlib.sha256(f.read()).hexdigest()[:24] + ".jar")
        if os.path.exists(out):
            return out if os.path.getsize(out) else None
        os.makedirs(os.path.dirname(out), exist_ok=True)
        work = out + ".work"
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        with zipfile.ZipFile(jar) as z:
            z.extractall(work)
        classes = os.path.join(work, "classes")
        whole = True
        for dex in sorted(glob.glob(work + "/*.dex")):
            text = call("/usr/bin/python3", "-O", "-m", "enjarify.main", dex, "-o", dex + ".jar",
                        "-f", env=dict(os.environ, PYTHONPATH="/usr/lib/python3/dist-packages"))
            whole &= "classes had errors" not in text or " 0 classes had errors" in text
            with zipfile.ZipFile(dex + ".jar") as z:
                z.extractall(classes)
            os.remove(dex)
            os.remove(dex + ".jar")
        if whole:
            for n in os.listdir(work):
                if n != "classes":
                    shutil.move(os.path.join(work, n), classes)
            jar_of(out, classes)
        else:
            open(out, "w").close()
        shutil.rmtree(work)
        return out if whole else None


class R8Builder(Builder):
    """Builds workloads as releases are built: by R8, with its mapping."""

    def compile(self, workload, classes, out):
        jar = out + ".classes.jar"
        jar_of(jar, classes)
        # The rule for enumerations is of Android's default file; Gson writes the names of the
        # driver's fields.
        rules = ["-keepclassmembers,allowoptimization enum * { public static **[] values(); "
                 "public static ** valueOf(java.lang.String); }",
                 "-keepclassmembernames class bench.libs.** { <fields>; }", workload.keep_rules]
        r8(out, self.mapping(workload), workload.main, jar, "\n".join(rules))
        os.remove(jar)
        resources(classes, out)

    def mapping(self, workload):
        return self.path(workload, "mapping.txt")


def resources(classes, jar):
    """Puts what is not a class file beside the dex files."""
    with zipfile.ZipFile(jar, "a", zipfile.ZIP_DEFLATED) as z:
        present = set(z.namelist())
        for base, _, files in sorted(os.walk(classes)):
            for f in sorted(files):
                name = os.path.relpath(os.path.join(base, f), classes)
                if not f.endswith(".class") and name not in present:
                    z.write(os.path.join(base, f), name)
