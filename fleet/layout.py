"""Where a fleet's files lie, and which shard a session belongs to.

    ROOT/maps/b<id>.plmap, .json       the catalogue: a map of each build, and its release
    ROOT/raw/day=d<day>/<key>.plt.gz   logs by day of arrival; late logs open no old day again
    ROOT/labels/crashes.csv            build, session, signature: made by labels.py
    ROOT/current                       the name of the generation that queries read
    ROOT/<generation>/settings.json    shards, decay, callbacks
    ROOT/<generation>/tables, partial  what `pathlight tables` writes (docs/TABLES.md)
    ROOT/<generation>/models/d<day>.json
"""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess

ENDINGS = (".plt", ".log", ".txt", ".gz", ".zst", ".tar")
SALT = "PATHLIGHT_SALT"


class Failed(Exception):
    """A task failed; the text names it and the reason."""


def key_of(name):
    """The session key of an input: its name without endings, as `pathlight tables` takes it."""
    while True:
        ending = next((e for e in ENDINGS if name.endswith(e) and name != e), None)
        if ending is None:
            return name
        name = name[: -len(ending)]


def shard_of(key, shards):
    """A number from the key alone: neither the order of a listing nor other files matter. Equal
    keys meet in one shard, where the better of the two logs stays."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % shards


def shard_name(number):
    return f"{number:04d}"


def binary():
    return os.environ.get("PATHLIGHT", "pathlight")


def call(arguments, given="", may_be_damaged=False):
    """Runs `pathlight` with this standard input; its standard output. Its words on standard error
    are kept for a failure. Exit code 1 with an output means that some inputs were damaged."""
    command = [binary(), *map(str, arguments)]
    ended = subprocess.run(command, input=given, capture_output=True, text=True)
    is_damaged = may_be_damaged and ended.returncode == 1 and ended.stdout
    if ended.returncode != 0 and not is_damaged:
        raise Failed(f"{' '.join(command)}: exit code {ended.returncode}: {ended.stderr.strip()}")
    return ended.stdout


def write(path, text):
    """Writes a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".tmp-{os.getpid()}-{path.name}")
    partial.write_text(text)
    partial.replace(path)


class Root:
    """A fleet's folder, seen through one generation of its tables."""

    def __init__(self, folder, generation=None):
        self.folder = pathlib.Path(folder).resolve()
        pointer = self.folder / "current"
        if generation is None and not pointer.exists():
            raise Failed(f"{self.folder}: no tables yet: `day.py init {folder} --shards K` first")
        self.generation = generation or pointer.read_text().strip()
        self.out = self.folder / self.generation
        settings = self.out / "settings.json"
        if not settings.exists():
            raise Failed(f"{settings}: no such generation")
        self.settings = json.loads(settings.read_text())
        self.shards = self.settings["shards"]
        self.maps = self.folder / "maps"

    @staticmethod
    def begin(folder, shards, decay, callbacks):
        """A new generation with its own number of shards. The first one becomes the current one.
        A number of shards never changes within a generation: files of two numbers would count
        sessions twice."""
        folder = pathlib.Path(folder)
        taken = [int(p.name[1:]) for p in folder.glob("g[0-9]*") if p.name[1:].isdigit()]
        name = f"g{max(taken, default=0) + 1}"
        settings = {"v": 1, "shards": shards, "decay": decay, "callbacks": callbacks}
        write(folder / name / "settings.json", json.dumps(settings) + "\n")
        if not (folder / "current").exists():
            write(folder / "current", name + "\n")
        return Root(folder, name)

    def days(self):
        """Days on which logs arrived, oldest first."""
        return sorted(p.name[len("day="):] for p in (self.folder / "raw").glob("day=d*"))

    def plan(self, day):
        """The shards of a day that have inputs, with these and their bytes; the largest first, so
        that none is left to run alone at the end."""
        found = {}
        folder = self.folder / "raw" / f"day={day}"
        for path in folder.iterdir():
            if path.name.startswith("."):
                continue
            number = shard_of(key_of(path.name), self.shards)
            files = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
            size, inputs = found.get(number, (0, []))
            found[number] = (size + sum(p.stat().st_size for p in files), [*inputs, path])
        ranked = sorted(found.items(), key=lambda item: (-item[1][0], item[0]))
        return [(shard_name(n), sorted(inputs), size) for n, (size, inputs) in ranked]

    def run_shard(self, day, shard, inputs):
        """Tables and partial models of a shard. Again, and beside another attempt: the same bytes.
        Returns the totals that `pathlight tables` prints."""
        totals = {"shard": shard, "day": day[1:], "inputs": 0, "sessions": 0, "errors": 0,
                  "builds": []}
        if inputs:
            # Not as a file: names of logs are session keys.
            listed = "".join(f"{path}\n" for path in inputs)
            options = ["--callbacks"] if self.settings["callbacks"] else []
            # One core a task: the scheduler starts as many as there are cores.
            output = call(["tables", "--maps", self.maps, "--out", self.out, "--jobs", "1",
                         "--day", day[1:], "--shard", shard, "--salt", f"env:{SALT}",
                         *options, "@-"], listed, may_be_damaged=True)
            totals = json.loads(output)
        # What an earlier run wrote of builds that have left the shard.
        builds = {b["build"] for b in totals["builds"]} | ({"bnone"} if inputs else set())
        for part in self.out.glob(f"*/**/day={day}/part-{shard}.*"):
            if part.parent.parent.name[len("build="):] not in builds:
                part.unlink(missing_ok=True)
        return totals

    def partials(self, day):
        """The partial models of a day by build."""
        found = {}
        for path in sorted((self.out / "partial").glob(f"build=b*/day={day}/part-*.json.zst")):
            found.setdefault(path.parent.parent.name[len("build="):], []).append(path)
        return found

    def fold(self, day, models):
        """The model of a day: the one before, decayed, and the sums of the day. Releases are folded
        in their order, which the catalogue contains."""
        before = [p for p in (self.out / "models").glob("d*.json") if p.stem < day]
        base = max(before, key=lambda p: p.stem, default=None)
        model = self.out / "models" / f"{day}.json"
        if not models:
            # A day without a session changes nothing.
            if base:
                write(model, base.read_text())
            return model
        model.parent.mkdir(parents=True, exist_ok=True)
        options = ["--base", base, "--decay", self.settings["decay"]] if base else []
        call(["merge", "--maps", self.maps, *options, *models, "-o", model])
        return model

    def releases(self):
        """The builds of the catalogue, oldest release first."""
        found = [json.loads(p.read_text()) for p in self.maps.glob("b*.json")]
        return sorted(found, key=lambda b: (b["version_code"], b["build"]))

    def forget(self, before):
        """Removes what is about single sessions of days before this one: logs, tables, and the
        models of shards, which may have few sessions. Models of days stay."""
        gone = 0
        for top in [self.folder / "raw", *self.folder.glob("g[0-9]*")]:
            for folder in sorted(top.glob("**/day=d*")):
                if folder.is_dir() and folder.name[len("day="):] < before:
                    shutil.rmtree(folder)
                    gone += 1
        return gone
