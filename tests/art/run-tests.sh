#!/usr/bin/env bash
# ART's own run-tests with code that went through `pathlight instrument`: compares what they print.
#
#   cargo xtask art run-tests [options] [TEST...] [-- ARGUMENT...]
#     ARGUMENT           an argument for `pathlight instrument`
#     --codec NAME       none (default), arith, …; `original` runs the tests as they were built
#     --mode LIST        int (ART 10 interpreter), jit (ART 10 JIT), art11 (ART 11 interpreter),
#                        art14 (ART 14 nterp), art14jit (ART 14 JIT); default int,jit,art11
#     --list FILE        the tests, when none is named: default run-tests-passing.txt, the 680 that
#                        pass unrewritten
#     --representative   the short list for CI (representative.txt)
#     --decode           each test's logs must decode (`pathlight decode` exits 0)
#     --build-only       build the tests, run none
#     --out DIR          where rewritten tests go and stay (default: a temporary folder)
#     -j N               how many at a time (default: the number of cores)
#
# Environment, set by xtask: PATHLIGHT, the program; PATHLIGHT_ART, the ART host. Built tests are
# kept in the ART host's folder `tests` and built when missing, about 1 to 3 seconds each; rewriting
# and running takes well below a second.
#
# A test that fails rewritten is run once more as it was built, in the same mode: when that fails
# too it is listed as `also fails unrewritten` and not counted. exceptions.txt names tests whose
# expected output shows what rewriting must change, each with its reason; they are listed and not
# counted. The last line is `N passed, N failed`.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
usage() { sed -n '2,24s/^# \{0,1\}//p' "$0" >&2; exit 2; }

codec=none modes=int,jit,art11 list=$HERE/run-tests-passing.txt decode= \
  build_only= out= jobs=$(nproc) tests=()
while [ $# -gt 0 ]; do
  case $1 in
    --codec) codec=${2:?}; shift 2 ;;
    --mode) modes=${2:?}; shift 2 ;;
    --list) list=${2:?}; shift 2 ;;
    --representative) list=$HERE/representative.txt; shift ;;
    --decode) decode=1; shift ;;
    --build-only) build_only=1; shift ;;
    --out) out=${2:?}; shift 2 ;;
    -j) jobs=${2:?}; shift 2 ;;
    --) shift; break ;;
    -*) usage ;;
    *) tests+=("$1"); shift ;;
  esac
done
arguments=("$@")
[ ${#tests[@]} -gt 0 ] || mapfile -t tests < <(grep -v '^#' "$list" | awk 'NF{print $1}')

PREFIX=${PATHLIGHT_ART:?set by cargo xtask art run-tests}
SOURCE=$PREFIX/src/art
BUILT=$PREFIX/tests
if [ -z "$out" ]; then
  out=$(mktemp -d)
  trap 'rm -rf "$out"' EXIT
fi
mkdir -p "$out" "$BUILT"

# What the tests' own build and run scripts expect of an AOSP tree.
HELPERS=$BUILT/.tools
mkdir -p "$HELPERS/development/docs/copyright-templates" "$HELPERS/prebuilts/misc/common/asm"
cp -r "$HERE"/host/run-test/. "$HELPERS/"
ln -sfn "$SOURCE/test" "$HELPERS/art/test"
ln -sfn "$PREFIX/share/asm-all-9.4.jar" "$HELPERS/prebuilts/misc/common/asm/asm-6.0.jar"
printf '/*\n * Copyright (C) %%s The Android Open Source Project\n */\n' \
  > "$HELPERS/development/docs/copyright-templates/java.txt"

export PREFIX SOURCE BUILT HELPERS PATHLIGHT="${PATHLIGHT:-}" codec decode out
export ANDROID_BUILD_TOP=$HELPERS JAVAC=javac D8=$HELPERS/d8 DEXMERGER=$HELPERS/merge \
  SMALI=$HELPERS/smali JASMIN=$HELPERS/jasmin
export HIDDENAPI=$HELPERS/hiddenapi ZIPALIGN=$HELPERS/zipalign RUN=$HELPERS/run
export NEED_DEX=true USE_DESUGAR=false TEST_RUNTIME=art ART_TEST_RUN_TEST_PREBUILD=false
arguments_line=
[ ${#arguments[@]} -eq 0 ] || arguments_line=$(printf '%q ' "${arguments[@]}")
export arguments_line

place() { # NAME DIR: what the test's scripts read
  export TEST_NAME=$1 DEX_LOCATION=$2 ANDROID_DATA=$2
}

# Compiles one test into BUILT/NAME. Tests are built in a folder aside, so that one that is there is
# whole.
build_one() {
  local name=$1 final=$BUILT/$1 work=$BUILT/.building-$1
  if [ -f "$final/$name.jar" ] || [ "$name" = 000-nop -a -d "$final" ]; then return; fi
  [ -d "$SOURCE/test/$name" ] || { echo "$name: no such run-test"; return; }
  rm -rf "$work" "$final"
  cp -r "$SOURCE/test/$name" "$work"
  cd "$work"
  place "$name" "$work"
  grep -l iteritems ./*.py 2> /dev/null | xargs -r sed -i 's/iteritems/items/'
  cp "$SOURCE/test/etc/default-build" "$SOURCE/test/etc/default-run" .
  [ -f build ] || cp default-build build
  [ -f run ] || cp default-run run
  [ -f check ] || cp "$SOURCE/test/etc/default-check" check
  chmod +x build run check default-*
  if ! timeout 600 ./build --host > build.log 2>&1; then
    echo "$name: does not build, see $work/build.log"
    return
  fi
  rm -rf classes classes2 classes-ex classes-tmp-for-ex
  mv "$work" "$final"
}

# Runs the test that is in DIR; prints nothing, succeeds when the output is the expected one.
run_in() { # NAME DIR MODE
  local name=$1 dir=$2 mode=$3
  cd "$dir"
  place "$name" "$dir"
  mkdir -p dalvik-cache/x86_64
  rm -rf oat
  unset ART_JIT
  export VM=dalvikvm VM_ARGS=${VM_EXTRA:-}
  case $mode in *jit) export ART_JIT=1 ;; esac
  case $mode in art11) VM=dalvikvm11 ;; art14*) VM=dalvikvm14 ;; esac
  # A program that was stopped may have printed all it should before it hung: that is no pass.
  local code=0
  timeout -k 5 400 ./run --host --no-prebuild --relocate --testlib arttest < /dev/null \
    > "output.$mode.txt" 2>&1 || code=$?
  if [ "$code" = 124 ]; then echo "stopped by its time limit" >> "output.$mode.txt"; fi
  sed -i 's/[[:cntrl:]]$//' "output.$mode.txt"
  cp "output.$mode.txt" output.checked
  ! grep -q '^UNSUPPORTED' "output.$mode.txt" \
    && ./check expected.txt output.checked > /dev/null 2>&1
}

# One line per test and mode: VERDICT NAME MODE DETAIL
test_one() { # NAME MODE...
  local name=$1 dir=$out/$1 jar mode log began
  shift
  if [ ! -f "$BUILT/$name/$name.jar" ] && [ "$name" != 000-nop ]; then
    echo "FAIL $name - not built"
    return
  fi
  rm -rf "$dir"
  cp -r "$BUILT/$name" "$dir"
  rm -f "$dir"/result* "$dir"/output*
  if [ "$codec" != original ]; then
    for jar in "$dir/$name.jar" "$dir/$name-ex.jar"; do
      [ -f "$jar" ] || continue
      # Two jars in one process would be two builds with one runtime: the second keeps its code.
      [ "$codec" = none ] || [ "$jar" = "$dir/$name.jar" ] || continue
      local map=()
      [ "$codec" = none ] || map=(--map "$dir/app.plmap")
      local new=${jar%.jar}.new.jar
      local command='"$PATHLIGHT" instrument "$jar" -o "$new" --codec "$codec" "${map[@]}" '
      if ! eval "$command$arguments_line" > "$dir/instrument.log" 2>&1 || [ ! -s "$new" ]; then
        echo "FAIL $name - instrument: $(tail -1 "$dir/instrument.log")"
        return
      fi
      mv "$new" "$jar"
    done
    # Some tests open the dex file beside the jar.
    if [ -f "$dir/classes.dex" ] && [ -f "$dir/$name.jar" ]; then
      unzip -qo "$dir/$name.jar" classes.dex -d "$dir"
    fi
  fi
  for mode in "$@"; do
    rm -rf "$dir/logs"
    mkdir -p "$dir/logs"
    began=$(date +%s%3N)
    if VM_EXTRA="-Dpathlight.dir=$dir/logs" run_in "$name" "$dir" "$mode"; then
      if [ -n "$decode" ] && [ "$codec" != none ] && [ "$codec" != original ]; then
        for log in "$dir"/logs/*; do
          [ -f "$log" ] || continue
          if ! "$PATHLIGHT" decode --map "$dir/app.plmap" "$log" > /dev/null \
            2> "$dir/decode.log"; then
            echo "FAIL $name $mode decode: $(tail -1 "$dir/decode.log")"
            continue 2
          fi
        done
      fi
      echo "PASS $name $mode $(($(date +%s%3N) - began)) ms"
    elif [ "$codec" != original ] \
      && ! (rm -rf "$dir/again" && cp -r "$BUILT/$name" "$dir/again" \
        && run_in "$name" "$dir/again" "$mode"); then
      echo "SAME $name $mode also fails unrewritten"
    else
      local first
      first=$(diff "$dir/expected.txt" "$dir/output.$mode.txt" 2> /dev/null | sed -n 2p) || true
      echo "FAIL $name $mode ${first:0:150}"
    fi
  done
}
export -f place build_one run_in test_one

printf '%s\0' "${tests[@]}" | xargs -0 -P "$jobs" -I{} bash -c 'build_one {}' >&2
[ -z "$build_only" ] || exit 0

results=$out/results.txt
printf '%s\0' "${tests[@]}" | xargs -0 -P "$jobs" -I{} bash -c "test_one {} ${modes//,/ }" \
  > "$results"
passed=0 failed=0
while read -r verdict name mode detail; do
  case $verdict in
    PASS) passed=$((passed + 1)) ;;
    SAME) echo "same  $name ($mode): $detail" ;;
    *)
      reason=$(awk -v n="$name" -v m="$mode" \
        '$1==n && ($2=="*" || $2==m) {$1=$2=""; print substr($0,3); exit}' "$HERE/exceptions.txt")
      # A reason with a text in quotes holds only for an output with that text.
      quoted=$(sed -n 's/.*"\(.*\)".*/\1/p' <<< "$reason")
      [ -z "$quoted" ] || grep -qF -- "$quoted" "$out/$name/output.$mode.txt" || reason=
      if [ "$codec" != none ] && [ "$codec" != original ] && [ -n "$reason" ]; then
        echo "known $name ($mode): $reason"
      else
        failed=$((failed + 1))
        echo "FAIL  $name ($mode): $detail"
      fi
      ;;
  esac
done < <(sort "$results")
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
