// SPDX-License-Identifier: MIT
#include "node_differences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace tuner {

namespace {

std::string gigabytes(const NodeFacts& facts) {
    return std::to_string((facts.memory_megabytes + 512) / 1024);
}

std::string usual_value(const AskedNodes& asked, const NodeProperty& property) {
    std::map<std::string, int> counts;
    for (const auto& [host, facts] : asked.facts) {
        ++counts[property.value(facts)];
    }
    std::string usual;
    int most = 0;
    for (const auto& [host, facts] : asked.facts) {
        const std::string value = property.value(facts);
        if (!value.empty() && counts[value] > most) {
            usual = value;
            most = counts[value];
        }
    }
    return usual;
}

}  // namespace

const std::vector<NodeProperty> node_properties = {
    {"cores", [](const NodeFacts& facts) { return std::to_string(facts.cores); }},
    {"processor", [](const NodeFacts& facts) { return facts.processor; }},
    {"GiB of memory", gigabytes},
    {"kernel", [](const NodeFacts& facts) { return facts.kernel; }},
    {"MPI libraries",
     [](const NodeFacts& facts) { return fmt::format("{}", fmt::join(facts.libraries, " and ")); }},
    {"version of changeover", [](const NodeFacts& facts) { return facts.changeover; }},
};

std::vector<NodeDifference> differences_in(const AskedNodes& asked, const NodeProperty& property) {
    const std::string usual = usual_value(asked, property);
    std::vector<NodeDifference> found;
    for (const auto& [host, facts] : asked.facts) {
        const std::string value = property.value(facts);
        if (!value.empty() && value != usual) {
            found.push_back({host, fmt::format("{} {}, others {}", property.name, value, usual)});
        }
    }
    return found;
}

}  // namespace tuner
