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
    Unit unit;
    bool inclusive;
    std::vector<Row> rows;
    const char* last;
    std::optional<MinRanks> min_ranks;
    const char* last_for_few_ranks;
};

// The trees of maint/tuning/coll/mpir/generic.json, patched; tests hold this table against the one that the
// tests of the patches use.
const std::vector<Table>& tables() {
    using enum When;
    // clang-format off
    static const std::vector<Table> all = {
        {"bcast", Unit::message, true, {
            {shared_nodes, true, {"BCAST_SMP_MAX_MSG_SIZE", 0, "smp", ""}},
            {always, false, {"BCAST_SHORT_MSG_SIZE", 12288, "binomial", "ibcast"}},
            {power_of_two, false, {"BCAST_LONG_MSG_SIZE", 524288, "scatter_recursive_doubling_allgather", "ibcast"}}},
         "scatter_ring_allgather", MinRanks{"BCAST_MIN_PROCS", 8, "ibcast"}, "binomial"},
        {"reduce", Unit::message, true, {
            {shared_nodes, true, {"REDUCE_SMP_MAX_MSG_SIZE", 0, "smp", ""}},
            {always, true, {"REDUCE_SHORT_MSG_SIZE", 2048, "binomial", "ireduce"}}},
         "reduce_scatter_gather", {}, nullptr},
        {"allreduce", Unit::message, true, {
            {shared_nodes, true, {"ALLREDUCE_SMP_MAX_MSG_SIZE", 0, "smp", ""}},
            {always, true, {"ALLREDUCE_RECURSIVE_DOUBLING_MAX_MSG_SIZE", 8, "recursive_doubling", ""}}},
         "reduce_scatter_allgather", {}, nullptr},
        {"allgather", Unit::total, false, {
            {power_of_two, true, {"ALLGATHER_LONG_MSG_SIZE", 524288, "recursive_doubling", "allgatherv, iallgather, iallgatherv"}},
            {other_ranks, true, {"ALLGATHER_SHORT_MSG_SIZE", 81920, "brucks", "allgatherv, iallgather, iallgatherv"}}},
         "ring", {}, nullptr},
        {"allgatherv", Unit::total, false, {
            {power_of_two, true, {"ALLGATHER_LONG_MSG_SIZE", 524288, "recursive_doubling", "allgather, iallgather, iallgatherv"}},
            {other_ranks, true, {"ALLGATHER_SHORT_MSG_SIZE", 81920, "brucks", "allgather, iallgather, iallgatherv"}}},
         "ring", {}, nullptr},
        {"alltoall", Unit::message, true, {
            {always, false, {"ALLTOALL_SHORT_MSG_SIZE", 256, "brucks", ""}},
            {always, true, {"ALLTOALL_MEDIUM_MSG_SIZE", 32768, "scattered", "ialltoall"}}},
         "pairwise", MinRanks{"ALLTOALL_MIN_PROCS", 8, "ialltoall"}, "pairwise"},
        {"iallreduce", Unit::message, true, {
            {always, true, {"ALLREDUCE_SHORT_MSG_SIZE", 2048, "sched_recursive_doubling", ""}}},
         "sched_reduce_scatter_allgather", {}, nullptr},
        {"iallgather", Unit::total, false, {
            {power_of_two, true, {"ALLGATHER_LONG_MSG_SIZE", 524288, "sched_recursive_doubling", "allgather, allgatherv, iallgatherv"}},
            {other_ranks, true, {"ALLGATHER_SHORT_MSG_SIZE", 81920, "sched_brucks", "allgather, allgatherv, iallgatherv"}}},
         "sched_ring", {}, nullptr},
        {"ialltoall", Unit::message, true, {
            {always, false, {"IALLTOALL_SHORT_MSG_SIZE", 2048, "sched_brucks", ""}},
            {always, true, {"ALLTOALL_MEDIUM_MSG_SIZE", 32768, "sched_permuted_sendrecv", "alltoall"}}},
         "sched_pairwise", MinRanks{"ALLTOALL_MIN_PROCS", 8, "alltoall"}, "sched_pairwise"},
        {"reduce_scatter", Unit::total, false, {
            {always, true, {"REDUCE_SCATTER_COMMUTATIVE_LONG_MSG_SIZE", 524288, "recursive_halving", "reduce_scatter_block, ireduce_scatter, ireduce_scatter_block"}}},
         "pairwise", {}, nullptr},
        {"reduce_scatter_block", Unit::total, false, {
            {always, true, {"REDUCE_SCATTER_COMMUTATIVE_LONG_MSG_SIZE", 524288, "recursive_halving", "reduce_scatter, ireduce_scatter, ireduce_scatter_block"}}},
         "pairwise", {}, nullptr},
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
        values.push_back(step.default_value);
    }
    return values;
}

std::size_t Ladder::last_bytes(int threshold) const {
    const auto value = static_cast<std::size_t>(inclusive ? threshold : std::max(threshold - 1, 0));
    return unit == Unit::message ? value : value / static_cast<std::size_t>(ranks);
}

int Ladder::threshold(std::size_t last_bytes) const {
    constexpr auto largest = static_cast<std::size_t>(std::numeric_limits<int>::max());
    if (last_bytes >= largest) {
        return std::numeric_limits<int>::max();
    }
    const std::size_t compared = last_bytes * (unit == Unit::message ? 1 : static_cast<std::size_t>(ranks));
    return static_cast<int>(std::min(compared + (inclusive ? 0 : 1), largest));
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
    Ladder ladder{table->unit,
                  table->inclusive,
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

std::optional<MinRanks> min_ranks_of(const std::string& collective) {
    const Table* table = find_table(collective);
    return table == nullptr ? std::nullopt : table->min_ranks;
}

int default_min_ranks(const std::string& collective) {
    const std::optional<MinRanks> min_ranks = min_ranks_of(collective);
    return min_ranks ? min_ranks->default_value : 0;
}

std::optional<std::string> default_choice(const std::string& collective, const Layout& layout,
                                          std::size_t bytes) {
    const std::optional<Ladder> ladder = ladder_of(collective, layout, default_min_ranks(collective));
    if (!ladder) {
        return {};
    }
    return ladder->algorithm_for(bytes, ladder->defaults());
}

std::vector<std::string> collectives_with_thresholds() {
    std::vector<std::string> names;
    for (const Table& table : tables()) {
        names.emplace_back(table.collective);
    }
    return names;
}

}  // namespace tuner
