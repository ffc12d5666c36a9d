// SPDX-License-Identifier: MIT
#include "process_sets.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace bench {

namespace {

int rank_from(const std::string& text, int ranks) {
    int rank = -1;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), rank);
    if (problem != std::errc() || end != text.data() + text.size() || rank < 0 || rank >= ranks) {
        throw std::invalid_argument("--processes: '" + text + "' is not a rank from 0 to " +
                                    std::to_string(ranks - 1) + "; write 'each', or sets such as 0-3,8/4-7");
    }
    return rank;
}

}  // namespace

std::vector<ProcessSet> parse_process_sets(const std::string& text, int ranks) {
    std::vector<ProcessSet> sets;
    if (text == "each") {
        for (int rank = 0; rank < ranks; ++rank) {
            sets.push_back({std::to_string(rank), {rank}});
        }
        return sets;
    }
    std::istringstream all(text);
    for (ProcessSet set; std::getline(all, set.name, '/');) {
        set.ranks.clear();
        std::istringstream parts(set.name);
        for (std::string part; std::getline(parts, part, ',');) {
            const std::size_t dash = part.find('-');
            const int first = rank_from(part.substr(0, dash), ranks);
            const int last = dash == std::string::npos ? first : rank_from(part.substr(dash + 1), ranks);
            for (int rank = first; rank <= last; ++rank) {
                set.ranks.push_back(rank);
            }
        }
        if (set.ranks.empty()) {
            throw std::invalid_argument("--processes: the set '" + set.name + "' of " + text + " is empty");
        }
        sets.push_back(set);
    }
    return sets;
}

std::vector<double> sorted_finishes(const CaseResult& result, const ProcessSet& set) {
    std::vector<double> finishes;
    for (const Repetition& repetition : result.repetitions) {
        for (const int rank : set.ranks) {
            finishes.push_back(repetition.finish_of_rank.at(static_cast<std::size_t>(rank)));
        }
    }
    std::sort(finishes.begin(), finishes.end());
    return finishes;
}

}  // namespace bench
