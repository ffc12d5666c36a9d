// SPDX-License-Identifier: MIT
#include "installed_libraries.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace tuner;

TEST(InstalledLibraries, AreNamedByWhatTheirProgramsPrint) {
    EXPECT_EQ(library_of_line("MPICH Version:    \t4.0.2"), "MPICH 4.0.2");
    EXPECT_EQ(library_of_line("Open MPI v4.1.4"), "Open MPI 4.1.4");
    EXPECT_EQ(library_of_line("Intel(R) MPI Library for Linux* OS, Version 2021.9 Build 1"),
              "Intel MPI 2021.9");
    for (const char* line : {"", "MPICH Version:", "MPICH Version: ", "bash: mpichversion: not found"}) {
        EXPECT_EQ(library_of_line(line), "") << line;
    }
}

TEST(InstalledLibraries, OfThisMachineAreEachNamedOnce) {
    std::vector<std::string> libraries = installed_libraries();
    std::sort(libraries.begin(), libraries.end());
    EXPECT_EQ(std::adjacent_find(libraries.begin(), libraries.end()), libraries.end());
}

}  // namespace
