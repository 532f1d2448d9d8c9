// What the parts of the preloaded library share; see shim.c.
#pragma once
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

enum action { COUNT, KILL, TEAR, FAIL };
#define KINDS 11

// The effect of a call. CallKinds in CrashShim.swift has the same numbers.
enum kind {
    CREATE = 1, FOLDER = 2, RENAME = 4, REMOVE = 8, WRITE = 16, SIZE = 32, LINK = 64, ATTRIBUTE = 128, SYNC = 256,
    DESCRIPTOR = 512, READ = 1024,
};

// CrashControl in CrashShim.swift has the same layout.
struct control {
    _Atomic int32_t armed;
    int32_t action;
    int32_t error;       // errno of a call that is made to fail
    int32_t onward;      // whether all calls from the N-th on fail
    int64_t at;          // N
    uint32_t kinds;      // which calls count
    uint32_t reserved;
    _Atomic int64_t count;
    _Atomic int64_t hits;  // the number of calls that failed
    char where[512];       // the N-th call
    _Atomic int64_t seen[KINDS];  // the number of calls of each kind, in the order of `enum kind`
};

typedef char path_t[PATH_MAX];

enum verdict { GO, REFUSE, HALF };

enum operation {
    MADE = 1, CUT, MADE_FOLDER, RENAMED, REMOVED, LINKED, LINKED_SOFTLY, WROTE, ALLOCATED, SYNCED, SYNCED_ALL,
};

// The next definition of a function: the C library's, or that of a sanitizer's runtime.
#define NEXT(name) \
    ({ static __typeof__(&name) next_; \
       if (!next_) next_ = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
       next_; })

// Not visible to the program, which may have functions of the same names.
#pragma GCC visibility push(hidden)

extern struct control *control;
extern const char *home, *record;
// A file that is read instead of the kernel's boot id, or NULL.
extern const char *boot;
// Whether the file system is to be one that can't exchange two directories.
extern bool lacks_exchange;

bool is_beneath(const char *path);
// Finds the path of an open file, and whether it is beneath the directory.
bool of_descriptor(int fd, path_t out);
// Finds the path of a name relative to an open directory, and whether it is beneath the directory.
bool of_name(int directory, const char *name, path_t out);

// Counts a call and returns what to do with it; sets `errno` if it is to fail.
enum verdict judge(const char *call, unsigned kinds, const char *path);
_Noreturn void die(void);

// Calls are serialised while they are recorded, so that the recorded order is the actual one.
void begin_record(void);
void end_record(bool happened, enum operation what, const char *path, const char *other, int64_t a, int64_t b,
                const void *data, size_t size);

int opened(const char *call, int directory, const char *name, const struct open_how *how, size_t how_size);
int renamed(int from, const char *old, int to, const char *new, unsigned flags);

#pragma GCC visibility pop

// Functions that are only counted, and take a name or a descriptor.
#define BY_NAME(kind, name, directory, file, parameters, arguments) \
    int name parameters { \
        path_t path; \
        if (of_name(directory, file, path) && judge(#name, kind, path) == REFUSE) return -1; \
        return NEXT(name) arguments; \
    }
#define BY_DESCRIPTOR(kind, name, parameters, arguments) \
    int name parameters { \
        path_t path; \
        if (of_descriptor(fd, path) && judge(#name, kind, path) == REFUSE) return -1; \
        return NEXT(name) arguments; \
    }
