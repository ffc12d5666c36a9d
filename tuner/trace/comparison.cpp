// SPDX-License-Identifier: MIT
#include "comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "error.hpp"
#include "text_table.hpp"
#include "units.hpp"

namespace tuner::trace {

namespace {

bool is_same_call(const KindKey& a, const KindKey& b) {
    return std::tie(a.collective, a.bytes, a.shape, a.is_nonblocking) ==
           std::tie(b.collective, b.bytes, b.shape, b.is_nonblocking);
}

std::string rounded_bytes(double bytes) {
    return bytes_text(static_cast<std::size_t>(std::llround(bytes)));
}

// Of one rank in a typical call
double mean_cost(const Kind& kind, std::size_t cost) {
    return kind.typical_costs.seconds[cost] /
           static_cast<double>(kind.typical_calls * kind.costs_of_rank.size());
}

std::string signed_time(double seconds) {
    return std::abs(seconds) < 1e-9
               ? "0"
               : fmt::format("{}{}", seconds < 0 ? "-" : "+", seconds_text(std::abs(seconds)));
}

// Bytes through the busiest interface, stage by stage; equal neighbours together
std::string stages_text(const Kind& kind) {
    std::vector<std::string> parts;
    const auto calls = static_cast<double>(kind.calls.size());
    for (std::size_t i = 0; i < kind.stages.size();) {
        const std::string bytes = rounded_bytes(kind.stages[i].busiest_bytes / calls);
        std::size_t end = i + 1;
        while (end < kind.stages.size() && rounded_bytes(kind.stages[end].busiest_bytes / calls) == bytes) {
            ++end;
        }
        parts.push_back(end == i + 1 ? bytes : fmt::format("{} x {}", end - i, bytes));
        i = end;
    }
    return fmt::format("{}", fmt::join(parts, " + "));
}

// What of the schedules goes with the difference. `slow` takes longer.
std::string reasons_text(const Kind& slow, const Kind& fast) {
    constexpr double clearly = 1.15;
    constexpr double large_share = 0.1;
    std::vector<std::string> reasons;
    const double whole = median_of(slow.seconds) - median_of(fast.seconds);
    for (std::size_t cost = 0; cost < cost_names.size(); ++cost) {
        const double more = mean_cost(slow, cost) - mean_cost(fast, cost);
        if (more > large_share * whole) {
            reasons.push_back(fmt::format("{} more of {}", seconds_text(more), cost_names[cost]));
        }
    }
    std::string text = fmt::format(
        "  {} spends {} for each rank\n", slow.key.algorithm,
        reasons.empty() ? "no more of any one thing" : fmt::format("{}", fmt::join(reasons, ", ")));
    const Moved more = moved_by(slow);
    const Moved less = moved_by(fast);
    if (more.interface_bytes > clearly * less.interface_bytes) {
        text += fmt::format(
            "  it sends {} through the busiest interface, {} sends {}: {:.1f} times as much in {:.1f} times "
            "the time\n",
            rounded_bytes(more.interface_bytes), fast.key.algorithm, rounded_bytes(less.interface_bytes),
            more.interface_bytes / less.interface_bytes, median_of(slow.seconds) / median_of(fast.seconds));
    }
    if (more.exchanged_bytes > clearly * less.exchanged_bytes) {
        text += fmt::format("  {} of them go both ways at once between the same two ranks, {} of {}'s\n",
                            rounded_bytes(more.exchanged_bytes), rounded_bytes(less.exchanged_bytes),
                            fast.key.algorithm);
    }
    if (more.path_messages > clearly * less.path_messages) {
        text += fmt::format("  its critical path has {:.3g} messages, {}'s has {:.3g}\n", more.path_messages,
                            fast.key.algorithm, less.path_messages);
    }
    return text;
}

std::string pair_text(const ComparedKinds& pair) {
    const Kind& a = *pair.a;
    const Kind& b = *pair.b;
    const double time_a = median_of(a.seconds);
    const double time_b = median_of(b.seconds);
    std::string text =
        fmt::format("{} {} {}: A {} {}, B {} {}; B takes {:.2f} times as long\n", a.key.collective,
                    bytes_text(a.key.bytes), to_string(a.key.shape), a.key.algorithm, seconds_text(time_a),
                    b.key.algorithm, seconds_text(time_b), time_b / time_a);
    TextTable table({"", "A", "B", "B - A"});
    const auto add = [&](const char* name, double of_a, double of_b) {
        table.add({name, seconds_text(of_a), seconds_text(of_b), signed_time(of_b - of_a)});
    };
    add("a call, from the last arrival", time_a, time_b);
    for (std::size_t cost = 0; cost < cost_names.size(); ++cost) {
        if (mean_cost(a, cost) > 0 || mean_cost(b, cost) > 0) {
            add(cost_names[cost], mean_cost(a, cost), mean_cost(b, cost));
        }
    }
    const Moved moved_a = moved_by(a);
    const Moved moved_b = moved_by(b);
    table.add({"stages", std::to_string(a.stages.size()), std::to_string(b.stages.size()), ""});
    table.add({"messages on the critical path", fmt::format("{:.3g}", moved_a.path_messages),
               fmt::format("{:.3g}", moved_b.path_messages), ""});
    table.add({"through the busiest interface", rounded_bytes(moved_a.interface_bytes),
               rounded_bytes(moved_b.interface_bytes), ""});
    table.add({"of that exchanged", rounded_bytes(moved_a.exchanged_bytes),
               rounded_bytes(moved_b.exchanged_bytes), ""});
    text += table.text();
    text += fmt::format("  interface, by stage: A {}; B {}\n", stages_text(a), stages_text(b));
    return text + (time_a > time_b ? reasons_text(a, b) : reasons_text(b, a));
}

Json side_json(const Kind& kind) {
    const Moved moved = moved_by(kind);
    Json costs;
    for (std::size_t cost = 0; cost < cost_names.size(); ++cost) {
        costs[cost_names[cost]] = mean_cost(kind, cost);
    }
    Json stages = Json::array();
    for (const StageTimes& stage : kind.stages) {
        stages.push_back(stage.busiest_bytes / static_cast<double>(kind.calls.size()));
    }
    return {{"algorithm", kind.key.algorithm},          {"calls", kind.calls.size()},
            {"call_seconds", median_of(kind.seconds)},  {"costs_seconds", costs},
            {"path_messages", moved.path_messages},     {"interface_bytes", moved.interface_bytes},
            {"exchanged_bytes", moved.exchanged_bytes}, {"interface_bytes_of_stage", stages}};
}

}  // namespace

Moved moved_by(const Kind& kind) {
    const auto calls = static_cast<double>(kind.calls.size());
    Moved moved;
    for (const StageTimes& stage : kind.stages) {
        moved.interface_bytes += stage.busiest_bytes / calls;
        moved.exchanged_bytes += stage.busiest_exchanged_bytes / calls;
    }
    moved.path_messages = static_cast<double>(kind.path.messages) / static_cast<double>(kind.typical_calls);
    return moved;
}

TraceComparison compare_algorithms(const Analysis& analysis, const std::string& a, const std::string& b) {
    TraceComparison comparison{a, b, {}};
    std::vector<std::string> names;
    for (const Kind& kind : analysis.kinds) {
        names.push_back(kind.key.algorithm);
        for (const Kind& other : analysis.kinds) {
            if (kind.key.algorithm == a && other.key.algorithm == b && is_same_call(kind.key, other.key)) {
                comparison.pairs.push_back({&kind, &other});
            }
        }
    }
    if (comparison.pairs.empty()) {
        for (const std::string& name : {a, b}) {
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                throw wrong_use("the trace has no algorithm, and there is no other trace '" + name + "'" +
                                suggestion(name, names));
            }
        }
        throw wrong_use(
            fmt::format("{} and {} have no call of the same collective, size and ranks in the trace; record "
                        "both in one job, or compare two traces",
                        a, b));
    }
    return comparison;
}

TraceComparison compare_traces(const LoadedTrace& a, const LoadedTrace& b) {
    TraceComparison comparison{a.trace.prefix, b.trace.prefix, {}};
    for (const Kind& kind : a.analysis.kinds) {
        const auto is_pair = [&](const ComparedKinds& pair) { return is_same_call(pair.a->key, kind.key); };
        const auto other = std::find_if(b.analysis.kinds.begin(), b.analysis.kinds.end(),
                                        [&](const Kind& k) { return is_same_call(k.key, kind.key); });
        if (other != b.analysis.kinds.end() &&
            std::none_of(comparison.pairs.begin(), comparison.pairs.end(), is_pair)) {
            comparison.pairs.push_back({&kind, &*other});
        }
    }
    if (comparison.pairs.empty()) {
        throw wrong_use(
            fmt::format("{} and {} have no call of the same collective, size and ranks; record both on the "
                        "same layout",
                        a.trace.prefix, b.trace.prefix));
    }
    return comparison;
}

std::string to_text(const TraceComparison& comparison) {
    std::string text =
        fmt::format("A is {}, B is {}; costs are of a rank, mean of the middle half of the calls\n",
                    comparison.a, comparison.b);
    for (const ComparedKinds& pair : comparison.pairs) {
        text += "\n" + pair_text(pair);
    }
    return text;
}

Json to_json(const TraceComparison& comparison) {
    Json pairs = Json::array();
    for (const auto& [a, b] : comparison.pairs) {
        pairs.push_back({{"collective", a->key.collective},
                         {"bytes", a->key.bytes},
                         {"shape", to_string(a->key.shape)},
                         {"b_by_a", median_of(b->seconds) / median_of(a->seconds)},
                         {"a", side_json(*a)},
                         {"b", side_json(*b)}});
    }
    return {{"a", comparison.a}, {"b", comparison.b}, {"pairs", pairs}};
}

}  // namespace tuner::trace
