// SPDX-License-Identifier: MIT
#include "settings.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

namespace evaluation {

namespace {

// As the plan standard, with the collectives and sizes of the table
Setting setting_of(const std::string& name, const RecordedTruth& truth) {
    Setting setting = {name, truth.cells(), tuner::plan_named("standard")};
    setting.plan.race = false;      // a method that races says so
    setting.plan.arrivals.clear();  // the tables have ranks that start together
    setting.plan.collectives.clear();
    for (const tuner::CellKey& cell : setting.cells) {
        auto& planned = setting.plan.collectives;
        auto found = std::find_if(planned.begin(), planned.end(),
                                  [&](const auto& collective) { return collective.name == cell.collective; });
        if (found == planned.end()) {
            found = planned.insert(
                found, {cell.collective, "", cell.operation, truth.first_size(cell), truth.last_size(cell)});
        }
        found->max_bytes = std::min(found->max_bytes, truth.last_size(cell));
        found->min_bytes = std::max(found->min_bytes, truth.first_size(cell));
    }
    return setting;
}

struct NamedGame {
    std::string name;
    std::vector<std::pair<std::string, std::string>> tables;  // file, network
    std::vector<tuner::Layout> layouts;                       // empty: all
    std::string noise;
};
const std::vector<NamedGame> games = {
    {"lab",
     {{"layouts/eth.csv", "eth"}, {"layouts/fast.csv", "fast"}},
     {{4, 1}, {4, 3}, {8, 1}, {12, 2}},
     "calibrated"},
    {"fat-tree", {{"simulated/fat-tree.csv", "tree"}}, {}, "quiet"},
    {"dragonfly", {{"simulated/dragonfly.csv", "dragonfly"}}, {}, "calibrated"},
};

}  // namespace

std::vector<std::size_t> Setting::sizes(const tuner::CellKey& cell, double factor) const {
    const tuner::PlannedCollective& collective = planned_collective(plan, cell.collective, cell.operation);
    tuner::Plan grid = plan;
    grid.size_step = factor;
    grid.exhaustive = false;
    return grid_of(grid, collective);
}

std::vector<std::string> names_of_games() {
    std::vector<std::string> names;
    for (const NamedGame& game : games) {
        names.push_back(game.name);
    }
    return names;
}

Game game_named(const std::string& name, const std::string& data) {
    const auto found =
        std::find_if(games.begin(), games.end(), [&](const NamedGame& game) { return game.name == name; });
    if (found == games.end()) {
        return game_of_file(name, "calibrated");
    }
    auto truth = std::make_shared<RecordedTruth>();
    for (const auto& [file, network] : found->tables) {
        truth->add(data + "/" + file, network, found->layouts);
    }
    return {setting_of(name, *truth), truth, calibration::noise_named(found->noise)};
}

Game game_of_file(const std::string& file, const std::string& noise) {
    auto truth = std::make_shared<RecordedTruth>();
    const std::string name = std::filesystem::path(file).stem().string();
    truth->add(file, name, {});
    return {setting_of(name, *truth), truth, calibration::noise_named(noise)};
}

}  // namespace evaluation
