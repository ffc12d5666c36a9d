// SPDX-License-Identifier: MIT
#include "output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "error.hpp"
#include "files.hpp"

namespace tuner {

void reserve_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) {
            // the lowest free number, which is this one; the wrong direction, so that no data is lost unseen
            open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

void write_data(std::string_view text) {
    const bool flushed = std::fflush(stdout) == 0;  // what others have printed comes before
    if (!flushed || !write_all(STDOUT_FILENO, text)) {
        const int reason = errno;
        throw failure(
            fmt::format("cannot write to standard output: {}{}", std::strerror(reason),
                        is_disk_full(reason) ? "; free disk space and run the same command again" : ""));
    }
}

void write_note(std::string_view text) noexcept {
    std::fflush(stderr);
    [[maybe_unused]] const bool written = write_all(STDERR_FILENO, text);
}

}  // namespace tuner
