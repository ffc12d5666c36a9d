// SPDX-License-Identifier: MIT
// Requests of serve mode: every key is read, and a mistake is answered with what is expected.
#include "request_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace {

using namespace bench;

std::string error_of(const char* text) {
    Settings settings;
    try {
        request_from(nlohmann::ordered_json::parse(text), settings);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(RequestJson, EveryKeyIsRead) {
    Settings settings;
    const Request request =
        request_from(nlohmann::ordered_json::parse(
                         R"({"id": 1, "collective": "bcast", "bytes": [8, 16], "algorithms": ["smp"],
                        "datatype": "int", "operation": "user", "root": 3, "in_place": true, "peer": 2,
                        "order": "pairs", "calls_in_a_row": 10, "communicators": "columns:4",
                        "link": "within", "pairs": [[0, 4], [1, 5]], "parameters": {"messages": 8},
                        "precision": 0.1, "warm_up": 9, "seed": 5, "min_repetitions": 2,
                        "max_repetitions": 4, "max_seconds": 0.5, "ranks": true})"),
                     settings);
    EXPECT_EQ(request.collective, "bcast");
    EXPECT_EQ(request.sizes, (std::vector<std::size_t>{8, 16}));
    EXPECT_EQ(request.algorithms, std::vector<std::string>{"smp"});
    EXPECT_EQ(request.datatype, "int");
    EXPECT_EQ(request.operation, "user");
    EXPECT_EQ(request.root, 3);
    EXPECT_TRUE(request.in_place);
    EXPECT_EQ(request.order, Order::pairs);
    EXPECT_EQ(request.calls_in_a_row, 10);
    EXPECT_EQ(request.communicators, models::parse_communicators("columns:4"));
    EXPECT_EQ(request.peer, 2);
    EXPECT_EQ(request.link, "within");
    EXPECT_EQ(request.pairs, (std::vector<Pair>{{0, 4}, {1, 5}}));
    EXPECT_EQ(request.parameters.at("messages"), 8);
    EXPECT_EQ(settings.precision, 0.1);
    EXPECT_EQ(settings.warm_up, 9);
    EXPECT_EQ(settings.seed, 5U);
    EXPECT_EQ(settings.limits.min_repetitions, 2);
    EXPECT_EQ(settings.limits.max_repetitions, 4);
    EXPECT_EQ(settings.limits.max_seconds, 0.5);
    EXPECT_TRUE(settings.keep_ranks);
}

TEST(RequestJson, WordsStandForNumbers) {
    Settings settings;
    const Request request =
        request_from(nlohmann::ordered_json::parse(R"({"root": "rotating", "pairs": "halves",
                                     "overlap": {"test_intervals": [0, "search"]}})"),
                     settings);
    EXPECT_TRUE(request.rotate_root);
    EXPECT_TRUE(request.all_pairs);
    EXPECT_EQ(request.algorithms, std::vector<std::string>{"all"});
    ASSERT_TRUE(request.overlap);
    EXPECT_EQ(request.overlap->schemes, (std::vector<Scheme>{Scheme::time, Scheme::work}));
    EXPECT_EQ(request.overlap->intervals, std::vector<std::size_t>{0});
    EXPECT_TRUE(request.overlap->search_interval);
}

TEST(RequestJson, AnArrivalHasAPatternAndAWidth) {
    Settings settings;
    const auto read = [&](const char* arrival) {
        return request_from(nlohmann::ordered_json{{"arrival", nlohmann::ordered_json::parse(arrival)}},
                            settings);
    };
    EXPECT_EQ(models::to_string(read(R"("half")").arrival), "half:1");
    const Request request = read(R"({"pattern": "one-late", "width": 0.25, "unit_us": 120.5})");
    EXPECT_EQ(models::to_string(request.arrival), "one-late:0.25");
    EXPECT_EQ(request.arrival_unit_us, 120.5);
    EXPECT_EQ(models::to_string(read(R"("together+half:2")").arrival), "together+half:2");
    EXPECT_EQ(read(R"({"pattern": "recorded", "from": "a.jsonl"})").arrival_from, "a.jsonl");
    EXPECT_TRUE(error_of(R"({"arrival": "late"})").starts_with("there is no arrival pattern 'late'"));
    EXPECT_TRUE(error_of(R"({"arrival": 3})").starts_with("'arrival': expected a pattern such as"));
    EXPECT_EQ(error_of(R"({"arrival": {"pattern": "half", "witdh": 1}})"),
              "there is no key 'witdh' in 'arrival'; known: pattern, width, unit_us, from");
    EXPECT_EQ(error_of(R"({"arrival": {"pattern": "half", "unit_us": 0}})"),
              "'unit_us': expected a number above 0, got 0");
}

TEST(RequestJson, MistakesSayWhatIsExpected) {
    EXPECT_EQ(error_of("[]"),
              R"(a request is a JSON object, such as {"collective": "bcast", "bytes": [1024]})");
    EXPECT_EQ(error_of(R"({"bites": 1})").find("there is no key 'bites' in a request; known: id, coll"), 0U);
    EXPECT_EQ(error_of(R"({"bytes": "64"})"),
              R"('bytes': expected a list of message sizes in bytes, got "64")");
    EXPECT_EQ(error_of(R"({"root": "last"})"), R"('root': expected a rank or "rotating", got "last")");
    EXPECT_EQ(error_of(R"({"order": "neighbours"})"),
              "order of repetitions: expected 'random' or 'pairs', got 'neighbours'");
    EXPECT_EQ(error_of(R"({"order": true})"), R"('order': expected "random" or "pairs", got true)");
    EXPECT_EQ(error_of(R"({"pairs": 7})"),
              R"('pairs': expected a list of pairs of ranks or "halves", got 7)");
    EXPECT_EQ(error_of(R"({"overlap": true})"),
              R"('overlap': expected an object such as {"test_intervals": [0, 4096]}, got true)");
    EXPECT_EQ(error_of(R"({"overlap": {"intervals": [1]}})"),
              "there is no key 'intervals' in 'overlap'; known: schemes, test_intervals");
    EXPECT_EQ(error_of(R"({"overlap": {"test_intervals": [-1]}})"),
              R"('test_intervals': expected bytes or "search", got -1)");
}

}  // namespace
