// SPDX-License-Identifier: MIT
// Configurations made by hand for tests: two layouts, four collectives, rules that the thresholds of the
// library can express; and one of two networks and four layouts.
#pragma once

#include "config.hpp"

inline tuner::Rule example_rule(const tuner::Layout& layout, const std::string& collective, std::size_t from,
                                std::size_t to, const std::string& algorithm) {
    tuner::Rule rule;
    rule.network = "eth";
    rule.where = tuner::LayoutRange::exactly(layout);
    rule.collective = collective;
    rule.operation = collective == "allreduce" || collective == "reduce" ? tuner::built_in_operation : "";
    rule.from_bytes = from;
    rule.to_bytes = to;
    rule.algorithm = algorithm;
    rule.from_interval = {0.9 * static_cast<double>(from), 1.1 * static_cast<double>(from)};
    rule.expected_gain = 0.25;
    rule.worst_loss = 0.005;
    rule.verified_gain = 0.2;
    rule.verified_interval = {0.1, 0.3};
    rule.basis = "measured";
    return rule;
}

inline tuner::Rule example_rule_for(const tuner::LayoutRange& where, const std::string& collective,
                                    std::size_t from, std::size_t to, const std::string& algorithm) {
    tuner::Rule rule = example_rule({1, 1}, collective, from, to, algorithm);
    rule.where = where;
    rule.basis = "between";
    return rule;
}

inline tuner::Config example_config() {
    using tuner::no_end;
    const tuner::Layout flat{4, 1};
    const tuner::Layout shared{4, 2};
    tuner::Config config;
    config.created = "2026-01-02T03:04:05Z";
    config.run = "runs/example";
    config.library = "MPICH 4.0.2";
    config.fingerprint = {{"machine", "a */ b"}};
    config.verified = true;
    config.rules = {
        example_rule(flat, "bcast", 20000, no_end, "scatter_ring_allgather"),
        example_rule(flat, "allreduce", 1, 4096, "recursive_doubling"),
        example_rule(flat, "allgather", 5000, no_end, "ring"),
        example_rule(flat, "alltoall", 1, 100, "brucks"),
        example_rule(flat, "alltoall", 101, 1000, "scattered"),
        example_rule(flat, "alltoall", 1001, no_end, "pairwise"),
        example_rule(shared, "bcast", 1, 3000, "smp"),
        example_rule(shared, "bcast", 100000, no_end, "scatter_ring_allgather"),
        example_rule(shared, "allreduce", 1, 256, "smp"),
        example_rule(shared, "allreduce", 257, 8192, "recursive_doubling"),
        example_rule(shared, "allgather", 1025, no_end, "ring"),
        example_rule(shared, "alltoall", 200, 2000, "brucks"),
    };
    return config;
}

// On the second network the rules are others, and the parts of 4x2 (a half, a node) have rules of their own.
inline tuner::Config example_config_of_two_networks() {
    using tuner::no_end;
    const tuner::Layout flat{4, 1};
    const tuner::Layout shared{4, 2};
    const tuner::Layout half{2, 2};
    const tuner::Layout node{1, 2};
    tuner::Config config = example_config();
    const std::size_t of_first = config.rules.size();
    for (const tuner::Rule& rule :
         {example_rule(flat, "bcast", 3000, 30000, "scatter_ring_allgather"),
          example_rule(flat, "allreduce", 500, 50000, "recursive_doubling"),
          example_rule(flat, "alltoall", 1, no_end, "pairwise"),
          example_rule(shared, "bcast", 1, no_end, "scatter_recursive_doubling_allgather"),
          example_rule(shared, "allreduce", 10000, no_end, "smp"),
          example_rule(shared, "allgather", 1, 100, "brucks"),
          example_rule(shared, "allgather", 101, 70000, "ring"), example_rule(half, "bcast", 40, 400, "smp"),
          example_rule(half, "allgather", 77, 777, "brucks"),
          example_rule(node, "allreduce", 1000, 2000, "recursive_doubling"),
          example_rule(node, "alltoall", 64, no_end, "pairwise")}) {
        config.rules.push_back(rule);
    }
    for (std::size_t i = of_first; i < config.rules.size(); ++i) {
        config.rules[i].network = "fast";
    }
    for (const tuner::Rule& rule : {example_rule(half, "bcast", 20000, no_end, "scatter_ring_allgather"),
                                    example_rule(half, "alltoall", 1, 4096, "brucks"),
                                    example_rule(node, "bcast", 1, no_end, "scatter_ring_allgather"),
                                    example_rule(node, "allgather", 8, 80000, "ring")}) {
        config.rules.push_back(rule);
    }
    return config;
}
