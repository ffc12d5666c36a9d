// SPDX-License-Identifier: MIT
// A made-up library for tests of verification.
#pragma once

#include <cmath>
#include <functional>
#include <random>
#include <set>
#include <vector>

#include "pair_questions.hpp"

// The default takes 1 s; what it is compared with takes a known time on each layout
struct LayoutLibrary {
    std::function<double(const tuner::Layout&, std::size_t)> seconds;
    double noise = 0.02;
    std::size_t requests_left = 100000;  // then the time is up
    std::mt19937_64 random{5};
    std::set<tuner::Layout> asked = {};
    std::vector<tuner::PairRequest> requests = {};
    std::size_t jobs = 0;

    std::vector<tuner::CaseRecord> operator()(const tuner::PairRequest& request) {
        if (requests_left == 0) {
            return {};
        }
        --requests_left;
        asked.insert(request.cell.layout);
        jobs += requests.empty() || !tuner::can_share_job(requests.back(), request);
        requests.push_back(request);
        std::normal_distribution<double> normal;
        std::vector<tuner::CaseRecord> records(2);
        for (std::size_t a = 0; a < 2; ++a) {
            records[a].algorithm = records[a].used = request.algorithms[a];
            for (int i = 0; i < 10; ++i) {
                records[a].samples_seconds.push_back(
                    (a == 0 ? 1 : seconds(request.cell.layout, request.bytes)) *
                    std::exp(noise * normal(random)));
            }
        }
        return records;
    }
};
