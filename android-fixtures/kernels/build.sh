#!/usr/bin/env bash
# Recipe: src/ → prebuilt/kernels.apk (javac, D8, unsigned). usage: build.sh [OUT_DIR]
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
FIXTURES=$(dirname "$HERE")
OUT=${1:-$HERE/prebuilt}
. "$FIXTURES/tools/compilers.sh"
need_d8
W=$(mktemp -d)
trap 'rm -rf "$W"' EXIT
mkdir -p "$OUT" "$W/dex"
compile_java "$W/app" "$FIXTURES/stubs/prebuilt/stubs.jar" "$HERE/src"
classes_jar "$W/app.jar" "$W/app"
d8 --debug --classpath "$FIXTURES/stubs/prebuilt/stubs.jar" --output "$W/dex" "$W/app.jar"
python3 "$FIXTURES/tools/pack.py" "$OUT/kernels.apk" "$HERE/AndroidManifest.xml" "$W"/dex/classes*.dex
