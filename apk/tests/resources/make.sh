#!/bin/sh
# Makes the tables of this folder from ids.xml: make.sh FRAMEWORK_RES_APK (aapt2 2.19 made these).
set -eu
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
mkdir -p "$out/res/values"
cp ids.xml "$out/res/values/"
manifest() {
  echo '<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="p.q">' \
    "<uses-sdk android:minSdkVersion='$1'/></manifest>" > "$out/AndroidManifest.xml"
}
link() {
  aapt2 link -I "$framework" --manifest "$out/AndroidManifest.xml" -o "$out/out.apk" "$@" \
    "$out/res.zip"
}
framework=$1
aapt2 compile --dir "$out/res" -o "$out/res.zip"
manifest 21
link
unzip -p "$out/out.apk" resources.arsc > dense.arsc
aapt2 optimize --enable-resource-obfuscation -o "$out/nameless.apk" "$out/out.apk"
unzip -p "$out/nameless.apk" resources.arsc > nameless.arsc
link --proto-format
unzip -p "$out/out.apk" resources.pb > resources.pb
manifest 32
link --enable-sparse-encoding
unzip -p "$out/out.apk" resources.arsc > sparse.arsc
