// every class of a DEX through ART's own verifier, without running its code
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
#include "runtime.h"
#include "scoped_thread_state_change-inl.h"
#include "verifier/class_verifier.h"
#include "verifier/verifier_enums.h"
using namespace art;
extern "C" JNIEXPORT void JNICALL Java_DexVerify_init(JNIEnv*, jclass, jboolean verbose) {
  gLogVerbosity.verifier = verbose;
  android::base::SetLogger([](android::base::LogId, android::base::LogSeverity, const char*, const char*, unsigned int, const char* m) {
    if (strstr(m, "verif") || strstr(m, "Verif") || strstr(m, "[0x")) { printf("    %s\n", m); fflush(stdout); } });
  android::base::SetMinimumLogSeverity(android::base::INFO);
}
extern "C" JNIEXPORT jstring JNICALL Java_DexVerify_verify(JNIEnv* env, jclass, jclass c) {
  std::string err, res;
  {
    ScopedObjectAccess soa(env);
    verifier::FailureKind k = verifier::ClassVerifier::VerifyClass(soa.Self(), soa.Decode<mirror::Class>(c), nullptr, true,
        verifier::HardFailLogMode::kLogWarning, Runtime::Current()->GetTargetSdkVersion(), &err);
    if (k == verifier::FailureKind::kNoFailure) res = "OK";
    else if (k == verifier::FailureKind::kHardFailure) res = "HARD " + err;
    else res = (static_cast<int>(k) == static_cast<int>(verifier::FailureKind::kSoftFailure) ? "SOFT " : "ACCESS ") + err;
    if (soa.Self()->IsExceptionPending()) soa.Self()->ClearException();
  }
  return env->NewStringUTF(res.c_str());
}
