// SPDX-License-Identifier: MIT
#include "calibrate.hpp"

#include <gtest/gtest.h>

#include "noise.hpp"

namespace {

using namespace tuner;

TEST(Calibrate, NoiseComesBackFromSamples) {
    const Noise noise = {.sigma = 0.05, .outliers = 0.02, .outlier_factor = 6, .time_outs = 0.01};
    RunData run;
    for (int i = 0; i < 200; ++i) {
        CaseRecord record;
        record.network = "eth";
        NoisyTimes times(noise, static_cast<std::uint64_t>(i));
        for (int k = 0; k < 100; ++k) {
            record.samples_seconds.push_back(times.next(1e-3, 0));
        }
        run.cases.push_back(record);
    }
    const Noise found = noise_of(run, "eth");
    EXPECT_NEAR(found.sigma, 0.05, 0.005);
    EXPECT_NEAR(found.outliers, 0.02, 0.003);
    EXPECT_NEAR(found.outlier_factor, 6, 0.3);
    EXPECT_NEAR(found.time_outs, 0.01, 0.002);
    EXPECT_FALSE(noise_of(run, "other").is_any());
}

TEST(Calibrate, ARecordedRunGivesAPlatform) {
    const SavedRun run(TESTS_DATA "/recorded");
    Progress progress;
    const CalibratedPlatform platform = calibrated_from(run, "", 6, progress);
    EXPECT_EQ(platform.topology.nodes, 6);
    EXPECT_EQ(platform.topology.kind, "star");
    EXPECT_GT(platform.topology.bytes_per_second, 1e6);
    EXPECT_GT(platform.machine.noise.sigma, 0);
    EXPECT_EQ(platform.machine.parameters.contention.stream_seconds_per_byte, 0) << "SimGrid shares links";
    EXPECT_THROW(calibrated_from(run, "no such network", 6, progress), std::exception);
}

}  // namespace
