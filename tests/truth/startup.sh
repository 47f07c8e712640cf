#!/usr/bin/env bash
# The first probes of a process at the end of a stack, in more and more of its last frames: startup.sh [--make]
# Nothing but StackOverflowError may reach the app, ART must not crash, and what runs with enough stack later must be in the log.
# PATHLIGHT: the binary. Needs the ART host (tests/art/setup.sh). --make compiles startup/ anew with D8_JAR. The last line is `N passed, N failed`.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "${1:-}" = --make ]; then
  mkdir "$work/classes"
  javac --release 8 -Xlint:-options -d "$work/classes" "$here"/startup/java/*.java &&
    java -cp "${D8_JAR:?d8.jar}" com.android.tools.r8.D8 --release --min-api 24 --no-desugaring --output "$work" "$work"/classes/*.class &&
    mv "$work/classes.dex" "$here/startup/program.dex"
  exit
fi
: "${PATHLIGHT:?the pathlight binary}"
art=${ART_HOST:-$("$here/../art/prefix.sh")}
"$PATHLIGHT" instrument "$here/startup/program.dex" -o "$work/app.dex" --map "$work/app.plmap" --exclude Main > "$work/log" 2>&1 ||
  { cat "$work/log"; exit 1; }
passed=0 failed=0
for vm in int jit art11; do
  program=$art/bin/dalvikvm
  [ $vm != art11 ] || program=$art/bin/dalvikvm11
  for frames in 1 2 3 4 6 10 20 50 100 300 1000; do
    rm -rf "$work/logs" && mkdir "$work/logs"
    ART_JIT=$([ $vm = jit ] && echo 1) timeout 120 "$program" -cp "$work/app.dex" "-Dpathlight.dir=$work/logs" Main $frames > "$work/out" 2> "$work/log"
    code=$?
    # Of 3,000 calls, work(3) and work(4) give 1 and 0, 1,000 times each.
    if [ $code != 0 ] || ! read -r sum back < "$work/out" || [ "$sum" != 1000 ]; then why="exit $code: $(tail -1 "$work/out") $(grep -v '^\sat' "$work/log" | tail -1)"
    elif ! "$PATHLIGHT" decode --map "$work/app.plmap" "$work/logs"/* > "$work/paths" 2> "$work/log"; then why="decode: $(tail -1 "$work/log")"
    # The main thread comes after the thread "deep" and lacks nothing.
    elif n=$(awk '/^===/ {on = /"main"/} on && /App.callee/' "$work/paths" | wc -l) && [ "$n" != 3000 ]; then why="$n calls of the main thread in the log"
    # "deep" may lack its beginning, and then the log says so; or has no stack for a record before it ends, and the log says that.
    else
      deep=$(awk '/^===/ {on = /"deep"/} on && /App.callee/' "$work/paths" | wc -l)
      late=$(grep -c 'this thread ran before' "$work/paths") none=$(grep -c 'ran without being recorded' "$work/log")
      if [ "$late $none" != "$((deep > 0 && deep < back)) $((deep == 0 && back > 0))" ]; then
        why="of \"deep\" $deep of $back calls are in the log; it says so of $late threads, and of threads without a record $none times"
      else
        why=
        passed=$((passed + 1))
        echo "pass $vm, $frames frames: $n calls; of \"deep\" $deep of $back$([ "$late$none" = 00 ] || echo ", and the log says so")"
      fi
    fi
    [ -n "$why" ] || continue
    failed=$((failed + 1))
    echo "FAIL $vm, $frames frames: $why"
  done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
