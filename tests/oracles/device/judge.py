#!/usr/bin/env python3
"""`pathlight device` with the real adb and a phone that adbd.py plays. Prints what was seen; exit
code 1 on the first fault.

usage: judge.py PATHLIGHT WORK GUIDE
  WORK   holds what the guide's reader has: beta.apk, app.plmap (files); chatty.plmap (logcat);
         base.apk, split.apk, tether.apk; and what their sessions left: logs/*.plt, beta.log
  GUIDE  docs/DEVICE.md: its commands are run, each line that begins with `$ pathlight`
"""
import filecmp, functools, json, os, pathlib, re, shutil, signal, subprocess, sys, tempfile, time
import zipfile

PACKAGE = "org.example.tether"
HERE = pathlib.Path(__file__).resolve().parent


def is_whole(fetched, log):
    """Whether all of a log was fetched; zeros at its end may be left out."""
    return log.startswith(fetched) and not any(log[len(fetched):])


class Phone:
    """A phone, connected to an adb server of our own."""

    def __init__(self, work, name, adb):
        self.folder, self.adb = work / name, adb
        for folder in (f"data/{PACKAGE}/cache", f"sdcard/Android/data/{PACKAGE}/files"):
            (self.folder / folder).mkdir(parents=True)
        shutil.copytree(HERE / "bin", self.folder / "bin")
        self.daemon = subprocess.Popen([HERE / "adbd.py", self.folder], stdout=subprocess.PIPE,
                                       text=True)
        self.serial = "127.0.0.1:" + self.daemon.stdout.readline().strip()
        self.cache = self.folder / f"data/{PACKAGE}/cache"
        self.shared = self.folder / f"sdcard/Android/data/{PACKAGE}/files"
        self.connect()

    def connect(self):
        for _ in range(100):
            answer = self.adb("connect", self.serial)
            if "connected to" in answer and f"{self.serial}\tdevice" in self.adb("devices"):
                return
            time.sleep(0.1)
        sys.exit(f"adb does not connect: {answer}")

    def put(self, name, data):
        (self.folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())


class Judge:
    def __init__(self, pathlight, work):
        self.pathlight, self.work = pathlight, work
        self.environment = dict(os.environ,
                                ANDROID_ADB_SERVER_PORT=str(20000 + os.getpid() % 20000),
                                HOME=str(work), XDG_CONFIG_HOME=str(work))
        for name in ("ADB", "ANDROID_HOME", "ANDROID_SDK_ROOT", "ANDROID_SERIAL"):
            self.environment.pop(name, None)
        self.checks = 0

    def adb(self, *arguments):
        done = subprocess.run(["adb", *arguments], env=self.environment, capture_output=True,
                              text=True)
        return done.stdout + done.stderr

    def run(self, *arguments, code=0, prints=(), folder=None, **variables):
        """Runs a command of pathlight; its standard output. `prints`: words on either output."""
        done = subprocess.run([self.pathlight, *map(str, arguments)],
                              env=dict(self.environment, **variables), capture_output=True,
                              text=True, cwd=folder or self.work, timeout=120)
        printed = done.stdout + done.stderr
        self.check(done.returncode == code, f"{arguments}: exit code {done.returncode}\n{printed}")
        for words in prints:
            self.check(words in printed, f"{arguments}: no {words!r} in\n{printed}")
        return done.stdout

    def check(self, holds, otherwise):
        self.checks += 1
        if not holds:
            raise AssertionError(otherwise)

    def fetched(self, log, file):
        self.check(is_whole(file.read_bytes(), log.read_bytes()),
                   f"{file} is not {log} without zeros at its end")

    def same(self, one, other):
        self.check(filecmp.cmp(one, other, shallow=False), f"{one} and {other} differ")

    # What is judged.

    def nothing_connected(self):
        self.run("device", "pull", PACKAGE, code=1, prints=["no device: connect one"])
        self.run("device", "pull", PACKAGE, "-s", "x", code=1,
                 prints=["no device x; none is connected"])
        self.run("device", "pull", PACKAGE, code=1, prints=["no adb found"], PATH="/nonexistent")
        self.run("device", "pull", PACKAGE, code=1, prints=["ADB names /none"], ADB="/none")
        self.run("device", "pull", "a;reboot", code=1, prints=["is no package name"])

    def installing(self, phone):
        self.run("device", "install", "beta.apk", prints=[f"installed {PACKAGE} on {phone.serial}"])
        self.same(phone.folder / "installed/app", self.work / "beta.apk")
        self.check((phone.folder / "flags").read_text() == "-r",
                   "replaces an app, and nothing more")
        self.run("device", "install", "beta.apk", "--test-only", "--downgrade", "--grant")
        self.check((phone.folder / "flags").read_text() == "-r -t -d -g",
                   "hands on what was asked for")
        for inputs in (["base.apk", "split.apk"], ["app.apks"]):
            self.run("device", "install", *inputs, prints=["(2 APKs)"])
            parts = sorted((phone.folder / "installed").iterdir(), key=lambda p: p.stat().st_size)
            sizes = sorted((self.work / name for name in ("base.apk", "split.apk")),
                           key=lambda p: p.stat().st_size)
            self.check(len(parts) == 2, parts)
            [self.same(*pair) for pair in zip(parts, sizes)]
        for answer, advice in [
            ("INSTALL_FAILED_UPDATE_INCOMPATIBLE: Package x signatures do not match",
             "adb uninstall"),
            ("INSTALL_FAILED_VERSION_DOWNGRADE", "--downgrade"),
            ("INSTALL_FAILED_TEST_ONLY: installPackageLI", "--test-only"),
        ]:
            for apks in (["beta.apk"], ["base.apk", "split.apk"]):
                phone.put("refuse", answer)
                self.run("device", "install", *apks, code=1,
                         prints=["beta.apk" if len(apks) == 1 else "split.apk", "refused", advice])
        self.run("device", "install", "base.apk", "beta.apk", code=1, prints=["base"])
        self.run("device", "install", "app.plmap", code=1, prints=["app.plmap"])

    def recording(self, phone):
        """From an app to a page. The phone's `am` puts into place what a session of this build has
        left."""
        log, = (self.work / "recorded").iterdir()
        phone.put("session", str(log))
        out = self.run("device", "record", "tether.apk", "--for", "0.5s", "-o", "session",
                       prints=["1 of 5", "5 of 5", "report.html"])
        self.same(phone.folder / "installed/app", self.work / "session/tether.apk")
        self.check((phone.folder / "launched").read_text() == PACKAGE, "the app is launched")
        self.fetched(log, self.work / "session/logs" / log.name)
        page = (self.work / "session/report.html").read_text()
        self.check(page.startswith("<!doctype html>\n<!-- Pathlight report -->")
                   and page.rstrip().endswith("</html>"), "a whole page")
        maps = list((self.work / "session").glob("*.plmap"))
        self.check(len(maps) == 1
                   and maps[0].read_bytes() == (self.work / "same.plmap").read_bytes(),
                   f"the map of the build: {maps}")
        # The command that is printed last shows the paths.
        command = out.split("`")[-2].split()[1:]
        self.check("=== java" in self.run(*command), f"{command} decodes nothing")
        # An app that its icon cannot start is recorded when it is opened by hand.
        phone.put("refuse-am", "")
        self.run("device", "record", "tether.apk", "--for", "0.5s", "-o", "session",
                 prints=["open it on the device by hand"])
        (phone.folder / "refuse-am").unlink()
        log_of = phone.shared / log.name
        log_of.unlink()
        # Nothing was used: the message names what to do.
        (phone.folder / "session").unlink()
        self.run("device", "record", "tether.apk", "--for", "0.5s", "-o", "nothing", code=1,
                 prints=["has written no log yet", PACKAGE])

    def pulling(self, phone):
        logs = sorted((self.work / "logs").iterdir())
        self.run("device", "pull", PACKAGE, "-o", "none", code=1,
                 prints=["has no log in its cache folder"])
        for option, place in [((), phone.cache), (("--logs", "external"), phone.shared)]:
            [shutil.copy(log, place) for log in logs]
            (place / "other.plt").write_bytes(b"of the app")
            to = self.work / ("pulled" + "".join(option))
            self.run("device", "pull", PACKAGE, "-o", to, *option,
                     prints=[log.name for log in logs])
            self.check(sorted(p.name for p in to.iterdir()) == [log.name for log in logs],
                       list(to.iterdir()))
            [self.fetched(log, to / log.name) for log in logs]
        # The app has gone on: the log that is there is replaced.
        to, first = self.work / "pulled", logs[0]
        (to / first.name).write_bytes(first.read_bytes()[:5000])
        self.run("device", "pull", PACKAGE, "-o", to)
        self.fetched(first, to / first.name)
        # A damaged copy of it comes: both stay.
        whole = first.read_bytes()
        slab = whole.index(b"SLAB")
        (phone.cache / first.name).write_bytes(whole[:slab + 60] + bytes([whole[slab + 60] ^ 1])
                                               + whole[slab + 61:])
        self.run("device", "pull", PACKAGE, "-o", to, code=1,
                 prints=[f"{first.name}.damaged: it is damaged"])
        self.fetched(first, to / first.name)
        (to / f"{first.name}.damaged").unlink()
        shutil.copy(first, phone.cache)
        # Something else has its name.
        (to / first.name).write_text("a diary\n")
        self.run("device", "pull", PACKAGE, "-o", to, code=1,
                 prints=[f"{first.name}: no log of this app's"])
        self.check((to / first.name).read_text() == "a diary\n", "it is left as it is")
        (to / first.name).unlink()
        # Packages that cannot be opened.
        self.run("device", "pull", "com.example.none", code=1,
                 prints=["unknown package", "Is it installed?"])
        (phone.folder / "data/com.example.release").mkdir()
        (phone.folder / "data/com.example.release/.release").touch()
        self.run("device", "pull", "com.example.release", code=1,
                 prints=["not debuggable", "--logs external"])
        self.run("device", "pull", "com.example.none", "--logs", "external", code=1,
                 prints=["no log in its folder on shared storage"])
        # Names that would lead elsewhere.
        odd = phone.cache / "pathlight-x;reboot.plt"
        odd.touch()
        self.run("device", "pull", PACKAGE, "-o", "odd", code=1,
                 prints=["which no Pathlight build wrote"])
        self.check(not (self.work / "odd").exists(), "nothing is written")
        odd.unlink()

    def unplugging(self, phone):
        logs = sorted((self.work / "logs").iterdir())
        size = min(log.stat().st_size for log in logs)
        cuts = 0
        for after in [0, 1, 100, 4096, 10_000, size - 1, size, size + 5]:
            to = self.work / f"cut-{after}"
            to.mkdir()
            old = b"PLTR, as far as it was fetched before"
            (to / logs[0].name).write_bytes(old)
            # The listing is short: the first piece that is long enough is of a file.
            if after > 0:
                phone.put("cut", str(after))
            else:
                self.daemon_gone(phone)
            self.run("device", "pull", PACKAGE, "-o", to, code=1)
            (phone.folder / "cut").unlink(missing_ok=True)
            left = {p.name: p.read_bytes() for p in to.iterdir()}
            whole = {log.name: log.read_bytes() for log in logs}
            self.check(set(left) <= set(whole), f"after {after} bytes: {sorted(left)}")
            for name, data in left.items():
                self.check(is_whole(data, whole[name]) or data == old and name == logs[0].name,
                           f"after {after} bytes: half of {name}")
            cuts += 1
            phone.connect()
        self.run("device", "pull", PACKAGE, "-o", "again")
        return cuts

    def daemon_gone(self, phone):
        self.adb("disconnect", phone.serial)

    def several(self, phone, other):
        wanted = ["several devices, choose one with -s SERIAL", phone.serial, other.serial]
        self.run("device", "pull", PACKAGE, "-o", "several", code=1, prints=wanted)
        self.check(not (self.work / "several").exists(), "nothing is written")
        self.run("device", "pull", PACKAGE, "-o", "several", "-s", phone.serial)
        self.run("device", "pull", PACKAGE, "-o", "several", ANDROID_SERIAL=phone.serial)
        self.run("device", "pull", PACKAGE, "-o", "several", "-s", "nobody", code=1,
                 prints=["no device nobody; connected: "])
        self.run("device", "install", "beta.apk", "-s", other.serial)
        self.same(other.folder / "installed/app", self.work / "beta.apk")

    def watch(self, phone, *arguments, pieces, ends):
        """Watches while the pieces of a log come; how it ended, its two outputs, and what was
        printed before the end."""
        (phone.folder / "log.end").unlink(missing_ok=True)
        phone.put("log", b"")
        command = [self.pathlight, "device", "watch", "--map", "chatty.plmap", *arguments]
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            # A shell that starts the judge in the background makes its children ignore SIGINT.
            heed = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
            watch = subprocess.Popen(command, env=self.environment, cwd=self.work, stdout=out,
                                     stderr=err, preexec_fn=heed)
            for piece in pieces:
                with open(phone.folder / "log", "ab") as log:
                    log.write(piece)
                time.sleep(0.6)
            time.sleep(1)
            before = os.fstat(out.fileno()).st_size
            if ends == "interrupt":
                watch.send_signal(signal.SIGINT)
            elif ends == "unplug":
                self.adb("disconnect", phone.serial)
            else:
                (phone.folder / "log.end").touch()
            code = watch.wait(30)
            out.seek(0), err.seek(0)
            return code, out.read(), err.read(), before

    def watching(self, phone):
        log = (self.work / "beta.log").read_bytes()
        wanted = self.run("decode", "--map", "chatty.plmap", "--format", "json", "beta.log")
        early, seen = 0, 0
        for ends, code in [("interrupt", 0), ("logcat", 1), ("unplug", 1)]:
            # Lines come in pieces, cut anywhere.
            pieces = [log[len(log) * n // 6:len(log) * (n + 1) // 6] for n in range(6)]
            saved = self.work / f"saved-{ends}.log"
            ended, out, err, before = self.watch(phone, "--format", "json", "--save", saved,
                                                 pieces=pieces, ends=ends)
            self.check(ended == code, f"{ends}: exit code {ended}\n{err}")
            words = {"interrupt": "", "logcat": "logcat ended",
                     "unplug": "the device went away"}[ends]
            self.check(words in err, f"{ends}: {err}")
            self.check(by_thread(out) == by_thread(wanted),
                       f"{ends}: the paths are not those that decode prints of the whole log")
            self.check(by_thread(self.run("decode", "--map", "chatty.plmap", "--format", "json",
                                          saved)) == by_thread(wanted), saved)
            early, seen = early + before, seen + len(out)
            phone.connect()
        self.check(early > seen // 2, f"{early} of {seen} bytes were printed before the end")
        self.run("device", "watch", "--map", "chatty.plmap", "--save", saved, code=1,
                 prints=[f"{saved}: this file is there"])
        # The same as text: what is shown of each thread, whatever comes between.
        text = self.run("decode", "--map", "chatty.plmap", "--full", "--unfolded", "beta.log")
        _, out, _, _ = self.watch(phone, "--full", "--unfolded", pieces=[log], ends="interrupt")
        self.check(sections(out) == sections(text), "the text differs from decode's")
        return seen

    def guide(self, phone, path):
        """Every command of the guide, as its reader would type it."""
        commands = re.findall(r"^\$ (pathlight .*)$", path.read_text(), re.M)
        self.check(len(commands) >= 5, commands)
        reader = self.work / "reader"
        reader.mkdir()
        for name in ("beta.apk", "beta.apks", "app.plmap"):
            shutil.copy(self.work / ("app.apks" if name == "beta.apks" else name), reader / name)
        shutil.copy(self.work / "tether.apk", reader / "app.apk")
        for command in commands:
            line = command.replace("com.example.app",
                                   PACKAGE).replace("emulator-5554", phone.serial)
            if " watch" in line:
                shutil.copy(self.work / "chatty.plmap", reader / "app.plmap")
                phone.put("log", (self.work / "beta.log").read_bytes())
                line = "timeout -s INT 3 " + line
            line = line.replace("pathlight ", f"{self.pathlight} ", 1)
            done = subprocess.run(["bash", "-c", line], env=self.environment, cwd=reader,
                                  capture_output=True, text=True)
            good = (0, 124) if " watch" in line else (0,)
            self.check(done.returncode in good,
                       f"{line}: {done.returncode}\n{done.stdout}{done.stderr}")
            self.check(done.stdout.strip(), f"{line}: prints nothing")
            if " watch" in line:
                shutil.copy(self.work / "app.plmap", reader / "app.plmap")
        return len(commands)


def by_thread(lines):
    """JSON lines by process and thread, in their order; the line of the process without what only a
    whole log has."""
    threads = {}
    for line in lines.splitlines():
        line = json.loads(line)
        if line["e"] == "process":
            for key in ("files", "tids"):
                line.pop(key)
        threads.setdefault((line["p"], line.get("t", 0)), []).append(line)
    return threads


def sections(text):
    """What is printed of each thread, joined."""
    threads, current = {}, None
    for line in text.splitlines():
        if line.startswith("### "):
            continue
        if line.startswith("=== "):
            current = line
        else:
            threads.setdefault(current, []).append(line)
    return threads


def main():
    pathlight, work, guide = (pathlib.Path(a).resolve() for a in sys.argv[1:])
    judge = Judge(pathlight, work)
    phones = []
    with zipfile.ZipFile(work / "app.apks", "w") as archive:
        [archive.write(work / name, name) for name in ("base.apk", "split.apk")]
    try:
        judge.nothing_connected()
        phones.append(Phone(work, "phone", judge.adb))
        judge.installing(phones[0])
        judge.recording(phones[0])
        judge.pulling(phones[0])
        cuts = judge.unplugging(phones[0])
        seen = judge.watching(phones[0])
        commands = judge.guide(phones[0], guide)
        phones.append(Phone(work, "second", judge.adb))
        judge.several(*phones)
    except AssertionError as fault:
        sys.exit(f"{fault}")
    finally:
        judge.adb("kill-server")
        for phone in phones:
            phone.daemon.kill()
    version = judge.adb("version").split("Version ")[-1].splitlines()[0]
    print(f"adb {version}: {judge.checks} checks; {cuts} pulls unplugged; {seen} bytes of JSON "
          f"watched; {commands} commands of the guide")


main()
