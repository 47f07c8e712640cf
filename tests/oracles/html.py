#!/usr/bin/env python3
"""Opens a page of `pathlight report --html` in headless Chromium and compares what it shows.

usage: html.py PAGE [--without-sources PAGE] --paths PATHS.jsonl --tree TREE.pltt
    --pathlight PROGRAM --axe SCRIPT [--table T --trace T --apk APK] [--screenshots DIR]
  PATHS is the output of `decode --format json` for the same logs: the page must have its numbers.
  With --without-sources, PAGE has texts of source files, and the other page has none; without it,
  PAGE has none. SCRIPT is axe-core's. TREE is their time tree, which PROGRAM asks: intervals of the
  page must have its figures. With --table and --trace (of tests/harness/tracer.py) and the app that
  was traced, calls per method and hits per line must be those of the trace; dexdump gives the lines
  of the app. No error or warning on the console, no request but for the file, drawn in 2 s. A copy
  of the page in which every name is markup must behave in the same way.
"""

import argparse
import base64
import collections
import json
import os
import re
import struct
import subprocess
import tempfile
import zlib

import firefox
import html_views
from browser import Browser
from firefox import VIEWS
from harness.tracer import Table, read_trace
from lines import methods as dexdumped

DRAWN_MS = 2000
MARKUP = "</script><img src=http://192.0.2.1/x onerror=alert(1)>\"'&amp;"


def same(what, found, wanted):
    if found != wanted:
        if isinstance(wanted, dict):
            keys = sorted(k for k in found.keys() | wanted.keys() if found.get(k) != wanted.get(k))
            found, wanted = [(k, found.get(k)) for k in keys[:5]], [
                (k, wanted.get(k)) for k in keys[:5]
            ]
        raise SystemExit(f"{what}: the page has {found}, wanted {wanted}")


def number(text):
    return int(re.sub(r"[^0-9]", "", text))


class Decoded:
    """What decode prints."""

    def __init__(self, path):
        self.calls, self.threads, self.callbacks = (
            collections.Counter(),
            set(),
            collections.defaultdict(list),
        )
        self.processes = self.steps = self.thrown = self.throws = 0
        # Methods that the compiler made: their lines are in no coverage.
        self.made = set()
        depth, blocks = 0, 0
        lane = None
        for line in open(path, encoding="utf-8"):
            e = json.loads(line)
            kind = e["e"]
            if kind == "process":
                self.processes += 1
                continue
            if kind in ("enter", "block", "throw"):
                self.threads.add((e["n"], e["t"]))
            if kind == "enter":
                self.calls[plain(e["m"])] += 1
                if "made" in e:
                    self.made.add(e["m"])
                if "wall_ms" in e:
                    lane = (e["n"], e["t"])
                    self.callbacks[lane].append([plain(e["m"]), 0, e.get("took_us")])
            if kind == "block" or kind == "repeat":
                blocks = 1 if kind == "block" else e["blocks"] * e["times"]
                self.steps += blocks
                self.callbacks[lane][-1][1] += blocks
            elif kind == "throw":
                depth = e["depth"]
                self.throws += 1
            elif kind == "catch":
                self.thrown += depth - e["depth"]
            elif kind == "unwound":
                self.thrown += depth - e["depth"] + 1


def plain(key):
    """`Lorg/example/A;->b(I)V` as `org.example.A.b`: overloads are one."""
    owner, method = key.split(";->", 1)
    return owner[1:].replace("/", ".") + "." + method.split("(")[0]


class Page:
    def __init__(self, browser, path, view="overview"):
        self.browser, self.address = browser, "file://" + os.path.abspath(path)
        browser.complaints.clear()
        browser.requests.clear()
        browser.call("Page.navigate", url=self.address + ("" if view == "overview" else "#" + view))
        self.drawn = int(self.wait_for(view))

    def wait_for(self, view):
        key = re.split("[/?]", view)[0]
        drawn = "(document.documentElement?.dataset.drawn || '').split(' ')"
        drawn = f"{drawn}[0] === '{key}' && {drawn}[1]"
        return self.browser.wait(drawn)

    def go(self, view):
        self.browser.ask(
            "delete document.documentElement.dataset.drawn;"
            f"if (location.hash === '#{view}') dispatchEvent(new HashChangeEvent('hashchange'));"
            f"else location.hash = '#{view}'"
        )
        self.wait_for(view)
        # Two frames later, what is measured on the way has been drawn.
        self.browser.ask(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def texts(self, selector):
        return self.browser.ask(
            f"[...document.querySelectorAll({json.dumps(selector)})].map(n => n.textContent)"
        )

    def rows(self, within=""):
        """The cells of a list's rows; the window is as high as the list."""
        cells = "[...r.children].map(c => c.title || c.textContent)"
        count = f"[...document.querySelectorAll('{within} .row')].map(r => {cells})"
        return self.browser.ask(count)

    def quiet(self):
        same("console", self.browser.complaints, [])
        same("requests", sorted({r.split("#")[0] for r in self.browser.requests}), [self.address])


def decoded(page, paths):
    d = Decoded(paths)
    results = ""
    totals = {
        t: number(page.texts(f"#total-{t}")[0])
        for t in ("processes", "threads", "callbacks", "calls", "steps", "exceptions")
    }
    wanted = {
        "processes": d.processes,
        "threads": len(d.threads),
        "callbacks": sum(map(len, d.callbacks.values())),
        "calls": sum(d.calls.values()),
        "steps": d.steps,
        "exceptions": d.thrown,
    }
    same("totals", totals, wanted)
    page.browser.size(1280, 30000)
    page.go("methods")
    calls = collections.Counter()
    for name, n, *_ in page.rows():
        calls[name.split("(")[0]] += number(n)
    same("calls per method", {m: calls[m] for m in d.calls}, dict(d.calls))
    page.go("timeline")
    listed = sorted((row[1].split("(")[0], number(row[-1])) for row in page.rows())
    every = [c for of in d.callbacks.values() for c in of]
    same("callbacks and their steps", listed, sorted((m, n) for m, n, _ in every))
    results += times(page, every)
    page.go("exceptions")
    same("exceptions", sum(number(r[2]) for r in page.rows()), d.throws)
    return (
        f"{totals['calls']} calls of {len(d.calls)} methods, {totals['steps']} steps, "
        f"{len(listed)} callbacks as decoded{results}"
    )


def intervals(page, pathlight, tree):
    """The page has the figures of the time tree for intervals."""
    page.go("timeline")
    borders = page.browser.ask(
        "[...new Set(strips.flat().flatMap(s => [s.from, s.to + 0.001]))].sort((a, b) => a - b)"
    )
    asked = steps = 0
    for i in range(0, len(borders), max(1, len(borders) // 12)):
        for begin, end in (
            (borders[0], borders[i]),
            (borders[i], borders[-1]),
            (borders[i // 2], borders[i]),
        ):
            shown = page.browser.ask(
                f"(() => {{ const r = ranIn({begin!r}, {end!r}); return [r.steps, r.more, "
                "methodsIn(r.self).map(m => [fullName(m.frame).split('(')[0], m.self])]; })()"
            )
            command = [
                pathlight,
                "timetree",
                "query",
                tree,
                "--from",
                f"{round(begin * 1000)}us",
                "--to",
                f"{round(end * 1000)}us",
                "--top",
                "100000",
                "--format",
                "json",
            ]
            results, own = 0, collections.Counter()
            for thread in json.loads(
                subprocess.run(command, check=True, capture_output=True).stdout
            )["threads"]:
                results += thread["weight"]
                for m in thread["methods"]:
                    own[m["method"]] += m["own"]
            of_page = collections.Counter()
            for name, n in shown[2]:
                of_page[name] += n
            if not shown[1]:
                same(f"methods from {begin} to {end} ms", +of_page, +own)
            if not shown[0] <= results <= shown[0] + shown[1]:
                raise SystemExit(
                    f"{begin} to {end} ms: the page has {shown[0]} steps and {shown[1]} at the "
                    f"borders, the tree {results}"
                )
            asked, steps = asked + (not shown[1]), steps + shown[0]
    if asked < 5 or not steps:
        raise SystemExit(f"{asked} intervals alone could be compared, with {steps} steps")
    page.browser.ask(
        f"showInterval(document.querySelector('.details'), {borders[0]!r}, {borders[-1]!r})"
    )
    if not page.texts(".details table tbody tr"):
        raise SystemExit("no method is shown for the whole time")
    return f"{asked} intervals as the time tree"


def times(page, callbacks):
    """Callbacks have the times of decode; the parts of the call tree sum up to them."""
    timed = [us for _, _, us in callbacks if us is not None]
    if not timed:
        return ", no times"
    shown = sorted(((row[1].split("(")[0], row[3]) for row in page.rows()), key=str)

    def text(us):
        if us is None:
            return "–"
        if us < 250:
            return "< 0.25 ms"
        return f"{us / 1000:.2f} ms" if us < 1000000 else f"{us / 1000000:.3f} s"

    same(
        "callbacks and their times",
        shown,
        sorted(((m, text(us)) for m, _, us in callbacks), key=str),
    )
    parts = page.browser.ask("nodes[0].us")
    # Each part is rounded down to whole microseconds.
    if not 0 <= sum(timed) - parts <= page.browser.ask("nodes.length"):
        raise SystemExit(f"all callbacks take {sum(timed)} us, the parts of the call tree {parts}")
    return f", {len(timed)} with their times, {sum(timed) / 1e6:.3f} s"


def traced(page, table, trace, apk, made):
    table, ran, calls = Table(table), collections.Counter(), collections.Counter()
    for _, _, ids in read_trace(trace):
        for i in ids:
            kind, method, offset, _ = table.events[i]
            if kind == "enter":
                calls[plain(method)] += 1
            elif kind == "at":
                ran[method, offset] += 1
    hits = collections.Counter()
    for (_, owner, name), overloads in dexdumped(apk).items():
        for m in overloads:
            most = collections.Counter()
            key = f"{owner}->{name}{m.type}"
            # As in JaCoCo, coverage has no private constructor without parameters that only calls
            # that of the superclass.
            if (
                key in made
                or m.private
                and name == "<init>"
                and m.type == "()V"
                and len(table.offsets.get(key, [])) == 2
            ):
                continue
            m.addresses = table.offsets.get(key, [])
            for address, line in m.lines():
                if line > 0:
                    most[line] = max(most[line], ran[key, address])
            file = owner[1:-1].split("/")[-1].split("$")[0] + ".java"
            hits.update({(file, line): n for line, n in most.items() if n})
    page.go("methods")
    shown = collections.Counter()
    for name, n, *_ in page.rows():
        shown[name.split("(")[0]] += number(n)
    same("calls per method, traced", dict(shown), dict(calls))
    page.go("source")
    count = page.browser.ask("files.length")
    less = exact = 0
    left = dict(hits)
    for i in range(count):
        page.go(f"source/{i}")
        page.browser.wait(f"document.querySelector('.code').dataset.file === '{i}'")
        name = page.browser.ask(f"files[{i}].name")
        for line, text in page.browser.ask(
            "[...document.querySelectorAll('.code .l')]"
            ".map(l => [l.children[0].textContent, l.children[1].textContent])"
        ):
            if not text:
                continue
            found = 0 if text == "never" else number(text)
            wanted = left.pop((name, int(line)), 0)
            # What an exception cut short counts only as far as it ran for certain.
            if found > wanted:
                raise SystemExit(f"{name}:{line}: the page has {found}, traced {wanted}")
            less += found < wanted
            exact += found == wanted
    same("lines that ran and are not on the page", left, {})
    if less * 50 > exact:
        raise SystemExit(f"{less} lines have fewer hits than traced, {exact} the same")
    return f"{exact} lines with the traced hits, {less} with fewer, behind exceptions"


def each_first(browser, path):
    """Opens the page anew for each view, so that none needs data which another one loaded."""
    for view in VIEWS:
        browser.complaints.clear()
        browser.call("Page.navigate", url="about:blank")
        page = Page(browser, path, view)
        page.quiet()


def embedded(page):
    """Source files whose text the page contains; the page lists all of them."""
    page.go("exact")
    texts = page.browser.ask(
        "readFiles().then(files => files.filter(f => f.text).map(f => f.name))"
    )
    listed = page.texts("#view section")
    for name in texts:
        if not any(t.startswith("Source text in this page") and name in t for t in listed):
            raise SystemExit(f"{name} is in the page, and the page does not list it")
    return len(texts)


def markup(page, path):
    """The page once more, with markup for every name in its data."""

    def evil(value, key=""):
        if isinstance(value, str):
            return MARKUP if key not in ("ended", "build") else value
        if isinstance(value, list):
            return [evil(v) for v in value]
        if isinstance(value, dict):
            return {k: evil(v, k) for k, v in value.items()}
        return value

    def block(m):
        if m.group(1).startswith("path-"):
            return m.group(0)
        value = evil(json.loads(zlib.decompress(base64.b64decode(m.group(2)), -15)))
        if m.group(1) == "exact":
            value["remarks"] = [[0, 0, "doubt", MARKUP]]
        packer = zlib.compressobj(wbits=-15)
        return (
            f'id="data-{m.group(1)}">'
            + base64.b64encode(
                packer.compress(json.dumps(value).encode()) + packer.flush()
            ).decode()
            + "<"
        )

    text, blocks = re.subn(
        r'id="data-([\w-]+)">([^<]*)<', block, open(path, encoding="utf-8").read()
    )
    with tempfile.NamedTemporaryFile("w", suffix=".html") as f:
        f.write(text)
        f.flush()
        page = Page(page.browser, f.name)
        page.browser.size(1280, 860)
        shown = 0
        for view in VIEWS:
            page.go(view)
            shown += MARKUP in page.browser.ask("document.body.textContent")
            same("images", page.browser.ask("document.images.length"), 0)
        page.quiet()
    if shown < len(VIEWS) - 2:
        raise SystemExit(f"markup as names is shown in {shown} views alone")
    return f"markup in {blocks} blocks is shown as text"


def keyboard(page):
    """Views, search and the flame graph without a mouse."""
    page.browser.size(1280, 860)
    page.go("overview")
    for digit, view in enumerate(VIEWS[:8], 1):
        page.browser.key(str(digit))
        page.wait_for(view)
    page.browser.key("3")
    page.wait_for("flame")
    page.browser.ask("document.querySelector('canvas').focus()")
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.browser.key(key)
    same("zoomed by keys", page.browser.ask("/^#flame.[1-9]/.test(location.hash)"), True)
    page.browser.key("/")
    page.browser.ask(
        "$('search').value = 'oncreate'; $('search').dispatchEvent(new Event('input'))"
    )
    page.browser.wait("$('found').children.length > 0 && !$('found').hidden")
    page.browser.key("Enter")
    page.wait_for("methods")


def smaller(png):
    """The same picture, packed as well as zlib can."""
    out, data, at = png[:8], b"", 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        content, at = png[at + 8 : at + 8 + size], at + size + 12
        data += content if kind == b"IDAT" else b""
        if kind == b"IDAT":
            continue
        for name, value in (
            [(b"IDAT", zlib.compress(zlib.decompress(data), 9))] if kind == b"IEND" else []
        ) + [(kind, content)]:
            out += (
                struct.pack(">I", len(value))
                + name
                + value
                + struct.pack(">I", zlib.crc32(name + value))
            )
    return out


def screenshots(page, folder, shots):
    os.makedirs(folder, exist_ok=True)
    for name, view, scheme in shots:
        page.browser.size(1240, 800)
        page.browser.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )
        page.go(view)
        page.browser.wait("!document.querySelector('.wait')")
        page.browser.ask("new Promise(done => setTimeout(done, 300))")
        picture = base64.b64decode(
            page.browser.call("Page.captureScreenshot", format="png")["data"]
        )
        with open(os.path.join(folder, name + ".png"), "wb") as f:
            f.write(smaller(picture))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("page")
    parser.add_argument("--paths", required=True)
    parser.add_argument("--table")
    parser.add_argument("--trace")
    parser.add_argument("--apk")
    parser.add_argument("--tree", required=True)
    parser.add_argument("--pathlight", required=True)
    parser.add_argument(
        "--without-sources", help="the page of the same logs, made without --sources"
    )
    parser.add_argument("--axe", required=True)
    parser.add_argument("--screenshots")
    a = parser.parse_args()
    browser = Browser()
    try:
        page = Page(browser, a.page)
        if page.drawn > DRAWN_MS:
            raise SystemExit(f"drawn after {page.drawn} ms")
        results = [
            f"drawn in {page.drawn} ms",
            decoded(page, a.paths),
            intervals(page, a.pathlight, a.tree),
        ]
        if a.trace:
            results.append(traced(page, a.table, a.trace, a.apk, Decoded(a.paths).made))
        for view in VIEWS:
            page.go(view)
        keyboard(page)
        page.quiet()
        if a.screenshots:
            # Of the fixture `tether`.
            click = browser.ask("""readCallbacks().then(() => {
              const clicks = lanes.filter(l => isMain(l) && l.us).flatMap(lane => lane.m
                .map((m, at) => ({ lane, at, us: lane.us[at], name: fullName(m) })))
                .filter(({ name }) => name.includes('MainActivity.onClick'));
              const { lane, at } = clicks.reduce((a, b) => b.us > a.us ? b : a);
              return `${lane.i}/${at + 1}`;
            })""")
            file = browser.ask(
                "readFiles().then(() => files.findIndex(f => f.name === 'MainActivity.java'))"
            )
            shots = [
                ("overview", "overview", "light"),
                ("timeline", f"timeline/{click}", "light"),
                ("flame", "flame", "dark"),
                ("source", f"source/{file}/213", "light"),
                ("exceptions", "exceptions", "light"),
                ("surprises", "surprises", "dark"),
            ]
            screenshots(page, a.screenshots, shots)
        results += [
            html_views.sessions(page, Decoded(a.paths)),
            html_views.paths(page),
            html_views.habits(page),
            html_views.nested(page),
            html_views.conditions(page),
            html_views.windows(page),
            html_views.printed(page),
            html_views.accessible(page, a.axe),
        ]
        page.quiet()
        with_text = embedded(page)
        pages = [a.page]
        if a.without_sources:
            pages.append(a.without_sources)
        if bool(with_text) != (len(pages) > 1) or embedded(Page(browser, pages[-1])):
            raise SystemExit("text of sources is in the page that was made without, or in neither")
        results.append(markup(page, a.page))
        for path in pages:
            each_first(browser, path)
        results.append(html_views.large(browser, Page, a.page))
        results.append(firefox.drawn(pages))
        results.append(f"each view opened first, with {with_text} source files and without")
    finally:
        browser.close()
    print("; ".join(results))


if __name__ == "__main__":
    main()
