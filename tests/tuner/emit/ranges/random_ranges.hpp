// SPDX-License-Identifier: MIT
// Random rules for ranges of layouts, behind a few for one layout each, and questions about them: whatever
// reads such a configuration must give the same answers.
#pragma once

#include <bit>
#include <random>
#include <string>
#include <vector>

#include "config.hpp"
#include "example_config.hpp"
#include "schedule.hpp"

class RandomRanges {
  public:
    explicit RandomRanges(unsigned seed) : random_(seed) {}

    int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

    tuner::Config config(int rules) {
        tuner::Config config = example_config();
        config.library = "MPICH Version: 4.0.2; changeover patches";
        config.rules.clear();
        for (const tuner::Layout& layout :
             {tuner::Layout{4, 3}, tuner::Layout{1, 3}, tuner::Layout{4, 1}, tuner::Layout{2, 2},
              tuner::Layout{4, 2, tuner::Mapping::block, 1},
              tuner::Layout{3, 2, tuner::Mapping::round_robin}}) {
            for (int i = 0; i < 4; ++i) {
                add(config, tuner::LayoutRange::exactly(layout));
            }
        }
        while (static_cast<int>(config.rules.size()) < rules) {
            tuner::LayoutRange where = {count_range(8), count_range(4)};
            if (pick(4) == 0) {
                where.ranks = count_range(20);
            }
            if (pick(3) == 0) {
                where.mapping = mapping();
            }
            where.uneven = pick(4) == 0;
            if (where.intersects(where)) {  // else no layout is in it
                add(config, where);
            }
        }
        return config;
    }

    // Even, or one rank fewer: of such communicators the library can be asked without making them
    tuner::Layout layout() {
        tuner::Layout layout = {1 + pick(10), 1 + pick(5), mapping(), 0};
        layout.missing = layout.nodes > 1 && layout.ppn > 1 && pick(3) == 0 ? 1 : 0;
        return layout;
    }
    std::string collective() { return names_[static_cast<std::size_t>(pick(std::size(names_)))].first; }

    // Often at an edge of a rule
    std::size_t bytes(const tuner::Config& config) {
        const tuner::Rule& rule =
            config.rules[static_cast<std::size_t>(pick(static_cast<int>(config.rules.size())))];
        const std::size_t edge = pick(2) == 0 ? rule.from_bytes : rule.to_bytes;
        const std::size_t near = edge + static_cast<std::size_t>(pick(3)) - 1;
        const bool is_size = edge > 0 && edge < largest_bytes && pick(2) == 0;
        return is_size ? near : static_cast<std::size_t>(pick(1 << (1 + pick(20))));
    }

  private:
    static constexpr std::size_t largest_bytes = 1 << 20;
    // With one that only powers of two can use: elsewhere the library's default stands
    static constexpr std::pair<const char*, std::pair<const char*, const char*>> names_[] = {
        {"bcast", {"binomial", "scatter_ring_allgather"}},
        {"allgather", {"ring", "recursive_doubling"}},
        {"allreduce", {"recursive_doubling", "recursive_doubling"}},
        {"alltoall", {"pairwise", "brucks"}},
        {"reduce", {"binomial", "binomial"}}};

    tuner::Mapping mapping() { return pick(2) == 0 ? tuner::Mapping::block : tuner::Mapping::round_robin; }
    tuner::CountRange count_range(int most) {
        const int first = 1 + pick(most);
        return {first, pick(5) == 0 ? tuner::CountRange::no_last : first + pick(most)};
    }
    void add(tuner::Config& config, const tuner::LayoutRange& where) {
        const auto& [collective, algorithms] = names_[static_cast<std::size_t>(pick(std::size(names_)))];
        const std::size_t from = static_cast<std::size_t>(pick(1 << (1 + pick(16))));
        const std::size_t to =
            pick(4) == 0 ? tuner::no_end : from + static_cast<std::size_t>(pick(1 << (1 + pick(16))));
        config.rules.push_back(example_rule_for(where, collective, from, to,
                                                pick(4) == 0 ? algorithms.second : algorithms.first));
    }

    std::mt19937 random_;
};

// Whether the library can use the rule's algorithm: not all work for all numbers of ranks
inline bool can_use(const tuner::Rule& rule, const tuner::Layout& layout) {
    const models::Algorithm* algorithm = models::find_algorithm(rule.collective, rule.algorithm);
    return algorithm != nullptr && ((algorithm->preconditions & models::power_of_two_ranks) == 0 ||
                                    std::has_single_bit(static_cast<unsigned>(layout.ranks())));
}
