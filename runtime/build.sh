#!/bin/sh
# Builds the device runtime: build.sh [-d D8_JAR] [OUT.dex]      (default: prebuilt/runtime.dex beside this script)
# D8 is taken from -d, from $D8_JAR, or from the newest build-tools under $ANDROID_HOME or $ANDROID_SDK_ROOT.
# Exit 3: no JDK or no D8.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
d8=${D8_JAR:-}
while getopts d: o; do case $o in d) d8=$OPTARG ;; *) exit 2 ;; esac; done
shift $((OPTIND - 1))
out=${1:-$here/prebuilt/runtime.dex}
if [ -z "$d8" ]; then
    for sdk in "${ANDROID_HOME:-}" "${ANDROID_SDK_ROOT:-}"; do
        [ -n "$sdk" ] || continue
        for jar in "$sdk"/build-tools/*/lib/d8.jar; do [ -f "$jar" ] && d8=$jar; done
    done
fi
if [ -z "$d8" ] || [ ! -f "$d8" ]; then echo "build.sh: no D8: pass -d d8.jar or set D8_JAR" >&2; exit 3; fi
command -v javac >/dev/null && command -v java >/dev/null || { echo "build.sh: no JDK" >&2; exit 3; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/classes" "$tmp/dex"
# stubs: what Clock names of Android; none of it goes into the output.
javac --release 8 -g:none -Xlint:all,-options -implicit:none -sourcepath "$here/stubs" -d "$tmp/classes" "$here"/src/pathlight/*.java
# No library on D8's class path: nothing in these classes needs desugaring, and nothing must look as if it did.
java -cp "$d8" com.android.tools.r8.D8 --release --no-desugaring --min-api 19 --output "$tmp/dex" "$tmp"/classes/pathlight/*.class
mv "$tmp/dex/classes.dex" "$out"
