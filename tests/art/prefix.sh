#!/usr/bin/env bash
# Prints the folder of the ART host: $PATHLIGHT_ART, or an installation that is there already, or where setup.sh will put it.
set -euo pipefail
cache=${XDG_CACHE_HOME:-$HOME/.cache}
if [ -n "${PATHLIGHT_ART:-}" ]; then echo "$PATHLIGHT_ART"; exit; fi
for p in "$cache/pathlight/art" "$cache/arthost"; do
  if [ -e "$p/build/stamps/selftest" ]; then echo "$p"; exit; fi
done
echo "$cache/pathlight/art"
