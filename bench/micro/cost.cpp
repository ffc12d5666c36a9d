// SPDX-License-Identifier: MIT
// Costs of all algorithms for 24 sizes on 40 layouts of up to 1024 ranks; and the full evaluation of one
// schedule.
#include <benchmark/benchmark.h>

#include "cost.hpp"
#include "evaluate.hpp"

namespace {

std::vector<models::RankPlacement> layouts() {
    std::vector<models::RankPlacement> all;
    for (const int ppn : {1, 2, 4, 8, 16}) {
        for (const int ranks : {16, 32, 48, 64, 96, 128, 512, 1024}) {
            all.emplace_back(ranks / ppn, ppn);
        }
    }
    return all;
}

models::Parameters parameters() {
    models::Parameters p;
    p.between.segments = {{65536, 30e-6, 9e-9}, {models::LinkCosts::no_end, 60e-6, 8e-9}};
    p.within.segments[0] = {models::LinkCosts::no_end, 1e-6, 0.2e-9};
    return p;
}

void costs_of_all(benchmark::State& state) {
    const models::Parameters p = parameters();
    const std::vector<models::RankPlacement> all = layouts();
    long costs = 0;
    for (auto _ : state) {
        for (const models::RankPlacement& layout : all) {
            models::CostTable table(layout);
            for (const models::Algorithm& algorithm : models::algorithms()) {
                for (int i = 0; i < 24; ++i) {
                    const models::Call call{&table.layout(), std::size_t{1} << i};
                    if (models::is_allowed(algorithm, call)) {
                        benchmark::DoNotOptimize(table.seconds(algorithm, call, p));
                        ++costs;
                    }
                }
            }
        }
    }
    state.counters["layouts"] = static_cast<double>(all.size());
    state.counters["costs"] =
        benchmark::Counter(static_cast<double>(costs), benchmark::Counter::kAvgIterations);
}
BENCHMARK(costs_of_all)->Unit(benchmark::kMillisecond);

void full_evaluation_of_a_ring(benchmark::State& state) {
    const models::RankPlacement layout(static_cast<int>(state.range(0)) / 4, 4);
    const models::Call call{&layout, 1 << 20};
    const models::Algorithm& ring = *models::find_algorithm("allgather", "ring");
    const models::Parameters p = parameters();
    for (auto _ : state) {
        benchmark::DoNotOptimize(models::evaluate(ring.schedule(call), layout, p));
    }
}
BENCHMARK(full_evaluation_of_a_ring)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);

}  // namespace
