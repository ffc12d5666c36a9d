// SPDX-License-Identifier: MIT
#include "known_run.hpp"

#include <gtest/gtest.h>

#include "../../report/report_run.hpp"
#include "error.hpp"

namespace {

using tuner::trace::KnownRun;

TEST(KnownRun, TimesRulesAndModelOfOneNetwork) {
    const ReportRun run;
    run.decide(true);
    const KnownRun known(run.folder(), "eth");
    EXPECT_EQ(known.network, "eth");
    EXPECT_EQ(known.cells.size(), 1U);
    EXPECT_EQ(known.config.rules.size(), 1U);
    EXPECT_TRUE(known.prediction);
}

TEST(KnownRun, OnlyNetworkNeedsNoName) {
    const ReportRun run({"eth"});
    const KnownRun known(run.folder(), "");
    EXPECT_EQ(known.network, "eth");
    EXPECT_TRUE(known.config.rules.empty()) << "nothing was decided yet";
}

TEST(KnownRun, UnknownNetworkIsAnError) {
    const ReportRun run;
    EXPECT_THROW(KnownRun(run.folder(), "no such network"), tuner::Error);
}

}  // namespace
