// SPDX-License-Identifier: MIT
// The tuning file has each rule, with its parameters, as the patched MPICH reads it.
#include "emit.hpp"

#include <gtest/gtest.h>

#include "emitted_text.hpp"
#include "error.hpp"

namespace {

using namespace tuner;

TEST(EmitMpich, HasAllNetworksAndLayoutsInOneFile) {
    Config config = example_config();
    config.library = "MPICH Version: 4.0.2;MPICH Release date: today;MPICH Device: ch3:sock;more";
    config.rules.push_back(example_rule({4, 2}, "bcast", 0, 100, "binomial"));
    config.rules.back().network = "fast";
    config.network_marks["eth"] = {{"10.1.0.0/16"}, {}};
    const Json file = Json::parse(emit_mpich(config, {"", {}, ""}));
    EXPECT_EQ(file.at("version"), 1);
    EXPECT_EQ(file.at("fingerprint"), Json({{"mpich", "4.0.2"}, {"device", "ch3:sock"}}));
    EXPECT_EQ(file.at("networks"), Json({{"eth", {{"subnets", {"10.1.0.0/16"}}}}, {"fast", Json::object()}}));
    ASSERT_EQ(file.at("mpir").size(), config.rules.size());
    Json rule = file.at("mpir").at(8);
    rule.erase("info");
    EXPECT_EQ(rule, Json({{"collective", "allreduce"},
                          {"network", "eth"},
                          {"nodes", 4},
                          {"ppn", 2},
                          {"mapping", "block"},
                          {"bytes", {1, 256}},
                          {"operation", "built-in"},
                          {"algorithm", "smp"}}));
    EXPECT_EQ(file.at("mpir").at(0).at("bytes"), Json::array({20000, nullptr}));
    EXPECT_FALSE(file.at("mpir").at(0).contains("mapping")) << "one rank on each node: it cannot matter";
    EXPECT_EQ(Json::parse(emit_mpich(config, {"fast", {}, ""})).at("mpir").size(), 1u);
}

TEST(EmitMpich, RangesAreWrittenAsTheyAre) {
    Config config = config_with(
        {example_rule({4, 2, Mapping::block, 1}, "bcast", 1, 9, "binomial"),
         example_rule_for({{2, 8}, {1, CountRange::no_last}, {4, 64}, {}}, "bcast", 1, 9, "binomial"),
         example_rule_for({{2, 8}, {2, 2}, {}, Mapping::round_robin}, "bcast", 1, 9, "binomial"),
         example_rule_for({}, "bcast", 1, 9, "binomial")});
    config.rules[1].tested_layouts = 3;
    config.rules[1].tested_cells = 12;
    const auto conditions = [&](const std::string& text) {
        std::vector<std::string> all;
        const Json file = Json::parse(text);
        for (Json rule : file.at("mpir")) {
            for (const char* key : {"collective", "network", "bytes", "algorithm"}) {
                rule.erase(key);
            }
            all.push_back(rule.dump());
        }
        return all;
    };
    EXPECT_EQ(
        conditions(emit_mpich(config, {})),
        (std::vector<std::string>{
            R"({"nodes":4,"ppn":[1,2],"ranks":7,"mapping":"block","info":{"basis":"measured","verified_gain":0.2}})",
            R"({"nodes":[2,8],"ranks":[4,64],"info":{"basis":"between","verified_gain":0.2,"tested_layouts":3,"tested_cells":12}})",
            R"({"nodes":[2,8],"ppn":2,"mapping":"round-robin","info":{"basis":"between","verified_gain":0.2}})",
            R"({"info":{"basis":"between","verified_gain":0.2}})"}));
}

TEST(EmitMpich, ParametersAreInTheRule) {
    const Layout layout{4, 2};
    const Json file =
        Json::parse(emit_mpich(config_with({example_rule(layout, "ibcast", 8, 100,
                                                         "tsp_tree:tree_type=knomial_1:k=4:chunk_size=16Ki"),
                                            example_rule(layout, "ibcast", 101, no_end, "tsp_ring")}),
                               {"", {}, ""}));
    EXPECT_EQ(file.at("mpir").at(0).at("algorithm"), "tsp_tree");
    EXPECT_EQ(file.at("mpir").at(0).at("parameters"),
              Json({{"tree_type", "knomial_1"}, {"k", 4}, {"chunk_size", 16384}}));
    EXPECT_FALSE(file.at("mpir").at(1).contains("parameters"));
    for (const char* name : {"tsp_tree:tree_type=oak", "tsp_tree:q=4", "tsp_tree:k=few", "tsp_tree:k"}) {
        EXPECT_THROW(parameters_for_library(name), Error) << name;
    }
}

// The library refuses a file with such sizes as a whole
TEST(EmitMpich, SizesThatRanksNeedNotAgreeOnAreLeftOut) {
    std::vector<std::string> left_out;
    EmitOptions options;
    options.left_out = &left_out;
    const Json file =
        Json::parse(emit_mpich(config_with({example_rule({4, 2}, "barrier", 0, no_end, "dissemination"),
                                            example_rule({4, 2}, "alltoallv", 1, 99, "scattered")}),
                               options));
    ASSERT_EQ(file.at("mpir").size(), 1u);
    EXPECT_FALSE(file.at("mpir").at(0).contains("bytes"));
    ASSERT_EQ(left_out.size(), 1u);
    EXPECT_NE(left_out[0].find("alltoallv"), std::string::npos);
}

TEST(EmitMpich, RulesOfOpenMpiHaveASectionOfTheirOwn) {
    Config config = config_with({example_rule({1, 4}, "bcast", 8193, 20000, "chain:segment=8Ki:fanout=2"),
                                 example_rule({1, 4}, "allreduce", 1, 100, "ring")});
    config.library = "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4";
    config.fingerprint = {{"library", "openmpi"}};
    const Json file = Json::parse(emit_mpich(config, {"", {}, ""}));
    EXPECT_FALSE(file.contains("mpir"));
    EXPECT_EQ(file.at("openmpi").at(0).at("algorithm"), "chain");
    EXPECT_EQ(file.at("openmpi").at(0).at("parameters"), Json({{"chunk_size", 8192}, {"k", 2}}));
    EXPECT_EQ(file.at("openmpi").at(1).at("operation"), "built-in");
    EXPECT_FALSE(file.at("openmpi").at(1).contains("parameters"));
    config.rules[0].algorithm = "knomial:radix=8";
    EXPECT_THROW(emit_mpich(config, {"", {}, ""}), Error);
}

}  // namespace
