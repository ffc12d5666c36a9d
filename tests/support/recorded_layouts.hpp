// SPDX-License-Identifier: MIT
// The labs of tests/data/layouts: all algorithms of four collectives on 14 layouts.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "prediction.hpp"

namespace recorded_layouts {

// Where the protocols of both links change, as messages of two ranks showed in these labs
inline models::Parameters shape(const std::string& network) {
    models::Parameters shape;
    shape.between.free_opposite_bytes = 14480;
    shape.contention.has_streams = true;
    shape.contention.has_one_machine = true;
    if (network == "eth") {
        shape.between.segments = {{4096}, {models::LinkCosts::no_end}};
        shape.within.segments = {{122880}, {models::LinkCosts::no_end}};
    }
    return shape;
}

inline tuner::Cells cells(const std::string& network, const std::string& folder = TESTS_DATA) {
    const std::string name = folder + "/layouts/" + network + ".csv";
    std::ifstream file(name);
    if (!file) {
        throw std::runtime_error(name + " cannot be read");
    }
    tuner::Cells result;
    std::string line;
    std::getline(file, line);  // names of the columns
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        std::vector<std::string> values;
        for (std::string value; std::getline(fields, value, ',');) {
            values.push_back(value);
        }
        const tuner::Layout layout = {std::stoi(values.at(0)), std::stoi(values.at(1))};
        const std::string& collective = values.at(2);
        const auto bytes = static_cast<std::size_t>(std::stoul(values.at(3)));
        const auto seconds = [&](std::size_t column) { return 1e-6 * std::stod(values.at(column)); };
        tuner::CellTime time;
        time.used = values.at(5);
        time.time = {bytes, seconds(6), {seconds(7), seconds(8)}};
        time.samples = std::stoul(values.at(9));
        time.groups = time.attempts = 1;
        const tuner::CellKey key = {network, layout, collective, collective == "allreduce" ? "sum" : ""};
        result[key].times[bytes].emplace(values.at(4), time);
    }
    return result;
}

}  // namespace recorded_layouts
