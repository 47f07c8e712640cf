#!/usr/bin/env python3
"""The tables and the model of days, scheduled by Spark.

    spark-submit --files pathlight --py-files layout.py,day.py job.py ROOT [DAY...]
    job.py ROOT [DAY...] --master 'local[2,4]'

Spark starts `pathlight tables` for each shard and `pathlight merge` for each pair of models, and
gets back one line each. No event passes through it. ROOT is a folder that every worker sees under
the same path. A task that dies leaves temporary names; its repetition, also beside the first one,
renames the same bytes. `local[2,4]`: two workers, four attempts.
"""

import argparse
import hashlib
import os
import sys

import day as days_of
import layout


def environment(names):
    return {name: os.environ[name] for name in names if name in os.environ}


def shard_task(folder, generation, variables):
    """What a worker does with a shard; it returns the totals."""
    def run(task):
        os.environ.update(variables)
        day, shard, inputs = task
        return layout.Root(folder, generation).run_shard(day, shard, inputs)
    return run


def merge_task(folder, generation, variables):
    """What a worker does with two sums of a day: sums of each build, by path. The name of a sum
    comes from its members, so that a repetition writes the same file."""
    def pair(out, a, b):
        members = sorted(a[1] + b[1])
        name = hashlib.sha256("\n".join(members).encode()).hexdigest()[:24]
        target = out / f"{name}.json"
        layout.call(["merge", a[0], b[0], "-o", target])
        return (str(target), members)

    def run(left, right):
        os.environ.update(variables)
        out = layout.Root(folder, generation).out / "sums"
        out.mkdir(parents=True, exist_ok=True)
        both = dict(left)
        for build, partial in right.items():
            both[build] = pair(out, both[build], partial) if build in both else partial
        return both
    return run


def run_day(spark, root, day, variables):
    """Tables of the day's shards, then a tree of merges of each build; returns sums by build."""
    plan = root.plan(day)
    present = {name for name, _, _ in plan}
    tasks = [(day, name, list(map(str, inputs))) for name, inputs, _ in plan]
    names = map(layout.shard_name, range(root.shards))
    tasks += [(day, name, []) for name in names if name not in present]
    context, folder = spark.sparkContext, str(root.folder)
    shards = context.parallelize(tasks, len(tasks))
    totals = shards.map(shard_task(folder, root.generation, variables)).collect()
    print(f"{day}: {days_of.summary(totals)}", flush=True)
    partials = [{b["build"]: (str(root.out / b["model"]), [b["model"]])}
                for row in totals for b in row["builds"]]
    if not partials:
        return {}
    reduce = merge_task(folder, root.generation, variables)
    sums = context.parallelize(partials, min(len(partials), root.shards)).treeReduce(reduce)
    return {build: path for build, (path, _) in sorted(sums.items())}


def session(master, name="pathlight"):
    """A Spark session; `None`: as spark-submit set it up."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName(name)
    if master:
        builder = builder.master(master).config("spark.ui.enabled", "false")
        builder = builder.config("spark.ui.showConsoleProgress", "false")
        builder = builder.config("spark.driver.host", "127.0.0.1")
        builder = builder.config("spark.driver.bindAddress", "127.0.0.1")
    # Partition values are text, whatever they look like.
    builder = builder.config("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root")
    parser.add_argument("days", nargs="*", help="default: all")
    parser.add_argument("--master", help="Spark's master; not with spark-submit")
    parser.add_argument("--generation", help="another one than the current one")
    parser.add_argument("--sum", help="also a model of all these days without decay")
    o = parser.parse_args()
    root = layout.Root(o.root, o.generation)
    variables = environment(["PATHLIGHT", layout.SALT])
    spark = session(o.master)
    for path in (layout.__file__, days_of.__file__):
        spark.sparkContext.addPyFile(path)
    days_of.dims(root)
    days = sorted(o.days or root.days())
    sums = {day: run_day(spark, root, day, variables) for day in days}
    spark.stop()
    for model in days_of.models(root, days, {d: list(s.values()) for d, s in sums.items()}):
        print(model)
    if o.sum:
        paths = [path for day in days for path in sums[day].values()]
        layout.call(["merge", "--maps", root.maps, *paths, "-o", o.sum])
    for path in (root.out / "sums").glob("*"):
        path.unlink()


if __name__ == "__main__":
    try:
        main()
    except layout.Failed as error:
        sys.exit(f"job.py: {error}")
