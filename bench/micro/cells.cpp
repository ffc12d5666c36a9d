// SPDX-License-Identifier: MIT
// What it costs to turn a million samples into medians and gains with their intervals: 16 cells with 25 sizes
// and five algorithms each, every case measured in ten groups of 50 repetitions. All commands do this first.
#include "cells.hpp"

#include <benchmark/benchmark.h>

#include <random>

namespace {

using namespace tuner;

constexpr int groups_of_a_case = 10;
constexpr int samples_of_a_group = 50;

std::vector<double> made_up_samples(std::mt19937_64& random) {
    std::lognormal_distribution<double> seconds(-9, 0.3);
    std::vector<double> samples(samples_of_a_group);
    for (double& sample : samples) {
        sample = seconds(random);
    }
    return samples;
}

RunData made_up_run() {
    std::mt19937_64 random(1);
    RunData run;
    int group = 0;
    for (const int nodes : {2, 4, 6, 8}) {
        for (const char* collective : {"bcast", "allgather", "allreduce", "alltoall"}) {
            for (int size = 0; size < 25; ++size) {
                for (int i = 0; i < groups_of_a_case; ++i, ++group) {
                    for (const char* algorithm : {"default", "binomial", "ring", "brucks", "pairwise"}) {
                        CaseRecord record;
                        record.stage = Stage::search;
                        record.network = "ethernet";
                        record.layout = {nodes, 2, Mapping::block};
                        record.collective = collective;
                        record.algorithm = record.used = algorithm;
                        record.bytes = std::size_t{1} << size;
                        record.status = Status::measured;
                        record.group = static_cast<decltype(record.group)>(group);
                        record.samples_seconds = made_up_samples(random);
                        run.cases.push_back(std::move(record));
                    }
                }
            }
        }
    }
    return run;
}

void cells_of_a_million_samples(benchmark::State& state) {
    const RunData run = made_up_run();
    for (auto _ : state) {
        benchmark::DoNotOptimize(cells_of(run, Stage::search));
    }
    state.SetItemsProcessed(state.iterations() * static_cast<long>(run.cases.size()) * samples_of_a_group);
}
BENCHMARK(cells_of_a_million_samples)->Unit(benchmark::kMillisecond);

}  // namespace
