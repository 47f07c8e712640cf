#!/usr/bin/env bash
# The bench: every codec, JaCoCo and nothing at all, on compute kernels and real libraries, on ART's JIT, its interpreter and HotSpot.
#
#   bench/run.sh --out bench                             # the recorded run: RESULTS.md, results.csv, results.svg
#   bench/run.sh --quick                                 # three rounds, JIT only, prints a table
#   bench/run.sh --quick --workload heapsort --variant arith --variant jacoco
#   bench/run.sh --help
#
# PATHLIGHT names the binary (built here when not set), D8_JAR Google's D8 (fetched when not set), PATHLIGHT_ART the ART host.
# Libraries come from Debian packages; nothing of them is kept in the checkout.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
ROOT=$(dirname "$HERE")
FIXTURES=$ROOT/android-fixtures
"$ROOT/tests/prerequisites.sh" build run bench
# shellcheck source=/dev/null
. "$FIXTURES/tools/compilers.sh"
need_d8
export D8_JAR
ART_HOST=$("$ROOT/tests/art/prefix.sh")
[ -x "$ART_HOST/bin/dalvikvm" ] || { echo "no ART host at $ART_HOST: tests/art/setup.sh builds it" >&2; exit 2; }
export ART_HOST
target=${CARGO_TARGET_DIR:-$ROOT/target}
cd "$ROOT"
if [ -z "${PATHLIGHT:-}" ]; then
  cargo build --release -q -p pathlight
  PATHLIGHT=$target/release/pathlight
fi
if [ -z "${FLOORS:-}" ]; then
  cargo build --release -q -p tests --example floors
  FLOORS=$target/release/examples/floors
fi
export PATHLIGHT FLOORS
exec python3 "$HERE/bench.py" "$@"
