"""Names what ART 14's runtime expects of libcore and these classes lack: expected.py ART14 CLASSES
(a folder of class files). Exits 1 if there is anything.

The runtime aborts at its start, or calls something else, where one is missing. Its expectations
are in its sources: the intrinsics table, the tables of natives, the well known classes, methods and
fields, and the class roots.
"""

import glob
import os
import re
import struct
import sys

STATIC, PRIVATE, NATIVE = 0x8, 0x2, 0x100
# Bytes of a constant's body behind its tag, and how many indices it takes.
CONSTANT_SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4,
                  18: 4, 19: 2, 20: 2}


class ClassFile:
    """Name, superclass, fields and methods ({(name, descriptor): access flags}) of a class file."""

    def __init__(self, data):
        self.data, self.at = data, 8
        self.constants = {}
        index, count = 1, self.short()
        while index < count:
            tag = data[self.at]
            self.at += 1
            if tag == 1:
                size = self.short()
                self.constants[index] = data[self.at:self.at + size].decode("utf-8", "replace")
                self.at += size
            elif tag == 7:
                self.constants[index] = self.short()
            else:
                self.at += CONSTANT_SIZES[tag]
            index += 2 if tag in (5, 6) else 1
        self.short()
        self.name = self.constants[self.constants[self.short()]]
        above = self.short()
        self.superclass = self.constants[self.constants[above]] if above else None
        interfaces = self.short()
        self.at += 2 * interfaces
        self.fields = self.members()
        self.methods = self.members()

    def short(self):
        value, = struct.unpack_from(">H", self.data, self.at)
        self.at += 2
        return value

    def members(self):
        found = {}
        for _ in range(self.short()):
            access, name, descriptor = self.short(), self.short(), self.short()
            for _ in range(self.short()):
                self.at += 6 + struct.unpack_from(">I", self.data, self.at + 2)[0]
            found[self.constants[name], self.constants[descriptor]] = access
        return found


class Expectations:
    """The runtime's sources, the classes, and what is missing."""

    def __init__(self, art, classes):
        self.art, self.missing, self.classes = art, [], {}
        for path in glob.glob(os.path.join(classes, "**", "*.class"), recursive=True):
            with open(path, "rb") as f:
                parsed = ClassFile(f.read())
            self.classes[parsed.name] = parsed

    def source(self, path):
        with open(os.path.join(self.art, path), encoding="utf-8", errors="replace") as f:
            return f.read()

    def has_class(self, table, name):
        if name not in self.classes:
            self.missing.append("%s: class %s" % (table, name))
        return name in self.classes

    def method(self, name, member, inherited):
        """Access flags, or None."""
        known = self.classes.get(name)
        while known:
            if member in known.methods:
                return known.methods[member]
            known = self.classes.get(known.superclass) if inherited else None
        return None

    def need(self, table, name, member, holds=lambda access: True, inherited=False):
        if self.has_class(table, name):
            access = self.method(name, member, inherited)
            if access is None or not holds(access):
                self.missing.append("%s: %s.%s%s%s" % (table, name, *member, "" if access is None
                                                       else ", with other flags"))

    def intrinsics(self):
        kinds = {"kStatic": lambda a: a & STATIC, "kDirect": lambda a: a & PRIVATE,
                 "kVirtual": lambda a: not a & (STATIC | PRIVATE)}
        text = self.source("runtime/intrinsics_list.h").replace("\\\n", " ")
        row = r'V\(\w+, (k\w+), \w+, \w+, \w+, "L([^"]*);", "([^"]*)", "([^"]*)"\)'
        for kind, name, method, descriptor in re.findall(row, text):
            self.need("intrinsics", name, (method, descriptor),
                      kinds.get(kind, lambda a: not a & STATIC), inherited=True)

    def natives(self):
        row = (r'(?:OVERLOADED_)?(?:FAST_|CRITICAL_)?NATIVE_METHOD\(\s*\w+,\s*(\w+),'
               r'\s*((?:"[^"]*"\s*)+)')
        for path in sorted(glob.glob(os.path.join(self.art, "runtime/native/*.cc"))):
            text = re.sub(r"//.*", "", self.source(path))
            registered = re.search(r'REGISTER_NATIVE_METHODS\(\s*"([^"]+)"', text)
            for method, quoted in re.findall(row, text) if registered else ():
                descriptor = "".join(re.findall(r'"([^"]*)"', quoted))
                self.need("natives", registered.group(1), (method, descriptor),
                          lambda a: a & NATIVE)

    def well_known(self):
        text = self.source("runtime/well_known_classes.cc")
        for name in re.findall(r'CacheClass\(env, "([^"]+)"\)', text):
            self.has_class("well known", name.lstrip("[").lstrip("L").rstrip(";")
                           if name.startswith("[") else name)
        variables = {"j_l_Double": "java/lang/Double", "j_l_Float": "java/lang/Float"}
        handle = (r'Handle<mirror::Class> (\w+) =\s*hs\.NewHandle\(\s*FindSystemClass\('
                  r'\s*class_linker, self, "L([^"]+);"\)')
        for variable, name in re.findall(handle, text):
            variables[variable] = name
            self.has_class("well known", name)
        roots = {"Proxy": "java/lang/reflect/Proxy"}
        for variable, root in re.findall(
                r"ObjPtr<mirror::Class> (\w+) = GetClassRoot<mirror::(\w+)>", text):
            variables[variable] = roots.get(root, "java/lang/" + root)
        row = (r'Cache%s\(\s*(\w+)(?:\.Get\(\))?,\s*/\*is_static=\*/\s*(true|false),'
               r'\s*"([^"]+)",\s*"([^"]+)"')
        for variable, static, name, descriptor in re.findall(row % "Method", text):
            self.need("well known", variables[variable], (name, descriptor),
                      lambda a, s=static == "true": bool(a & STATIC) == s, inherited=True)
        for variable, static, name, descriptor in re.findall(row % "Field", text):
            access = self.classes[variables[variable]].fields.get((name, descriptor))
            if access is None or bool(access & STATIC) != (static == "true"):
                self.missing.append("well known: field %s.%s %s" % (variables[variable], name,
                                                                    descriptor))
        row = r'V\(java_lang_String_init\w*, "([^"]+)", \w+, "([^"]+)", "([^"]+)"'
        for constructor, factory, descriptor in re.findall(row, text):
            self.need("strings", "java/lang/String", ("<init>", constructor))
            self.need("strings", "java/lang/StringFactory", (factory, descriptor))

    def roots(self):
        for name in re.findall(r'M\(\w+,\s*"\[?L([^"]+);"', self.source("runtime/class_root.h")):
            self.has_class("class roots", name)


def main():
    expectations = Expectations(*sys.argv[1:3])
    expectations.intrinsics()
    expectations.natives()
    expectations.well_known()
    expectations.roots()
    for line in expectations.missing:
        print(line)
    print("%d missing in %d classes" % (len(expectations.missing), len(expectations.classes)))
    sys.exit(1 if expectations.missing or not expectations.classes else 0)


main()
