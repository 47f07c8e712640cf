#!/usr/bin/env bash
# The fixture apps' decoded paths against the independent trace: fixtures.sh [--codec NAME] [SEED…]      (default: 1 2 3)
# PATHLIGHT: the binary. Needs the ART host (tests/art/setup.sh) and smali. Each session runs traced on the interpreter, and
# instrumented on every VM; output and path must be the same. The last line is `N passed, N failed`.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
fixtures=$here/../../android-fixtures
: "${PATHLIGHT:?the pathlight binary}"
codec=arith
if [ "${1:-}" = --codec ]; then codec=${2:?a codec}; shift 2; fi
seeds=("${@:-1}")
[ $# -gt 0 ] || seeds=(1 2 3)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
for app in tether notes kernels; do
  apk=$(ls "$fixtures/$app"/prebuilt/*.apk)
  python3 "$here/tracer.py" instrument "$apk" -o "$work/$app.jar" --table "$work/$app.table" > "$work/log" 2>&1 &&
    "$PATHLIGHT" instrument "$apk" -o "$work/$app.apk" --map "$work/$app.plmap" --codec "$codec" >> "$work/log" 2>&1 ||
    { echo "FAIL $app: $(tail -1 "$work/log")"; failed=$((failed + 1)); continue; }
  # A kernels session is some 10⁷ instructions at its usual size.
  steps=()
  [ "$app" != kernels ] || steps=(--steps 1)
  for seed in "${seeds[@]}"; do
    rm -f "$work/trace"
    "$fixtures/run.sh" --vm art --apk "$work/$app.jar" "${steps[@]}" "$app" "$seed" "-Dtruth.out=$work/trace" > "$work/traced" 2> "$work/log"
    for vm in art art-jit art11; do
      rm -rf "$work/logs" && mkdir "$work/logs"
      "$fixtures/run.sh" --vm $vm --apk "$work/$app.apk" "${steps[@]}" "$app" "$seed" "-Dpathlight.dir=$work/logs" > "$work/output" 2> "$work/log"
      if ! cmp -s "$work/traced" "$work/output"; then why="another output"
      elif ! why=$("$PATHLIGHT" decode --map "$work/$app.plmap" --format json "$work/logs"/* 2>&1 > "$work/paths.jsonl"); then :
      elif why=$(python3 "$here/compare.py" --table "$work/$app.table" --trace "$work/trace" --paths "$work/paths.jsonl" 2>&1); then
        passed=$((passed + 1))
        echo "pass $app $seed $vm: $why"
        continue
      fi
      failed=$((failed + 1))
      echo "FAIL $app $seed $vm: $why"
    done
  done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
