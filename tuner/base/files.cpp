// SPDX-License-Identifier: MIT
#include "files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "error.hpp"

namespace tuner {

namespace {

Error write_error(const std::filesystem::path& path, int reason) {
    return failure(fmt::format("{} cannot be written: {}; {}", path.string(), std::strerror(reason),
                               reason == ENOSPC || reason == EDQUOT
                                   ? "free disk space and run the same command again"
                                   : "check the path and its permissions"));
}

bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = write(file, text.data(), text.size());
        if (n < 0 && errno != EINTR) {
            return false;
        }
        text.remove_prefix(n > 0 ? static_cast<std::size_t>(n) : 0);
    }
    return true;
}

}  // namespace

bool sync_folder(const std::filesystem::path& folder) {
    const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool done = descriptor >= 0 && fsync(descriptor) == 0;
    if (descriptor >= 0) {
        close(descriptor);
    }
    return done;
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    std::string temporary = (folder / ("." + path.filename().string() + ".XXXXXX")).string();
    const int file = mkostemp(temporary.data(), O_CLOEXEC);
    if (file < 0) {
        throw write_error(path, errno);
    }
    const mode_t mask = umask(0);
    umask(mask);
    bool done = fchmod(file, 0666 & ~mask) == 0 && write_all(file, text) && fsync(file) == 0;
    int reason = errno;
    done = close(file) == 0 && done;
    if (done && std::rename(temporary.c_str(), path.c_str()) == 0) {
        done = sync_folder(folder);
        reason = errno;
    } else {
        reason = done ? errno : reason;
        done = false;
        unlink(temporary.c_str());
    }
    if (!done) {
        throw write_error(path, reason);
    }
}

void write_output(const std::string& file, std::string_view text) {
    if (file.empty()) {
        fmt::print("{}", text);
    } else {
        write_file_atomically(file, text);
    }
}

std::string read_file(const std::filesystem::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat about = {};
    std::string text;
    bool done = file >= 0 && fstat(file, &about) == 0;
    if (done) {
        text.resize(static_cast<std::size_t>(about.st_size));
        std::size_t at = 0;
        ssize_t n = 1;
        while (at < text.size() && (n = read(file, text.data() + at, text.size() - at)) > 0) {
            at += static_cast<std::size_t>(n);
        }
        text.resize(at);
        done = n >= 0;
    }
    const int reason = errno;
    if (file >= 0) {
        close(file);
    }
    if (!done) {
        throw failure(fmt::format("{} cannot be read: {}; check the path and its permissions", path.string(),
                                  std::strerror(reason)));
    }
    return text;
}

}  // namespace tuner
