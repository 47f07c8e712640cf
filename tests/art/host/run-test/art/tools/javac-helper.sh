#!/bin/bash
# Stands in for AOSP's javac wrapper: our libcore as the boot class path.
args=()
for x in "$@"; do
  case $x in
    --core-only | --mode=* | --show-commands) ;;
    *) args+=("$x") ;;
  esac
done
"$JAVAC" -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 -source 8 -target 8 -nowarn -Xlint:-options \
  -proc:none -g -encoding UTF-8 -XDignore.symbol.file \
  -bootclasspath "$PREFIX/share/core-classes.jar:$PREFIX/share/icu-classes.jar" "${args[@]}"
