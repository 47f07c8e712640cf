#!/usr/bin/env bash
# Builds a real Android Runtime for this machine (Debian 12, amd64) outside the checkout:
# `cargo xtask art setup`. usage: setup.sh [PREFIX]
#
# PREFIX is $PATHLIGHT_ART or ~/.cache/pathlight/art when it is not given. 4 to 8 minutes on two
# cores, 310 MB; when everything is there, under a second. Finished steps leave a stamp in
# PREFIX/build/stamps and are not repeated; delete PREFIX to start over. Only Debian packages are
# used, unpacked privately; build tools come through tests/prerequisites.sh.
#
#   PREFIX/bin/dalvikvm -cp X.dex Main      ART 10.0.0 interpreter; ART_JIT=1: its JIT, built here
#   PREFIX/bin/dalvikvm11 -cp X.dex Main    ART 11.0.0 interpreter, over the same libcore 10
#   PREFIX/bin/dexverify[11] X.apk          ART's verifier over every class
#   PREFIX/bin/dexcompile X.apk             ART 10's optimizing compiler over every method
#   PREFIX/bin/profdump PROFILE X.apk       rules of a profile by names, as ART 10 reads them
#   PREFIX/bin/todex CLASSES OUT.dex        lambda desugaring and dx
#   PREFIX/src/art/test                     sources of ART's run-tests (cargo xtask art run-tests)
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
PARTS=$HERE/host
PREFIX=$(readlink -m "${1:-${PATHLIGHT_ART:-${XDG_CACHE_HOME:-$HOME/.cache}/pathlight/art}}")
BUILD=$PREFIX/build
STAMPS=$BUILD/stamps
started=$SECONDS

note() { echo "[$((SECONDS - started))s] $*" >&2; }
# step NAME FUNCTION: runs the function unless its stamp is there.
step() {
  [ -e "$STAMPS/$1" ] && return
  note "$1"
  "$2"
  touch "$STAMPS/$1"
}

# What the steps leave behind, for those who use it. A file that is gone means: build it all again.
FILES=(bin/{dalvikvm,dalvikvm11,dexverify,dexverify11,dexcompile,profdump,todex} etc/tz/tzdata
  share/{asm-all-9.4,com.android.dx-10.0.0,core-classes,cup,icu-classes,jasmin,todex}.jar
  share/{dexcompile,dexverify}.jar framework/{core,icu}.jar src/art/test)
gone=
for file in "${FILES[@]}"; do [ -e "$PREFIX/$file" ] || gone=$file; done
if [ -z "$gone" ] && [ -e "$STAMPS/selftest" ] && [ -e "$STAMPS/dexcompile" ] \
  && [ -e "$STAMPS/profdump" ]; then
  note "ART host is in $PREFIX"
  exit 0
fi
if [ -n "$gone" ] && [ -e "$STAMPS/selftest" ]; then
  note "$gone is gone: builds all again"
  rm -rf "$STAMPS"
fi
"$HERE/../prerequisites.sh" art
mkdir -p "$PREFIX"/{bin,lib,share,framework,etc/tz,data/dalvik-cache/x86_64,src} \
  "$PREFIX"/art11/{framework,data} "$STAMPS"
# One builder at a time; a second one waits and then finds all done.
exec 9> "$BUILD/lock"
flock 9

# ---- packages ------------------------------------------------------------------------------------
# A private apt state, so that bullseye's packages never mix with the machine's. The address is the
# machine's own source.
APT=(-o "Dir::Etc::SourceList=$BUILD/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
  -o "Dir::State::Lists=$BUILD/apt/lists"
  -o "Dir::Cache=$BUILD/apt/cache" -o Dir::State::status=/dev/null -o APT::Sandbox::User=root
  -o Acquire::Languages=none
  -o APT::Architecture=amd64 -o APT::Architectures=amd64)
ART10=10.0.0+r36-3 LIBCORE10=10.0.0+r36-1 ART11=11.0.0+r48-5
BULLSEYE=(android-libart android-libnativehelper android-libnativehelper-dev android-libbase
  android-libbacktrace android-libnativebridge android-libnativeloader android-libcutils
  android-liblog android-libziparchive android-libunwind android-platform-system-core-headers
  android-libbase-dev android-liblog-dev android-libziparchive-dev android-libutils dalvik-exchange)
BOOKWORM=(android-libart android-libbase android-libbacktrace android-libcutils android-liblog
  android-libnativebridge android-libnativeloader android-libutils android-libziparchive
  android-libnativehelper android-libbase-dev android-libnativehelper-dev android-liblog-dev
  android-platform-system-core-headers android-libziparchive-dev)

apt_state() {
  mkdir -p "$BUILD/apt/lists/partial" "$BUILD/apt/cache/archives/partial"
  local uri keyring="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" suite
  uri=$(cat /etc/apt/sources.list.d/*.sources 2> /dev/null \
    | awk '/^URIs:/{u=$2} /^Suites:/{if($2=="bookworm"){print u; exit}}' || true)
  [ -n "$uri" ] || uri=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2> /dev/null \
    | sed -n 's/^deb \(\[[^]]*\] \)\?\([^ ]*\) bookworm .*/\2/p' | head -1 || true)
  [ -n "$uri" ] || { echo "setup.sh: no Debian source for bookworm in /etc/apt" >&2; exit 1; }
  for suite in bullseye bookworm; do
    printf '%s %s %s %s main\n' deb "$keyring" "$uri" $suite deb-src "$keyring" "$uri" $suite
  done > "$BUILD/apt/sources.list"
  apt-get "${APT[@]}" update -qq
}

download() {
  mkdir -p "$BUILD/dl" "$BUILD/dl11"
  cd "$BUILD/dl"
  apt-get "${APT[@]}" download -qq "${BULLSEYE[@]/%//bullseye}" libasm-java/bookworm \
    libicu4j-java/bookworm jasmin-sable/bookworm cup/bookworm
  apt-get "${APT[@]}" source -qq --download-only --only-source android-platform-libcore=$LIBCORE10 \
    android-platform-art=$ART10 > /dev/null
  cd "$BUILD/dl11"
  apt-get "${APT[@]}" download -qq "${BOOKWORM[@]/%//bookworm}"
  apt-get "${APT[@]}" source -qq --download-only --only-source android-platform-art=$ART11 \
    > /dev/null
}

# Debian's own patches, then ours (what g++ and this libcore need).
debian_patches() { # SOURCE_DIR [lenient]
  local p
  (cd "$1"; grep -v '^#' debian/patches/series | while read -r p; do
    patch -p1 -s -N < "debian/patches/$p" > /dev/null || [ "${2:-}" = lenient ] || exit 1
  done)
  sh "$PARTS/patch/art.sh" "$1"
}

unpack() {
  local f
  rm -rf "$BUILD"/{root,tools,root11,src11} "$PREFIX"/src/{art,libcore}
  mkdir -p "$BUILD"/{root,tools,root11,src11/t} "$PREFIX"/src/{art,libcore}
  for f in "$BUILD"/dl/*.deb; do
    case $f in
      */libasm* | */libicu4j* | */jasmin* | */cup_*) dpkg -x "$f" "$BUILD/tools" ;;
      *) dpkg -x "$f" "$BUILD/root" ;;
    esac
  done
  for f in "$BUILD"/dl11/*.deb; do dpkg -x "$f" "$BUILD/root11"; done
  tar xf "$BUILD"/dl/android-platform-art_10*.orig.tar.gz -C "$PREFIX/src/art"
  tar xf "$BUILD"/dl/android-platform-art_10*.debian.tar.xz -C "$PREFIX/src/art"
  tar xf "$BUILD"/dl/android-platform-libcore_10*.orig.tar.gz -C "$PREFIX/src/libcore"
  debian_patches "$PREFIX/src/art"
  python3 "$PARTS/patch/libcore.py" "$PREFIX/src/libcore"
  tar xf "$BUILD"/dl11/android-platform-art_11*.orig.tar.xz -C "$BUILD/src11/t"
  mv "$BUILD"/src11/t/* "$BUILD/src11/art"
  tar xf "$BUILD"/dl11/android-platform-art_11*.debian.tar.xz -C "$BUILD/src11/art"
  debian_patches "$BUILD/src11/art" lenient
  cp -r "$PREFIX/src/libcore" "$BUILD/src11/libcore"
  python3 "$PARTS/patch/libcore11.py" "$BUILD/src11/libcore"
  cp "$BUILD/tools/usr/share/java/asm-all-9.4.jar" \
    "$BUILD/root/usr/share/java/com.android.dx-10.0.0.jar" "$PREFIX/share/"
  cp "$BUILD/tools/usr/share/java/jasmin-sable-2.5.0.jar" "$PREFIX/share/jasmin.jar"
  cp "$BUILD/tools/usr/share/java/java-cup-0.11b.jar" "$PREFIX/share/cup.jar"
}

# ---- native libraries ----------------------------------------------------------------------------
native() { bash "$PARTS/native.sh" "$PREFIX" "$PARTS"; }

# ---- Java ----------------------------------------------------------------------------------------
ASM_DX=$PREFIX/share/asm-all-9.4.jar:$PREFIX/share/com.android.dx-10.0.0.jar
to_dex() { java -Xmx3g -cp "$ASM_DX:$PREFIX/share/todex.jar" ToDex "$@"; }

tools() {
  rm -rf "$BUILD/tool"
  mkdir -p "$BUILD/tool"
  javac -nowarn -cp "$ASM_DX" -d "$BUILD/tool" "$PARTS"/tool/*.java
  jar cf "$PREFIX/share/todex.jar" -C "$BUILD/tool" .
  install -m 755 "$PARTS"/bin/* "$PREFIX/bin/"
  cp "$PREFIX/bin/dalvikvm" "$PREFIX/bin/dalvikvm11"
  cp "$PREFIX/bin/dexverify" "$PREFIX/bin/dexverify11"
}

icu() {
  java -cp "$ASM_DX:$PREFIX/share/todex.jar" Relocate \
    "$BUILD"/tools/usr/share/java/icu4j-[0-9]*.jar "$PREFIX/share/icu-classes.jar"
}

# compile_core LIBCORE WORK_DIR OUT.jar [MORE_JAVA_DIR]
compile_core() {
  local src=$1 work=$2 out=$3
  rm -rf "$work" "$BUILD/empty"
  mkdir -p "$work" "$BUILD/empty"
  python3 "$PARTS/source-list.py" "$src" openjdk_java_files non_openjdk_java_files \
    | grep -v Java9LanguageFeatures > "$work.list"
  find "$PARTS/java" ${4:+"$4"} -name '*.java' >> "$work.list"
  javac -J-Xmx3g -source 8 -target 8 -nowarn -proc:none -g -encoding UTF-8 -XDignore.symbol.file \
    -implicit:none -sourcepath "$BUILD/empty" \
    -bootclasspath "$PREFIX/share/icu-classes.jar" -Xmaxerrs 200 -d "$work" @"$work.list" \
    > "$work.log" 2>&1 || { tail -40 "$work.log" >&2; exit 1; }
  (cd "$src/luni/src/main/java"; find . -type f ! -name '*.java' ! -name '*.html' | tar cf - -T -) \
    | tar xf - -C "$work"
  cp -r "$src/ojluni/src/main/resources/." "$work/"
  jar cf0 "$out" -C "$work" .
}
libcore() { compile_core "$PREFIX/src/libcore" "$BUILD/core" "$PREFIX/share/core-classes.jar"; }
libcore11() {
  compile_core "$BUILD/src11/libcore" "$BUILD/core11" "$BUILD/core11.jar" "$PARTS/java11"
  to_dex "$BUILD/core11.jar" "$PREFIX/art11/framework/core.jar" 28 --multi-dex
}
dex_core() { to_dex "$PREFIX/share/core-classes.jar" "$PREFIX/framework/core.jar" 28 --multi-dex; }
dex_icu() { to_dex "$PREFIX/share/icu-classes.jar" "$PREFIX/framework/icu.jar" 28 --multi-dex; }

dexverify() {
  rm -rf "$BUILD/vc"
  mkdir -p "$BUILD/vc"
  javac -nowarn -Xlint:-options -source 8 -target 8 \
    -bootclasspath "$PREFIX/share/core-classes.jar:$PREFIX/share/icu-classes.jar" \
    -d "$BUILD/vc" "$PARTS/verify/DexVerify.java" 2> /dev/null
  "$PREFIX/bin/todex" "$BUILD/vc" "$PREFIX/share/dexverify.jar"
}

# A step of its own after the native ones, so that an installation from before there was a
# dexcompile gets it, too.
dexcompile() {
  rm -rf "$BUILD/cc"
  mkdir -p "$BUILD/cc"
  bash "$PARTS/native.sh" "$PREFIX" "$PARTS" dexcompile
  javac -nowarn -Xlint:-options -source 8 -target 8 \
    -bootclasspath "$PREFIX/share/core-classes.jar:$PREFIX/share/icu-classes.jar" \
    -d "$BUILD/cc" "$PARTS/compile/DexCompile.java" 2> /dev/null
  "$PREFIX/bin/todex" "$BUILD/cc" "$PREFIX/share/dexcompile.jar"
  install -m 755 "$PARTS/bin/dexcompile" "$PREFIX/bin/"
  # Does it run? Its own main method is one that ART compiles.
  "$PREFIX/bin/dexcompile" "$PREFIX/share/dexcompile.jar" | grep -q '^compiled.*DexCompile.main' \
    || { echo "setup.sh: dexcompile does not run" >&2; exit 1; }
}

# Reads profiles by libart's own reader.
profdump() {
  bash "$PARTS/native.sh" "$PREFIX" "$PARTS" profdump
  install -m 755 "$PARTS/bin/profdump" "$PREFIX/bin/"
}

time_zones() {
  python3 "$PARTS/tzdata.py" /usr/share/zoneinfo "$PREFIX/etc/tz/tzdata" > /dev/null
  cp "$PREFIX/etc/tz/tzdata" "$PREFIX/etc/tzdata"
}

# ---- does it run? --------------------------------------------------------------------------------
selftest() {
  local d=$BUILD/hello v
  mkdir -p "$d/c"
  cd "$d"
  cat > H.java << 'X'
public class H {
  public static void main(String[] a) {
    System.out.println("hello from ART " + System.getProperty("java.vm.version") + " on "
        + System.getProperty("os.arch"));
  }
}
X
  javac -nowarn -Xlint:-options --release 8 -d c H.java
  "$PREFIX/bin/todex" c h.dex
  for v in "" 11; do
    "$PREFIX/bin/dalvikvm$v" -cp h.dex H | grep -q '^hello from ART' \
      || { echo "setup.sh: dalvikvm$v does not run" >&2; exit 1; }
    "$PREFIX/bin/dexverify$v" h.dex | grep -q 'OK=1' \
      || { echo "setup.sh: dexverify$v does not run" >&2; exit 1; }
  done
  ART_JIT=1 "$PREFIX/bin/dalvikvm" -Xjitthreshold:0 -cp h.dex H | grep -q '^hello from ART' \
    || { echo "setup.sh: the JIT does not run" >&2; exit 1; }
  rm -rf "$BUILD"/{core,core11*,empty,nat,apt/cache,apt/lists,tools,tool,src11,root11}
}

step apt apt_state
step download download
step unpack unpack
# g++ on one core, javac and dx on the other.
background=
if [ ! -e "$STAMPS/native" ]; then
  note "native (in the background)"
  (native && touch "$STAMPS/native") > "$BUILD/native.log" 2>&1 9>&- &
  background=$!
fi
step tool tools
step icu icu
step libcore libcore
step libcore11 libcore11
step dex-core dex_core
step dex-icu dex_icu
step dexverify dexverify
step tz time_zones
if [ -n "$background" ]; then
  wait "$background" || { tail -30 "$BUILD/native.log" >&2; exit 1; }
fi
step dexcompile dexcompile
step profdump profdump
step selftest selftest
note "done: $PREFIX ($(du -sh "$PREFIX" | cut -f1))"
