// SPDX-License-Identifier: MIT
// What it costs to load a run of a million samples (20,000 cases with 50 each, in groups of 5), and to append
// one group to it: two writes that must not be felt beside a measurement.
#include "journal.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>

namespace {

using namespace tuner;

constexpr std::size_t groups = 4000;
constexpr std::size_t cases_of_a_group = 5;
constexpr std::size_t samples_of_a_case = 50;

std::vector<CaseRecord> made_up_group(std::mt19937_64& random) {
    std::lognormal_distribution<double> seconds(-9, 0.3);
    std::vector<CaseRecord> group(cases_of_a_group);
    for (CaseRecord& record : group) {
        record.stage = Stage::search;
        record.network = "ethernet";
        record.layout = {4, 2, Mapping::block};
        record.collective = "allreduce";
        record.algorithm = record.used = "reduce_scatter_allgather";
        record.bytes = 65536;
        record.datatype = "double";
        record.operation = "sum";
        record.status = Status::measured;
        record.ended = "precise";
        for (std::size_t i = 0; i < samples_of_a_case; ++i) {
            record.samples_seconds.push_back(seconds(random));
        }
    }
    return group;
}

// A run in a folder of its own, removed at the end
class MadeUpRun {
  public:
    explicit MadeUpRun(std::size_t group_count) {
        std::string name = (std::filesystem::temp_directory_path() / "changeover-micro-XXXXXX").string();
        folder_ = mkdtemp(name.data());
        journal_ = std::make_unique<Journal>(Journal::create(folder_ / "run", {}));
        for (std::size_t i = 0; i < group_count; ++i) {
            append();
        }
    }
    ~MadeUpRun() { std::filesystem::remove_all(folder_); }
    MadeUpRun(const MadeUpRun&) = delete;
    MadeUpRun& operator=(const MadeUpRun&) = delete;

    void append() {
        std::vector<CaseRecord> group = made_up_group(random_);
        journal_->append(group);
    }
    std::filesystem::path path() const { return folder_ / "run"; }

  private:
    std::filesystem::path folder_;
    std::unique_ptr<Journal> journal_;
    std::mt19937_64 random_{1};
};

void load_a_million_samples(benchmark::State& state) {
    const MadeUpRun run(groups);
    for (auto _ : state) {
        benchmark::DoNotOptimize(load_run(run.path()));
    }
    state.SetItemsProcessed(state.iterations() *
                            static_cast<long>(groups * cases_of_a_group * samples_of_a_case));
    state.SetBytesProcessed(state.iterations() *
                            static_cast<long>(std::filesystem::file_size(run.path() / "samples.jsonl")));
}
BENCHMARK(load_a_million_samples)->Unit(benchmark::kMillisecond);

void append_a_group(benchmark::State& state) {
    MadeUpRun run(0);
    for (auto _ : state) {
        run.append();
    }
}
BENCHMARK(append_a_group)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
