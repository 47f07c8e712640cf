#!/usr/bin/python3
"""Compares the JSON that pathlight prints with docs/schema, by Debian's python3-jsonschema.

usage: schemas.py PATHLIGHT REPOSITORY

Every object of a schema names all its fields, and every field has a description: so a field that is
printed and not described is an error. Each document is also tried with a field that no schema has:
a schema that takes it checks nothing.
"""
import copy
import json
import os
import subprocess
import sys
import tempfile
import zipfile

import jsonschema

PATHLIGHT, ROOT = (os.path.abspath(p) for p in sys.argv[1:3])
FOLDER = os.path.join(ROOT, "docs", "schema")
RECORDED = os.path.join(ROOT, "tests", "cli", "recorded")
FIXTURES = os.path.join(ROOT, "android-fixtures")
# Lines of the same form that are compared.
EACH = 20
problems = []


def parts(schema, place=""):
    """Every schema inside a schema, with its place."""
    yield place, schema
    for word in ("properties", "$defs"):
        for name, inner in schema.get(word, {}).items():
            yield from parts(inner, f"{place}/{name}")
    for inner in schema.get("oneOf", []):
        yield from parts(inner, place + "/oneOf")
    for word in ("items", "additionalProperties"):
        if isinstance(schema.get(word), dict):
            yield from parts(schema[word], f"{place}/{word}")


def load(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    for place, part in parts(schema):
        if ("description" not in part and "$ref" not in part
            and not ("oneOf" in part or part is schema)):
            problems.append(f"{name}{place}: no description")
        kinds = part.get("type", [])
        if ("object" in ([kinds] if isinstance(kinds, str) else kinds)
            and "additionalProperties" not in part):
            problems.append(f"{name}{place}: takes any field")
    return jsonschema.Draft202012Validator(schema)


SCHEMAS = {n[: -len(".json")]: load(n) for n in sorted(os.listdir(FOLDER)) if n.endswith(".json")}
seen = {name: 0 for name in SCHEMAS}


def judge(name, document, what):
    schema = SCHEMAS[name]
    error = jsonschema.exceptions.best_match(schema.iter_errors(document))
    if error:
        at = "/".join(map(str, error.absolute_path))
        problems.append(f"{what}: at {at or 'the top'}: {error.message[:300]}")
    other = copy.copy(document)
    other["no such field"] = 1
    if schema.is_valid(other):
        problems.append(f"{what}: {name}.json takes a field that does not exist")
    seen[name] += 1


def run(work, *args):
    p = subprocess.run([PATHLIGHT, *args], cwd=work, stdin=subprocess.DEVNULL, capture_output=True,
                       text=True)
    if p.returncode not in (0, 1) or not p.stdout:
        problems.append(f"{' '.join(args)}: exit code {p.returncode}: {p.stderr.strip()}")
    return p.stdout


def whole(work, *args):
    out = run(work, *args)
    if out:
        document = json.loads(out)
        name = "inspect-graphs" if "--graphs" in args else args[0]
        judge(name, document, " ".join(args))
        return document


def lines(work, *args):
    """Lines with the same fields are one form: some of each are compared, the first ones."""
    forms = {}
    for number, line in enumerate(run(work, *args).splitlines(), 1):
        document = json.loads(line)
        form = (document["e"], *sorted(document))
        forms[form] = forms.get(form, 0) + 1
        if forms[form] <= EACH:
            name = "why-list" if args[:2] == ("why", "--list") else args[0]
            judge(name, document, f"{' '.join(args)}: line {number}")


def build_of(work, plmap):
    return json.loads(run(work, "inspect", "--json", plmap))["build"]


def main():
    tether, notes = (os.path.join(FIXTURES, a, "prebuilt", a) for a in ("tether", "notes"))
    plmap = os.path.join(RECORDED, "app.plmap")
    crash = [os.path.join(RECORDED, f) for f in os.listdir(RECORDED) if f.endswith(".plt")]
    # The same program, recorded on HotSpot, ART 10 and ART 11.
    hosts = [os.path.join(RECORDED, "hosts", f) for f in ("hotspot.plt", "art10.plt", "art11.plt")]
    sessions = [os.path.join(top, f)
                for top, _, fs in sorted(os.walk(os.path.join(RECORDED, "sessions")))
                for f in sorted(fs)]
    with tempfile.TemporaryDirectory() as work:
        # Of a log that was cut, and of one with a damaged byte.
        cut, damaged = os.path.join(work, "cut.plt"), os.path.join(work, "damaged.plt")
        with open(max(sessions, key=os.path.getsize), "rb") as f:
            log = f.read()
        with open(cut, "wb") as f:
            f.write(log[: len(log) - 1500])
        for at in range(600, len(log) - 900, 200):
            with open(damaged, "wb") as f:
                f.write(log[:at] + bytes([log[at] ^ 0x55]) + log[at + 1 :])
            if '"e":"error"' in run(work, "decode", "--format", "json", "--map", plmap, damaged):
                break
        whole(work, "train", "--force", "--json", "--map", plmap, *sessions, "-o", "model.json")
        for extra in ([], ["--model", "model.json", "--include", "org.example.*", "--exclude",
                           "no.such.*"], ["--max-size-growth", "1.9"], ["--max-log-rate", "700"],
                      ["--codec", "none"], ["--model", "model.json", "--inline", "all"]):
            whole(work, "instrument", "--force", "--json", tether + ".apk", "-o", "beta.apk",
                  "--map", "beta.plmap", *extra)
        stray = os.path.join(work, "stray.txt")
        with open(stray, "w") as f:
            f.write("nothing\n")
        split = os.path.join(os.path.dirname(tether), "split_config.de.apk")
        whole(work, "instrument", "--force", "--json", tether + ".apk", split, "-o", "beta",
              "--map", "split.plmap")
        whole(work, "instrument", "--force", "--json", notes + ".apk", "-o", "notes.apk", "--map",
              "notes.plmap", "--mapping", notes + ".mapping.txt")
        whole(work, "instrument", "--force", "--json", tether + ".apk", "-o", "beta.apk", "--map",
              "beta.plmap", "--mapping", notes + ".mapping.txt")
        for file in ("beta.apk", "notes.apk", "beta.plmap", "model.json", tether + ".apk", *crash,
                     cut, damaged):
            whole(work, "inspect", "--json", "--all", file)
        with zipfile.ZipFile(os.path.join(work, "set.apks"), "w") as archive:
            for apk in (tether + ".apk", split):
                archive.write(apk, os.path.basename(apk))
        whole(work, "inspect", "--json", "set.apks")
        whole(work, "doctor", "--json", "beta.apk", "beta.plmap", "model.json", "set.apks", *crash,
              stray)
        for app in (tether, notes):
            whole(work, "inspect", "--json", app + ".apk", "--graphs", "graphs")
        for logs in (crash, sessions, [cut], [damaged]):
            lines(work, "decode", "--format", "json", "--map", plmap, *logs)
            lines(work, "decode", "--path-ids", "--format", "json", "--map", plmap, *logs)
        stack = os.path.join(RECORDED, "crash.log")
        for extra in ([], ["--stack", stack], ["--at", "MainActivity.java:251"]):
            whole(work, "why", "--json", "--apk", tether + ".apk", "--map", plmap, *crash, *extra)
        for logs in (crash, sessions, [cut], [damaged]):
            for extra in ([], ["--apk", tether + ".apk"],
                          ["--apk", tether + ".apk", "--class", "*.Illegal*", "--last", "2"]):
                lines(work, "why", "--list", "--json", "--map", plmap, *logs, *extra)
        lines(work, "why", "--list", "--json", "--map", plmap, *sessions, "--at",
              "ClientTable.java:37")
        hosts_map = os.path.join(RECORDED, "hosts", "hosts.plmap")
        for log in hosts:
            lines(work, "decode", "--format", "json", "--map", hosts_map, log)
            whole(work, "inspect", "--json", "--all", log)
        for logs in (sessions, [damaged]):
            whole(work, "analyse", "--json", "--map", plmap, "--observer", "--delta-ns", "20",
                  *logs)
        for path in ("Network;->up()Z", "Network;->up()Z:0,1,3"):
            whole(work, "explain", "--json", "--map", plmap, "--path",
                  "Lorg/example/tether/" + path, *sessions)
        advice = json.loads(run(work, "paths", "advise", "--json", "--map", plmap))
        judge("advise", advice, "paths advise")
        counting = ["--map", os.path.join(RECORDED, "counts.plmap")]
        counted = [os.path.join(RECORDED, f) for f in os.listdir(RECORDED) if f.endswith(".plc")]
        for inputs in ([*counting, *counted], ["--map", plmap, *counting, *counted, *sessions]):
            whole(work, "analyse", "--json", *inputs)
            whole(work, "explain", "--json", "--path",
                  "Lorg/example/tether/Commands;->ackermann(II)I", *inputs)
        for logs in (sessions, [damaged]):
            run(work, "timetree", "build", "--map", plmap, *logs, "-o", "s.pltt")
            for interval in ([], ["--from", "100ms", "--to", "-100ms"],
                             ["--from", "-0.2s", "--thread", "main"]):
                whole(work, "timetree", "query", "--format", "json", "s.pltt", *interval)
        os.mkdir(os.path.join(work, "maps"))
        with open(plmap, "rb") as f, open(
            os.path.join(work, "maps", f"b{build_of(work, plmap)}.plmap"), "wb") as to:
            to.write(f.read())
        shard = ["--maps", "maps", "--out", "fleet", "--day", "1", "--shard", "1"]
        judge("tables", json.loads(run(work, "tables", *shard, *sessions, damaged, stray)),
              "tables")
        judge("tables",
              json.loads(run(work, "tables", "--dims", "--maps", "maps", "--out", "fleet")),
              "tables --dims")
        whole(work, "merge", "--json", "model.json", "model.json", "-o", "merged.json")
        dump = os.path.join(work, "dump.txt")
        with open(dump, "w") as f:
            f.write('"main" prio=5 tid=1 Runnable\n'
                    '  at org.example.tether.Settings.mix(Settings.java:83)\n')
        judge("samples-show",
              json.loads(run(work, "samples", "show", "--format", "json", "--map", plmap, dump)),
              "samples show")
        more = ("--interval", "1ms", "--method", "free", "--train", "samples.model.json")
        judge("samples-show", json.loads(run(work, "samples", "show", "--format", "json", "--map",
                                             plmap, dump, *more)), "samples show --train")
        with open(dump, "a") as f:
            f.write('\n  at org.example.tether.Settings.mix(Settings.java:83)\n')
        for more in (("--fill", "--every", "8"), ("--fill", "--every", "900"),
                     ("--method", "interleave", "--against", *sessions[:1])):
            judge("samples-show", json.loads(run(work, "samples", "show", "--json", "--map", plmap,
                                                 dump, *more)), "samples show " + more[0])
        scored = run(work, "samples", "score", "--format", "json", "--map", plmap, *sessions[:1],
                     "--train", *sessions)
        judge("samples-score", json.loads(scored), "samples score --train")
        scored = run(work, "samples", "score", "--format", "json", "--map", plmap, *sessions,
                     "--every", "8", "--places", "stack,line,method")
        judge("samples-score", json.loads(scored), "samples score")
        half = len(sessions) // 2
        whole(work, "compare", "--json", "--map", plmap, "--good", sessions[0], "--bad",
              sessions[1])
        whole(work, "compare", "--json", "--map", plmap, "--good", sessions[0], "--bad", cut)
        whole(work, "compare", "--json", "--map", plmap, "--good", *sessions[:half], "--bad",
              *sessions[half:], *crash, "--top", "1000")
        whole(work, "compare", "--json", "--map", plmap, "--map", "beta.plmap", "--good", *sessions,
              "--bad", *crash)
        whole(work, "compare", "--json", "--map", plmap, "--known", sessions[0], "--new", *sessions,
              *crash)
        stack = os.path.join(work, "stack.txt")
        with open(stack, "w") as f:
            f.write("java.lang.IllegalStateException: wanted\n"
                    "\tat org.example.tether.MainActivity.onLongClick(MainActivity.java:251)\n")
        hits = [os.path.join(RECORDED, f) for f in os.listdir(RECORDED) if f.endswith(".plh")]
        counted = run(work, "decode", "--format", "json", "--map",
                      os.path.join(RECORDED, "count.plmap"), *hits)
        judge("hits", json.loads(counted), "decode of hit files")
        run(work, "select", "--map", plmap, *sessions, "-o", "paths.json")
        whole(work, "instrument", "--force", "--json", tether + ".apk", "-o", "counting.apk",
              "--map", "count.plmap", "--profile", "paths", "--select", "paths.json")
        for extra in ([], ["--stack", stack]):
            for logs in (crash, sessions, [damaged]):
                lines(work, "crash", "--json", "--map", plmap, *logs, *extra)
        lines(work, "crash", "--json", "--map", plmap, "--apk", tether + ".apk", *crash)
    for name, count in seen.items():
        print(f"{name}: {count} documents")
        if count == 0:
            problems.append(f"{name}.json: nothing was compared with it")
    for problem in problems[:20]:
        print(problem)
    sys.exit(1 if problems else 0)


main()
