// SPDX-License-Identifier: MIT
#include "fitting_rules.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "estimate.hpp"

namespace {

using namespace tuner;
using namespace tuner::commands;

// A rule from 8 bytes to 1 MiB; a call of 1 MiB takes a second, shorter ones less in proportion
class FittingRules : public testing::Test {
  protected:
    FittingRules() {
        for (const std::size_t bytes : {8, 64, 512, 4096, 32768, 262144, 1 << 20}) {
            ++run.last_group;
            for (const char* algorithm : {"default", "ring"}) {
                CaseRecord record;
                record.group = run.last_group;
                record.network = "eth";
                record.layout = {2, 1};
                record.collective = "bcast";
                record.algorithm = algorithm;
                record.used = algorithm == std::string("default") ? "binomial" : algorithm;
                record.bytes = bytes;
                record.samples_seconds.assign(20, static_cast<double>(bytes) / (1 << 20));
                run.cases.push_back(record);
            }
        }
        Rule rule;
        rule.network = "eth";
        rule.where = LayoutRange::exactly({2, 1});
        rule.collective = "bcast";
        rule.algorithm = "ring";
        rule.from_bytes = 8;
        rule.to_bytes = 1 << 20;
        rule.basis = "measured";
        config.rules = {rule};
    }
    std::vector<Rule> fitting(double seconds) {
        return fitting_rules(config, run, plan, 0.1, seconds, notes);
    }

    Plan plan;
    RunData run;
    Config config;
    std::vector<std::string> notes;
};

TEST_F(FittingRules, StayWholeWithEnoughTime) {
    const double needed = verification_estimate(config, run, plan, 0.1).seconds;
    EXPECT_EQ(fitting(needed + 1).front().to_bytes, 1u << 20);
    EXPECT_TRUE(notes.empty());
}

TEST_F(FittingRules, LoseTheirLongestCalls) {
    const double needed = verification_estimate(config, run, plan, 0.1).seconds;
    const std::vector<Rule> rules = fitting(needed / 2);
    ASSERT_EQ(rules.size(), 1u);
    EXPECT_EQ(rules[0].to_bytes, 262144u) << "the next smaller size that was measured";
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_CONTAINS(notes[0],
                    "ring from 8 to 1Mi is left to the library above 256Ki: the time limit leaves no time");
}

TEST_F(FittingRules, GiveUpWhatIsBeyondTheMeasuredSizesFirst) {
    const double needed = verification_estimate(config, run, plan, 0.1).seconds;
    Rule beyond = config.rules.front();
    beyond.from_bytes = (1 << 20) + 1;
    beyond.to_bytes = 1200000;
    beyond.basis = "model";
    config.rules.push_back(beyond);
    const std::vector<Rule> rules = fitting(needed);
    ASSERT_EQ(rules.size(), 1u);
    EXPECT_EQ(rules[0].to_bytes, 1u << 20);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_CONTAINS(notes[0], "is left to the library: the time limit leaves no time");
}

TEST_F(FittingRules, KeepWhatIsShort) {
    const std::vector<Rule> rules = fitting(0);
    ASSERT_EQ(rules.size(), 1u);
    EXPECT_EQ(rules[0].to_bytes, 32768u) << "calls of 31 ms";
}

}  // namespace
