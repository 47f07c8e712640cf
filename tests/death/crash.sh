#!/bin/sh
# crash.sh: apps that die of an uncaught exception, with their paths in logcat and in a file. See crash.py.
# PATHLIGHT: the binary. Needs the ART host (tests/art/setup.sh) and smali.
exec python3 "$(dirname "$(readlink -f "$0")")/crash.py" "$@"
