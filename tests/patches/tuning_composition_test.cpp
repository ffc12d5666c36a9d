// SPDX-License-Identifier: MIT
// The ch4 and posix sections of a tuning file (tuning_composition.json) on a ch4 device: which composition
// the device chooses, by the query, by the calls and by the counters of the rules.
#include <gtest/gtest.h>
#include <mpi.h>
#include <mpix_coll.h>

#include <string>
#include <vector>

#include "mpi_t.hpp"
#include "question.hpp"

namespace {

std::string text(const char* string) {
    return string ? string : "none";
}

TEST(TuningComposition, TheFileChangesTheComposition) {
    const Question question(MPI_COMM_WORLD);
    const ControlVariable enable("MPIR_CVAR_COLL_TUNING_ENABLE");
    MPIX_Coll_choice_t tuned = {};
    question.ask(Question::call_of("bcast", 1000), &tuned);
    EXPECT_EQ(text(tuned.algorithm), "MPIDI_Bcast_intra_composition_gamma");
    EXPECT_EQ(text(tuned.rule), "/ch4/0");
    EXPECT_EQ(tuned.source, MPIX_COLL_SOURCE_FILE);

    MPIX_Coll_choice_t longer = {};
    question.ask(Question::call_of("bcast", 1001), &longer);
    EXPECT_EQ(text(longer.rule), "none");

    ASSERT_EQ(enable.write(0), MPI_SUCCESS);
    MPIX_Coll_choice_t built_in = {};
    question.ask(Question::call_of("bcast", 1000), &built_in);
    EXPECT_EQ(text(built_in.algorithm), "MPIDI_Bcast_intra_composition_alpha");
    EXPECT_EQ(text(built_in.rule), "none");
}

TEST(TuningComposition, CallsUseAndCountTheRules) {
    std::vector<char> data(3000);
    std::vector<char> result(3000);
    const std::vector<unsigned long long> before = rule_calls();
    ASSERT_EQ(before.size(), 3U);
    const unsigned long long gamma = calls_of("MPIDI_Bcast_intra_composition_gamma");
    MPI_Bcast(data.data(), 500, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Allreduce(data.data(), result.data(), 500, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    MPI_Bcast(data.data(), 2500, MPI_BYTE, 0, MPI_COMM_WORLD);  // its part inside of the node
    const std::vector<unsigned long long> after = rule_calls();
    EXPECT_EQ(after[0], before[0] + 1);
    EXPECT_EQ(after[1], before[1] + 1);
    EXPECT_GT(after[2], before[2]);
    EXPECT_EQ(calls_of("MPIDI_Bcast_intra_composition_gamma"), gamma + 1);
}

}  // namespace
