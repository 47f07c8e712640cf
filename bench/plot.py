"""The plot: time and bits by workload and variant, as SVG text."""

import math
from html import escape

import workloads as w

COLOURS = ["#888888", "#d62728", "#1f77b4", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b", "#17becf",
           "#e377c2", "#bcbd22", "#7f7f7f", "#000000"]
ROW = 22
LEFT = 96
PANEL = 400
GAP = 40
TOP = 92


def svg(t):
    """Two panels of points on logarithmic scales: time on the JIT ÷ uninstrumented, and bits a
    branch."""
    variants = [v for v in t.variants if v not in (w.PLAIN, "none")]
    colour = {v: COLOURS[(i + 1) % len(COLOURS)] for i, v in enumerate(variants)}
    height = TOP + ROW * len(t.workloads) + 30
    width = LEFT + 2 * PANEL + GAP + 20
    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
        'font-family="sans-serif" font-size="11">' % (width, height, width, height),
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    x, y = LEFT, 14
    for v in variants:
        if x + 26 + 7 * len(v) > width:
            x, y = LEFT, y + 16
        out.append('<circle cx="%d" cy="%d" r="4" fill="%s"/><text x="%d" y="%d">%s</text>'
                   % (x, y, colour[v], x + 8, y + 4, escape(v)))
        x += 26 + 7 * len(v)
    for i, name in enumerate(t.workloads):
        y = TOP + ROW * i + ROW / 2
        out.append('<text x="%d" y="%.0f" text-anchor="end">%s</text>'
                   % (LEFT - 10, y + 4, escape(name)))
    panel(out, t, variants, colour, LEFT,
          "processor time ÷ uninstrumented, ART JIT", lambda x, v: t.ratio(x, "jit", v),
          [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100])
    panel(out, t, variants, colour, LEFT + PANEL + GAP, "bits of the log a branch", t.bits,
          [10.0 ** e for e in range(-6, 3)])
    out.append("</svg>")
    return "\n".join(out) + "\n"


def panel(out, t, variants, colour, left, title, value, ticks):
    found = {(x, v): value(x, v) for x in t.workloads for v in variants}
    known = [f for f in found.values() if f]
    if not known:
        return
    low, high = math.log(min(known) * 0.9), math.log(max(known) * 1.1)
    at = lambda f: left + PANEL * (math.log(f) - low) / (high - low)
    bottom = TOP + ROW * len(t.workloads)
    out.append('<text x="%d" y="56" font-weight="bold">%s</text>' % (left, escape(title)))
    for tick in ticks:
        if low <= math.log(tick) <= high:
            out.append('<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#ddd"/>'
                       % (at(tick), TOP - 8, at(tick), bottom))
            out.append('<text x="%.1f" y="%d" text-anchor="middle" fill="#555">%g</text>'
                       % (at(tick), TOP - 14, tick))
    for i, x in enumerate(t.workloads):
        y = TOP + ROW * i + ROW / 2
        out.append('<line x1="%d" y1="%.0f" x2="%d" y2="%.0f" stroke="#f0f0f0"/>'
                   % (left, y, left + PANEL, y))
        for v in variants:
            if found[x, v]:
                out.append('<circle cx="%.1f" cy="%.1f" r="4" fill="%s" '
                           'fill-opacity="0.8"><title>%s %s: %.4g</title></circle>'
                           % (at(found[x, v]), y, colour[v], x, escape(v), found[x, v]))
