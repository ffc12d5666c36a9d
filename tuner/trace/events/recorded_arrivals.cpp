// SPDX-License-Identifier: MIT
#include "recorded_arrivals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "checked_json.hpp"
#include "error.hpp"

namespace tuner::trace {

namespace {

constexpr std::size_t most_calls = 1000;  // of a class; of more, every second, third, ...
constexpr std::size_t most_delays = 200'000;

struct RecordedCall {
    std::vector<std::int64_t> arrivals_ns;  // by rank of the communicator
    std::int64_t last_ns;
    std::int64_t end_ns;
    std::uint64_t bytes;
};

struct CallClass {
    std::string collective;
    std::uint32_t ranks;
    int size_class;  // bits of the size
    auto operator<=>(const CallClass&) const = default;
};

RecordedCall recorded(const Matched& matched, std::uint32_t number) {
    RecordedCall call = {{}, std::numeric_limits<std::int64_t>::min(), 0, matched.calls[number].bytes};
    call.arrivals_ns.resize(matched.calls[number].participants);
    call.end_ns = call.last_ns;
    for (const Participant& p : matched.participants_of(number)) {
        call.arrivals_ns.at(static_cast<std::size_t>(p.place)) = p.enter_ns;
        call.last_ns = std::max(call.last_ns, p.enter_ns);
        call.end_ns = std::max(call.end_ns, p.exit_ns);
    }
    return call;
}

template <class Value>
Value middle_of(std::vector<Value> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Tenths of microseconds: clocks of nodes do not agree better
double rounded_us(std::int64_t ns) {
    return std::round(1e-2 * static_cast<double>(ns)) / 10;
}

Json delays_of(const RecordedCall& call, std::int64_t longest_ns) {
    std::int64_t first = call.last_ns;
    for (const std::int64_t arrival : call.arrivals_ns) {
        first = std::min(first, arrival);
    }
    first = std::max(first, call.last_ns - longest_ns);
    Json delays = Json::array();
    for (const std::int64_t arrival : call.arrivals_ns) {
        delays.push_back(rounded_us(std::max<std::int64_t>(arrival - first, 0)));
    }
    return delays;
}

std::string line_of(const CallClass& of, const std::vector<RecordedCall>& calls) {
    std::vector<std::int64_t> times;
    std::vector<std::uint64_t> sizes;
    double seconds = 0;
    for (const RecordedCall& call : calls) {
        times.push_back(call.end_ns - call.last_ns);
        sizes.push_back(call.bytes);
        seconds += 1e-9 * static_cast<double>(times.back());
    }
    const auto longest =
        static_cast<std::int64_t>(largest_recorded_width * static_cast<double>(middle_of(times)));
    const std::size_t kept = std::clamp<std::size_t>(most_delays / of.ranks, 1, most_calls);
    const std::size_t step = (calls.size() + kept - 1) / kept;
    Json delays = Json::array();
    for (std::size_t i = 0; i < calls.size(); i += step) {
        delays.push_back(delays_of(calls[i], longest));
    }
    const Json line = {{"type", "class"},    {"collective", of.collective}, {"bytes", middle_of(sizes)},
                       {"ranks", of.ranks},  {"calls", calls.size()},       {"seconds", seconds},
                       {"delays_us", delays}};
    return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string recorded_arrivals(const Matched& matched) {
    std::map<CallClass, std::vector<RecordedCall>> classes;
    for (std::uint32_t number = 0; number < matched.calls.size(); ++number) {
        const Call& call = matched.calls[number];
        if (matched.is_outermost(number) && call.is_complete && call.participants > 1 &&
            matched.communicators[call.communicator].kind == 0) {
            const std::string name = (call.is_nonblocking ? "i" : "") + std::string(call.collective);
            classes[{name, call.participants, static_cast<int>(std::bit_width(call.bytes))}].push_back(
                recorded(matched, number));
        }
    }
    const std::string& prefix = matched.trace->prefix;
    if (classes.empty()) {
        throw failure(fmt::format(
            "{0}: no collective is recorded on all of its ranks, so that it has no arrivals; look at "
            "`changeover trace {0}`, and record the program again",
            prefix));
    }
    const Json head = {{"type", "arrivals"}, {"version", 1}, {"trace", prefix}};
    std::string lines = head.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    for (const auto& [of, calls] : classes) {
        lines += line_of(of, calls);
    }
    return lines;
}

}  // namespace tuner::trace
