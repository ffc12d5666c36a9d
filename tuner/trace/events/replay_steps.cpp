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
    bool is_wait;
};

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

}  // namespace

std::optional<std::vector<ReplayStep>> replay_steps(std::vector<ReplaySpan> spans, std::int64_t begin_ns) {
    std::stable_sort(spans.begin(), spans.end(),
                     [](const ReplaySpan& a, const ReplaySpan& b) { return a.enter_ns < b.enter_ns; });
    if (do_blocking_calls_overlap(spans)) {
        return std::nullopt;
    }
    std::vector<Moment> moments;
    std::vector<Moment> waits;
    for (const ReplaySpan& span : spans) {
        moments.push_back(
            {span.enter_ns, span.is_nonblocking ? span.enter_ns : span.exit_ns, span.call, false});
        if (span.is_nonblocking) {
            waits.push_back({span.exit_ns, span.exit_ns, waits.size(), true});
        }
    }
    // a wait at the moment of a call is for one that was started before
    std::copy(waits.begin(), waits.end(), std::back_inserter(moments));
    std::stable_sort(moments.begin(), moments.end(),
                     [](const Moment& a, const Moment& b) { return a.from_ns < b.from_ns; });
    std::vector<ReplayStep> steps;
    for (const Moment& moment : moments) {
        steps.push_back(
            {std::max<std::int64_t>(moment.from_ns - begin_ns, 0), moment.number, moment.is_wait});
        begin_ns = std::max(begin_ns, moment.to_ns);
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
