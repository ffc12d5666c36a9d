// SPDX-License-Identifier: MIT
#include "run_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "error.hpp"
#include "files.hpp"

namespace tuner {

namespace {

// Not through a link, which could lead to any file of the user; O_NONBLOCK: a FIFO would wait for a reader
int open_lock(const std::filesystem::path& path) {
    const int file = open_file(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) {
        throw failure(
            errno == ELOOP
                ? fmt::format("{} is a symbolic link, which a lock must not be; remove it", path.string())
                : fmt::format("{} cannot be opened: {}; check the path and its permissions", path.string(),
                              std::strerror(errno)));
    }
    return file;
}

std::string holder_of(int file) {
    char text[32] = {};
    [[maybe_unused]] const ssize_t n = pread(file, text, sizeof(text) - 1, 0);
    const std::string holder = text;
    const bool is_number =
        std::all_of(holder.begin(), holder.end(), [](unsigned char c) { return std::isdigit(c); });
    return holder.empty() || !is_number ? "unknown" : holder;
}

Error lock_error(const std::filesystem::path& folder, int file, int reason) {
    if (reason == EWOULDBLOCK) {
        return failure(fmt::format("the run {} is in use by process {}; wait for it, or name another --run",
                                   folder.string(), holder_of(file)));
    }
    return failure(fmt::format(
        "the run {} cannot be locked: {}; its file system has no locks (flock), which keep two processes "
        "from "
        "writing to one run; name a --run on another file system, or mount this one with locks (Lustre: -o "
        "flock)",
        folder.string(), std::strerror(reason)));
}

// For people only: the lock is what counts, so a full disk does not matter here. A file with a second name
// is left alone, since it may not be ours.
void note_process(int file) {
    struct stat about = {};
    const std::string id = std::to_string(getpid());
    [[maybe_unused]] const bool shown =
        fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_nlink == 1 &&
        ftruncate(file, 0) == 0 && pwrite(file, id.data(), id.size(), 0) == static_cast<ssize_t>(id.size());
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& folder) : file_(open_lock(folder / file_name)) {
    int result = flock(file_, LOCK_EX | LOCK_NB);
    while (result != 0 && errno == EINTR) {
        result = flock(file_, LOCK_EX | LOCK_NB);
    }
    if (result != 0) {
        const Error error = lock_error(folder, file_, errno);
        close(file_);
        throw error;
    }
    note_process(file_);
}

RunLock::RunLock(RunLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

RunLock::~RunLock() {
    if (file_ >= 0) {
        close(file_);
    }
}

}  // namespace tuner
