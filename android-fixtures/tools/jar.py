#!/usr/bin/env python3
"""Packs a folder of class files into a jar that has the same bytes on every machine. usage: jar.py
OUT.jar DIR"""
import sys
import zipfile
from pathlib import Path

out, folder = sys.argv[1], Path(sys.argv[2])
with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as z:
    for f in sorted(p for p in folder.rglob("*") if p.is_file()):
        info = zipfile.ZipInfo(f.relative_to(folder).as_posix(), (1981, 1, 1, 1, 1, 2))
        info.create_system = 0
        z.writestr(info, f.read_bytes())
