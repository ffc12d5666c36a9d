// SPDX-License-Identifier: MIT
// A reader of what is written: it plays each rank's operations in the order of their dependencies, matches
// messages by rank and tag, and ends only if nothing is left over.
#include "goal.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

namespace {

using namespace tuner;

struct Operation {
    char kind = ' ';  // s, r, c
    long amount = 0;  // bytes or nanoseconds
    int peer = 0;
    int tag = 0;
    std::set<std::string> requires_labels;
};
using GoalProgram = std::vector<std::map<std::string, Operation>>;  // by rank and label

GoalProgram read_goal(const std::string& text) {
    GoalProgram program;
    std::istringstream lines(text);
    int rank = -1;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string first, second;
        words >> first >> second;
        if (first == "num_ranks") {
            program.resize(std::stoul(second));
        } else if (first == "rank") {
            rank = std::stoi(second);
        } else if (second == "requires") {
            std::string label;
            words >> label;
            EXPECT_TRUE(program.at(static_cast<std::size_t>(rank)).contains(label)) << line;
            program[static_cast<std::size_t>(rank)].at(first).requires_labels.insert(label);
        } else if (first.ends_with(":")) {
            Operation operation;
            std::string amount, word;
            operation.kind = second[0];
            words >> amount >> word >> operation.peer >> word >> operation.tag;
            operation.amount = std::stol(amount);
            EXPECT_EQ(amount.ends_with("b"), second != "calc") << line;
            program.at(static_cast<std::size_t>(rank)).emplace(first.substr(0, first.size() - 1), operation);
        } else {
            EXPECT_TRUE(first.empty() || first == "}") << line;
        }
    }
    return program;
}

// Messages that moved, and their bytes; everything must be done in the end
std::pair<std::size_t, long> played(const GoalProgram& program) {
    using Wire = std::tuple<int, int, int>;  // from, to, tag
    std::map<Wire, std::multiset<long>> wires;
    std::vector<std::set<std::string>> done(program.size());
    std::size_t messages = 0;
    long bytes = 0;
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (std::size_t rank = 0; rank < program.size(); ++rank) {
            for (const auto& [label, of] : program[rank]) {
                const int self = static_cast<int>(rank);
                const bool is_ready =
                    !done[rank].contains(label) &&
                    std::all_of(of.requires_labels.begin(), of.requires_labels.end(),
                                [&](const std::string& before) { return done[rank].contains(before); });
                auto& wire =
                    wires[of.kind == 's' ? Wire{self, of.peer, of.tag} : Wire{of.peer, self, of.tag}];
                if (!is_ready || (of.kind == 'r' && !wire.contains(of.amount))) {
                    continue;
                }
                if (of.kind == 's') {
                    wire.insert(of.amount);
                } else if (of.kind == 'r') {
                    wire.erase(wire.find(of.amount));
                    ++messages;
                    bytes += of.amount;
                }
                done[rank].insert(label);
                goes_on = true;
            }
        }
    }
    for (std::size_t rank = 0; rank < program.size(); ++rank) {
        EXPECT_EQ(done[rank].size(), program[rank].size()) << "rank " << rank << " waits for ever";
    }
    for (const auto& [wire, left] : wires) {
        EXPECT_TRUE(left.empty()) << "a message that nobody receives";
    }
    return {messages, bytes};
}

TEST(Goal, AllAlgorithmsCanBePlayedByAReader) {
    for (const auto implementation : {models::Implementation::mpich, models::Implementation::openmpi}) {
        for (const models::Algorithm& algorithm : models::algorithms(implementation)) {
            for (const models::RankPlacement& layout :
                 {models::RankPlacement(4, 2), models::RankPlacement(3, 2)}) {
                const models::Call call{&layout, 6000};
                if (!models::is_allowed(algorithm, call)) {
                    continue;
                }
                const models::Schedule schedule = algorithm.schedule(call);
                std::size_t messages = 0;
                long bytes = 0;
                models::for_each_round(schedule, [&](const models::Round& round) {
                    for (const models::Message& message : round.messages()) {
                        const bool moves = message.source != message.destination;
                        messages += moves;
                        bytes += moves ? static_cast<long>(message.bytes) : 0;
                    }
                });
                EXPECT_EQ(played(read_goal(to_goal(schedule, layout.ranks(), {1e-9, 2e-9}))),
                          std::pair(messages, bytes))
                    << algorithm.collective << " " << algorithm.name << " on " << layout.ranks();
            }
        }
    }
}

TEST(Goal, CombinationsComeBehindWhatIsReceived) {
    const models::Schedule schedule = {
        {1, [](int, models::Round& round) {
             round.copy(1, models::Piece{0, 100}, 0);
             round.send(0, 1, models::Piece{0, 100}, 0, models::Effect::combine_after);
         }}};
    EXPECT_EQ(to_goal(schedule, 2, {1e-8, 2e-8}),
              "num_ranks 2\n"
              "\nrank 0 {\nl1: send 100b to 1 tag 0\nl2: calc 0\nl2 requires l1\n}\n"
              "\nrank 1 {\nl1: calc 1000\nl2: recv 100b from 0 tag 0\nl2 requires l1\nl3: calc 2000\nl3 "
              "requires l2\n"
              "l4: calc 0\nl4 requires l1\nl4 requires l2\nl4 requires l3\n}\n");
}

}  // namespace
