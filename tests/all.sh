#!/usr/bin/env bash
# Everything that must hold, step by step. usage: all.sh [--fast]      --fast: formatting, lints and cargo tests only
# Installs the Debian packages it needs (tests/prerequisites.sh) and builds the ART host outside the checkout the first
# time (tests/art/setup.sh, 4 to 8 minutes). Each step is timed; the output of a step that fails is shown, all of it
# is kept in target/test-logs. The last line is `N passed, N failed`.
set -uo pipefail
cd "$(dirname "$0")/.."
fast=
case ${1:-} in --fast) fast=1 ;; "") ;; *) sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2 ;; esac

logs=${CARGO_TARGET_DIR:-target}/test-logs
mkdir -p "$logs"
binary=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)/release/pathlight
passed=0 failed=0
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
}

step "debian packages: build" tests/prerequisites.sh build
step "formatting" cargo fmt --check
step "lints" cargo clippy --workspace --all-targets --quiet -- -D warnings
step "cargo tests" cargo test --workspace --quiet

if [ -z "$fast" ]; then
  step "debian packages: the rest" tests/prerequisites.sh run fixtures oracles art
  step "release build" cargo build --release --quiet
  step "ART host" tests/art/setup.sh
  step "fixtures: the recipes give the prebuilt files" android-fixtures/check.sh
  step "fixtures: every VM says the same" android-fixtures/agree.sh
  step "dexdiff sees seeded changes" tests/oracles/dexdiff-selftest.sh
  step "ART run-tests, codec none" tests/art/run-tests.sh --representative --codec none --mode int
  step "ART run-tests, codec arith" tests/art/run-tests.sh --representative --codec arith --decode
  step "ART's verifiers, before and after" env PATHLIGHT="$binary" tests/art/verify.sh --representative
  step "ART's compiler, before and after" env PATHLIGHT="$binary" tests/art/compiled.sh
  step "truth: decoded paths against an independent tracer" env PATHLIGHT="$binary" ART_HOST="$(tests/art/prefix.sh)" tests/truth/run.sh --prebuilt --vm int --vm jit --vm art11
  step "truth: a fixture for each hazard" env PATHLIGHT="$binary" ART_HOST="$(tests/art/prefix.sh)" tests/truth/run.sh --fixtures --vm int --vm jit --vm art11
  step "truth: the fixture apps" env PATHLIGHT="$binary" tests/truth/fixtures.sh 1
  step "truth: first probes at the end of a stack" env PATHLIGHT="$binary" tests/truth/startup.sh
  step "death: SIGKILL at random moments" env PATHLIGHT="$binary" PATHLIGHT_ART="$(tests/art/prefix.sh)" tests/death/kill.sh 20
  step "death: uncaught exceptions" env PATHLIGHT="$binary" PATHLIGHT_ART="$(tests/art/prefix.sh)" tests/death/crash.sh
  step "death: several processes" env PATHLIGHT="$binary" PATHLIGHT_ART="$(tests/art/prefix.sh)" tests/death/processes.sh
  step "death: a hundred million iterations" env PATHLIGHT="$binary" PATHLIGHT_ART="$(tests/art/prefix.sh)" tests/death/long.sh
  step "death: storage" env PATHLIGHT="$binary" PATHLIGHT_ART="$(tests/art/prefix.sh)" tests/death/storage.sh --quick
  step "the demo" ./demo.sh
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
