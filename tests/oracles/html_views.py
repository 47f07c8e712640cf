"""Checks of a page of `pathlight report` beyond its figures: sessions, paths, the timeline,
sizes of windows, print, accessibility, and large logs."""

import base64
import json
import os
import re
import tempfile
import zlib

import firefox
from firefox import VIEWS

# A phone; a window of 1280 x 860 at 200 %.
SIZES = [(390, 844), (640, 430)]
LANES, OF_LANE = 2000, 500
FIRST_MS, HEAP_MB = 2000, 300


def same(what, found, wanted):
    if found != wanted:
        raise SystemExit(f"{what}: the page has {found}, wanted {wanted}")


def sessions(page, decoded):
    """Each session alone has the callbacks and steps that decode prints of it."""
    browser = page.browser
    count = browser.ask("main.processes.length")
    if count < 2:
        return "one session"
    of = {}
    for (process, _), callbacks in decoded.callbacks.items():
        known = of.setdefault(process, [0, 0])
        known[0] += len(callbacks)
        known[1] += sum(steps for _, steps, _ in callbacks)
    found = []
    for i in range(count):
        page.go(f"overview?s={i + 1}")
        same("the picker", browser.ask("$('session').value"), str(i + 1))
        steps = browser.ask("nodes[0].total")
        page.go("timeline")
        shown = browser.ask("document.querySelector('.bar .note').textContent")
        found.append([int(re.sub(r"[^0-9]", "", shown)), steps])
        if f"s={i + 1}" not in browser.ask("location.hash"):
            raise SystemExit("a view's address loses the session")
    page.go("overview?s=all")
    same("callbacks and steps of sessions", sorted(found), sorted(of.values()))
    crashed = browser.ask("main.processes.filter((_, p) => outcomeOf(p).kind === 'bad').length")
    box = browser.ask("document.querySelector('.outcome').className")
    same("a red box where a session crashed", "bad" in box, crashed > 0)
    return f"{count} sessions alone, {crashed} crashed"


def paths(page):
    """Each callback has its path, which has as many steps as the callback."""
    browser = page.browser
    page.go("timeline")
    same("callbacks with paths", browser.ask("main.paths"), browser.ask("main.totals.callbacks"))
    wrong = browser.ask("""(async () => {
      const wrong = [];
      for (const lane of lanes) for (let at = 0; at < lane.m.length; at++) {
        const path = await pathOf(lane.i, at + 1);
        const steps = path && path.whole && spansOf(path.events).steps;
        if (steps !== lane.steps[at]) wrong.push([lane.i, at + 1, steps, lane.steps[at]]);
      }
      return wrong.slice(0, 5);
    })()""")
    same("steps of paths", wrong, [])
    return "all paths are there"


def habits(page):
    """Keys, wheel, drags and Back move the timeline; a chosen callback is scrolled into view."""
    browser = page.browser
    browser.size(1280, 860)
    page.go("timeline?s=all")
    box = browser.ask("""(() => {
      const b = document.querySelector('.lanes').getBoundingClientRect();
      return [b.left, b.top, b.width, b.height];
    })()""")
    x, y = box[0] + box[2] / 2, box[1] + 60
    rows = "Number(document.querySelector('.bar .note').textContent.replace(/[^0-9]/g, ''))"
    whole = browser.ask(rows)
    browser.ask("document.querySelector('.lanes').focus()")
    mouse = lambda kind, **more: browser.call("Input.dispatchMouseEvent", type=kind, **more)
    mouse("mouseMoved", x=x, y=y)
    for key in "wwww":
        browser.key(key)
    browser.wait("/from=/.test(location.hash)")
    zoomed = browser.ask(rows)
    if not 0 <= zoomed < whole:
        raise SystemExit(f"the list has {zoomed} of {whole} callbacks after a zoom")
    first = browser.ask("location.hash")
    browser.key("d")
    browser.wait(f"location.hash !== {json.dumps(first)}")
    browser.ask("history.back()")
    browser.wait(f"location.hash === {json.dumps(first)}")
    mouse("mouseWheel", x=x, y=y, deltaX=0, deltaY=-240, modifiers=2)
    browser.wait(f"location.hash !== {json.dumps(first)}")
    browser.key("0")
    browser.wait("!/from=/.test(location.hash)")
    left = box[0] + 260
    mouse("mousePressed", x=left, y=y, button="left", clickCount=1)
    for step in range(1, 6):
        mouse("mouseMoved", x=left + step * 40, y=y, button="left", buttons=1)
    mouse("mouseReleased", x=left + 200, y=y, button="left", clickCount=1)
    browser.wait("/from=/.test(location.hash)")
    # The last lane with callbacks: its row is scrolled into view and marked.
    lane = browser.ask("lanes.filter(l => l.m.length).pop().i")
    page.go(f"timeline/{lane}/1")
    browser.wait("!!document.querySelector('.details h2.name')")
    seen = browser.ask(f"""(() => {{
      const port = document.querySelector('.lanes-box');
      const row = layoutRows(lanes, main.processes.map((_, p) => p), new Set())
        .find(r => r.kind === 'lane' && r.lanes.includes({lane}));
      return row.y >= port.scrollTop && row.y <= port.scrollTop + port.clientHeight;
    }})()""")
    same("the row of a chosen callback is in view", seen, True)
    chosen = browser.ask("document.querySelectorAll('.row[aria-selected=true]').length")
    same("the chosen callback is in the list", chosen, 1)
    page.go("timeline?s=all")
    return "keys, wheel, drag and Back"


def nested(page):
    """A callback that is zoomed in shows its calls, each within the callback and its caller."""
    browser = page.browser
    browser.size(1280, 860)
    page.go("timeline")
    chosen = browser.ask("""(async () => {
      for (const [lane, at] of longestCallbacks(() => true, 40).list) {
        const nested = await readNested([[lane, at]]);
        const [calls] = nested.values();
        const isShown = hasTook(lanes[lane], at) && !hasWaited(lanes[lane], at);
        if (calls && calls.length > 3 && isShown) return [lane, at];
      }
      return null;
    })()""")
    if not chosen:
        raise SystemExit("no callback with a measured time has calls")
    lane, at = chosen
    begin, end = browser.ask(f"[lanes[{lane}].t[{at}], endOf(lanes[{lane}], {at})]")
    wide = end - begin
    page.go(f"timeline/{lane}/{at + 1}?from={begin - wide * 0.2}&to={end + wide * 0.2}")
    browser.wait("lastNested.has('%d/%d')" % (lane, at))
    calls = browser.ask("lastNested.get('%d/%d')" % (lane, at))
    for call in calls:
        if not begin - 1e-6 <= call["from"] <= call["to"] <= end + 1e-6:
            raise SystemExit(f"a call at {call['from']} to {call['to']} of {begin} to {end}")
        around = [c for c in calls if c["depth"] == call["depth"] - 1]
        inside = lambda c: c["from"] - 1e-6 <= call["from"] and call["to"] <= c["to"] + 1e-6
        if call["depth"] and not any(inside(c) for c in around):
            raise SystemExit("a call lies outside of its caller")
    page.go("timeline?s=all")
    return f"{len(calls)} calls in a callback that is zoomed in"


def conditions(page):
    """Each direction of a drawn branch has a line, or is marked as one that returns or throws."""
    browser = page.browser
    labels = []
    for i in range(browser.ask("readFiles().then(files => files.length)")):
        page.go(f"source/{i}")
        browser.wait(f"document.querySelector('.code').dataset.file === '{i}'")
        labels += page.texts(".way")
    shape = re.compile(r"^(true |false )?→(\d+[a-h]?| returns| throws| \d+) ")
    wrong = [label for label in labels if not shape.match(label)]
    same("labels of directions", wrong, [])
    bare = sum(bool(re.match(r"^→ \d", label)) for label in labels)
    sure = sum(label.startswith(("true ", "false ")) for label in labels)
    if bare * 50 > len(labels):
        raise SystemExit(f"{bare} of {len(labels)} directions have neither a line nor an end")
    return f"{len(labels)} directions of branches, {sure} true or false, {bare} without a line"


def windows(page):
    """No view is wider than a narrow window."""
    for width, height in SIZES:
        page.browser.size(width, height)
        for view in VIEWS:
            page.go(view)
            wide = page.browser.ask("document.documentElement.scrollWidth")
            if wide > width:
                raise SystemExit(f"{view} is {wide} pixels wide in a window of {width}")
    page.browser.size(1280, 860)
    return f"windows of {' and '.join(f'{w} x {h}' for w, h in SIZES)}"


def printed(page, folder=None):
    """In print, lists have all their rows."""
    for view in VIEWS:
        page.go(view)
        sizes = page.browser.ask("""(() => {
          dispatchEvent(new Event('beforeprint'));
          const sizes = [...allRows].map(r => [r.box.children.length, Math.min(r.count, PRINTED)]);
          dispatchEvent(new Event('afterprint'));
          return sizes;
        })()""")
        for found, wanted in sizes if view not in ("overview", "flame", "tree") else []:
            same(f"rows of {view} in print", found, wanted)
        pdf = base64.b64decode(page.browser.call("Page.printToPDF", printBackground=True)["data"])
        if folder:
            with open(os.path.join(folder, f"{view.replace('/', '-')}.pdf"), "wb") as f:
                f.write(pdf)
    return "print"


def accessible(page, script):
    """axe-core (its script) finds nothing critical or serious in any view."""
    source = open(script, encoding="utf-8").read()
    for scheme in ("light", "dark"):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        page.browser.call("Emulation.setEmulatedMedia", features=features)
        for view in VIEWS:
            page.go(view)
            page.browser.call("Runtime.evaluate", expression=source)
            found = page.browser.ask("""axe.run(document, { resultTypes: ['violations'] }).then(r =>
              r.violations.filter(v => ['critical', 'serious'].includes(v.impact))
                .map(v => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 160),
                  v.nodes[0].failureSummary.slice(0, 300)]))""")
            if found:
                raise SystemExit(f"{view}, {scheme}: {json.dumps(found, indent=1)}")
    return "axe-core finds nothing serious"


def large(browser, page_class, path):
    """A page with a million callbacks in 2,000 threads, made of another one, is drawn in time.

    Firefox draws its views, too.
    """

    def block(m):
        name, packed = m.groups()
        if name not in ("main", "callbacks", "intervals"):
            return m.group(0)
        value = json.loads(zlib.decompress(base64.b64decode(packed), -15))
        if name == "main":
            lane = value["lanes"][0]
            value["lanes"] = [
                {
                    **lane,
                    "p": i % len(value["processes"]),
                    "n": i + 1,
                    "callbacks": OF_LANE,
                    "name": "main" if i < len(value["processes"]) else f"pool-{i % 40}-thread-{i}",
                }
                for i in range(LANES)
            ]
            value["totals"]["threads"] = LANES
            value["totals"]["callbacks"] = LANES * OF_LANE
        elif name == "callbacks":
            methods = [m for lane in value["lanes"] for m in lane["m"]]
            value["lanes"] = [
                {
                    "m": [methods[(i * 31 + n) % len(methods)] for n in range(OF_LANE)],
                    "t": [i % 97 if n == 0 else 1 + (i * n) % 40 for n in range(OF_LANE)],
                    "us": [(i * 7 + n * 13) % 9000 for n in range(OF_LANE)],
                    "steps": [1 + (i + n * n) % 500 for n in range(OF_LANE)],
                }
                for i in range(LANES)
            ]
        else:
            value["lanes"] = [{"t": [], "ran": []} for _ in range(LANES)]
        packer = zlib.compressobj(wbits=-15)
        data = packer.compress(json.dumps(value).encode()) + packer.flush()
        return f'id="data-{name}">' + base64.b64encode(data).decode() + "<"

    text = open(path, encoding="utf-8").read()
    with tempfile.NamedTemporaryFile("w", suffix=".html") as f:
        f.write(re.sub(r'id="data-([\w-]+)">([^<]*)<', block, text))
        f.flush()
        size = os.path.getsize(f.name)
        browser.call("Page.navigate", url="about:blank")
        page = page_class(browser, f.name)
        first = page.drawn
        for view in VIEWS:
            page.go(view)
        page.go("timeline")
        same("callbacks", browser.ask("inOrder().length"), LANES * OF_LANE)
        moved = browser.ask("""(() => {
          const begin = performance.now(), canvas = document.querySelector('.lanes');
          canvas.focus();
          for (let n = 0; n < 10; n++) {
            canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'd' }));
          }
          return (performance.now() - begin) / 10;
        })()""")
        browser.call("HeapProfiler.collectGarbage")
        heap = browser.call("Runtime.getHeapUsage")["usedSize"] / 1e6
        same("console", browser.complaints, [])
        in_firefox = firefox.drawn([f.name])
    if first > FIRST_MS or heap > HEAP_MB:
        raise SystemExit(f"{LANES * OF_LANE} callbacks: drawn after {first} ms, {heap:.0f} MB")
    return (
        f"{LANES * OF_LANE} callbacks in {LANES} threads ({size >> 20} MB): drawn after "
        f"{first} ms, moved in {moved:.0f} ms, {heap:.0f} MB; {in_firefox}"
    )
