// SPDX-License-Identifier: MIT
// The right to write to a run: the file `lock` of its folder, locked by flock for as long as this lives. The
// system unlocks it when the process ends, however that comes.
#pragma once

#include <filesystem>

namespace tuner {

class RunLock {
  public:
    // Throws an Error that names the process that has it; and one where the file system has no locks: without
    // them nothing would keep two processes from writing to one journal.
    explicit RunLock(const std::filesystem::path& folder);
    RunLock(RunLock&& other) noexcept;
    RunLock& operator=(RunLock&&) = delete;
    ~RunLock();

    static constexpr const char* file_name = "lock";

  private:
    int file_ = -1;
};

}  // namespace tuner
