// SPDX-License-Identifier: MIT
#include "cells.hpp"

#include <algorithm>

namespace tuner {

namespace {

// The records of each case of a cell
using Records = std::map<std::size_t, std::map<std::string, std::vector<const CaseRecord*>>>;

Cell summarized(const Records& records) {
    Cell cell;
    std::vector<double> sorted;  // one buffer for all: there may be a million samples
    for (const auto& [bytes, by_algorithm] : records) {
        for (const auto& [algorithm, of_case] : by_algorithm) {
            sorted.clear();
            CellTime time;
            for (const CaseRecord* record : of_case) {
                if (!record->samples_seconds.empty() && record->status == "measured") {
                    sorted.insert(sorted.end(), record->samples_seconds.begin(),
                                  record->samples_seconds.end());
                    time.used = record->used;
                    ++time.groups;
                }
            }
            if (sorted.empty()) {
                const std::string& reason = of_case.back()->reason;
                cell.missing[bytes][algorithm] = reason.empty() ? "no repetition was valid" : reason;
                continue;
            }
            std::sort(sorted.begin(), sorted.end());
            time.samples = sorted.size();
            time.time = {static_cast<double>(bytes), models::median(sorted),
                         models::median_interval(sorted, models::confidence_when_stopped)};
            cell.times[bytes].emplace(algorithm, std::move(time));
        }
    }
    return cell;
}

bool belongs_to(const CaseRecord& record, const CellKey& key) {
    return record.collective == key.collective && record.operation == key.operation &&
           record.layout == key.layout && record.network == key.network;
}

}  // namespace

const CellTime* time_of(const Times& times, const std::string& algorithm) {
    if (const auto found = times.find(algorithm); found != times.end()) {
        return &found->second;
    }
    const auto found = times.find(default_algorithm);
    return found != times.end() && found->second.used == algorithm ? &found->second : nullptr;
}

Cells cells_of(const RunData& run, const std::string& stage) {
    std::map<CellKey, Records> records;
    for (const CaseRecord& record : run.cases) {
        if (record.stage == stage) {
            records[{record.network, record.layout, record.collective, record.operation}][record.bytes]
                   [record.algorithm]
                       .push_back(&record);
        }
    }
    Cells cells;
    for (const auto& [key, of_cell] : records) {
        cells.emplace(key, summarized(of_cell));
    }
    return cells;
}

Cell cell_of(const RunData& run, const std::string& stage, const CellKey& key) {
    Records records;
    for (const CaseRecord& record : run.cases) {
        if (record.stage == stage && belongs_to(record, key)) {
            records[record.bytes][record.algorithm].push_back(&record);
        }
    }
    return summarized(records);
}

}  // namespace tuner
