// SPDX-License-Identifier: MIT
#include "selection_question.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

std::string read_as(const std::string& word, const char* release) {
    BadQuestion bad;
    const auto question = parse_question(word, find_stock_target(release), bad);
    return question ? question->name + " " + question->relation + " " + question->answer : bad.problem;
}

TEST(SelectionQuestion, ReadsWhatMpichReads) {
    EXPECT_EQ(read_as("comm_size<=8", "4.0"), "comm_size <= 8");
    EXPECT_EQ(read_as("comm_size=node_comm_size", "4.0"), "comm_size = node_comm_size");
    EXPECT_EQ(read_as("count<pow2", "4.0"), "count < pow2");
    EXPECT_EQ(read_as("any", "4.2"), "any = any");
    EXPECT_EQ(read_as("any", "4.0"), "MPICH 4.0 has no such question: MPI_Init ends the job");
    EXPECT_EQ(read_as("comm_avg_ppn<4", "4.2"), "comm_avg_ppn < 4");
    for (const char* bad :
         {"comm_avg_ppn<4", "comm_size<=2147483648", "count<7", "comm_type=any", "avg_msg_size<=-1"}) {
        EXPECT_NE(read_as(bad, "4.0").find("is not known to MPICH 4.0"), std::string::npos) << bad;
    }
}

TEST(SelectionQuestion, NumbersAndKindsOfRanksNeedAnother) {
    const StockTarget& target = find_stock_target("4.0");
    BadQuestion bad;
    for (const char* word :
         {"comm_size<8", "comm_size=pow2", "avg_msg_size<=1", "count<pow2", "comm_avg_ppn<=2"}) {
        EXPECT_TRUE(parse_question(word, target, bad)->must_not_be_last()) << word;
    }
    for (const char* word :
         {"comm_size=any", "is_commutative=yes", "comm_hierarchy=parent", "comm_type=intra"}) {
        EXPECT_FALSE(parse_question(word, target, bad)->must_not_be_last()) << word;
    }
}

TEST(SelectionQuestion, CollectivesHaveAnswersToSomeOnly) {
    BadQuestion bad;
    const auto average = parse_question("avg_msg_size=any", find_stock_target("4.0"), bad);
    EXPECT_TRUE(can_answer(*average, "ibcast"));
    EXPECT_FALSE(can_answer(*average, "allgather"));
}

}  // namespace
