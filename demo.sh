#!/usr/bin/env bash
# The whole job on a fixture app, with no phone: build, instrument, run, decode, retrain, run again,
# and a page that shows what ran. usage: demo.sh [--vm hotspot|art|art-jit|art11] [--record]
#
# Needs Debian 12 and a Rust toolchain; installs missing Debian packages, as root or through sudo
# (tests/prerequisites.sh). Runs the instrumented DEX code: on ART if `cargo xtask art setup` built
# it, else on HotSpot, with class files that enjarify makes of the DEX file. Prints which one ran.
# Writes into target/demo. Ends with exit code 1 when a step fails.
# --record also writes what README.md and docs show: tests/cli/recorded and bench/demo.csv.
# PATHLIGHT names another binary than the release build, XTASK another build of the project's tasks.
set -euo pipefail
cd "$(dirname "$0")"

APP=tether STEPS=120 TRAIN=(1 2 3 4 5 6) TEST=(7 8 9 10 11 12)
vm=() record=
while [ $# -gt 0 ]; do
  case $1 in
    --vm) vm=(--vm "${2:?}"); shift 2 ;;
    --record) record=1; shift ;;
    *) sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
done

T=${CARGO_TARGET_DIR:-target}
mkdir -p "$T"
T=$(cd "$T" && pwd)
D=$T/demo
P=${PATHLIGHT:-$T/release/pathlight} X=${XTASK:-$T/release/xtask}
began=$SECONDS
note() { printf '%4d s  %s\n' $((SECONDS - began)) "$*"; }
# step TEXT: the next of the steps
STEPS_OF_DEMO=8 at=0
step() {
  at=$((at + 1))
  printf '%4d s  [%d/%d] %s\n' $((SECONDS - began)) $at $STEPS_OF_DEMO "$*"
}
# progress DONE ALL WHAT: one line, written over on a terminal
progress() {
  [ -t 1 ] || return 0
  printf '\r        %s %d of %d' "$3" "$1" "$2"
  [ "$1" -lt "$2" ] || printf '\r\033[K'
}
die() { echo "demo.sh: $*" >&2; exit 1; }
trap 'echo "demo.sh: failed in line $LINENO: $BASH_COMMAND" >&2' ERR

command -v cargo > /dev/null && command -v rustc > /dev/null \
  || die "no Rust toolchain here: https://rustup.rs installs one"
needed=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
found=$(rustc --version | cut -d ' ' -f 2)
[ "$(printf '%s\n' "$needed" "${found%%-*}" | sort -V | head -1)" = "$needed" ] \
  || die "Rust $needed or newer is needed, this is Rust $found: \`rustup update stable\` brings one"

if [ -n "${PATHLIGHT:-}" ]; then
  note "the demo takes about a minute, with $P"
elif [ -x "$P" ] && [ -x "$X" ]; then
  note "the demo takes about a minute, and longer where sources have changed since the last build"
else
  note "the demo takes about a minute, after a first build of 5 to 10 minutes on two cores"
fi
step "checking Debian packages"
tests/prerequisites.sh build run
rm -rf "$D"
mkdir -p "$D"
# Translated class files and the debug key that signs the fixture stay in the demo's folder, too.
export PATHLIGHT_CACHE=$D/cache XDG_CONFIG_HOME=$D/config

# One profile, so that no crate is built twice. Cargo shows its own progress.
build=()
[ -n "${PATHLIGHT:-}" ] || build+=(--package pathlight)
[ -n "${XTASK:-}" ] || build+=(--package xtask)
if [ ${#build[@]} -gt 0 ]; then
  step "building ${build[*]//--package/}"
  cargo build --release --locked "${build[@]}"
else
  step "nothing to build: PATHLIGHT and XTASK name the programs"
fi

# instrument NAME OPTION...: an instrumented build of the fixture, NAME.apk and NAME.plmap
instrument() {
  local name=$1
  shift
  "$P" instrument --force "android-fixtures/$APP/prebuilt/$APP.apk" -o "$D/$name.apk" \
    --map "$D/$name.plmap" "$@" > "$D/$name.txt"
  sed 's/^/        /' "$D/$name.txt"
}

# session NAME SEED [OPTION...]: plays one session; what the app prints goes to NAME/SEED.out, its
# logs to NAME/SEED/
session() {
  local name=$1 seed=$2
  shift 2
  mkdir -p "$D/$name/$seed"
  "$X" fixtures run "${vm[@]}" --steps $STEPS "$@" $APP "$seed" -Dpathlight.dir="$D/$name/$seed" \
    > "$D/$name/$seed.out" 2> "$D/$name/$seed.err" \
    || { tail -20 "$D/$name/$seed.err" >&2; die "session $seed of $name failed"; }
}

# same NAME SEED: instrumentation must not change what the app prints
same() {
  cmp "$D/original/$2.out" "$D/$1/$2.out" \
    || die "session $2 printed something else than the uninstrumented app"
  compgen -G "$D/$1/$2/*.plt" > /dev/null || die "session $2 of $1 left no trace file"
}

# logs NAME SEED...: the trace files of sessions
logs() {
  local name=$1 seed
  shift
  for seed; do printf '%s\n' "$D/$name/$seed"/*.plt; done
}

step "instrumenting $APP.apk; without history every edge is equally likely"
instrument first

step "playing sessions ${TRAIN[*]} ${TEST[*]}, original and instrumented"
all=("${TRAIN[@]}" "${TEST[@]}")
for seed in "${all[@]}"; do
  session original "$seed"
  session first "$seed" --apk "$D/first.apk"
  same first "$seed"
  progress "$seed" ${#all[@]} session
done
ran_on=$(sed -n 's/^vm: /they ran on /p' "$D/first/${TEST[0]}.err")
note "$ran_on; output equal in ${#all[@]} of ${#all[@]} sessions"

# The last session ends in an uncaught exception (exit code 10).
mkdir -p "$D/first/crash"
code=0
"$X" fixtures run "${vm[@]}" --steps click:0,long:15 --apk "$D/first.apk" $APP 1 \
  -Dpathlight.dir="$D/first/crash" \
  -Dstub.logcat="$D/first/crash.log" > "$D/first/crash.out" 2> "$D/first/crash.err" || code=$?
[ $code = 10 ] || die "the session that crashes ended with exit code $code"
mapfile -t one < <(logs first crash)
"$P" decode --map "$D/first.plmap" "${one[@]}" > "$D/path.txt"
line=$(grep -n "✗.*leaves the app's code" "$D/path.txt" | head -1 | cut -d : -f 1)
[ -n "$line" ] || die "the path of the crash has no end: $D/path.txt"
lines=$(wc -l < "$D/path.txt")
note "a session that crashes, decoded: $D/path.txt, $lines lines; the last 40 before the crash:"
echo
head -n "$line" "$D/path.txt" | tail -40 | cut -c 1-110 | sed 's/^/        /'
echo

step "training on sessions ${TRAIN[*]}: $D/model.json"
mapfile -t half < <(logs first "${TRAIN[@]}")
"$P" train --force --map "$D/first.plmap" "${half[@]}" -o "$D/model.json" > "$D/train.txt"

step "instrumenting again, with the model"
instrument retrained --model "$D/model.json"

step "playing sessions ${TEST[*]} again, with the new build"
for seed in "${TEST[@]}"; do
  session retrained "$seed" --apk "$D/retrained.apk"
  same retrained "$seed"
  progress $((seed - TEST[0] + 1)) ${#TEST[@]} session
done

note "what sessions ${TEST[*]}, which the model has never seen, cost:"
for name in first retrained; do
  mapfile -t half < <(logs $name "${TEST[@]}")
  # The model that this makes is not used; the prices are.
  "$P" train --force --map "$D/$name.plmap" "${half[@]}" -o "$D/$name-test.json" --json \
    > "$D/$name-cost.json"
done
python3 - "$D" <<'PY'
import json, sys
first, retrained = (json.load(open(f'{sys.argv[1]}/{n}-cost.json')) for n in ('first', 'retrained'))
assert not first['faulty_records'] and not retrained['faulty_records']
def kinds(run):
    return [(k, run['cost'][k]) for k in ('branch', 'slot', 'next_callback')
            if run['cost'][k]['decisions']]
def row(name, a, b):
    per = lambda p, what: p[what] / p['decisions']
    print(f"        {name:24} {a['decisions']:>10} {per(a, 'now'):>10.4f} {per(b, 'now'):>10.4f} "
          f"{per(b, 'floor'):>10.4f}")
    rows.append(
        f"{name},{a['decisions']},{per(a, 'now'):.4f},{per(b, 'now'):.4f},{per(b, 'floor'):.4f}")
rows = ['bits per decision,decisions,without a model,with the model,floor']
print(f"        {'bits per decision':24} {'decisions':>10} {'before':>10} {'after':>10} "
      f"{'floor':>10}")
names = {'branch': 'branches', 'slot': 'calls with many targets',
         'next_callback': 'top-level callbacks'}
total = lambda run: {w: sum(p[w] for _, p in kinds(run)) for w in ('decisions', 'now', 'floor')}
for (k, a), (_, b) in zip(kinds(first), kinds(retrained)):
    row(names[k], a, b)
a, b = total(first), total(retrained)
row('all', a, b)
x, y = (run['cost']['announced'] for run in (first, retrained))
print(f"        announced calls          {'':10} {x:>10} {y:>10}   (callbacks, initialisers: no "
      f"graph predicts them)")
x, y = first['bytes'], retrained['bytes']
print(f"        log bytes                {'':10} {x:>10} {y:>10}   {100 * (y - x) / x:+.1f} %")
rows.append(f'log bytes,–,{x},{y},–')
with open(f'{sys.argv[1]}/demo.csv', 'w') as f:
    f.write('\n'.join(rows) + '\n')
if not (b['now'] / b['decisions'] < a['now'] / a['decisions'] and y < x):
    sys.exit('demo.sh: the model did not make the logs smaller')
PY
if [ -n "$record" ]; then
  note "recording for README.md and docs"
  R=tests/cli/recorded
  # A phone's stack trace has lines, the class files that HotSpot runs have none: take it from ART.
  mkdir "$D/first/crash-art"
  "$X" fixtures run --vm art --steps click:0,long:15 --apk "$D/first.apk" $APP 1 \
    -Dpathlight.dir="$D/first/crash-art" \
    -Dstub.logcat="$D/first/crash-art.log" > "$D/first/crash-art.out" 2>&1 || [ $? = 10 ]
  rm -rf "$R"/sessions "$R"/*.pl*
  mkdir -p "$R/sessions"
  cp "$D/first.plmap" "$R/app.plmap"
  cp "$D/demo.csv" bench/demo.csv
  cp "${one[0]}" "$R"
  grep AndroidRuntime "$D/first/crash-art.log" > "$R/crash.log"
  for seed in "${TRAIN[@]}"; do
    mkdir "$R/sessions/$seed"
    cp "$D/first/$seed"/*.plt "$R/sessions/$seed"
  done
  # Session 7 of a build that counts edges, and of one that counts the paths that ran most often.
  mapfile -t half < <(logs first "${TRAIN[@]}")
  "$P" paths select --force --map "$D/first.plmap" "${half[@]}" --top 20 -o "$D/paths.json"
  instrument counts --profile edges
  instrument count --profile paths --select "$D/paths.json"
  for name in counts count; do
    session $name 7 --apk "$D/$name.apk"
    cp "$D/$name.plmap" "$R"
    cp "$D/$name/7"/*.pl[ch] "$R"
  done
  # The runtime fills logs ahead with zeros: cut them behind the last slab.
  python3 - "$R"/*.plt "$R"/sessions/*/*.plt <<'PY'
import sys
for name in sys.argv[1:]:
    with open(name, 'rb') as f:
        data = f.read()
    slab = int.from_bytes(data[6:8], 'big') or 65536
    used = len(data.rstrip(b'\0'))
    with open(name, 'wb') as f:
        f.write(data[:-(-used // slab) * slab])
PY
  cargo xtask results render
fi
step "writing a page of the session that crashed"
sources=android-fixtures/$APP/src
"$P" report --map "$D/first.plmap" "${one[@]}" --sources "$sources" --html "$D/page.html" \
  > "$D/page.txt"
[ -s "$D/page.html" ] || die "no page was written: $D/page.txt"

note "done; everything is in $D. A browser opens the page, without network:"
echo
echo "    $D/page.html"
echo
echo "Three commands to go on with:"
echo
short=${P#"$PWD/"} where=${D#"$PWD/"}
first=$where/first
echo "    $short crash $first/crash --map $first.plmap    # what led to the crash"
echo "    $short compare --map $first.plmap --good $first/1 --bad $first/crash"
echo "    $short device record your-app.apk    # the same with your app, on a phone"
