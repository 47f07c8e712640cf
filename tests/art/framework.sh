#!/usr/bin/env bash
# Android 6 (API 23) class stubs from Debian's libandroid-23-java, in the ART host's folder:
# `cargo xtask art framework`.
#   PREFIX/share/android-23.jar        to compile against
#   PREFIX/framework/android-23.zip    the same as dex: the verifier links an app's classes with it
#                                      dexverify app.apk:PREFIX/framework/android-23.zip
# Every method body only throws: nothing runs on them. The private apt state of setup.sh is used.
# Environment, set by xtask: PATHLIGHT_ART, D8_JAR.
set -euo pipefail
PREFIX=$(readlink -m "${PATHLIGHT_ART:?}")
: "${D8_JAR:?}"
[ ! -s "$PREFIX/framework/android-23.zip" ] || exit 0
[ -e "$PREFIX/build/apt/sources.list" ] \
  || { echo "framework.sh: no ART host in $PREFIX; cargo xtask art setup builds it" >&2; exit 1; }
APT=(-o "Dir::Etc::SourceList=$PREFIX/build/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
  -o "Dir::State::Lists=$PREFIX/build/apt/lists"
  -o "Dir::Cache=$PREFIX/build/apt/cache" -o Dir::State::status=/dev/null
  -o APT::Sandbox::User=root)
W=$(mktemp -d)
trap 'rm -rf "$W"' EXIT
cd "$W"
mkdir -p "$PREFIX/build/apt/lists/partial" "$PREFIX/build/apt/cache/archives/partial" classes
apt-get "${APT[@]}" update -qq
apt-get "${APT[@]}" download -qq libandroid-23-java/bullseye
dpkg -x libandroid-23-java_*.deb deb
cp deb/usr/share/java/com.android.android-23.jar "$PREFIX/share/android-23.jar"
# What the ART host's own libcore has must not come twice.
(cd classes && unzip -q "$PREFIX/share/android-23.jar" 'android/*' 'com/android/*' 'org/*' \
  'dalvik/*' 'junit/*' && rm -rf org/w3c org/xml)
jar cf framework.jar -C classes .
java -Xmx2g -cp "$D8_JAR" com.android.tools.r8.D8 --min-api 26 --release \
  --lib "$PREFIX/share/android-23.jar" --output framework.zip framework.jar > /dev/null 2>&1
mv framework.zip "$PREFIX/framework/android-23.zip"
