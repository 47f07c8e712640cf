#!/usr/bin/env bash
# The whole job on a fixture app, with no phone: build, instrument, run, decode, retrain, run again.
# usage: demo.sh [--vm hotspot|art|art-jit|art11]
#
# Wants Debian 12 and a Rust toolchain; Debian packages that are missing are installed as root or through sudo
# (tests/prerequisites.sh). The instrumented DEX code itself runs: on ART where cargo xtask art setup has built it, else on
# HotSpot, with class files that enjarify makes of the DEX file. Which one ran is printed. Everything that is
# written goes into target/demo. Any step that fails ends the run with exit code 1.
set -euo pipefail
cd "$(dirname "$0")"

APP=tether STEPS=120 TRAIN=(1 2 3 4 5 6) TEST=(7 8 9 10 11 12)
vm=()
case "${1:-}" in
  "") ;;
  --vm) vm=(--vm "${2:?}") ;;
  *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac

T=${CARGO_TARGET_DIR:-target}
mkdir -p "$T"
T=$(cd "$T" && pwd)
D=$T/demo
P=$T/release/pathlight X=$T/debug/xtask
began=$SECONDS
say() { printf '%4d s  %s\n' $((SECONDS - began)) "$*"; }
die() { echo "demo.sh: $*" >&2; exit 1; }
trap 'echo "demo.sh: failed in line $LINENO: $BASH_COMMAND" >&2' ERR

command -v cargo > /dev/null || die "no Rust toolchain here: see https://rustup.rs"
tests/prerequisites.sh build run
rm -rf "$D"
mkdir -p "$D"
# Translated class files and the debug key that signs the fixture stay in the demo's folder, too.
export PATHLIGHT_CACHE=$D/cache XDG_CONFIG_HOME=$D/config

say "building the release binary"
cargo build --release --quiet
cargo build --quiet --package xtask

# instrument NAME OPTION...: an instrumented build of the fixture, NAME.apk and NAME.plmap
instrument() {
  local name=$1
  shift
  "$P" instrument "android-fixtures/$APP/prebuilt/$APP.apk" -o "$D/$name.apk" --map "$D/$name.plmap" "$@" > "$D/$name.txt"
  sed 's/^/        /' "$D/$name.txt"
}

# session NAME SEED [OPTION...]: plays one session; what the app prints goes to NAME/SEED.out, its logs to NAME/SEED/
session() {
  local name=$1 seed=$2
  shift 2
  mkdir -p "$D/$name/$seed"
  "$X" fixtures run "${vm[@]}" --steps $STEPS "$@" $APP "$seed" -Dpathlight.dir="$D/$name/$seed" \
    > "$D/$name/$seed.out" 2> "$D/$name/$seed.err" || { tail -20 "$D/$name/$seed.err" >&2; die "session $seed of $name failed"; }
}

# same NAME SEED: instrumentation must not change what the app prints
same() {
  cmp "$D/original/$2.out" "$D/$1/$2.out" || die "session $2 printed something else than the uninstrumented app"
  compgen -G "$D/$1/$2/*.plt" > /dev/null || die "session $2 of $1 left no trace file"
}

# logs NAME SEED...: the trace files of sessions
logs() {
  local name=$1 seed
  shift
  for seed; do printf '%s\n' "$D/$name/$seed"/*.plt; done
}

say "instrumenting $APP.apk; without history every edge is equally likely"
instrument first

say "playing sessions ${TRAIN[*]} ${TEST[*]}, original and instrumented"
for seed in "${TRAIN[@]}" "${TEST[@]}"; do
  session original "$seed"
  session first "$seed" --apk "$D/first.apk"
  same first "$seed"
done
say "$(sed -n 's/^vm: /they ran on /p' "$D/first/${TEST[0]}.err"); output equal in $((${#TRAIN[@]} + ${#TEST[@]})) of $((${#TRAIN[@]} + ${#TEST[@]})) sessions"

say "decoding session ${TEST[0]}: $D/path.txt"
mapfile -t one < <(logs first "${TEST[0]}")
"$P" decode --map "$D/first.plmap" "${one[@]}" > "$D/path.txt"
# A callback in which an exception is thrown.
line=$(awk '/\.onClick\(/ { at = NR } /✗/ && at { print at; exit }' "$D/path.txt")
say "$(wc -l < "$D/path.txt") lines; 40 of them, from line ${line:-1}:"
echo
sed -n "${line:-1},$((${line:-1} + 39))p" "$D/path.txt" | cut -c 1-110 | sed 's/^/        /'
echo

say "training on sessions ${TRAIN[*]}: $D/model.json"
mapfile -t half < <(logs first "${TRAIN[@]}")
"$P" train --map "$D/first.plmap" "${half[@]}" -o "$D/model.json" > "$D/train.txt"

say "instrumenting again, with the model"
instrument retrained --model "$D/model.json"

say "playing sessions ${TEST[*]} again, with the new build"
for seed in "${TEST[@]}"; do
  session retrained "$seed" --apk "$D/retrained.apk"
  same retrained "$seed"
done

say "what sessions ${TEST[*]}, which the model has never seen, cost:"
for name in first retrained; do
  mapfile -t half < <(logs $name "${TEST[@]}")
  # The model that this makes is not used; the prices are.
  "$P" train --map "$D/$name.plmap" "${half[@]}" -o "$D/$name-test.json" --json > "$D/$name-cost.json"
done
python3 - "$D" <<'PY'
import json, sys
first, retrained = (json.load(open(f'{sys.argv[1]}/{n}-cost.json')) for n in ('first', 'retrained'))
assert not first['faulty_records'] and not retrained['faulty_records']
def kinds(run):
    return [(k, run['cost'][k]) for k in ('branch', 'slot', 'idle') if run['cost'][k]['decisions']]
def row(name, a, b):
    per = lambda p, what: p[what] / p['decisions']
    print(f"        {name:24} {a['decisions']:>10} {per(a, 'now'):>10.4f} {per(b, 'now'):>10.4f} {per(b, 'floor'):>10.4f}")
print(f"        {'bits per decision':24} {'decisions':>10} {'before':>10} {'after':>10} {'floor':>10}")
names = {'branch': 'branches', 'slot': 'calls with many targets', 'idle': 'top-level callbacks'}
total = lambda run: {w: sum(p[w] for _, p in kinds(run)) for w in ('decisions', 'now', 'floor')}
for (k, a), (_, b) in zip(kinds(first), kinds(retrained)):
    row(names[k], a, b)
a, b = total(first), total(retrained)
row('all', a, b)
x, y = (run['cost']['announced'] for run in (first, retrained))
print(f"        announced calls          {'':10} {x:>10} {y:>10}   (callbacks, initialisers: no graph predicts them)")
x, y = first['bytes'], retrained['bytes']
print(f"        log bytes                {'':10} {x:>10} {y:>10}   {100 * (y - x) / x:+.1f} %")
if not (b['now'] / b['decisions'] < a['now'] / a['decisions'] and y < x):
    sys.exit('demo.sh: the model did not make the logs smaller')
PY
say "done; everything is in $D"
