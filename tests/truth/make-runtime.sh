#!/bin/sh -e
# Writes runtime/truthtrace/*.smali from runtime/truthtrace/T.java with javac, D8 (D8_JAR) and baksmali.
cd "$(dirname "$(readlink -f "$0")")"
W=$(mktemp -d)
trap 'rm -rf "$W"' EXIT
mkdir "$W/classes"
javac --release 8 -Xlint:none -g:none -d "$W/classes" runtime/truthtrace/T.java
java -cp "$D8_JAR" com.android.tools.r8.D8 --release --min-api 21 --lib "$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")" --output "$W" "$W"/classes/truthtrace/*.class
baksmali disassemble --api 21 -o "$W/smali" "$W/classes.dex"
cp "$W"/smali/truthtrace/*.smali runtime/truthtrace/
