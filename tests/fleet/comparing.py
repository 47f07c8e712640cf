"""`pathlight train` and `pathlight compare` on the same logs, as judges of sums and of SQL."""

import csv
import gzip
import json
import os
import pathlib
import tempfile

import labels
import layout
import query


def unpacked(root, folder):
    """All logs, unpacked into a folder, by key."""
    found = {}
    for one in root.days():
        for path in sorted((root.folder / "raw" / f"day={one}").iterdir()):
            key = layout.key_of(path.name)
            found[key] = pathlib.Path(folder, f"{key}.plt")
            found[key].write_bytes(gzip.decompress(path.read_bytes()))
    return found


def builds_of(root):
    """Returns the build of a session key: seeds above 100,000 play the last release
    (xtask/src/fleet/beta.rs)."""
    releases = root.releases()
    return lambda key: releases[0 if int(key[1:]) <= 100_000 else -1]["build"]


def train(root, model):
    """`train` over everything: one call for each release, upon the model of the one before."""
    build_of = builds_of(root)
    with tempfile.TemporaryDirectory() as folder:
        logs, before = unpacked(root, folder), []
        for number, release in enumerate(root.releases()):
            own = [path for key, path in logs.items() if build_of(key) == release["build"]]
            trained = pathlib.Path(folder, f"{number}.json")
            layout.call(["train", "--map", root.maps / f"{release['build']}.plmap", *own,
                         *before, "-o", trained])
            before = ["--model", trained]
        model.write_bytes(trained.read_bytes())


def usable(root, engine):
    """Keys of the usable sessions of each build; and the crash label of each key."""
    with open(root.folder / "crashes.csv", newline="") as file:
        crashed = {r["key"]: r["signature"] for r in csv.DictReader(file)}
    _, rows = engine.ask("select build, session from sessions where usable order by 1, 2")
    builds = {}
    for build, session in rows:
        builds.setdefault(build, set()).add(session)
    return builds, crashed


def check(tally, root, engine):
    """Ochiai, increase, its interval and importance are those of `compare`."""
    salt = os.environ[layout.SALT]
    builds, crashed = usable(root, engine)
    build = root.releases()[-1]["build"]
    names, rows = engine.ask(query.text_of("suspicious"))
    rows = [dict(zip(names, row)) for row in rows]
    with tempfile.TemporaryDirectory() as folder:
        logs = {k: p for k, p in unpacked(root, folder).items()
                if labels.session_of(salt, k) in builds[build]}
        for signature in sorted(set(crashed.values())):
            bad = [p for k, p in logs.items() if crashed.get(k) == signature]
            good = [p for k, p in logs.items() if k not in crashed]
            if not bad:
                continue
            compared = layout.call(["compare", "--json", "--top", "1000", "--map",
                                root.maps / f"{build}.plmap", "--good", *good, "--bad", *bad])
            mine = {(r["name"], r["pc"], r["alt"]): r for r in rows
                    if r["build"] == build and r["signature"] == signature}
            judge(tally, signature, json.loads(compared), mine)


def judge(tally, signature, compared, mine):
    """`compare` prints the figures of the first event of each class, with four digits."""
    judged, wrong = 0, []
    for suspect in compared["classes"]:
        first = suspect["events"][0]
        if first["kind"] != "branch":
            continue
        row = mine.get(place(first))
        if row is None:
            continue
        judged += 1
        printed = {
            "ef": suspect["with"]["bad"], "ep": suspect["with"]["good"],
            "reached": suspect["reached"]["bad"] + suspect["reached"]["good"],
            "ochiai": suspect["ochiai"], "increase": suspect["increase"],
            "low": suspect["interval"][0], "high": suspect["interval"][1],
            "importance": suspect["importance"], "sure": int(suspect["sure"]),
        }
        for name, value in printed.items():
            if abs(row[name] - value) > 0.500001e-4:
                wrong.append(f"{place(first)}: {name} is {row[name]}, compare prints {value}")
    tally.check(f"{signature}: figures are those of `compare`", judged >= 10 and not wrong,
                wrong[0] if wrong else f"{judged} classes, 9 figures each")


def place(event):
    return (event["place"]["m"], event["place"]["pc"], event["alternative"])
