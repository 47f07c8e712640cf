#!/usr/bin/env bash
# What ART's verifiers say of every run-test before and after `pathlight instrument`, class by class.
#
#   verify.sh [--codec NAME] [--out DIR] [--representative] [-j N] [TEST...]      default: arith, all 680 of run-tests-passing.txt
#
# Each class must keep its state (OK, SOFT, ACCESS, HARD, UNLINKED) and its lock verification ("failed lock verification and will
# run slower"), on ART 10 and on ART 11; none may come or go but the runtime's own (pathlight.*), which must be OK.
# Environment: PATHLIGHT, the program; PATHLIGHT_ART, the ART host (tests/art/setup.sh; tests are built by run-tests.sh --build-only).
# Prints the totals per VM; the last line is `N passed, N failed`, in tests times VMs.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
usage() { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
codec=arith list=$HERE/run-tests-passing.txt jobs=$(nproc) out= tests=()
while [ $# -gt 0 ]; do
  case $1 in
    --codec) codec=${2:?}; shift 2 ;;
    --out) out=${2:?}; shift 2 ;;
    --representative) list=$HERE/representative.txt; shift ;;
    -j) jobs=${2:?}; shift 2 ;;
    -*) usage ;;
    *) tests+=("$1"); shift ;;
  esac
done
: "${PATHLIGHT:?the pathlight binary}"
[ ${#tests[@]} -gt 0 ] || mapfile -t tests < <(grep -v '^#' "$list" | awk 'NF{print $1}')
PREFIX=$("$HERE/prefix.sh")
[ -x "$PREFIX/bin/dexverify" ] || { echo "verify.sh: no ART host in $PREFIX; tests/art/setup.sh builds it" >&2; exit 2; }
[ -n "$out" ] || { out=$(mktemp -d); trap 'rm -rf "$out"' EXIT; }
mkdir -p "$out"
missing=()
for t in "${tests[@]}"; do [ "$t" = 000-nop ] || [ -f "$PREFIX/tests/$t/$t.jar" ] || missing+=("$t"); done
[ ${#missing[@]} -eq 0 ] || "$HERE/run-tests.sh" --build-only "${missing[@]}"

export PREFIX PATHLIGHT codec out
one() {
  local name=$1 jar=$PREFIX/tests/$1/$1.jar v
  [ -f "$jar" ] || { echo "$name has no code" > "$out/$name.none"; return; }
  local map=()
  [ "$codec" = none ] || map=(--map "$out/$name.plmap")
  if ! "$PATHLIGHT" instrument "$jar" -o "$out/$name.jar" --codec "$codec" "${map[@]}" > "$out/$name.log" 2>&1; then
    mv "$out/$name.log" "$out/$name.broken"
    return
  fi
  for v in "" 11; do
    ART_LOG=w timeout 300 "$PREFIX/bin/dexverify$v" -v "$jar" > "$out/$name.before$v" 2>&1 || true
    ART_LOG=w timeout 300 "$PREFIX/bin/dexverify$v" -v "$out/$name.jar" > "$out/$name.after$v" 2>&1 || true
  done
  rm -f "$out/$name.jar"
}
export -f one
printf '%s\0' "${tests[@]}" | xargs -0 -P "$jobs" -I{} bash -c 'one {}'
python3 "$HERE/verify.py" "$out" "${tests[@]}"
