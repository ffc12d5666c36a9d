// SPDX-License-Identifier: MIT
// Where the time of a call goes, on each rank: every moment between entry and exit has one name. And the
// critical path: back from the last exit, through whatever was waited for.
#pragma once

#include <array>

#include "match.hpp"

namespace tuner::trace {

// In the order in which they win where several things go on at once. Network: both ends of a message are
// there. Late: waiting for a rank that has not entered the call, be it through others. Wait: for a rank that
// is there, but not so far. Software: the rest.
enum Cost { copy_cost, reduction_cost, network_cost, late_cost, wait_cost, software_cost };
inline constexpr std::array cost_names = {"copy", "reduction", "network", "late", "wait", "software"};

struct Breakdown {
    std::array<double, cost_names.size()> seconds = {};

    double total() const;
    Breakdown& operator+=(const Breakdown& other);
};

struct LateWait {
    std::int64_t from_ns;
    std::int64_t to_ns;
    int cause;  // participant that had not entered
};

// A part of the critical path: a message, or what a rank did by itself
struct PathStep {
    int participant;
    int source;  // of the message; -1: none
    const Message* message;
    std::int64_t from_ns;
    std::int64_t to_ns;
};

// One outermost call, with everything inside of it. Participants are numbered as in the call.
class CallAnalysis {
  public:
    explicit CallAnalysis(const Matched& matched)
        : matched_(matched), index_(matched.trace->ranks.size(), -1) {}

    // False if the call cannot be analysed: it is not complete, or has messages of strangers.
    bool load(std::uint32_t call);

    std::span<const Participant> participants() const { return participants_; }
    std::span<const Message> messages() const { return messages_; }
    int participant_of(std::uint32_t rank) const { return index_[rank]; }
    const std::vector<Breakdown>& breakdowns() const { return breakdowns_; }
    // by participant; ascending; as far as nothing else went on meanwhile
    const std::vector<std::vector<LateWait>>& late_waits() const { return late_waits_; }
    const std::vector<PathStep>& path() const { return path_; }  // the last one first
    Breakdown path_costs() const;

  private:
    struct Span {
        std::int64_t from_ns;
        std::int64_t to_ns;
        Cost cost;
    };
    struct Wait {
        int who;
        int for_whom;
        std::int64_t from_ns;
        std::int64_t to_ns;
    };
    struct Ended {
        std::int64_t at_ns;
        const Message* message;
        bool is_send;
    };

    void add_late(int who, LateWait wait);
    void find_late();
    void add_span(int who, std::int64_t from_ns, std::int64_t to_ns, Cost cost);
    void find_spans();
    void find_breakdowns();
    void find_breakdown(std::size_t participant);
    void find_path();

    const Matched& matched_;
    std::vector<int> index_;  // participant by position in Trace::ranks
    std::span<const Participant> participants_;
    std::span<const Message> messages_;
    std::span<const LocalWork> works_;
    std::vector<Wait> waits_;
    std::vector<std::vector<LateWait>> late_;
    std::vector<std::vector<LateWait>> late_waits_;
    std::vector<std::vector<Span>> spans_;
    std::vector<std::pair<std::int64_t, int>> edges_;
    std::vector<Breakdown> breakdowns_;
    std::vector<std::vector<Ended>> ended_;
    std::vector<PathStep> path_;
};

}  // namespace tuner::trace
