// SPDX-License-Identifier: MIT
#include "replay_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tuner::trace {

namespace {

struct Moment {
    std::int64_t from_ns;
    std::int64_t to_ns;
    std::size_t number;
    enum class What { call, start, wait } what;
};

// A message that is there already when a call starts arrives while it starts
constexpr std::int64_t start_ns = 20'000;

bool do_blocking_calls_overlap(const std::vector<ReplaySpan>& spans) {
    std::int64_t last_ns = spans.empty() ? 0 : spans.front().enter_ns;
    for (const ReplaySpan& span : spans) {
        if (!span.is_nonblocking && span.enter_ns < last_ns) {
            return true;
        }
        last_ns = span.is_nonblocking ? last_ns : span.exit_ns;
    }
    return false;
}

// In the order of time
std::vector<Moment> moments_of(const std::vector<ReplaySpan>& spans) {
    using What = Moment::What;
    std::vector<Moment> moments;
    std::vector<Moment> waits;
    for (const ReplaySpan& span : spans) {
        if (span.is_nonblocking) {
            moments.push_back({span.enter_ns, span.enter_ns, span.call, What::start});
            waits.push_back({span.exit_ns, span.exit_ns, waits.size(), What::wait});
        } else {
            moments.push_back({span.enter_ns, span.exit_ns, span.call, What::call});
        }
    }
    // behind the others: a wait at the moment of a start may be for that
    std::copy(waits.begin(), waits.end(), std::back_inserter(moments));
    std::stable_sort(moments.begin(), moments.end(),
                     [](const Moment& a, const Moment& b) { return a.from_ns < b.from_ns; });
    return moments;
}

std::int64_t wait_from(const std::vector<ReplayArrival>& arrivals, std::int64_t begin_ns,
                       std::int64_t started_ns, std::int64_t complete_ns) {
    const auto next = std::upper_bound(
        arrivals.begin(), arrivals.end(), started_ns,
        [](std::int64_t ns, const ReplayArrival& arrival) { return ns < arrival.arrived_ns; });
    if (next == arrivals.end() || next->arrived_ns > complete_ns) {
        return complete_ns;
    }
    const bool was_computing = next->arrived_ns - next->sent_ns > next->sent_ns - begin_ns;
    return was_computing ? next->arrived_ns : begin_ns;
}

}  // namespace

std::optional<std::vector<ReplayStep>> replay_steps(std::vector<ReplaySpan> spans,
                                                    std::vector<ReplayArrival> arrivals,
                                                    std::int64_t begin_ns) {
    std::stable_sort(spans.begin(), spans.end(),
                     [](const ReplaySpan& a, const ReplaySpan& b) { return a.enter_ns < b.enter_ns; });
    if (do_blocking_calls_overlap(spans)) {
        return std::nullopt;
    }
    std::sort(arrivals.begin(), arrivals.end(),
              [](const ReplayArrival& a, const ReplayArrival& b) { return a.arrived_ns < b.arrived_ns; });
    std::vector<ReplayStep> steps;
    std::int64_t started_ns = begin_ns;  // what the step before began was begun by then
    for (const Moment& moment : moments_of(spans)) {
        const bool is_wait = moment.what == Moment::What::wait;
        const std::int64_t from_ns =
            is_wait ? wait_from(arrivals, begin_ns, started_ns, moment.to_ns) : moment.from_ns;
        steps.push_back({std::max<std::int64_t>(from_ns - begin_ns, 0), moment.number, is_wait});
        begin_ns = std::max(begin_ns, moment.to_ns);
        started_ns = begin_ns + (moment.what == Moment::What::start ? start_ns : 0);
    }
    return steps;
}

std::string replay_line(int rank, const std::vector<ReplayStep>& steps) {
    std::string text = fmt::format("{{\"type\":\"rank\",\"rank\":{},\"steps\":[", rank);
    for (const ReplayStep& step : steps) {
        fmt::format_to(std::back_inserter(text), "{}[{},{}{}]", &step == steps.data() ? "" : ",",
                       step.compute_ns, step.is_wait ? "\"wait\"," : "", step.number);
    }
    return text + "]}\n";
}

}  // namespace tuner::trace
