#!/usr/bin/env python3
"""A phone for the real adb: what a device's adbd answers, as far as installing, shell commands and
logcat need it.

usage: adbd.py FOLDER     prints the port that it listens on; `adb connect 127.0.0.1:PORT` finds it

The protocol is that of AOSP's adb: packages of 24 bytes (command, two arguments, length, sum,
  magic) and data. docs: packages/modules/adb/protocol.txt. No authentication, no shell_v2: `exec:`
  and `shell:` carry plain bytes.

FOLDER/bin       the phone's programs: run-as, cmd, logcat
FOLDER/sdcard    its shared storage
FOLDER/cut       length in bytes of a command's output, then the cable is pulled; the file goes
FOLDER/asked     every service that was asked for, a line each
"""
import os, pathlib, socket, struct, subprocess, sys, threading

COMMANDS = {name: struct.unpack("<I", name.encode())[0]
            for name in ("CNXN", "OPEN", "OKAY", "WRTE", "CLSE")}
NAMES = {number: name for name, number in COMMANDS.items()}
BANNER = (b"device::ro.product.name=fake;ro.product.model=Fake "
          b"Phone;ro.product.device=fake;features=cmd")
LARGEST = 4096


class Unplugged(Exception):
    pass


class Phone:
    def __init__(self, connection, folder):
        self.connection, self.folder = connection, folder
        self.writing = threading.Lock()
        # Of each stream: its program, and leave to send the next piece.
        self.programs, self.leave = {}, {}

    def send(self, name, first, second, data=b""):
        command = COMMANDS[name]
        head = struct.pack("<6I", command, first, second, len(data), sum(data) & 0xFFFFFFFF,
                           command ^ 0xFFFFFFFF)
        with self.writing:
            self.connection.sendall(head + data)

    def receive(self, count):
        data = b""
        while len(data) < count:
            piece = self.connection.recv(count - len(data))
            if not piece:
                raise Unplugged
            data += piece
        return data

    def serve(self):
        streams = 0
        try:
            while True:
                command, first, second, length, _, _ = struct.unpack("<6I", self.receive(24))
                data, name = self.receive(length), NAMES.get(command)
                if name == "CNXN":
                    self.send("CNXN", 0x01000000, LARGEST, BANNER)
                elif name == "OPEN":
                    streams += 1
                    service = data.rstrip(b"\0").decode()
                    with open(self.folder / "asked", "a") as asked:
                        asked.write(service + "\n")
                    kind, _, line = service.partition(":")
                    if kind in ("exec", "shell"):
                        self.leave[streams] = threading.Semaphore(0)
                        threading.Thread(target=self.run, args=(streams, first, line),
                                         daemon=True).start()
                    else:
                        self.send("CLSE", 0, first)
                elif name == "WRTE":
                    program = self.programs.get(second)
                    try:
                        program.stdin.write(data)
                        program.stdin.flush()
                    except (AttributeError, OSError, ValueError):
                        pass
                    self.send("OKAY", second, first)
                elif name == "OKAY":
                    self.leave[second].release()
                elif name == "CLSE":
                    self.end(second)
        except (Unplugged, OSError):
            for number in list(self.programs):
                self.end(number)

    def end(self, number):
        program = self.programs.pop(number, None)
        if program and program.poll() is None:
            try:
                program.stdin.close()
            except OSError:
                pass
            program.terminate()

    def run(self, number, peer, line):
        # The one absolute path that is asked for.
        line = line.replace("/sdcard/", f"{self.folder}/sdcard/")
        environment = dict(os.environ, PATH=f"{self.folder}/bin:{os.environ['PATH']}",
                           PHONE=str(self.folder))
        program = subprocess.Popen(["sh", "-c", line], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   env=environment, cwd=self.folder)
        self.programs[number] = program
        sent = 0
        try:
            # Data may come as soon as the stream is open: the program is there.
            self.send("OKAY", number, peer)
            while piece := os.read(program.stdout.fileno(), LARGEST):
                cut = self.folder / "cut"
                if cut.exists() and sent + len(piece) > int(cut.read_text()):
                    piece = piece[:int(cut.read_text()) - sent]
                    cut.unlink()
                    self.send("WRTE", number, peer, piece)
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                self.send("WRTE", number, peer, piece)
                sent += len(piece)
                if not self.leave[number].acquire(timeout=30):
                    return
            program.wait()
            self.send("CLSE", number, peer)
        except OSError:
            pass


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=Phone(connection, folder).serve, daemon=True).start()


main()
