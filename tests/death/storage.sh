#!/bin/sh
# storage.sh [--quick]
# No storage, full storage, read-only storage, the log's limit, the ring, the off switch: what instrumented apps do under ART. See storage.py.
# PATHLIGHT: the binary. Needs the ART host (tests/art/setup.sh). --quick: without the runs that fill a log.
exec python3 "$(dirname "$(readlink -f "$0")")/storage.py" "$@"
