// SPDX-License-Identifier: MIT
#include "summary.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "contains.hpp"
#include "report_run.hpp"

namespace {

using namespace tuner;

// A rule on the first of these networks, of a library that reads tuning files
Config tuned(const std::vector<std::string>& networks) {
    Config config;
    config.library = "MPICH Version: 4.0.2, changeover patches";
    config.verified = true;
    for (const std::string& network : networks) {
        Rule rule;
        rule.network = network;
        rule.where = tuner::LayoutRange::exactly({2, 2});
        rule.collective = "bcast";
        rule.from_bytes = 2000;
        rule.to_bytes = 10000;
        rule.algorithm = "scatter_ring_allgather";
        config.rules.push_back(rule);
    }
    return config;
}

std::vector<Proof> proofs() {
    const CellKey cell = {"eth", {2, 2}, "bcast", ""};
    return {{cell, 2100, "scatter_ring_allgather", {1.28, {1.2, 1.3}}, 1, 0.001},
            {cell, 9000, "scatter_ring_allgather", {1.62, {1.5, 1.7}}, 1, 0.001}};
}

TEST(Summary, NoRules) {
    const std::string text = summary_text(Config{}, {}, {1.5, 7}, "/run");
    EXPECT_TRUE(contains(text, "No rules: no algorithm is significantly faster"));
    EXPECT_TRUE(contains(text, "Measured 7 cases; the measured calls took 1.5 s."));
    EXPECT_FALSE(contains(text, "Next:"));
}

TEST(Summary, NothingIsConcludedFromWhatWasNotMeasured) {
    Config config;
    config.notes = {"bcast: ring was dropped: measured in 1 of 3 jobs: " + std::string(not_measured),
                    "bcast: smp was dropped: no gain"};
    EXPECT_CONTAINS(summary_text(config, {}, {}, "/run"),
                    "No rules: not determined: 1 rule could not be verified");
    config.notes.erase(config.notes.begin());
    EXPECT_CONTAINS(summary_text(config, {}, {}, "/run"), "no algorithm is significantly faster");
}

TEST(Summary, GainsOfHeldOutSizes) {
    const std::string text = summary_text(tuned({"eth"}), proofs(), {}, "/run");
    EXPECT_TRUE(contains(text, "1 rule; "));
    EXPECT_TRUE(contains(text, "Verified at 2 sizes in new jobs")) << text;
    EXPECT_TRUE(contains(text, "geometric mean  +44%")) << "sqrt(1.28 * 1.62)";
    EXPECT_TRUE(contains(text, "best            bcast 9000 2x2"));
    EXPECT_TRUE(contains(text, "worst           bcast 2100 2x2"));
}

TEST(Summary, ManyNotesThatEndAlikeAreCounted) {
    Config config = tuned({"eth"});
    for (const int nodes : {2, 3, 4, 5, 6}) {
        config.notes.push_back(
            fmt::format("eth {}x1 bcast: ring was dropped: the time limit was reached", nodes));
    }
    config.notes.insert(config.notes.begin() + 2, "eth 7x1 bcast: ring was dropped: it is slower");
    const std::string text = summary_text(config, {}, {}, "/run");
    EXPECT_TRUE(
        contains(text,
                 "note            5 rules such as eth 2x1 bcast: ring were dropped: the time limit was "
                 "reached\n  note            eth 7x1 bcast: ring was dropped: it is slower\n\n"))
        << text;
}

TEST(Summary, OneLineForTheEnvironmentOfEachNetwork) {
    const std::string text = summary_text(tuned({"eth", "my net"}), {}, {}, "/a run");
    EXPECT_TRUE(contains(text,
                         "export MPIR_CVAR_COLL_TUNING_FILE='/a run/tuning.json' "
                         "MPIR_CVAR_COLL_TUNING_NETWORK=eth\n"))
        << text;
    EXPECT_TRUE(contains(text, "MPIR_CVAR_COLL_TUNING_NETWORK='my net'\n")) << text;
    EXPECT_FALSE(contains(text, "NETWORK=default"));
    EXPECT_TRUE(contains(text, "changeover emit --run '/a run' --format env --network eth --layout 2x2\n"))
        << text;
}

TEST(Summary, NetworksThatTheLibraryRecognizesNeedNoName) {
    const std::string line =
        "# use the rules in jobs\n  export MPIR_CVAR_COLL_TUNING_FILE=/run/tuning.json\n";
    EXPECT_TRUE(contains(summary_text(tuned({"eth"}), {}, {}, "/run"), line)) << "the only one";
    Config config = tuned({"eth", "fast"});
    config.network_marks = {{"eth", {{"10.1.0.0/16"}, {}}}, {"fast", {{}, {"ib0"}}}};
    EXPECT_TRUE(contains(summary_text(config, {}, {}, "/run"), line));
    config.network_marks["fast"] = {};
    EXPECT_FALSE(contains(summary_text(config, {}, {}, "/run"), line));
}

TEST(Summary, ARangeIsNamedAndOneOfItsLayoutsIsTheExample) {
    Config config = tuned({"eth"});
    config.rules[0].where = {{3, 8}, {2, CountRange::no_last}};
    config.rules.push_back(tuned({"eth"}).rules[0]);
    const std::string text = summary_text(config, {}, {}, "/run");
    EXPECT_TRUE(contains(text, "eth          3 to 8 nodes x 2 or more bcast ")) << text;
    EXPECT_TRUE(contains(text, fmt::format("eth          {:<24} bcast ", "2x2"))) << text;
    EXPECT_TRUE(contains(text, "--format env --layout 3x2\n")) << text;
    EXPECT_TRUE(contains(text, "explain /run/config.json bcast --nodes 3 --ppn 2 ")) << text;
}

TEST(Summary, ExplainedCallHasASize) {
    Config config = tuned({"eth"});
    config.rules[0].to_bytes = no_end;
    const std::string text = summary_text(config, {}, {}, "/run");
    EXPECT_TRUE(contains(text, "explain /run/config.json bcast --nodes 2 --ppn 2 --bytes 2000\n")) << text;
}

}  // namespace
