// SPDX-License-Identifier: MIT
// Results with known medians, for the tests of the output formats.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "output.hpp"

namespace made_up {

inline const bench::Elements bytes = {"byte", "sum", MPI_BYTE, MPI_OP_NULL, 1, nullptr, nullptr};

inline bench::GroupSpec group(const char* pattern, std::size_t size) {
    bench::GroupSpec group = {bench::find_pattern(pattern), size, {}, &bytes};
    group.ranks = 2;
    return group;
}

// Five repetitions around `median_us`, two ranks
inline bench::CaseResult measured(const std::string& algorithm, double median_us) {
    bench::CaseResult result;
    result.algorithm = result.used_algorithm = algorithm;
    result.ended = models::Ended::precise;
    for (const double factor : {1.0, 0.9, 1.1, 0.8, 1.2}) {
        const double seconds = 1e-6 * factor * median_us;
        result.repetitions.push_back({seconds, {0, 0}, {seconds / 2, seconds}, {}});
    }
    return result;
}

inline bench::CaseResult refused(const std::string& algorithm, const std::string& reason) {
    bench::CaseResult result;
    result.algorithm = algorithm;
    result.status = bench::Status::refused;
    result.reason = reason;
    return result;
}

// The lines that are written to standard output
inline std::vector<std::string> lines_of(const std::function<void()>& print) {
    testing::internal::CaptureStdout();
    print();
    std::istringstream text(testing::internal::GetCapturedStdout());
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) {
        lines.push_back(line);
    }
    return lines;
}

}  // namespace made_up
