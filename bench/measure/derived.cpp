// SPDX-License-Identifier: MIT
#include "derived.hpp"

#include <algorithm>

#include "call_data.hpp"
#include "statistics.hpp"

namespace bench {

namespace {

template <class Value>
double median_over(const std::vector<Repetition>& repetitions, const Value& value_of) {
    std::vector<double> values;
    std::transform(repetitions.begin(), repetitions.end(), std::back_inserter(values), value_of);
    std::sort(values.begin(), values.end());
    return models::median(values);
}

double messages_of(const GroupSpec& group, const CaseResult& result) {
    const RankCall call = rank_call(group, result.algorithm, group.root, group.ranks, group.parameters);
    return group.pattern->messages(call) * static_cast<double>(std::max<std::size_t>(1, group.pairs.size()));
}

}  // namespace

std::vector<std::string> derived_names(const Pattern& pattern) {
    std::vector<std::string> names;
    if (pattern.is_round_trip) {
        names.push_back("half_us");
    }
    if (pattern.messages != nullptr) {
        names.insert(names.end(), {"megabytes_per_s", "messages_per_s"});
    }
    names.insert(names.end(), pattern.values.begin(), pattern.values.end());
    return names;
}

std::vector<Derived> derived(const GroupSpec& group, const CaseResult& result) {
    const Pattern& pattern = *group.pattern;
    const double seconds = median_seconds(result);
    std::vector<double> values;
    if (pattern.is_round_trip) {
        values.push_back(1e6 * seconds / 2);
    }
    if (pattern.messages != nullptr) {
        const double rate = messages_of(group, result) / seconds;
        values.insert(values.end(), {1e-6 * rate * static_cast<double>(group.bytes), rate});
    }
    for (std::size_t i = 0; i < pattern.values.size(); ++i) {
        values.push_back(median_over(result.repetitions, [&](const Repetition& r) { return r.values[i]; }));
    }
    std::vector<Derived> all;
    const std::vector<std::string> names = derived_names(pattern);
    for (std::size_t i = 0; i < names.size(); ++i) {
        all.push_back({names[i], values[i]});
    }
    return all;
}

void EagerLimits::add(const GroupSpec& group, const CaseResult& result) {
    if (result.repetitions.empty()) {
        return;
    }
    for (const auto& [name, value] : derived(group, result)) {
        if (name == "availability") {
            availability_[{group.pattern, result.algorithm}][group.bytes] = value;
        }
    }
}

std::vector<EagerLimits::Limit> EagerLimits::found() const {
    std::vector<Limit> limits;
    for (const auto& [key, by_size] : availability_) {
        std::vector<models::AvailabilityPoint> points;
        for (const auto& [bytes, availability] : by_size) {
            points.push_back({bytes, availability});
        }
        if (const auto fall = models::largest_fall(points)) {
            limits.push_back({key.first->name, key.second, *fall});
        }
    }
    return limits;
}

}  // namespace bench
