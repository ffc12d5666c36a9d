// SPDX-License-Identifier: MIT
// Questions and answers are those of simulated_tune_test.sh
#include "simulation.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "files.hpp"

namespace {

using namespace tuner;

TEST(Simulation, LayoutsAreWrittenAsTheyAreRead) {
    for (const char* text : {"4x2", "3x4-2", "8x2:round-robin"}) {
        EXPECT_EQ(layout_argument(parse_layout(text)), text);
    }
}

TEST(Simulation, ATemporaryPlatformIsPrivateAndGoes) {
    std::filesystem::path path;
    {
        const TemporaryPlatform platform("<platform/>");
        path = platform.path();
        EXPECT_EQ(path.extension(), ".xml");
        EXPECT_EQ(read_file(path), "<platform/>");
        EXPECT_EQ(std::filesystem::status(path).permissions(),
                  std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
