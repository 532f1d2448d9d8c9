// Preloaded into programs with the thread sanitizer: reports lock operations that the sanitizer can't observe.
//
// Swift's Synchronization.Mutex is one word. Without contention, inlined code changes it by an atomic exchange, which the
// sanitizer observes. With contention, libswiftSynchronization changes it, which is not built with the sanitizer: it spins, or
// the kernel transfers the lock (futex(2), FUTEX_LOCK_PI). Without this library the sanitizer reports a race on everything
// that a contended mutex protects. Swift's source: stdlib/public/Synchronization/Mutex/LinuxImpl.swift.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Functions of the sanitizer, if the program has it.
void __tsan_acquire(void *place) __attribute__((weak));
void __tsan_release(void *place) __attribute__((weak));

// Swift passes the mutex as the method's self.
#define METHOD __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

METHOD void lock(uint32_t thread, SELF) __asm__(LOCK);
METHOD bool try_lock(SELF) __asm__(TRY_LOCK);
METHOD void unlock(SELF) __asm__(UNLOCK);

METHOD void lock(uint32_t thread, SELF) {
    METHOD void (*next)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
    next(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

METHOD bool try_lock(SELF) {
    METHOD bool (*next)(SELF) = dlsym(RTLD_NEXT, TRY_LOCK);
    bool taken = next(self);
    if (taken && __tsan_acquire) __tsan_acquire(self);
    return taken;
}

METHOD void unlock(SELF) {
    METHOD void (*next)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(self);
    next(self);
}
