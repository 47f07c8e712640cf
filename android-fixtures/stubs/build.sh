#!/usr/bin/env bash
# Recipe: the android.* stubs and the driver → stubs/prebuilt/{stubs.jar,host.dex,host.jar}. usage: build.sh [OUT_DIR]
# stubs.jar: what fixtures compile against. host.jar, host.dex: stubs and driver, for HotSpot and for ART.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
FIXTURES=$(dirname "$HERE")
OUT=${1:-$HERE/prebuilt}
. "$FIXTURES/tools/compilers.sh"
need_d8
W=$(mktemp -d)
trap 'rm -rf "$W"' EXIT
mkdir -p "$OUT" "$W/dex"
compile_java "$W/stubs" "" "$HERE/src"
compile_java "$W/driver" "$W/stubs" "$FIXTURES/driver/src"
classes_jar "$OUT/stubs.jar" "$W/stubs"
cp -r "$W/stubs" "$W/host"
cp -r "$W/driver/." "$W/host"
classes_jar "$OUT/host.jar" "$W/host"
d8 --debug --output "$W/dex" "$OUT/host.jar"
cp "$W/dex/classes.dex" "$OUT/host.dex"
