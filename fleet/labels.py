#!/usr/bin/env python3
"""Crash labels from outside, joined to session ids: ROOT/labels/crashes.csv.

    labels.py ROOT crashes.csv             columns: build, key, signature

`key` is the session key (the name under which a log was uploaded), which the app gave to the crash
service as an attribute; it ends here: the result has the salted id. PATHLIGHT_SALT has the salt.
"""

import csv
import hashlib
import hmac
import io
import os
import pathlib
import sys

import layout


def session_of(salt, key):
    """The session id of `pathlight tables` (docs/TABLES.md, Keys and ids)."""
    digest = hmac.new(salt.encode(), key.encode(), hashlib.sha256).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


def make(root, source):
    """Writes the labels; how many there are."""
    salt = os.environ.get(layout.SALT)
    if salt is None:
        raise layout.Failed(f"{layout.SALT} is not set: ids would not be those of the tables")
    with open(source, newline="") as file:
        rows = sorted({(r["build"], session_of(salt, r["key"]), r["signature"])
                       for r in csv.DictReader(file)})
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["build", "session", "signature"])
    writer.writerows(rows)
    layout.write(pathlib.Path(root) / "labels" / "crashes.csv", text.getvalue())
    return len(rows)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    try:
        print(f"{make(sys.argv[1], sys.argv[2])} labels")
    except layout.Failed as error:
        sys.exit(f"labels.py: {error}")
