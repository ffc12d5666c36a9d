// SPDX-License-Identifier: MIT
#include "measure_audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "audit_text.hpp"
#include "guidelines.hpp"
#include "rules_loaded.hpp"
#include "units.hpp"

namespace tuner {

namespace {

constexpr std::size_t sizes_of_cell = 6;

bool is_wanted(const std::vector<std::string>& collectives, const std::string& name) {
    return collectives.empty() ||
           std::find(collectives.begin(), collectives.end(), name) != collectives.end();
}

std::string reason_in(const std::vector<CaseRecord>& records) {
    const auto failed = std::find_if(records.begin(), records.end(), [](const CaseRecord& record) {
        return record.status != Status::measured;
    });
    return failed == records.end() ? "too few pairs" : failed->reason;
}

}  // namespace

std::vector<AuditCase> cases_to_audit(const Cells& cells, const std::string& network, const Layout& layout,
                                      const std::vector<std::string>& collectives) {
    std::vector<AuditCase> cases;
    for (const auto& [key, cell] : cells) {
        if (key.network != network || key.layout != layout || !is_for_rules(key) ||
            !is_wanted(collectives, key.collective)) {
            continue;
        }
        for (const models::Guideline& guideline : models::guidelines_of(key.collective)) {
            for (const std::size_t bytes : spread_sizes(cell, sizes_of_cell)) {
                cases.push_back({key, bytes, std::string(guideline.mock_up)});
            }
        }
    }
    return cases;
}

PairRequest request_of(const AuditCase& audited, int job) {
    PairRequest request = {audited.cell, audited.bytes, {default_algorithm, audited.mock_up}, job};
    request.shares_job = true;
    return request;
}

bool measure_audit(std::vector<AuditCase>& cases, const MeasurePairs& measure,
                   std::vector<std::string>& notes, const AuditJobs& jobs) {
    std::set<std::string> told;  // what is missing from the first job on
    for (std::size_t job = 0; job < jobs.count; ++job) {
        const std::string* last_mock_up = nullptr;
        for (AuditCase& audited : cases) {
            if (audited.jobs.size() < job) {
                continue;  // it failed in an earlier job
            }
            PairRequest request = request_of(audited, static_cast<int>(jobs.first + job));
            request.is_first = last_mock_up == nullptr || *last_mock_up != audited.mock_up;
            last_mock_up = &audited.mock_up;
            const std::vector<CaseRecord> records = measure(request);
            if (records.empty()) {
                return false;
            }
            if (auto ratio = ratio_of(records, audited.mock_up)) {
                ratio->log_ratio *= guideline_of(audited).is_reversed ? -1 : 1;
                audited.jobs.push_back(*ratio);
            } else if (job == 0 && !told.insert(audited.mock_up + reason_in(records)).second) {
                continue;  // with the same reason at another size
            } else {
                notes.push_back(fmt::format("{} {} {} {}, {}: {}", audited.cell.network,
                                            to_string(audited.cell.layout), audited.cell.collective,
                                            bytes_text(audited.bytes), audited.mock_up, reason_in(records)));
            }
        }
    }
    return true;
}

}  // namespace tuner
