// Every method of a class through ART 14's optimizing compiler, without running its code.
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
#include "jni/jni_internal.h"
#include "mirror/class-inl.h"
#include "oat_quick_method_header.h"
#include "runtime.h"
#include "scoped_thread_state_change-inl.h"
using namespace art;

// The compiler's messages on the method that this thread compiles. Other threads compile, too: the
// runtime's own JIT.
struct Said {
  bool built = false;  // its graph: later messages are on methods that it tried to inline
  std::string reason;
};
static thread_local Said* said = nullptr;
static jlong announced = 0;

static bool starts(const char* m, const char* with) { return strncmp(m, with, strlen(with)) == 0; }

static bool is_refusal(const char* m) {
  return strstr(m, "ot compile") != nullptr || starts(m, "Skip compilation") ||
         starts(m, "Method exceeds compiler");
}

static void hear(android::base::LogId, android::base::LogSeverity severity, const char*,
                 const char*, unsigned int, const char* m) {
  if (severity == android::base::FATAL) fprintf(stderr, "%s\n", m);
  // Counters come when the runtime ends: `OptStat#Name: N`, where Name may have a class before it.
  const char* number = starts(m, "OptStat#") ? strrchr(m, ':') : nullptr;
  if (number != nullptr) {
    printf("counter\t%.*s\t%s\n", static_cast<int>(number - m - 8), m + 8, number + 2);
    fflush(stdout);
  }
  if (said == nullptr) return;
  if (starts(m, "Building ")) {
    announced++;
  } else if (starts(m, "Starting pass: ")) {
    if (!starts(m, "Starting pass: builder")) said->built = true;
  } else if (!said->built && said->reason.empty() && is_refusal(m)) {
    said->reason = m;
    for (char& c : said->reason) if (c == '\n' || c == '\t') c = ' ';
  }
}

extern "C" JNIEXPORT void JNICALL Java_DexCompile_init(JNIEnv*, jclass) {
  if (Runtime::Current()->GetJit() == nullptr) {
    fprintf(stderr, "dexcompile: the runtime has no JIT\n");
    exit(2);
  }
  gLogVerbosity.compiler = true;
  android::base::SetLogger(hear);
  android::base::SetMinimumLogSeverity(android::base::INFO);
}

extern "C" JNIEXPORT jlong JNICALL Java_DexCompile_announced(JNIEnv*, jclass) { return announced; }

// Classes must be verified before others may inline their methods.
extern "C" JNIEXPORT void JNICALL Java_DexCompile_verify(JNIEnv* env, jclass, jclass c) {
  ScopedObjectAccess soa(env);
  StackHandleScope<1> handles(soa.Self());
  Handle<mirror::Class> klass(handles.NewHandle(soa.Decode<mirror::Class>(c)));
  Runtime::Current()->GetClassLinker()->VerifyClass(soa.Self(), nullptr, klass);
  if (soa.Self()->IsExceptionPending()) soa.Self()->ClearException();
}

// Bytes of native code that a method has in the code cache.
static size_t size_of_code(jit::Jit* jit, ArtMethod* method) {
  const void* entry = method->GetEntryPointFromQuickCompiledCode();
  if (!jit->GetCodeCache()->ContainsPc(entry)) {
    // Kept aside while the class is not initialized.
    method->SetPreCompiled();
    entry = jit->GetCodeCache()->GetSavedEntryPointOfPreCompiledMethod(method);
  }
  return entry == nullptr ? 0 : OatQuickMethodHeader::FromEntryPoint(entry)->GetCodeSize();
}

extern "C" JNIEXPORT jstring JNICALL Java_DexCompile_compile(JNIEnv* env, jclass, jclass c) {
  std::string lines;
  {
    ScopedObjectAccess soa(env);
    Thread* self = soa.Self();
    StackHandleScope<1> handles(self);
    Handle<mirror::Class> klass(handles.NewHandle(soa.Decode<mirror::Class>(c)));
    jit::Jit* jit = Runtime::Current()->GetJit();
    bool verified = klass->IsVerified();
    for (ArtMethod& method : klass->GetDeclaredMethods(kRuntimePointerSize)) {
      std::string name = method.PrettyMethod();
      if (method.IsAbstract() || method.IsNative() || method.IsRuntimeMethod()) {
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
        said = &here;
        // As for a profile's method: a static one of a class that is not initialized, too.
        compiled = jit->CompileMethod(&method, self, CompilationKind::kOptimized, true);
        said = nullptr;
        if (self->IsExceptionPending()) self->ClearException();
      }
      if (compiled) {
        lines += "compiled\t" + name + "\t" + std::to_string(size_of_code(jit, &method)) + "\n";
      } else {
        if (here.reason.empty()) {
          here.reason = here.built ? "no room for its code" : "no reason given";
        }
        lines += "refused\t" + name + "\t" + here.reason + "\n";
      }
    }
  }
  return env->NewStringUTF(lines.c_str());
}
