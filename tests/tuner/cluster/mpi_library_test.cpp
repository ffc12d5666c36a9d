// SPDX-License-Identifier: MIT
#include "mpi_library.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace tuner;

TEST(MpiLibraries, AreFoundByTheirNames) {
    std::set<std::string> benchmarks;
    for (const MpiLibrary& library : mpi_libraries()) {
        EXPECT_EQ(&find_library(library.name), &library);
        EXPECT_TRUE(benchmarks.insert(library.benchmark).second)
            << library.benchmark << " runs with one library";
    }
    EXPECT_EQ(names_of_libraries().size(), benchmarks.size());
    EXPECT_GE(benchmarks.size(), 3u);
}

TEST(MpiLibraries, AreToldTheFileByAVariable) {
    for (const MpiLibrary& library : mpi_libraries()) {
        const Environment environment = library.environment("/some/file", "eth");
        ASSERT_FALSE(environment.empty()) << library.name;
        bool is_named = false;
        for (const auto& [name, value] : environment) {
            is_named = is_named || value.find("/some/file") != std::string::npos;
        }
        EXPECT_TRUE(is_named) << library.name;
    }
}

TEST(BesideThisProgram, IsInItsFolder) {
    EXPECT_EQ(beside_this_program("x").substr(beside_this_program("x").size() - 6), "/bin/x");
}

}  // namespace
