#!/usr/bin/env bash
# The one place that installs Debian packages. usage: prerequisites.sh GROUP...
#   build     what the Rust build and its tests need: a C compiler, zipalign, apksigner, openssl
#   run       what runs the fixtures on HotSpot: a Java runtime and enjarify
#   fixtures  what the fixtures' recipes need: a JDK, pip, npm (kotlinc comes from npm)
#   oracles   the tools that judge our output: dexdump, aapt, zipalign, apksigner, baksmali
#   art       what builds the ART host, its run-tests and the native code of tests/truth
#   bench     the libraries that the bench measures, JaCoCo, a JDK
#   device    adb
#   browser   Chromium, Firefox, a font and node, which show and test the pages of `report`
#   fleet     what runs the scripts of fleet/: Python with venv, a Java runtime for Spark
#   release   what packs the downloads and tries them: binutils, xz, zip, dpkg-deb, pip
#   all       everything
# Installs what is missing as root or through sudo; otherwise names what to install, and exits 1.
# Does nothing when nothing is missing.
set -euo pipefail

need=()
# A program, and the package that brings it.
program() { command -v "$1" > /dev/null 2>&1 || [ -x "/usr/bin/$1" ] || need+=("$2"); }
file() { compgen -G "$1" > /dev/null || need+=("$2"); }

jdk() { program javac openjdk-17-jdk-headless; }

build() {
  program gcc gcc
  file '/usr/include/*/sys/types.h' libc6-dev
  program zipalign zipalign
  program apksigner apksigner
  program openssl openssl
}
run() {
  program java openjdk-17-jre-headless
  program enjarify enjarify
}
fixtures() {
  jdk
  program python3 python3
  python3 -m pip --version > /dev/null 2>&1 || need+=(python3-pip)
  program npm npm
}
oracles() {
  program java openjdk-17-jre-headless
  program dexdump dexdump
  program aapt aapt
  program aapt2 aapt
  file /usr/share/android-framework-res/framework-res.apk android-framework-res
  program zipalign zipalign
  program apksigner apksigner
  program baksmali libsmali-java
  program unzip unzip
  program zip zip
  program genhtml lcov
  # What lcov 2.3.1 needs, which `cargo xtask oracles coverage` fetches.
  file '/usr/lib/*/perl5/*/DateTime.pm' libdatetime-perl
  file /usr/share/perl5/Capture/Tiny.pm libcapture-tiny-perl
  file /usr/share/perl5/Date/Parse.pm libtimedate-perl
  file /usr/share/perl5/JSON.pm libjson-perl
  file '/usr/lib/*/perl5/*/PerlIO/gzip.pm' libperlio-gzip-perl
  program xmllint libxml2-utils
  file /usr/share/java/org.jacoco.report.jar libjacoco-java
  program python3 python3
  file /usr/lib/python3/dist-packages/jsonschema/__init__.py python3-jsonschema
}
art() {
  jdk
  program gcc gcc
  program g++ g++
  program make make
  program python3 python3
  program patch patch
  program unzip unzip
  program zip zip
  program xz xz-utils
  program clang++-19 clang-19
  program ld.lld-19 lld-19
  program smali libsmali-java
  file /usr/include/unicode/uchar.h libicu-dev
  file /usr/include/expat.h libexpat1-dev
  file /usr/include/openssl/bn.h libssl-dev
  file /usr/include/zlib.h zlib1g-dev
  file '/usr/lib/*/liblz4.so.1' liblz4-1
  file /usr/include/lz4.h liblz4-dev
  file /usr/include/tinyxml2.h libtinyxml2-dev
  file '/usr/lib/*/libatomic.so.1' libatomic1
  file /usr/share/zoneinfo/UTC tzdata
  file /usr/share/keyrings/debian-archive-keyring.gpg debian-archive-keyring
}

bench() {
  jdk
  program python3 python3
  program enjarify enjarify
  file /usr/share/java/org.jacoco.core.jar libjacoco-java
  file /usr/share/java/js.jar librhino-java
  file /usr/share/java/core.jar libzxing-core-java
  file /usr/share/java/jsoup.jar libjsoup-java
  file /usr/share/java/gson.jar libgoogle-gson-java
  file /usr/share/java/commons-compress.jar libcommons-compress-java
  file /usr/share/java/commons-lang3.jar libcommons-lang3-java
}

device() {
  program python3 python3
  program adb adb
}

browser() {
  program chromium chromium
  command -v firefox > /dev/null 2>&1 || program firefox-esr firefox-esr
  program node nodejs
  program python3 python3
  file /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf fonts-dejavu-core
}

fleet() {
  program python3 python3
  file '/usr/lib/python3*/ensurepip/__init__.py' python3-venv
  program java openjdk-17-jre-headless
}

release() {
  program objcopy binutils
  program dpkg-deb dpkg
  program xz xz-utils
  program zip zip
  program gzip gzip
  program python3 python3
  python3 -m pip --version > /dev/null 2>&1 || need+=(python3-pip)
}

[ $# -gt 0 ] || { sed -n '2,16s/^# \{0,1\}//p' "$0"; exit 2; }
for group in "$@"; do
  case $group in
    build | run | fixtures | oracles | art | bench | device | browser | fleet | release) "$group" ;;
    all)
      for g in build run fixtures oracles art bench device browser fleet release; do "$g"; done
      ;;
    *) echo "prerequisites.sh: no group $group" >&2; exit 2 ;;
  esac
done
[ ${#need[@]} -gt 0 ] || exit 0
mapfile -t need < <(printf '%s\n' "${need[@]}" | sort -u)

if [ "$(id -u)" = 0 ]; then
  as_root=(env)
elif sudo -n true 2> /dev/null; then
  as_root=(sudo env)
else
  echo "missing Debian packages (neither root nor sudo here): apt-get install ${need[*]}" >&2
  exit 1
fi
echo "installing Debian packages: ${need[*]}" >&2
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
  "${need[@]}" > /dev/null
