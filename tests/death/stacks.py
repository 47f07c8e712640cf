"""Java stack traces: reads what a VM prints, and writes it as logcat and crash services do. Also
makes stack traces of crashes that never happened."""

import json
import re
import subprocess

from harness.vm import SHORT_JAVA

FRAME = re.compile(r"\s*at (.+)\((.*?)(?::(\d+))?\)$")


class Stack:
    """A stack trace: the thread's name, and per exception (the one thrown, then its causes) class,
    message and frames [(name, file, line)]."""

    def __init__(self, thread, throwables):
        self.thread, self.throwables = thread, throwables

    @property
    def frames(self):
        return self.throwables[0][2]


def messages(text):
    """The messages of AndroidRuntime in logcat text (threadtime)."""
    return "".join(m + "\n" for m in re.findall(r"^.*? E AndroidRuntime: (.*)$", text, re.M))


def parse(text):
    """All stack traces in what `printStackTrace` printed for uncaught exceptions."""
    found = []
    for line in text.splitlines():
        begins = re.match(r"(?:Exception in thread \"(.*?)\" |FATAL EXCEPTION: (.*))", line)
        if begins:
            found.append(Stack(begins.group(1) or begins.group(2), []))
            line = line[begins.end():]
        frame, more = FRAME.match(line), re.match(r"\t\.\.\. (\d+) more", line)
        if not found or not line:
            continue
        throwables = found[-1].throwables
        if frame:
            throwables[-1][2].append((frame.group(1), frame.group(2), frame.group(3)))
        elif more:
            throwables[-1][2].extend(throwables[-2][2][-int(more.group(1)):])
        else:
            name, _, message = re.sub("^Caused by: ", "", line).partition(": ")
            throwables.append((name, message, []))
    return [s for s in found if s.throwables]


def place(file, line):
    return file + (":" + line if line else "")


def plain(stack):
    text = "Exception in thread \"%s\" " % stack.thread
    for i, (name, message, frames) in enumerate(stack.throwables):
        text += "%s%s%s\n" % ("Caused by: " if i else "", name, ": " + message if message else "")
        text += "".join("\tat %s(%s)\n" % (n, place(f, l)) for n, f, l in frames)
    return text


def logcat(stack):
    lines = ["FATAL EXCEPTION: " + stack.thread, "Process: org.example, PID: 4711"]
    lines += plain(stack).split("\" ", 1)[1].splitlines()
    noise = "11-22 06:50:58.518    99   101 W System.err: \tat com.other.Main.run(Main.java:1)\n"
    return noise.join("11-22 06:50:58.518  4711  4711 E AndroidRuntime: %s\n" % line
                      for line in lines)


def play(stack):
    text = ""
    for i, (name, message, frames) in enumerate(stack.throwables):
        text += "%s %s%s\n" % ("Caused by" if i else "Exception", name,
                               ": " + message if message else ":")
        text += "".join("  at %s (%s)\n" % (n, place(f, l)) for n, f, l in frames)
    return text


def crashlytics(stack):
    text = "# Crashlytics - Stack trace\n# Application: org.example\n# Platform: android\n\n"
    for i, (name, message, frames) in enumerate(stack.throwables):
        text += "%s%s%s\n" % ("Caused by " if i else "Fatal Exception: ", name,
                              ": " + message if message else "")
        text += "".join("       at %s(%s)\n" % (n, place(f, l)) for n, f, l in frames)
    return (text + "\nBinder:4711_1:\n"
            "       at android.os.BinderProxy.transactNative(BinderProxy.java)\n")


def sentry(stack):
    values = []
    for name, message, frames in reversed(stack.throwables):
        package, _, simple = name.rpartition(".")
        listed = []
        for n, f, l in reversed(frames):
            module, _, function = n.rpartition(".")
            listed.append({"module": module, "function": function, "filename": f,
                           **({"lineno": int(l)} if l else {})})
        values.append({"type": simple, "module": package, "value": message, "thread_id": 7,
                       "stacktrace": {"frames": listed}})
    return json.dumps({"event_id": "0", "exception": {"values": values},
                       "threads": {"values": [{"id": 7, "name": stack.thread, "crashed": True}]}})


FORMATS = {"plain": plain, "logcat": logcat, "play": play, "crashlytics": crashlytics,
           "sentry": sentry}


def retrace(jar, mapping, text, folder):
    """What R8's Retrace makes of a stack trace."""
    file = folder + "/raw.txt"
    with open(file, "w") as f:
        f.write(text)
    return subprocess.run([*SHORT_JAVA, "-cp", jar, "com.android.tools.r8.retrace.Retrace", mapping,
                           file], check=True, capture_output=True, text=True).stdout


def foreign(rng, methods, stood, real):
    """A stack trace of frames that never stood together: of other apps, of this one's methods at
    random, of the real crash in another order."""
    while True:
        kind = rng.randrange(4)
        own = [(m, "F.java", str(rng.randrange(1, 99)))
               for m in rng.choices(methods, k=rng.randrange(1, 6))]
        if kind == 0:
            frames = [("com.other%d.%s" % (i, m.rpartition(".")[2]), "F.java", "1")
                      for i, (m, _, _) in enumerate(own)]
        elif kind == 1:
            frames = own
        else:
            frames = [f for f in real.frames
                      if f[0] in set(methods)] + (own[:1] if kind == 2 else [])
            rng.shuffle(frames)
        if frames and tuple(f[0] for f in frames) not in stood:
            break
    outside = [("android.os.Looper.loop", "Looper.java", "223")]
    return Stack(real.thread, [("java.lang.Error", "foreign", frames + outside)])
