#!/usr/bin/env bash
# Builds the native half of the ART host. ../setup.sh calls it after unpacking.
# usage: native.sh PREFIX PARTS [dexcompile|profdump]
# libart itself is Debian's binary; built here: libcore's natives, the launcher, the JIT compiler,
# the verifier's front, and the native companion of the run-tests. The same libcore objects are
# linked against ART 10 and ART 11.
# dexcompile, profdump: that program alone, for which an ART host that is built has all it needs.
set -euo pipefail
PREFIX=$1 PARTS=$2
BUILD=$PREFIX/build OBJ=$PREFIX/build/nat
ART10=$PREFIX/src/art ART11=$BUILD/src11/art LIBCORE=$PREFIX/src/libcore
HEADERS10=$BUILD/root/usr/include/android HEADERS11=$BUILD/root11/usr/include/android
LIB10=$PREFIX/lib LIB11=$PREFIX/art11/lib
JOBS=${JOBS:-2}
mkdir -p "$OBJ"/{javacore,openjdk,arttest,arttest11,jit,inc11/android-base} "$LIB10" "$LIB11" \
  "$PREFIX/bin" "$PREFIX/art11/bin"

# What Debian's libart was compiled with; the layout of its objects depends on these.
DEFINES=(-DNDEBUG -UDEBUG -DART_BASE_ADDRESS_MAX_DELTA=0x1000000
  -DART_BASE_ADDRESS_MIN_DELTA=-0x1000000 -DART_BASE_ADDRESS=0x60000000
  -DART_DEFAULT_COMPACT_DEX_LEVEL=fast -DART_DEFAULT_GC_TYPE_IS_CMS -DART_ENABLE_ADDRESS_SANITIZER=1
  -DART_ENABLE_CODEGEN_x86_64 -DART_FRAME_SIZE_LIMIT=1736 -DART_READ_BARRIER_TYPE_IS_BAKER=1
  -DART_STACK_OVERFLOW_GAP_arm=8192 -DART_STACK_OVERFLOW_GAP_arm64=8192
  -DART_STACK_OVERFLOW_GAP_x86_64=8192 -DART_STACK_OVERFLOW_GAP_x86=8192 -DART_USE_READ_BARRIER=1
  -DIMT_SIZE=43 -DUSE_D8_DESUGAR=1)
MIPS=(-DART_STACK_OVERFLOW_GAP_mips=16384 -DART_STACK_OVERFLOW_GAP_mips64=16384)
C11=(-D_FILE_OFFSET_BITS=64 -D_LARGEFILE_SOURCE=1)
EARLY=(-include cmath -include cassert -include cstring -include climits)
includes() { # ART_SOURCE
  local d
  for d in "" cmdline runtime libartbase libartbase/arch libartpalette/include libdexfile \
    libdexfile/external/include libelffile libprofile sigchainlib; do
    echo "-I$1/$d"
  done
}
mapfile -t INC10 < <(
  printf -- '-I%s\n' "$PARTS/inc-art" "$HEADERS10" "$HEADERS10/nativehelper"
  includes "$ART10"
  echo "-I$ART10/tools/cpp-define-generator"
)
mapfile -t INC11 < <(
  printf -- '-I%s\n' "$OBJ/inc11" "$HEADERS11" "$HEADERS11/nativehelper"
  includes "$ART11"
  printf -- '-I%s\n' "$ART11/libnativebridge/include" "$ART11/libnativeloader/include"
)
FLAGS10=("${DEFINES[@]}" "${MIPS[@]}" "${INC10[@]}")
FLAGS11=("${DEFINES[@]}" "${C11[@]}" "${INC11[@]}" "${EARLY[@]}")
CXX=(g++ -std=gnu++17 -fPIC -w -fpermissive)
LINK10=(-L"$LIB10" -Wl,-rpath,'$ORIGIN' -Wl,-rpath-link,"$LIB10")
LINK11=(-L"$LIB11" -Wl,-rpath,'$ORIGIN' -Wl,-rpath-link,"$LIB11" -Wl,--allow-shlib-undefined)
# bookworm's libart does not name the libraries it needs: its users must.
NEEDS11=(-lsigchain -lbacktrace -lnativebridge -lnativeloader -lziparchive -lbase -llog
  -l:liblz4.so.1 -lz)

# Compilations are collected as shell commands, one a line, and run in parallel. Some sources do not
# compile here and are not needed (test companions for tools that are absent): their names go to the
# log.
queue=$OBJ/queue
enqueue() { # NAME COMMAND...
  local name=$1; shift
  printf '%q ' "$@" >> "$queue"
  printf '|| echo FAIL %q\n' "$name" >> "$queue"
}
run_queue() { xargs -r -d '\n' -P"$JOBS" -n1 sh -c < "$queue"; rm -f "$queue"; }
sources_of() { # MODULE Android.bp
  sed -n "/name: \"$1\"/,/^}/p" "$2" | grep -oE '"[^"]*\.cc"' | tr -d '"'
}

libcore_objects() {
  local luni=$LIBCORE/luni/src/main/native oj=$LIBCORE/ojluni/src/main/native f b more
  # Some sources include "../../external/…": the folder a/b gives these dots something to climb
  # from.
  local inc=(-I"$OBJ/shim" -I"$OBJ/shim/a/b" -I"$HEADERS10/nativehelper" -I"$HEADERS10")
  mkdir -p "$OBJ/shim/a/b"
  cp -r "$PARTS"/inc/. "$OBJ/shim/"
  local cxx=("${CXX[@]}" -O2 -DNDEBUG -DU_USING_ICU_NAMESPACE=0 "-D__INTRODUCED_IN(x)=" "${inc[@]}")
  for f in "$luni"/*.cpp "$LIBCORE"/dalvik/src/main/native/*NativeTestTarget.cpp; do
    b=$(basename "$f" .cpp) more=()
    case $b in
      java_math_NativeBN) more=(-include "$PARTS/inc/bn_compat.h") ;;
      libcore_icu_ICU) more=(-DFALSE=0 -DTRUE=1) ;;
    esac
    enqueue "luni/$b" "${cxx[@]}" "${more[@]}" -I"$luni" -c "$f" -o "$OBJ/javacore/$b.o"
  done
  for f in "$oj"/*.c; do
    b=$(basename "$f" .c)
    enqueue "ojluni/$b" gcc -std=gnu11 -O2 -fPIC -w -D_LARGEFILE64_SOURCE -D_GNU_SOURCE \
      -DLINUX '-D__has_feature(x)=0' "${inc[@]}" -I"$luni" -I"$oj" -c "$f" -o "$OBJ/openjdk/$b.o"
  done
  for f in "$oj"/*.cpp; do
    b=$(basename "$f" .cpp)
    [ "$b" = Register ] || enqueue "ojluni/$b" "${cxx[@]}" -D_LARGEFILE64_SOURCE -DLINUX -I"$oj" \
      -I"$luni" -c "$f" -o "$OBJ/openjdk/$b.o"
  done
  run_queue
}

# ART looks for a loaded object whose name ends in "libnativehelper.so": the ".0" must go from the
# SONAME.
rename_nativehelper() { # LIB_DIR
  rm -f "$1/libnativehelper.so"
  python3 -c "
import sys
data = open(sys.argv[1], 'rb').read()
name = b'libnativehelper.so.0\0'
assert data.count(name) == 1
new = data.replace(name, b'libnativehelper.so\0\0\0')
open(sys.argv[2], 'wb').write(new)" "$1/libnativehelper.so.0" "$1/libnativehelper.so"
  rm -f "$1/libnativehelper.so.0"
}

link10() {
  cp -a "$BUILD"/root/usr/lib/*-linux-gnu/android/*.so* "$LIB10/"
  rename_nativehelper "$LIB10"
  rm -f "$LIB10/lib7z.so"
  gcc -shared -fPIC -w -o "$LIB10/lib7z.so" "$PARTS/lzma_stubs.c"
  "${CXX[@]}" -O1 -fno-rtti -D__STDC_FORMAT_MACROS -D__STDC_CONSTANT_MACROS "${FLAGS10[@]}" \
    -shared -o "$LIB10/libopenjdkjvm.so" "$ART10/openjdkjvm/OpenjdkJvm.cc" "${LINK10[@]}" -lart \
    -lbase -lnativehelper -ldl
  g++ -shared -Wl,--no-undefined -o "$LIB10/libjavacore.so" "$OBJ"/javacore/*.o "${LINK10[@]}" \
    -lbase -llog -lnativehelper -lziparchive -lcrypto -lexpat -licui18n -licuuc -lz -lpthread
  g++ -shared -Wl,--no-undefined -o "$LIB10/libopenjdk.so" "$OBJ"/openjdk/*.o "${LINK10[@]}" \
    -lopenjdkjvm -ljavacore -lbase -llog -lnativehelper -licuuc -lz -lpthread -ldl -lart -lm
  g++ -std=gnu++17 -O1 -w "${FLAGS10[@]}" -o "$PREFIX/bin/dalvikvm.bin" \
    "$ART10/dalvikvm/dalvikvm.cc" -L"$LIB10" -Wl,-rpath,'$ORIGIN/../lib' -Wl,-rpath-link,"$LIB10" \
    -Wl,--no-as-needed -lsigchain -lnativehelper -lbase -ldl -lpthread -rdynamic
  "${CXX[@]}" -O1 -fno-rtti "${EARLY[@]}" "${FLAGS10[@]}" -shared -o "$LIB10/libdexverify.so" \
    "$PARTS/verify/dexverify.cc" "${LINK10[@]}" -lart -lbase -lnativehelper
}

link11() {
  cp -a "$BUILD"/root11/usr/lib/x86_64-linux-gnu/android/*.so* "$LIB11/"
  rename_nativehelper "$LIB11"
  rm -f "$LIB11/7z.so" "$LIB11/lib7z.so"
  gcc -shared -fPIC -w -o "$LIB11/7z.so" "$PARTS/lzma_stubs.c"
  sed 's/#define THREAD_ANNOTATION_ATTRIBUTE__(x) .*/#define THREAD_ANNOTATION_ATTRIBUTE__(x)/' \
    "$HEADERS11/android-base/thread_annotations.h" > "$OBJ/inc11/android-base/thread_annotations.h"
  "${CXX[@]}" -O1 -fno-rtti "${FLAGS11[@]}" -shared -o "$LIB11/libopenjdkjvm.so" \
    "$ART11/openjdkjvm/OpenjdkJvm.cc" "${LINK11[@]}" -lart "${NEEDS11[@]}" -lnativehelper -ldl
  g++ -shared -o "$LIB11/libjavacore.so" "$OBJ"/javacore/*.o "${LINK11[@]}" -lbase -llog \
    -lnativehelper -lziparchive -lcrypto -lexpat -licui18n -licuuc -lz -lpthread
  g++ -shared -o "$LIB11/libopenjdk.so" "$OBJ"/openjdk/*.o "${LINK11[@]}" -lopenjdkjvm -ljavacore \
    -lbase -llog -lnativehelper -licuuc -lz -lpthread -ldl -lm
  printf '%s\n' '#include <jni.h>' \
    'JNIEXPORT jint JNI_OnLoad(JavaVM* vm, void* r) { return JNI_VERSION_1_6; }' > "$OBJ/icujni.c"
  gcc -shared -fPIC -I"$HEADERS11/nativehelper" -o "$LIB11/libicu_jni.so" "$OBJ/icujni.c"
  g++ -std=gnu++17 -O1 -w "${FLAGS11[@]}" -o "$PREFIX/art11/bin/dalvikvm.bin" \
    "$ART11/dalvikvm/dalvikvm.cc" -L"$LIB11" -Wl,-rpath,'$ORIGIN/../lib' -Wl,-rpath-link,"$LIB11" \
    -Wl,--no-as-needed -Wl,--allow-shlib-undefined "${NEEDS11[@]}" -lnativehelper -lbase -ldl \
    -lpthread -rdynamic
  "${CXX[@]}" -O1 -fno-rtti "${FLAGS11[@]}" -shared -o "$LIB11/libdexverify.so" \
    "$PARTS/verify/dexverify.cc" "${LINK11[@]}" -lart -lbase -lnativehelper
}

# The native companion of the run-tests: of its sources, what compiles.
run_test_companions() {
  local f
  for f in $(sources_of libarttest-defaults "$ART10/test/Android.bp"); do
    enqueue "arttest/$f" "${CXX[@]}" -O2 -fno-rtti -fno-omit-frame-pointer "${FLAGS10[@]}" \
      -I"$ART10/test" -include cstring -c "$ART10/test/$f" -o "$OBJ/arttest/${f//\//_}.o"
  done
  for f in $(sources_of libarttest-defaults "$ART11/test/Android.bp"); do
    enqueue "arttest11/$f" "${CXX[@]}" -O2 -fno-rtti -fno-omit-frame-pointer "${FLAGS11[@]}" \
      -I"$ART11/test" -c "$ART11/test/$f" -o "$OBJ/arttest11/${f//\//_}.o"
  done
  run_queue 2> "$OBJ/arttest.log"
  g++ -shared -o "$LIB10/libarttest.so" "$OBJ"/arttest/*.o "${LINK10[@]}" -Wl,--no-undefined -lart \
    -lbase -lnativehelper -lbacktrace -ldl -lpthread
  g++ -shared -o "$LIB11/libarttest.so" "$OBJ"/arttest11/*.o "${LINK11[@]}" -lart "${NEEDS11[@]}" \
    -lnativehelper -ldl -lpthread
}

# ART 10's optimising compiler for x86-64.
jit() {
  local flags=("${FLAGS10[@]}" -DART_ENABLE_CODEGEN_x86 -include cmath -include climits
    -I"$ART10/compiler" -I"$ART10/disassembler") f
  local headers
  headers=$(sed -n '/name: "art_compiler_operator_srcs"/,/^}/p' "$ART10/compiler/Android.bp" \
    | grep -oE '"[^"]*\.h"' | tr -d '"' | sed 's,^,compiler/,')
  # shellcheck disable=SC2086
  (cd "$ART10"; python3 tools/generate_operator_out.py art/compiler $headers) \
    > "$OBJ/jit/operator_out.cc"
  # All sources but those of other processors.
  for f in $(sed -n '/name: "libart-compiler-defaults"/,/^}/p' "$ART10/compiler/Android.bp" \
    | sed -e '/^        arm: {/,/^        x86: {/d' \
    | sed -n '1,/generated_sources/p' | grep -oE '"[^"]*\.cc"' | tr -d '"' | sort -u); do
    enqueue "jit/$f" "${CXX[@]}" -O2 -fno-rtti -fwrapv -fno-strict-aliasing \
      -fno-omit-frame-pointer "${flags[@]}" -include cstring -c "$ART10/compiler/$f" \
      -o "$OBJ/jit/${f//\//_}.o"
  done
  enqueue jit/operators "${CXX[@]}" -O1 -fno-rtti "${flags[@]}" -c "$OBJ/jit/operator_out.cc" \
    -o "$OBJ/jit/op.o"
  local stream=$ART10/libelffile/stream
  for f in "$PARTS/jit_stubs.cc" "$stream"/{vector_,buffered_,file_,}output_stream.cc; do
    [ ! -f "$f" ] || enqueue "jit/$f" "${CXX[@]}" -O1 -fno-rtti "${flags[@]}" -c "$f" \
      -o "$OBJ/jit/x_$(basename "$f").o"
  done
  run_queue
  g++ -shared -o "$LIB10/libart-compiler.so" "$OBJ"/jit/*.o "${LINK10[@]}" -Wl,--no-undefined \
    -lart -lbase -ldl -lpthread
}

# The compiler's front: dexcompile.
compiler_front() {
  "${CXX[@]}" -O1 -fno-rtti "${EARLY[@]}" "${FLAGS10[@]}" -shared -o "$LIB10/libdexcompile.so" \
    "$PARTS/compile/dexcompile.cc" "${LINK10[@]}" -lart -lbase -lnativehelper -ldl
}

# The reader of profiles: profdump.
profile_reader() {
  "${CXX[@]}" -O1 -fno-rtti "${EARLY[@]}" "${FLAGS10[@]}" -o "$PREFIX/bin/profdump.bin" \
    "$PARTS/profile/profdump.cc" -L"$LIB10" -Wl,-rpath,'$ORIGIN/../lib' \
    -Wl,-rpath-link,"$LIB10" -Wl,--no-as-needed -lsigchain -lart -lbase -ldl -lpthread
}

case "${3:-}" in
  dexcompile) compiler_front; exit ;;
  profdump) profile_reader; exit ;;
esac
rm -f "$queue"
libcore_objects
link10
link11
run_test_companions
jit
