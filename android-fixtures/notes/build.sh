#!/usr/bin/env bash
# Recipe: src/ → prebuilt/notes.apk and notes.mapping.txt (kotlinc, R8 with shrinking and renaming, unsigned). usage: build.sh [OUT_DIR]
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
FIXTURES=$(dirname "$HERE")
OUT=${1:-$HERE/prebuilt}
. "$FIXTURES/tools/compilers.sh"
need_d8
need_kotlin
W=$(mktemp -d)
trap 'rm -rf "$W"' EXIT
mkdir -p "$OUT" "$W/dex"
STUBS=$FIXTURES/stubs/prebuilt/stubs.jar
(cd "$HERE/src" && find . -name '*.kt' | LC_ALL=C sort) > "$W/list"
# Relative names, so that no path of this machine gets into the class files.
(cd "$HERE/src" && xargs bash "$KOTLIN/bin/kotlinc" -nowarn -jvm-target 1.8 -module-name notes -cp "$STUBS" -d "$W/app.jar" < "$W/list")
r8 --release --pg-conf "$HERE/keep.pro" --pg-map-output "$OUT/notes.mapping.txt" --classpath "$STUBS" --output "$W/dex" "$W/app.jar" "$KOTLIN/lib/kotlin-stdlib.jar"
python3 "$FIXTURES/tools/pack.py" "$OUT/notes.apk" "$HERE/AndroidManifest.xml" "$W"/dex/classes*.dex
