#!/usr/bin/env python3
"""Time and memory of tables and of the ranking: fleet.py ROOT [--out FILE] [--runs N].

`cargo xtask fleet bench ROOT` calls it. ROOT is a beta (`cargo xtask fleet beta ROOT`) whose tables
are made (`cargo xtask fleet demo ROOT`).

- tables: each log COPIES times under other keys, one worker beside two, interleaved; the medians.
- ranking: sessions of the last release drawn with replacement until there are N, with their edges,
  under new ids; `suspicious.sql` over them in DuckDB, in a process of its own.
"""

import argparse
import csv
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import demo
import layout
import query

COPIES = 10
# Sessions in a file of resampled edges.
SHARD = 50_000
FLEET = pathlib.Path(layout.__file__).parent


def copied(root, folder):
    """A day with each log COPIES times."""
    raw = folder / "raw" / "day=d20261101"
    raw.mkdir(parents=True)
    (folder / "maps").symlink_to(root.maps)
    logs = [p for day in root.days() for p in (root.folder / "raw" / f"day={day}").iterdir()]
    for copy in range(COPIES):
        for log in logs:
            os.link(log, raw / f"c{copy}{log.name}")
    return len(logs) * COPIES


def measured(command):
    """Wall and processor seconds of a command and of all that it starts."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def workers(root, runs, spark):
    """One worker beside two: on this machine's loop, and where Spark schedules."""
    with tempfile.TemporaryDirectory(dir=root.folder) as folder:
        folder = pathlib.Path(folder)
        sessions = copied(root, folder)
        kinds = {}
        for n in (1, 2):
            kinds[f"day.py --jobs {n}"] = ["day.py", "run", folder, "--jobs", str(n)]
            if spark:
                kinds[f"job.py local[{n}]"] = ["job.py", folder, "--master", f"local[{n}]"]
        layout.Root.begin(folder, 8, "0.9", False)
        times = {kind: [] for kind in kinds}
        for _ in range(runs):
            for kind, command in kinds.items():
                times[kind].append(measured([sys.executable, FLEET / command[0], *command[1:]]))
    for kind, got in times.items():
        wall, cpu = (statistics.median(x) for x in zip(*got))
        yield {"what": f"tables and model: {kind}", "sessions": sessions, "rows": "–",
               "MB on disk": "–", "s": f"{wall:.2f}", "CPU s": f"{cpu:.2f}", "peak MB": "–"}


RESAMPLE = """
set memory_limit = '4GB';
create table base as select session, row_number() over (order by session) - 1 as number,
  usable, day from sessions where build = '{build}';
create table drawn as
  select *, row_number() over (order by session) - 1 as place
  from (
    select b.session as old, usable, cast(hash(i) >> 1 as bigint) - 4611686018427387904 as session
    from range({n}) r(i) join base b
    on b.number = cast(hash(i * 31 + 7) % (select count(*) from base) as bigint)
  );
create table kept as select session, edge, n, first_way from edges where build = '{build}';
create table labels as select session, signature from crashes where build = '{build}';
"""


def resampled(root, folder, n):
    """N sessions of the last release, as tables of a generation of their own; rows of edges."""
    build = root.releases()[-1]["build"]
    engine = query.DuckDb()
    engine.open(root, query.Scope())
    engine.db.execute(RESAMPLE.format(build=build, n=n))
    (folder / "maps").symlink_to(root.maps)
    tables = folder / "g1/tables/v1"
    for table in ("edge", "method"):
        shutil.copytree(root.out / "tables/v1" / table, tables / table)
    layout.write(folder / "g1/settings.json", json.dumps(root.settings))
    layout.write(folder / "current", "g1\n")

    def copy(sql, table, part=0):
        path = tables / table / f"build={build}" / "day=d20261101"
        path.mkdir(parents=True, exist_ok=True)
        engine.db.execute(f"copy ({sql}) to '{path}/part-{part:04d}.parquet' "
                          "(format parquet, compression zstd, compression_level 3)")

    copy("select session, usable, 'clean' as \"end\" from drawn order by session", "sessions")
    for part in range(-(-n // SHARD)):
        copy("select d.session, k.edge, k.n, k.first_way "
             "from drawn d join kept k on k.session = d.old "
             f"where d.place // {SHARD} = {part} order by d.session, k.edge", "edges", part)
    labels = folder / "labels"
    labels.mkdir()
    engine.db.execute(f"copy (select '{build}' as build, d.session, l.signature from drawn d "
                      f"join labels l on l.session = d.old) to '{labels}/crashes.csv' (header)")
    return engine.db.execute("select count(*) from drawn d join kept k on k.session = d.old"
                             ).fetchone()[0]


ASK = """
import resource, sys, time, query, layout
engine = query.DuckDb("1GB", 2) if sys.argv[2] == "duckdb" else query.Spark()
engine.open(layout.Root(sys.argv[1]), query.Scope())
began = time.monotonic(); cpu = time.process_time()
rows = engine.ask(query.text_of("suspicious"))[1]
print(time.monotonic() - began, time.process_time() - cpu,
      resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, len(rows))
"""


def ranking(root, sizes, runs, spark):
    """The ranking over many sessions, with 1 GB of memory and two threads."""
    for n in sizes:
        with tempfile.TemporaryDirectory(dir=root.folder) as folder:
            folder = pathlib.Path(folder)
            rows = resampled(root, folder, n)
            disk = sum(p.stat().st_size for p in folder.glob("g1/tables/v1/edges/**/*.parquet"))
            for engine in ("duckdb", "spark") if spark and n <= 100_000 else ("duckdb",):
                got = []
                for _ in range(runs):
                    answer = subprocess.run([sys.executable, "-c", ASK, folder, engine], check=True,
                                          capture_output=True, text=True).stdout
                    got.append(tuple(map(float, answer.split()[:3])))
                wall, cpu, peak = (statistics.median(x) for x in zip(*got))
                # Spark works in another process.
                cpu, peak = (f"{cpu:.2f}", f"{peak:.0f}") if engine == "duckdb" else ("–", "–")
                yield {"what": f"suspicious.sql: {engine}", "sessions": n, "rows": rows,
                       "MB on disk": f"{disk / 1e6:.0f}", "s": f"{wall:.2f}",
                       "CPU s": cpu, "peak MB": peak}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--spark", action="store_true")
    parser.add_argument("--only", choices=("tables", "ranking"))
    parser.add_argument("--sizes", type=int, nargs="*", default=[100_000, 1_000_000])
    o = parser.parse_args()
    root = demo.prepare(o.root.resolve())
    found = []
    parts = {"tables": lambda: workers(root, o.runs, o.spark),
             "ranking": lambda: ranking(root, o.sizes, o.runs, o.spark)}
    for part in [o.only] if o.only else parts:
        for row in parts[part]():
            print(row, flush=True)
            found.append(row)
    if o.out:
        with open(o.out, "w", newline="") as file:
            writer = csv.DictWriter(file, found[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(found)


if __name__ == "__main__":
    main()
