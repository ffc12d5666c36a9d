// SPDX-License-Identifier: MIT
// Rules that a library does not have, or that nobody has verified, do not become a file by accident.
#include "config_to_emit.hpp"

#include <gtest/gtest.h>

#include "emitted_text.hpp"
#include "error.hpp"

namespace {

using namespace tuner;

Config written_config() {
    Config config = example_config();
    config.checksum = checksum_of(config.rules);
    return config;
}

void expect_refused(const Config& config, const std::string& message) {
    try {
        checked_to_emit(config, "DIR/config.json", false);
        ADD_FAILURE() << "accepted: " << message;
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        EXPECT_TRUE(contains(error.what(), message));
    }
}

TEST(ConfigToEmit, WhatWasVerifiedIsTakenAsItIs) {
    const ConfigToEmit checked = checked_to_emit(written_config(), "config.json", false);
    EXPECT_TRUE(checked.warnings.empty());
    EXPECT_TRUE(checked.config.verified);
    EXPECT_EQ(checked.config.rules.size(), example_config().rules.size());
}

TEST(ConfigToEmit, NamesThatTheLibraryDoesNotHaveAreRefused) {
    Config config = written_config();
    config.rules[1].algorithm = "recursive_dubling";
    expect_refused(config,
                   "DIR/config.json, rules[1]: allreduce has no algorithm 'recursive_dubling'; did you mean "
                   "'recursive_doubling'?");
    config = written_config();
    config.rules[2].collective = "gossip; touch canary";
    expect_refused(config, "DIR/config.json, rules[2]: there is no collective 'gossip; touch canary'");
}

TEST(ConfigToEmit, NamesThatTheLibraryReportedAreKnown) {
    Config config = example_config();
    config.rules = {example_rule({4, 1}, "bcast", 1, 100, "hypercube:k=4")};
    expect_refused(config, "bcast has no algorithm 'hypercube'");
    config.algorithm_values = {{"bcast", {{"hypercube", 7}}}};
    EXPECT_NO_THROW(checked_to_emit(config, "config.json", false));
}

TEST(ConfigToEmit, EditedRulesMustBeAccepted) {
    Config config = written_config();
    config.rules[0].from_bytes += 1;
    expect_refused(config, "DIR/config.json: the checksum does not match the rules");
    const ConfigToEmit checked = checked_to_emit(config, "config.json", true);
    EXPECT_FALSE(checked.config.verified) << "somebody else's rules were verified";
    ASSERT_EQ(checked.warnings.size(), 1U);
    EXPECT_TRUE(contains(checked.warnings[0], "edited and are not verified"));
}

TEST(ConfigToEmit, WhatIsNotVerifiedIsSaid) {
    Config config = written_config();
    config.verified = false;
    const ConfigToEmit checked = checked_to_emit(config, "config.json", false);
    ASSERT_EQ(checked.warnings.size(), 1U);
    EXPECT_TRUE(contains(checked.warnings[0], "not verified against the default; run 'changeover verify'"));
}

}  // namespace
