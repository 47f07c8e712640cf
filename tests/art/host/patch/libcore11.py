# libcore 10 -> what ART 11's libart wants; argv[1] = (already patched) libcore source directory
import sys
B=sys.argv[1]
def sub(p,*pairs):
    p=B+'/'+p; s=open(p).read()
    for a,b in pairs:
        if b in s: continue
        assert a in s,(p,a)
        s=s.replace(a,b,1)
    open(p,'w').write(s)
sub('libart/src/main/java/dalvik/system/ClassExt.java',
    ('public final class ClassExt {\n','''public final class ClassExt {
    private Object instanceJfieldIDs;
    private Object jmethodIDs;
    private Class<?> obsoleteClass;
    private Object staticJfieldIDs;
'''))
sub('libart/src/main/java/java/lang/DexCache.java',
    ('final class DexCache {\n','final class DexCache {\n    private ClassLoader classLoader;\n'))
p=B+'/ojluni/src/main/java/java/lang/reflect/Field.java'; s=open(p).read().replace(
    'dexFieldIndex','artFieldIndex'); open(p,'w').write(s)
sub('libart/src/main/java/dalvik/system/VMRuntime.java',
    ('    public native boolean isDebuggerActive();',
     '''    public boolean isDebuggerActive() { return false; }
    private native void setDisabledCompatChangesNative(long[] disabledCompatChanges);
    @dalvik.annotation.optimization.CriticalNative public static native void doNotInitializeInAot();
    public static native void bootCompleted();
    public static native void resetJitCounters();
    public static native boolean isValidClassLoaderContext(String encodedClassLoaderContext);'''))
sub('dalvik/src/main/java/dalvik/system/ZygoteHooks.java',
    ('nativePostForkSystemServer();','nativePostForkSystemServer(0);'),
    ('private static native void nativePostForkSystemServer();',
     'private static native void nativePostForkSystemServer(int runtimeFlags);'))
sub('dalvik/src/main/java/dalvik/system/BaseDexClassLoader.java',
    ('    /**\n     * Constructs an instance.','    public native String[] '
     'computeClassLoaderContextsNative();\n\n    /**\n     * Constructs an instance.'))
sub('ojluni/src/main/java/java/lang/Thread.java',
    ('    private native static boolean interrupted0();' if 0 else 'public static native Thread '
     'currentThread();','public static native Thread currentThread();\n\n'
     '    @dalvik.annotation.optimization.FastNative private static native int getNativeTid();'))
# ART 11 initialises this class before libjavacore is loaded
sub('ojluni/src/main/java/java/io/FileDescriptor.java',
    ('            return new FileDescriptor(Os.fcntlInt(new FileDescriptor(fd), '
     'F_DUPFD_CLOEXEC, 0));','            if (true) return new FileDescriptor(fd);\n            '
     'return new FileDescriptor(Os.fcntlInt(new FileDescriptor(fd), F_DUPFD_CLOEXEC, 0));'))
