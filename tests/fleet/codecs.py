#!/usr/bin/env python3
"""Judges that tables are equal under every codec: codecs.py ROOT. `cargo xtask fleet codecs`
calls it, and has played the same sessions under each: ROOT/CODEC/maps, ROOT/CODEC/logs.

Builds differ, so edges are compared by branch and alternative, callbacks by the id of their method.
"""

import os
import pathlib
import shutil
import subprocess
import sys

import duckdb
from tally import Tally

EDGES = """select e.session, d.branch, d.alt, sum(e.n) as n
from read_parquet('{out}/edges/*/*/*.parquet', hive_partitioning = true) e
join read_parquet('{out}/edge/*/*.parquet', hive_partitioning = true) d
  on d.build = e.build and d.edge = e.edge
group by all"""
PATHS = """select p.session, m.id, p.shape, sum(p.n) as n, sum(p.steps) as steps
from read_parquet('{out}/paths/*/*/*.parquet', hive_partitioning = true) p
join read_parquet('{out}/method/*/*.parquet', hive_partitioning = true) m
  on m.build = p.build and m.method = p.callback
group by all"""
SESSIONS = """select session, "end" as how, usable, decisions, callbacks
from read_parquet('{out}/sessions/*/*/*.parquet')"""


def tables(folder):
    """The tables of one codec."""
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    here = [os.environ["PATHLIGHT"], "tables", "--maps", folder / "maps", "--out", out]
    subprocess.run([*here, "--day", "20261122", "--shard", "0", folder / "logs"], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([*here, "--dims"], check=True, stdout=subprocess.DEVNULL)
    return out / "tables" / "v1"


def main():
    root, tally = pathlib.Path(sys.argv[1]), Tally()
    found = {}
    for folder in sorted(p.parent for p in root.glob("*/maps")):
        out = tables(folder)
        found[folder.name] = [set(duckdb.sql(q.format(out=out)).fetchall())
                              for q in (EDGES, PATHS, SESSIONS)]
    wanted = found.pop("arith")
    for codec, got in found.items():
        for what, want, have in zip(("edges", "paths", "sessions"), wanted, got):
            tally.check(f"{codec}: the same {what} as arith", want == have and want,
                        f"{len(want)} rows, {len(want - have)} missing, {len(have - want)} others")
    tally.finish()


if __name__ == "__main__":
    main()
