"""A page in headless Chromium, driven through a pipe: no network, no driver program, no library."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time


class Browser:
    """One tab. `complaints` are errors and warnings of the console, `requests` all addresses asked
    for."""

    def __init__(self, width=1280, height=860):
        program = next(filter(None, map(shutil.which,
                                        ["chromium", "chromium-browser", "google-chrome"])), None)
        if program is None:
            raise SystemExit("no Chromium here: tests/prerequisites.sh browser")
        self.profile = tempfile.TemporaryDirectory(prefix="browser-")
        to_read, self.to = os.pipe()
        self.of, from_write = os.pipe()

        def pipes():
            # Chromium reads from 3 and writes to 4.
            keep = os.dup2(to_read, 100), os.dup2(from_write, 101)
            os.dup2(keep[0], 3)
            os.dup2(keep[1], 4)

        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                   "--remote-debugging-pipe", "--force-color-profile=srgb",
                   "--disable-background-networking", "--disable-component-update",
                   "--disable-sync", "--no-first-run", "--disable-extensions",
                   "--user-data-dir=" + self.profile.name, f"--window-size={width},{height}"]
        self.process = subprocess.Popen([program, *options], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        close_fds=False, preexec_fn=pipes, start_new_session=True)
        os.close(to_read)
        os.close(from_write)
        self.rest, self.number, self.session = b"", 0, None
        self.complaints, self.requests = [], []
        tab = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=tab, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.size(width, height)

    def close(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()
        os.close(self.to)
        os.close(self.of)
        try:
            self.profile.cleanup()
        except OSError:
            pass  # A helper process of the browser is still writing there.

    def call(self, method, **params):
        """The result of a command; what happens in between is noted."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer.get("method"), answer.get("params", {}))

    def message(self):
        while b"\0" not in self.rest:
            more = os.read(self.of, 1 << 20)
            if not more:
                raise SystemExit("the browser ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def note(self, method, params):
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description")
                                   or details["text"])
        elif (method == "Runtime.consoleAPICalled"
              and params["type"] in ("error", "warning", "assert")):
            self.complaints.append(str([a.get("value") for a in params["args"]]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.complaints.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.complaints.append("a dialog: " + params["message"])

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def ask(self, script):
        """What a script gives; promises are waited for."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            raise SystemExit(
                f"{script[:80]}: "
                f"{answer['exceptionDetails'].get('exception', {}).get('description')}")
        return answer["result"].get("value")

    def wait(self, script, seconds=20):
        """Waits until a script gives something."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            value = self.ask(script)
            if value:
                return value
            time.sleep(0.02)
        raise SystemExit(f"{script} gives nothing after {seconds} s; {self.complaints}")

    def key(self, key):
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
