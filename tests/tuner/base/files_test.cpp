// SPDX-License-Identifier: MIT
// A file is the old or the new one; a full disk (a real one, small, if we may mount it) loses nothing.
#include "files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <fstream>
#include <thread>

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

TEST(Files, LeaveNothingOfAKilledWrite) {
    const TemporaryFolder folder;
    for (const char* name : {".f.json.changeover-a1B2c3", ".keep.backup", "f.json.changeover-a1B2c3"}) {
        std::ofstream(folder.path / name) << "x";
    }
    remove_temporary_files(folder.path);
    EXPECT_FALSE(std::filesystem::exists(folder.path / ".f.json.changeover-a1B2c3"));
    EXPECT_EQ(count_files(folder.path), 2) << "nothing else is removed";
}

TEST(Files, ReplaceALinkInARunButNotItsTarget) {
    const TemporaryFolder folder;
    std::ofstream(folder.path / "other") << "of somebody";
    std::filesystem::create_symlink("other", folder.path / "f");
    write_file_atomically(folder.path / "f", "new");
    EXPECT_EQ(read_file(folder.path / "other"), "of somebody");
    EXPECT_FALSE(std::filesystem::is_symlink(folder.path / "f"));
}

TEST(Output, GoesToTheTargetOfALink) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path / "d");
    std::ofstream(folder.path / "d" / "target") << "old";
    std::filesystem::create_symlink("d/target", folder.path / "first");
    std::filesystem::create_symlink(folder.path / "first", folder.path / "second");
    std::filesystem::create_symlink("d/new", folder.path / "dangling");
    write_output((folder.path / "second").string(), "new");
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path / "second"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path / "first"));
    EXPECT_EQ(read_file(folder.path / "d" / "target"), "new");
    write_output((folder.path / "dangling").string(), "made");
    EXPECT_EQ(read_file(folder.path / "d" / "new"), "made");
    EXPECT_EQ(count_files(folder.path / "d"), 2);
    std::filesystem::create_symlink("loop", folder.path / "loop");
    EXPECT_THROW(write_output((folder.path / "loop").string(), "x"), Error);
}

TEST(Output, RemovesWhatAKilledWriterLeft) {
    const TemporaryFolder folder;
    const std::string left = (folder.path / ".tuned.changeover-a1B2c3").string();
    const std::string alive = (folder.path / ".tuned.changeover-d4E5f6").string();
    const std::string other = (folder.path / ".another.changeover-a1B2c3").string();
    for (const std::string& name : {left, alive, other}) {
        std::ofstream(name) << "half of";
    }
    const int file = open(alive.c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_EQ(flock(file, LOCK_EX | LOCK_NB), 0);
    write_output((folder.path / "tuned").string(), "whole");
    close(file);
    EXPECT_FALSE(std::filesystem::exists(left));
    EXPECT_TRUE(std::filesystem::exists(alive));
    EXPECT_TRUE(std::filesystem::exists(other));
}

TEST(Output, IsWrittenToAFifo) {
    const TemporaryFolder folder;
    const std::string path = (folder.path / "fifo").string();
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    std::string read;
    std::thread reader([&] { read = read_file(path); });
    write_output(path, "through");
    reader.join();
    EXPECT_EQ(read, "through");
    EXPECT_TRUE(std::filesystem::is_fifo(path));
}

// Nodes of our own: if they were replaced, nobody else would miss them
TEST(Output, LeavesADeviceADevice) {
    const TemporaryFolder folder;
    const std::string null = (folder.path / "null").string();
    const std::string full = (folder.path / "full").string();
    if (mknod(null.c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0 ||
        mknod(full.c_str(), S_IFCHR | 0600, makedev(1, 7)) != 0 || !std::ofstream(null).is_open()) {
        GTEST_SKIP() << "only root can make device nodes";
    }
    write_output(null, "x");
    EXPECT_TRUE(std::filesystem::is_character_file(null));
    try {
        write_output(full, "x");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("full cannot be written: No space left on device"),
                  std::string::npos)
            << error.what();
    }
    EXPECT_TRUE(std::filesystem::is_character_file(full));
}

// /dev/fd/N of a file: whoever has it open must see what is written
TEST(Output, IsWrittenToAnOpenFile) {
    const TemporaryFolder folder;
    const int file = open((folder.path / "f").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
    write_output("/dev/fd/" + std::to_string(file), "one ");
    EXPECT_EQ(write(file, "two", 3), 3);
    close(file);
    EXPECT_EQ(read_file(folder.path / "f"), "one two");
}

TEST(Files, AreReadToTheirEnd) {
    EXPECT_NE(read_file("/proc/self/status").find("Name:"), std::string::npos)
        << "its size is said to be zero";
    EXPECT_THROW(read_file("/tmp"), Error);
}

TEST(Files, OfARunAreNotWaitedFor) {
    const TemporaryFolder folder;
    const auto path = folder.path / "fifo";
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    EXPECT_THROW(read_regular_file(path), Error);
    EXPECT_THROW(read_regular_file("/dev/zero"), Error);
    EXPECT_THROW(read_regular_file(folder.path), Error);
    write_file_atomically(folder.path / "f", "text");
    EXPECT_EQ(read_regular_file(folder.path / "f"), "text");
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
