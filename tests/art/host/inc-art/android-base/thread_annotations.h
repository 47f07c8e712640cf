#pragma once
// Stand-in: thread-safety annotations that only clang reads become nothing under g++.
#include <mutex>
#define ACQUIRE(...)
#define ACQUIRED_AFTER(...)
#define ACQUIRED_BEFORE(...)
#define ACQUIRE_SHARED(...)
#define ASSERT_CAPABILITY(...)
#define ASSERT_SHARED_CAPABILITY(...)
#define CAPABILITY(...)
#define EXCLUDES(...)
#define EXCLUSIVE_LOCKS_REQUIRED(...)
#define EXCLUSIVE_LOCK_FUNCTION(...)
#define EXCLUSIVE_TRYLOCK_FUNCTION(...)
#define GUARDED_BY(...)
#define LOCK_RETURNED(...)
#define NO_THREAD_SAFETY_ANALYSIS
#define PT_GUARDED_BY(...)
#define RELEASE(...)
#define RELEASE_SHARED(...)
#define REQUIRES(...)
#define REQUIRES_SHARED(...)
#define RETURN_CAPABILITY(...)
#define SCOPED_CAPABILITY
#define SCOPED_LOCKABLE
#define SHARED_CAPABILITY(...)
#define SHARED_LOCKS_REQUIRED(...)
#define SHARED_LOCK_FUNCTION(...)
#define SHARED_TRYLOCK_FUNCTION(...)
#define TRY_ACQUIRE(...)
#define TRY_ACQUIRE_SHARED(...)
#define UNLOCK_FUNCTION(...)
namespace android::base {
struct ScopedLockAssertion { explicit ScopedLockAssertion(std::mutex&) {} ~ScopedLockAssertion() {} };
}
