"""Drives Batch.java: javac, D8, baksmali and smali, many jobs in one JVM."""

import os
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
JARS = ["smali", "baksmali", "dexlib2", "smali-util", "guava", "antlr3-runtime", "jcommander"]


class ToolError(Exception):
    """A tool refused its input; the message names it and the reason."""


class Batch:
    """One JVM; `run` may be called from several threads."""

    def __init__(self):
        path = ["/usr/share/java/%s.jar" % j for j in JARS]
        if not os.path.exists(path[0]):
            raise ToolError("no smali: install Debian's libsmali-java")
        d8 = os.environ.get("D8_JAR", "")
        if d8:
            path.append(d8)
        self.lock = threading.Lock()
        self.log = open(os.path.join(os.environ.get("TMPDIR", "/tmp"),
                                     "truth-batch-%d.log" % os.getpid()), "w+b")
        self.jvm = subprocess.Popen(["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                                     "-Xshare:auto", "-Xss8m", "-Xmx1g", "-cp", ":".join(path),
                                     os.path.join(HERE, "Batch.java")], stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, stderr=self.log, text=True)

    def run(self, *job):
        """Runs one job (see Batch.java); raises ToolError when it fails."""
        with self.lock:
            self.log.seek(0, 2)
            start = self.log.tell()
            self.jvm.stdin.write("\t".join(str(j) for j in job) + "\n")
            self.jvm.stdin.flush()
            answer = self.jvm.stdout.readline().rstrip("\n").split("\t", 1)
            if answer[0] != "ok":
                self.log.seek(start)
                complaint = self.log.read().decode("utf-8", "replace")[:1500]
                raise ToolError("%s: %s\n%s"
                                % (" ".join(str(j) for j in job)[:300], answer[-1], complaint))

    def close(self):
        self.jvm.stdin.close()
        self.jvm.wait()
        self.log.close()
        try:
            os.unlink(self.log.name)
        except OSError:
            pass


def api_of(dex):
    """The API level under which smali reads and writes this DEX version."""
    with open(dex, "rb") as f:
        head = f.read(8)
    if head[:4] != b"dex\n":
        raise ToolError("%s: not a DEX file" % dex)
    levels = {"035": 23, "037": 25, "038": 27, "039": 29, "040": 30}
    version = head[4:7].decode("ascii", "replace")
    if version not in levels:
        raise ToolError("%s: DEX version %s" % (dex, version))
    return levels[version]


if __name__ == "__main__":
    b = Batch()
    b.run(*sys.argv[1:])
    b.close()
