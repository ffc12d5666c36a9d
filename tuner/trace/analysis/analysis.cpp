// SPDX-License-Identifier: MIT
#include "analysis.hpp"

#include <algorithm>
#include <numeric>

#include "critical.hpp"
#include "stage_times.hpp"

namespace tuner::trace {

namespace {

constexpr std::size_t most_positions = 64;

// `at`: when each participant came or left
void add_orders(Orders& orders, const std::vector<std::int64_t>& at, std::int64_t reference_ns, int sign,
                std::vector<std::size_t>& order) {
    const std::size_t ranks = at.size();
    orders.counts.resize(ranks, std::vector<std::size_t>(std::min(ranks, most_positions)));
    orders.last.resize(ranks);
    orders.wait_seconds.resize(ranks);
    order.resize(ranks);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return at[a] < at[b]; });
    for (std::size_t position = 0; position < ranks; ++position) {
        const std::size_t rank = order[position];
        ++orders.counts[rank][position * orders.counts[rank].size() / ranks];
        orders.wait_seconds[rank].push_back(seconds_from_ns(sign * (reference_ns - at[rank])));
    }
    ++orders.last[order.back()];
}

class Analyser {
  public:
    explicit Analyser(const Matched& matched) : matched_(matched), call_(matched), stages_(matched, call_) {
        for (const RankTrace& rank : matched.trace->ranks) {
            result_.arrivals.push_back({rank.rank(), 0, 0, {}, 0});
            const FileHeader& header = rank.header;
            if (is_possible_time(header.started_ns) && is_possible_time(header.ended_ns)) {
                result_.program_seconds += seconds_from_ns(header.ended_ns - header.started_ns) /
                                           static_cast<double>(matched.trace->ranks.size());
            }
        }
        for (const Communicator& communicator : matched.communicators) {
            shapes_.push_back(shape_of(communicator));
        }
    }

    Analysis run() {
        find_typical();
        for (std::uint32_t call = 0; call < matched_.calls.size(); ++call) {
            if (!matched_.is_outermost(call)) {
                continue;
            }
            if (call_.load(call)) {
                ++result_.calls;
                add(call);
            } else {
                ++result_.calls_left_out;
            }
        }
        for (auto& [key, kind] : kinds_) {
            if (kind.typical_calls == 0) {
                continue;  // its messages are damaged
            }
            for (std::vector<double>& sums : kind.stage_seconds) {
                sums.insert(sums.end() - 1, kind.stages.size() + 1 - sums.size(), 0.0);
            }
            result_.costs += kind.costs;
            result_.kinds.push_back(std::move(kind));
        }
        std::stable_sort(result_.kinds.begin(), result_.kinds.end(),
                         [](const Kind& a, const Kind& b) { return a.total_seconds() > b.total_seconds(); });
        result_.critical = find_critical(matched_, result_.path);
        return std::move(result_);
    }

  private:
    KindKey key_of(const Call& call) const {
        return {std::string(call.collective), std::string(call.algorithm), call.bytes,
                shapes_[call.communicator], call.is_nonblocking};
    }

    // The calls of each kind that are between the quartiles of their times
    void find_typical() {
        std::map<KindKey, std::vector<std::pair<std::int64_t, std::uint32_t>>> times;
        for (std::uint32_t call = 0; call < matched_.calls.size(); ++call) {
            if (!matched_.is_outermost(call) || !matched_.calls[call].is_complete) {
                continue;
            }
            std::int64_t last_in = INT64_MIN;
            std::int64_t last_out = INT64_MIN;
            for (const Participant& p : matched_.participants_of(call)) {
                last_in = std::max(last_in, p.enter_ns);
                last_out = std::max(last_out, p.exit_ns);
            }
            times[key_of(matched_.calls[call])].emplace_back(last_out - last_in, call);
        }
        is_typical_.assign(matched_.calls.size(), false);
        for (auto& [key, of_kind] : times) {
            std::sort(of_kind.begin(), of_kind.end());
            const std::size_t quarter = of_kind.size() / 4;
            for (std::size_t i = quarter; i < of_kind.size() - quarter; ++i) {
                is_typical_[of_kind[i].second] = true;
            }
        }
    }

    void add(std::uint32_t number) {
        const Call& call = matched_.calls[number];
        KindKey key = key_of(call);
        Kind& kind = kinds_[key];
        if (kind.calls.empty()) {
            kind.key = std::move(key);
            kind.costs_of_rank.resize(call_.participants().size());
            kind.stage_seconds.resize(call_.participants().size());
        }
        kind.calls.push_back(number);
        add_times(kind);
        add_late_ranks();
        stages_.add_links(kind);
        if (is_typical_[number]) {
            ++kind.typical_calls;
            for (const Breakdown& costs : call_.breakdowns()) {
                kind.typical_costs += costs;
            }
            stages_.add_ranks(kind);
            add_path(kind.path);
        }
        add_path(result_.path);
    }

    void add_times(Kind& kind) {
        const auto participants = call_.participants();
        enters_.clear();
        exits_.clear();
        for (const Participant& p : participants) {
            enters_.push_back(p.enter_ns);
            exits_.push_back(p.exit_ns);
        }
        const auto [first_in, last_in] = std::minmax_element(enters_.begin(), enters_.end());
        const auto [first_out, last_out] = std::minmax_element(exits_.begin(), exits_.end());
        kind.seconds.push_back(seconds_from_ns(*last_out - *last_in));
        kind.whole_seconds.push_back(seconds_from_ns(*last_out - *first_in));
        kind.latency_seconds.push_back(seconds_from_ns(*first_out - *last_in));
        for (std::size_t i = 0; i < participants.size(); ++i) {
            kind.costs += call_.breakdowns()[i];
            kind.costs_of_rank[i] += call_.breakdowns()[i];
        }
        add_orders(kind.departures, exits_, *first_out, -1, order_);
        add_orders(kind.arrivals, enters_, *last_in, 1, order_);
        if (participants.size() > 1) {
            const std::size_t last = order_.back();
            for (const Participant& p : participants) {
                ++result_.arrivals[p.rank].calls;
            }
            RankArrivals& late = result_.arrivals[participants[last].rank];
            ++late.last;
            late.behind_seconds.push_back(
                seconds_from_ns(enters_[last] - enters_[order_[(order_.size() - 1) / 2]]));
        }
    }

    void add_late_ranks() {
        for (const auto& waits : call_.late_waits()) {
            for (const LateWait& wait : waits) {
                const std::uint32_t rank = call_.participants()[static_cast<std::size_t>(wait.cause)].rank;
                result_.arrivals[rank].caused_seconds += seconds_from_ns(wait.to_ns - wait.from_ns);
            }
        }
    }

    void add_path(CriticalPaths& paths) {
        paths.costs += call_.path_costs();
        for (const PathStep& step : call_.path()) {
            const double length = seconds_from_ns(step.to_ns - step.from_ns);
            if (step.message == nullptr) {
                paths.rank_seconds[matched_.world_rank_of(
                    call_.participants()[static_cast<std::size_t>(step.participant)].rank)] += length;
                continue;
            }
            ++paths.messages;
            if (step.message->is_between_nodes) {
                paths.link_seconds[{matched_.node_of(step.message->source),
                                    matched_.node_of(step.message->destination)}] += length;
            }
        }
    }

    const Matched& matched_;
    CallAnalysis call_;
    StageTimer stages_;
    Analysis result_;
    std::vector<Shape> shapes_;
    std::vector<bool> is_typical_;  // by call
    std::map<KindKey, Kind> kinds_;
    std::vector<std::int64_t> enters_;
    std::vector<std::int64_t> exits_;
    std::vector<std::size_t> order_;
};

}  // namespace

Analysis analyse(const Matched& matched) {
    return Analyser(matched).run();
}

const RankArrivals* Analysis::late_rank() const {
    constexpr double smallest_share = 0.1;  // of the time in collectives: less is not worth a word
    const RankArrivals* worst = nullptr;
    for (const RankArrivals& rank : arrivals) {
        if (rank.caused_seconds > smallest_share * costs.total() &&
            (worst == nullptr || rank.caused_seconds > worst->caused_seconds)) {
            worst = &rank;
        }
    }
    return worst;
}

}  // namespace tuner::trace
