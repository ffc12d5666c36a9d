// SPDX-License-Identifier: MIT
#include "simulated_platform.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "contains.hpp"
#include "error.hpp"
#include "star.hpp"

namespace {

using namespace tuner;

TEST(SimulatedPlatform, HasTheHostsOfItsFile) {
    const std::vector<std::string> names = star().host_names();
    ASSERT_EQ(names.size(), 64U);
    EXPECT_EQ(names[2], "n2");
    EXPECT_EQ(names[10], "n10") << "by number";
    EXPECT_EQ(star().host("n7")->get_name(), "n7");
}

TEST(SimulatedPlatform, SaysWhichHostsThereAre) {
    try {
        star().host("n64");
        FAIL();
    } catch (const Error& error) {
        EXPECT_TRUE(contains(error.what(), "has no host 'n64'; it has 64: n0 to n63"));
    }
}

constexpr const char* dragonfly_without_routes =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\"><cluster id=\"c\" prefix=\"n\" suffix=\"\" "
    "radical=\"0-63\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" topology=\"DRAGONFLY\" "
    "topo_parameters=\"4,1;4,1;2,1;2\"/></zone></platform>\n";

// Whatever SimGrid does with a file: the process goes on
TEST(SimulatedPlatform, BadFilesAreErrorsThatNameThem) {
    const std::vector<std::pair<const char*, std::string>> files = {
        {"empty", ""},
        {"text", "not a platform\n"},
        {"cut",
         "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
         "version=\"4.1\"><zone id=\"z\" routing=\"Full\">"},
        {"old",
         "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
         "version=\"1\"></platform>"},
        {"unit",
         "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
         "version=\"4.1\"><zone id=\"z\" routing=\"Full\"><link id=\"l\" bandwidth=\"fast\" "
         "latency=\"1us\"/></zone></platform>"},
        {"routes", dragonfly_without_routes},
    };
    for (const auto& [name, text] : files) {
        const std::string file = testing::TempDir() + "bad-" + name + ".xml";
        std::ofstream(file) << text;
        try {
            const SimulatedPlatform platform(file);
            ADD_FAILURE() << name << " was loaded";
        } catch (const Error& error) {
            EXPECT_TRUE(contains(error.what(), file + ": SimGrid cannot load it: ")) << error.what();
            EXPECT_TRUE(contains(error.what(), "; correct the file")) << error.what();
        }
    }
    EXPECT_THROW(SimulatedPlatform("/there/is/none.xml"), Error);
    EXPECT_THROW(SimulatedPlatform("/dev/null"), Error);
}

}  // namespace
