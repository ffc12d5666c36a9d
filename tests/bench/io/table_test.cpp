// SPDX-License-Identifier: MIT
#include "made_up_results.hpp"

#include "contains.hpp"

namespace {

using namespace bench;
using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

TEST(Table, DefinesTheMessageSizeOnceAndMarksTheBest) {
    const auto printer = table_printer(false);
    const auto lines = made_up::lines_of([&] {
        for (const std::size_t size : {64, 128}) {
            printer->group(made_up::group("bcast", size),
                           {made_up::measured("binomial", 20), made_up::measured("smp", 10)}, "");
        }
    });
    ASSERT_EQ(lines.size(), 6U);
    EXPECT_EQ(lines[0],
              "# bcast: message size is bytes of the message (OSU: Size (osu_bcast); IMB: #bytes (Bcast))");
    EXPECT_TRUE(contains(lines[2], "binomial") && contains(lines[2], "20.00")) << lines[2];
    EXPECT_FALSE(contains(lines[2], "<"));
    EXPECT_TRUE(contains(lines[3], "10.00") && lines[3].ends_with("<")) << lines[3];
}

TEST(Table, SaysWhyThereIsNoTime) {
    CaseResult late = made_up::measured("smp", 10);
    late.repetitions.clear();
    late.invalid = 7;
    const auto lines = made_up::lines_of([&] {
        table_printer(false)->group(made_up::group("bcast", 64),
                                    {made_up::refused("smp", "needs nodes"), late}, "");
    });
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_TRUE(contains(lines[2], "refused: needs nodes")) << lines[2];
    EXPECT_TRUE(contains(lines[3], "none of 7 repetitions was valid; use --start barrier")) << lines[3];
}

TEST(Table, ExplainsItsMarksAndRetransmissions) {
    const auto printer = table_printer(true);
    CaseResult imprecise = made_up::measured("smp", 10);
    imprecise.ended = models::Ended::time;
    const auto lines = made_up::lines_of([&] {
        printer->group(made_up::group("bcast", 64), {imprecise}, "");
        printer->end({5, 1}, {9, 2});
    });
    ASSERT_EQ(lines.size(), 7U);
    EXPECT_TRUE(lines[2].ends_with("<!")) << lines[2];
    EXPECT_TRUE(contains(lines[3], "finish of ranks, median us: 5.00 10.00")) << lines[3];
    EXPECT_TRUE(contains(lines[5], "raise --max-seconds or --max-repetitions")) << lines[5];
    EXPECT_TRUE(contains(lines[6], "4 segments, 1 time-outs; a maximum of 200 ms")) << lines[6];
}

TEST(Table, MarksSkewAndDrift) {
    CaseResult skewed = made_up::measured("smp", 10);
    for (Repetition& repetition : skewed.repetitions) {
        repetition.start_skew_seconds = 2.1e-6;
    }
    CaseResult drifting = made_up::measured("ring", 10);
    for (int i = 0; i < 40; ++i) {
        drifting.repetitions.push_back({10e-6 + 1e-7 * i, {0, 0}, {0, 0}, {}});
    }
    GroupSpec group = made_up::group("bcast", 64);
    const auto one = made_up::lines_of([&] {
        const auto printer = table_printer(false);
        printer->group(group, {skewed, drifting}, "");
        printer->end({}, {});
    });
    ASSERT_EQ(one.size(), 8U);
    EXPECT_TRUE(one[2].ends_with("<^")) << one[2];
    EXPECT_TRUE(one[3].ends_with("  ~")) << one[3];
    EXPECT_TRUE(contains(one[5], "# ^ start skew") && contains(one[5], "--calls-in-a-row 10")) << one[5];
    EXPECT_TRUE(contains(one[6], "# ~ drift")) << one[6];
    group.calls_in_a_row = 10;
    const auto ten = made_up::lines_of([&] { table_printer(false)->group(group, {skewed}, ""); });
    ASSERT_EQ(ten.size(), 4U);
    EXPECT_EQ(ten[1], "# 10 calls in a row after one common start; times are those of one call");
    group.communicators = models::parse_communicators("columns:4");
    const auto parts = made_up::lines_of([&] { table_printer(false)->group(group, {skewed}, ""); });
    EXPECT_EQ(
        parts[2],
        "# columns:4: 4 communicators of 2 ranks call at the same time; times are from the common start to "
        "the last finish of all");
    EXPECT_TRUE(ten[3].ends_with("<")) << "2.1 us are 2% of a row of ten: " << ten[3];
}

TEST(Table, ShowsArrivalsAndWhetherTheyAreBlurred) {
    GroupSpec group = made_up::group("bcast", 64);
    group.arrival = {models::parse_arrivals("one-late:0.5"), 0, {0, 0}};
    CaseResult result = made_up::measured("smp", 10);
    result.arrival_unit = 8e-6;
    for (Repetition& repetition : result.repetitions) {
        repetition.waiting_seconds = 15e-6;
        repetition.start_skew_seconds = 0.7e-6;
    }
    CaseResult blurred = result;
    for (Repetition& repetition : blurred.repetitions) {
        repetition.start_skew_seconds = 0.9e-6;
    }
    const auto lines = made_up::lines_of([&] {
        const auto printer = table_printer(false);
        printer->group(group, {result, blurred}, "");
        printer->end({}, {});
    });
    ASSERT_EQ(lines.size(), 8U);
    EXPECT_TRUE(lines[1].starts_with("# arrival one-late: the last rank late, up to 0.5 times")) << lines[1];
    EXPECT_TRUE(lines[2].ends_with("    width us  waiting us")) << lines[2];
    EXPECT_TRUE(lines[3].ends_with("        4.00       15.00  <")) << lines[3];
    EXPECT_TRUE(lines[4].ends_with("        4.00       15.00  <?")) << lines[4];
    EXPECT_TRUE(lines[6].starts_with("# ? blurred arrivals")) << lines[6];
}

TEST(Table, ErrorsGoToStandardError) {
    CaptureStderr();
    EXPECT_TRUE(made_up::lines_of([] { table_printer(false)->error("no such rank", ""); }).empty());
    EXPECT_EQ(GetCapturedStderr(), "Error: no such rank\n");
}

}  // namespace
