// SPDX-License-Identifier: MIT
#include "network_changes.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace tuner {

namespace {

using Segment = models::LogGpSegment;

// The overheads and the gap depend on the processor and its load more than on the network. The latency
// depends on where ranks run.
constexpr struct {
    const char* name;
    const char* symbol;
    models::FittedParameter Segment::*member;
    double least_change;  // a factor
    bool of_large_sizes;  // where it is seen
    double scale;
    const char* unit;
} compared[] = {
    {"latency", "L", &Segment::latency_seconds, 1.5, false, 1e6, "us"},
    {"byte", "G", &Segment::gap_seconds_per_byte, 1.2, true, 1e9, "ns/byte"},
};

bool has_moved(double before, double after, const models::Interval& then, const models::Interval& now,
               double least_change) {
    return (then.high < now.low || now.high < then.low) &&
           std::max(before, after) > least_change * std::min(before, after);
}

bool has_moved(const models::FittedParameter& before, const models::FittedParameter& after,
               double least_change) {
    return before.determined != models::Determined::unknown &&
           after.determined != models::Determined::unknown &&
           has_moved(before.value, after.value, before.interval, after.interval, least_change);
}

// Of a few repetitions there is no interval
bool is_known(const OneWayTime& time) {
    return std::isfinite(time.interval.low) && std::isfinite(time.interval.high);
}

// Of the smallest or the largest size that both know: a fit alone may differ by where its segments end
bool has_time_moved(const LinkParameters& before, const LinkParameters& after, bool of_large_sizes,
                    double least_change) {
    std::optional<bool> moved;
    for (const OneWayTime& then : before.one_way) {
        const auto now = std::find_if(after.one_way.begin(), after.one_way.end(),
                                      [&](const OneWayTime& time) { return time.bytes == then.bytes; });
        if (now != after.one_way.end() && is_known(then) && is_known(*now) && (of_large_sizes || !moved)) {
            moved = has_moved(then.seconds, now->seconds, then.interval, now->interval, least_change);
        }
    }
    return moved.value_or(false);
}

// Long messages say it by themselves where a disturbed run let no line be fitted well: the largest sizes that
// both know, all of them, by more than what a fit needs
constexpr std::size_t long_sizes = 3;
constexpr double clear_change = 1.4;

// Seconds for a byte of the largest one, then and now
std::optional<std::pair<double, double>> moved_long_messages(const LinkParameters& before,
                                                             const LinkParameters& after) {
    std::vector<std::pair<double, double>> moved;  // the largest size first
    for (auto then = before.one_way.rbegin(); then != before.one_way.rend() && moved.size() < long_sizes;
         ++then) {
        const auto now = std::find_if(after.one_way.begin(), after.one_way.end(),
                                      [&](const OneWayTime& time) { return time.bytes == then->bytes; });
        if (now == after.one_way.end() || !is_known(*then) || !is_known(*now)) {
            continue;
        }
        if (!has_moved(then->seconds, now->seconds, then->interval, now->interval, clear_change)) {
            return std::nullopt;
        }
        const auto bytes = static_cast<double>(then->bytes);
        moved.emplace_back(then->seconds / bytes, now->seconds / bytes);
    }
    const auto is_faster = [](const auto& times) { return times.second < times.first; };
    const auto faster = std::count_if(moved.begin(), moved.end(), is_faster);
    const bool agree = faster == 0 || static_cast<std::size_t>(faster) == moved.size();
    return moved.size() == long_sizes && agree ? std::optional(moved.front()) : std::nullopt;
}

// The segments of both with the smallest size, or with the most bytes, in common; nothing: none have any
std::optional<std::pair<const Segment*, const Segment*>> common_segments(const LinkParameters& before,
                                                                         const LinkParameters& after,
                                                                         bool of_large_sizes) {
    std::optional<std::pair<const Segment*, const Segment*>> best;
    double most = 0;
    for (const Segment& then : before.log_gp) {
        for (const Segment& now : after.log_gp) {
            const double bytes =
                std::min(then.to_bytes, now.to_bytes) - std::max(then.from_bytes, now.from_bytes);
            if (bytes > 0 && (!best || (of_large_sizes && bytes > most))) {
                best = std::pair(&then, &now);
                most = bytes;
            }
        }
    }
    return best;
}

// Files may say anything
std::string date_of(const Json& time) {
    constexpr double end_of_9999 = 253402300799;
    const double seconds = time.is_number() ? time.get<double>() : 0;
    return fmt::format(
        "{:%Y-%m-%d %H:%M}",
        fmt::gmtime(static_cast<std::time_t>(seconds > 0 ? std::min(seconds, end_of_9999) : 0)));
}

void compare_links(const LinkParameters& before, const LinkParameters& after,
                   std::vector<MovedParameter>& found) {
    for (const auto& row : compared) {
        const auto segments = common_segments(before, after, row.of_large_sizes);
        if (!segments) {
            continue;
        }
        const models::FittedParameter& then = segments->first->*row.member;
        const models::FittedParameter& now = segments->second->*row.member;
        if (has_moved(then, now, row.least_change) &&
            has_time_moved(before, after, row.of_large_sizes, row.least_change)) {
            found.push_back({before.network, before.link, row.name, then.value, now.value});
        } else if (const auto times =
                       row.of_large_sizes ? moved_long_messages(before, after) : std::nullopt) {
            found.push_back({before.network, before.link, row.name, times->first, times->second});
        }
    }
}

}  // namespace

std::string to_string(const MovedParameter& moved) {
    const auto* row = std::find_if(std::begin(compared), std::end(compared),
                                   [&](const auto& known) { return moved.name == known.name; });
    return fmt::format("{}.{} ({}): {:.3g} -> {:.3g} {}", to_string(moved.link), row->name, row->symbol,
                       row->scale * moved.before, row->scale * moved.after, row->unit);
}

std::vector<MovedParameter> moved_parameters(const NetworkParameters& before,
                                             const NetworkParameters& after) {
    std::vector<MovedParameter> found;
    for (const LinkParameters& link : before) {
        if (const LinkParameters* now = find_link(after, link.network, link.link)) {
            compare_links(link, *now, found);
        }
    }
    return found;
}

std::vector<NetworkChange> network_changes(const RunData& run) {
    std::vector<NetworkChange> changes;
    for (const Json& event : run.events) {
        if (event.at("event") == network_changed_event) {
            changes.push_back({event.at("network"), date_of(event.value("time", Json())),
                               event.at("moved").get<std::vector<std::string>>()});
        }
    }
    return changes;
}

std::string to_string(const NetworkChange& change) {
    return fmt::format("network {} changed, found {} UTC: {}; what was measured before does not count",
                       change.network, change.date, fmt::join(change.moved, ", "));
}

}  // namespace tuner
