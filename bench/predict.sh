#!/usr/bin/env bash
# What `pathlight instrument` expects of a log beside what the log then has.
#
#   bench/predict.sh                                     # six workloads, codec arith, on ART's interpreter
#   bench/predict.sh --codec pap --codec huffman gson
#
# PATHLIGHT names the binary (built here when not set), D8_JAR Google's D8 (fetched when not set), PATHLIGHT_ART the ART host.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
ROOT=$(dirname "$HERE")
"$ROOT/tests/prerequisites.sh" build run bench
# shellcheck source=/dev/null
. "$ROOT/android-fixtures/tools/compilers.sh"
need_d8
export D8_JAR
ART_HOST=$("$ROOT/tests/art/prefix.sh")
[ -x "$ART_HOST/bin/dalvikvm" ] || { echo "no ART host at $ART_HOST: tests/art/setup.sh builds it" >&2; exit 2; }
export ART_HOST
if [ -z "${PATHLIGHT:-}" ]; then
  cargo build --manifest-path "$ROOT/Cargo.toml" --release -q -p pathlight
  PATHLIGHT=${CARGO_TARGET_DIR:-$ROOT/target}/release/pathlight
fi
export PATHLIGHT
exec python3 "$HERE/predict.py" "$@"
