// SPDX-License-Identifier: MIT
// The command line of changeover-bench: what is written, and what it means.
#include "options.hpp"

#include <gtest/gtest.h>

namespace {

using namespace bench;

Options parsed(std::vector<const char*> words) {
    words.insert(words.begin(), "changeover-bench");
    Options options;
    CLI::App app;
    define(app, options);
    const int count = static_cast<int>(words.size());
    app.parse(count, words.data());
    interpret(options, count, words.data());
    return options;
}

std::string error_of(const std::vector<const char*>& words) {
    try {
        parsed(words);
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

TEST(BenchOptions, AreInterpreted) {
    const Options o = parsed({"bcast",
                              "--sizes",
                              "8:32:x2",
                              "--algorithms",
                              "default,smp",
                              "--root",
                              "1",
                              "--parameter",
                              "messages=8,delay_us=0.5",
                              "--memory",
                              "2Mi",
                              "--metric",
                              "max",
                              "--start",
                              "barrier",
                              "--processes",
                              "each",
                              "--order",
                              "pairs",
                              "--calls-in-a-row",
                              "10"});
    EXPECT_EQ(o.request.collective, "bcast");
    EXPECT_EQ(o.request.sizes, (std::vector<std::size_t>{8, 16, 32}));
    EXPECT_EQ(o.request.algorithms, (std::vector<std::string>{"default", "smp"}));
    EXPECT_EQ(o.request.root, 1);
    EXPECT_FALSE(o.request.rotate_root);
    EXPECT_EQ(o.request.parameters.at("messages"), 8);
    EXPECT_EQ(o.request.parameters.at("delay_us"), 0.5);
    EXPECT_EQ(o.session.memory_limit, std::size_t{2} << 20);
    EXPECT_EQ(o.session.settings.metric, Metric::max);
    EXPECT_EQ(o.session.settings.start, StartMode::barrier);
    EXPECT_EQ(o.request.order, Order::pairs);
    EXPECT_EQ(o.request.calls_in_a_row, 10);
    EXPECT_TRUE(o.session.command_line.starts_with("changeover-bench bcast --sizes 8:32:x2"));
    EXPECT_FALSE(o.process_sets.empty());
}

TEST(BenchOptions, AListTakesOneWord) {
    const Options o = parsed({"--algorithms", "default,smp", "--parameter", "messages=2", "bcast"});
    EXPECT_EQ(o.request.collective, "bcast");
    EXPECT_EQ(o.request.algorithms, (std::vector<std::string>{"default", "smp"}));
}

TEST(BenchOptions, HaveDefaults) {
    const Options o = parsed({"barrier"});
    EXPECT_EQ(o.request.sizes, std::vector<std::size_t>{0}) << "a barrier has no message";
    EXPECT_EQ(o.request.algorithms, std::vector<std::string>{"all"});
    EXPECT_EQ(o.format, "table");
    EXPECT_FALSE(o.request.overlap);
}

TEST(BenchOptions, AnArrivalHasAPatternAndAWidth) {
    EXPECT_TRUE(parsed({"bcast"}).request.arrival.empty());
    EXPECT_EQ(models::to_string(parsed({"bcast", "--arrival", "random:0.5"}).request.arrival), "random:0.5");
    const Request recorded = parsed({"bcast", "--arrival-from", "a.jsonl"}).request;
    EXPECT_EQ(models::to_string(recorded.arrival), "recorded");
    EXPECT_EQ(recorded.arrival_from, "a.jsonl");
    EXPECT_TRUE(error_of({"bcast", "--arrival", "late"}).starts_with("there is no arrival pattern 'late'"));
}

TEST(BenchOptions, AnOverlapHasSchemesAndIntervals) {
    const Options o = parsed({"ibcast", "--overlap", "--scheme", "work", "--test-interval", "0,4Ki,search"});
    ASSERT_TRUE(o.request.overlap);
    EXPECT_EQ(o.request.overlap->schemes, std::vector<Scheme>{Scheme::work});
    EXPECT_EQ(o.request.overlap->intervals, (std::vector<std::size_t>{0, 4096}));
    EXPECT_TRUE(o.request.overlap->search_interval);
}

TEST(BenchOptions, MistakesSayWhatIsExpected) {
    EXPECT_EQ(error_of({"bcast", "--root", "first"}), "--root: expected a rank or 'rotate', got 'first'");
    EXPECT_EQ(error_of({"bcast", "--parameter", "messages"}),
              "--parameter: expected NAME=NUMBER such as messages=8, got 'messages'");
    EXPECT_EQ(error_of({}).find("name a collective or an exchange: bcast"), 0U);
    EXPECT_NE(error_of({"bcast", "--format", "xml"}), "");
    EXPECT_NE(error_of({"bcast", "--warm-up", "0"}), "");
    EXPECT_NE(error_of({"bcast", "--metric", "average"}), "");
}

}  // namespace
