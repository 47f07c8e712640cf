#!/usr/bin/env python3
"""Opens pages of `pathlight report --html` in headless Firefox, each view first: firefox.py PAGE…

Talks to Firefox by Marionette, its own protocol over a local socket. A view must be drawn without
an error, and W must zoom its timeline.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

VIEWS = ["overview", "timeline", "flame", "tree", "methods", "source", "exceptions", "surprises",
         "surprises/rare", "exact"]


class Firefox:
    """One window."""

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(prefix="firefox-")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        with open(os.path.join(self.profile.name, "user.js"), "w", encoding="utf-8") as f:
            f.write(f'user_pref("marionette.port", {port});\n')
            f.write('user_pref("datareporting.policy.dataSubmissionEnabled", false);\n')
            f.write('user_pref("app.update.enabled", false);\n')
        self.process = subprocess.Popen(
            [program, "--headless", "--marionette", "--no-remote", "--profile", self.profile.name],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)
        until = time.monotonic() + 60
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
                break
            except OSError:
                if time.monotonic() > until:
                    raise SystemExit("Firefox does not open its socket") from None
                time.sleep(0.2)
        self.rest, self.number = b"", 0
        self.message()
        self.call("WebDriver:NewSession", {})

    def close(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()
        self.socket.close()
        self.profile.cleanup()

    def message(self):
        while True:
            size, colon, more = self.rest.partition(b":")
            if colon and len(more) >= int(size):
                self.rest = more[int(size):]
                return json.loads(more[:int(size)])
            data = self.socket.recv(1 << 20)
            if not data:
                raise SystemExit("Firefox ended")
            self.rest += data

    def call(self, command, parameters):
        self.number += 1
        text = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(str(len(text)).encode() + b":" + text)
        _, _, error, result = self.message()
        if error:
            raise SystemExit(f"{command}: {error['message']}")
        return result

    def ask(self, expression):
        script = f"return await ({expression});"
        parameters = {"script": f"return (async () => {{ {script} }})();", "args": []}
        return self.call("WebDriver:ExecuteScript", parameters)["value"]

    def wait(self, expression, seconds=20):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.ask(expression):
                return
            time.sleep(0.05)
        raise SystemExit(f"{expression} is not so after {seconds} s")


def drawn(paths):
    """Opens each view of the pages; a line on what held."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if not program:
        raise SystemExit("no Firefox: tests/prerequisites.sh browser installs it")
    firefox = Firefox(program)
    try:
        for path in paths:
            page(firefox, f"file://{os.path.abspath(path)}")
    finally:
        firefox.close()
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    pages = "1 page" if len(paths) == 1 else f"{len(paths)} pages"
    return f"each view of {pages} in {version.stdout.strip()}"


def page(firefox, address):
    for view in VIEWS:
        firefox.call("WebDriver:Navigate", {"url": "about:blank"})
        firefox.call("WebDriver:Navigate", {"url": f"{address}#{view}"})
        key = view.split("/")[0]
        drawn_view = "(document.documentElement.dataset.drawn || '').split(' ')[0]"
        firefox.wait(f"{drawn_view} === '{key}'")
        bad = firefox.ask("document.querySelector('#view > .verdict.bad')?.textContent || ''")
        if "cannot be drawn" in bad:
            raise SystemExit(f"{view} in Firefox: {bad}")
    firefox.call("WebDriver:Navigate", {"url": f"{address}#timeline"})
    firefox.wait("!!document.querySelector('.lanes')")
    key = "new KeyboardEvent('keydown', { key: 'w', bubbles: true })"
    firefox.ask(f"document.querySelector('.lanes').dispatchEvent({key})")
    firefox.wait("/from=/.test(location.hash)")


if __name__ == "__main__":
    print(drawn(sys.argv[1:]))
