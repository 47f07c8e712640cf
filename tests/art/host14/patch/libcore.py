"""Makes what ART 14's libart expects out of libcore 10: libcore.py LIBCORE ART14 PARTS.

LIBCORE is a copy of the sources that host/patch/libcore.py has adapted; it is changed in place.

1. PARTS/members/X.java holds members that class X gets, PARTS/java/X.java a class that is new or
   replaces libcore's. `classes_of` finds the source of X.
2. jdk.internal.misc.Unsafe is written from the runtime's own table of natives.
3. `main` has the replacements: natives with other parameters, natives that are gone, fields with
   other names, and method handles. ART 10 converts their arguments itself; ART 14 expects
   a transformer and calls it by `invokeExactWithFrame`.

A text that is not found is an error: then Debian has changed its package.
"""

import os
import re
import shutil
import sys

LIBCORE, ART14, PARTS = sys.argv[1:4]
ROOTS = ("libart/src/main/java", "ojluni/src/main/java", "dalvik/src/main/java",
         "luni/src/main/java")
NEW = "java14"  # of LIBCORE: classes that libcore 10 does not have
FAST = "    @dalvik.annotation.optimization.FastNative\n"


def source_of(name):
    """Path of a class's source, or None."""
    for root in ROOTS:
        path = os.path.join(LIBCORE, root, name)
        if os.path.exists(path):
            return path
    return None


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def replace(name, *pairs):
    """Replaces the first occurrence of each text."""
    path = source_of(name)
    text = read(path)
    for old, new in pairs:
        if old not in text:
            sys.exit("libcore.py: %s has no %r" % (name, old))
        text = text.replace(old, new, 1)
    write(path, text)


def substitute(name, pattern, new):
    path = source_of(name)
    text, n = re.subn(pattern, new, read(path))
    if not n:
        sys.exit("libcore.py: %s has no %r" % (name, pattern))
    write(path, text)


def files_below(folder):
    for parent, _, names in os.walk(folder):
        for name in sorted(names):
            yield os.path.relpath(os.path.join(parent, name), folder)


def add_members():
    for name in files_below(os.path.join(PARTS, "members")):
        path = source_of(name)
        text = read(path)
        simple = os.path.basename(name)[:-len(".java")]
        head = re.search(r"^public (?:abstract |final )*class %s\b[^{]*\{\n" % simple, text, re.M)
        more = read(os.path.join(PARTS, "members", name))
        write(path, text[:head.end()] + more + text[head.end():])


def add_classes():
    for name in files_below(os.path.join(PARTS, "java")):
        to = source_of(name) or os.path.join(LIBCORE, NEW, name)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copy(os.path.join(PARTS, "java", name), to)
    # In ART 14 these have another package.
    for simple in ("FloatingDecimal", "FDBigInteger"):
        text = read(source_of("sun/misc/%s.java" % simple))
        text = re.sub(r"package sun\.misc;", "package jdk.internal.math;\nimport sun.misc.*;", text,
                      count=1)
        write(os.path.join(LIBCORE, NEW, "jdk/internal/math/%s.java" % simple), text)


PRIMITIVES = dict(Z="boolean", B="byte", C="char", S="short", I="int", J="long", F="float",
                  D="double", V="void")


def types(descriptors):
    """Java's names of the types in a list of descriptors without arrays."""
    return [PRIMITIVES.get(d) or d[1:-1].replace("/", ".")
            for d in re.findall(r"L[^;]+;|.", descriptors)]


UNSAFE_HEAD = """package jdk.internal.misc;

public final class Unsafe {
    private static final Unsafe THE_ONE = new Unsafe();
    private static final Unsafe theUnsafe = THE_ONE;
    private Unsafe() {}
    public static Unsafe getUnsafe() { return THE_ONE; }
    public int arrayBaseOffset(Class<?> c) {
        return getArrayBaseOffsetForComponentType(c.getComponentType());
    }
    public int arrayIndexScale(Class<?> c) {
        return getArrayIndexScaleForComponentType(c.getComponentType());
    }
    public long objectFieldOffset(java.lang.reflect.Field f) { return f.getOffset(); }
"""
UNSAFE_NUMBERS = """
    public final %(type)s get%(Name)sAcquire(Object o, long at) {
        return get%(Name)sVolatile(o, at);
    }
    public final void put%(Name)sRelease(Object o, long at, %(type)s x) {
        put%(Name)sVolatile(o, at, x);
    }
    public final %(type)s getAndAdd%(Name)s(Object o, long at, %(type)s more) {
        %(type)s v;
        do { v = get%(Name)sVolatile(o, at); } while (!compareAndSwap%(Name)s(o, at, v, v + more));
        return v;
    }
    public final %(type)s getAndSet%(Name)s(Object o, long at, %(type)s x) {
        %(type)s v;
        do { v = get%(Name)sVolatile(o, at); } while (!compareAndSwap%(Name)s(o, at, v, x));
        return v;
    }
"""
UNSAFE_REFERENCES = """
    public final boolean compareAndSetObject(Object o, long at, Object expected, Object x) {
        return compareAndSetReference(o, at, expected, x);
    }
    public final Object getObject(Object o, long at) { return getReference(o, at); }
    public final Object getObjectVolatile(Object o, long at) { return getReferenceVolatile(o, at); }
    public final Object getObjectAcquire(Object o, long at) { return getReferenceVolatile(o, at); }
    public final void putObject(Object o, long at, Object x) { putReference(o, at, x); }
    public final void putObjectVolatile(Object o, long at, Object x) {
        putReferenceVolatile(o, at, x);
    }
    public final void putObjectRelease(Object o, long at, Object x) {
        putReferenceVolatile(o, at, x);
    }
    public final Object getAndSetObject(Object o, long at, Object x) {
        Object v;
        do { v = getReferenceVolatile(o, at); } while (!compareAndSwapObject(o, at, v, x));
        return v;
    }
}
"""


def write_unsafe():
    table = read(os.path.join(ART14, "runtime/native/jdk_internal_misc_Unsafe.cc"))
    table = re.sub(r"//.*", "", table)
    text = UNSAFE_HEAD
    natives = r'(?:OVERLOADED_)?(FAST_)?NATIVE_METHOD\(\s*Unsafe,\s*(\w+),\s*((?:"[^"]*"\s*)+)'
    for fast, name, quoted in re.findall(natives, table):
        parameters, result = "".join(re.findall(r'"([^"]*)"', quoted))[1:].split(")")
        listed = ", ".join("%s a%d" % (t, i) for i, t in enumerate(types(parameters)))
        text += "%s    public native %s %s(%s);\n" % (FAST if fast else "", types(result)[0], name,
                                                      listed)
    for name in ("Int", "Long"):
        text += UNSAFE_NUMBERS % {"type": name.lower(), "Name": name}
    write(os.path.join(LIBCORE, NEW, "jdk/internal/misc/Unsafe.java"), text + UNSAFE_REFERENCES)


def method_handles():
    handle = "java/lang/invoke/MethodHandle.java"
    transformers = "java/lang/invoke/Transformers.java"
    replace(
        handle,
        ("    private MethodType nominalType;",
         "    private MethodHandle asTypeCache;\n"
         "    native void invokeExactWithFrame(dalvik.system.EmulatedStackFrame arguments)\n"
         "            throws Throwable;"),
        ("        if (nominalType != null) {\n            return nominalType;\n        }\n", ""),
        ("        MethodHandle mh = duplicate();\n        mh.nominalType = newType;\n"
         "        return mh;",
         "        return asTypeCache = new AsTypeAdapter(this, newType);"),
        # Types that the runtime makes have no form: they are made once more.
        ("        if (!type.isConvertibleTo(newType))",
         "        if (!MethodType.methodType(type.rtype(), type.ptypes()).isConvertibleTo(\n"
         "                MethodType.methodType(newType.rtype(), newType.ptypes())))"),
        ("        // Android-removed: Type conversion memoizing is unsupported on Android.\n"
         "        /*\n        // Return 'this.asTypeCache'",
         "        { MethodHandle k = asTypeCache; if (k != null && newType == k.type) return k; }\n"
         "        /*\n        // Return 'this.asTypeCache'"))
    # The kinds of handles have other numbers.
    for kind, number in (("INVOKE_CALLSITE_TRANSFORM", 5), ("INVOKE_VAR_HANDLE", 6),
                         ("INVOKE_VAR_HANDLE_EXACT", 7), ("IGET", 8), ("IPUT", 9), ("SGET", 10),
                         ("SPUT", 11)):
        substitute(handle, r"public static final int %s = \d+" % kind,
                   "public static final int %s = %d" % (kind, number))
    replace(
        transformers,
        ("final boolean value = (boolean) test.invoke(testFrame);",
         "test.invokeExactWithFrame(testFrame);\n"
         "                final boolean value = result(testFrame);"),
        ("    public static abstract class Transformer extends",
         "    static boolean result(EmulatedStackFrame frame) {\n"
         "        EmulatedStackFrame.StackFrameReader r = new "
         "EmulatedStackFrame.StackFrameReader();\n"
         "        r.attach(frame);\n        r.makeReturnValueAccessor();\n"
         "        return r.nextBoolean();\n    }\n"
         "    public static abstract class Transformer extends"))
    substitute(transformers, r"\b(delegate|target|handler|fallback|filter|combiner|collector"
               r"|constructorHandle)\.invoke\(", r"\1.invokeExactWithFrame(")
    replace("dalvik/system/EmulatedStackFrame.java",
            ("    private final MethodType callsiteType;\n", ""),
            ("        this.callsiteType = callsiteType;\n", ""),
            ("return callsiteType; }", "return type; }"))


def natives():
    """Natives whose parameters are others, or which ART 14 does not have."""
    replace("dalvik/system/DexFile.java",
            ("verifyInBackgroundNative(mCookie, classLoader, classLoaderContext)",
             "verifyInBackgroundNative(mCookie, classLoader)"))
    substitute("dalvik/system/DexFile.java",
               r"(native void verifyInBackgroundNative\(Object mCookie, ClassLoader classLoader),"
               r"\s*String classLoaderContext\);", r"\1);")
    substitute("dalvik/system/DexFile.java",
               r"static native String getClassLoaderContext\(ClassLoader classLoader,[^;]*;",
               "static String getClassLoaderContext(ClassLoader classLoader,\n"
               "            DexPathList.Element[] elements) { return null; }")
    gone = (("boolean isDebuggerActive()", "return false;"), ("void startJitCompilation()", ""),
            ("void disableJitCompilation()", ""), ("void concurrentGC()", "requestConcurrentGC();"))
    gone_statics = (("boolean hasBootImageSpaces()", "return false;"),
                    ("boolean didPruneDalvikCache()", "return false;"),
                    ("void registerAppInfo(String profileFile, String[] codePaths)", ""))
    replace("dalvik/system/VMRuntime.java",
            *(("public native %s;" % m, "public %s { %s }" % (m, b)) for m, b in gone),
            *(("public static native %s;" % m, "public static %s { %s }" % (m, b))
              for m, b in gone_statics))
    replace("dalvik/system/ZygoteHooks.java",
            ("        nativePostForkSystemServer();", "        nativePostForkSystemServer(0);"),
            ("native void nativePostForkSystemServer();",
             "native void nativePostForkSystemServer(int runtimeFlags);"))


def main():
    natives()
    method_handles()
    replace("dalvik/system/ClassExt.java",
            ("private Object verifyError;", "private Throwable erroneousStateError;"))
    substitute("java/lang/reflect/Field.java", r"\bdexFieldIndex\b", "artFieldIndex")
    # ART initialises this class before libjavacore, which has its natives, is loaded.
    replace("java/io/FileDescriptor.java",
            ("            return new FileDescriptor(Os.fcntlInt(new FileDescriptor(fd), "
             "F_DUPFD_CLOEXEC, 0));",
             "            if (true) return new FileDescriptor(fd);\n"
             "            return new FileDescriptor(Os.fcntlInt(new FileDescriptor(fd), "
             "F_DUPFD_CLOEXEC, 0));"))
    add_members()
    add_classes()
    write_unsafe()


main()
