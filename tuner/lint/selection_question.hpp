// SPDX-License-Identifier: MIT
// The questions of MPICH's selection files, and what their answers are: comm_size<=8, is_commutative=yes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stock_target.hpp"

namespace tuner {

constexpr int most_levels = 100;  // of questions below each other

struct SelectionQuestion {
    std::string name;      // comm_size; "any" of 4.2 and later has no more
    std::string relation;  // "=", or before a number "<" or "<="
    std::string answer;
    bool holds_for_all() const { return answer == "any"; }
    // MPI_Init ends the job where the last question of a node is of this kind, and none for all calls follows
    bool must_not_be_last() const;
};

// What is wrong with a key, if it is no question
struct BadQuestion {
    std::string problem;
    std::string remedy;
};

std::string without_spaces(std::string key);  // as MPICH reads it
bool is_number(const std::string& text);      // that MPICH reads as it is written
std::optional<SelectionQuestion> parse_question(const std::string& word, const StockTarget& target,
                                                BadQuestion& bad);
// Blocking or not: whether MPICH can answer it for a call of that collective
bool can_answer(const SelectionQuestion& question, const std::string& collective);

}  // namespace tuner
