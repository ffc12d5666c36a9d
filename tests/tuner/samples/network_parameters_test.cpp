// SPDX-License-Identifier: MIT
// Point-to-point parameters: to the file of a run and back, and what people see of them.
#include "network_parameters.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "error.hpp"
#include "files.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;

constexpr double infinity = std::numeric_limits<double>::infinity();

models::FittedParameter known(const char* name, double value) {
    return {name, value, {0.9 * value, 1.1 * value}, models::Determined::estimated};
}

NetworkParameters example() {
    const models::FittedParameter unknown = {"g", 0, {-infinity, infinity}, models::Determined::unknown};
    const models::LogGpSegment eager = {
        1, 65536, known("L", 20e-6), known("o_s", 2e-6), known("o_r", 3e-6), unknown, known("G", 8e-8), 0.02};
    const models::LogGpSegment rendezvous = {131072,
                                             1048576,
                                             known("L", 60e-6),
                                             known("o_s", 4e-6),
                                             known("o_r", 5e-6),
                                             known("g", 30e-6),
                                             known("G", 8e-8),
                                             0.03};
    return {{"eth", Link::within_node, {4, 2, Mapping::round_robin}, {eager}, {{1, 12e-6, {11e-6, 13e-6}}}},
            {"eth",
             Link::between_nodes,
             {4, 2, Mapping::round_robin},
             {eager, rendezvous},
             {{1, 25e-6, {24e-6, infinity}}, {1024, 100e-6, {99e-6, 101e-6}}}}};
}

TEST(NetworkParameters, AreTheSameAfterAFile) {
    const TemporaryFolder folder;
    EXPECT_TRUE(load_network_parameters(folder.path).empty());
    save_network_parameters(folder.path, example());
    const NetworkParameters read = load_network_parameters(folder.path);
    EXPECT_EQ(to_json(read), to_json(example()));
    const LinkParameters* between = find_link(read, "eth", Link::between_nodes);
    ASSERT_NE(between, nullptr);
    EXPECT_EQ(between->layout, (Layout{4, 2, Mapping::round_robin}));
    ASSERT_EQ(between->log_gp.size(), 2U);
    EXPECT_EQ(between->log_gp[0].gap_seconds.determined, models::Determined::unknown);
    EXPECT_EQ(between->log_gp[0].gap_seconds.interval.high, infinity);
    EXPECT_EQ(between->log_gp[1].gap_seconds.value, 30e-6);
    EXPECT_EQ(between->log_gp[1].gap_seconds.name, "g");
    EXPECT_EQ(between->one_way[0].interval.high, infinity);
    EXPECT_EQ(find_link(read, "ib", Link::between_nodes), nullptr);
}

TEST(NetworkParameters, OfAnUnevenLayoutKeepIt) {
    const TemporaryFolder folder;
    NetworkParameters written = example();
    written[0].layout = {3, 2, Mapping::block, 1};
    save_network_parameters(folder.path, written);
    EXPECT_EQ(load_network_parameters(folder.path)[0].layout, written[0].layout);
    EXPECT_EQ(to_json(example()).dump().find("\"ranks\""), std::string::npos) << "as in older files";
}

TEST(NetworkParameters, OfADamagedFileAreAnErrorThatNamesThePlace) {
    const TemporaryFolder folder;
    Json json = to_json(example());
    json["links"][1]["log_gp"][0]["gap_seconds"].erase("value");
    write_file_atomically(folder.path / "network.json", json.dump());
    try {
        load_network_parameters(folder.path);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("network.json"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("gap_seconds"), std::string::npos) << error.what();
    }
}

TEST(NetworkParameters, AreShownWithTheirIntervalsOrAsUnknown) {
    const std::string table = parameters_table(example());
    EXPECT_NE(table.find("20 (18-22)"), std::string::npos) << table;
    EXPECT_NE(table.find("80 (72-88)"), std::string::npos) << table;
    EXPECT_NE(table.find("unknown"), std::string::npos) << table;
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 4) << table;
    EXPECT_EQ(parameters_table({}), "");
}

}  // namespace
