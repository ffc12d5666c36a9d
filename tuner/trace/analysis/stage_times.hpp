// SPDX-License-Identifier: MIT
// Times and bytes of the stages of one call, added to those of its kind.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "analysis.hpp"

namespace tuner::trace {

// Keeps its memory from call to call
class StageTimer {
  public:
    StageTimer(const Matched& matched, const CallAnalysis& call) : matched_(matched), call_(call) {}

    // Of the call that is loaded
    void add_links(Kind& kind);
    void add_ranks(Kind& kind);

  private:
    // Bytes of a stage through the interface of a node
    struct Through {
        double out = 0;
        double in = 0;
        double exchanged = 0;

        double busier() const { return std::max(out, in); }
    };

    void collect_receives();
    void add_message(LinkTimes& link, const Message& message) const;
    void add_bytes(const Message& message);
    void add_exchanged();
    void add_busiest(Kind& kind) const;
    std::int64_t late_between(std::size_t participant, std::int64_t from, std::int64_t to) const;

    const Matched& matched_;
    const CallAnalysis& call_;
    std::vector<std::vector<std::int64_t>> received_;
    std::vector<std::vector<std::int64_t>> ended_;
    std::map<std::pair<std::uint32_t, int>, Through> through_;  // by stage and node
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, double>
        exchanges_;  // by stage and ranks
};

}  // namespace tuner::trace
