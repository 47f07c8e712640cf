#!/usr/bin/env bash
# Adds Android Runtime 14.0.0+r15 to the ART host of setup.sh: `cargo xtask art setup`.
# usage: setup14.sh PREFIX [aot]
#
# The runtime is Debian trixie's binary (nterp, switch interpreter, verifier, collectors), started
# with trixie's own loader and C library, which are unpacked privately. libcore is the one of ART 10
# with what ART 14 expects of it (host14/patch/libcore.py). Built here: the optimizing compiler and
# front ends. Stamps are in PREFIX/build/14/stamps; delete PREFIX/build/14 to start over.
#
#   PREFIX/bin/dalvikvm14 -cp X.dex Main    nterp; -Xint: switch interpreter; ART_JIT=1: the JIT
#   PREFIX/bin/dexverify14 X.apk            ART 14's verifier over every class
#   PREFIX/bin/dexcompile14 X.apk           its optimizing compiler over every method: refusals,
#                                           bytes of native code, counters
#   PREFIX/bin/profdump14 PROFILE X.apk     rules of a profile by names, as ART 14 reads them
#
# With `aot`, which no step of the test suite needs (the bench does):
#
#   PREFIX/bin/dex2oat14 …                  its compiler ahead of time
#   ART_IMAGE=1 PREFIX/bin/dalvikvm14 …     over a boot image, as on a phone
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
PARTS=$HERE/host14
PREFIX=$(readlink -m "${1:?usage: setup14.sh PREFIX [aot]}")
HOST=$PREFIX/art14
BUILD=$PREFIX/build/14
STAMPS=$BUILD/stamps
started=$SECONDS

note() { echo "[$((SECONDS - started))s] $*" >&2; }
# step NAME FUNCTION: runs the function unless its stamp is there.
step() {
  [ -e "$STAMPS/$1" ] && return
  note "ART 14: $1"
  "$2"
  touch "$STAMPS/$1"
}

# What the steps leave behind, for those who use it. A file that is gone means: build it all again.
FILES=(bin/{dalvikvm14,dexverify14,dexcompile14} share/dexcompile14.jar art14/framework/core.jar
  art14/environment art14/lib/libart.so.0 art14/libc/ld-linux-x86-64.so.2)
gone=
for file in "${FILES[@]}"; do [ -e "$PREFIX/$file" ] || gone=$file; done
if [ -z "$gone" ] && [ -e "$STAMPS/selftest" ] \
  && [ -e "$STAMPS/profdump" ] && { [ -z "${2:-}" ] || [ -e "$STAMPS/aot-selftest" ]; }; then
  note "ART 14 is in $HOST"
  exit 0
fi
if [ -n "$gone" ] && [ -e "$STAMPS/selftest" ]; then
  note "$gone is gone: builds all again"
  rm -rf "$STAMPS"
fi
[ -e "$PREFIX/build/stamps/selftest" ] \
  || { echo "setup14.sh: no ART 10 in $PREFIX; cargo xtask art setup builds it" >&2; exit 1; }
"$HERE/../prerequisites.sh" art
mkdir -p "$HOST"/{bin,lib,libc,framework,data/dalvik-cache/x86_64} "$STAMPS"
exec 9> "$PREFIX/build/lock"
flock 9

# ---- packages ------------------------------------------------------------------------------------
ART14=14.0.0+r15-4
TRIXIE=(android-libart android-libbase android-libbase-dev android-libbacktrace
  android-libbacktrace-dev android-libnativebridge android-libnativeloader android-libcutils
  android-libcutils-dev android-liblog android-liblog-dev android-libziparchive
  android-libziparchive-dev android-libnativehelper-dev android-libutils
  android-platform-system-core-headers)
# What the runtime runs with, and the headers that trixie's other packages would bring.
LIBC=(libc6 libstdc++6 libgcc-s1 zlib1g liblz4-1 libtinyxml2-11)
APT=(-o "Dir::Etc::SourceList=$BUILD/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
  -o "Dir::State::Lists=$BUILD/apt/lists"
  -o "Dir::Cache=$BUILD/apt/cache" -o Dir::State::status=/dev/null -o APT::Sandbox::User=root
  -o Acquire::Languages=none
  -o APT::Architecture=amd64 -o APT::Architectures=amd64)

download() {
  mkdir -p "$BUILD"/apt/lists/partial "$BUILD"/apt/cache/archives/partial "$BUILD"/dl/{art,libc}
  # setup.sh has found this machine's source of packages.
  sed -n 's/ bookworm / trixie /p' "$PREFIX/build/apt/sources.list" > "$BUILD/apt/sources.list"
  apt-get "${APT[@]}" update -qq
  cd "$BUILD/dl/art"
  apt-get "${APT[@]}" download -qq "${TRIXIE[@]}"
  apt-get "${APT[@]}" source -qq --download-only --only-source android-platform-art=$ART14 \
    > /dev/null
  cd "$BUILD/dl/libc"
  apt-get "${APT[@]}" download -qq "${LIBC[@]}"
  rm -rf "$BUILD/apt"
}

unpack() {
  local f p
  rm -rf "$BUILD"/{root,src,jni11,libcore}
  mkdir -p "$BUILD"/{root,src,jni11,libcore}
  for f in "$BUILD"/dl/*/*.deb; do dpkg -x "$f" "$BUILD/root"; done
  dpkg -x "$PREFIX"/build/dl11/android-libnativehelper-dev_*.deb "$BUILD/jni11"
  tar xf "$BUILD"/dl/art/android-platform-art_14*.orig.tar.xz -C "$BUILD/src"
  tar xf "$BUILD"/dl/art/android-platform-art_14*.debian.tar.xz -C "$BUILD/src"
  cd "$BUILD/src"
  grep -v '^#' debian/patches/series | while read -r p; do
    patch -p1 -s -N < "debian/patches/$p" > /dev/null || exit 1
  done
  # What clang 19 with this libstdc++ does not take.
  sed -i 's/return isnan(d);/return __builtin_isnan(d);/' openjdkjvm/OpenjdkJvm.cc
  sed -i '0,/#include <ostream>/s//#include <optional>\n#include <ostream>/' \
    compiler/optimizing/graph_visualizer.h
  local iterator='ArenaVector<LiveInterval\*>::iterator RemoveInterval'
  sed -i "s/static $iterator/static Scoped$iterator/" \
    compiler/optimizing/register_allocator_linear_scan.cc
  (cd "$PREFIX/src/libcore"; tar cf - ./*.bp dalvik/src/main libart/src luni/src/main \
    ojluni/src/main ojluni/src/lambda xml/src json/src dom/src) | tar xf - -C "$BUILD/libcore"
  python3 "$PARTS/patch/libcore.py" "$BUILD/libcore" "$BUILD/src" "$PARTS"
}

# Debian's binaries, with what is mended in them.
binaries() {
  local from=$BUILD/root/usr/lib/x86_64-linux-gnu f
  cp -a "$from"/android/*.so* "$HOST/lib/"
  rm -f "$HOST"/lib/libnativehelper.so* "$HOST"/lib/libdexfile*
  # libcore's natives are those that setup.sh built for ART 11.
  cp "$PREFIX"/art11/lib/{libnativehelper,libjavacore,libopenjdk,libicu_jni}.so "$HOST/lib/"
  for f in ld-linux-x86-64.so.2 libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 \
    libresolv.so.2 libgcc_s.so.1 libstdc++.so.6 libz.so.1 liblz4.so.1 libtinyxml2.so.11; do
    cp -L "$from/$f" "$HOST/libc/"
  done
  python3 "$PARTS/patch/libart.py" "$HOST/lib/libart.so.0"
  gcc -shared -fPIC -w -O1 -o "$HOST/lib/7z.so" "$PARTS/xz.c"
  cp "$PARTS/environment" "$HOST/"
  install -m 755 "$PARTS"/bin/* "$PREFIX/bin/"
}

# ---- native parts --------------------------------------------------------------------------------
native() { bash "$PARTS/native.sh" "$PREFIX" "$PARTS" "$1"; }
runtime() { native runtime; }
run_tests() { native run-tests; }
compiler() { native compiler; }
dex2oat() { native dex2oat; }
profdump() {
  native profdump
  install -m 755 "$PARTS/bin/profdump14" "$PREFIX/bin/"
}
native_parts() {
  step native-runtime runtime
  step native-compiler compiler
  step native-run-tests run_tests
}

# ---- Java ----------------------------------------------------------------------------------------
ASM_DX=$PREFIX/share/asm-all-9.4.jar:$PREFIX/share/com.android.dx-10.0.0.jar

libcore() {
  rm -rf "$BUILD"/{core,empty}
  mkdir -p "$BUILD"/{core,empty}
  python3 "$HERE/host/source-list.py" "$BUILD/libcore" openjdk_java_files non_openjdk_java_files \
    | grep -v Java9LanguageFeatures > "$BUILD/core.list"
  find "$HERE"/host/java "$HERE"/host/java11 "$BUILD/libcore/java14" -name '*.java' \
    >> "$BUILD/core.list"
  javac -J-Xmx3g -source 8 -target 8 -nowarn -proc:none -g -encoding UTF-8 -XDignore.symbol.file \
    -implicit:none -sourcepath "$BUILD/empty" -bootclasspath "$PREFIX/share/icu-classes.jar" \
    -Xmaxerrs 200 -d "$BUILD/core" @"$BUILD/core.list" > "$BUILD/core.log" 2>&1 \
    || { grep -A3 error "$BUILD/core.log" | head -60 >&2; exit 1; }
  (cd "$BUILD/libcore/luni/src/main/java"
    find . -type f ! -name '*.java' ! -name '*.html' | tar cf - -T -) | tar xf - -C "$BUILD/core"
  cp -r "$BUILD/libcore/ojluni/src/main/resources/." "$BUILD/core/"
  python3 "$PARTS/expected.py" "$BUILD/src" "$BUILD/core"
  jar cf0 "$BUILD/core.jar" -C "$BUILD/core" .
  java -Xmx3g -cp "$ASM_DX:$PREFIX/share/todex.jar" ToDex "$BUILD/core.jar" \
    "$HOST/framework/core.jar" 28 --multi-dex
}

front() {
  rm -rf "$BUILD/front"
  mkdir -p "$BUILD/front"
  javac -nowarn -Xlint:-options -source 8 -target 8 \
    -bootclasspath "$PREFIX/share/core-classes.jar:$PREFIX/share/icu-classes.jar" \
    -d "$BUILD/front" "$PARTS/compile/DexCompile.java" 2> /dev/null
  "$PREFIX/bin/todex" "$BUILD/front" "$PREFIX/share/dexcompile14.jar"
}

boot_image() { "$PREFIX/bin/dex2oat14" --boot speed; }

# ---- does it run? --------------------------------------------------------------------------------
hello() {
  mkdir -p "$BUILD/hello/c"
  cd "$BUILD/hello"
  cat > H.java << 'E'
public class H {
  static int steps(int n) {
    int s = 0;
    for (; n != 1; s++) n = (n & 1) == 0 ? n >> 1 : 3 * n + 1;
    return s;
  }
  public static void main(String[] a) {
    long sum = 0;
    for (int i = 1; i < 300000; i++) sum += steps(i & 0xffff | 1);
    System.out.println("hello from ART 14: " + sum);
  }
}
E
  javac -nowarn -Xlint:-options --release 8 -d c H.java
  "$PREFIX/bin/todex" c h.dex
}
# runs WHAT COMMAND...: it must print the sum that HotSpot prints.
runs() {
  local what=$1 sum; shift
  sum=$(java -cp "$BUILD/hello/c" H)
  [ "$("$@")" = "$sum" ] || { echo "setup14.sh: $what does not run" >&2; exit 1; }
}
selftest() {
  hello
  runs nterp "$PREFIX/bin/dalvikvm14" -cp h.dex H
  runs "the switch interpreter" "$PREFIX/bin/dalvikvm14" -Xint -cp h.dex H
  runs "the JIT" env ART_JIT=1 "$PREFIX/bin/dalvikvm14" -Xjitthreshold:100 -cp h.dex H
  "$PREFIX/bin/dexverify14" h.dex | grep -q 'OK=1' \
    || { echo "setup14.sh: dexverify14 does not run" >&2; exit 1; }
  "$PREFIX/bin/dexcompile14" h.dex | grep -q '^counter' \
    || { echo "setup14.sh: dexcompile14 does not run" >&2; exit 1; }
  rm -rf "$BUILD"/{core,core.jar,empty,libcore,front,src/test}
}
aot_selftest() {
  hello
  mkdir -p oat/x86_64
  "$PREFIX/bin/dex2oat14" --dex-file=h.dex --oat-file=oat/x86_64/h.odex --compiler-filter=speed \
    '--class-loader-context=PCL[]'
  runs "code compiled ahead of time" env ART_IMAGE=1 "$PREFIX/bin/dalvikvm14" -cp h.dex H
}

step download download
step unpack unpack
step binaries binaries
# clang on one core, javac and dx on the other.
(native_parts) > "$BUILD/native.log" 2>&1 9>&- &
background=$!
step libcore libcore
step front front
wait "$background" || { tail -30 "$BUILD/native.log" >&2; exit 1; }
step selftest selftest
step profdump profdump
if [ "${2:-}" = aot ]; then
  step dex2oat dex2oat
  step boot-image boot_image
  step aot-selftest aot_selftest
fi
note "done: $HOST ($(du -sh "$HOST" | cut -f1))"
