// SPDX-License-Identifier: MIT
// A configuration comes back as it was written; every mistake in the file is named; finding rules.
#include "config.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "error.hpp"
#include "example_config.hpp"

namespace {

using namespace tuner;

Config read(const Json& json) {
    return config_from(CheckedJson::parse(json.dump(), "config.json"));
}

TEST(Config, ComesBackAsWritten) {
    Config config = example_config();
    config.notes = {"one", "two"};
    config.rules[2].where.mapping = Mapping::round_robin;
    const Json json = to_json(config);
    const Config again = read(json);
    EXPECT_EQ(to_json(again), json);
    EXPECT_EQ(again.rules[2].where, config.rules[2].where);
    EXPECT_EQ(again.rules[0].to_bytes, no_end);
    EXPECT_EQ(again.rules[1].to_bytes, 4096u);
    EXPECT_EQ(again.fingerprint, config.fingerprint);
    EXPECT_TRUE(again.verified);
    EXPECT_FALSE(json.contains("verification_checksum")) << "older versions read it";
}

// As all versions write and read it
TEST(Config, ARuleOfOneLayoutStaysAsItWas) {
    Config config = example_config();
    config.rules = {example_rule({4, 2}, "bcast", 1, 3000, "smp")};
    EXPECT_EQ(to_json(config)["rules"][0].dump(),
              R"({"network":"eth","nodes":4,"ppn":2,"mapping":"block","collective":"bcast","operation":"",)"
              R"("from_bytes":1,"to_bytes":3000,"algorithm":"smp","from_interval":[0.9,1.1],)"
              R"("expected_gain":0.25,"worst_loss":0.005,"verified_gain":0.2,"verified_interval":[0.1,0.3],)"
              R"("basis":"measured"})");
}

TEST(Config, ARuleForARangeComesBackAsWritten) {
    Config config = example_config();
    config.rules[0].where = {{2, 8}, {1, CountRange::no_last}, {4, 64}, {}};
    config.rules[0].basis = "between";
    config.rules[0].tested_layouts = 3;
    config.rules[0].tested_cells = 12;
    const Json json = to_json(config);
    EXPECT_EQ(json["rules"][0]["nodes"], Json::array({2, 8}));
    EXPECT_EQ(json["rules"][0]["ppn"], Json::array({1, nullptr}));
    EXPECT_EQ(json["rules"][0]["mapping"], "any");
    EXPECT_EQ(json["rules"][0]["ranks"], Json::array({4, 64}));
    EXPECT_EQ(json["rules"][0]["tested_cells"], 12);
    const Config again = read(json);
    EXPECT_EQ(again.rules[0].where, config.rules[0].where);
    EXPECT_EQ(again.rules[0].tested_layouts, 3);
    EXPECT_EQ(to_json(again), json);
}

TEST(Config, TheVersionOfOpenMpiOnceEndedWithANullCharacter) {
    Json json = to_json(example_config());
    json["library"] = std::string("Open MPI v4.1.4\0", 16);
    EXPECT_EQ(read(json).library, "Open MPI v4.1.4");
}

TEST(Config, KeepsTheChecksumOfItsProofs) {
    Config config = example_config();
    config.verification_checksum = checksum_of_text("proofs");
    const Json json = to_json(config);
    EXPECT_EQ(read(json).verification_checksum, config.verification_checksum);
    EXPECT_EQ(to_json(read(json)), json);
}

TEST(Config, MayBeEmpty) {
    EXPECT_TRUE(read(to_json(Config{})).rules.empty());
}

TEST(Config, WhatIsNotKnownIsNull) {
    Config config = example_config();
    config.rules[0].from_interval.high = INFINITY;
    const Json json = to_json(config);
    EXPECT_TRUE(json["rules"][0]["from_interval"][1].is_null());
    EXPECT_EQ(to_json(read(json)), json);
}

TEST(Config, AnEditedRuleIsReadAndTheChecksumTells) {
    const Config config = example_config();
    Json json = to_json(config);
    EXPECT_EQ(read(json).checksum, checksum_of(config.rules));
    json["rules"][0]["from_bytes"] = 20001;
    const Config edited = read(json);
    EXPECT_EQ(edited.rules[0].from_bytes, 20001u);
    EXPECT_NE(edited.checksum, checksum_of(edited.rules));
}

TEST(Config, ChecksumIsFnv1a) {
    // of the two characters "[]": 0xcbf29ce484222325, xor and multiplied twice
    EXPECT_EQ(checksum_of({}), "fnv1a-09612b07b5ecb5a5");
}

struct Mistake {
    const char* pointer;
    Json value;
    const char* message;
};

const Mistake mistakes[] = {
    {"/format", "other", "not a configuration"},
    {"/version", 2, "config.json, version: version 2 is not supported"},
    {"/surprise", 1, "there is no key 'surprise'"},
    {"/verified", "yes", "config.json, verified: expected true or false"},
    {"/rules", "none", "config.json, rules: expected a list"},
    {"/rules/1/surprise", 1, "config.json, rules[1]: there is no key 'surprise'"},
    {"/rules/1/from_bytes", -1, "config.json, rules[1].from_bytes: -1 is not allowed here"},
    {"/rules/1/to_bytes", "many", "config.json, rules[1].to_bytes"},
    {"/rules/1/nodes", 0, "config.json, rules[1].nodes"},
    {"/rules/1/ppn", 2000000000, "config.json, rules[1].ppn"},
    {"/rules/1/mapping", "blok", "did you mean 'block'"},
    {"/rules/1/algorithm", "", "config.json, rules[1].algorithm: expected a string"},
    {"/rules/1/algorithm", "x\ntouch canary", "rules[1].algorithm: the name of an algorithm has letters"},
    {"/rules/1/algorithm", "$(id)", "rules[1].algorithm: the name of an algorithm has letters"},
    {"/rules/1/algorithm", ":k=4", "rules[1].algorithm: the name of an algorithm has letters"},
    {"/rules/1/algorithm", "tree:k", "rules[1].algorithm: 'k' in tree:k is not name=value"},
    {"/rules/1/network", "a\nb", "rules[1].network: the name of a network has no control characters"},
    {"/rules/1/network", "\x1b[31m", "rules[1].network: the name of a network has no control characters"},
    {"/rules/1/collective", "bcat", "rules[1].collective: 'bcat' is not allowed here; did you mean 'bcast'"},
    {"/rules/1/collective", "bcast\n", "rules[1].collective: 'bcast\\x0a' is not allowed here"},
    {"/rules/1/operation", "`id`", "rules[1].operation: '`id`' is not allowed here"},
    {"/fingerprint/networks", Json::array({"a\rb"}), "fingerprint.networks[0]: the name of a network"},
    {"/fingerprint/networks", "eth", "fingerprint.networks: expected a list"},
    {"/fingerprint/library", 3, "fingerprint.library: expected a string"},
    {"/algorithm_values", Json{{"bcast", 3}}, "algorithm_values.bcast: expected an object"},
    {"/algorithm_values", Json{{"bcast", {{"ring", "1"}}}}, "algorithm_values.bcast.ring"},
    {"/rules/1/from_interval", Json::array({1}), "expected [low, high], got [1]"},
};

TEST(Config, MistakesAreNamed) {
    for (const Mistake& mistake : mistakes) {
        Json json = to_json(example_config());
        json[Json::json_pointer(mistake.pointer)] = mistake.value;
        try {
            read(json);
            ADD_FAILURE() << mistake.pointer << " was accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            EXPECT_NE(std::string(error.what()).find(mistake.message), std::string::npos) << error.what();
        }
    }
}

TEST(Config, AMissingKeyIsNamed) {
    Json json = to_json(example_config());
    json["rules"][3].erase("algorithm");
    try {
        read(json);
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "config.json, rules[3]: the key 'algorithm' is missing; add it");
    }
}

TEST(Config, FindsTheRuleOfACall) {
    Config config = example_config();
    const auto algorithm = [&](const Layout& layout, std::size_t bytes) {
        const Rule* rule = find_rule(config, "eth", layout, "alltoall", bytes);
        return rule == nullptr ? "default" : rule->algorithm;
    };
    EXPECT_EQ(algorithm({4, 1}, 0), "default");
    EXPECT_EQ(algorithm({4, 1}, 1), "brucks");
    EXPECT_EQ(algorithm({4, 1}, 100), "brucks");
    EXPECT_EQ(algorithm({4, 1}, 101), "scattered");
    EXPECT_EQ(algorithm({4, 1}, std::size_t{1} << 40), "pairwise");
    EXPECT_EQ(algorithm({4, 1, Mapping::round_robin}, 100), "brucks") << "one rank a node has no mapping";
    EXPECT_EQ(algorithm({4, 2}, 200), "brucks");
    EXPECT_EQ(algorithm({4, 2, Mapping::round_robin}, 200), "default");
    EXPECT_EQ(algorithm({8, 1}, 200), "default");
    EXPECT_EQ(find_rule(config, "other", {4, 1}, "alltoall", 1), nullptr);
    config.rules[0].where = LayoutRange::exactly({1, 4});
    config.rules[0].from_bytes = 0;
    EXPECT_EQ(find_rule(config, "other", {1, 4}, config.rules[0].collective, 0), nullptr);
    EXPECT_EQ(find_rule_in_job(config, "other", {1, 4}, config.rules[0].collective, 0), &config.rules[0])
        << "within a node there is no network";
    EXPECT_EQ(find_rule_in_job(config, "other", {4, 1}, "alltoall", 1), nullptr);
    config.rules[3].where = {{2, 8}, {1, 2}};  // of 1 to 100 bytes
    EXPECT_EQ(find_rule(config, "eth", {7, 1}, "alltoall", 100), &config.rules[3]);
    EXPECT_EQ(find_rule(config, "eth", {7, 1}, "alltoall", 101), nullptr);
    EXPECT_EQ(find_rule(config, "eth", {9, 1}, "alltoall", 100), nullptr);
}

TEST(Config, ListsNetworksAndLayouts) {
    Config config = example_config();
    EXPECT_EQ(networks_of(config), std::vector<std::string>{"eth"});
    EXPECT_EQ(layouts_of(config, "eth"), (std::vector<Layout>{{4, 1}, {4, 2}}));
    EXPECT_EQ(chosen_network(config, ""), "eth");
    EXPECT_THROW(chosen_network(config, "ib"), Error);
    config.rules.back().network = "ib";
    EXPECT_THROW(chosen_network(config, ""), Error);
    EXPECT_EQ(chosen_network(config, "ib"), "ib");
}

}  // namespace
