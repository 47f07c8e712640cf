#!/usr/bin/env bash
# Proves that dexdiff.py sees what it must see and nothing else: a class file taken apart and put
# together again by smali is the same; with one thing changed it is not, and only the class that was
# changed is named.
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
W=$(mktemp -d)
trap 'rm -rf "$W"' EXIT
cd "$W"
unzip -q "$HERE/../../android-fixtures/tether/prebuilt/tether.apk" classes.dex
baksmali d --api 21 -o same classes.dex
smali a --api 21 -o same.dex same
passed=0 failed=0
verdict() {
  if [ "$1" = ok ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $2"; fi
}

if "$HERE/dexdiff.py" --ignore-outs classes.dex same.dex > out; then
  verdict ok
else
  cat out
  verdict bad "smali's round trip reported as different"
fi

# NAME CLASS SED-SCRIPT: the edit must change the text, and dexdiff must name that class and no
# other.
seed() {
  rm -rf edit edit.dex
  cp -r same edit
  local file=edit/org/example/tether/$2.smali
  sed -i "$3" "$file"
  if cmp -s "$file" "same/org/example/tether/$2.smali"; then
    verdict bad "$1: the edit changes nothing"
    return
  fi
  smali a --api 21 -o edit.dex edit
  [ -s edit.dex ] || { verdict bad "$1: smali wrote nothing"; return; }
  if "$HERE/dexdiff.py" same.dex edit.dex > out; then verdict bad "$1: not seen"
  elif [ "$(grep -c '^differs: ' out)" = 1 ] \
    && grep -q "^differs: Lorg/example/tether/$2;" out; then verdict ok
  else cat out; verdict bad "$1: wrong class named"; fi
}
seed "an instruction's constant" Packet 's/const\/16 v1, 0x400/const\/16 v1, 0x401/'
seed "an instruction's register" AccessProvider '0,/return v1/s//return v0/'
seed "a string operand" Packet 's/"other"/"others"/'
seed "a line number" AccessProvider 's/\.line 22$/.line 23/'
seed "a switch key" Packet 's/0x1f90 -> /0x1f91 -> /'
seed "a switch target" Packet 's/0x19 -> :sswitch_38/0x19 -> :sswitch_3b/'
seed "array data" Network '/\.array-data/{n;s/0x1bb/0x1bc/}'
seed "a local's name" AccessProvider 's/"value":Ljava\/lang\/Integer;/"val":Ljava\/lang\/Integer;/'
seed "a caught type" AccessProvider \
  's/\.catch Ljava\/lang\/NumberFormatException;/.catch Ljava\/lang\/RuntimeException;/'
seed "an access flag" AccessProvider 's/^\.method private row/.method protected row/'
seed "an annotation's value" AccessProvider 's/"Ljava\/util\/TreeMap<"/"Ljava\/util\/HashMap<"/'
seed "a field's initial value" Packet 's/TCP:I = 0x6/TCP:I = 0x7/'
seed "the superclass" SystemReceiver \
  's/Landroid\/content\/BroadcastReceiver;$/Ljava\/lang\/Object;/'
seed "the source file" Address 's/\.source "Address.java"/.source "Addresses.java"/'
seed "registers_size" Address '0,/\.registers [0-9]*/s//.registers 9/'

rm -r same/org/example/tether/Screen.smali
smali a --api 21 -o less.dex same
if "$HERE/dexdiff.py" same.dex less.dex > out \
  || ! grep -q '^missing: Lorg/example/tether/Screen;' out; then
  verdict bad "a missing class: not seen"
else
  verdict ok
fi
echo garbage > garbage.dex
rc=0; "$HERE/dexdiff.py" garbage.dex same.dex 2> /dev/null || rc=$?
if [ "$rc" = 2 ]; then verdict ok; else verdict bad "garbage gives exit $rc, not 2"; fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
