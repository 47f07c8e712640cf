// Every class of a DEX through ART 14's own verifier, without running its code: the native half of
// ../host/verify/DexVerify.java.
#include <jni.h>
#include <stdio.h>
#include <string.h>

#include <string>

#include "android-base/logging.h"
#include "base/logging.h"
#include "class_linker.h"
#include "handle_scope-inl.h"
#include "jni/jni_internal.h"
#include "mirror/class-inl.h"
#include "mirror/class_loader-inl.h"
#include "mirror/dex_cache-inl.h"
#include "runtime.h"
#include "scoped_thread_state_change-inl.h"
#include "verifier/class_verifier.h"
#include "verifier/verifier_enums.h"
using namespace art;

static void hear(android::base::LogId, android::base::LogSeverity, const char*, const char*,
                 unsigned int, const char* message) {
  if (strstr(message, "verif") || strstr(message, "Verif") || strstr(message, "[0x")) {
    printf("    %s\n", message);
    fflush(stdout);
  }
}

extern "C" JNIEXPORT void JNICALL Java_DexVerify_init(JNIEnv*, jclass, jboolean verbose) {
  gLogVerbosity.verifier = verbose;
  android::base::SetLogger(hear);
  android::base::SetMinimumLogSeverity(android::base::INFO);
}

static const char* name_of(verifier::FailureKind kind) {
  switch (kind) {
    case verifier::FailureKind::kNoFailure: return "OK";
    case verifier::FailureKind::kHardFailure: return "HARD";
    case verifier::FailureKind::kAccessChecksFailure: return "ACCESS";
    case verifier::FailureKind::kTypeChecksFailure: return "TYPE";
    default: return "SOFT";
  }
}

extern "C" JNIEXPORT jstring JNICALL Java_DexVerify_verify(JNIEnv* env, jclass, jclass c) {
  std::string text;
  {
    ScopedObjectAccess soa(env);
    StackHandleScope<3> handles(soa.Self());
    Handle<mirror::Class> klass(handles.NewHandle(soa.Decode<mirror::Class>(c)));
    Handle<mirror::DexCache> cache(handles.NewHandle(klass->GetDexCache()));
    Handle<mirror::ClassLoader> loader(handles.NewHandle(klass->GetClassLoader()));
    std::string error;
    verifier::FailureKind kind = verifier::ClassVerifier::VerifyClass(
        soa.Self(), nullptr, cache->GetDexFile(), klass, cache, loader, *klass->GetClassDef(),
        nullptr, verifier::HardFailLogMode::kLogWarning,
        Runtime::Current()->GetTargetSdkVersion(), &error);
    text = name_of(kind);
    if (kind != verifier::FailureKind::kNoFailure) text += " " + error;
    if (soa.Self()->IsExceptionPending()) soa.Self()->ClearException();
  }
  return env->NewStringUTF(text.c_str());
}
