// SPDX-License-Identifier: MIT
// A made-up program with a late rank: what is written of its arrivals, as the benchmark reads it.
#include "recorded_arrivals.hpp"

#include <sstream>

#include "checked_json.hpp"
#include "error.hpp"
#include "recorded_trace.hpp"

namespace {

using namespace tuner::trace;
using tuner::Json;

std::vector<Json> lines_of(const made_up::Recorder& recorder) {
    const Recorded to;
    const Trace trace = written(recorder, to);
    std::istringstream text(recorded_arrivals(match(trace)));
    std::vector<Json> lines;
    for (std::string line; std::getline(text, line);) {
        lines.push_back(Json::parse(line));
    }
    return lines;
}

made_up::World with_late_rank(double seconds) {
    made_up::World world;
    world.layout = models::RankPlacement(2, 2);
    world.late_rank = 3;
    world.late_seconds = seconds;
    return world;
}

TEST(RecordedArrivals, HaveTheDelaysOfEachRankByClass) {
    made_up::Recorder recorder(with_late_rank(200e-6));
    recorder.call("allreduce", "recursive_doubling", 512);
    recorder.call("allreduce", "recursive_doubling", 1000);
    recorder.call("allreduce", "recursive_doubling", 1024);
    recorder.call("bcast", "binomial", 512);
    const std::vector<Json> lines = lines_of(recorder);
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0].at("type"), "arrivals");
    EXPECT_EQ(lines[1].at("collective"), "allreduce");
    EXPECT_EQ(lines[1].at("ranks"), 4);
    EXPECT_EQ(lines[1].at("calls"), 2) << "of 512 to 1023 bytes";
    EXPECT_EQ(lines[2].at("bytes"), 1024);
    EXPECT_EQ(lines[3].at("collective"), "bcast");
    const std::vector<double> delays = lines[1].at("delays_us").at(0);
    EXPECT_NEAR(delays[3], 200, 2.1) << "but for the error of the clocks";
    for (const std::size_t rank : {0, 1, 2}) {
        EXPECT_LT(delays[rank], 2.1);
    }
}

TEST(RecordedArrivals, AWaitIsNotLongerThanSomeTimesTheCall) {
    made_up::Recorder recorder(with_late_rank(1));
    for (int i = 0; i < 3; ++i) {
        recorder.call("allreduce", "recursive_doubling", 512);
    }
    const Json line = lines_of(recorder).at(1);
    const double call_us = 1e6 * line.at("seconds").get<double>() / 3;
    EXPECT_NEAR(line.at("delays_us").at(0).at(3), largest_recorded_width * call_us, 0.3 * call_us);
    EXPECT_EQ(line.at("delays_us").at(0).at(0), 0);
}

TEST(RecordedArrivals, WithoutACompleteCallThereIsAnError) {
    made_up::Recorder recorder(with_late_rank(0));
    EXPECT_THROW(lines_of(recorder), tuner::Error);
}

}  // namespace
