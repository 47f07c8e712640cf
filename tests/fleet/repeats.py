"""The same inputs give the same files: repeated, in another order, after a kill."""

import hashlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import day
import layout

FLEET = pathlib.Path(layout.__file__).parent


def files(folder, *tops):
    """The files below a folder and their digests, without temporary ones."""
    found = {}
    for top in tops:
        for path in sorted((folder / top).rglob("*")):
            if path.is_file() and not path.name.startswith(".pathlight-"):
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
                found[str(path.relative_to(folder))] = digest
    return found


def state(root):
    """All that a generation has made."""
    return files(root.out, "tables", "partial", "models")


def differing(one, other):
    """How many files differ, and the first of them."""
    wrong = sorted(p for p in one.keys() | other.keys() if one.get(p) != other.get(p))
    return f"{len(wrong)} of {len(one)} files differ: {wrong[:1]}" if wrong else f"{len(one)} files"


def same(tally, what, root, wanted):
    got = state(root)
    tally.check(what, got == wanted, differing(got, wanted))


def begin(root, shards=None):
    """Another generation, empty."""
    s = root.settings
    other = layout.Root.begin(root.folder, shards or root.shards, s["decay"], s["callbacks"])
    day.dims(other)
    return other


def check(tally, root):
    wanted, days = state(root), root.days()
    # A day again.
    day.tables(root, days[1], 2)
    day.models(root, [days[1]])
    same(tally, "a day that runs again changes no byte", root, wanted)

    # Inputs in another order.
    other = begin(root)
    numbers = random.Random(7)
    for one in days:
        plan = root.plan(one)
        numbers.shuffle(plan)
        for name, inputs, _ in plan:
            numbers.shuffle(inputs)
            other.run_shard(one, name, inputs)
    for one in days:
        paths = [p for ps in other.partials(one).values() for p in ps]
        numbers.shuffle(paths)
        other.fold(one, paths)
    same(tally, "inputs in another order change no byte", other, wanted)
    shutil.rmtree(other.out)

    # Killed half-way, everything at once, then again.
    other = begin(root)
    command = [sys.executable, FLEET / "day.py", "run", root.folder, "--jobs", "2",
               "--generation", other.generation]
    job = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
    while len(list(other.out.glob("tables/v1/*/*/day=*/part-*"))) < 20 and job.poll() is None:
        time.sleep(0.005)
    killed = job.poll() is None
    os.killpg(job.pid, signal.SIGKILL)
    job.wait()
    done = len(state(other))
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    tally.check("a run was killed half-way", killed and done < len(wanted),
                f"{done} of {len(wanted)} files were there")
    same(tally, "after SIGKILL and a repetition no byte differs", other, wanted)
    shutil.rmtree(other.out)

    # Other shards: other files, the same models.
    other = begin(root, 7)
    for one in days:
        day.tables(other, one, 2)
    day.models(other, days)
    tally.equal("another number of shards: the same models",
                files(other.out, "models"), files(root.out, "models"))
    shutil.rmtree(other.out)

    # A log that goes away leaves nothing behind.
    other = begin(root)
    name, inputs, _ = root.plan(days[0])[0]
    other.run_shard(days[0], name, inputs)
    other.run_shard(days[0], name, [])
    left = [p for p in files(other.out, "tables", "partial") if f"part-{name}" in p]
    tally.equal("a shard without inputs has no files", left, [])
    shutil.rmtree(other.out)
