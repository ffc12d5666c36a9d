// SPDX-License-Identifier: MIT
// An audit with known answers: the default of allreduce violates a guideline at 64 and 4096 bytes, its rule
// only at 4096; bcast does so with the rules.
#pragma once

#include <cmath>

#include "audit.hpp"

inline tuner::Audit made_up_audit() {
    using namespace tuner;
    std::vector<AuditCase> cases;
    const auto add = [&](const char* collective, const char* operation, const char* mock_up,
                         std::size_t bytes, double by_default, double with_rules) {
        for (const bool is_loaded : {false, true}) {
            AuditCase one = {{"eth", {2, 2}, collective, operation}, bytes, mock_up, is_loaded};
            one.rule = is_loaded ? "smp" : "";
            for (int job = -1; job <= 1; ++job) {
                one.jobs.push_back({std::log(is_loaded ? with_rules : by_default) + 0.001 * job, 1e-6});
            }
            cases.push_back(one);
        }
    };
    add("allreduce", "sum", "mockup:reduce+bcast", 64, 1.5, 1);
    add("allreduce", "sum", "mockup:reduce+bcast", 1024, 1, 1);
    add("allreduce", "sum", "mockup:reduce+bcast", 4096, 2, 2);
    add("bcast", "", "mockup:double_size", 64, 1, 1.25);
    return {"2026-01-02T03:04:05Z", judge_audit(cases), {"eth 2x2 scan 8, mockup:in_place: crashed"}};
}
