#!/usr/bin/env python3
"""Packs an unsigned APK that has the same bytes on every machine.

usage: pack.py OUT.apk AndroidManifest.xml FILE...

The manifest becomes binary XML; the files go in under their base names, stored (so that no
version of zlib shows), sorted, and all of the same age.
"""
import struct
import sys
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

ANDROID = "http://schemas.android.com/apk/res/android"
# android.R.attr, the ones that the fixtures use.
ATTR_IDS = {
    "label": 0x01010001, "name": 0x01010003, "hasCode": 0x0101000C, "debuggable": 0x0101000F,
    "exported": 0x01010010, "process": 0x01010011, "authorities": 0x01010018,
    "launchMode": 0x0101001D,
    "minSdkVersion": 0x0101020C, "versionCode": 0x0101021B, "versionName": 0x0101021C,
    "targetSdkVersion": 0x01010270,
}
LAUNCH_MODES = {"standard": 0, "singleTop": 1, "singleTask": 2, "singleInstance": 3}
NONE = 0xFFFFFFFF
TYPE_STRING, TYPE_DEC, TYPE_BOOL = 0x03, 0x10, 0x12


class Pool:
    """Strings in order of first use; attribute names with resource ids come first, as the resource
    map wants."""

    def __init__(self, first):
        self.items = list(first)

    def __call__(self, text):
        if text not in self.items:
            self.items.append(text)
        return self.items.index(text)

    def chunk(self):
        data, offsets = b"", []
        for s in self.items:
            offsets.append(len(data))
            raw = s.encode("utf-16le")
            data += struct.pack("<H", len(raw) // 2) + raw + b"\0\0"
        data += b"\0" * (-len(data) % 4)
        start = 28 + 4 * len(offsets)
        head = struct.pack("<HHIIIIII", 1, 28, start + len(data), len(offsets), 0, 0, start, 0)
        return head + struct.pack("<%dI" % len(offsets), *offsets) + data


def typed(pool, name, text):
    """Raw string index, type and data of one attribute."""
    if name == "launchMode":
        return NONE, TYPE_DEC, LAUNCH_MODES[text]
    if text in ("true", "false"):
        return NONE, TYPE_BOOL, NONE if text == "true" else 0
    if name in ("versionCode", "minSdkVersion", "targetSdkVersion"):
        return NONE, TYPE_DEC, int(text)
    s = pool(text)
    return s, TYPE_STRING, s


def binary_xml(path):
    root = ET.parse(path).getroot()
    used = sorted({k.split("}")[1] for e in root.iter() for k in e.keys() if k.startswith("{")},
                  key=ATTR_IDS.__getitem__)
    pool = Pool(used)
    uri = pool(ANDROID)
    prefix = pool("android")
    body = b""

    def node(kind, payload):
        nonlocal body
        body += struct.pack("<HHIII", kind, 16, 16 + len(payload), 0, NONE) + payload

    def walk(e):
        attrs = []
        for key, text in e.items():
            name = key.split("}")[-1]
            named = key.startswith("{")
            raw, kind, data = typed(pool, name, text)
            attrs.append((ATTR_IDS[name] if named else NONE, uri if named else NONE, pool(name),
                          raw, kind, data))
        attrs.sort()
        payload = struct.pack("<IIHHHHHH", NONE, pool(e.tag), 20, 20, len(attrs), 0, 0, 0)
        for _, ns, name, raw, kind, data in attrs:
            payload += struct.pack("<IIIHBBI", ns, name, raw, 8, 0, kind, data)
        node(0x102, payload)
        for child in e:
            walk(child)
        node(0x103, struct.pack("<II", NONE, pool(e.tag)))

    node(0x100, struct.pack("<II", prefix, uri))
    walk(root)
    node(0x101, struct.pack("<II", prefix, uri))
    ids = struct.pack("<HHI", 0x180, 8, 8 + 4 * len(used)) + struct.pack(
        "<%dI" % len(used), *(ATTR_IDS[n] for n in used))
    inner = pool.chunk() + ids + body
    return struct.pack("<HHI", 3, 8, 8 + len(inner)) + inner


def main():
    out, manifest, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    entries = {"AndroidManifest.xml": binary_xml(manifest)}
    for f in files:
        entries[Path(f).name] = Path(f).read_bytes()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as z:
        for name in sorted(entries):
            info = zipfile.ZipInfo(name, (1981, 1, 1, 1, 1, 2))
            info.create_system = 0
            info.external_attr = 0
            z.writestr(info, entries[name])


main()
