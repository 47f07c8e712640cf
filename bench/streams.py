#!/usr/bin/env python3
"""How many MB of streams a second become tables: cargo xtask bench streams

For each workload: a run trains a model; the build with that model and the one without run with
another seed, long enough for logs of some MB, and `pathlight tables --jobs 1` reads them. Beside it
`pathlight train --jobs 1`, which makes the model alone. Writes bench/streams.csv.
"""

import argparse
import json
import os
import resource
import shutil
import statistics

import build
import measure
import workloads as w

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ("gson", "rhino", "jsoup", "zxing", "compress", "lang", "euler")
COLUMNS = ("workload,model,stream_bytes,decisions,tables_s,tables_mb_per_s,train_s,train_mb_per_s,"
           "table_bytes")
REPETITIONS = 40


def processor(*command):
    """Processor seconds of a command, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = build.call(*command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, output


def catalogue(pathlight, plmap, folder):
    """A catalogue of one map."""
    os.makedirs(folder)
    number = "b" + json.loads(build.call(pathlight, "inspect", "--json", plmap))["build"]
    shutil.copy(plmap, os.path.join(folder, number + ".plmap"))
    with open(os.path.join(folder, number + ".json"), "w") as f:
        json.dump({"build": number, "release": "1", "version_code": 1}, f)


def row(a, name, plmap, logs, scratch):
    maps, out, model = (os.path.join(scratch, name + part)
                        for part in ("-maps", "-tables", "-model.json"))
    catalogue(a.pathlight, plmap, maps)
    tables, train = [], []
    for _ in range(a.runs):
        shutil.rmtree(out, ignore_errors=True)
        used, output = processor(a.pathlight, "tables", "--maps", maps, "--out", out, "--day",
                               "20261122", "--shard", "0", "--jobs", "1", *logs)
        tables.append(used)
        train.append(processor(a.pathlight, "train", "--force", "--map", plmap, *logs, "-o", model,
                               "--jobs", "1")[0])
    done = json.loads(output)
    if done["sessions"] != 1 or done["errors"]:
        raise build.BuildError(f"{name}: {output}")
    size = sum(os.path.getsize(os.path.join(d, f))
               for d, _, files in os.walk(os.path.join(out, "tables")) for f in files)
    return (done["bytes"], done["decisions"], statistics.median(tables), statistics.median(train),
            size)


def csv_line(name, model, stream, decisions, tables, train, size):
    return (f"{name},{model},{stream},{decisions},{tables:.3f},{stream / tables / 1e6:.2f},"
            f"{train:.3f},{stream / train / 1e6:.2f},{size}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pathlight")
    parser.add_argument("--work", required=True)
    parser.add_argument("--workload", action="append", help="only this one; writes no file")
    parser.add_argument("--runs", type=int, default=5)
    a = parser.parse_args()
    art, scratch = os.environ["PATHLIGHT_ART"], os.path.join(a.work, "scratch-streams")
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    builder = build.Builder(a.work, a.pathlight)
    rows, all_of = [], {"model": [], "none": []}
    for work in [x for x in w.ALL if x.name in (a.workload or NAMES)]:
        builder.plain(work)
        jar, plmap, _ = builder.coded(work, "streams-train", "arith")
        first = measure.Run("int", art, jar, work, work.interpreter, w.TRAIN_SEED, 0, 1, scratch,
                            True)
        model = builder.path(work, builder.binary, "streams.model.json")
        measure.train(a.pathlight, plmap, first.files, model)
        first.discard()
        held, held_map, _ = builder.coded(work, "streams-held", "arith", model)
        for kind, (jar, plmap) in {"model": (held, held_map), "none": (jar, plmap)}.items():
            run = measure.Run("jit", art, jar, work, work.jit, w.SEED, 0, REPETITIONS, scratch,
                              True)
            all_of[kind].append(row(a, work.name + kind, plmap, run.files, scratch))
            rows.append(csv_line(work.name, kind, *all_of[kind][-1]))
            print(rows[-1], flush=True)
            run.discard()
    rows.extend(csv_line("all", kind, *map(sum, zip(*found))) for kind, found in all_of.items())
    print("\n".join(rows[-2:]))
    if not a.workload:
        with open(os.path.join(HERE, "streams.csv"), "w") as f:
            f.write("\n".join([COLUMNS, *rows]) + "\n")


if __name__ == "__main__":
    main()
