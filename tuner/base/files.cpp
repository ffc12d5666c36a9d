// SPDX-License-Identifier: MIT
#include "files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "error.hpp"
#include "output.hpp"

namespace tuner {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view temporary_mark = ".changeover-";
constexpr std::string_view temporary_pattern = "XXXXXX";  // mkostemp's

Error write_error(const fs::path& path, int reason) {
    return failure(fmt::format("{} cannot be written: {}; {}", path.string(), std::strerror(reason),
                               is_disk_full(reason) ? "free disk space and run the same command again"
                                                    : "check the path and its permissions"));
}

Error read_error(const fs::path& path, int reason) {
    return failure(fmt::format("{} cannot be read: {}; check the path and its permissions", path.string(),
                               std::strerror(reason)));
}

// Again, when a signal came in between
template <class Call>
auto uninterrupted(Call call) {
    auto result = call();
    while (result < 0 && errno == EINTR) {
        result = call();
    }
    return result;
}

// .config.json.changeover-a1B2c3
bool is_temporary(const std::string& name) {
    const std::size_t mark = name.rfind(temporary_mark);
    return name.starts_with('.') && mark != std::string::npos &&
           name.size() == mark + temporary_mark.size() + temporary_pattern.size();
}

// What this process or another one holds open: its name must not be replaced
bool is_open_stream(const fs::path& path) {
    const std::string name = fs::absolute(path).lexically_normal().string();
    return name.starts_with("/dev/fd/") || name.starts_with("/dev/std") || name.starts_with("/proc/");
}

void write_through(const fs::path& path, std::string_view text) {
    const int file = open_file(path, O_WRONLY | O_APPEND | O_NOCTTY);
    if (file < 0) {
        throw write_error(path, errno);
    }
    const bool written = write_all(file, text);
    const int reason = errno;
    const bool closed = close(file) == 0;
    if (!written || !closed) {
        throw write_error(path, written ? errno : reason);
    }
}

// Where a chain of symbolic links ends, be there a file or not
fs::path target_of(fs::path path) {
    constexpr int longest_chain = 40;  // Linux's own limit
    std::error_code none;
    for (int i = 0; fs::is_symlink(path, none) && !is_open_stream(path); ++i) {
        if (i == longest_chain) {
            throw write_error(path, ELOOP);
        }
        path = path.parent_path() / fs::read_symlink(path, none);  // an absolute one stands alone
    }
    return path;
}

std::string read_to_end(int file, const fs::path& path) {
    struct stat about = {};
    std::string text;
    std::size_t size = 0;
    // one byte more than the file has: then the second call already sees its end
    const bool known = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    text.resize(known ? static_cast<std::size_t>(about.st_size) + 1 : 0);
    for (;;) {
        if (size == text.size()) {
            text.resize(std::max<std::size_t>(65536, 2 * size));
        }
        const ssize_t n = uninterrupted([&] { return read(file, text.data() + size, text.size() - size); });
        if (n < 0) {
            throw read_error(path, errno);
        }
        if (n == 0) {
            text.resize(size);
            return text;
        }
        size += static_cast<std::size_t>(n);
    }
}

struct Descriptor {
    int number = -1;
    ~Descriptor() {
        if (number >= 0) {
            close(number);
        }
    }
};

// Of writers of this file that were killed. One that is alive has its temporary file locked; where locks do
// not work, everything stays.
void remove_leftovers(const fs::path& path) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
    const std::string start = fmt::format(".{}{}", path.filename().string(), temporary_mark);
    std::error_code problem;  // what cannot be removed does no harm
    for (const auto& entry : fs::directory_iterator(folder, problem)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(start) || !is_temporary(name)) {
            continue;
        }
        const Descriptor file{open(entry.path().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)};
        if (file.number >= 0 && flock(file.number, LOCK_EX | LOCK_NB) == 0) {
            unlink(entry.path().c_str());
        }
    }
}

}  // namespace

bool is_disk_full(int reason) {
    return reason == ENOSPC || reason == EDQUOT;
}

int open_file(const fs::path& path, int flags) {
    return uninterrupted([&] { return open(path.c_str(), flags | O_CLOEXEC, 0666); });
}

bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = uninterrupted([&] { return write(file, text.data(), text.size()); });
        if (n < 0 && errno == EAGAIN) {  // a terminal or pipe that somebody made non-blocking
            pollfd ready = {file, POLLOUT, 0};
            poll(&ready, 1, -1);
        } else if (n < 0) {
            return false;
        } else {
            text.remove_prefix(static_cast<std::size_t>(n));
        }
    }
    return true;
}

bool sync_file(int file) {
    return uninterrupted([&] { return fdatasync(file); }) == 0;
}

bool sync_folder(const fs::path& folder) {
    const Descriptor descriptor{open_file(folder, O_RDONLY | O_DIRECTORY)};
    return descriptor.number >= 0 && uninterrupted([&] { return fsync(descriptor.number); }) == 0;
}

void write_file_atomically(const fs::path& path, std::string_view text) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
    std::string temporary;
    const int file = uninterrupted([&] {  // a new one, with a name that nobody can foresee
        temporary = fmt::format("{}/.{}{}{}", folder.string(), path.filename().string(), temporary_mark,
                                temporary_pattern);
        return mkostemp(temporary.data(), O_CLOEXEC);
    });
    if (file < 0) {
        throw write_error(path, errno);
    }
    flock(file, LOCK_EX | LOCK_NB);  // says that it is being written (remove_leftovers)
    const mode_t mask = umask(0);
    umask(mask);
    int reason = 0;  // of the first step that fails
    const auto succeeds = [&](bool done) {
        reason = done || reason != 0 ? reason : errno;
        return reason == 0;
    };
    succeeds(fchmod(file, 0666 & ~mask) == 0) && succeeds(write_all(file, text)) &&
        succeeds(uninterrupted([&] { return fsync(file); }) == 0);
    const bool is_ready = succeeds(close(file) == 0);
    if (!is_ready || !succeeds(std::rename(temporary.c_str(), path.c_str()) == 0)) {
        unlink(temporary.c_str());
        throw write_error(path, reason);
    }
    if (!sync_folder(folder)) {
        throw write_error(path, errno);
    }
}

void remove_temporary_files(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code problem;  // a folder that cannot be read has other errors to tell
    for (const auto& entry : fs::directory_iterator(folder, problem)) {
        if (is_temporary(entry.path().filename().string()) &&
            entry.symlink_status().type() == fs::file_type::regular) {
            found.push_back(entry.path());
        }
    }
    for (const fs::path& path : found) {
        fs::remove(path, problem);
    }
}

void write_output(const std::string& file, std::string_view text) {
    if (file.empty()) {
        return write_data(text);
    }
    std::error_code none;
    const fs::path target = target_of(file);
    const fs::file_type type = fs::status(target, none).type();
    const bool is_file = type == fs::file_type::regular || type == fs::file_type::not_found;
    if (!is_file || is_open_stream(target)) {
        return write_through(target, text);
    }
    remove_leftovers(target);
    write_file_atomically(target, text);
}

std::string read_file(const fs::path& path) {
    const Descriptor file{open_file(path, O_RDONLY)};
    if (file.number < 0) {
        throw read_error(path, errno);
    }
    return read_to_end(file.number, path);
}

std::string read_regular_file(const fs::path& path) {
    // without waiting for the writer of a FIFO
    const Descriptor file{open_file(path, O_RDONLY | O_NONBLOCK)};
    struct stat about = {};
    if (file.number < 0 || fstat(file.number, &about) != 0) {
        throw read_error(path, errno);
    }
    if (!S_ISREG(about.st_mode)) {
        throw failure(path.string() + " cannot be read: it is not a file; restore it");
    }
    return read_to_end(file.number, path);
}

}  // namespace tuner
