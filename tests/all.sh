#!/usr/bin/env bash
# Everything that must hold, step by step. usage: all.sh [--fast]      --fast: formatting, lints and cargo tests only
# Installs the Debian packages it needs (tests/prerequisites.sh) and builds the ART host outside the checkout the first
# time (cargo xtask art setup, 4 to 8 minutes). Each step is timed; the output of a step that fails is shown, all of it
# is kept in target/test-logs. The last line is `N passed, N failed`, and what tests left out, if anything (their lines `skipped: …`).
# With CI=true something left out is a failure, unless tests/allowed-skips.txt has that line.
set -uo pipefail
cd "$(dirname "$0")/.."
fast=
case ${1:-} in --fast) fast=1 ;; "") ;; *) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;; esac

logs=${CARGO_TARGET_DIR:-target}/test-logs
mkdir -p "$logs"
binary=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)/release/pathlight
passed=0 failed=0 skipped=()
step() { # NAME COMMAND...
  local name=$1 log began=$SECONDS
  shift
  log=$logs/${name// /-}.log
  if "$@" > "$log" 2>&1; then
    passed=$((passed + 1))
    printf 'PASS  %-44s %4d s   %s\n' "$name" $((SECONDS - began)) "$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -1)"
  else
    failed=$((failed + 1))
    printf 'FAIL  %-44s %4d s   %s\n' "$name" $((SECONDS - began)) "$log"
    tail -60 "$log" | sed 's/^/    | /'
  fi
  local line
  while IFS= read -r line; do
    skipped+=("${line#skipped: }")
    if [ "${CI:-}" = true ] && ! grep -qxF -- "$line" tests/allowed-skips.txt; then
      failed=$((failed + 1))
      printf 'FAIL  %-44s          %s\n' "$name" "$line"
    fi
  done < <(grep '^skipped: ' "$log")
}

# Before the first test: the device runtime's tests need a JDK.
step "debian packages" tests/prerequisites.sh build run fixtures $([ -n "$fast" ] || echo oracles art)
step "formatting" cargo fmt --check
step "lints" cargo clippy --workspace --all-targets --quiet -- -D warnings
step "documentation" env RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps --quiet
step "tables are what their CSV files give" cargo xtask results check
step "dependencies and licences" cargo xtask dependencies
step "cargo tests" cargo test --workspace --quiet
step "damaged files of every kind" cargo xtask mutants --count 1000 --every 50 --time 6

if [ -z "$fast" ]; then
  step "release build" cargo build --release --quiet
  export PATHLIGHT="$binary"
  step "ART host" cargo xtask art setup
  step "device runtime: runtime.dex is what its sources give" cargo xtask runtime check
  step "fixtures: the recipes give the prebuilt files" cargo xtask fixtures check
  step "fixtures: every VM says the same" cargo xtask fixtures agree
  step "dexdiff sees seeded changes" cargo xtask oracles dexdiff-selftest
  step "lines are as before, codec none" cargo xtask oracles lines
  step "frames of a mapping are those of R8's Retrace" cargo xtask oracles retrace
  step "ART run-tests, codec none" cargo xtask art run-tests --representative --codec none --mode int
  step "ART run-tests, codec arith" cargo xtask art run-tests --representative --codec arith --decode
  step "ART's verifiers, before and after" cargo xtask art verify --representative
  step "ART's verifiers, rules of register kinds" cargo xtask art types
  step "ART's compiler, before and after" cargo xtask art compiled
  step "truth: decoded paths against an independent tracer" cargo xtask truth run --prebuilt --vm int --vm jit --vm art11
  step "truth: a fixture for each hazard" cargo xtask truth run --fixtures --vm int --vm jit --vm art11
  step "truth: callees in place of their calls, 1,600 callers" cargo xtask truth inline
  step "truth: the fixture apps" cargo xtask truth apps 1
  step "truth: stack traces of what R8 made" cargo xtask truth traces
  step "truth: first probes at the end of a stack" cargo xtask truth startup
  step "death: SIGKILL at random moments" cargo xtask death kill 20
  step "death: uncaught exceptions" cargo xtask death crash
  step "death: several processes" cargo xtask death processes
  step "death: several builds in one process" cargo xtask death builds
  step "death: a hundred million iterations" cargo xtask death long
  step "death: storage" cargo xtask death storage
  step "the demo" ./demo.sh
fi

left=$(printf '; %s' "${skipped[@]:+${skipped[@]}}")
echo "$passed passed, $failed failed$([ ${#skipped[@]} = 0 ] || echo ", ${#skipped[@]} skipped: ${left#; }")"
[ "$failed" = 0 ]
