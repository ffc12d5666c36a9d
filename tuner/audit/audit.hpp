// SPDX-License-Identifier: MIT
// Does a library keep the performance guidelines (models/guidelines/guidelines.hpp)? Each call against its
// mock-up, in pairs, in several jobs: of the default, and of jobs that read the rules.
#pragma once

#include <string>
#include <vector>

#include "across_jobs.hpp"
#include "cells.hpp"
#include "guidelines.hpp"

namespace tuner {

// One guideline at one size
struct AuditCase {
    CellKey cell;
    std::size_t bytes = 0;
    std::string mock_up;
    bool is_loaded = false;  // in jobs that read the rules
    std::string rule = {};   // with them: the algorithm of the call's rule; empty: it has none
    // Call / mock-up (of reversed guidelines, mock-up / call): above 0, what should not be slower is slower
    std::vector<models::JobRatio> jobs = {};
};

// The row of the table; of an unknown mock-up, from a file, one with its name only
models::Guideline guideline_of(const AuditCase& audited);

struct AuditResult {
    AuditCase of;
    models::Ratio ratio = {1, {1, 1}};  // as that of jobs
    double p = 1;  // of: the call is not slower; corrected for the number of comparisons (Holm)
    bool is_violated = false;
    bool is_new = false;       // with the rules, and not without them, with intervals that do not overlap
    bool is_outpaced = false;  // in the same way, but the left side has no rule: the right side became faster
    bool is_removed = false;   // without the rules, and not with them, in the same way
};

struct Audit {
    std::string created;               // UTC, ISO 8601
    std::vector<AuditResult> results;  // by cell, mock-up, size; without the rules before with them
    std::vector<std::string> notes;    // what could not be measured
};

constexpr std::size_t jobs_of_audit = 3;
constexpr double tolerated_violation = 0.05;  // a call that is slower by less is not worth a change
constexpr double error_rate_of_audit = 0.05;  // of a false alarm, of all comparisons with the same rules

// Violated: slower beyond chance, and by more than is tolerated. Cases that lack a job are left out.
std::vector<AuditResult> judge_audit(const std::vector<AuditCase>& cases);

}  // namespace tuner
