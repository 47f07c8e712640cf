#!/bin/sh
# Builds the fixture tether as an app bundle with a feature module, and the APKs of it, by other
# tools: javac, D8, aapt2, bundletool.
#
# usage: bundle.sh FIXTURES BUNDLETOOL.jar D8.jar OUT
#   OUT/app.apks     all variants of all splits
#   OUT/device.apks  those of one device: base and feature, each with its configurations
#   OUT/set          the same as files
#   OUT/whole.jar    their DEX files, in one
set -eu
fixtures=$1 bundletool=$2 d8=$3 out=$4
framework=/usr/share/android-framework-res/framework-res.apk
stubs=$fixtures/stubs/prebuilt/stubs.jar
jdk=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
cd "$out"

# Two components, with what they are made of, are the feature.
mkdir base extra
find "$fixtures/tether/src" -name '*.java' > sources
javac --release 8 -g -nowarn -Xlint:-options -proc:none -encoding UTF-8 -cp "$stubs" -d base \
  @sources
mkdir -p extra/org/example/tether
mv base/org/example/tether/SystemReceiver*.class base/org/example/tether/AccessProvider*.class \
  extra/org/example/tether
(cd base && zip -qr ../base.jar .)
(cd extra && zip -qr ../extra.jar .)
for part in base extra; do
  mkdir -p module/$part/dex
  java -cp "$d8" com.android.tools.r8.D8 --min-api 21 --debug --lib "$jdk" --classpath "$stubs" \
    --classpath base.jar --classpath extra.jar \
    --output module/$part/dex $part.jar
done

# What bundletool makes configurations of: languages, densities, native libraries.
mkdir -p res/values res/values-de res/drawable-hdpi res/drawable-xxhdpi module/base/lib/arm64-v8a \
  module/base/lib/x86_64
echo '<resources><string name="app">Tether</string></resources>' > res/values/strings.xml
echo '<resources><string name="app">Leine</string></resources>' > res/values-de/strings.xml
# A picture of one dot.
base64 -d > res/drawable-hdpi/dot.png <<PNG
iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGA
WjR9awAAAABJRU5ErkJggg==
PNG
cp res/drawable-hdpi/dot.png res/drawable-xxhdpi
for abi in arm64-v8a x86_64; do head -c 5000 /dev/zero > module/base/lib/$abi/libempty.so; done
aapt2 compile --dir res -o res.zip
aapt2 link --proto-format -I $framework --manifest "$fixtures/tether/AndroidManifest.xml" \
  -o base.apk --auto-add-overlay res.zip
cat > extra.xml <<XML
<manifest xmlns:android="http://schemas.android.com/apk/res/android"
    xmlns:dist="http://schemas.android.com/apk/distribution"
    package="org.example.tether" split="extra" android:versionCode="7">
  <uses-sdk android:minSdkVersion="21" android:targetSdkVersion="29" />
  <dist:module dist:instant="false">
    <dist:delivery>
      <dist:install-time><dist:removable dist:value="true"/></dist:install-time>
    </dist:delivery>
    <dist:fusing dist:include="true"/>
  </dist:module>
  <application android:hasCode="true"/>
</manifest>
XML
aapt2 link --proto-format -I $framework --manifest extra.xml -o extra.apk
for part in base extra; do
  (cd module/$part && unzip -qo ../../$part.apk && mkdir -p manifest \
    && mv AndroidManifest.xml manifest && zip -qr ../$part.zip .)
done

tool() { java -jar "$bundletool" "$@" > tool.log 2>&1 || { cat tool.log >&2; exit 1; }; }
tool build-bundle --modules=module/base.zip,module/extra.zip --output=app.aab
tool validate --bundle=app.aab
keytool -genkeypair -keystore key.jks -storepass android -alias a -keyalg RSA -dname CN=a \
  -validity 999 2> tool.log
tool build-apks --bundle=app.aab --output=app.apks --ks=key.jks --ks-key-alias=a \
  --ks-pass=pass:android --aapt2="$(command -v aapt2)"
cat > device.json <<JSON
{"supportedAbis":["arm64-v8a"],"supportedLocales":["de"],"screenDensity":480,"sdkVersion":29}
JSON
tool extract-apks --apks=app.apks --output-dir=set --device-spec=device.json
(cd set && zip -q0 ../device.apks ./*.apk)

mkdir whole
cp module/base/dex/classes.dex whole/classes.dex
cp module/extra/dex/classes.dex whole/classes2.dex
(cd whole && zip -q ../whole.jar classes.dex classes2.dex)
