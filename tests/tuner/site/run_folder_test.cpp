// SPDX-License-Identifier: MIT
#include "run_folder.hpp"

#include <gtest/gtest.h>

#include "small_disk.hpp"

namespace {

using namespace tuner;

TEST(ExistingFolder, IsTheRunDirectoryOrOneAboveIt) {
    const TemporaryFolder folder;
    EXPECT_EQ(existing_folder(folder.path), folder.path);
    EXPECT_EQ(existing_folder(folder.path / "a/b/../c"), folder.path);
    EXPECT_EQ(existing_folder("/no/such/folder"), "/");
}

TEST(FolderMarker, IsThereAsLongAsItLives) {
    const TemporaryFolder folder;
    {
        const FolderMarker marker(folder.path);
        EXPECT_EQ(marker.problem(), "");
        EXPECT_TRUE(std::filesystem::exists(marker.file()));
    }
    EXPECT_EQ(count_files(folder.path), 0);
}

TEST(WritingProblem, IsNamed) {
    const TemporaryFolder folder;
    EXPECT_EQ(writing_problem(folder.path), "");
    EXPECT_EQ(count_files(folder.path), 0);
    EXPECT_EQ(writing_problem(folder.path / "missing"), "No such file or directory");
    EXPECT_NE(writing_problem("/proc"), "");
}

}  // namespace
