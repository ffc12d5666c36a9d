// SPDX-License-Identifier: MIT
#include "run_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>

#include "files.hpp"
#include "process.hpp"

namespace tuner {

namespace {

// Why not; empty: it is there
std::string creation_problem(const std::filesystem::path& file) {
    const int descriptor = open_file(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);
    if (descriptor < 0) {
        return std::strerror(errno);
    }
    const std::string problem = write_all(descriptor, "changeover\n") ? "" : std::strerror(errno);
    close(descriptor);
    if (!problem.empty()) {
        unlink(file.c_str());
    }
    return problem;
}

}  // namespace

std::filesystem::path existing_folder(const std::filesystem::path& run) {
    std::filesystem::path folder = std::filesystem::absolute(run).lexically_normal();
    std::error_code ignored;
    while (!std::filesystem::exists(folder, ignored) && folder.has_relative_path()) {
        folder = folder.parent_path();
    }
    return folder;
}

std::string writing_problem(const std::filesystem::path& folder) {
    return FolderMarker(folder).problem();
}

FolderMarker::FolderMarker(std::filesystem::path folder)
    : file_(std::move(folder) / (".changeover-doctor-" + new_token())), problem_(creation_problem(file_)) {}

FolderMarker::~FolderMarker() {
    if (problem_.empty()) {
        unlink(file_.c_str());
    }
}

}  // namespace tuner
