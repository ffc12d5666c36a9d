// SPDX-License-Identifier: MIT
// What is compared with what, what is missing on one side, and what is refused.
#include <fstream>

#include "made_up_runs.hpp"

namespace {

using namespace tuner;
using Compare = MadeUpRuns;

TEST_F(Compare, WhatOnlyOneHasIsListed) {
    {
        Journal a = create("a");
        measure(a, "eth", binomial, ring_from(512), {8, 100, 512});
        measure(a, "old", binomial, ring_from(512));
        std::vector<CaseRecord> group = {record("eth", 8, default_algorithm, 1e-4)};
        group[0].collective = "allreduce";
        group[0].operation = "sum";
        a.append(group);
        Journal b = create("b");
        measure(b, "eth", binomial, ring_from(512), {8, 512});
        measure(b, "new", binomial, ring_from(512));
        group = {record("eth", 8, "smp", 1e-4), record("eth", 100, default_algorithm, 1e-4)};
        group[1].samples_seconds.clear();
        group[1].status = Status::refused;
        group[1].reason = "too odd";
        b.append(group);
    }
    const Comparisons comparisons = compare({"", folder("a"), folder("b")});
    ASSERT_EQ(comparisons.pairs.size(), 1u);
    ASSERT_EQ(comparisons.only.size(), 2u);
    EXPECT_CONTAINS(comparisons.only[0], "network old is only in A");
    EXPECT_CONTAINS(comparisons.only[1], "network new is only in B");
    const Comparison& pair = comparisons.pairs[0];
    EXPECT_EQ(pair.only_a, std::vector<std::string>{"allreduce (sum) 4x2"});
    EXPECT_TRUE(pair.only_b.empty());
    EXPECT_EQ(pair.cells[0].only_a, std::vector<std::string>{"sizes 100 (too odd)"});
    EXPECT_EQ(pair.cells[0].only_b, std::vector<std::string>{"algorithms smp"});
    const Comparisons chosen = compare({"", folder("a"), folder("b"), {"old", "new"}});
    ASSERT_EQ(chosen.pairs.size(), 1u);
    EXPECT_EQ(chosen.pairs[0].a.network, "old");
    EXPECT_EQ(chosen.pairs[0].b.network, "new");
}

TEST_F(Compare, DifferentConditionsComeFirst) {
    const auto make = [&](const std::string& name, const std::string& processor, const std::string& version) {
        Manifest m = manifest();
        m.environment["processor"] = processor;
        Journal journal = create(name, m);
        journal.job_started({"t", "eth", four_by_two});
        journal.append_event(
            "job_header",
            {{"token", "t"},
             {"header",
              {{"library", "MPICH Version: " + version + ";MPICH CC: gcc"}, {"device", "ch3:sock"}}}});
        measure(journal, "eth", binomial, ring_from(512));
    };
    make("a", "P1", "4.0.2");
    make("b", "P2", "4.1");
    const Comparison pair = only_pair({"", "a", "b"});
    ASSERT_EQ(pair.differing.size(), 2u);
    EXPECT_EQ(pair.differing[0].name, "library.MPICH Version");
    EXPECT_EQ(pair.differing[0].b, "4.1");
    EXPECT_EQ(pair.differing[1].name, "machine.processor");
    EXPECT_NE(std::find(pair.same.begin(), pair.same.end(), "job.device"), pair.same.end());
    const std::string text = to_text(compare({"", folder("a"), folder("b")}));
    EXPECT_LT(text.find("Conditions that differ"), text.find("bcast 4x2"));
    make_run("c", binomial, ring_from(512));  // without any header
    EXPECT_EQ(only_pair({"", "c", "a"}).differing[0].a, "not recorded");
}

TEST_F(Compare, WrongUseIsNamed) {
    make_run("a", binomial, ring_from(512));
    make_run("b", binomial, ring_from(512));
    create("empty");
    EXPECT_CONTAINS(error_of({"", folder("a"), folder("none")}), "not a run");
    EXPECT_CONTAINS(error_of({"", folder("a"), work.path.string()}), "manifest.json");
    EXPECT_CONTAINS(error_of({"", folder("a"), folder("a")}), "--run");
    EXPECT_CONTAINS(error_of({"", folder("a"), folder("empty")}), "no measured case");
    EXPECT_CONTAINS(error_of({"", folder("a"), folder("b"), {"ethh"}}), "did you mean 'eth'");
    EXPECT_CONTAINS(error_of({"", folder("a"), folder("b"), {"eth", "eth", "eth"}}), "two names");
    EXPECT_CONTAINS(error_of({"", folder("a"), folder("b"), {}, -1}), "--margin");
    EXPECT_CONTAINS(error_of({folder("a"), "eth", "eth"}), "two different");
    EXPECT_CONTAINS(error_of({folder("a"), "eth", "ib"}), "no network 'ib'");
    EXPECT_CONTAINS(error_of({folder("a"), "eth", "ib", {"eth"}}), "--network");
    std::ofstream(folder("b") + "/config.json") << "{";
    EXPECT_CONTAINS(error_of({"", folder("a"), folder("b")}), "config.json");
    Manifest damaged = manifest();
    damaged.cluster = {{"name", "x"}, {"networks", {1, 2}}};
    {
        Journal journal = create("damaged", damaged);
        measure(journal, "eth", binomial, ring_from(512));
    }
    EXPECT_CONTAINS(error_of({"", folder("a"), folder("damaged")}), "damaged");
}

}  // namespace
