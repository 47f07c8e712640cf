#!/usr/bin/env python3
"""From a simulated beta to a ranking, on one machine: demo.py ROOT.

`cargo xtask fleet demo ROOT` makes the beta and calls this. What a team does instead is in
docs/FLEET.md; the steps are the same.
"""

import os
import secrets
import sys
import time

import day
import labels
import layout
import query

SHARDS = 4


def prepare(folder):
    """The salt, which a team keeps in its secret store; settings; labels."""
    salt = folder / "salt"
    if not salt.exists():
        layout.write(salt, secrets.token_hex(16))
        salt.chmod(0o600)
    os.environ[layout.SALT] = salt.read_text()
    if not (folder / "current").exists():
        layout.Root.begin(folder, SHARDS, "0.9", True)
    return layout.Root(folder)


def main(folder):
    root = prepare(folder)
    began = time.monotonic()
    day.dims(root)
    for one in root.days():
        print(f"{one}: {day.summary(day.tables(root, one, os.cpu_count() or 1))}")
    for model in day.models(root, root.days()):
        print(f"model: {model}")
    count = labels.make(folder, folder / "crashes.csv")
    print(f"{count} crash labels; tables and models took {time.monotonic() - began:.1f} s")
    began = time.monotonic()
    engine = query.DuckDb()
    engine.open(root, query.Scope())
    names, rows = engine.ask(query.text_of("suspicious"))
    print(f"\nsuspicious branches ({time.monotonic() - began:.2f} s):\n")
    wanted = ["signature", "class", "ochiai", "increase", "low", "ef", "ep", "name", "line", "alt"]
    at = [names.index(n) for n in wanted]
    first = [row for row in rows if row[names.index("class")] <= 5]
    query.table(wanted, [[row[i] for i in at] for row in first[:20]])
    print(f"\nmore: cargo xtask fleet run query.py {folder} new_alternatives --top 20")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    import pathlib

    try:
        main(pathlib.Path(sys.argv[1]).resolve())
    except layout.Failed as error:
        sys.exit(f"demo.py: {error}")
