#!/usr/bin/env python3
"""Records a terminal session as docs/pictures/terminal.svg.

Runs the commands of SESSION on the recorded sessions of the fixture app `tether`
(tests/cli/recorded) and draws what they print. The same program gives the same picture, byte for
byte.

    docs/pictures/terminal.py            # writes the picture
    docs/pictures/terminal.py --check    # fails if the picture differs

PATHLIGHT names the program; the default is target/release/pathlight.
"""
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
PICTURE = HERE / "terminal.svg"

# Each command with the number of rows to show of the begin and of the end of its output.
SESSION = [
    ("pathlight decode pathlight-*.plt --thread main --last 2 --sources src", 16, 6),
    ("pathlight crash pathlight-*.plt --stack crash.log", 4, 0),
]
COLUMNS = 104
ROW, LETTER, MARGIN = 19, 8.43, 16
# Seconds before a command, between its rows, and after its output.
TYPING, PER_ROW, PAUSE = 1.2, 0.06, 1.5
STYLES = {"1": "b", "2": "d", "31": "r", "33": "y", "36": "c"}
CSS = """
text { font: 14px ui-monospace, 'DejaVu Sans Mono', monospace; fill: #d6deeb; white-space: pre }
.p { fill: #7fdbca } .b { font-weight: bold; fill: #ffffff } .d { fill: #9aa9be }
.r { fill: #ff7b72 } .y { fill: #e3b341 } .c { fill: #79c0ff }
.row { opacity: 0; animation: show .01s forwards }
@keyframes show { to { opacity: 1 } }
@media (prefers-reduced-motion: reduce) { .row { opacity: 1; animation: none } }
"""


def output(command, folder):
    """Rows that a command prints in a terminal."""
    program = os.environ.get("PATHLIGHT", REPOSITORY / "target/release/pathlight")
    words = command.replace("pathlight", "'" + str(program) + "'", 1)
    colours = " --color always" if " decode " in command else ""
    run = subprocess.run(words + colours, shell=True, cwd=folder, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{command}: {run.stderr}")
    return run.stdout.rstrip("\n").split("\n")


def cut(rows, begin, end):
    """The first and the last rows, with a mark between them."""
    if len(rows) <= begin + end:
        return rows
    return rows[:begin] + ["  ⋮"] + (rows[-end:] if end else [])


def spans(row):
    """A row with escape sequences as SVG text, cut at the right margin."""
    left, style, parts = COLUMNS, None, []
    for piece in re.split(r"(\x1b\[[0-9;]*m)", row):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", piece)
        if code:
            style = STYLES.get(code[1])
            continue
        if len(piece) > left:
            piece = piece[: max(left - 1, 0)] + "…" if left else ""
        left -= len(piece)
        text = html.escape(piece, quote=False)
        parts.append(f'<tspan class="{style}">{text}</tspan>' if style and text else text)
    return "".join(parts)


def draw():
    """The picture."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(REPOSITORY / "tests/cli/recorded", folder, dirs_exist_ok=True)
        shutil.copytree(REPOSITORY / "android-fixtures/tether/src", Path(folder, "src"))
        printed = [(c, cut(output(c, folder), begin, end)) for c, begin, end in SESSION]
    drawn, seconds, y = [], 0.3, MARGIN + ROW
    for command, rows in printed:
        shown = [f'<tspan class="p">$</tspan> {html.escape(command, quote=False)}']
        shown += [spans(row) for row in rows] + [""]
        for number, text in enumerate(shown):
            if text:
                drawn.append(
                    f'<text class="row" x="{MARGIN}" y="{y}" '
                    f'style="animation-delay: {seconds:.2f}s">{text}</text>'
                )
            seconds += TYPING if number == 0 else PER_ROW
            y += ROW
        seconds += PAUSE
    width, height = round(COLUMNS * LETTER) + 2 * MARGIN, y - ROW + MARGIN // 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="A terminal session">\n'
        f"<style>{CSS}</style>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="#0d1420"/>\n'
        + "\n".join(drawn)
        + "\n</svg>\n"
    )


def main():
    picture = draw()
    if sys.argv[1:] == ["--check"]:
        if picture != PICTURE.read_text(encoding="utf-8"):
            sys.exit(f"{PICTURE.relative_to(REPOSITORY)} is out of date: run this script")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        PICTURE.write_text(picture, encoding="utf-8")
        print(f"{PICTURE.relative_to(REPOSITORY)}: {len(picture.encode())} bytes")


if __name__ == "__main__":
    main()
