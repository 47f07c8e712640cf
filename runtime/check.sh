#!/bin/sh
# Proves that prebuilt/runtime.dex is what the sources give: check.sh [-d D8_JAR]
# Exit 0: the same, or nothing to build with ("not checked"); 1: different.
set -u
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp) || exit 1
trap 'rm -f "$tmp"' EXIT
"$here/build.sh" "$@" "$tmp"
case $? in
0) ;;
3) echo "runtime.dex: not checked"; exit 0 ;;
*) echo "runtime.dex: the sources do not build"; exit 1 ;;
esac
if cmp "$tmp" "$here/prebuilt/runtime.dex"; then echo "runtime.dex: as built"; else echo "runtime.dex: differs from what the sources give"; exit 1; fi
