#!/bin/sh
# make the ART headers acceptable to g++ ; $1 = art source
A=$1
sed -i 's/^#define ALWAYS_INLINE  __attribute__ ((always_inline))/#define ALWAYS_INLINE/' \
  $A/libartbase/base/macros.h
old='return OFFSETOF_MEMBER(Runtime, callee_save_methods_\[static_cast<size_t>(type)\]);'
new='return OFFSETOF_MEMBER(Runtime, callee_save_methods_[0])'
sed -i "s/$old/$new + sizeof(uint64_t) * static_cast<size_t>(type);/" $A/runtime/runtime.h
sed -i 's/return isnan(d);/return __builtin_isnan(d);/' $A/openjdkjvm/OpenjdkJvm.cc
old='bool operator()(const MemoryRegion'
sed -i "s/    constexpr $old& lhs/    $old\\& lhs/" $A/libartbase/base/memory_region.h
old='struct ucontext \*uc = reinterpret_cast<struct ucontext\*>'
sed -i "s/$old/ucontext_t *uc = reinterpret_cast<ucontext_t*>/" \
  $A/test/004-SignalTest/signaltest.cc $A/test/115-native-bridge/nativebridge.cc 2>/dev/null || true
# for the compiler (JIT) with g++
python3 - $A <<'PY'
import sys,re,os
A=sys.argv[1]
def ed(p,f):
    p=A+'/'+p
    if not os.path.exists(p): return
    s=open(p).read(); t=f(s)
    if t!=s: open(p,'w').write(t)
ed('runtime/mirror/dex_cache.h',lambda s:s.replace('''    uint64_t first, second;
    __asm__ __volatile__(
        "lock cmpxchg16b (%2)"
        : "=&a"(first), "=&d"(second)
        : "r"(target), "a"(0), "d"(0), "b"(0), "c"(0)
        : "cc");''','''    uint64_t first = 0, second = 0;
    __asm__ __volatile__(
        "lock cmpxchg16b (%2)"
        : "+a"(first), "+d"(second)
        : "r"(target), "b"(0ull), "c"(0ull)
        : "cc", "memory");'''))
ed('libelffile/elf/elf_builder.h',lambda s:re.sub(r'\.d_un\.d_ptr = (.*?) \}(,?)\n',
                                                  r'.d_un = { .d_ptr = \1 } }\2\n',s))
ed('compiler/optimizing/register_allocator_linear_scan.cc',lambda s:s.replace(
    'static ArenaVector<LiveInterval*>::iterator RemoveInterval',
    'static ScopedArenaVector<LiveInterval*>::iterator RemoveInterval'))
for a in ('x86','x86_64','arm','arm64','mips','mips64'):
    ed('compiler/utils/%s/managed_register_%s.h'
       %(a,a),lambda s:re.sub(r'constexpr (\w+ AsRegisterPair(Low|High|)\(\))',r'\1',s))
def oa(s):
    if 'const_cast<ObjectArray<T>*>' in s: return s
    return re.sub(
        r'(ConstObjPtrArrayIter<T>\()this, GetLength\(\)',
        r'\1const_cast<ObjectArray<T>*>(this), const_cast<ObjectArray<T>*>(this)->GetLength()',
        re.sub(r'(ConstObjPtrArrayIter<T>\()this, 0',r'\1const_cast<ObjectArray<T>*>(this), 0',s))
ed('runtime/mirror/object_array-inl.h',oa)
PY
