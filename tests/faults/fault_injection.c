// SPDX-License-Identifier: MIT
// To be preloaded: counts the calls of one program that change or open files under a folder, and lets one of
// them fail, write less than it should, or be the last thing that the program does. The program's children
// are not preloaded.
//
//   FAULT_PROGRAM   name of the program; other programs are left alone
//   FAULT_RANK      only this rank of an MPI job
//   FAULT_FOLDER    absolute path without symbolic links
//   FAULT_LOG       gets a line for each call (call KIND CLASS PATH), each injected fault (fault KIND NUMBER
//   ACTION
//                   PATH) and each file that was synchronized (synced BYTES PATH), with tabs between
//   FAULT           KIND:NUMBER:ACTION, such as write:12:ENOSPC. KIND is one of the table below; `space` for
//   all calls
//                   that need disk space, `any` for all. With a + behind the error all later calls fail too:
//                   a full disk stays full. Other actions: short, torn (half is written, then killed),
//                   kill-before, kill-after.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE  // its functions are not the ones that we replace
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

// clang-format off
enum Kind { k_write, k_open, k_mkdir, k_rename, k_link, k_unlink,
            k_fsync, k_fdatasync, k_flock, k_ftruncate, k_chmod, k_close };
// clang-format on
static const char* const kind_names[] = {"write", "open",      "mkdir", "rename",    "link",  "unlink",
                                         "fsync", "fdatasync", "flock", "ftruncate", "chmod", "close"};

enum Action { a_none, a_fail, a_short, a_torn, a_kill_before, a_kill_after };
static const struct {
    const char* name;
    enum Action action;
    int error;
} actions[] = {
    {"ENOSPC", a_fail, ENOSPC},
    {"EIO", a_fail, EIO},
    {"EINTR", a_fail, EINTR},
    {"EDQUOT", a_fail, EDQUOT},
    {"short", a_short, 0},
    {"torn", a_torn, 0},
    {"kill-before", a_kill_before, 0},
    {"kill-after", a_kill_after, 0},
};

static bool is_on;
static char folder[PATH_MAX];
static int log_file = -1;
static struct {
    char text[64];
    char kind[16];
    long number;
    bool stays;
    enum Action action;
    int error;
} wanted;
static long count;  // of calls of the wanted kind

static void kill_here(void) {
    syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    for (;;) {
        pause();
    }
}

static void log_line(const char* format, ...) {
    char line[2 * PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    if (log_file >= 0 && length > 0) {
        syscall(SYS_write, log_file, line, (size_t)length);
    }
}

static void stop(const char* why) {
    fprintf(stderr, "fault_injection: %s\n", why);
    _exit(125);
}

static void read_fault(const char* text) {
    char action[32] = "";
    if (sscanf(text, "%15[^:]:%ld:%31s", wanted.kind, &wanted.number, action) != 3) {
        stop("FAULT is not KIND:NUMBER:ACTION");
    }
    snprintf(wanted.text, sizeof(wanted.text), "%s", text);
    const size_t length = strlen(action);
    if (action[length - 1] == '+') {
        wanted.stays = true;
        action[length - 1] = '\0';
    }
    for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); ++i) {
        if (strcmp(action, actions[i].name) == 0) {
            wanted.action = actions[i].action;
            wanted.error = actions[i].error;
        }
    }
    if (wanted.action == a_none) {
        stop("FAULT has an unknown action");
    }
}

// At a high number, so that the program gets the descriptors it would get without us
static void open_log(const char* name) {
    const int file =
        (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    log_file = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, 500);
    if (log_file < 0) {
        stop("FAULT_LOG cannot be opened");
    }
    syscall(SYS_close, file);
}

__attribute__((constructor)) static void start(void) {
    const char* const program = getenv("FAULT_PROGRAM");
    const char* const under = getenv("FAULT_FOLDER");
    const char* const wanted_rank = getenv("FAULT_RANK");
    const char* const rank = getenv("PMI_RANK");
    if (!program || !under || strcmp(program, program_invocation_short_name) != 0 ||
        (wanted_rank && (!rank || strcmp(rank, wanted_rank) != 0))) {
        return;
    }
    snprintf(folder, sizeof(folder), "%s", under);
    if (getenv("FAULT_LOG")) {
        open_log(getenv("FAULT_LOG"));
    }
    if (getenv("FAULT")) {
        read_fault(getenv("FAULT"));
    }
    const char* const variables[] = {"LD_PRELOAD",   "FAULT_PROGRAM", "FAULT_RANK",
                                     "FAULT_FOLDER", "FAULT_LOG",     "FAULT"};
    for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); ++i) {
        unsetenv(variables[i]);  // children are left alone
    }
    is_on = true;
}

// Absolute paths; nothing if it is not known
static const char* path_of(int descriptor, char* path) {
    char name[64];
    snprintf(name, sizeof(name), "/proc/self/fd/%d", descriptor);
    const long length = syscall(SYS_readlinkat, AT_FDCWD, name, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    return path;
}

static const char* path_at(int directory, const char* name, char* path) {
    if (name[0] == '/') {
        snprintf(path, PATH_MAX, "%s", name);
        return path;
    }
    if (directory == AT_FDCWD) {
        const long length = syscall(SYS_getcwd, path, PATH_MAX - 1);
        path[length > 0 ? length - 1 : 0] = '\0';
    } else {
        path_of(directory, path);
    }
    const size_t length = strlen(path);
    snprintf(path + length, PATH_MAX - length, "/%s", name);
    return path;
}

static bool is_under_folder(const char* path) {
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

// Counts the call, and says what to do with it
static enum Action arrive(enum Kind kind, bool needs_space, const char* path) {
    const int error = errno;
    if (!is_on || !is_under_folder(path)) {
        return a_none;
    }
    log_line("call\t%s\t%s\t%s\n", kind_names[kind], needs_space ? "space" : "-", path);
    const bool is_kind = strcmp(wanted.kind, kind_names[kind]) == 0 || strcmp(wanted.kind, "any") == 0 ||
                         (strcmp(wanted.kind, "space") == 0 && needs_space);
    const long number =
        wanted.action != a_none && is_kind ? __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST) : 0;
    errno = error;
    if (number == 0 || number < wanted.number || (number > wanted.number && !wanted.stays)) {
        return a_none;
    }
    log_line("fault\t%s\t%ld\t%s\t%s\n", kind_names[kind], number, wanted.text, path);
    if (wanted.action == a_kill_before) {
        kill_here();
    }
    errno = wanted.action == a_fail ? wanted.error : error;
    return wanted.action;
}

static long leave(enum Action action, long result) {
    if (action == a_kill_after || action == a_torn) {
        kill_here();
    }
    return result;
}

static size_t less(enum Action action, size_t bytes) {
    return (action == a_short || action == a_torn) && bytes > 1 ? bytes / 2 : bytes;
}

EXPORT ssize_t write(int file, const void* data, size_t bytes) {
    char path[PATH_MAX];
    const enum Action action = arrive(k_write, true, is_on ? path_of(file, path) : "");
    return action == a_fail ? -1 : leave(action, syscall(SYS_write, file, data, less(action, bytes)));
}

EXPORT ssize_t pwrite(int file, const void* data, size_t bytes, off_t at) {
    char path[PATH_MAX];
    const enum Action action = arrive(k_write, true, is_on ? path_of(file, path) : "");
    return action == a_fail ? -1 : leave(action, syscall(SYS_pwrite64, file, data, less(action, bytes), at));
}

EXPORT ssize_t pwrite64(int, const void*, size_t, off_t) __attribute__((alias("pwrite")));

EXPORT ssize_t writev(int file, const struct iovec* parts, int number) {
    char path[PATH_MAX];
    const enum Action action = arrive(k_write, true, is_on ? path_of(file, path) : "");
    if (action == a_fail) {
        return -1;
    }
    const size_t kept = less(action, (size_t)number);
    return leave(action, syscall(SYS_writev, file, parts, kept));
}

static int open_file(int directory, const char* name, int flags, mode_t mode) {
    char path[PATH_MAX];
    if (is_on) {
        path_at(directory, name, path);
    }
    const bool creates = (flags & O_CREAT) && syscall(SYS_faccessat, directory, name, F_OK) != 0;
    const enum Action action = arrive(k_open, creates, is_on ? path : "");
    return action == a_fail ? -1 : (int)leave(action, syscall(SYS_openat, directory, name, flags, mode));
}

static mode_t mode_of(int flags, va_list arguments) {
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? (mode_t)va_arg(arguments, int) : 0;
}

#define OPEN(name)                                      \
    EXPORT int name(const char* path, int flags, ...) { \
        va_list arguments;                              \
        va_start(arguments, flags);                     \
        const mode_t mode = mode_of(flags, arguments);  \
        va_end(arguments);                              \
        return open_file(AT_FDCWD, path, flags, mode);  \
    }
#define OPENAT(name)                                                   \
    EXPORT int name(int directory, const char* path, int flags, ...) { \
        va_list arguments;                                             \
        va_start(arguments, flags);                                    \
        const mode_t mode = mode_of(flags, arguments);                 \
        va_end(arguments);                                             \
        return open_file(directory, path, flags, mode);                \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

// What the C library calls instead of open if it is told to check arguments
EXPORT int __open_2(const char* path, int flags) {
    return open_file(AT_FDCWD, path, flags, 0);
}

EXPORT int creat(const char* path, mode_t mode) {
    return open_file(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

// The C library's own opens its file without calling our open.
EXPORT int mkostemp(char* name, int flags) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const size_t length = strlen(name);
    if (length < 6 || strcmp(name + length - 6, "XXXXXX") != 0) {
        errno = EINVAL;
        return -1;
    }
    unsigned char random[6];
    if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random)) {
        return -1;
    }
    for (size_t i = 0; i < sizeof(random); ++i) {
        name[length - 6 + i] = letters[random[i] % (sizeof(letters) - 1)];
    }
    return open_file(AT_FDCWD, name, flags | O_RDWR | O_CREAT | O_EXCL, 0600);
}

EXPORT int mkstemp(char* name) {
    return mkostemp(name, 0);
}

EXPORT int mkdirat(int directory, const char* name, mode_t mode) {
    char path[PATH_MAX];
    const enum Action action = arrive(k_mkdir, true, is_on ? path_at(directory, name, path) : "");
    return action == a_fail ? -1 : (int)leave(action, syscall(SYS_mkdirat, directory, name, mode));
}

EXPORT int mkdir(const char* name, mode_t mode) {
    return mkdirat(AT_FDCWD, name, mode);
}

EXPORT int renameat2(int from, const char* old, int to, const char* name, unsigned int flags) {
    char path[PATH_MAX];
    const enum Action action = arrive(k_rename, false, is_on ? path_at(to, name, path) : "");
    return action == a_fail ? -1 : (int)leave(action, syscall(SYS_renameat2, from, old, to, name, flags));
}

EXPORT int renameat(int from, const char* old, int to, const char* name) {
    return renameat2(from, old, to, name, 0);
}

EXPORT int rename(const char* old, const char* name) {
    return renameat2(AT_FDCWD, old, AT_FDCWD, name, 0);
}

EXPORT int linkat(int from, const char* old, int to, const char* name, int flags) {
    char path[PATH_MAX];
    const enum Action action = arrive(k_link, true, is_on ? path_at(to, name, path) : "");
    return action == a_fail ? -1 : (int)leave(action, syscall(SYS_linkat, from, old, to, name, flags));
}

EXPORT int link(const char* old, const char* name) {
    return linkat(AT_FDCWD, old, AT_FDCWD, name, 0);
}

EXPORT int unlinkat(int directory, const char* name, int flags) {
    char path[PATH_MAX];
    const enum Action action = arrive(k_unlink, false, is_on ? path_at(directory, name, path) : "");
    return action == a_fail ? -1 : (int)leave(action, syscall(SYS_unlinkat, directory, name, flags));
}

EXPORT int unlink(const char* name) {
    return unlinkat(AT_FDCWD, name, 0);
}

EXPORT int rmdir(const char* name) {
    return unlinkat(AT_FDCWD, name, AT_REMOVEDIR);
}

EXPORT int remove(const char* name) {
    const int result = unlink(name);
    return result != 0 && errno == EISDIR ? rmdir(name) : result;
}

static int synchronize(enum Kind kind, long number, int file) {
    char path[PATH_MAX];
    const enum Action action = arrive(kind, false, is_on ? path_of(file, path) : "");
    if (action == a_fail) {
        return -1;
    }
    const long result = syscall(number, file);
    struct stat about;
    if (result == 0 && is_on && is_under_folder(path) && fstat(file, &about) == 0) {
        log_line("synced\t%lld\t%s\n", (long long)about.st_size, path);
    }
    return (int)leave(action, result);
}

EXPORT int fsync(int file) {
    return synchronize(k_fsync, SYS_fsync, file);
}

EXPORT int fdatasync(int file) {
    return synchronize(k_fdatasync, SYS_fdatasync, file);
}

EXPORT int flock(int file, int operation) {
    char path[PATH_MAX];
    const enum Action action = arrive(k_flock, false, is_on ? path_of(file, path) : "");
    return action == a_fail ? -1 : (int)leave(action, syscall(SYS_flock, file, operation));
}

EXPORT int ftruncate(int file, off_t bytes) {
    char path[PATH_MAX];
    const enum Action action = arrive(k_ftruncate, false, is_on ? path_of(file, path) : "");
    return action == a_fail ? -1 : (int)leave(action, syscall(SYS_ftruncate, file, bytes));
}

EXPORT int ftruncate64(int, off_t) __attribute__((alias("ftruncate")));

EXPORT int fchmod(int file, mode_t mode) {
    char path[PATH_MAX];
    const enum Action action = arrive(k_chmod, false, is_on ? path_of(file, path) : "");
    return action == a_fail ? -1 : (int)leave(action, syscall(SYS_fchmod, file, mode));
}

EXPORT int fchmodat(int directory, const char* name, mode_t mode, int flags) {
    char path[PATH_MAX];
    const enum Action action = arrive(k_chmod, false, is_on ? path_at(directory, name, path) : "");
    if (flags != 0) {  // which the system call does not have
        errno = ENOTSUP;
        return -1;
    }
    return action == a_fail ? -1 : (int)leave(action, syscall(SYS_fchmodat, directory, name, mode));
}

// Linux closes the file whatever it reports.
EXPORT int close(int file) {
    char path[PATH_MAX];
    const enum Action action = arrive(k_close, false, is_on ? path_of(file, path) : "");
    const int error = errno;
    const long result = syscall(SYS_close, file);
    if (action == a_fail) {
        errno = error;
        return -1;
    }
    return (int)leave(action, result);
}

// The streams of the C library write without calling our write: these do.
static ssize_t write_cookie(void* cookie, const char* data, size_t bytes) {
    const ssize_t written = write((int)(intptr_t)cookie, data, bytes);
    return written < 0 ? 0 : written;  // as fopencookie wants it
}

static int close_cookie(void* cookie) {
    return close((int)(intptr_t)cookie);
}

EXPORT FILE* fdopen(int file, const char* mode) {
    char path[PATH_MAX];
    if (is_on && mode[0] == 'w' && is_under_folder(path_of(file, path))) {
        const cookie_io_functions_t functions = {.write = write_cookie, .close = close_cookie};
        return fopencookie((void*)(intptr_t)file, mode, functions);
    }
    FILE* (*original)(int, const char*) = NULL;
    *(void**)&original = dlsym(RTLD_NEXT, "fdopen");
    return original(file, mode);
}
