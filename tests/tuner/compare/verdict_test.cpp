// SPDX-License-Identifier: MIT
// A comparison starts with its answer: which side is faster, at how many sizes, and what may explain it.
#include "verdict.hpp"

#include "made_up_runs.hpp"

namespace {

using namespace tuner;

class VerdictTest : public MadeUpRuns {
  protected:
    // `eth`, and `other`, whose default takes `factor` times as long
    Comparison compared(const Seconds& factor) const {
        Journal journal = create("run");
        measure(journal, "eth", binomial, ring_from(1e9));
        measure(
            journal, "other", [&](double bytes) { return factor(bytes) * binomial(bytes); }, ring_from(1e9));
        return only_pair({"run", "eth", "other"});
    }
};

TEST_F(VerdictTest, NamesTheFasterOneFirst) {
    const Comparison comparison = compared([](double) { return 0.5; });
    const ComparisonVerdict verdict = verdict_of(comparison);
    EXPECT_EQ(verdict.faster, Winner::b);
    EXPECT_EQ(verdict.tally.sizes, 5U);
    EXPECT_EQ(verdict.tally.faster_b, 5U);
    EXPECT_NEAR(verdict.tally.ratio, 0.5, 1e-9);
    EXPECT_TRUE(
        to_text(Comparisons{{comparison}, {}})
            .starts_with("B (other) is faster than A (eth), by a factor of 2.00 (geometric mean of 5 sizes "
                         "of collectives with the library's default): significantly at 5, A (eth) at 0.\n"));
    EXPECT_EQ(
        headline_of(verdict, "eth", "other"),
        "other is faster than eth, by a factor of 2.00 (geometric mean of 5 sizes of collectives with the "
        "library's default): significantly at 5, eth at 0.");
}

TEST_F(VerdictTest, SaysWhereTheOtherOneIsFaster) {
    const Comparison comparison = compared([](double bytes) { return bytes < 10 ? 1.2 : 0.5; });
    const ComparisonVerdict verdict = verdict_of(comparison);
    EXPECT_EQ(verdict.faster, Winner::b);
    ASSERT_EQ(verdict.exceptions.size(), 1U);
    EXPECT_EQ(verdict.exceptions[0], "A is faster for bcast 4x2 at 8 bytes, by a factor of 1.20");
    EXPECT_CONTAINS(to_text(comparison, verdict), "  but A is faster for bcast 4x2 at 8 bytes");
}

TEST_F(VerdictTest, DependsOnTheCall) {
    const Comparison comparison = compared([](double bytes) {
        return bytes < 100 ? 2 : bytes < 1000 ? 1 : 0.5;
    });
    const ComparisonVerdict verdict = verdict_of(comparison);
    EXPECT_EQ(verdict.faster, Winner::neither);
    EXPECT_EQ(
        headline_of(comparison, verdict),
        "Neither is faster over all, it depends on the call: of 5 sizes of collectives with the library's "
        "default, A (eth) is significantly faster at 2, B (other) at 2.");
    EXPECT_EQ(verdict.exceptions.size(), 2U) << "where each is faster";
}

TEST_F(VerdictTest, EqualSidesHaveNoWinner) {
    const Comparison comparison = compared([](double) { return 1.0; });
    const std::string text = to_text(comparison, verdict_of(comparison));
    EXPECT_TRUE(text.starts_with("No significant difference between A (eth) and B (other) at any of 5 sizes"))
        << text;
    EXPECT_EQ(text.find("why"), std::string::npos) << "there is nothing to explain";
    EXPECT_TRUE(to_json(comparison, verdict_of(comparison)).at("faster").is_null());
}

TEST_F(VerdictTest, ExplainsByMessagesTimeOutsAndConditions) {
    Comparison comparison = compared([](double) { return 0.5; });
    comparison.messages = {{Link::between_nodes, 1, {0.9, {0.8, 1.0}}},
                           {Link::between_nodes, 1 << 20, {0.25, {0.2, 0.3}}}};
    comparison.layouts = {{four_by_two, {2, 2, 10, 7}, {2, 2, 0, 0}}};
    comparison.differing = {{"job.device", "ch3:sock", "ch4:ofi"}};
    const std::string text = to_text(comparison, verdict_of(comparison));
    EXPECT_CONTAINS(
        text,
        "  why: a message between nodes of 1 bytes takes 0.9 (0.8-1) times as long in B, one of 1Mi "
        "bytes takes 0.25 (0.2-0.3) times as long in B\n");
    EXPECT_CONTAINS(text, "  why: time-outs of TCP in all jobs, by the kernel: 7 in A, 0 in B\n");
    EXPECT_CONTAINS(text, "  why: conditions that differ (below): job.device\n");
}

TEST_F(VerdictTest, OfRunsWithoutACommonSize) {
    Journal journal = create("run");
    measure(journal, "eth", binomial, ring_from(1e9), {8});
    measure(journal, "other", binomial, ring_from(1e9), {64});
    const Comparison comparison = only_pair({"run", "eth", "other"});
    EXPECT_CONTAINS(to_text(comparison, verdict_of(comparison)),
                    "A (eth) and B (other) have no measured size in common.\n");
}

TEST_F(VerdictTest, NamesThatWereLeftOutAreListed) {
    Journal journal = create("run");
    measure(journal, "eth", binomial, ring_from(1e9));
    measure(journal, "other", binomial, ring_from(1e9));
    const std::string asks = "name two networks of the run " + folder("run") +
                             ": eth, other; such as: changeover compare --run " + folder("run") +
                             " eth other";
    EXPECT_EQ(error_of({folder("run"), "", ""}), asks);
    EXPECT_EQ(error_of({folder("run"), "eth", ""}), asks);
    EXPECT_EQ(error_of({"", folder("run"), ""}), asks);
    EXPECT_CONTAINS(error_of({"", "", ""}), "name two run directories");
    make_run("one", binomial, ring_from(1e9));
    EXPECT_CONTAINS(error_of({"", folder("one"), ""}), "has one network, eth; name another run");
    EXPECT_CONTAINS(error_of({folder("run"), "eth", "ohter"}),
                    "'ohter'; did you mean 'other'? known: eth, other");
}

}  // namespace
