// SPDX-License-Identifier: MIT
// To be preloaded: a call of the k-th time fails, or does less, on files with a certain name. For tests of
// what the library does with its files. By the environment:
//
//   FAULT_FILE     part of the name of the files
//   FAULT_CALL     open, read, write, close, rename or unlink
//   FAULT_NUMBER   which of these calls on such files, counted from 1 in each process; none: only count
//   FAULT_HOW      ENOSPC, EIO, EDQUOT, EINTR, EACCES, ENOENT; short: half of the bytes are written; grow:
//   the file
//                  has become longer; kill: the process ends
//   FAULT_RANK     the rank that it happens to; none: every rank
//   FAULT_COUNTS   file that each process appends its numbers of calls to: "rank open 2"
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

enum Call : std::size_t {
    call_open,
    call_read,
    call_write,
    call_close,
    call_rename,
    call_unlink,
    call_kinds
};

constexpr std::array<const char*, call_kinds> names = {"open", "read", "write", "close", "rename", "unlink"};

struct How {
    const char* name;
    int error;
};
constexpr How errors[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EDQUOT", EDQUOT},
                          {"EINTR", EINTR},   {"EACCES", EACCES}, {"ENOENT", ENOENT}};

std::array<std::atomic<int>, call_kinds> counts = {};
std::array<std::atomic<bool>, 1024> is_watched = {};  // descriptors

const char* setting(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

bool is_named(const char* path) {
    const char* const part = setting("FAULT_FILE");
    return path != nullptr && *part != '\0' && std::strstr(path, part) != nullptr;
}

bool is_watched_fd(int fd) {
    return fd >= 0 && fd < static_cast<int>(is_watched.size()) && is_watched[static_cast<std::size_t>(fd)];
}

void watch(int fd, bool on) {
    if (fd >= 0 && fd < static_cast<int>(is_watched.size())) {
        is_watched[static_cast<std::size_t>(fd)] = on;
    }
}

// How this call goes wrong; empty: it does not
std::string fault_of(Call call) {
    const int number = ++counts[call];
    const std::string rank = setting("FAULT_RANK");
    if (setting("FAULT_CALL") != std::string(names[call]) || std::atoi(setting("FAULT_NUMBER")) != number ||
        (!rank.empty() && rank != setting("PMI_RANK"))) {
        return {};
    }
    if (setting("FAULT_HOW") == std::string("kill")) {
        raise(SIGKILL);
    }
    return setting("FAULT_HOW");
}

// True, and errno, if the fault is an error
bool is_error(const std::string& fault) {
    for (const How& how : errors) {
        if (fault == how.name) {
            errno = how.error;
            return true;
        }
    }
    return false;
}

template <class Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void grow(int fd) {
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    const int end = real<int(const char*, int, ...)>("open")(link.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (end < 0 || real<ssize_t(int, const void*, size_t)>("write")(end, " ", 1) != 1) {
        std::abort();
    }
    real<int(int)>("close")(end);
}

int open_or_fail(const char* path, int flags, mode_t mode) {
    const bool named = is_named(path);
    if (named && is_error(fault_of(call_open))) {
        return -1;
    }
    const int fd = real<int(const char*, int, ...)>("open")(path, flags, mode);
    watch(fd, named);
    return fd;
}

struct AtExit {
    ~AtExit() {
        FILE* file = *setting("FAULT_COUNTS") != '\0' && *setting("PMI_RANK") != '\0'
                         ? std::fopen(setting("FAULT_COUNTS"), "a")
                         : nullptr;
        if (file == nullptr) {
            return;
        }
        std::string lines;
        for (std::size_t call = 0; call < call_kinds; ++call) {
            lines += setting("PMI_RANK") + std::string(" ") + names[call] + " " +
                     std::to_string(counts[call]) + "\n";
        }
        std::fputs(lines.c_str(), file);
        std::fclose(file);
    }
} at_exit;

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open_or_fail(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open_or_fail(path, flags | O_LARGEFILE, mode);
}

ssize_t read(int fd, void* bytes, size_t count) {
    if (is_watched_fd(fd)) {
        const std::string fault = fault_of(call_read);
        if (is_error(fault)) {
            return -1;
        }
        if (fault == "grow") {
            grow(fd);
        }
    }
    return real<ssize_t(int, void*, size_t)>("read")(fd, bytes, count);
}

ssize_t write(int fd, const void* bytes, size_t count) {
    if (is_watched_fd(fd)) {
        const std::string fault = fault_of(call_write);
        if (is_error(fault)) {
            return -1;
        }
        if (fault == "short") {
            count = (count + 1) / 2;
        }
    }
    return real<ssize_t(int, const void*, size_t)>("write")(fd, bytes, count);
}

// The file is closed whatever is said, as Linux does it
int close(int fd) {
    const bool watched = is_watched_fd(fd);
    watch(fd, false);
    const std::string fault = watched ? fault_of(call_close) : std::string();
    const int result = real<int(int)>("close")(fd);
    return is_error(fault) ? -1 : result;
}

int rename(const char* from, const char* to) {
    return is_named(to) && is_error(fault_of(call_rename))
               ? -1
               : real<int(const char*, const char*)>("rename")(from, to);
}

int unlink(const char* path) {
    return is_named(path) && is_error(fault_of(call_unlink)) ? -1 : real<int(const char*)>("unlink")(path);
}
}
