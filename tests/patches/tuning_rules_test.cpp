// SPDX-License-Identifier: MIT
// A tuning file at work, on 8 ranks of 4 nodes (a:2,b:2,c:2,d:2): which rule of tuning_rules.json each call
// gets on the world, on the nodes, the odd ranks, the halves and three ranks of two nodes, by the query, by
// the call itself and by MPI_T. Started once for each network of the file.
#include <gtest/gtest.h>
#include <mpi.h>
#include <mpix_coll.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <vector>

#include "mpi_t.hpp"
#include "question.hpp"

namespace {

int world_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

std::string network() {
    const char* name = std::getenv("MPIR_CVAR_COLL_TUNING_NETWORK");
    return name ? name : "";
}

// A part of the world, by the name of the place
class Part {
  public:
    explicit Part(const std::string& place) {
        const int rank = world_rank();
        const std::map<std::string, int> colors = {{"world", 0},
                                                   {"node", rank / 2},
                                                   {"odd", rank % 2},
                                                   {"half", rank / 4},
                                                   {"three", rank < 3 ? 0 : MPI_UNDEFINED}};
        MPI_Comm_split(MPI_COMM_WORLD, colors.at(place), rank, &comm_);
    }
    ~Part() {
        if (comm_ != MPI_COMM_NULL) {
            MPI_Comm_free(&comm_);
        }
    }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    MPI_Comm comm() const { return comm_; }
    bool is_mine() const { return comm_ != MPI_COMM_NULL; }

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

void first_argument(void* in, void* inout, int* count, MPI_Datatype*) {
    std::copy_n(static_cast<char*>(in), *count, static_cast<char*>(inout));
}

// Built-in, or of the user
MPI_Op operation(const std::string& name) {
    static std::map<std::string, MPI_Op> operations;
    if (operations.empty()) {
        operations[""] = MPI_BOR;
        MPI_Op_create(first_argument, 1, &operations["commutative"]);
        MPI_Op_create(first_argument, 0, &operations["non-commutative"]);
    }
    return operations.at(name);
}

struct Expectation {
    const char* network;  // empty: on both
    const char* place;
    const char* collective;
    int bytes;
    int rule;  // of section mpir; -1: the built-in selection
    const char* operation = "";
};

const Expectation expectations[] = {
    // by nodes, processes on each, and size
    {"gigabit", "world", "bcast", 1, 0},
    {"gigabit", "world", "bcast", 1023, 0},
    {"gigabit", "world", "bcast", 1024, 1},
    {"gigabit", "world", "bcast", 3000000, 1},
    {"gigabit", "node", "bcast", 1, 2},
    {"gigabit", "node", "bcast", 100000, 2},
    {"gigabit", "odd", "bcast", 99, -1},
    {"gigabit", "odd", "bcast", 100, 3},
    {"gigabit", "odd", "bcast", 200, 3},
    {"gigabit", "odd", "bcast", 201, -1},
    {"gigabit", "half", "bcast", 63, -1},
    {"gigabit", "half", "bcast", 64, 4},
    {"gigabit", "half", "bcast", 65, -1},
    {"gigabit", "three", "bcast", 64, -1},  // one node has one process
    // by network
    {"fast", "world", "bcast", 1, 5},
    {"fast", "world", "bcast", 3000000, 5},
    {"fast", "node", "bcast", 100, 2},  // within a node there is no network
    {"fast", "three", "bcast", 100, 5},
    {"gigabit", "half", "allgather", 2047, 9},
    {"gigabit", "half", "allgather", 2048, -1},
    {"gigabit", "half", "allgather", 4096, 10},
    {"gigabit", "world", "allgather", 1023, 9},
    {"gigabit", "world", "allgather", 1024, -1},
    {"fast", "half", "allgather", 5000, 11},
    {"fast", "odd", "allgather", 5000, -1},
    {"fast", "three", "allgather", 5000, -1},
    // by operation; the third rule is not legal for operations of the user
    {"", "world", "allreduce", 4095, 6},
    {"", "world", "allreduce", 4096, 8},
    {"", "world", "allreduce", 100, 7, "non-commutative"},
    {"", "world", "allreduce", 100, -1, "commutative"},
    {"", "odd", "allreduce", 3, 6},
    {"", "half", "alltoall", 100, 12},
    {"", "half", "alltoall", 101, -1},
    {"", "node", "alltoall", 100, -1},
    {"", "world", "barrier", 0, 13},
    {"", "half", "barrier", 0, -1},
    {"", "half", "reduce_scatter", 15, 14},
    {"", "half", "reduce_scatter", 16, -1},
    {"", "odd", "reduce_scatter", 15, -1},
    {"", "half", "gather", 31, -1},
    {"", "half", "gather", 32, 15},
    {"", "three", "gather", 64, 15},
    {"", "odd", "gather", 64, -1},
    {"", "world", "scan", 10, 16},
    {"", "odd", "scan", 10, 17},  // one process on each node is both mappings
    {"", "half", "scan", 10, -1},
    {"", "world", "ibcast", 10000, 18},
    {"", "node", "ibcast", 9999, -1},
};

void call(const Expectation& e, MPI_Comm comm) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    const auto all = static_cast<std::size_t>(size) * static_cast<std::size_t>(e.bytes) + 1;
    std::vector<char> send(all, 1);
    std::vector<char> receive(all);
    const std::vector<int> counts(static_cast<std::size_t>(size), e.bytes);
    MPI_Request request = MPI_REQUEST_NULL;
    const MPI_Op op = operation(e.operation);
    const std::map<std::string, std::function<void()>> calls = {
        {"bcast", [&] { MPI_Bcast(send.data(), e.bytes, MPI_BYTE, 0, comm); }},
        {"ibcast",
         [&] {
             MPI_Ibcast(send.data(), e.bytes, MPI_BYTE, 0, comm, &request);
             MPI_Wait(&request, MPI_STATUS_IGNORE);
         }},
        {"allgather",
         [&] { MPI_Allgather(send.data(), e.bytes, MPI_BYTE, receive.data(), e.bytes, MPI_BYTE, comm); }},
        {"alltoall",
         [&] { MPI_Alltoall(send.data(), e.bytes, MPI_BYTE, receive.data(), e.bytes, MPI_BYTE, comm); }},
        {"gather",
         [&] { MPI_Gather(send.data(), e.bytes, MPI_BYTE, receive.data(), e.bytes, MPI_BYTE, 0, comm); }},
        {"barrier", [&] { MPI_Barrier(comm); }},
        {"allreduce", [&] { MPI_Allreduce(send.data(), receive.data(), e.bytes, MPI_BYTE, op, comm); }},
        {"scan", [&] { MPI_Scan(send.data(), receive.data(), e.bytes, MPI_BYTE, op, comm); }},
        {"reduce_scatter",
         [&] { MPI_Reduce_scatter(send.data(), receive.data(), counts.data(), MPI_BYTE, op, comm); }},
    };
    calls.at(e.collective)();
}

std::string text_of(const Expectation& e) {
    return std::string(e.collective) + " of " + std::to_string(e.bytes) + " bytes on " + e.place + " " +
           e.operation;
}

std::string rule_of(const MPIX_Coll_choice_t& choice) {
    return choice.rule ? choice.rule : "none";
}

template <class Action>
void for_each_expectation(Action action) {
    for (const Expectation& e : expectations) {
        if (e.network[0] != '\0' && network() != e.network) {
            continue;
        }
        const Part part(e.place);
        if (part.is_mine()) {
            SCOPED_TRACE(text_of(e));
            action(e, part.comm());
        }
    }
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
