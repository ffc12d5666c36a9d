// SPDX-License-Identifier: MIT
// What a comparison takes from a run.
#include "made_up_runs.hpp"

namespace {

using namespace tuner;
using MeasuredNetworkTest = MadeUpRuns;

TEST_F(MeasuredNetworkTest, StaleCellsDoNotCount) {
    make_run("a", binomial, ring_from(512));
    {
        Journal b = create("b");
        measure(
            b, "eth", [](double) { return 1.0; }, ring_from(512));
        b.append_event("stale", {{"network", "eth"},
                                 {"layout", "4x2"},
                                 {"nodes", 4},
                                 {"ppn", 2},
                                 {"mapping", "block"},
                                 {"collective", "bcast"},
                                 {"operation", ""},
                                 {"last_group", all_sizes.size()}});
        measure(b, "eth", binomial, ring_from(512));
    }
    EXPECT_NEAR(only_pair({"", "a", "b"}).cells[0].sizes[0].choices[0].ratio->ratio, 1, 1e-9);
}

TEST_F(MeasuredNetworkTest, TailsAndTheKernelsCounters) {
    make_run("a", binomial, ring_from(512));
    {
        Journal journal = create("b");
        journal.job_started({"t1", "eth", four_by_two});
        journal.job_started({"t2", "eth", four_by_two});
        CaseRecord late = record("eth", 8, default_algorithm, 1e-4);
        late.samples_seconds.insert(late.samples_seconds.end(), {0.2041, 0.4102, 0.05});
        std::vector<CaseRecord> group = {late};
        journal.append(group);
        journal.job_ended("t1", "done", {{"tcp_retransmits", 7}, {"tcp_time_outs", 2}});
        journal.job_ended("t2", "timed out");
    }
    const Comparison pair = only_pair({"", "a", "b"});
    const ComparedChoice& choice = pair.cells[0].sizes[0].choices[0];
    EXPECT_EQ(choice.a->tail.time_outs, 0u);
    EXPECT_EQ(choice.b->tail.time_outs, 2u);
    EXPECT_NEAR(choice.b->tail.shares_beyond.front(), 3.0 / 24, 1e-12);
    ASSERT_EQ(pair.layouts.size(), 1u);
    EXPECT_EQ(pair.layouts[0].a.jobs, 0u);
    EXPECT_EQ(pair.layouts[0].b.jobs, 2u);
    EXPECT_EQ(pair.layouts[0].b.jobs_that_told, 1u);
    EXPECT_EQ(pair.layouts[0].b.retransmits, 7);
    EXPECT_EQ(pair.layouts[0].b.time_outs, 2);
    EXPECT_CONTAINS(to_text(compare({"", folder("a"), folder("b")})), "2 time-outs in 1 of 2 jobs");
}

}  // namespace
