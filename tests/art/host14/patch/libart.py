"""Mends Debian's libart 14 in place: libart.py LIBART.SO. Addresses come from its symbol table.

Both faults come from Debian's compiler, which is not Android's:

1. The class linker hands BitVector a buffer on its stack and counts on a compiler that clears it
   (-ftrivial-auto-var-init=zero). Without that, vtables come out wrong. The constructor, which
   nothing else uses, now clears the buffer.
2. libstdc++'s std::array<uint32_t, 0> has size 1 and no data, so calls without arguments would copy
   a byte from nowhere. The odd bytes of that size are dropped.
"""

import struct
import sys

SEGMENT, DYNAMIC_SEGMENT = 1, 2
STRINGS, SYMBOLS = 5, 6  # tags of the dynamic section
CONSTRUCTOR = b"_ZN3art9BitVectorC2EbPNS_9AllocatorEjPj"
VTABLE = b"_ZTVN3art9BitVectorE"


class Library:
    """A shared library in memory."""

    def __init__(self, data):
        self.data = bytearray(data)
        at, = struct.unpack_from("<Q", data, 32)
        count, = struct.unpack_from("<H", data, 56)
        self.segments = [struct.unpack_from("<IIQQQQQQ", data, at + 56 * i) for i in range(count)]
        at, size = next((s[2], s[5]) for s in self.segments if s[0] == DYNAMIC_SEGMENT)
        self.dynamic = {}
        for i in range(at, at + size, 16):
            tag, value = struct.unpack_from("<QQ", data, i)
            self.dynamic.setdefault(tag, value)

    def offset(self, address):
        for kind, _, offset, start, _, size, _, _ in self.segments:
            if kind == SEGMENT and start <= address < start + size:
                return offset + address - start
        sys.exit("libart.py: nothing at %#x" % address)

    def symbol(self, name):
        """(address, size)"""
        strings = self.offset(self.dynamic[STRINGS])
        found = self.data.find(b"\0" + name + b"\0", strings)
        if found < 0:
            sys.exit("libart.py: no symbol " + name.decode())
        entry = self.offset(self.dynamic[SYMBOLS])
        while struct.unpack_from("<I", self.data, entry)[0] != found + 1 - strings:
            entry += 24
        return struct.unpack_from("<QQ", self.data, entry + 8)


def clear_buffer(library):
    address, size = library.symbol(CONSTRUCTOR)
    vtable = library.symbol(VTABLE)[0] + 16
    at = library.offset(address)
    code = (bytes.fromhex("f30f1efa"                         # endbr64
                          "488d05") + struct.pack("<i", vtable - (address + 11))  # lea rax, vtable
            + bytes.fromhex("488907 4c894708 894f10 48895718 40887720"  # fields, as before
                            "4c89c7 31c0 89c9 f3ab"  # mov rdi, r8; … rep stosd: the buffer
                            "c3"))
    old = library.data[at:at + 48]
    if old[:len(code)] == code:
        return
    known = (old[4:11] == bytes.fromhex("554889e5488d05")
             and struct.unpack_from("<i", old, 11)[0] == vtable - (address + 15)
             and old[15:18] == bytes.fromhex("488907") and size <= 48)
    if not known:
        sys.exit("libart.py: another constructor of BitVector: " + old.hex())
    library.data[at:at + 48] = code + b"\xcc" * (48 - len(code))


def drop_odd_bytes(library):
    copy = bytes.fromhex("48c7042400000000" "4489d1")  # mov qword [rsp], 0; mov ecx, r10d
    whole = bytes.fromhex("4883242400" "4489d1" "80e1fc")  # and qword [rsp], 0; …; and cl, 0xfc
    found = library.data.count(copy)
    if found == 2:
        library.data = library.data.replace(copy, whole)
    elif library.data.count(whole) != 2:
        sys.exit("libart.py: %d places where arguments are copied, not 2" % found)


def main():
    path = sys.argv[1]
    with open(path, "rb") as f:
        library = Library(f.read())
    clear_buffer(library)
    drop_odd_bytes(library)
    with open(path, "wb") as f:
        f.write(library.data)


main()
