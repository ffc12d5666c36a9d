// SPDX-License-Identifier: MIT
// What the tests of the emitters have in common.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "example_config.hpp"
#include "planned_collective.hpp"
#include "thresholds.hpp"

inline testing::AssertionResult contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos ? testing::AssertionSuccess()
                                                : testing::AssertionFailure() << "no '" << part << "' in\n"
                                                                              << text;
}

inline tuner::Config config_with(const std::vector<tuner::Rule>& rules) {
    tuner::Config config = example_config();
    config.rules = rules;
    return config;
}

inline std::size_t lines_with(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

inline std::vector<std::string> collectives_with_thresholds() {
    std::vector<std::string> names = tuner::names_of_collectives();
    std::erase_if(names, [](const std::string& name) { return !tuner::ladder_of(name, {16, 1}, 0); });
    return names;
}
