// SPDX-License-Identifier: MIT
#include "planned_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "contains.hpp"
#include "error.hpp"

namespace {

using namespace tuner;

PlannedExchange of(const std::string& text) {
    return exchange_from(CheckedJson::parse(text, "mine.json"));
}

std::string exchange_error(const std::string& text) {
    try {
        exchange_from(CheckedJson::parse(text, "mine.json"));
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "no error";
}

TEST(PlannedExchange, ANameGetsTheDefaults) {
    const PlannedExchange ping_pong = of(R"("ping_pong")");
    EXPECT_EQ(label_of(ping_pong), "ping_pong between");
    EXPECT_EQ(ping_pong.max_bytes, 4u << 20);
    const PlannedExchange overlap = of(R"("iallreduce")");
    EXPECT_EQ(label_of(overlap), "iallreduce overlap");
    EXPECT_EQ(overlap.ways, std::vector<std::string>{"default"});
    EXPECT_EQ(overlap.operation, "sum");
    EXPECT_EQ(overlap.max_bytes, 256u << 10);
    EXPECT_EQ(of(R"("ialltoall")").max_bytes, 64u << 10) << "it grows with the ranks";
}

TEST(PlannedExchange, AllThatCanBeSaid) {
    const PlannedExchange exchange = of(R"({"name": "bandwidth", "pairs": "halves", "ways": ["window"],
        "parameters": {"window": 32}, "min_bytes": 64, "max_bytes": "1Mi"})");
    EXPECT_EQ(label_of(exchange), "bandwidth halves window=32");
    EXPECT_EQ(exchange.ways, std::vector<std::string>{"window"});
    EXPECT_EQ(exchange.min_bytes, 64u);
    EXPECT_EQ(exchange.max_bytes, 1u << 20);
    EXPECT_EQ(label_of(of(R"({"name": "ping_pong", "link": "within"})")), "ping_pong within");
}

TEST(PlannedExchange, ThoseOfNetworksDifferAndAreTheSameAfterJson) {
    std::set<std::string> labels;
    const std::vector<PlannedExchange> exchanges = exchanges_of_networks();
    for (const PlannedExchange& exchange : exchanges) {
        EXPECT_TRUE(labels.insert(label_of(exchange)).second) << label_of(exchange);
        EXPECT_EQ(exchange_from(CheckedJson(to_json(exchange), "mine.json")), exchange);
    }
    EXPECT_EQ(labels.size(), 17u);
    for (const char* label :
         {"ping_pong within", "bandwidth halves", "halo dimensions=3", "ialltoall overlap"}) {
        EXPECT_TRUE(labels.contains(label)) << label;
    }
}

TEST(PlannedExchange, MistakesAreNamed) {
    EXPECT_CONTAINS(exchange_error(R"("pingpong")"), "did you mean 'ping_pong'?");
    EXPECT_CONTAINS(exchange_error(R"({"name": "ring", "link": "within"})"), "ring is between all ranks");
    EXPECT_CONTAINS(exchange_error(R"({"name": "ping_pong", "link": "near"})"), "'near'");
    EXPECT_CONTAINS(exchange_error(R"({"name": "ring", "max_bytes": "2Gi"})"), "expected 1 to 1Gi bytes");
    EXPECT_CONTAINS(exchange_error(R"({"name": "halo", "size": 2})"), "'size'");
}

}  // namespace
