// SPDX-License-Identifier: MIT
// The truths that methods are played against.
#pragma once

#include "method.hpp"
#include "recorded_truth.hpp"

namespace evaluation {

struct Game {
    Setting setting;
    std::shared_ptr<const RecordedTruth> truth;
    calibration::Noise noise;
};
// lab: two recorded networks, four layouts; fat-tree, dragonfly: simulated
std::vector<std::string> names_of_games();
Game game_named(const std::string& name, const std::string& data);  // `data`: folder of the tables
// A table of the user: a file of columns as in tests/data/layouts
Game game_of_file(const std::string& file, const std::string& noise);

}  // namespace evaluation
