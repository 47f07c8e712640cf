"""Of 20 bad and 200 good sessions of release 2.0, drawn many times: where is the fault?"""

import random

import query

BAD, GOOD = 20, 200
# Share of draws, in percent, in which the culprit's class must come first.
ENOUGH = 90
# xtask/src/fleet/beta.rs plants the fault here: the condition, and the way to `shifts = 0`.
METHOD = "Lorg/example/tether/TetherService;->shifts(II)I"


def culprits(root):
    """Lines of the method's source that the fault stands behind."""
    source = root.folder / "app-2.0/src/org/example/tether/TetherService.java"
    lines = source.read_text().splitlines()
    return [i + 1 for i, line in enumerate(lines) if "if (rest < 5)" in line]


def check(tally, root, engine, draws):
    build = root.releases()[-1]["build"]
    _, rows = engine.ask(
        "select s.session, case when c.session is null then 0 else 1 end from sessions s "
        "left join (select distinct build, session from crashes) c "
        "on c.build = s.build and c.session = s.session "
        f"where s.usable and s.build = '{build}' order by 1")
    bad = [session for session, crashed in rows if crashed]
    good = [session for session, crashed in rows if not crashed]
    tally.check("some sessions crashed", bad and good, f"{len(bad)} of {len(rows)}")
    many = (min(BAD, len(bad)), min(GOOD, len(good) * 4 // 5))
    keep(engine, build)
    for wrong in (0, 15):
        ranks = [rank(root, engine, build, drawn(bad, good, many, wrong, n)) for n in range(draws)]
        first = sum(r == 1 for r in ranks)
        what = f"{many[0]} bad, {many[1]} good, {wrong} % wrong labels: the fault comes first"
        detail = f"in {first} of {draws} draws; ranks {sorted(set(map(str, ranks)))}"
        # A draw of a small beta is no evidence about wrong labels.
        tally.check(what, first * 100 >= draws * ENOUGH or wrong and many[0] < BAD, detail)


def drawn(bad, good, many, wrong, number):
    """Sessions labelled bad and good. Wrong labels: this many of those labelled bad did not crash,
    and as many crashed ones are labelled good."""
    numbers = random.Random(f"{number} {wrong}")
    swapped = min(many[0] * wrong // 100, max(len(bad) - many[0], 0)) if wrong else 0
    bad, good = numbers.sample(bad, len(bad)), numbers.sample(good, len(good))
    labelled = bad[: many[0] - swapped] + good[:swapped]
    others = good[swapped: swapped + many[1] - swapped] + bad[many[0] - swapped: many[0]][:swapped]
    return labelled, others


def keep(engine, build):
    """The tables of the build in memory: they are read hundreds of times."""
    for table in ("sessions", "edges", "edge", "method"):
        engine.db.execute(f"create or replace temp table kept_{table} as "
                          f"select * from memory.main.{table} where build = '{build}'")


def rank(root, engine, build, sample):
    """The rank of the class that has the fault's branch, by the file of SQL that teams run."""
    labelled, others = sample
    db = engine.db
    bad = ", ".join(map(str, labelled))
    both = ", ".join(map(str, labelled + others))
    # Temporary views of the same names hide the real ones.
    for table in ("sessions", "edges"):
        db.execute(f"create or replace temp view {table} as "
                   f"select * from kept_{table} where session in ({both})")
    for table in ("edge", "method"):
        db.execute(f"create or replace temp view {table} as select * from kept_{table}")
    db.execute(f"create or replace temp view crashes as select build, session, "
               f"'drawn' as signature from kept_sessions where session in ({bad})")
    names, rows = engine.ask(query.text_of("suspicious"))
    for table in ("sessions", "edges", "edge", "method", "crashes"):
        db.execute(f"drop view temp.{table}")
    lines = culprits(root)
    row = [dict(zip(names, r)) for r in rows]
    return next((r["class"] for r in row if r["name"] == METHOD and r["line"] in lines), None)
