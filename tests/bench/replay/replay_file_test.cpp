// SPDX-License-Identifier: MIT
#include "replay_file.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace {

using namespace bench;

constexpr const char* program_line =
    R"({"type":"program","version":1,"trace":"t","ranks":2,"node_of_rank":[0,0],"seconds":1,"communicators":[[0,1],[1,0]],)"
    R"("calls":[{"collective":"bcast","communicator":0,"bytes":8,"root":1,"number":1,"seconds":0.5},)"
    R"({"collective":"ibarrier","communicator":1,"bytes":0,"root":0,"number":1,"seconds":0.1}],)"
    R"("approximated":["a"],"omitted":[]})";
constexpr const char* line_of_rank_0 = R"({"type":"rank","rank":0,"steps":[[5000,0],[0,1],[7,"wait",0]]})";
constexpr const char* line_of_rank_1 = R"({"type":"rank","rank":1,"steps":[[0,1],[0,0],[7,"wait",0]]})";

std::string lines(std::string a, const std::string& b, const std::string& c) {
    return std::move(a) + "\n" + b + "\n" + c + "\n";
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
    EXPECT_NE(text.find(from), text.npos) << from;
    return text.replace(text.find(from), from.size(), to);
}

// What is said of a text; empty: nothing
std::string replay_error(const std::string& text) {
    try {
        const ReplayFile file(text, "app.jsonl");
        file.check(file.program());
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(ReplayFile, IsRead) {
    const ReplayFile file(lines(program_line, line_of_rank_0, line_of_rank_1), "app.jsonl");
    const ReplayProgram program = file.program();
    file.check(program);
    ASSERT_EQ(program.calls.size(), 2U);
    EXPECT_FALSE(program.calls[0].is_nonblocking);
    EXPECT_EQ(program.calls[0].root, 1);
    EXPECT_TRUE(program.calls[1].is_nonblocking);
    EXPECT_EQ(program.calls[1].blocking_name(), "barrier");
    EXPECT_EQ(program.communicators[1], (std::vector{1, 0}));
    const std::vector<ReplayStep> steps = file.steps(program, 0);
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_DOUBLE_EQ(steps[0].compute_seconds, 5e-6);
    EXPECT_FALSE(steps[1].is_wait);
    EXPECT_TRUE(steps[2].is_wait);
}

TEST(ReplayFile, ErrorsNameFileLineAndRemedy) {
    struct Row {
        std::string text;
        std::string said;
    };
    const auto with_head = [](const char* from, const char* to) {
        return lines(changed(program_line, from, to), line_of_rank_0, line_of_rank_1);
    };
    const auto with_first = [](const char* from, const char* to) {
        return lines(program_line, changed(line_of_rank_0, from, to), line_of_rank_1);
    };
    const Row rows[] = {
        {"", "line 1: it is missing"},
        {"[1]\n", "line 1: it does not begin with a program"},
        {with_head("\"version\":1", "\"version\":2"), "line 1: expected version 1, got 2"},
        {with_head("\"ranks\":2", "\"ranks\":-2"), "'ranks': expected an integer from 0"},
        {with_head("[0,0]", "[0]"), "'node_of_rank': expected one for each of 2 ranks"},
        {with_head("[1,0]", "[1,1]"), "'communicators': expected different ranks, got [1,1]"},
        {with_head("[1,0]", "[1,2]"), "'communicators': expected an integer from 0 to 1, got 2"},
        {with_head("ibarrier", "fence"), "there is no collective 'fence'"},
        {with_head("\"root\":1", "\"root\":2"), "'root': expected an integer from 0 to 1, got 2"},
        {with_head("\"bytes\":8", "\"bytes\":8000000000000"), "more elements than a count of MPI"},
        {with_head("\"bytes\":8,", ""), "line 1: key 'bytes' not found"},
        {lines(program_line, line_of_rank_0, "").substr(0, std::string(program_line).size() + 20),
         "line 2: it is cut or is not JSON"},
        {std::string(program_line) + "\n" + line_of_rank_0, "line 3: it is missing"},
        {lines(program_line, line_of_rank_1, line_of_rank_0), "line 2: expected the steps of rank 0"},
        {with_first("[5000,0]", "[5000,2]"), "line 2: 'steps': expected an integer from 0 to 1, got 2"},
        {with_first("[5000,0]", "[-1,0]"), "line 2: 'steps': expected an integer"},
        {with_first("[5000,0]", "[5000,\"wait\",0]"), "line 2: 'steps':"},
        {with_first(",[7,\"wait\",0]", ""), "line 2: 'steps': a nonblocking call has no wait"},
        {with_first("[5000,0],", ""),
         "line 3: the calls of rank 1 on communicator 0 are not those of rank 0"},
    };
    for (const Row& row : rows) {
        const std::string error = replay_error(row.text);
        EXPECT_EQ(error.find("app.jsonl: line "), 0U) << error;
        EXPECT_NE(error.find(row.said), error.npos) << error << "\nexpected: " << row.said;
        EXPECT_NE(error.find("; write it again: changeover trace"), error.npos) << error;
    }
    EXPECT_NE(replay_error("COLLEVTS...").find("it is a trace"), std::string::npos);
}

TEST(ReplayFile, ElementsAreAsLargeAsTheyCanBe) {
    EXPECT_EQ(replay_element_bytes(0), 8U);
    EXPECT_EQ(replay_element_bytes(24), 8U);
    EXPECT_EQ(replay_element_bytes(12), 4U);
    EXPECT_EQ(replay_element_bytes(7), 1U);
}

}  // namespace
