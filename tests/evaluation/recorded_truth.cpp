// SPDX-License-Identifier: MIT
#include "recorded_truth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace evaluation {

using tuner::CellKey;

void RecordedTruth::add(const std::string& file, const std::string& network,
                        const std::vector<tuner::Layout>& layouts) {
    std::ifstream stream(file);
    std::string line;
    if (!std::getline(stream, line)) {
        throw std::runtime_error(file + " cannot be read, or is empty");
    }
    for (int number = 2; std::getline(stream, line); ++number) {
        std::istringstream fields(line);
        std::vector<std::string> values;
        for (std::string value; std::getline(fields, value, ',');) {
            values.push_back(value);
        }
        try {
            const tuner::Layout layout = {std::stoi(values.at(0)), std::stoi(values.at(1))};
            const std::string& collective = values.at(2);
            if (!layouts.empty() && std::find(layouts.begin(), layouts.end(), layout) == layouts.end()) {
                continue;
            }
            Curves& curves =
                curves_[CellKey{network, layout, collective, collective == "allreduce" ? "sum" : ""}];
            const std::size_t bytes = std::stoul(values.at(3));
            if (values.at(4) == tuner::default_algorithm) {
                curves.used[bytes] = values.at(5);
            } else {
                curves.seconds[values.at(4)][bytes] = 1e-6 * std::stod(values.at(6));
            }
        } catch (const std::logic_error&) {
            throw std::runtime_error(fmt::format("{}:{}: not a line of times: {}", file, number, line));
        }
    }
}

std::vector<CellKey> RecordedTruth::cells() const {
    std::vector<CellKey> keys;
    for (const auto& [key, curves] : curves_) {
        keys.push_back(key);
    }
    return keys;
}

std::size_t RecordedTruth::first_size(const CellKey& cell) const {
    return curves_.at(cell).used.begin()->first;
}

std::size_t RecordedTruth::last_size(const CellKey& cell) const {
    return curves_.at(cell).used.rbegin()->first;
}

std::vector<std::string> RecordedTruth::algorithms(const CellKey& cell) const {
    std::vector<std::string> names;
    for (const auto& [name, seconds] : curves_.at(cell).seconds) {
        names.push_back(name);
    }
    return names;
}

std::optional<double> RecordedTruth::seconds(const CellKey& cell, const std::string& algorithm,
                                             std::size_t bytes) const {
    const auto curve = curves_.at(cell).seconds.find(algorithm);
    if (curve == curves_.at(cell).seconds.end() || curve->second.begin()->first > bytes) {
        return std::nullopt;
    }
    const auto above = curve->second.lower_bound(bytes);
    if (above == curve->second.end()) {
        return std::nullopt;
    }
    if (above->first == bytes) {
        return above->second;
    }
    const auto below = std::prev(above);
    const auto log = [](auto value) { return std::log(static_cast<double>(value)); };
    const double share = (log(bytes) - log(below->first)) / (log(above->first) - log(below->first));
    return std::exp((1 - share) * std::log(below->second) + share * std::log(above->second));
}

std::string RecordedTruth::used_by_default(const CellKey& cell, std::size_t bytes) const {
    const std::map<std::size_t, std::string>& used = curves_.at(cell).used;
    const auto above = used.lower_bound(bytes);
    if (above == used.end()) {
        return used.rbegin()->second;
    }
    if (above == used.begin() || above->first == bytes) {
        return above->second;
    }
    // where it changes is not known: in the middle, unless only one of them can run
    const auto below = std::prev(above);
    const bool is_near_below = static_cast<double>(bytes) * static_cast<double>(bytes) <
                               static_cast<double>(below->first) * static_cast<double>(above->first);
    const std::string& nearer = (is_near_below ? below : above)->second;
    return seconds(cell, nearer, bytes) ? nearer : (is_near_below ? above : below)->second;
}

}  // namespace evaluation
