// SPDX-License-Identifier: MIT
#include "link_questions.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "statistics.hpp"

namespace tuner {

namespace {

constexpr std::size_t Ki = 1024;

// Enough sizes for a line on either side of the usual limits of eager messages: 8 to 16 KiB (UCX, libfabric),
// 64 KiB (shared memory of MPICH) and 128 KiB (TCP of MPICH)
constexpr std::size_t single_sizes[] = {1,        64,       256,      Ki,       2 * Ki,   4 * Ki,   8 * Ki,
                                        16 * Ki,  24 * Ki,  32 * Ki,  48 * Ki,  64 * Ki,  96 * Ki,  120 * Ki,
                                        160 * Ki, 192 * Ki, 256 * Ki, 384 * Ki, 512 * Ki, 1024 * Ki};
// Several messages in a row, for gap and overhead, which depend less on the size
constexpr std::size_t stream_sizes[] = {1, Ki, 8 * Ki, 32 * Ki, 96 * Ki, 160 * Ki, 256 * Ki};
// Only sizes that every device sends without being asked
constexpr std::size_t receive_sizes[] = {1, Ki, 4 * Ki};

constexpr double longest_single_seconds =
    0.03;  // a round trip; larger ones tell nothing new of a slow network
constexpr double longest_stream_seconds = 0.06;
constexpr double most_messages = 16;
constexpr double fewest_messages = 3;
constexpr double least_delay_seconds = 100e-6;  // for a message to come on a machine with other things to do

constexpr double case_seconds = 0.06;
constexpr double case_precision = 0.02;
constexpr int min_repetitions = 8;
constexpr int max_repetitions = 500;
constexpr int warm_up = 2;
constexpr std::size_t fewest_sizes = 4;  // of single messages, for a fit

constexpr const char* exchange = "ping_pong";
constexpr const char* receive_call = "receive_call";

double parameter(const CaseRecord& record, const char* name) {
    const auto found = record.parameters.find(name);
    return found == record.parameters.end() ? 0 : found->second;
}

std::vector<const CaseRecord*> records_of(const RunData& run, const std::string& network, Link link,
                                          const LinkCases& cases) {
    std::vector<const CaseRecord*> found;
    for (const CaseRecord& record : run.cases) {
        if (record.stage == cases.stage && record.network == network && record.link == to_string(link) &&
            (cases.after_group == 0 || record.group > cases.after_group)) {
            found.push_back(&record);
        }
    }
    return found;
}

bool is_single(const CaseRecord& record) {
    return record.collective == exchange && parameter(record, "messages") == 1;
}

bool was_measured(const CaseRecord& record) {
    return record.status == Status::measured && !record.samples_seconds.empty();
}

std::vector<double> sorted_samples(const CaseRecord& record) {
    std::vector<double> sorted = record.samples_seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

double median_of(const CaseRecord& record) {
    return models::median(sorted_samples(record));
}

// What is known so far of a link, and what is not
class Questions {
  public:
    explicit Questions(std::vector<const CaseRecord*> records) : records_(std::move(records)) {}

    std::optional<Group> next() const {
        for (const auto step : {&Questions::next_single, &Questions::next_stream, &Questions::next_spaced,
                                &Questions::next_receive}) {
            if (auto group = (this->*step)()) {
                return group;
            }
        }
        return std::nullopt;
    }

  private:
    bool was_asked(const char* pattern, std::size_t bytes, bool is_alone, bool has_delay) const {
        return std::any_of(records_.begin(), records_.end(), [&](const CaseRecord* record) {
            return record->collective == pattern && record->bytes == bytes &&
                   (parameter(*record, "messages") == 1) == is_alone &&
                   (parameter(*record, "delay_us") > 0) == has_delay;
        });
    }

    // Of one message; nothing if it could not be measured
    std::optional<double> round_trip(std::size_t bytes) const {
        for (const CaseRecord* record : records_) {
            if (is_single(*record) && record->bytes == bytes && was_measured(*record)) {
                return median_of(*record);
            }
        }
        return std::nullopt;
    }

    static Group group_of(const char* pattern, const char* variant, std::size_t bytes,
                          std::map<std::string, double> parameters, double seconds_of_call) {
        Group group;
        group.collective.name = pattern;
        group.bytes = bytes;
        group.algorithms = {variant};
        group.limits.precision = case_precision;
        group.limits.min_repetitions = min_repetitions;
        group.limits.max_repetitions = max_repetitions;
        group.limits.max_seconds = case_seconds;
        group.limits.expected_seconds = case_seconds + (min_repetitions + warm_up) * seconds_of_call;
        group.exchange.parameters = std::move(parameters);
        group.exchange.warm_up = warm_up;
        return group;
    }

    std::optional<Group> next_single() const {
        double last = 0;
        for (const std::size_t bytes : single_sizes) {
            if (last > longest_single_seconds) {
                return std::nullopt;
            }
            if (!was_asked(exchange, bytes, true, false)) {
                return group_of(exchange, "send", bytes, {{"messages", 1}, {"delay_us", 0}}, 2 * last);
            }
            last = round_trip(bytes).value_or(last);
        }
        return std::nullopt;
    }

    std::optional<Group> next_stream() const {
        return next_of_several([](double) { return 0.0; });
    }

    // The pause is longer than any gap: a whole round trip, as in the paper
    std::optional<Group> next_spaced() const {
        return next_of_several([](double round_trip_seconds) { return round_trip_seconds; });
    }

    template <class Delay>
    std::optional<Group> next_of_several(Delay delay_for) const {
        for (const std::size_t bytes : stream_sizes) {
            const std::optional<double> single = round_trip(bytes);
            const double delay = single ? delay_for(*single) : 0;
            if (!single || was_asked(exchange, bytes, false, delay > 0)) {
                continue;
            }
            const double each = *single / 2 + delay;
            const double messages =
                std::clamp(std::floor(longest_stream_seconds / each), fewest_messages, most_messages);
            return group_of(exchange, "send", bytes,
                            {{"messages", messages}, {"delay_us", std::ceil(1e6 * delay)}},
                            *single + messages * each);
        }
        return std::nullopt;
    }

    std::optional<Group> next_receive() const {
        for (const std::size_t bytes : receive_sizes) {
            const std::optional<double> single = round_trip(bytes);
            if (single && !was_asked(receive_call, bytes, false, true)) {
                const double delay = std::max(least_delay_seconds, 2 * *single);
                return group_of(receive_call, "recv", bytes, {{"delay_us", std::ceil(1e6 * delay)}},
                                delay + 2 * *single);
            }
        }
        return std::nullopt;
    }

    std::vector<const CaseRecord*> records_;
};

std::optional<LinkParameters> fit_link(const RunData& run, const std::string& network, Link link,
                                       const LinkCases& cases) {
    LinkParameters result;
    result.network = network;
    result.link = link;
    std::vector<models::RoundTrip> round_trips;
    std::vector<models::ReceiveCall> receive_calls;
    for (const CaseRecord* record : records_of(run, network, link, cases)) {
        if (!was_measured(*record)) {
            continue;
        }
        result.layout = record->layout;
        const std::vector<double> sorted = sorted_samples(*record);
        const auto bytes = static_cast<double>(record->bytes);
        const double seconds = models::median(sorted);
        if (record->collective == receive_call) {
            receive_calls.push_back({bytes, seconds});
            continue;
        }
        round_trips.push_back({static_cast<int>(parameter(*record, "messages")),
                               1e-6 * parameter(*record, "delay_us"), bytes, seconds});
        if (is_single(*record)) {
            const models::Interval interval = models::median_interval_in_order(
                record->samples_seconds, sorted, models::confidence_when_stopped);
            result.one_way.push_back({record->bytes, seconds / 2, {interval.low / 2, interval.high / 2}});
        }
    }
    if (result.one_way.size() < fewest_sizes) {
        return std::nullopt;
    }
    std::sort(result.one_way.begin(), result.one_way.end(),
              [](const OneWayTime& a, const OneWayTime& b) { return a.bytes < b.bytes; });
    result.log_gp = models::log_gp(round_trips, receive_calls);
    return result;
}

bool has_link(const Layout& layout, Link link) {
    return link == Link::within_node ? layout.ppn > 1 : layout.nodes > 1;
}

}  // namespace

std::optional<Layout> layout_for(const Cluster& cluster, Link link) {
    const auto is_better = [](const Layout& a, const Layout& b) {
        const auto rank = [](const Layout& layout) {
            const bool has_both = layout.nodes > 1 && layout.ppn > 1;
            return std::pair(!has_both, layout.ranks());
        };
        return rank(a) < rank(b);
    };
    std::optional<Layout> best;
    for (const Layout& layout : cluster.layouts) {
        if (has_link(layout, link) && (!best || is_better(layout, *best))) {
            best = layout;
        }
    }
    return best;
}

std::optional<Group> next_exchange(const RunData& run, const std::string& network, Link link,
                                   const LinkCases& cases) {
    std::optional<Group> group = Questions(records_of(run, network, link, cases)).next();
    if (group) {
        group->stage = cases.stage;
        group->exchange.link = to_string(link);
    }
    return group;
}

NetworkParameters fit_network_parameters(const RunData& run, const Cluster& cluster, const LinkCases& cases) {
    NetworkParameters parameters;
    for (const Network& network : cluster.networks) {
        for (const Link link : {Link::within_node, Link::between_nodes}) {
            if (auto fitted = fit_link(run, network.name, link, cases)) {
                parameters.push_back(std::move(*fitted));
            }
        }
    }
    return parameters;
}

}  // namespace tuner
