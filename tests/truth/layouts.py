"""The same program with its code at other addresses.

ART 11's interpreter remembers, by the address of an instruction, what field a static access found,
also while the class is being initialised by the same thread. When that initialisation fails, the
next access there must throw NoClassDefFoundError; if the memory of it is still there, it does not.
Whether it is depends on which addresses share a place in that cache. So a program whose
initialisers fail can do one thing or the other on ART 11, without anybody having touched it, and
whatever moves code (a tracer, an instrumenter) may change which.
"""

import os
import random
import re
import zipfile

from harness.batch import api_of

VARIANTS = 24
# Instructions that are put behind a class's methods, at most.
MOST = 100


def layouts(batch, program, work):
    """Files that hold the same program as `program` (a dex, or a jar with one), with methods that
    nothing calls in between; `work` is for what lies between."""
    os.makedirs(work)
    dex = program
    if zipfile.is_zipfile(program):
        with zipfile.ZipFile(program) as z:
            if "classes2.dex" in z.namelist():
                return
            dex = z.extract("classes.dex", work)
    api = api_of(dex)
    batch.run("baksmali", api, dex, work + "/plain")
    classes = {}
    for folder, _, names in os.walk(work + "/plain"):
        for name in names:
            with open(os.path.join(folder, name), encoding="utf-8", newline="\n") as f:
                classes[os.path.join(folder, name)] = f.read()
    for variant in range(VARIANTS):
        rng = random.Random(variant)
        for path, text in sorted(classes.items()):
            if not re.match(r"\.class .*\binterface\b", text):
                text += ("\n.method private static -pad()V\n.registers 0\n%sreturn-void\n"
                         ".end method\n" % ("nop\n" * rng.randrange(MOST)))
            with open(path, "w", encoding="utf-8", newline="\n") as f:
                f.write(text)
        moved = "%s/moved%d.dex" % (work, variant)
        batch.run("smali", api, moved, work + "/plain")
        yield moved
