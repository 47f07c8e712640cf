"""What is measured, and under what name: the one list of workloads and variants."""

import re
import subprocess
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Workload:
    """One workload. Sizes are chosen so that a repetition takes 4 to 25 ms uninstrumented, on the
    JIT and on the interpreter."""

    name: str
    main: str                      # class of the workload
    jit: int                       # size on the JIT and on HotSpot
    interpreter: int               # size on the interpreter
    train: int                     # size of the run that trains the model; its seed differs, too
    packages: tuple = field(default=())  # Debian packages that bring the library
    jars: tuple = field(default=())      # its jars below /usr/share/java
    warm: int = 8                  # repetitions before the timed ones on the JIT and HotSpot
    keep: tuple = field(default=())      # of the jars, only what begins so (all when empty)
    drop: tuple = field(default=())      # of the jars, not what begins so
    keep_rules: str = ""           # for R8: what the library finds by name

    @property
    def hotspot(self):
        """Whether it runs on HotSpot, too: enjarify needs minutes for each variant of a library."""
        return not self.jars


SEED = 7
TRAIN_SEED = 1001

KERNELS = [
    Workload("series", "bench.kernels.Series", 400, 60, 300),
    Workload("lufact", "bench.kernels.LuFact", 260, 90, 250),
    Workload("sor", "bench.kernels.Sor", 300, 120, 400),
    Workload("heapsort", "bench.kernels.HeapSort", 80_000, 20_000, 150_000),
    Workload("crypt", "bench.kernels.Crypt", 250_000, 20_000, 400_000),
    Workload("fft", "bench.kernels.Fft", 15, 12, 14),
    Workload("sparse", "bench.kernels.Sparse", 30_000, 2_000, 20_000),
    Workload("euler", "bench.kernels.Euler", 90, 30, 100),
    Workload("moldyn", "bench.kernels.MolDyn", 8, 5, 7),
    Workload("montecarlo", "bench.kernels.MonteCarlo", 2_000, 100, 1_500),
    Workload("raytracer", "bench.kernels.RayTracer", 150, 24, 120),
    Workload("search", "bench.kernels.Search", 7, 5, 6),
    Workload("phases", "bench.kernels.Phases", 60_000, 6_000, 50_000),
]

# Debian's core.jar is ZXing's, js.jar Rhino's.
LIBRARIES = [
    Workload("rhino", "bench.libs.Rhino", 800, 50, 1_000, ("librhino-java",), ("js.jar",), 12,
             ("org/mozilla/javascript/",), ("org/mozilla/javascript/tools/",),
             "-keep class org.mozilla.javascript.jdk** { *; }\n"
             "-keep class org.mozilla.javascript.VMBridge* { *; }\n"
             "-keep class org.mozilla.javascript.Interpreter { *; }\n"
             "-keep class org.mozilla.javascript.Native* { *; }\n"
             "-keep class org.mozilla.javascript.regexp.* { *; }"),
    Workload("zxing", "bench.libs.Zxing", 4, 1, 6, ("libzxing-core-java",), ("core.jar",), 12),
    Workload("jsoup", "bench.libs.Jsoup", 60, 2, 80, ("libjsoup-java",), ("jsoup.jar",), 12),
    Workload("gson", "bench.libs.Gson", 400, 25, 400, ("libgoogle-gson-java",), ("gson.jar",), 12),
    Workload("compress", "bench.libs.Compress", 40_000, 2_000, 50_000,
             ("libcommons-compress-java",), ("commons-compress.jar",), 12),
    Workload("lang", "bench.libs.Lang", 400, 25, 500, ("libcommons-lang3-java",),
             ("commons-lang3.jar",), 12),
]

ALL = KERNELS + LIBRARIES

# Licences of the code that is used, by the packages' copyright files.
LICENCES = {
    "librhino-java": "MPL-2.0", "libzxing-core-java": "Apache-2.0", "libjsoup-java": "MIT",
    "libgoogle-gson-java": "Apache-2.0",
    "libcommons-compress-java": "Apache-2.0", "libcommons-lang3-java": "Apache-2.0",
    "libjacoco-java": "EPL-2.0 (Debian's copyright file: EPL-1.0)", "enjarify": "Apache-2.0",
}

# Variants that are not codecs.
PLAIN = "plain"
JACOCO = "jacoco"
UNTRAINED = "arith-untrained"


def codecs(pathlight):
    """Every codec that the binary has: it lists them when it is asked for one that it has not."""
    p = subprocess.run([pathlight, "instrument", "none.apk", "-o", "none.apk", "--codec", "?"],
                       capture_output=True, text=True)
    found = re.search(r"there are ([a-z-]+(?:, [a-z-]+)*)", re.sub(r"\s+", " ", p.stderr))
    if not found:
        raise SystemExit("%s: cannot list its codecs: %s" % (pathlight, p.stderr))
    return found.group(1).split(", ")


def variants(pathlight):
    """All variants, the uninstrumented one first."""
    found = codecs(pathlight)
    return [PLAIN, JACOCO] + found + [UNTRAINED]


# Builds that count whole paths of the training run: arguments of `select`, and those of
# `instrument`. The ten or fifty that ran most often; those by numbers in a register, and
# ten whose counts are published; the one that ran least often; up to twenty through a line of that
# one.
PATHS = {
    "paths-10": (["--top", "10"], []),
    "paths-10-flag": (["--top", "10"], ["--detect", "flag"]),
    "paths-10-published": (["--top", "10"], ["--hits", "published"]),
    "paths-50": (["--top", "50"], []),
    "paths-50-flag": (["--top", "50"], ["--detect", "flag"]),
    "paths-rare": (["--top", "0", "--rare", "1"], []),
    "paths-line": (None, []),
}


def is_paths(variant):
    return variant in PATHS


def is_coded(variant):
    """Whether the variant writes a log."""
    return variant not in (PLAIN, JACOCO, "none")
