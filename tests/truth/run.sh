#!/bin/sh
# run.sh [SEED|A-B]… [--prebuilt] [--vm int|jit|art11]… [--codec NAME] [-j N] [--keep DIR]
# Decoded paths against an independent instruction trace, on generated programs under ART.
# PATHLIGHT: the binary (without it only the comparer is tried, on paths made from the trace). D8_JAR: d8.jar, to compile generated programs.
# ART_HOST: the ART host (default: what tests/art/prefix.sh says).
exec python3 "$(dirname "$(readlink -f "$0")")/runner.py" "$@"
