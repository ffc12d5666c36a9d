// SPDX-License-Identifier: MIT
// The text of a comparison says who is faster, where, by how much, and what is not known.
#include "made_up_runs.hpp"

namespace {

using namespace tuner;
using CompareText = MadeUpRuns;

TEST_F(CompareText, NamesTheFasterOneWithItsSizesAndFactor) {
    make_run("a", binomial, ring_from(1e9));
    make_run(
        "b", [](double bytes) { return binomial(bytes) / 2; }, ring_from(1e9));
    const std::string text = to_text(compare({"", folder("a"), folder("b")}));
    EXPECT_CONTAINS(text, "\nbcast 4x2\n");
    EXPECT_CONTAINS(text, "  faster, default: B from 8 to 32Ki by a factor of 2.00\n");
    EXPECT_CONTAINS(text, "  chosen in A: default (binomial)\n");
    EXPECT_CONTAINS(text, "Conditions: no known difference.\n");
    EXPECT_CONTAINS(text, "Point-to-point parameters: not measured in A or B.\n");
    EXPECT_EQ(text.find("faster, tuned"), std::string::npos) << "there are no configurations";
}

TEST_F(CompareText, EqualRunsHaveNoSignificantDifference) {
    make_run("a", binomial, ring_from(512));
    make_run("b", binomial, ring_from(512));
    const std::string text = to_text(compare({"", folder("a"), folder("b")}));
    EXPECT_CONTAINS(text, "  faster, default: no significant difference\n");
    EXPECT_CONTAINS(text, "the same");  // the changeover point
}

TEST_F(CompareText, TheFactorOfAChangeoverThatMoved) {
    Journal journal = create("run");
    measure(journal, "eth", binomial, ring_from(200));
    measure(journal, "fast", binomial, ring_from(12000));
    EXPECT_CONTAINS(to_text(compare({folder("run"), "eth", "fast"})), "moved up by a factor of 60");
    EXPECT_CONTAINS(to_text(compare({folder("run"), "fast", "eth"})), "moved down by a factor of 60");
}

}  // namespace
