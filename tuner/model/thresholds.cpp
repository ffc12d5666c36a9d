// SPDX-License-Identifier: MIT
#include "thresholds.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace tuner {

namespace {

enum class When { always, power_of_two, other_ranks, shared_nodes };

struct Row {
    When when;
    bool for_few_ranks;  // also below the collective's smallest number of ranks
    Step step;
};

struct Table {
    const char* collective;
    std::vector<Row> rows;
    const char* last;
    const models::MpichThreshold* min_ranks = nullptr;
    const char* last_for_few_ranks = nullptr;
};

// The algorithms of allgather, allgatherv and iallgather have the same thresholds
Table like_allgather(const char* collective, const char* recursive_doubling, const char* brucks,
                     const char* ring) {
    return {collective,
            {{When::power_of_two, true, {&models::mpich::allgather_long, recursive_doubling}},
             {When::other_ranks, true, {&models::mpich::allgather_short, brucks}}},
            ring};
}

Table like_reduce_scatter(const char* collective) {
    return {collective,
            {{When::always, true, {&models::mpich::reduce_scatter_long, "recursive_halving"}}},
            "pairwise"};
}

// The trees of maint/tuning/coll/mpir/generic.json, patched; tests compare this table with the one that the
// tests of the patches use.
const std::vector<Table>& tables() {
    using enum When;
    using namespace models::mpich;
    // clang-format off
    static const std::vector<Table> all = {
        {"bcast", {
            {shared_nodes, true, {&bcast_smp, "smp"}},
            {always, false, {&bcast_short, "binomial"}},
            {power_of_two, false, {&bcast_long, "scatter_recursive_doubling_allgather"}}},
         "scatter_ring_allgather", &bcast_min_procs, "binomial"},
        {"reduce", {
            {shared_nodes, true, {&reduce_smp, "smp"}},
            {always, true, {&reduce_short, "binomial"}}},
         "reduce_scatter_gather"},
        {"allreduce", {
            {shared_nodes, true, {&allreduce_smp, "smp"}},
            {always, true, {&allreduce_recursive_doubling, "recursive_doubling"}}},
         "reduce_scatter_allgather"},
        like_allgather("allgather", "recursive_doubling", "brucks", "ring"),
        like_allgather("allgatherv", "recursive_doubling", "brucks", "ring"),
        {"alltoall", {
            {always, false, {&alltoall_short, "brucks"}},
            {always, true, {&alltoall_medium, "scattered"}}},
         "pairwise", &alltoall_min_procs, "pairwise"},
        {"iallreduce", {
            {always, true, {&iallreduce_short, "sched_recursive_doubling"}}},
         "sched_reduce_scatter_allgather"},
        like_allgather("iallgather", "sched_recursive_doubling", "sched_brucks", "sched_ring"),
        {"ialltoall", {
            {always, false, {&ialltoall_short, "sched_brucks"}},
            {always, true, {&alltoall_medium, "sched_permuted_sendrecv"}}},
         "sched_pairwise", &alltoall_min_procs, "sched_pairwise"},
        like_reduce_scatter("reduce_scatter"),
        like_reduce_scatter("reduce_scatter_block"),
    };
    // clang-format on
    return all;
}

const Table* find_table(const std::string& collective) {
    const auto table = std::find_if(tables().begin(), tables().end(),
                                    [&](const Table& t) { return t.collective == collective; });
    return table == tables().end() ? nullptr : &*table;
}

bool holds(When when, const Layout& layout) {
    const bool power_of_two = std::has_single_bit(static_cast<unsigned>(layout.ranks()));
    switch (when) {
        case When::power_of_two:
            return power_of_two;
        case When::other_ranks:
            return !power_of_two;
        case When::shared_nodes:
            return layout.ppn > 1;
        case When::always:
            break;
    }
    return true;
}

}  // namespace

std::vector<int> Ladder::defaults() const {
    std::vector<int> values;
    for (const Step& step : steps) {
        values.push_back(step.threshold->default_value);
    }
    return values;
}

std::size_t Ladder::last_bytes(int threshold) const {
    const auto value = static_cast<std::size_t>(is_inclusive ? threshold : std::max(threshold - 1, 0));
    return compared_with == models::ComparedWith::message ? value : value / static_cast<std::size_t>(ranks);
}

int Ladder::threshold(std::size_t last_bytes) const {
    constexpr auto largest = static_cast<std::size_t>(std::numeric_limits<int>::max());
    if (last_bytes >= largest) {
        return std::numeric_limits<int>::max();
    }
    const std::size_t compared =
        last_bytes * (compared_with == models::ComparedWith::message ? 1 : static_cast<std::size_t>(ranks));
    return static_cast<int>(std::min(compared + (is_inclusive ? 0 : 1), largest));
}

const char* Ladder::algorithm_for(std::size_t bytes, const std::vector<int>& thresholds) const {
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (bytes <= last_bytes(thresholds[i])) {
            return steps[i].algorithm;
        }
    }
    return last;
}

std::optional<Ladder> ladder_of(const std::string& collective, const Layout& layout, int min_ranks) {
    const Table* table = find_table(collective);
    if (table == nullptr) {
        return {};
    }
    const bool few_ranks = layout.ranks() < min_ranks;
    const models::MpichThreshold& any = *table->rows.front().step.threshold;
    Ladder ladder{any.compared_with,
                  any.is_inclusive,
                  layout.ranks(),
                  {},
                  few_ranks ? table->last_for_few_ranks : table->last};
    for (const Row& row : table->rows) {
        if (holds(row.when, layout) && (row.for_few_ranks || !few_ranks)) {
            ladder.steps.push_back(row.step);
        }
    }
    return ladder;
}

const models::MpichThreshold* min_ranks_of(const std::string& collective) {
    const Table* table = find_table(collective);
    return table == nullptr ? nullptr : table->min_ranks;
}

int default_min_ranks(const std::string& collective) {
    const models::MpichThreshold* min_ranks = min_ranks_of(collective);
    return min_ranks == nullptr ? 0 : min_ranks->default_value;
}

std::optional<std::string> default_choice(const std::string& collective, const Layout& layout,
                                          std::size_t bytes) {
    const std::optional<Ladder> ladder = ladder_of(collective, layout, default_min_ranks(collective));
    if (!ladder) {
        return {};
    }
    return ladder->algorithm_for(bytes, ladder->defaults());
}

}  // namespace tuner
