#!/bin/sh
# Checks a written APK against the one it was made from, with tools that are not ours.
# usage: apk.sh IN.apk OUT.apk [SCHEMES]
#   SCHEMES  default "auto": v1 below SDK 24, v2, v3; else for example "v2" or "v1 v2 v3"
# Needs apksigner, zipalign, aapt, python3 (Debian packages of these names). One line per check;
# exit 1 if any fails.
set -u
in=$1 out=$2 want=${3:-auto}
failed=0
verdict() { # verdict STATUS(0 good) TEXT
    if [ "$1" -eq 0 ]; then echo "ok    $2"; else echo "FAIL  $2"; failed=1; fi
}
min=$(aapt dump badging "$in" 2>/dev/null | sed -n "s/^sdkVersion:'\([0-9]*\)'/\1/p")
min=${min:-1}
if [ "$want" = auto ]; then
    want="v2 v3"
    [ "$min" -lt 24 ] && want="v1 v2 v3"
fi

report=$(apksigner verify -v --min-sdk-version "$min" "$out" 2>&1)
verdict $? "apksigner verify --min-sdk-version $min"
# Where v3 is there and enough for every Android that the app runs on, apksigner does not report on
# v2: ask as for 7.0.
[ "$min" -gt 24 ] && report=$(apksigner verify -v --min-sdk-version 24 "$out" 2>&1)
for scheme in v1 v2 v3; do
    expected=false
    case " $want " in *" $scheme "*) expected=true ;; esac
    # apksigner does not look at v1 where the minimum SDK has newer schemes: then look for its
    # files.
    if [ "$scheme" = v1 ] && [ "$min" -ge 24 ]; then
        unzip -Z1 "$out" | grep -q '^META-INF/CERT.SF$' && found=true || found=false
    else
        found=false
        echo "$report" | grep -q "Verified using $scheme scheme.*: true" && found=true
    fi
    [ $found = $expected ]
    verdict $? "$scheme signature: expected $expected, found $found"
done
for sdk in 18 21 24 28 34; do
    [ "$sdk" -ge "$min" ] || continue
    [ "$sdk" -lt 24 ] && case " $want " in *" v1 "*) ;; *) continue ;; esac
    apksigner verify --min-sdk-version "$sdk" --max-sdk-version "$sdk" "$out" >/dev/null 2>&1
    verdict $? "apksigner as Android SDK $sdk sees it"
done

zipalign -c -p 4 "$out" >/dev/null
verdict $? "zipalign -c -p 4"
if zipalign 2>&1 | grep -q -- '-P'; then
    zipalign -c -P 16 4 "$out" >/dev/null
    verdict $? "zipalign -c -P 16 4"
fi
unzip -tqq "$out" >/dev/null 2>&1
verdict $? "unzip -t"

badge() { aapt dump badging "$1" 2>/dev/null; }
[ "$(badge "$in")" = "$(badge "$out")" ] && [ -n "$(badge "$out")" ]
verdict $? "aapt dump badging equal"
[ "$(aapt dump xmltree "$in" AndroidManifest.xml 2>/dev/null)" = \
  "$(aapt dump xmltree "$out" AndroidManifest.xml 2>/dev/null)" ]
verdict $? "aapt dump xmltree of the manifest equal"

python3 - "$in" "$out" <<'PY'
import re, sys, zipfile
old, new = (zipfile.ZipFile(p) for p in sys.argv[1:3])
raws = [open(p, 'rb').read() for p in sys.argv[1:3]]
bad = 0
def verdict(good, text):
    global bad
    bad |= not good
    print(('ok    ' if good else 'FAIL  ') + text)
def data_at(raw, e):
    n, x = (int.from_bytes(raw[e.header_offset + o:e.header_offset + o + 2], 'little')
            for o in (26, 28))
    return e.header_offset + 30 + n + x
def data(raw, e):
    at = data_at(raw, e)
    return raw[at:at + e.compress_size]
signature = re.compile(r'META-INF/([^/]*\.(SF|RSA|DSA|EC)|MANIFEST\.MF|SIG-[^/]*)$', re.I)
profile = re.compile(r'assets/dexopt/baseline\.profm?$')
dex = re.compile(r'classes\d*\.dex$')
o = {e.filename: e for e in old.infolist()}
n = {e.filename: e for e in new.infolist()}
kept = [name for name in o if not signature.match(name) and name != 'stamp-cert-sha256']
gone = [name for name in kept if name not in n]
verdict(all(profile.match(g) for g in gone),
    'only signatures and baseline profiles are gone: %s' % gone)
added = [name for name in n if name not in o or signature.match(name)]
verdict(all(dex.match(a) or signature.match(a) for a in added),
    'only DEX files and signatures are added: %s' % added)
both = [name for name in kept if name in n]
verdict(both == [name for name in n if name in o and not signature.match(name)],
    'central directory order of %d entries' % len(both))
place = lambda d: sorted(both, key=lambda name: d[name].header_offset)
verdict(place(o) == place(n), 'physical order')
# Other judges compare profiles: tests/oracles/baseline.py.
same = [name for name in both if not dex.match(name) and not profile.match(name)]
diff = [name for name in same if data(raws[0], o[name]) != data(raws[1], n[name])
        and name != 'resources.arsc']
verdict(not diff, 'raw bytes of %d entries that are no DEX: %s' % (len(same), diff[:3]))
fields = ('CRC', 'file_size', 'date_time', 'create_system', 'create_version', 'external_attr',
          'internal_attr', 'comment')
diff = [(name, f) for name in same for f in fields if getattr(o[name], f) != getattr(n[name], f)]
verdict(not diff, 'checksums, timestamps, attributes: %s' % diff[:3])
diff = [name for name in both if o[name].compress_type != n[name].compress_type
        and name != 'resources.arsc']
verdict(not diff, 'compression methods: %s' % diff[:3])
diff = [name for name in both if dex.match(name) and o[name].date_time != n[name].date_time]
verdict(not diff, 'timestamps of DEX files: %s' % diff[:3])
off = [(name, data_at(raws[1], e) % 16384) for name, e in n.items()
       if e.compress_type == 0 and data_at(raws[1], e) % (16384 if name.endswith('.so') else 4)]
verdict(not off, 'stored entries at 4 bytes, stored libraries at 16 KiB: %s' % off[:3])
if 'resources.arsc' in n:
    verdict(o['resources.arsc'].compress_type != 0 or n['resources.arsc'].compress_type == 0,
        'resources.arsc still stored where it was')
verdict(not any(e.flag_bits & 8 for e in n.values()), 'no data descriptors')
sys.exit(1 if bad else 0)
PY
[ $? -eq 0 ] || failed=1
exit $failed
