// SPDX-License-Identifier: MIT
// A tuning file at work: which rule each call gets, by the query, by the call itself and by MPI_T. Started
// once for each network of the file.
#include <gtest/gtest.h>
#include <mpi.h>
#include <mpix_coll.h>

#include <string>
#include <vector>

#include "mpi_t.hpp"
#include "question.hpp"
#include "rule_expectations.hpp"

namespace {

std::string rule_of(const MPIX_Coll_choice_t& choice) {
    return choice.rule ? choice.rule : "none";
}

TEST(TuningRules, TheQueryNamesTheRule) {
    for_each_expectation([](const Expectation& e, MPI_Comm comm) {
        MPIX_Coll_call_t question = Question::call_of(e.collective, e.bytes);
        question.op = operation(e.operation);
        const MPIX_Coll_choice_t choice = Question(comm).ask(question);
        EXPECT_EQ(rule_of(choice), e.rule < 0 ? "none" : "/mpir/" + std::to_string(e.rule));
        EXPECT_EQ(choice.source, e.rule < 0 ? MPIX_COLL_SOURCE_BUILTIN : MPIX_COLL_SOURCE_FILE);
    });
}

TEST(TuningRules, TheCallUsesAndCountsTheRule) {
    for_each_expectation([](const Expectation& e, MPI_Comm comm) {
        const std::vector<unsigned long long> before = rule_calls();
        call(e, comm);
        MPIX_Coll_choice_t last = {};
        MPIX_Coll_query_last(comm, MPIX_Coll_query_collective(e.collective), &last);
        EXPECT_EQ(rule_of(last), e.rule < 0 ? "none" : "/mpir/" + std::to_string(e.rule));
        EXPECT_EQ(last_rule(comm, e.collective), e.rule);
        EXPECT_EQ(last_source(comm, e.collective), e.rule < 0 ? "built-in" : "file");
        if (e.rule >= 0) {
            const auto rule = static_cast<std::size_t>(e.rule);
            EXPECT_GT(rule_calls().at(rule), before.at(rule));
        }
    });
}

TEST(TuningRules, EveryRuleOfTheNetworkIsHit) {
    const std::vector<unsigned long long> calls = rule_calls();
    ASSERT_EQ(calls.size(), 21U);  // of all sections
    for (const Expectation& e : expectations) {
        if (e.rule >= 0 && std::string(e.place) == "world" &&
            (e.network[0] == '\0' || network() == e.network)) {
            EXPECT_GT(calls.at(static_cast<std::size_t>(e.rule)), 0U) << text_of(e);
        }
    }
}

TEST(TuningRules, OffAndOnInARunningJob) {
    const ControlVariable enable("MPIR_CVAR_COLL_TUNING_ENABLE");
    const Expectation barrier = {"", "world", "barrier", 0, 13};
    for (const int on : {0, 1, 0, 1}) {
        ASSERT_EQ(enable.write(on), MPI_SUCCESS);
        call(barrier, MPI_COMM_WORLD);
        EXPECT_EQ(last_rule(MPI_COMM_WORLD, "barrier"), on ? 13 : -1);
        EXPECT_EQ(last_algorithm(MPI_COMM_WORLD, "barrier"),
                  on ? "MPIR_Barrier_intra_dissemination" : "MPIR_Barrier_intra_smp");
    }
}

TEST(TuningRules, AForcedAlgorithmWins) {
    const ControlVariable forced("MPIR_CVAR_BARRIER_INTRA_ALGORITHM");
    ASSERT_EQ(forced.write(2), MPI_SUCCESS);  // smp
    call({"", "world", "barrier", 0, 13}, MPI_COMM_WORLD);
    EXPECT_EQ(last_algorithm(MPI_COMM_WORLD, "barrier"), "MPIR_Barrier_intra_smp");
    EXPECT_EQ(last_source(MPI_COMM_WORLD, "barrier"), "forced");
    EXPECT_EQ(last_rule(MPI_COMM_WORLD, "barrier"), -1);
}

TEST(TuningRules, TheBuiltInSelectionStillObeysThresholds) {
    const Part half("half");
    const ControlVariable threshold("MPIR_CVAR_ALLTOALL_MEDIUM_MSG_SIZE");
    for (const int limit : {32768, 200}) {  // 101 to 300 bytes have no rule
        ASSERT_EQ(threshold.write(limit), MPI_SUCCESS);
        const std::string expected = limit < 300 ? "Alltoall_intra_pairwise" : "Alltoall_intra_scattered";
        EXPECT_EQ(Question(half.comm()).algorithm("alltoall", 300), expected);
        EXPECT_EQ(rule_of(Question(half.comm()).ask(Question::call_of("alltoall", 100))), "/mpir/12");
    }
}

TEST(TuningRules, InPlaceIsNotLegalForPairwise) {
    const Part half("half");
    const Question question(half.comm());
    EXPECT_EQ(question.algorithm("alltoall", 50, MPIX_COLL_CALL_IN_PLACE),
              "Alltoall_intra_pairwise_sendrecv_replace");
}

TEST(TuningRules, IntercommunicatorsKeepTheBuiltInSelection) {
    const Question question({8, 8, 0, 0});
    EXPECT_EQ(rule_of(question.ask(Question::call_of("bcast", 100))), "none");
}

TEST(TuningRules, MadeUpCommunicatorsGetTheSameRules) {
    const Question world({8, 0, 4, 0});
    const Question round_robin({8, 0, 4, 1});
    EXPECT_EQ(rule_of(world.ask(Question::call_of("scan", 10))), "/mpir/16");
    EXPECT_EQ(rule_of(round_robin.ask(Question::call_of("scan", 10))), "/mpir/17");
}

}  // namespace
