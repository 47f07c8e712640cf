"""Reads and writes profiles of the Android Runtime, and the names of DEX files.

Written after `profile_compilation_info.cc` of ART 11 (version 010) and ART 14 (015), and after
`ProfileTranscoder` of androidx.profileinstaller 1.3 (the other versions, and metadata), not after
this project's crate `artprofile`.
"""

import struct
import zlib

HOT, STARTUP, POST_STARTUP = 1, 2, 4


class Reader:
    """Little-endian numbers out of bytes."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        part = self.data[self.at:self.at + count]
        if len(part) != count:
            raise ValueError(f"{count} bytes at {self.at} of {len(self.data)}")
        self.at += count
        return part

    def u8(self):
        return self.take(1)[0]

    def u16(self):
        return struct.unpack("<H", self.take(2))[0]

    def u32(self):
        return struct.unpack("<I", self.take(4))[0]

    def end(self):
        if self.at != len(self.data):
            raise ValueError(f"{len(self.data) - self.at} bytes after the end")


class Dex:
    """Names of a DEX file by index."""

    def __init__(self, data):
        table = lambda at: struct.unpack_from("<II", data, at)
        strings, types, protos = table(0x38), table(0x40), table(0x48)
        methods, classes = table(0x58), table(0x60)
        self.data = data
        offsets = struct.unpack_from(f"<{strings[0]}I", data, strings[1])
        self.strings = [self.string(at) for at in offsets]
        ids = struct.unpack_from(f"<{types[0]}I", data, types[1])
        self.types = [self.strings[i] for i in ids]
        self.protos = []
        for n in range(protos[0]):
            _, result, parameters = struct.unpack_from("<III", data, protos[1] + 12 * n)
            listed = self.type_list(parameters)
            self.protos.append("(" + "".join(listed) + ")" + self.types[result])
        self.methods = []
        for n in range(methods[0]):
            owner, proto, name = struct.unpack_from("<HHI", data, methods[1] + 8 * n)
            self.methods.append((self.types[owner], self.strings[name], self.protos[proto]))
        self.definitions = []
        self.data_offsets = []
        for n in range(classes[0]):
            fields = struct.unpack_from("<8I", data, classes[1] + 32 * n)
            self.definitions.append(self.types[fields[0]])
            self.data_offsets.append(fields[6])

    def string(self, at):
        while self.data[at] & 0x80:
            at += 1
        at += 1
        # Modified UTF-8; names are compared, never decoded.
        return self.data[at:self.data.index(b"\0", at)].decode("utf-8", "surrogateescape")

    def type_list(self, at):
        if not at:
            return []
        count, = struct.unpack_from("<I", self.data, at)
        return [self.types[i] for i in struct.unpack_from(f"<{count}H", self.data, at + 4)]

    def uleb(self, at):
        value = shift = 0
        while True:
            byte = self.data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value, at

    def methods_with_code(self):
        """Indices of the methods that have code."""
        found = []
        for at in filter(None, self.data_offsets):
            counts = []
            for _ in range(4):
                count, at = self.uleb(at)
                counts.append(count)
            for _ in range(counts[0] + counts[1]):
                _, at = self.uleb(at)
                _, at = self.uleb(at)
            for count in counts[2:]:
                index = 0
                for _ in range(count):
                    step, at = self.uleb(at)
                    _, at = self.uleb(at)
                    code, at = self.uleb(at)
                    index += step
                    if code:
                        found.append(index)
        return found


class File:
    """Rules of one DEX file: flags by method index, and classes."""

    def __init__(self, key, checksum, type_ids=None, method_ids=None):
        self.key, self.checksum = key, checksum
        self.type_ids, self.method_ids = type_ids, method_ids
        self.methods, self.classes = {}, set()

    def flag(self, method, flags):
        self.methods[method] = self.methods.get(method, 0) | flags


def skip_caches(reader, own_types):
    for _ in range(reader.u16()):
        reader.u16()
        entries = reader.u8()
        if entries in (6, 7):
            continue
        for _ in range(entries):
            if own_types:
                reader.u16()
            else:
                reader.u8()
                reader.take(2 * reader.u8())


def read_hot(reader, size, file, own_types):
    end, last = reader.at + size, 0
    while reader.at < end:
        last += reader.u16()
        file.flag(last, HOT)
        skip_caches(reader, own_types)
    if reader.at != end:
        raise ValueError("hot methods cross the end of their region")


def distances(reader, count):
    last, found = 0, set()
    for _ in range(count):
        last += reader.u16()
        found.add(last)
    return found


def read_bitmap(reader, file, flags):
    count = file.method_ids
    bits = int.from_bytes(reader.take((count * len(flags) + 7) // 8), "little")
    for n, flag in enumerate(flags):
        for method in range(count):
            if bits >> (n * count + method) & 1:
                file.flag(method, flag)


def read_profile(data):
    """Returns the version and the files of a profile."""
    reader = Reader(data)
    if reader.take(4) != b"pro\0":
        raise ValueError("no profile")
    version = reader.take(4)[:3].decode()
    if version == "015":
        return version, read_sections(reader)
    if version not in ("009", "010"):
        raise ValueError(f"version {version}")
    count, size, packed = reader.u8(), reader.u32(), reader.u32()
    body = zlib.decompress(reader.take(packed))
    reader.end()
    if len(body) != size:
        raise ValueError("the size of the body is wrong")
    reader, heads = Reader(body), []

    def head():
        key, classes, hot = reader.u16(), reader.u16(), reader.u32()
        checksum, ids = reader.u32(), reader.u32()
        return File(reader.take(key).decode(), checksum, None, ids), classes, hot

    def rules(file, classes, hot):
        read_hot(reader, hot, file, False)
        file.classes = distances(reader, classes)
        read_bitmap(reader, file, (STARTUP, POST_STARTUP))
        return file

    if version == "010":
        heads = [head() for _ in range(count)]
        files = [rules(*each) for each in heads]
    else:
        files = [rules(*head()) for _ in range(count)]
    reader.end()
    return version, files


def read_sections(reader):
    files, entries = [], []
    for _ in range(reader.u32()):
        entries.append((reader.u32(), reader.u32(), reader.u32(), reader.u32()))
    for kind, at, size, inflated in entries:
        data = reader.data[at:at + size]
        section = Reader(zlib.decompress(data) if inflated else data)
        if kind == 0:
            for _ in range(section.u16()):
                checksum, types, ids = section.u32(), section.u32(), section.u32()
                key = section.take(section.u16()).decode()
                files.append(File(key, checksum, types, ids))
        elif kind == 2:
            while section.at < len(section.data):
                file = files[section.u16()]
                file.classes |= distances(section, section.u16())
        elif kind == 3:
            while section.at < len(section.data):
                file, size = files[section.u16()], section.u32()
                end, flags = section.at + size, section.u16()
                present = [f for f in (STARTUP, POST_STARTUP) if flags & f]
                read_bitmap(section, file, present)
                read_hot(section, end - section.at, file, True)
        else:
            raise ValueError(f"section {kind}")
    return files


def read_metadata(data):
    """Returns number, key, number of type ids and class definitions of each DEX file."""
    reader = Reader(data)
    if reader.take(8) != b"prm\x00002\0":
        raise ValueError("no metadata of version 002")
    count, size, packed = reader.u16(), reader.u32(), reader.u32()
    body = Reader(zlib.decompress(reader.take(packed)))
    reader.end()
    if len(body.data) != size:
        raise ValueError("the size of the body is wrong")
    found = []
    for _ in range(count):
        number = body.u16()
        key = body.take(body.u16()).decode()
        types, classes = body.u32(), body.u16()
        found.append((number, key, types, distances(body, classes)))
    body.end()
    return found


def steps(indices):
    last, out = 0, b""
    for index in sorted(indices):
        out += struct.pack("<H", index - last)
        last = index
    return out


def packed(head, body):
    data = zlib.compress(body, 1)
    return head + struct.pack("<II", len(body), len(data)) + data


def bitmap(file, flags):
    bits = 0
    for n, flag in enumerate(flags):
        for method, own in file.methods.items():
            if own & flag:
                bits |= 1 << (n * file.method_ids + method)
    return bits.to_bytes((file.method_ids * len(flags) + 7) // 8, "little")


def hot_list(file):
    last, out = 0, b""
    for method in sorted(m for m, own in file.methods.items() if own & HOT):
        out += struct.pack("<HH", method - last, 0)
        last = method
    return out


def write_profile(files):
    """Writes version 010."""
    heads = bodies = b""
    for file in files:
        hot, key = hot_list(file), file.key.encode()
        numbers = (len(key), len(file.classes), len(hot), file.checksum, file.method_ids)
        heads += struct.pack("<HHIII", *numbers) + key
        bodies += hot + steps(file.classes) + bitmap(file, (STARTUP, POST_STARTUP))
    return packed(b"pro\x00010\0" + bytes([len(files)]), heads + bodies)


def write_metadata(files):
    """Writes version 002 of (key, number of type ids, definitions)."""
    body = b""
    for number, (key, types, definitions) in enumerate(files):
        body += struct.pack("<HH", number, len(key)) + key.encode()
        body += struct.pack("<IH", types, len(definitions)) + steps(definitions)
    return packed(b"prm\x00002\0" + struct.pack("<H", len(files)), body)


def write_sections(files, name):
    """Writes version 015, as androidx.profileinstaller does on a device for the APK `name`."""
    dex = struct.pack("<H", len(files))
    classes = methods = b""
    for number, file in enumerate(files):
        key = name if file.key == "classes.dex" else f"{name}!{file.key}"
        dex += struct.pack("<IIIH", file.checksum, file.type_ids, file.method_ids, len(key))
        dex += key.encode()
        classes += struct.pack("<HH", number, len(file.classes)) + steps(file.classes)
        flags = 0
        for own in file.methods.values():
            flags |= own
        present = [f for f in (STARTUP, POST_STARTUP) if flags & f]
        body = struct.pack("<H", flags) + bitmap(file, present) + hot_list(file)
        methods += struct.pack("<HI", number, len(body)) + body
    out, contents = b"pro\x00015\0" + struct.pack("<I", 3), b""
    at = len(out) + 3 * 16
    for kind, data in ((0, dex), (2, classes), (3, methods)):
        stored, inflated = (data, 0) if kind == 0 else (zlib.compress(data), len(data))
        out += struct.pack("<IIII", kind, at, len(stored), inflated)
        contents += stored
        at += len(stored)
    return out + contents
