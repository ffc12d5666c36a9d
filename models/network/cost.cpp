// SPDX-License-Identifier: MIT
#include "cost.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace models {

namespace {

// Calls `visit(name, segment, value)` for each parameter, in the order of the columns.
template <typename Visit>
void for_each_parameter(Parameters& parameters, Visit visit) {
    struct LinkNames {
        const char* latency;
        const char* byte;
        const char* gap;
        const char* opposite;
    };
    const auto visit_link = [&](const LinkNames& names, LinkCosts& link) {
        for (std::size_t i = 0; i < link.segments.size(); ++i) {
            visit(names.latency, i, link.segments[i].latency_seconds);
            visit(names.byte, i, link.segments[i].seconds_per_byte);
        }
        visit(names.gap, 0, link.gap_seconds);
        visit(names.opposite, 0, link.opposite_seconds_per_byte);
    };
    visit_link({"between.latency", "between.byte", "between.gap", "between.opposite"}, parameters.between);
    visit_link({"within.latency", "within.byte", "within.gap", "within.opposite"}, parameters.within);
    visit("combine", 0, parameters.combine_seconds_per_byte);
    visit("copy", 0, parameters.copy_seconds_per_byte);
    Contention& contention = parameters.contention;
    if (contention.has_streams) {
        visit("streams", 0, contention.stream_seconds_per_byte);
    }
    if (contention.has_one_machine) {
        visit("message.between", 0, contention.message_between_seconds);
        visit("message.within", 0, contention.message_within_seconds);
    }
}

std::string full_name(const char* name, std::size_t segment) {
    return segment == 0 ? name : name + ("." + std::to_string(segment + 1));
}

double share_beyond(double limit, double bytes) {
    return bytes > limit ? 1 - limit / bytes : 0;
}

// Calls `add(column, number)` for what the rounds of a profile contribute.
template <typename Add>
void add_features(const Profile& profile, double bytes, const Parameters& segments, Add add) {
    const double scale = bytes / profile.unit_bytes;
    const std::size_t within_column = 2 * segments.between.segments.size() + 2;
    const std::size_t combine_column = within_column + 2 * segments.within.segments.size() + 2;
    for (const auto& [load, times] : profile.rounds) {
        const auto n = static_cast<double>(times);
        const auto add_link = [&](const LinkCosts& link, const Load::OfLink& of, double latency_share,
                                  bool is_slowest, std::size_t column) {
            if (of.messages == 0) {
                return;
            }
            const double message = scale * of.largest_message;
            const std::size_t segment = link.segment_of(message);
            add(column + 2 * segment, n * latency_share);
            if (is_slowest) {
                add(column + 2 * segment + 1, n * scale * of.bytes);
                add(column + 2 * link.segments.size(), n * (of.messages - 1));
                add(column + 2 * link.segments.size() + 1,
                    n * scale * of.exchanged_bytes * share_beyond(link.free_opposite_bytes, message));
            }
        };
        // What happens within nodes while messages go between them takes no time of its own.
        add_link(segments.between, load.between, profile.latency_share_between, true, 0);
        add_link(segments.within, load.within, profile.latency_share_within, load.between.messages == 0,
                 within_column);
        add(combine_column, n * scale * load.combined_bytes);
        add(combine_column + 1, n * scale * load.copied_bytes);
    }
    std::size_t column = combine_column + 2;
    if (segments.contention.has_streams) {
        add(column++, scale * profile.waiting_bytes);
    }
    if (segments.contention.has_one_machine) {
        add(column++, profile.messages_between);
        add(column++, profile.messages_within);
    }
}

}  // namespace

std::size_t LinkCosts::segment_of(double message_bytes) const {
    std::size_t i = 0;
    while (i + 1 < segments.size() && message_bytes > static_cast<double>(segments[i].up_to_bytes)) {
        ++i;
    }
    return i;
}

std::vector<std::string> Parameters::names() const {
    std::vector<std::string> names;
    for_each_parameter(const_cast<Parameters&>(*this),
                       [&](const char* name, std::size_t segment, const double&) {
                           names.push_back(full_name(name, segment));
                       });
    return names;
}

std::vector<double> Parameters::values() const {
    std::vector<double> values;
    for_each_parameter(const_cast<Parameters&>(*this),
                       [&](const char*, std::size_t, const double& value) { values.push_back(value); });
    return values;
}

void Parameters::set_values(const std::vector<double>& values) {
    auto next = values.begin();
    for_each_parameter(*this, [&](const char*, std::size_t, double& value) { value = *next++; });
}

double& Parameters::at(std::string_view name) {
    double* found = nullptr;
    for_each_parameter(*this, [&](const char* other, std::size_t segment, double& value) {
        if (full_name(other, segment) == name) {
            found = &value;
        }
    });
    if (found == nullptr) {
        throw std::out_of_range("no parameter '" + std::string(name) + "'");
    }
    return *found;
}

std::vector<double> features(const Profile& profile, double bytes, const Parameters& segments) {
    std::vector<double> row(segments.values().size());
    add_features(profile, bytes, segments, [&](std::size_t column, double number) { row[column] += number; });
    return row;
}

double cost(const Profile& profile, double bytes, const Parameters& parameters) {
    const std::vector<double> values = parameters.values();
    double seconds = 0;
    add_features(profile, bytes, parameters,
                 [&](std::size_t column, double number) { seconds += number * values[column]; });
    return seconds;
}

const Profile& CostTable::profile_of(const Algorithm& algorithm, Call call) {
    call.layout = &layout_;
    Key key{algorithm.schedule,
            call.root,
            call.commutative,
            call.in_place,
            algorithm.parts == nullptr ? "" : algorithm.parts(call),
            algorithm.segment_bytes > 0 ? call.bytes : 0};
    const auto known = profiles_.find(key);
    return known != profiles_.end()
               ? known->second
               : profiles_.emplace(std::move(key), profile(algorithm, call)).first->second;
}

double CostTable::seconds(const Algorithm& algorithm, Call call, const Parameters& parameters) {
    return cost(profile_of(algorithm, call), static_cast<double>(call.bytes), parameters);
}

}  // namespace models
