#!/usr/bin/env python3
"""Judges what fleet/ makes of a beta: check.py ROOT [--spark]. `cargo xtask fleet check` calls it.

The beta is what `cargo xtask fleet beta` leaves. Judges: `pathlight train` and `pathlight compare`
on the same logs, files byte by byte, the fault that was planted, Spark beside DuckDB.
"""

import argparse
import json
import pathlib
import shutil
import tempfile

import comparing
import day
import demo
import draws
import labels
import layout
import query
import repeats
import spark_job
from tally import Tally

# With fewer than 100 sessions none is one of 100.
MAY_BE_EMPTY = ("rare_paths",)


def models(tally, root):
    """The sum of all shards is what `train` makes of all logs at once."""
    with tempfile.TemporaryDirectory() as folder:
        summed, trained = pathlib.Path(folder, "sum.json"), pathlib.Path(folder, "train.json")
        day.whole(root, summed)
        comparing.train(root, trained)
        same = json.loads(summed.read_bytes()) == json.loads(trained.read_bytes())
        tally.check("partial models add up to `train`, count for count", same,
                    f"{len(trained.read_bytes()):,} bytes")


def questions(tally, root, engines):
    """Every question has rows, the same in every engine."""
    for engine in engines.values():
        engine.open(root, query.Scope())
    for name in query.questions():
        sql, answers = query.text_of(name), {}
        for engine_name, engine in engines.items():
            names, rows = engine.ask(sql)
            answers[engine_name] = (names, [tuple(map(plain, row)) for row in rows])
        names, rows = answers["duckdb"]
        tally.check(f"{name}: has rows", rows or name in MAY_BE_EMPTY, f"{len(rows)} rows")
        for engine_name, (other_names, other) in answers.items():
            if engine_name != "duckdb":
                differ = next((f"row {i}: {a} is not {b}" for i, (a, b) in
                               enumerate(zip(rows, other)) if a != b), "")
                tally.check(f"{name}: the same rows in {engine_name}",
                            (names, rows) == (other_names, other),
                            differ or f"{len(rows)} and {len(other)} rows")


def plain(value):
    """A value without what two engines may differ in: the last bits of logarithms and powers."""
    return f"{value:.10g}" if isinstance(value, float) else value


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--spark", action="store_true")
    parser.add_argument("--draws", type=int, default=100)
    o = parser.parse_args()
    tally = Tally()
    for generation in o.root.glob("g[0-9]*"):
        shutil.rmtree(generation)
    (o.root / "current").unlink(missing_ok=True)
    root = demo.prepare(o.root.resolve())
    day.dims(root)
    totals = [row for one in root.days() for row in day.tables(root, one, 2)]
    day.models(root, root.days())
    labels.make(root.folder, root.folder / "crashes.csv")
    logs = sum(1 for one in root.days() for _ in (root.folder / "raw" / f"day={one}").iterdir())
    tally.equal("every log is a session", sum(row["sessions"] for row in totals), logs)
    models(tally, root)
    repeats.check(tally, root)
    engines = {"duckdb": query.DuckDb()}
    if o.spark:
        spark_job.check(tally, root)
        engines["spark"] = query.Spark()
    questions(tally, root, engines)
    comparing.check(tally, root, engines["duckdb"])
    draws.check(tally, root, engines["duckdb"], o.draws)
    tally.finish()


if __name__ == "__main__":
    main()
