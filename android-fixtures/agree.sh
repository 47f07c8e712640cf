#!/usr/bin/env bash
# Every VM must say the same of a session: HotSpot, ART 10 interpreted and compiled, ART 11. usage: agree.sh [--apk FILE] [APP...]
# With --apk, the sessions of one rewritten APK are compared with those of the prebuilt one.
# SEEDS (default "1 2 3") sessions of each app; the last line is `N passed, N failed`.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
apk=()
if [ "${1:-}" = --apk ]; then apk=(--apk "$2"); shift 2; fi
[ $# -gt 0 ] || set -- tether notes kernels
W=$(mktemp -d)
trap 'rm -rf "$W"' EXIT
passed=0 failed=0
for app in "$@"; do
  for seed in ${SEEDS:-1 2 3}; do
    "$HERE/run.sh" --vm art "$app" "$seed" > "$W/truth" 2> "$W/err" || { cat "$W/err"; echo "FAIL $app $seed: the original does not run"; failed=$((failed + 1)); continue; }
    for vm in hotspot art art-jit art11; do
      if "$HERE/run.sh" --vm $vm "${apk[@]}" "$app" "$seed" -Dpathlight.dir="$W" > "$W/out" 2> "$W/err" && cmp -s "$W/truth" "$W/out"; then
        passed=$((passed + 1))
      else
        failed=$((failed + 1))
        echo "FAIL $app $seed on $vm"
        diff "$W/truth" "$W/out" | head -5
        tail -5 "$W/err"
      fi
    done
  done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
