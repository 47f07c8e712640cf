#!/usr/bin/env bash
# One callback of N iterations (default 100,000,000): is every decision there, and does decoding stay small?
# The program counts for itself how often each way was taken; the decoded path must give the same numbers, each at its branch.
# PATHLIGHT: the binary. Needs the ART host (tests/art/setup.sh). usage: long.sh [N]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
: "${PATHLIGHT:?the pathlight binary}"
n=${1:-100000000}
art=${PATHLIGHT_ART:-$("$here/../art/prefix.sh")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$PATHLIGHT" instrument "$here/prebuilt/long.dex" -o "$work/long.dex" --map "$work/map" --cap 1000 > /dev/null 2>&1
mkdir "$work/log"
plain=$(ART_JIT=1 "$art/bin/dalvikvm" -cp "$here/prebuilt/long.dex" Main "$n")
said=$(ART_JIT=1 "$art/bin/dalvikvm" "-Dpathlight.dir=$work/log" -cp "$work/long.dex" Main "$n")
[ "$plain" = "$said" ] || { echo "another output: $said instead of $plain"; echo "0 passed, 1 failed"; exit 1; }
python3 - "$PATHLIGHT" "$work" "$n" "$said" <<'END'
import glob, json, os, resource, subprocess, sys
program, work, n, said = sys.argv[1], sys.argv[2], int(sys.argv[3]), [int(x) for x in sys.argv[4].split()]
log, = glob.glob(work + "/log/*")
out = subprocess.run([program, "train", "--map", work + "/map", log, "-o", work + "/model"], capture_output=True, text=True, check=True).stdout
use = resource.getrusage(resource.RUSAGE_CHILDREN)
method = next(v for k, v in json.load(open(work + "/model"))["methods"].items() if "->main(" in k)
counts = sorted(sorted(b["counts"].values()) for b in method["branches"])
wanted = sorted(sorted(x) for x in ([n, 1], said[:2], said[2:]))
size = os.path.getsize(log)
print(out, end="")
print("program: %s; decoded: %s" % (wanted, counts))
print("decoding: %.1f s of processor time, %.0f MB of memory for a log of %.0f MB" % (use.ru_utime + use.ru_stime, use.ru_maxrss / 1024, size / 2**20))
# The log is read into memory and its payloads are copied once; nothing else may grow with it.
ok = counts == wanted and use.ru_maxrss * 1024 < 2 * size + (16 << 20)
print("%d passed, %d failed" % (ok, not ok))
sys.exit(not ok)
END
