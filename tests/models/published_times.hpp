// SPDX-License-Identifier: MIT
// The published broadcast timings in tests/data/hamid2008.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

struct PublishedTime {
    std::string network;
    int nodes;
    int ppn;
    std::size_t bytes;
    std::string algorithm;
    double seconds;
};

inline std::vector<PublishedTime> published_times() {
    std::ifstream file(TESTS_DATA "/hamid2008/bcast.csv");
    std::string line;
    if (!std::getline(file, line) || line != "network,nodes,ppn,bytes,algorithm,microseconds") {
        throw std::runtime_error("tests/data/hamid2008/bcast.csv cannot be read");
    }
    std::vector<PublishedTime> times;
    while (std::getline(file, line)) {
        std::stringstream fields(line);
        std::vector<std::string> f;
        for (std::string field; std::getline(fields, field, ',');) {
            f.push_back(field);
        }
        times.push_back({f.at(0), std::stoi(f.at(1)), std::stoi(f.at(2)), std::stoul(f.at(3)), f.at(4),
                         1e-6 * std::stod(f.at(5))});
    }
    return times;
}
