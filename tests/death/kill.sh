#!/bin/sh
# kill.sh [N] [--seed S] [--vm art|art-jit|art11]... [--keep DIR]
# SIGKILL at N random moments (default 500) of instrumented apps under ART: is what was committed true, and how much is lost? See kill.py.
# PATHLIGHT: the binary. Needs the ART host (tests/art/setup.sh) and smali.
exec python3 "$(dirname "$(readlink -f "$0")")/kill.py" "$@"
