// SPDX-License-Identifier: MIT
// The project's table of MPICH's thresholds is the one that users read in mpich-patches/README.md: neither
// can be edited alone.
#include "mpich_thresholds.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "collectives.hpp"

namespace {

using models::ComparedWith;
using models::MpichThreshold;

// A row as text: default | compared with | collectives
using Row = std::vector<std::string>;

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) {
        const auto first = part.find_first_not_of(" `");
        const auto last = part.find_last_not_of(" `");
        parts.push_back(first == std::string::npos ? "" : part.substr(first, last - first + 1));
    }
    return parts;
}

bool is_collective(const std::string& name) {
    return models::find_collective(name) != nullptr ||
           (name.starts_with('i') && models::find_collective(name.substr(1)) != nullptr);
}

// "bcast, ibcast (a); ch4 bcast": before the semicolon, without remarks
std::string collectives_in(const std::string& cell) {
    std::string names;
    for (const std::string& part : split(cell.substr(0, cell.find(';')), ',')) {
        const std::string name = part.substr(0, part.find(' '));
        if (is_collective(name)) {
            names += (names.empty() ? "" : ", ") + name;
        }
    }
    return names;
}

std::map<std::string, Row> rows_of_readme() {
    std::ifstream file(std::string(TESTS_DATA) + "/../../mpich-patches/README.md");
    std::map<std::string, Row> rows;
    for (std::string line; std::getline(file, line);) {
        const std::vector<std::string> cells = split(line, '|');
        if (cells.size() >= 5 && cells[1].starts_with("MPIR_CVAR_") &&
            !cells[1].starts_with("MPIR_CVAR_COLL_")) {  // of tuning files and events: no thresholds
            rows[cells[1]] = {cells[2], cells[3].substr(0, cells[3].find(" (")), collectives_in(cells[4])};
        }
    }
    return rows;
}

TEST(MpichThresholds, AreThoseOfTheReadme) {
    const std::map<ComparedWith, std::string> words = {
        {ComparedWith::message, "message"}, {ComparedWith::total, "total"}, {ComparedWith::ranks, "ranks"}};
    std::map<std::string, Row> rows;
    for (const MpichThreshold& threshold : models::mpich_thresholds()) {
        rows[threshold.variable()] = {
            std::to_string(threshold.default_value),
            words.at(threshold.compared_with) + (threshold.is_inclusive ? " <=" : " <"),
            std::string(threshold.collectives)};
    }
    EXPECT_EQ(rows.size(), models::mpich_thresholds().size()) << "a variable is listed twice";
    EXPECT_EQ(rows, rows_of_readme());
}

TEST(MpichThresholds, NameTheOtherCollectivesThatMove) {
    EXPECT_EQ(models::mpich::allgather_long.others_than("allgatherv"), "allgather, iallgather, iallgatherv");
    EXPECT_EQ(models::mpich::allgather_long.others_than("iallgatherv"), "allgather, allgatherv, iallgather");
    EXPECT_EQ(models::mpich::bcast_smp.others_than("bcast"), "");
}

}  // namespace
