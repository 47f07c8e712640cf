#!/usr/bin/env bash
# Runs one session of a fixture app on this machine, original or instrumented.
#
#   run.sh [--vm hotspot|art|art-jit|art11] [--apk FILE | --dex-dir DIR] [--steps N|LIST] APP SEED [-Dname=value]...
#
# APP is tether, notes or kernels; the same SEED gives the same session. --apk names another APK of the app (an
# instrumented one), --dex-dir a folder with classes*.dex; without them the prebuilt APK runs. --steps: how long the
# session is, or its steps with commas between (see driver/src/fixture/driver/Driver.java); for kernels, the size of the work.
# The program's output goes to standard output; the VM is named on standard error. -Dstub.logcat=FILE collects what
# the app logs, in the form of `adb logcat -v threadtime`.
# ART is found through $PATHLIGHT_ART (see tests/art/setup.sh); without --vm, ART runs it when it is there, else HotSpot.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
CACHE=${PATHLIGHT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pathlight}

fail() { echo "run.sh: $*" >&2; exit 2; }
usage() { sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }

vm= code= steps= app= seed= props=()
while [ $# -gt 0 ]; do
  case $1 in
    --vm) vm=${2:?}; shift 2 ;;
    --apk | --dex-dir) code=${2:?}; shift 2 ;;
    --steps) steps=${2:?}; shift 2 ;;
    -D*) props+=("$1"); shift ;;
    -*) usage ;;
    *) if [ -z "$app" ]; then app=$1; elif [ -z "$seed" ]; then seed=$1; else usage; fi; shift ;;
  esac
done
[ -n "$seed" ] || usage
[ -d "$HERE/$app/prebuilt" ] || fail "no fixture $app"
code=${code:-$HERE/$app/prebuilt/$app.apk}
[ -e "$code" ] || fail "$code: not found"

art=$("$HERE/../tests/art/prefix.sh")
if [ -z "$vm" ]; then if [ -x "$art/bin/dalvikvm" ]; then vm=art; else vm=hotspot; fi; fi

# What the VM opens: the APK itself, or the dex files of a folder.
units=()
if [ -d "$code" ]; then
  for f in "$code"/classes*.dex; do [ -e "$f" ] && units+=("$f"); done
  [ ${#units[@]} -gt 0 ] || fail "$code: no classes*.dex"
else
  units=("$code")
fi

if [ -e "$HERE/$app/components.txt" ]; then
  main=(fixture.driver.Driver "$HERE/$app/components.txt" "$seed" ${steps:+"$steps"})
else
  main=("$(cat "$HERE/$app/main-class.txt")" "$seed" ${steps:+"$steps"})
fi

join() { local IFS=:; echo "$*"; }

# enjarify turns dex into class files; what it made is kept under the hash of its input.
to_jar() {
  local jar; jar=$CACHE/enjarify/$(sha256sum "$1" | cut -c1-32).jar
  if [ ! -s "$jar" ]; then
    mkdir -p "$CACHE/enjarify"
    # Debian's wrapper may pick a Python that lacks the module.
    PYTHONPATH=/usr/lib/python3/dist-packages /usr/bin/python3 -O -m enjarify.main "$1" -o "$jar.$$.jar" -f > "$jar.$$.log" 2>&1 \
      || { cat "$jar.$$.log" >&2; fail "enjarify cannot translate $1"; }
    # It lists the classes that it could not translate and goes on; a program with holes is not the program.
    if grep -q 'classes had errors' "$jar.$$.log" && ! grep -q ' 0 classes had errors' "$jar.$$.log"; then
      cat "$jar.$$.log" >&2
      fail "enjarify could not translate all of $1"
    fi
    mv "$jar.$$.jar" "$jar"
    rm -f "$jar.$$.log"
  fi
  echo "$jar"
}

case $vm in
  hotspot)
    "$HERE/../tests/prerequisites.sh" run
    jars=("$HERE/stubs/prebuilt/host.jar")
    for u in "${units[@]}"; do jars+=("$(to_jar "$u")"); done
    echo "vm: HotSpot $(java -version 2>&1 | sed -n 's/.*version "\([^"]*\)".*/\1/p'), class files by enjarify" >&2
    exec java -XX:+UseSerialGC -Xss4m "${props[@]}" -cp "$(join "${jars[@]}")" "${main[@]}"
    ;;
  art | art-jit | art11)
    [ -x "$art/bin/dalvikvm" ] || fail "no ART host in $art; tests/art/setup.sh builds it, or take --vm hotspot"
    program=$art/bin/dalvikvm name="ART 10, interpreter"
    case $vm in
      art-jit) export ART_JIT=1; name="ART 10, JIT" ;;
      art11) program=$art/bin/dalvikvm11 name="ART 11, interpreter" ;;
    esac
    echo "vm: $name" >&2
    exec "$program" "${props[@]}" -cp "$(join "${units[@]}" "$HERE/stubs/prebuilt/host.dex")" "${main[@]}"
    ;;
  *) usage ;;
esac
