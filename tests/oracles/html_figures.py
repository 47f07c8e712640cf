#!/usr/bin/env python3
"""Compares the lines, branches and methods that a page shows with those of the other outputs.

usage: html_figures.py PAGE --lcov C.info --jacoco J.xml --cobertura C.xml --printed TEXT
  All are of one call of `report`; TEXT is what it printed. Chromium shows the page. Lcov refuses
  branches of lines that ran and decided none: `report` prints how many the tracefile leaves out.
"""

import argparse
import os
import re
import xml.etree.ElementTree as ElementTree

from browser import Browser

KINDS = ["lines", "branches", "methods"]


def shown(page):
    """(ran, all) of each kind, as the source view of the page shows them."""
    browser = Browser()
    try:
        browser.call("Page.navigate", url=f"file://{os.path.abspath(page)}#source")
        browser.wait("!!document.querySelector('#coverage')?.textContent")
        text = browser.ask("document.querySelector('#coverage').textContent")
    finally:
        browser.close()
    return parsed(text)


def parsed(text):
    """(ran, all) of each kind, from `12 of 1 234 lines, 5 of 6 branches, …`."""
    number = lambda digits: int(re.sub(r"\D", "", digits))
    found = []
    for kind in KINDS:
        ran, total = re.search(rf"(\d[\d\s,.]*?) of (\d[\d\s,.]*?) {kind}", text).groups()
        found.append((number(ran), number(total)))
    return found


def of_lcov(path):
    sums = dict.fromkeys(("LH", "LF", "BRH", "BRF", "FNH", "FNF"), 0)
    for row in open(path, encoding="utf-8"):
        kind, _, rest = row.strip().partition(":")
        if kind in sums:
            sums[kind] += int(rest)
    return [(sums["LH"], sums["LF"]), (sums["BRH"], sums["BRF"]), (sums["FNH"], sums["FNF"])]


def of_jacoco(path):
    counters = {c.get("type"): c for c in ElementTree.parse(path).getroot().findall("counter")}
    found = []
    for kind in ("LINE", "BRANCH", "METHOD"):
        count = lambda name: int(counters[kind].get(name)) if kind in counters else 0
        found.append((count("covered"), count("covered") + count("missed")))
    return found


def of_cobertura(path):
    root = ElementTree.parse(path).getroot()
    return [tuple(int(root.get(f"{k}-{n}")) for n in ("covered", "valid")) for k in KINDS[:2]]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("page")
    for name in ("lcov", "jacoco", "cobertura", "printed"):
        parser.add_argument(f"--{name}", required=True)
    a = parser.parse_args()
    wanted = shown(a.page)
    if not all(0 < ran <= total for ran, total in wanted[::2]):
        raise SystemExit(f"the page shows {wanted}")
    printed = open(a.printed, encoding="utf-8").read()
    row = lambda path: next(r for r in printed.splitlines() if r.startswith(f"{path}: "))
    left_out = re.search(r"without (\d+) of these branches", row(a.lcov))
    lcov = of_lcov(a.lcov)
    ran, total = lcov[1]
    lcov[1] = (ran, total + (int(left_out.group(1)) if left_out else 0))
    found = {"lcov": lcov, "JaCoCo": of_jacoco(a.jacoco)}
    found |= {f"printed of {p}": parsed(row(p)) for p in (a.lcov, a.jacoco, a.cobertura)}
    for name, sums in found.items():
        if sums != wanted:
            raise SystemExit(f"{name}: {sums}, and the page shows {wanted}")
    if of_cobertura(a.cobertura) != wanted[:2]:
        raise SystemExit(f"Cobertura: {of_cobertura(a.cobertura)}, and the page shows {wanted}")
    print(", ".join(f"{ran} of {total} {kind}" for kind, (ran, total) in zip(KINDS, wanted)))


if __name__ == "__main__":
    main()
