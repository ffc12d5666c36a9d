// SPDX-License-Identifier: MIT
// For tests: a folder that is removed, and a disk of 64 KiB.
#pragma once

#include <sys/mount.h>

#include <cstdlib>
#include <filesystem>

struct TemporaryFolder {
    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "changeover-test-XXXXXX").string();
        path = mkdtemp(name.data());
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path path;
};

class SmallDisk {
  public:
    SmallDisk() : mounted_(mount("changeover-test", folder_.path.c_str(), "tmpfs", 0, "size=64k") == 0) {}
    ~SmallDisk() {
        if (mounted_) {
            umount2(folder_.path.c_str(), MNT_DETACH);
        }
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    bool is_mounted() const { return mounted_; }
    const std::filesystem::path& path() const { return folder_.path; }

  private:
    TemporaryFolder folder_;
    bool mounted_;
};

inline long count_files(const std::filesystem::path& folder) {
    return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
}
