#!/usr/bin/env bash
# Instruments an app in a CI job. action.yml runs it; variables are its inputs:
#   PATHLIGHT_APP      the app (.apk, .apks, .aab)
#   PATHLIGHT_OUT      folder of what is written (default: pathlight-out)
#   PATHLIGHT_MAPPING  mapping.txt of R8, or empty
#   PATHLIGHT_OPTIONS  more options of `pathlight instrument`, split at blanks
#   PATHLIGHT          the program (default: pathlight of PATH)
# Writes OUT/NAME-pathlight.ENDING, OUT/NAME.plmap and OUT/report.json. On GitHub it also names app,
# map and build as outputs of the step.
set -euo pipefail

die() { echo "error: $*" >&2; exit 1; }
app=${PATHLIGHT_APP:-} out=${PATHLIGHT_OUT:-pathlight-out} program=${PATHLIGHT:-pathlight}
[ -n "$app" ] || die "no app: set the input apk to the path of the APK"
[ -f "$app" ] || die "$app: no such file; the job must build or download it first"
command -v "$program" > /dev/null \
  || die "no program $program: install pathlight in an earlier step, or name it by input program"
read -ra options <<< "${PATHLIGHT_OPTIONS:-}"
if [ -n "${PATHLIGHT_MAPPING:-}" ]; then
  [ -f "$PATHLIGHT_MAPPING" ] || die "$PATHLIGHT_MAPPING: no such file; R8 writes mapping.txt"
  options+=(--mapping "$PATHLIGHT_MAPPING")
fi

name=$(basename "$app")
beta=$out/${name%.*}-pathlight.${name##*.} map=$out/${name%.*}.plmap
mkdir -p "$out"
"$program" instrument "$app" -o "$beta" --map "$map" --force --json ${options[@]+"${options[@]}"} \
  > "$out/report.json"
build=$(sed -n 's/^  "build": "\([0-9a-f]*\)".*/\1/p' "$out/report.json")
[ -n "$build" ] || die "$out/report.json names no build"
echo "wrote $beta and its map $map; keep the map: only it decodes the logs of build $build"
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  printf 'apk=%s\nmap=%s\nbuild=%s\n' "$beta" "$map" "$build" >> "$GITHUB_OUTPUT"
fi
