#!/usr/bin/env bash
# Does ART's optimizing compiler still take every method that it took before `pathlight instrument`?
#
#   compiled.sh [--codec NAME] [--out DIR] [--list FILE] [-j N] [PROGRAM...]      default: arith
#
# PROGRAM is a .dex, .jar or .apk, with `:LIB.dex` behind it what it links against (for an app: class stubs of the platform), or the name of
# a run-test; --list names run-tests in a file. Default: the fixtures and the prebuilt programs of tests/truth. Nothing is run: ART 10's
# compiler gets every method, hot or not (dexcompile of the ART host). Fails for a method that was compiled before and is refused or gone
# after, and for one that is new and refused, unless not-compiled.txt lists it; and where there was nothing to look at.
# Environment: PATHLIGHT, the program; PATHLIGHT_ART, the ART host (tests/art/setup.sh; run-tests are built by run-tests.sh --build-only).
# Prints the counts before and after, by reason; the last line is `N passed, N failed`, in programs.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
usage() { sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
codec=arith jobs=$(nproc) out= programs=()
while [ $# -gt 0 ]; do
  case $1 in
    --codec) codec=${2:?}; shift 2 ;;
    --out) out=${2:?}; shift 2 ;;
    --list) mapfile -t -O "${#programs[@]}" programs < <(grep -v '^#' "${2:?}" | awk 'NF{print $1}'); shift 2 ;;
    -j) jobs=${2:?}; shift 2 ;;
    -*) usage ;;
    *) programs+=("$1"); shift ;;
  esac
done
: "${PATHLIGHT:?the pathlight binary}"
[ ${#programs[@]} -gt 0 ] || programs=("$HERE"/../truth/fixtures/*/program.dex "$HERE"/../truth/prebuilt/*/program.dex)
PREFIX=$("$HERE/prefix.sh")
[ -x "$PREFIX/bin/dexcompile" ] || { echo "compiled.sh: no dexcompile in $PREFIX; tests/art/setup.sh builds it" >&2; exit 2; }
[ -n "$out" ] || { out=$(mktemp -d); trap 'rm -rf "$out"' EXIT; }
mkdir -p "$out"
out=$(cd "$out" && pwd)

# A number, what it is, the file, what it links against: one line each.
missing=() lines=()
for p in "${programs[@]}"; do
  file=${p%%:*} libs=
  [ "$file" = "$p" ] || libs=:${p#*:}
  if [ ! -f "$file" ] && [[ $file != */* ]]; then
    [ "$file" != 000-nop ] || continue # has no code
    [ -f "$PREFIX/tests/$file/$file.jar" ] || missing+=("$file")
    file=$PREFIX/tests/$file/$file.jar
  fi
  name=$(basename "$file")
  [ "$name" != program.dex ] || name=$(basename "$(dirname "$file")")
  lines+=("${#lines[@]}"$'\t'"$name"$'\t'"$(readlink -m "$file")"$'\t'"$libs")
done
[ ${#missing[@]} -eq 0 ] || "$HERE/run-tests.sh" --build-only "${missing[@]}"
[ ${#lines[@]} -eq 0 ] || printf '%s\n' "${lines[@]}" > "$out/programs.txt"

export PREFIX PATHLIGHT codec out
one() {
  local id name file libs map=() made
  IFS=$'\t' read -r id name file libs <<< "$1"
  made=$out/$id.${file##*.}
  rm -f "$out/$id".{before,after,broken}
  [ "$codec" = none ] || map=(--map "$out/$id.plmap")
  # A program of the truth tests may say what it is to be instrumented with.
  local args=$(dirname "$file")/instrument-args more=()
  [ ! -f "$args" ] || read -ra more < "$args"
  if ! "$PATHLIGHT" instrument "$file" -o "$made" --codec "$codec" "${map[@]}" "${more[@]}" > "$out/$id.log" 2>&1; then
    mv "$out/$id.log" "$out/$id.broken"
    return
  fi
  timeout 600 "$PREFIX/bin/dexcompile" "$file$libs" > "$out/$id.before" 2> "$out/$id.before.err" || true
  timeout 600 "$PREFIX/bin/dexcompile" "$made$libs" > "$out/$id.after" 2> "$out/$id.after.err" || true
  rm -f "$made"
}
export -f one
[ ${#lines[@]} -eq 0 ] || printf '%s\0' "${lines[@]}" | xargs -0 -P "$jobs" -I{} bash -c 'one "$1"' one {}
python3 "$HERE/compiled.py" "$out" "$HERE/not-compiled.txt"
