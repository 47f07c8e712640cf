#!/usr/bin/env python3
"""Compares the lines of two APKs: lines.py BEFORE.apk AFTER.apk (written with --codec none).

dexdump reads both. For each instruction of each method the line is looked up as ART does it
(`GetLineNumFromPC`: the first position at the instruction's address, else the last one before it).
Where the positions stand in the file, and which methods share them, makes no difference.
"""

import collections
import copy
import os
import re
import subprocess
import sys
import tempfile
import zipfile

INSTRUCTION = re.compile(r"^[0-9a-f]+:.*\|([0-9a-f]{4,}): (\S+)")
# What dexdump shows of tables and of the units that align them.
NO_INSTRUCTION = ("packed-switch-data", "sparse-switch-data", "array-data", "nop")


class Method:
    def __init__(self):
        self.addresses, self.positions, self.type, self.synthetic, self.private = (
            [], [], None, False, False)

    def lines(self):
        """[(address, line)] of each instruction; -1 where there is none."""
        found = []
        for address in self.addresses:
            line = -1
            for at, number in self.positions:
                if at > address:
                    break
                line = number
                if at == address:
                    break
            found.append((address, line))
        return found


def methods(apk):
    """{(file, class, method): [Method]}, overloads in order."""
    found = collections.defaultdict(list)
    with zipfile.ZipFile(apk) as z:
        for entry in sorted(n for n in z.namelist() if re.fullmatch(r"classes\d*\.dex", n)):
            with tempfile.NamedTemporaryFile(suffix=".dex") as f:
                f.write(z.read(entry))
                f.flush()
                dump = subprocess.run(["dexdump", "-d", f.name], stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, check=True)
            owner = method = None
            whole = False
            section = ""
            for line in dump.stdout.decode("utf-8", "replace").split("\n"):
                if m := re.match(r"  Class descriptor  : '(.*)'", line):
                    owner = m.group(1)
                elif line.startswith("  Access flags "):
                    whole = "SYNTHETIC" in line
                elif m := re.match(r"      name          : '(.*)'", line):
                    method = Method()
                    found[entry, owner, m.group(1)].append(method)
                elif m := re.match(r"      type          : '(\(.*)'", line):
                    method.type = m.group(1)
                elif line.startswith("      access        :"):
                    method.synthetic = whole or "SYNTHETIC" in line
                    method.private = "PRIVATE" in line
                elif m := re.match(r"      (positions|locals)\b", line):
                    section = m.group(1)
                elif m := INSTRUCTION.match(line):
                    if not m.group(2).startswith(NO_INSTRUCTION):
                        method.addresses.append(int(m.group(1), 16))
                elif (section == "positions"
                      and (m := re.match(r"        0x([0-9a-f]+) line=(\d+)", line))):
                    method.positions.append((int(m.group(1), 16), int(m.group(2))))
    return found


def differences(before, after):
    """The methods whose lines differ."""
    wrong = [key for key in before.keys() | after.keys()
             if len(before.get(key, [])) != len(after.get(key, []))]
    for key in before.keys() & after.keys():
        wrong += [key for x, y in zip(before[key], after[key]) if x.lines() != y.lines()]
    return sorted(wrong)


def main():
    before, after = methods(sys.argv[1]), methods(sys.argv[2])
    wrong = differences(before, after)
    for file, owner, name in wrong[:20]:
        print(f"{file}: {owner}->{name}: other lines than before")
    with_lines = [(key, i) for key, all in after.items() for i, m in enumerate(all) if m.positions
                  and m.addresses]
    count = sum(len(m.addresses) for all in after.values() for m in all)
    # A comparison that sees nothing proves nothing: one line more somewhere must be seen.
    key, i = with_lines[len(with_lines) // 2]
    seeded = copy.deepcopy(after)
    seeded[key][i].positions = [(at, line + 1) for at, line in seeded[key][i].positions]
    if differences(after, seeded) != [key]:
        sys.exit(f"a seeded change of {key} is not seen")
    print(f"{os.path.basename(sys.argv[1])}: {count} instructions, {len(wrong)} methods with "
          f"other lines")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
