#!/usr/bin/env python3
"""How much the DEX files of apps grow: cargo xtask bench sizes NAME=APP.apk...

Instruments each app without a model (codec arith) and writes bench/sizes.csv. The fixture apps come
first: tether as a debug build, notes as R8 made it. `cargo test --test cli` holds tether's row to
what `instrument` does. "After" includes the
runtime's own DEX file; "left" counts methods left as they were.
"""

import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FIXTURES = {"tether": "fixture tether", "notes": "fixture notes (R8)"}


def row(name, app):
    with tempfile.TemporaryDirectory() as work:
        out = [os.path.join(work, "out.apk"), "--map", os.path.join(work, "out.plmap")]
        command = [os.environ["PATHLIGHT"], "instrument", app, "-o", *out, "--unsigned", "--json"]
        report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    code = report["code"] if "code" in report else report
    dex = code["dex"]
    before = sum(d["bytes_in"] for d in dex)
    after = sum(d["bytes_out"] for d in dex) + sum(report["added"])
    methods = sum(d["methods"] for d in dex)
    return f"{name},{methods},{before},{after},{after / before:.2f},{len(code['skipped'])}"


def main():
    apps = [(name, os.path.join(HERE, "..", "android-fixtures", app, "prebuilt", app + ".apk"))
            for app, name in FIXTURES.items()]
    for argument in sys.argv[1:]:
        name, _, app = argument.partition("=")
        if not app:
            sys.exit(f"{argument}: NAME=APP.apk is needed")
        apps.append((name, app))
    rows = ["app,methods,DEX bytes before,DEX bytes after,growth,left"]
    for name, app in apps:
        rows.append(row(name, app))
        print(rows[-1], flush=True)
    with open(os.path.join(HERE, "sizes.csv"), "w") as f:
        f.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
