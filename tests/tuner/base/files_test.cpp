// SPDX-License-Identifier: MIT
// A file is the old or the new one; a full disk (a real one, small, if we may mount it) loses nothing.
#include "files.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "error.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;

TEST(Files, WritesAndReplaces) {
    const TemporaryFolder folder;
    const auto file = folder.path / "f";
    write_file_atomically(file, "one");
    EXPECT_EQ(read_file(file), "one");
    write_file_atomically(file, "");
    EXPECT_EQ(read_file(file), "");
    EXPECT_EQ(count_files(folder.path), 1);
    EXPECT_THROW(write_file_atomically(folder.path / "not" / "there", "x"), Error);
    EXPECT_THROW(read_file(folder.path / "not"), Error);
}

TEST(Files, LeaveNothingOfAFailedWrite) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path / "f");  // cannot be replaced by a file
    EXPECT_THROW(write_file_atomically(folder.path / "f", "x"), Error);
    EXPECT_EQ(count_files(folder.path), 1);
}

TEST(Files, KeepTheOldOneWhenTheDiskIsFull) {
    const SmallDisk disk;
    if (!disk.is_mounted()) {
        GTEST_SKIP() << "only root can mount a small disk";
    }
    const auto file = disk.path() / "f";
    write_file_atomically(file, "old");
    try {
        write_file_atomically(file, std::string(1 << 20, 'x'));
        ADD_FAILURE() << "1 MiB fits on a disk of 64 KiB";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("No space left on device; free disk space"),
                  std::string::npos)
            << error.what();
    }
    EXPECT_EQ(read_file(file), "old");
    EXPECT_EQ(count_files(disk.path()), 1);
}

}  // namespace
