// SPDX-License-Identifier: MIT
#include "cells.hpp"

#include <algorithm>

#include "across_jobs.hpp"
#include "stopping.hpp"

namespace tuner {

namespace {

// The records of each case of a cell
using OfCase = std::vector<const CaseRecord*>;
using OfSize = std::map<std::string, OfCase>;
using Records = std::map<std::size_t, OfSize>;

// Several algorithms are compared with the default at many sizes: 95% would too often be chance
constexpr double confidence_of_gain = 0.99;

bool was_measured(const CaseRecord& record) {
    return record.status == Status::measured && !record.samples_seconds.empty();
}

// Buffers for all cells: there may be a million samples
struct Scratch {
    models::LogMean mean;  // of the last case, or of its ratios
    std::vector<double> in_order;
    std::vector<double> sorted;
    OfCase together;

    void sort() {
        sorted = in_order;
        std::sort(sorted.begin(), sorted.end());
    }
};

std::optional<CellTime> time_of(std::size_t bytes, const OfCase& of_case, Scratch& scratch) {
    CellTime time;
    scratch.in_order.clear();
    for (const CaseRecord* record : of_case) {
        if (was_measured(*record)) {
            scratch.in_order.insert(scratch.in_order.end(), record->samples_seconds.begin(),
                                    record->samples_seconds.end());
            time.used = record->used;
            time.bits = record->bits.bits.empty() ? time.bits : record->bits;
            time.is_decided = record->ended == models::to_string(models::Ended::decided);
            ++time.groups;
        }
    }
    if (scratch.in_order.empty()) {
        return std::nullopt;
    }
    scratch.sort();
    time.samples = scratch.sorted.size();
    scratch.mean =
        scratch.in_order.size() < 2 ? models::LogMean() : models::log_mean_in_job(scratch.in_order);
    time.time = {
        bytes, models::median(scratch.sorted),
        models::median_interval_in_order(scratch.in_order, scratch.sorted, models::confidence_when_stopped)};
    return time;
}

// What was measured in the group of a record; nullptr: that was not, or the record was not
const CaseRecord* partner_of(const CaseRecord& record, const OfCase& others) {
    const auto partner = std::find_if(others.begin(), others.end(), [&](const CaseRecord* other) {
        return other->group == record.group && was_measured(*other);
    });
    return was_measured(record) && partner != others.end() ? *partner : nullptr;
}

// Without what was measured apart from the default (the default: from all others), if the same was measured
// together as well: so a job that died changes no time
const OfCase& that_count(const std::string& algorithm, const OfSize& of_size, OfCase& kept) {
    const OfCase& of_case = of_size.at(algorithm);
    if (of_case.size() == 1) {
        return of_case;
    }
    const auto is_together = [&](const CaseRecord* record) {
        return std::any_of(of_size.begin(), of_size.end(), [&](const auto& other) {
            return (other.first == default_algorithm) != (algorithm == default_algorithm) &&
                   partner_of(*record, other.second);
        });
    };
    kept.clear();
    std::copy_if(of_case.begin(), of_case.end(), std::back_inserter(kept), is_together);
    return kept.empty() ? of_case : kept;
}

// What the repetitions of all cases say about the spread of those that have few
class FewRepetitions {
  public:
    // `mean`: of the times, or of the ratios
    void add(const models::LogMean& mean, CellTime& time, bool is_ratio) {
        if (mean.repetitions >= 2) {
            (is_ratio ? ratios_ : times_).push_back(mean);
        }
        if (mean.repetitions < models::few_repetitions) {
            few_.push_back({mean, &time, is_ratio});
        }
    }
    void support() const {
        const double of_times = models::usual_variance(times_);
        const double of_ratios = models::usual_variance(ratios_);
        for (const Few& few : few_) {
            if (few.is_ratio) {
                few.time->gain = models::with_interval(few.mean, confidence_of_gain, of_ratios);
            } else if (of_times > 0 && few.mean.repetitions >= 2) {
                // around the median, which outliers move less than they move a mean; factors first, so that
                // an interval without a width stays on it
                const models::Ratio around =
                    models::with_interval(few.mean, models::confidence_when_stopped, of_times);
                models::MeasuredSize& time = few.time->time;
                time.interval = {time.median_seconds * (around.interval.low / around.ratio),
                                 time.median_seconds * (around.interval.high / around.ratio)};
            }
        }
    }

  private:
    struct Few {
        models::LogMean mean;
        CellTime* time;
        bool is_ratio;
    };
    std::vector<models::LogMean> times_;
    std::vector<models::LogMean> ratios_;
    std::vector<Few> few_;
};

// Repetition by repetition in the groups that both are in, up to the end of the shorter one
void compare_with(const OfCase& by_default, const OfCase& of_case, CellTime& time, Scratch& scratch) {
    scratch.in_order.clear();
    for (const CaseRecord* record : of_case) {
        if (const CaseRecord* partner = partner_of(*record, by_default)) {
            ++time.together;
            const std::vector<double>& before = partner->samples_seconds;
            const std::vector<double>& after = record->samples_seconds;
            for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
                scratch.in_order.push_back(before[i] / after[i]);
            }
        }
    }
    if (scratch.in_order.size() >= models::fewest_repetitions) {
        scratch.mean = models::log_mean_in_job(scratch.in_order);
        time.gain = models::with_interval(scratch.mean, confidence_of_gain);
    }
}

Cell summarized(const Records& records) {
    Cell cell;
    Scratch scratch;
    FewRepetitions few;
    for (const auto& [bytes, by_algorithm] : records) {
        const auto by_default = by_algorithm.find(default_algorithm);
        for (const auto& [algorithm, of_case] : by_algorithm) {
            std::optional<CellTime> time =
                time_of(bytes, that_count(algorithm, by_algorithm, scratch.together), scratch);
            if (!time) {
                const std::string& reason = of_case.back()->reason;
                cell.missing[bytes][algorithm] = reason.empty() ? "no repetition was valid" : reason;
                continue;
            }
            time->attempts = of_case.size();
            CellTime& kept = cell.times[bytes].emplace(algorithm, std::move(*time)).first->second;
            few.add(scratch.mean, kept, false);
            if (by_default != by_algorithm.end() && algorithm != default_algorithm) {
                compare_with(by_default->second, of_case, kept, scratch);
                if (kept.gain) {
                    few.add(scratch.mean, kept, true);
                }
            }
        }
    }
    few.support();
    return cell;
}

bool belongs_to(const CaseRecord& record, const CellKey& key) {
    return record.collective == key.collective && record.operation == key.operation &&
           record.layout == key.layout && record.network == key.network;
}

}  // namespace

const CellTime* time_of(const Times& times, const std::string& algorithm) {
    const auto own = times.find(default_algorithm);
    const CellTime* by_default = own != times.end() && own->second.used == algorithm ? &own->second : nullptr;
    const auto found = times.find(algorithm);
    if (found == times.end()) {
        return by_default;
    }
    const bool has_left_race =
        found->second.is_decided && by_default && by_default->samples > found->second.samples;
    return has_left_race ? by_default : &found->second;
}

Cells cells_of(const RunData& run, Stage stage) {
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

Cell cell_of(const RunData& run, Stage stage, const CellKey& key) {
    Records records;
    for (const CaseRecord& record : run.cases) {
        if (record.stage == stage && belongs_to(record, key)) {
            records[record.bytes][record.algorithm].push_back(&record);
        }
    }
    return summarized(records);
}

}  // namespace tuner
