#!/usr/bin/env bash
# Builds native parts of the ART 14 host; ../setup14.sh calls it after unpacking.
# usage: native.sh PREFIX PARTS runtime|profdump|run-tests|compiler|dex2oat
#   runtime    the launcher, libopenjdkjvm, the verifier's front: half a minute
#   profdump   the reader of profiles, of ART 10's source
#   run-tests  the native companion of the run-tests
#   compiler   libart-compiler (JIT) and its front: dexcompile
#   dex2oat    dex2oat, of the compiler's objects
# libart itself is Debian's binary, which patch/libart.py mends. These sources need clang, which is
# Android's compiler, too.
set -euo pipefail
PREFIX=$1 PARTS=$2
HOST=$PREFIX/art14 BUILD=$PREFIX/build/14
ART=$BUILD/src HEADERS=$BUILD/root/usr/include/android OBJ=$BUILD/obj LIB=$HOST/lib
JOBS=${JOBS:-2}
mkdir -p "$OBJ"/{gen,compiler,dex2oat,arttest} "$HOST/bin" "$LIB"

# What Debian's libart was compiled with; the layout of its objects depends on these.
DEFINES=(-DNDEBUG -UDEBUG -D__STDC_CONSTANT_MACROS -D__STDC_FORMAT_MACROS -D_FILE_OFFSET_BITS=64
  -D_LARGEFILE_SOURCE=1 -DART_BASE_ADDRESS_MAX_DELTA=0x1000000
  -DART_BASE_ADDRESS_MIN_DELTA=-0x1000000 -DART_BASE_ADDRESS=0x60000000
  -DART_DEFAULT_COMPACT_DEX_LEVEL=fast -DART_DEFAULT_GC_TYPE_IS_CMS -DART_ENABLE_ADDRESS_SANITIZER=1
  -DART_ENABLE_CODEGEN_x86_64 -DART_FRAME_SIZE_LIMIT=1736 -DART_READ_BARRIER_TYPE_IS_BAKER=1
  -DART_STACK_OVERFLOW_GAP_arm=8192 -DART_STACK_OVERFLOW_GAP_arm64=8192
  -DART_STACK_OVERFLOW_GAP_riscv64=8192 -DART_STACK_OVERFLOW_GAP_x86_64=8192
  -DART_STACK_OVERFLOW_GAP_x86=8192 -DART_TARGET -DART_TARGET_LINUX -DART_USE_READ_BARRIER=1
  -DBUILDING_LIBART=1 -DIMT_SIZE=43 -DUSE_D8_DESUGAR=1 -DART_ENABLE_CODEGEN_x86)
mapfile -t INCLUDES < <(
  for d in "" /cmdline /libartbase /libartbase/arch /libartpalette/include /libdexfile \
    /libdexfile/external/include /libelffile /libnativebridge/include /libnativeloader/include \
    /libprofile /odrefresh/include /runtime /sigchainlib /tools/cpp-define-generator /compiler \
    /disassembler; do
    echo "-I$ART$d"
  done
  printf -- '-I%s\n' "$HEADERS" "$HEADERS/cpu_features" "$HEADERS/nativehelper" "$HEADERS/lzma" \
    "$OBJ/gen"
)
# -ftrivial-auto-var-init: ART counts on cleared buffers (see patch/libart.py).
CXX=(clang++-19 -std=gnu++17 -w -fPIC -fno-omit-frame-pointer -fno-exceptions -fno-rtti
  -fno-strict-aliasing -ftrivial-auto-var-init=zero -O1 "${DEFINES[@]}" "${INCLUDES[@]}")
# A source then takes 4.6 s instead of 11.8.
HEADER=(-fpch-instantiate-templates -include-pch "$OBJ/prefix.pch")
LINK=(-fuse-ld=lld-19 -L"$LIB" -L"$HOST/libc" -Wl,-rpath-link,"$LIB" -Wl,--allow-shlib-undefined)
# trixie's libart does not name the libraries it needs: programs must.
NEEDS=(-Wl,--no-as-needed -lsigchain -lbacktrace -lnativebridge -lnativeloader -lziparchive -lbase
  -llog -lcpu_features -l:7z.so -l:liblz4.so.1 -l:libz.so.1 -l:libtinyxml2.so.11)

# Compilations are collected as shell commands, one a line, and run in parallel. An object that is
# there is not made again.
queue=$OBJ/queue-$3
rm -f "$queue"
enqueue() { # OBJECT SOURCE FLAGS...
  local object=$1 source=$2 header=("${HEADER[@]}"); shift 2
  [ ! -s "$object" ] || return 0
  # These have a class of a name that prefix.h has, too.
  case $source in */compiler/jni/*) header=() ;; esac
  printf '%q ' "${CXX[@]}" "${header[@]}" "$@" -c "$source" -o "$object.new" >> "$queue"
  printf '&& mv %q %q || echo FAIL %q\n' "$object.new" "$object" "$source" >> "$queue"
}
run_queue() {
  [ ! -e "$queue" ] || xargs -d '\n' -P"$JOBS" -n1 sh -c < "$queue"
  rm -f "$queue"
}
prefix_header() {
  [ -s "$OBJ/prefix.pch" ] || "${CXX[@]}" -fpch-instantiate-templates -x c++-header \
    "$PARTS/prefix.h" -o "$OBJ/prefix.pch"
}
# Names in the lists of a module; files for arm are left out.
listed() { # MODULE Android.bp EXTENSION
  sed -n "/name: \"$1\"/,/^}/p" "$2" | sed -e '/^        arm: {/,/^        x86: {/d' \
    | sed '/generated_sources/q' | grep -oE "\"[^\"]*\.$3\"" | tr -d '"' | sort -u
}
# Operators << of the enumerations in a module's headers.
operators() { # FOLDER MODULE
  local headers
  headers=$(listed "$2" "$ART/$1/Android.bp" h | grep -v arm | sed "s,^,$1/,")
  # shellcheck disable=SC2086
  (cd "$ART"; python3 tools/generate_operator_out.py "art/$1" $headers) \
    > "$OBJ/gen/operator_out_$1.cc"
}

runtime() {
  "${CXX[@]}" -shared -o "$LIB/libopenjdkjvm.so" "$ART/openjdkjvm/OpenjdkJvm.cc" "${LINK[@]}" \
    -lart
  # With the JNI headers of ART 11's package: trixie's belong to another launcher.
  local jni=$BUILD/jni11/usr/include/android
  clang++-19 -std=gnu++17 -O1 -w -DNDEBUG -I"$ART/libartbase" -I"$jni/nativehelper" -I"$jni" \
    -I"$HEADERS" -o "$HOST/bin/dalvikvm.bin" "$ART/dalvikvm/dalvikvm.cc" "${LINK[@]}" \
    "${NEEDS[@]}" -lnativehelper -ldl -lpthread -rdynamic
  "${CXX[@]}" -shared -o "$LIB/libdexverify.so" "$PARTS/verify/dexverify.cc" "${LINK[@]}" -lart
}

profdump() {
  "${CXX[@]}" -DART14 -o "$HOST/bin/profdump.bin" "$PARTS/../host/profile/profdump.cc" \
    "${LINK[@]}" -lart "${NEEDS[@]}" -ldl -lpthread
}

# Of its sources, what compiles: some are for tools that are absent.
run_tests() {
  local f
  for f in $(sed -n '/name: "libarttest-defaults"/,/^}/p' "$ART/test/Android.bp" \
    | grep -oE '"[^"]*\.cc"' | tr -d '"'); do
    enqueue "$OBJ/arttest/${f//\//_}.o" "$ART/test/$f" -I"$ART/test" \
      -I"$BUILD/root/usr/include"
  done
  run_queue 2> "$OBJ/arttest.log"
  clang++-19 -shared -o "$LIB/libarttest.so" "$OBJ"/arttest/*.o "${LINK[@]}" -lart -lbase -ldl \
    -lpthread
}

compiler() {
  local f
  "${CXX[@]}" -S -o "$OBJ/gen/asm_defines.s" "$ART/tools/cpp-define-generator/asm_defines.cc"
  python3 "$ART/tools/cpp-define-generator/make_header.py" "$OBJ/gen/asm_defines.s" \
    > "$OBJ/gen/asm_defines.h"
  operators compiler art_compiler_operator_srcs
  for f in $(listed libart-compiler-defaults "$ART/compiler/Android.bp" cc); do
    enqueue "$OBJ/compiler/${f//\//_}.o" "$ART/compiler/$f"
  done
  enqueue "$OBJ/compiler/operators.o" "$OBJ/gen/operator_out_compiler.cc"
  for f in "$ART"/libelffile/stream/*.cc; do
    enqueue "$OBJ/compiler/stream_$(basename "$f").o" "$f"
  done
  run_queue
  clang++-19 -shared -o "$LIB/libart-compiler.so" "$OBJ"/compiler/*.o "${LINK[@]}" -lart -lbase \
    -Wl,--no-undefined
  "${CXX[@]}" -shared -o "$LIB/libdexcompile.so" "$PARTS/compile/dexcompile.cc" "${LINK[@]}" \
    -lart
}

dex2oat() {
  local f flags=(-I"$BUILD/root/usr/include" -I"$ART/dex2oat" -I"$ART/dexlayout"
    -I"$ART/profman" -I"$ART/libarttools")
  operators dex2oat art_dex2oat_operator_srcs
  for f in $(listed libart-dex2oat-defaults "$ART/dex2oat/Android.bp" cc) \
    dex2oat.cc dex2oat_options.cc; do
    enqueue "$OBJ/dex2oat/${f//\//_}.o" "$ART/dex2oat/$f" "${flags[@]}"
  done
  for f in compact_dex_writer dex_ir dex_ir_builder dex_verify dex_visualize dex_writer; do
    enqueue "$OBJ/dex2oat/layout_$f.o" "$ART/dexlayout/$f.cc" "${flags[@]}"
  done
  enqueue "$OBJ/dex2oat/operators.o" "$OBJ/gen/operator_out_dex2oat.cc" "${flags[@]}"
  enqueue "$OBJ/dex2oat/layout_stub.o" "$PARTS/dexlayout_stub.cc" "${flags[@]}"
  run_queue
  clang++-19 -o "$HOST/bin/dex2oat.bin" "$OBJ"/dex2oat/*.o "$OBJ"/compiler/*.o "${LINK[@]}" -lart \
    "${NEEDS[@]}" -lcrypto -ldl -lpthread -rdynamic
}

case $3 in runtime | profdump) ;; *) prefix_header ;; esac
case $3 in
  runtime) runtime ;;
  profdump) profdump ;;
  run-tests) run_tests ;;
  compiler) compiler ;;
  dex2oat) dex2oat ;;
  *) echo "native.sh: no part $3" >&2; exit 2 ;;
esac
