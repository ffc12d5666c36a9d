// SPDX-License-Identifier: MIT
#include "trace_comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "error.hpp"
#include "number_text.hpp"
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

// What of the schedules goes with the difference. The first takes longer.
std::string reasons_text(const Configuration& slower, const Configuration& quicker) {
    constexpr double clearly = 1.15;
    constexpr double large_share = 0.1;
    const Kind& slow = *slower.kind;
    const Kind& fast = *quicker.kind;
    std::vector<std::string> reasons;
    const double whole = median_of(slow.seconds) - median_of(fast.seconds);
    for (std::size_t cost = 0; cost < cost_names.size(); ++cost) {
        const double more = mean_cost(slow, cost) - mean_cost(fast, cost);
        if (more > large_share * whole) {
            reasons.push_back(fmt::format("{} more of {}", seconds_text(more), cost_names[cost]));
        }
    }
    std::string text = fmt::format(
        "  {} spends {} for each rank\n", slower.name,
        reasons.empty() ? "no more time for any single cost" : fmt::format("{}", fmt::join(reasons, ", ")));
    const Moved more = moved_by(slow);
    const Moved less = moved_by(fast);
    if (more.interface_bytes > clearly * less.interface_bytes) {
        text += fmt::format(
            "  it sends {} through the busiest interface, {} sends {}: {:.1f} times as much in {:.1f} times "
            "the time\n",
            rounded_bytes(more.interface_bytes), quicker.name, rounded_bytes(less.interface_bytes),
            more.interface_bytes / less.interface_bytes, median_of(slow.seconds) / median_of(fast.seconds));
    }
    if (more.exchanged_bytes > clearly * less.exchanged_bytes) {
        text += fmt::format(
            "  {} of them are exchanged between the same two ranks at the same time, {} of {}'s\n",
            rounded_bytes(more.exchanged_bytes), rounded_bytes(less.exchanged_bytes), quicker.name);
    }
    if (more.path_messages > clearly * less.path_messages) {
        text += fmt::format("  its critical path has {:.3g} messages, {}'s has {:.3g}\n", more.path_messages,
                            quicker.name, less.path_messages);
    }
    return text;
}

std::string interface_text(const SameCall& call) {
    std::vector<std::string> parts;
    for (const Configuration& of : call) {
        parts.push_back(of.name + " " + stages_text(*of.kind));
    }
    return fmt::format("  interface, by stage: {}\n", fmt::join(parts, "; "));
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
    const bool are_different = a.key.algorithm != b.key.algorithm;
    const SameCall letters = {{"A", &a}, {"B", &b}};
    SameCall named = {{are_different ? a.key.algorithm : "A", &a},
                      {are_different ? b.key.algorithm : "B", &b}};
    if (time_a > time_b) {
        std::swap(named[0], named[1]);
    }
    return text + table_of(letters).text() + interface_text(letters) + reasons_text(named[1], named[0]);
}

std::string name_of(const Kind& kind) {
    return kind.key.algorithm.empty() ? "unknown algorithm" : kind.key.algorithm;
}

void sort_by_time(SameCall& call) {
    std::stable_sort(call.begin(), call.end(), [](const Configuration& a, const Configuration& b) {
        return median_of(a.kind->seconds) < median_of(b.kind->seconds);
    });
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
                throw usage_error("the trace has no algorithm, and there is no other trace '" + name + "'; " +
                                  suggestion(name, names));
            }
        }
        throw usage_error(
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
        throw usage_error(
            fmt::format("{} and {} have no call of the same collective, size and ranks; record both on the "
                        "same layout",
                        a.trace.prefix, b.trace.prefix));
    }
    return comparison;
}

std::vector<SameCall> same_calls(const std::vector<const LoadedTrace*>& traces) {
    std::set<std::string> names;
    const auto file_name = [](const LoadedTrace* of) {
        return std::filesystem::path(of->trace.prefix).filename().string();
    };
    std::transform(traces.begin(), traces.end(), std::inserter(names, names.end()), file_name);
    std::map<KindKey, SameCall> by_key;  // without the algorithm
    for (const LoadedTrace* of : traces) {
        const std::string prefix = traces.size() == 1              ? ""
                                   : names.size() == traces.size() ? file_name(of) + " "
                                                                   : of->trace.prefix + " ";
        for (const Kind& kind : of->analysis.kinds) {
            KindKey key = kind.key;
            key.algorithm.clear();
            by_key[key].push_back({prefix + name_of(kind), &kind});
        }
    }
    std::vector<SameCall> calls;
    for (auto& [key, call] : by_key) {
        if (call.size() > 1) {
            sort_by_time(call);
            calls.push_back(std::move(call));
        }
    }
    const auto seconds = [](const SameCall& call) {
        return std::accumulate(call.begin(), call.end(), 0.0, [](double sum, const Configuration& way) {
            return sum + way.kind->total_seconds();
        });
    };
    std::stable_sort(calls.begin(), calls.end(),
                     [&](const SameCall& a, const SameCall& b) { return seconds(a) > seconds(b); });
    return calls;
}

std::vector<SameCall> same_calls(const TraceComparison& comparison) {
    std::vector<SameCall> calls;
    for (const auto& [a, b] : comparison.pairs) {
        const bool are_different = a->key.algorithm != b->key.algorithm;
        calls.push_back({{are_different ? name_of(*a) : comparison.a, a},
                         {are_different ? name_of(*b) : comparison.b, b}});
        sort_by_time(calls.back());
    }
    return calls;
}

std::string title_of(const SameCall& call) {
    const KindKey& key = call.front().kind->key;
    return fmt::format("{} {} {}{}", key.collective, bytes_text(key.bytes), to_string(key.shape),
                       key.is_nonblocking ? " (nonblocking)" : "");
}

TextTable table_of(const SameCall& call) {
    std::vector<std::string> heading = {""};
    for (const Configuration& of : call) {
        heading.push_back(of.name);
    }
    const bool is_pair = call.size() == 2;
    if (is_pair) {
        heading.push_back(call[1].name + " - " + call[0].name);
    }
    TextTable table(heading);
    const auto add = [&](const char* name, auto text_of) {
        std::vector<std::string> row = {name};
        for (const Configuration& of : call) {
            row.push_back(text_of(*of.kind));
        }
        row.resize(heading.size());
        table.add(row);
    };
    const auto add_times = [&](const char* name, auto seconds_of) {
        std::vector<std::string> row = {name};
        for (const Configuration& of : call) {
            row.push_back(time_text(seconds_of(*of.kind)));
        }
        if (is_pair) {
            row.push_back(signed_time(seconds_of(*call[1].kind) - seconds_of(*call[0].kind)));
        }
        table.add(row);
    };
    add_times("time of a call, from the last arrival",
              [](const Kind& kind) { return median_of(kind.seconds); });
    for (std::size_t cost = 0; cost < cost_names.size(); ++cost) {
        if (std::any_of(call.begin(), call.end(),
                        [&](const Configuration& of) { return mean_cost(*of.kind, cost) > 0; })) {
            add_times(cost_names[cost], [&](const Kind& kind) { return mean_cost(kind, cost); });
        }
    }
    add("stages", [](const Kind& kind) { return std::to_string(kind.stages.size()); });
    add("messages on the critical path",
        [](const Kind& kind) { return fmt::format("{:.3g}", moved_by(kind).path_messages); });
    add("through the busiest interface",
        [](const Kind& kind) { return rounded_bytes(moved_by(kind).interface_bytes); });
    add("of that exchanged", [](const Kind& kind) { return rounded_bytes(moved_by(kind).exchanged_bytes); });
    return table;
}

std::string explanation_of(const SameCall& call) {
    const std::string extremes = call.size() == 2 ? ""
                                                  : fmt::format("  the slowest is {}, the fastest is {}\n",
                                                                call.back().name, call.front().name);
    return interface_text(call) + extremes + reasons_text(call.back(), call.front());
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
