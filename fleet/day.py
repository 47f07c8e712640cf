#!/usr/bin/env python3
"""The tables and the model of a day, on one machine or from any scheduler that starts commands.

    day.py init ROOT --shards 8            once; again: a new generation beside the current one
    day.py run ROOT [DAY...] --jobs 2      tables of these days (default: of all), then the models
    day.py plan ROOT DAY                   the day's shards, the largest first, one a line
    day.py shard ROOT DAY SHARD            one of them
    day.py merge ROOT DAY...               the models of these days and of all later ones
    day.py dims ROOT                       the numbers of edges and methods, of all builds
    day.py sum ROOT MODEL                  a model of all days without decay
    day.py switch ROOT GENERATION          what queries read from now on
    day.py forget ROOT --before DAY        removes logs and tables of older days

The environment variable PATHLIGHT_SALT has the salt of the session ids; PATHLIGHT names the binary.
Needs Python 3.9 or later and nothing else. See docs/FLEET.md.
"""

import argparse
import concurrent.futures
import json
import sys

import layout


def tables(root, day, jobs):
    """All shards of a day, `jobs` at a time."""
    plan = root.plan(day)
    present = {name for name, _, _ in plan}
    absent = [layout.shard_name(n) for n in range(root.shards)]
    tasks = [(name, inputs) for name, inputs, _ in plan]
    tasks += [(name, []) for name in absent if name not in present]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda task: root.run_shard(day, *task), tasks))


def models(root, days, sums=None):
    """The models of the days, and of the later ones, which build upon them. `sums`: models that
    somebody has already added up, by day."""
    if not days:
        return []
    have = {d for d in root.days() if root.partials(d)}
    have |= {p.stem for p in (root.out / "models").glob("d*.json")}
    made = []
    for day in sorted(d for d in {*days, *have} if d >= min(days)):
        parts = (sums or {}).get(day)
        if parts is None:
            parts = [p for paths in root.partials(day).values() for p in paths]
        # What `forget` removed cannot be added up again: such a day keeps its model.
        if day in days or parts:
            made.append(root.fold(day, parts))
    return made


def dims(root):
    layout.call(["tables", "--dims", "--maps", root.maps, "--out", root.out])


def whole(root, model):
    """A model of all days: what `pathlight train` would make of all logs at once."""
    paths = [p for day in root.days() for ps in root.partials(day).values() for p in ps]
    layout.call(["merge", "--maps", root.maps, *paths, "-o", model])


def summary(rows):
    """One line of totals for a person."""
    keys = ("inputs", "sessions", "errors", "decisions")
    return ", ".join(f"{sum(r.get(k, 0) for r in rows):,} {k}" for k in keys)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name, *positional):
        sub = commands.add_parser(name)
        sub.add_argument("root")
        for argument, options in positional:
            sub.add_argument(argument, **options)
        sub.add_argument("--generation", help="another one than the current one")
        return sub

    init = command("init")
    init.add_argument("--shards", type=int, required=True)
    init.add_argument("--decay", default="0.9", help="what a day's model keeps of the one before")
    init.add_argument("--callbacks", action="store_true", help="a row for each callback, too")
    command("run", ("days", {"nargs": "*"})).add_argument("--jobs", type=int, default=2)
    command("plan", ("day", {}))
    command("shard", ("day", {}), ("shard", {}))
    command("merge", ("days", {"nargs": "+"}))
    command("dims")
    command("sum", ("model", {}))
    command("switch", ("to", {}))
    command("forget").add_argument("--before", required=True, help="a day: d20261101")
    o = parser.parse_args()
    if o.command == "init":
        root = layout.Root.begin(o.root, o.shards, o.decay, o.callbacks)
        print(root.generation)
        return
    root = layout.Root(o.root, o.generation)
    if o.command == "run":
        dims(root)
        days = o.days or root.days()
        for day in days:
            print(f"{day}: {summary(tables(root, day, o.jobs))}")
        for model in models(root, days):
            print(model)
    elif o.command == "plan":
        for name, _, _ in root.plan(o.day):
            print(name)
    elif o.command == "shard":
        inputs = next((i for n, i, _ in root.plan(o.day) if n == o.shard), [])
        print(json.dumps(root.run_shard(o.day, o.shard, inputs)))
    elif o.command == "merge":
        for model in models(root, o.days):
            print(model)
    elif o.command == "dims":
        dims(root)
    elif o.command == "sum":
        whole(root, o.model)
    elif o.command == "switch":
        layout.Root(o.root, o.to)
        layout.write(root.folder / "current", o.to + "\n")
    elif o.command == "forget":
        print(f"{root.forget(o.before)} folders removed")


if __name__ == "__main__":
    try:
        main()
    except layout.Failed as error:
        sys.exit(f"day.py: {error}")
