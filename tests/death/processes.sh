#!/bin/sh
# processes.sh: several processes of one app at once (android:process), their logs in one folder or one logcat. See processes.py.
# PATHLIGHT: the binary. Needs the ART host (tests/art/setup.sh) and smali.
exec python3 "$(dirname "$(readlink -f "$0")")/processes.py" "$@"
