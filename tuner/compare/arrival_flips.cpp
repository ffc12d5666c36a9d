// SPDX-License-Identifier: MIT
#include "arrival_flips.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "statistics.hpp"

namespace tuner {

namespace {

double median_of(std::vector<double> samples) {
    std::sort(samples.begin(), samples.end());
    return models::median(samples);
}

// Of one group. What left the race has too few repetitions to be compared.
void add_flips(std::vector<const CaseRecord*> cases, ArrivalFlips& flips) {
    std::size_t most = 0;
    for (const CaseRecord* record : cases) {
        most = std::max(most, record->samples_seconds.size());
    }
    std::erase_if(cases, [&](const CaseRecord* record) { return 2 * record->samples_seconds.size() < most; });
    const CaseRecord* usual = nullptr;
    for (const CaseRecord* record : cases) {
        if (usual == nullptr || median_of(record->samples_seconds) < median_of(usual->samples_seconds)) {
            usual = record;
        }
    }
    for (const auto& [arrival, seconds] : usual->by_arrival) {
        const CaseRecord* best = usual;
        for (const CaseRecord* record : cases) {
            const auto own = record->by_arrival.find(arrival);
            if (own != record->by_arrival.end() && own->second < best->by_arrival.at(arrival)) {
                best = record;
            }
        }
        const double ratio = seconds / best->by_arrival.at(arrival);
        const bool is_same = !best->used.empty() && best->used == usual->used;
        if (ratio > least_flip && !is_same) {
            flips.flips.push_back({{usual->network, usual->layout, usual->collective, usual->operation},
                                   usual->bytes,
                                   arrival,
                                   usual->algorithm,
                                   best->algorithm,
                                   ratio});
        }
    }
}

}  // namespace

std::size_t ArrivalFlips::flipped_choices() const {
    std::set<std::pair<CellKey, std::size_t>> choices_that_flip;
    for (const ArrivalFlip& flip : flips) {
        choices_that_flip.insert({flip.cell, flip.bytes});
    }
    return choices_that_flip.size();
}

ArrivalFlips arrival_flips(const RunData& run) {
    std::map<std::uint64_t, std::vector<const CaseRecord*>> groups;
    for (const CaseRecord& record : run.cases) {
        if (record.stage == Stage::search && record.status == Status::measured &&
            !record.by_arrival.empty() && !record.samples_seconds.empty()) {
            groups[record.group].push_back(&record);
        }
    }
    ArrivalFlips flips;
    std::set<std::pair<CellKey, std::size_t>> choices;
    for (const auto& [group, cases] : groups) {
        const CaseRecord& first = *cases.front();
        choices.insert({{first.network, first.layout, first.collective, first.operation}, first.bytes});
        add_flips(cases, flips);
    }
    flips.choices = choices.size();
    return flips;
}

std::string to_text(const ArrivalFlips& flips) {
    if (flips.choices == 0) {
        return "";
    }
    std::map<std::string, std::size_t> by_arrival;
    for (const ArrivalFlip& flip : flips.flips) {
        ++by_arrival[flip.arrival];
    }
    std::string text = fmt::format(
        "\nThe best algorithm flips with the arrivals of the ranks at {} of {} measured sizes ({:.0f}%):\n"
        "there, under one of the patterns, another one is faster by more than {:.0f}%\n",
        flips.flipped_choices(), flips.choices,
        100 * static_cast<double>(flips.flipped_choices()) / static_cast<double>(flips.choices),
        100 * (least_flip - 1));
    for (const auto& [arrival, count] : by_arrival) {
        text += fmt::format("  {:<16} {}\n", arrival, count);
    }
    return text;
}

}  // namespace tuner
