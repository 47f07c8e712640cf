#!/usr/bin/env bash
# Recipe: java/ → prebuilt/pulse.dex, long/ → prebuilt/long.dex (javac, D8). usage: build.sh [OUT_DIR]
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
FIXTURES=$HERE/../../android-fixtures
OUT=${1:-$HERE/prebuilt}
. "$FIXTURES/tools/compilers.sh"
need_d8
W=$(mktemp -d)
trap 'rm -rf "$W"' EXIT
mkdir -p "$OUT"
for program in java:pulse long:long; do
  rm -rf "$W/app" "$W/dex" && mkdir "$W/dex"
  compile_java "$W/app" "" "$HERE/${program%:*}"
  classes_jar "$W/app.jar" "$W/app"
  d8 --release --output "$W/dex" "$W/app.jar"
  cp "$W/dex/classes.dex" "$OUT/${program#*:}.dex"
done
