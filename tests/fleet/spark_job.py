"""Spark schedules the same commands: the same files and models, also when workers are killed."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import comparing
import layout
import repeats

FLEET = pathlib.Path(layout.__file__).parent
# Stands in for `pathlight`: in the first call for each of two shards it starts the program, and
# kills it half-way; in one of them also Spark's worker.
KILLER = """#!/usr/bin/env bash
for shard in 0001 0002; do
  case " $* " in
    *" tables "*" --shard $shard "*)
      if mkdir "$MARKS/$shard" 2> /dev/null; then
        "$REAL" "$@" <&0 &
        child=$!
        sleep 0.02
        kill -9 $child
        [ $shard = 0001 ] && kill -9 $PPID
        exit 137
      fi ;;
  esac
done
exec "$REAL" "$@"
"""


def run(root, generation, options=(), **variables):
    command = [sys.executable, FLEET / "job.py", root.folder, "--master", "local[2,4]",
               "--generation", generation, *options]
    ended = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True)
    if ended.returncode:
        raise layout.Failed(f"job.py: {ended.stderr[-3000:]}")


def check(tally, root):
    wanted = repeats.state(root)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        other = repeats.begin(root)
        summed = folder / "sum.json"
        run(root, other.generation, ["--sum", summed])
        repeats.same(tally, "Spark, local[2]: no byte differs", other, wanted)
        shutil.rmtree(other.out)

        trained = folder / "train.json"
        comparing.train(root, trained)
        tally.check("Spark's model of all days is that of one `train`, byte for byte",
                    summed.read_bytes() == trained.read_bytes())

        killer = folder / "pathlight"
        killer.write_text(KILLER)
        killer.chmod(0o755)
        other = repeats.begin(root)
        run(root, other.generation, PATHLIGHT=str(killer), REAL=layout.binary(), MARKS=str(folder))
        tally.equal("workers were killed",
                    [p.name for p in sorted(folder.glob("000?"))], ["0001", "0002"])
        repeats.same(tally, "Spark, workers killed half-way: no byte differs", other, wanted)
        shutil.rmtree(other.out)
