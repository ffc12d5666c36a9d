// SPDX-License-Identifier: MIT
#include "crashed_cases.hpp"

#include <algorithm>

namespace tuner {

namespace {

bool is_same_case(const CaseRecord& a, const CaseRecord& b) {
    return a.stage == b.stage && a.network == b.network && a.layout == b.layout &&
           a.collective == b.collective && a.operation == b.operation && a.bytes == b.bytes &&
           a.algorithm == b.algorithm && a.link == b.link && a.exchange == b.exchange &&
           a.parameters == b.parameters;
}

}  // namespace

std::vector<CaseRecord> still_crashed(const RunData& run, std::ptrdiff_t tries) {
    std::vector<CaseRecord> found;
    for (auto record = run.cases.begin(); record != run.cases.end(); ++record) {
        const auto count = [&](auto from, auto to, Status status) {
            return std::count_if(from, to, [&](const CaseRecord& other) {
                return other.status == status && is_same_case(other, *record);
            });
        };
        if (record->status == Status::crashed && count(run.cases.begin(), record, Status::crashed) == 0 &&
            count(run.cases.begin(), run.cases.end(), Status::measured) == 0 &&
            (tries == 0 || count(run.cases.begin(), run.cases.end(), Status::crashed) == tries)) {
            found.push_back(*record);
        }
    }
    return found;
}

}  // namespace tuner
