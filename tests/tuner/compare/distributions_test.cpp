// SPDX-License-Identifier: MIT
#include "distributions.hpp"

#include <gtest/gtest.h>

#include "biased_runs.hpp"
#include "error.hpp"

namespace {

using namespace tuner;
using Distributions = BiasedRuns;

TEST_F(Distributions, OfTheCasesThatAreAskedFor) {
    const DistributionOptions options{make_run("a", 1), "ping_pong", 3};
    const auto distributions = distributions_of(options);
    ASSERT_EQ(distributions.size(), 1u);
    const CaseDistribution& d = distributions[0];
    EXPECT_EQ(d.key.what, "ping_pong between");
    EXPECT_EQ(d.tail.count, 100u);
    EXPECT_TRUE(d.outliers.empty());
    EXPECT_EQ(d.kernel_time_outs, 1);
    ASSERT_TRUE(d.log_normal);
    EXPECT_NEAR(d.log_normal->shift + d.log_normal->median, truth, 0.01 * truth);
    const Json json = to_json(distributions, options.outlier_factor);
    EXPECT_EQ(json.at("cases")[0].at("histogram").at("counts").size(), 20u);
    EXPECT_EQ(json.at("cases")[0].at("shares_beyond_times_min").at("2"), 0);
    EXPECT_NE(to_text(distributions, 3).find("ping_pong between on eth 2x2"), std::string::npos);
    EXPECT_THROW(distributions_of({options.folder, "alltoall", 3}), Error);
    EXPECT_THROW(distributions_of({options.folder, "", 1}), Error);
}

// Two repetitions that take ten times as long as the others
TEST_F(Distributions, OutliersAreAboveTheFactorTimesTheMedian) {
    const std::string name = folder("late");
    {
        Journal journal = Journal::create(name, {});
        CaseRecord record;
        record.stage = Stage::search;
        record.network = "eth";
        record.layout = two_by_two;
        record.collective = "bcast";
        record.algorithm = "default";
        record.bytes = 8;
        record.status = Status::measured;
        record.samples_seconds = std::vector<double>(18, truth);
        record.samples_seconds.insert(record.samples_seconds.end(), {10 * truth, 10 * truth});
        std::vector<CaseRecord> group = {record};
        journal.append(group);
    }
    const auto found = distributions_of({name, "", 5});
    ASSERT_EQ(found.size(), 1u);
    ASSERT_EQ(found[0].outliers.size(), 2u);
    EXPECT_NEAR(found[0].outliers.front(), 10 * truth, 1e-3 * truth);  // journals round
    EXPECT_NEAR(found[0].outliers.back(), 10 * truth, 1e-3 * truth);
    EXPECT_NEAR(found[0].tail.shares_beyond.front(), 0.1, 1e-12);
    EXPECT_TRUE(distributions_of({name, "", 11})[0].outliers.empty());
}

}  // namespace
