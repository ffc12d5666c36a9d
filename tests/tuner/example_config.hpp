// SPDX-License-Identifier: MIT
// A configuration made by hand for tests: two layouts, four collectives, rules that the thresholds of the
// library can express.
#pragma once

#include "config.hpp"

inline tuner::Rule example_rule(const tuner::Layout& layout, const std::string& collective, std::size_t from,
                                std::size_t to, const std::string& algorithm) {
    tuner::Rule rule;
    rule.network = "eth";
    rule.layout = layout;
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
