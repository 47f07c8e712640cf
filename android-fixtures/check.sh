#!/usr/bin/env bash
# Proves that the recipes still give the prebuilt files, byte by byte. usage: check.sh [NAME...]   (stubs, tether, notes, kernels)
# Compilers that are missing are fetched into the user's cache (tools/compilers.sh).
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
"$HERE/../tests/prerequisites.sh" fixtures
W=$(mktemp -d)
trap 'rm -rf "$W"' EXIT
[ $# -gt 0 ] || set -- stubs tether notes kernels
passed=0 failed=0
for name in "$@"; do
  "$HERE/$name/build.sh" "$W/$name" > /dev/null
  for f in "$HERE/$name"/prebuilt/*; do
    if cmp "$f" "$W/$name/$(basename "$f")"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $name/prebuilt/$(basename "$f")"; fi
  done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
