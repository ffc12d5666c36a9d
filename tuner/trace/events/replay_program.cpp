// SPDX-License-Identifier: MIT
#include "replay_program.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "checked_json.hpp"
#include "collectives.hpp"
#include "error.hpp"
#include "replay_steps.hpp"

namespace tuner::trace {

namespace {

// Of these, each rank records a size of its own; what the benchmark does not know is replayed by another
// collective.
constexpr struct {
    std::string_view recorded;
    std::string_view replayed;
} with_own_sizes[] = {
    {"gatherv", "gather"}, {"scatterv", "scatter"}, {"alltoallv", "alltoallv"}, {"alltoallw", "alltoallv"}};
// Of these, only the sum of the counts is recorded.
constexpr std::string_view with_counts[] = {"allgatherv", "reduce_scatter"};

// The collective that replays a recorded one
struct Replayed {
    std::string name;  // of the blocking version
    bool combines = false;
    bool has_own_sizes = false;
    bool has_equal_counts = false;  // in place of those of the program
};

std::optional<Replayed> replayed_by(std::string_view collective, bool is_nonblocking) {
    if (is_nonblocking && collective.starts_with('i')) {
        collective.remove_prefix(1);
    }
    const bool has_counts =
        std::find(std::begin(with_counts), std::end(with_counts), collective) != std::end(with_counts);
    Replayed replayed{std::string(collective), false, false, has_counts};
    for (const auto& row : with_own_sizes) {
        if (row.recorded == collective) {
            replayed = {std::string(row.replayed), false, true, true};
        }
    }
    const models::Collective* known = models::find_collective(replayed.name);
    if (known == nullptr) {
        return std::nullopt;
    }
    replayed.combines = known->combines;
    return replayed;
}

double seconds_of(std::int64_t ns) {
    return 1e-9 * static_cast<double>(ns);
}

class Program {
  public:
    explicit Program(const Matched& matched)
        : matched_(matched),
          trace_(*matched.trace),
          spans_(matched.trace->ranks.size()),
          arrivals_(spans_.size()) {
        std::transform(trace_.ranks.begin(), trace_.ranks.end(), std::back_inserter(calls_of_rank_),
                       calls_of);
        for (std::uint32_t call = 0; call < matched_.calls.size(); ++call) {
            if (matched_.is_outermost(call)) {
                add_or_omit(call);
            }
        }
    }

    std::string text() const {
        const auto files = static_cast<int>(trace_.ranks.size());
        if (files != trace_.world_size) {
            throw failure(
                fmt::format("{}: the files of {} of {} ranks can be used, and a replay needs all; look at "
                            "`changeover trace {}`, and record the program again",
                            trace_.prefix, files, trace_.world_size, trace_.prefix));
        }
        if (calls_.empty()) {
            throw failure(
                trace_.prefix +
                ": there is no call to replay, as no collective is recorded on all of its ranks; look at "
                "`changeover trace " +
                trace_.prefix + "`, and record the program again");
        }
        std::string lines = head().dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
        for (std::size_t r = 0; r < spans_.size(); ++r) {
            lines += line_of(r);
        }
        return lines;
    }

  private:
    // Calls that a replay does not tell apart
    struct CallKind {
        std::string collective;
        std::size_t communicator;
        std::uint64_t bytes;
        int root;
        auto operator<=>(const CallKind&) const = default;
    };
    struct Sums {
        std::size_t number = 0;
        double seconds = 0;  // of all ranks
    };

    void add_or_omit(std::uint32_t number) {
        const Call& call = matched_.calls[number];
        const std::optional<Replayed> replayed = replayed_by(call.collective, call.is_nonblocking);
        if (matched_.communicators[call.communicator].kind != 0) {
            ++omitted_["made by the library, on a communicator of its own"];
        } else if (!call.is_complete) {
            ++omitted_["not recorded on all of its ranks from entry to exit"];
        } else if (!replayed) {
            ++omitted_[fmt::format("{}, of which too little is recorded", call.collective)];
        } else {
            has_reductions_ |= replayed->combines;
            equal_counts_ += replayed->has_equal_counts ? 1 : 0;
            nonblocking_ += call.is_nonblocking ? 1 : 0;
            add(number, *replayed);
        }
    }

    void add(std::uint32_t number, const Replayed& replayed) {
        const Call& call = matched_.calls[number];
        const std::size_t communicator =
            communicators_.try_emplace(call.communicator, communicators_.size()).first->second;
        const CallKind kind = {(call.is_nonblocking ? "i" : "") + replayed.name, communicator,
                               replayed.has_own_sizes ? mean_bytes(number) : call.bytes, call.root};
        const auto [entry, is_new] = position_.try_emplace(kind, calls_.size());
        if (is_new) {
            calls_.push_back(kind);
            sums_.emplace_back();
        }
        Sums& sums = sums_[entry->second];
        ++sums.number;
        for (const Participant& p : matched_.participants_of(number)) {
            sums.seconds += seconds_of(p.exit_ns - p.enter_ns);
            begin_ns_ = std::min(begin_ns_, p.enter_ns);
            end_ns_ = std::max(end_ns_, p.exit_ns);
            spans_[p.rank].push_back({p.enter_ns, p.exit_ns, entry->second, call.is_nonblocking});
        }
        if (call.is_nonblocking) {
            for (const Message& m : matched_.messages_of(number)) {
                arrivals_[m.destination].push_back({m.send_ended_ns, m.receive_ended_ns});
            }
        }
    }

    std::uint64_t mean_bytes(std::uint32_t number) const {
        double sum = 0;
        for (const Participant& p : matched_.participants_of(number)) {
            sum += static_cast<double>(calls_of_rank_[p.rank].calls[p.local].enter->bytes);
        }
        return static_cast<std::uint64_t>(
            std::llround(sum / static_cast<double>(matched_.calls[number].participants)));
    }

    std::string line_of(std::size_t r) const {
        const std::optional<std::vector<ReplayStep>> steps = replay_steps(spans_[r], arrivals_[r], begin_ns_);
        if (!steps) {
            throw failure(
                fmt::format("{}: rank {} made collective calls in several threads at the same time, which a "
                            "replay cannot "
                            "repeat; record the program with one thread that calls MPI",
                            trace_.ranks[r].file, r));
        }
        return replay_line(static_cast<int>(r), *steps);
    }

    Json head() const {
        std::vector<Json> communicators(communicators_.size());
        for (const auto& [index, position] : communicators_) {
            communicators[position] = matched_.communicators[index].members;
        }
        Json calls = Json::array();
        for (std::size_t i = 0; i < calls_.size(); ++i) {
            calls.push_back({{"collective", calls_[i].collective},
                             {"communicator", calls_[i].communicator},
                             {"bytes", calls_[i].bytes},
                             {"root", std::max(calls_[i].root, 0)},
                             {"number", sums_[i].number},
                             {"seconds", sums_[i].seconds}});
        }
        std::vector<int> nodes;
        std::transform(trace_.ranks.begin(), trace_.ranks.end(), std::back_inserter(nodes),
                       [](const RankTrace& rank) { return rank.node(); });
        return {{"type", "program"},
                {"version", 1},
                {"trace", trace_.prefix},
                {"ranks", trace_.world_size},
                {"node_of_rank", nodes},
                {"seconds", seconds_of(end_ns_ - begin_ns_)},
                {"communicators", communicators},
                {"calls", calls},
                {"approximated", approximated()},
                {"omitted", omitted()}};
    }

    std::vector<std::string> approximated() const {
        std::vector<std::string> list = {"messages outside of collectives are time that the rank computes",
                                         "buffers are contiguous, and MPI_IN_PLACE is not used"};
        if (has_reductions_) {
            list.push_back(
                "reductions are MPI_SUM, of double where the bytes are a multiple of 8, else of float (of 4) "
                "or "
                "byte: operations and datatypes are not recorded");
        }
        if (equal_counts_ > 0) {
            list.push_back(fmt::format(
                "all ranks have equal counts in {} call(s) of allgatherv, alltoallv, alltoallw, gatherv, "
                "reduce_scatter or scatterv: single counts are not recorded; alltoallw is replayed as "
                "alltoallv, "
                "gatherv as gather, scatterv as scatter",
                equal_counts_));
        }
        if (nonblocking_ > 0) {
            list.push_back(
                fmt::format("{} nonblocking call(s) are waited for from where a message of them first "
                            "arrived: the moment of the "
                            "wait is not recorded",
                            nonblocking_));
        }
        return list;
    }

    std::vector<std::string> omitted() const {
        std::vector<std::string> list;
        for (const auto& [reason, count] : omitted_) {
            list.push_back(fmt::format("{} call(s): {}", count, reason));
        }
        std::uint64_t skipped = 0;
        std::uint64_t lost = 0;
        for (const RankTrace& rank : trace_.ranks) {
            skipped += rank.header.calls - std::min(rank.header.calls, rank.header.calls_recorded);
            lost += rank.header.events_lost;
        }
        if (skipped > 0) {
            list.push_back(fmt::format(
                "calls that were not recorded, by variables of the collectors: {} of all ranks", skipped));
        }
        if (lost > 0) {
            list.push_back(fmt::format(
                "the beginning of the program: {} events were overwritten; raise MPIR_CVAR_COLL_EVENTS_MAX",
                lost));
        }
        return list;
    }

    const Matched& matched_;
    const Trace& trace_;
    std::vector<RankCalls> calls_of_rank_;
    std::vector<CallKind> calls_;
    std::vector<Sums> sums_;
    std::map<CallKind, std::size_t> position_;
    std::map<std::uint32_t, std::size_t> communicators_;  // of the trace, to those of the program
    std::vector<std::vector<ReplaySpan>> spans_;          // by position in Trace::ranks
    std::vector<std::vector<ReplayArrival>> arrivals_;    // of messages of nonblocking calls
    std::int64_t begin_ns_ = std::numeric_limits<std::int64_t>::max();
    std::int64_t end_ns_ = std::numeric_limits<std::int64_t>::min();
    std::map<std::string, std::size_t> omitted_;  // calls by reason
    std::size_t equal_counts_ = 0;
    std::size_t nonblocking_ = 0;
    bool has_reductions_ = false;
};

}  // namespace

std::string replay_program(const Matched& matched) {
    return Program(matched).text();
}

}  // namespace tuner::trace
