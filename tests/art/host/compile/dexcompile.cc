// Every method of a class through ART's optimizing compiler, without running its code.
#include <dlfcn.h>
#include <jni.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include "android-base/logging.h"
#include "art_method-inl.h"
#include "base/logging.h"
#include "class_linker.h"
#include "handle_scope-inl.h"
#include "jit/jit.h"
#include "jit/jit_code_cache.h"
#include "jit/profiling_info.h"
#include "jni/jni_internal.h"
#include "mirror/class-inl.h"
#include "runtime.h"
#include "scoped_thread_state_change-inl.h"
using namespace art;

// What the compiler logs of the method that this thread compiles. Other threads compile, too: the runtime's own JIT.
struct Said {
  bool built = false;  // the method's graph: what is said from then on is of methods that it tried to inline
  std::string reason;
};
static thread_local Said* said = nullptr;
static jlong announced = 0;

static bool starts(const char* m, const char* with) { return strncmp(m, with, strlen(with)) == 0; }

static void hear(android::base::LogId, android::base::LogSeverity severity, const char*, const char*, unsigned int, const char* m) {
  if (severity == android::base::FATAL) fprintf(stderr, "%s\n", m);
  if (said == nullptr) return;
  if (starts(m, "Building ")) {
    announced++;
  } else if (starts(m, "Starting pass: ")) {
    if (!starts(m, "Starting pass: builder")) said->built = true;
  } else if (!said->built && said->reason.empty() &&
             (strstr(m, "ot compile") != nullptr || starts(m, "Skip compilation") || starts(m, "Method exceeds compiler"))) {
    said->reason = m;
    for (char& c : said->reason) if (c == '\n' || c == '\t') c = ' ';
  }
}

// A compiler of our own: the runtime's front for it (Jit::CompileMethod) takes no static method of a class that is not initialised.
static void* compiler = nullptr;
static bool (*compile_method)(void*, ArtMethod*, Thread*, bool, bool) = nullptr;

extern "C" JNIEXPORT void JNICALL Java_DexCompile_init(JNIEnv*, jclass) {
  void* library = dlopen("libart-compiler.so", RTLD_NOW);
  auto load = library == nullptr ? nullptr : reinterpret_cast<void* (*)()>(dlsym(library, "jit_load"));
  compile_method = library == nullptr ? nullptr : reinterpret_cast<decltype(compile_method)>(dlsym(library, "jit_compile_method"));
  if (load == nullptr || compile_method == nullptr || Runtime::Current()->GetJit() == nullptr) {
    fprintf(stderr, "dexcompile: the runtime has no JIT\n");
    exit(2);
  }
  gLogVerbosity.compiler = true;
  android::base::SetLogger(hear);
  android::base::SetMinimumLogSeverity(android::base::INFO);
  compiler = load();
}

extern "C" JNIEXPORT jlong JNICALL Java_DexCompile_announced(JNIEnv*, jclass) { return announced; }

extern "C" JNIEXPORT jstring JNICALL Java_DexCompile_compile(JNIEnv* env, jclass, jclass c) {
  std::string lines;
  {
    ScopedObjectAccess soa(env);
    Thread* self = soa.Self();
    StackHandleScope<1> handles(self);
    Handle<mirror::Class> klass(handles.NewHandle(soa.Decode<mirror::Class>(c)));
    Runtime::Current()->GetClassLinker()->VerifyClass(self, klass, verifier::HardFailLogMode::kLogNone);
    if (self->IsExceptionPending()) self->ClearException();
    bool verified = klass->IsVerified();
    jit::JitCodeCache* cache = Runtime::Current()->GetJit()->GetCodeCache();
    for (ArtMethod& method : klass->GetDeclaredMethods(kRuntimePointerSize)) {
      std::string name = method.PrettyMethod();
      if (method.GetCodeItemOffset() == 0) {
        lines += "bodiless\t" + name + "\n";
        continue;
      }
      Said here;
      bool compiled = false;
      if (!verified) {
        here.reason = "its class does not pass the verifier";
      } else if (method.MustCountLocks()) {
        here.reason = "failed lock verification";
      } else if (!method.IsCompilable()) {
        here.reason = "the verifier says not to compile it";
      } else {
        // Where the cache puts the code's entry point.
        ProfilingInfo::Create(self, &method, /* retry_allocation= */ true);
        said = &here;
        compiled = compile_method(compiler, &method, self, /* baseline= */ false, /* osr= */ false);
        said = nullptr;
        if (self->IsExceptionPending()) self->ClearException();
        // The code cache is small, and the code is not wanted.
        if (compiled) cache->RemoveMethod(&method, /* release_memory= */ true);
      }
      if (compiled) {
        lines += "compiled\t" + name + "\n";
      } else {
        if (here.reason.empty()) here.reason = here.built ? "no room for its code" : "no reason given";
        lines += "refused\t" + name + "\t" + here.reason + "\n";
      }
    }
  }
  return env->NewStringUTF(lines.c_str());
}
