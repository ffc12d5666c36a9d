// SPDX-License-Identifier: MIT
// What it costs to read, match and analyse a trace of a million events: rings of 32 ranks, and small calls of
// which there are many.
#include "trace_text.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>

#include "made_up_trace.hpp"

namespace {

constexpr std::size_t wanted_events = 1'000'000;

void trace_of_a_million_events(benchmark::State& state, const char* collective, const char* algorithm,
                               std::size_t bytes) {
    std::string folder = (std::filesystem::temp_directory_path() / "changeover-micro-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) {
        state.SkipWithError("no temporary folder");
        return;
    }
    made_up::World world;
    world.layout = models::RankPlacement(16, 2);
    made_up::Recorder recorder(world);
    while (recorder.events() < wanted_events) {
        recorder.call(collective, algorithm, bytes);
    }
    recorder.write(folder + "/t");
    for (auto _ : state) {
        const tuner::trace::LoadedTrace loaded(folder + "/t");
        benchmark::DoNotOptimize(tuner::trace::to_text(loaded));
    }
    state.SetItemsProcessed(state.iterations() * static_cast<long>(recorder.events()));
    std::filesystem::remove_all(folder);
}
BENCHMARK_CAPTURE(trace_of_a_million_events, allgather_ring, "allgather", "ring", 4096)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(trace_of_a_million_events, barrier, "barrier", "dissemination", 8)
    ->Unit(benchmark::kMillisecond);

}  // namespace
