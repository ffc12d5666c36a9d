// SPDX-License-Identifier: MIT
#include <algorithm>

#include "made_up_results.hpp"

namespace {

using namespace bench;

TEST(Csv, EveryLineHasTheColumnsOfTheFirst) {
    for (const bool with_ranks : {false, true}) {
        const auto printer = csv_printer(with_ranks);
        const auto lines = made_up::lines_of([&] {
            printer->group(made_up::group("bcast", 64),
                           {made_up::measured("smp", 10), made_up::refused("ring", "no")}, "");
            printer->group(made_up::group("bcast", 128), {made_up::measured("smp", 20)}, "");
        });
        ASSERT_EQ(lines.size(), 4U);
        for (const std::string& line : lines) {
            EXPECT_EQ(std::count(line.begin(), line.end(), ','),
                      std::count(lines[0].begin(), lines[0].end(), ','))
                << line;
        }
        EXPECT_TRUE(lines[1].starts_with("bcast,smp,smp,64,measured,precise,5,0,10.000,")) << lines[1];
        EXPECT_EQ(lines[1].ends_with(",5.00 10.00"), with_ranks) << lines[1];
        EXPECT_TRUE(lines[2].starts_with("bcast,ring,,64,refused,")) << lines[2];
    }
}

TEST(Csv, AnOverlapThatCouldNotBeMeasuredHasItsStatus) {
    const auto lines = made_up::lines_of([] {
        csv_printer(false)->overlap(made_up::group("ibcast", 64),
                                    {{made_up::refused("tsp_tree", "no"), std::nan(""), {}}}, "");
    });
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[1], "ibcast,tsp_tree,64,,,,,,,,refused");
}

TEST(Csv, NoFieldIsAFormula) {
    const auto lines = made_up::lines_of([] {
        csv_printer(false)->group(
            made_up::group("bcast", 64),
            {made_up::measured("=cmd|'/C calc'!A0", 10), made_up::refused("@SUM(1,2)", "no")}, "");
    });
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_TRUE(lines[1].starts_with("bcast,'=cmd|'/C calc'!A0,'=cmd|'/C calc'!A0,64,")) << lines[1];
    EXPECT_TRUE(lines[2].starts_with("bcast,\"'@SUM(1,2)\",,64,refused,")) << lines[2];
}

TEST(Csv, HasTheSkewOfTheStartAndTheCallsInARow) {
    GroupSpec group = made_up::group("bcast", 64);
    group.calls_in_a_row = 10;
    CaseResult skewed = made_up::measured("smp", 10);
    for (Repetition& repetition : skewed.repetitions) {
        repetition.start_skew_seconds = 4e-6;
    }
    const auto lines = made_up::lines_of([&] {
        csv_printer(false)->group(group, {skewed, made_up::measured("ring", 10)}, "");
    });
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_TRUE(lines[0].ends_with(
        ",max_us,calls_in_a_row,communicators,start_skew_us,arrival,arrival_unit_us,waiting_us"))
        << lines[0];
    EXPECT_TRUE(lines[1].ends_with(",12.000,10,world,4.000,,,")) << lines[1];
    EXPECT_TRUE(lines[2].ends_with(",12.000,10,world,,,,")) << "not known";
}

TEST(Csv, HasThePatternOfArrivals) {
    GroupSpec group = made_up::group("bcast", 64);
    group.arrival = {models::parse_arrivals("half:0.5"), 0, {0, 0}};
    group.communicators = models::parse_communicators("rows:2");
    CaseResult result = made_up::measured("smp", 10);
    result.arrival_unit = 8e-6;
    for (Repetition& repetition : result.repetitions) {
        repetition.waiting_seconds = 15e-6;
    }
    const auto lines = made_up::lines_of([&] {
        csv_printer(false)->group(group, {result, made_up::refused("ring", "no")}, "");
    });
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_TRUE(lines[1].ends_with(",1,rows:2,,half:0.5,8.000,15.000")) << lines[1];
    EXPECT_EQ(std::count(lines[2].begin(), lines[2].end(), ','),
              std::count(lines[0].begin(), lines[0].end(), ','));
}

}  // namespace
