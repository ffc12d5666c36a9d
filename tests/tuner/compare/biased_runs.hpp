// SPDX-License-Identifier: MIT
// Runs on disk whose truth is known: a broadcast and a ping-pong, each with the bias of its run.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "journal.hpp"
#include "small_disk.hpp"

namespace tuner {

inline constexpr double truth = 40e-6;
inline const Layout two_by_two = {2, 2, Mapping::block};

class BiasedRuns : public testing::Test {
  protected:
    std::string folder(const std::string& name) const { return (work.path / name).string(); }

    // A broadcast and a ping-pong, both of which take `truth` times the bias of the run
    std::string make_run(const std::string& name, double bias, std::size_t bytes = 1024) {
        Manifest manifest;
        manifest.environment = {{"kernel", "Linux"}};
        Journal journal = Journal::create(folder(name), manifest);
        std::normal_distribution<double> noise(0, 0.02);
        for (const Stage stage : {Stage::search, Stage::exchange}) {
            CaseRecord record;
            record.stage = stage;
            record.network = "eth";
            record.layout = two_by_two;
            record.collective = stage == Stage::search ? "bcast" : "ping_pong";
            record.exchange = stage == Stage::search ? "" : "ping_pong between";
            record.algorithm = stage == Stage::search ? "default" : "send";
            record.bytes = bytes;
            record.datatype = "byte";
            record.status = Status::measured;
            for (int i = 0; i < 100; ++i) {
                record.samples_seconds.push_back(truth * bias * std::exp(noise(random)));
            }
            if (stage == Stage::exchange) {
                record.values = {{"half_us", 0.5e6 * truth * bias}};
                record.tcp_retransmits = 3;
                record.tcp_time_outs = 1;
            }
            std::vector<CaseRecord> group = {record};
            journal.append(group);
        }
        return folder(name);
    }

    std::mt19937_64 random{3};
    TemporaryFolder work;
};

}  // namespace tuner
