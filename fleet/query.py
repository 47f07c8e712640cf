#!/usr/bin/env python3
"""Asks the tables of a fleet: one question, one file of fleet/sql, unchanged in every engine.

    query.py ROOT                                   the questions
    query.py ROOT suspicious --top 20               DuckDB
    query.py ROOT new_alternatives --engine spark   Spark in local mode
    query.py ROOT mine.sql --build b0123... --from d20261101 --to d20261130 --csv

What a file of SQL may use are the views that this script makes: `sessions`, `edges`, `calls`,
`exceptions`, `paths`, `callbacks`, `errors` (with `build` and `day`), `edge`, `method` (with
`build`), `crashes` (build, session, signature) and `builds` (build, release, version_code, base:
the build of the release before, or an empty text). docs/TABLES.md has the columns.
"""

import argparse
import csv
import json
import pathlib
import sys

import layout

HERE = pathlib.Path(__file__).resolve().parent
FACTS = ("sessions", "edges", "calls", "exceptions", "paths", "callbacks", "errors")
DIMENSIONS = ("edge", "method")
BUILDS = "build string, release string, version_code bigint, base string"


def questions():
    """The files of fleet/sql by name."""
    return {p.stem: p for p in sorted((HERE / "sql").glob("*.sql"))}


def text_of(question):
    """The SQL of a question, or of a file."""
    path = questions().get(question) or pathlib.Path(question)
    try:
        return path.read_text()
    except OSError as error:
        raise layout.Failed(f"{question}: no such question, and no such file: {error}") from error


def builds(root):
    """Rows of the view `builds`. The release before is the one with the next lower version code;
    of several builds of it, the last."""
    rows, base, previous = [], "", None
    for build in root.releases():
        if previous is not None and previous["version_code"] < build["version_code"]:
            base = previous["build"]
        rows.append((build["build"], build["release"], build["version_code"], base))
        previous = build
    return rows


class Scope:
    """Which builds and days are asked about."""

    def __init__(self, build=None, first=None, last=None):
        self.build, self.first, self.last = build, first, last

    def where(self, has_day=True):
        """The condition, in SQL."""
        parts = [("build = '{}'", self.build)]
        if has_day:
            parts += [("day >= '{}'", self.first), ("day <= '{}'", self.last)]
        for _, value in parts:
            if value is not None and not value.isalnum():
                raise layout.Failed(f"{value}: not a build or a day")
        return " and ".join(text.format(value) for text, value in parts if value) or "true"


class DuckDb:
    """DuckDB in this process."""

    def __init__(self, memory=None, threads=None):
        import duckdb

        self.db = duckdb.connect()
        # It goes to the output, between the rows.
        self.db.execute("set enable_progress_bar = false")
        if memory:
            self.db.execute(f"set memory_limit = '{memory}'")
        if threads:
            self.db.execute(f"set threads = {int(threads)}")

    def open(self, root, scope):
        """Makes the views."""
        tables = root.out / "tables" / "v1"
        for table in (*FACTS, *DIMENSIONS):
            fact = table in FACTS
            parts = "build=*/day=*/*.parquet" if fact else "build=*/*.parquet"
            files = str(tables / table / parts)
            types = "{'build': varchar, 'day': varchar}" if fact else "{'build': varchar}"
            if any(tables.glob(files[len(str(tables)) + 1:])):
                self.db.execute(
                    f"create or replace view {table} as select * from read_parquet("
                    f"'{quoted(files)}', hive_partitioning = true, hive_types = {types}) "
                    f"where {scope.where(fact)}")
        labels = root.folder / "labels" / "crashes.csv"
        columns = "{'build': 'varchar', 'session': 'bigint', 'signature': 'varchar'}"
        source = f"read_csv('{quoted(labels)}', header = true, columns = {columns})"
        if not labels.exists():
            source = "(select '' as build, 0::bigint as session, '' as signature limit 0)"
        self.db.execute(f"create or replace view crashes as select * from {source} "
                        f"where {scope.where(False)}")
        self.db.execute("create or replace table builds (build varchar, release varchar, "
                        "version_code bigint, base varchar)")
        if rows := builds(root):
            self.db.executemany("insert into builds values (?, ?, ?, ?)", rows)

    def ask(self, sql):
        """Column names and rows."""
        found = self.db.execute(sql)
        return [c[0] for c in found.description], found.fetchall()


class Spark:
    """Spark, in local mode unless spark-submit sets another one."""

    def __init__(self, master="local[2]"):
        import job

        self.spark = job.session(master)
        self.spark.conf.set("spark.sql.shuffle.partitions", "4")

    def open(self, root, scope):
        """Makes the views."""
        tables = root.out / "tables" / "v1"
        for table in (*FACTS, *DIMENSIONS):
            folder = tables / table
            if folder.exists():
                rows = self.spark.read.parquet(str(folder)).where(scope.where(table in FACTS))
                rows.createOrReplaceTempView(table)
        labels = root.folder / "labels" / "crashes.csv"
        schema = "build string, session bigint, signature string"
        if labels.exists():
            rows = self.spark.read.csv(str(labels), header=True, schema=schema)
        else:
            rows = self.spark.createDataFrame([], schema)
        rows.where(scope.where(False)).createOrReplaceTempView("crashes")
        self.spark.createDataFrame(builds(root), BUILDS).createOrReplaceTempView("builds")

    def ask(self, sql):
        """Column names and rows."""
        found = self.spark.sql(sql)
        return found.columns, [tuple(row) for row in found.collect()]


def quoted(path):
    return str(path).replace("'", "''")


def shown(value):
    """A value for a person's eye."""
    if value is None:
        return ""
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def table(names, rows):
    """Rows as aligned text."""
    cells = [list(names), *([shown(v) for v in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    numbers = [all(not isinstance(v, str) for v in column) for column in zip(*rows)]
    numbers = numbers or [False] * len(names)
    for row in cells:
        padded = (c.rjust(w) if n else c.ljust(w) for c, w, n in zip(row, widths, numbers))
        print("  ".join(padded).rstrip())


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root")
    parser.add_argument("question", nargs="?")
    parser.add_argument("--engine", choices=("duckdb", "spark"), default="duckdb")
    parser.add_argument("--generation", help="another one than the current one")
    parser.add_argument("--build", help="only this build")
    parser.add_argument("--from", dest="first", help="only this day and later ones")
    parser.add_argument("--to", dest="last", help="only this day and earlier ones")
    parser.add_argument("--memory", help="what DuckDB may take: 1GB")
    parser.add_argument("--top", type=int, help="maximum number of rows")
    parser.add_argument("--csv", action="store_true", help="comma-separated values")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    o = parser.parse_args()
    if o.question is None:
        for name, path in questions().items():
            print(f"{name:20} {path.read_text().splitlines()[0].lstrip('- ')}")
        return
    engine = DuckDb(o.memory) if o.engine == "duckdb" else Spark()
    engine.open(layout.Root(o.root, o.generation), Scope(o.build, o.first, o.last))
    names, rows = engine.ask(text_of(o.question))
    rows = rows[: o.top] if o.top else rows
    if o.csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)
    elif o.json:
        for row in rows:
            print(json.dumps(dict(zip(names, row)), default=float))
    else:
        table(names, rows)


if __name__ == "__main__":
    try:
        main()
    except layout.Failed as error:
        sys.exit(f"query.py: {error}")
