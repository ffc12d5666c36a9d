// SPDX-License-Identifier: MIT
#include "measured_cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "units.hpp"

namespace tuner {

namespace {

std::string way_of(const CaseRecord& record) {
    const auto by_work = record.parameters.find("by_work");
    if (record.stage != Stage::exchange || by_work == record.parameters.end()) {
        return record.algorithm;
    }
    if (!record.values.contains("overlap")) {
        return record.algorithm + " alone";
    }
    const auto tests = record.parameters.find("tests");
    return fmt::format("{} by {}{}", record.algorithm, by_work->second > 0 ? "work" : "time",
                       tests != record.parameters.end() && tests->second > 0 ? " with tests" : "");
}

std::string what_of(const CaseRecord& record) {
    return record.stage == Stage::exchange ? record.exchange
           : record.operation.empty()      ? record.collective
                                           : fmt::format("{} ({})", record.collective, record.operation);
}

// Zero if it is no overlap
double overlap_of(const CaseRecord& record) {
    const auto found = record.values.find("overlap");
    return found == record.values.end() ? 0 : found->second;
}

void add_counters(CaseRecord& to, const CaseRecord& from) {
    for (const auto counter : {&CaseRecord::tcp_retransmits, &CaseRecord::tcp_time_outs}) {
        if (from.*counter) {
            to.*counter = (to.*counter).value_or(0) + *(from.*counter);
        }
    }
}

}  // namespace

std::string to_string(const CaseKey& key) {
    return fmt::format("{} {} {} {} {}", key.network, to_string(key.layout), key.what, key.way,
                       bytes_text(key.bytes));
}

std::map<CaseKey, MeasuredCase> measured_cases(const RunData& run) {
    std::map<CaseKey, MeasuredCase> cases;
    for (const CaseRecord& record : run.cases) {
        if ((record.stage != Stage::search && record.stage != Stage::exchange) ||
            record.status != Status::measured || record.samples_seconds.empty()) {
            continue;
        }
        const auto [found, is_new] = cases.try_emplace(CaseKey{
            record.stage, record.network, record.layout, what_of(record), way_of(record), record.bytes});
        MeasuredCase& measured = found->second;
        if (!is_new && record.values.contains("overlap")) {
            if (overlap_of(record) <= overlap_of(measured.about)) {
                continue;
            }
            measured.sorted_seconds.clear();
        }
        const CaseRecord before = std::move(measured.about);
        measured.about = record;
        measured.about.samples_seconds.clear();
        if (!measured.sorted_seconds.empty()) {
            add_counters(measured.about, before);
        }
        measured.sorted_seconds.insert(measured.sorted_seconds.end(), record.samples_seconds.begin(),
                                       record.samples_seconds.end());
    }
    std::vector<double> in_order;
    for (auto& [key, measured] : cases) {
        in_order = measured.sorted_seconds;
        std::sort(measured.sorted_seconds.begin(), measured.sorted_seconds.end());
        measured.median_interval = models::median_interval_in_order(in_order, measured.sorted_seconds,
                                                                    models::confidence_when_stopped);
    }
    return cases;
}

}  // namespace tuner
