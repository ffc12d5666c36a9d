// SPDX-License-Identifier: MIT
// The folder of a run that is to come: can it be written, and is it the same one on all nodes?
#pragma once

#include <filesystem>
#include <string>

namespace tuner {

// A run directory that does not exist is created in the first folder above it that does
std::filesystem::path existing_folder(const std::filesystem::path& run);

// Why no file can be written there; empty: one can. Nothing is left.
std::string writing_problem(const std::filesystem::path& folder);

// A file by which other nodes recognize the folder, as long as this lives
class FolderMarker {
  public:
    explicit FolderMarker(std::filesystem::path folder);
    ~FolderMarker();
    FolderMarker(const FolderMarker&) = delete;
    FolderMarker& operator=(const FolderMarker&) = delete;

    const std::filesystem::path& file() const { return file_; }
    const std::string& problem() const { return problem_; }  // why there is none; empty: there is

  private:
    std::filesystem::path file_;
    std::string problem_;
};

}  // namespace tuner
