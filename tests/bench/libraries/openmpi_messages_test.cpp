// SPDX-License-Identifier: MIT
// The algorithm that the benchmark forces in Open MPI is the one that runs: it sends the messages of its
// schedule, on the communicator that was made for it and nowhere else.
#include <gtest/gtest.h>
#include <mpi.h>

#include <set>
#include <string>
#include <vector>

#include "library.hpp"
#include "openmpi_messages.hpp"
#include "pattern.hpp"
#include "schedule.hpp"

namespace {

using openmpi_messages::sent;
using openmpi_messages::Sent;

// They call other collectives, or have no schedule yet
const std::set<std::string> without_model = {"allreduce nonoverlapping",
                                             "allgather linear",
                                             "reduce in-order_binary",
                                             "reduce in-order_binary:segment=8Ki",
                                             "reduce in-order_binary:segment=64Ki",
                                             "reduce rabenseifner"};

int rank_of_world() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int ranks_of_world() {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

Sent sent_by(const bench::Pattern& pattern, MPI_Comm comm, std::size_t bytes, int root) {
    const auto ranks = static_cast<std::size_t>(ranks_of_world());
    std::vector<char> in(bytes * ranks + 1);
    std::vector<char> out(in.size());
    const std::vector<int> counts(ranks, static_cast<int>(bytes));
    std::vector<int> displacements;
    for (std::size_t i = 0; i < ranks; ++i) {
        displacements.push_back(static_cast<int>(i * bytes));
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    sent = {};
    // one buffer for bcast: the root's receive buffer
    pattern.call({comm, in.data(), out.data(), static_cast<int>(bytes), MPI_BYTE, MPI_BOR, root,
                  counts.data(), displacements.data(), rank_of_world()});
    return sent;
}

Sent expected_of(const models::Algorithm& algorithm, const models::Call& call) {
    Sent expected;
    models::for_each_round(algorithm.schedule(call), [&](const models::Round& round) {
        for (const models::Message& message : round.messages()) {
            if (message.source == rank_of_world() && message.destination != message.source) {
                ++expected.messages;
                expected.bytes += static_cast<long>(message.bytes);
            }
        }
    });
    return expected;
}

class OpenMpi : public testing::Test {
  protected:
    static void SetUpTestSuite() { openmpi_messages::start_counting(); }
};

TEST_F(OpenMpi, SendsTheMessagesOfTheSchedule) {
    const int ranks = ranks_of_world();
    const models::RankPlacement layout(std::vector<int>(static_cast<std::size_t>(ranks), 0));
    const auto library = bench::make_library(MPI_COMM_WORLD);
    const bench::Elements& elements = bench::find_elements("byte", "sum");
    ASSERT_TRUE(library->can_switch());
    long compared = 0;
    for (const models::Algorithm& algorithm : models::algorithms(models::Implementation::openmpi)) {
        const std::string name(algorithm.name);
        const bench::Pattern& pattern = *bench::find_pattern(std::string(algorithm.collective));
        for (const std::size_t bytes : {1u, 1001u, 20001u, 140001u}) {
            const models::Call any_root{&layout, bytes};
            const auto refusal = library->refusal({&pattern, &elements, bytes, false}, name);
            // the only one with less of a model than of an algorithm
            if (name != "scatter_allgather") {
                EXPECT_EQ(!refusal.has_value(), models::is_allowed(algorithm, any_root))
                    << pattern.name << " " << name << ", " << bytes << " bytes: " << refusal.value_or("");
            }
            if (refusal || !models::is_allowed(algorithm, any_root)) {
                continue;
            }
            const MPI_Comm comm = library->choose(pattern, name);
            // every rank waits by spinning: what does not depend on the root is tried once
            for (int root = 0; root < ranks; root += pattern.has_root ? ranks - 1 : ranks) {
                const models::Call call{&layout, bytes, root};
                const Sent found = sent_by(pattern, comm, bytes, root);
                const Sent expected = expected_of(algorithm, call);
                EXPECT_EQ(found.messages, expected.messages)
                    << pattern.name << " " << name << ", " << bytes << " bytes, root " << root;
                EXPECT_EQ(found.bytes, expected.bytes)
                    << pattern.name << " " << name << ", " << bytes << " bytes, root " << root;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 100);
}

TEST_F(OpenMpi, OffersWhatHasASchedule) {
    const auto library = bench::make_library(MPI_COMM_WORLD);
    for (const char* collective : {"bcast", "reduce", "allreduce", "allgather", "alltoall"}) {
        const std::vector<std::string> names = library->algorithms(*bench::find_pattern(collective));
        EXPECT_GT(names.size(), 4u) << collective;
        for (const std::string& name : names) {
            const bool has_model =
                models::find_algorithm(collective, name, models::Implementation::openmpi) != nullptr;
            EXPECT_NE(has_model, without_model.contains(std::string(collective) + " " + name))
                << collective << " " << name;
        }
    }
}

TEST_F(OpenMpi, KeepsItsOwnChoiceOnOtherCommunicators) {
    const auto library = bench::make_library(MPI_COMM_WORLD);
    const bench::Pattern& bcast = *bench::find_pattern("bcast");
    const Sent before = sent_by(bcast, library->choose(bcast, bench::default_algorithm), 100000, 0);
    const MPI_Comm forced = library->choose(bcast, "pipeline:segment=8Ki");
    const Sent pipeline = sent_by(bcast, forced, 100000, 0);
    EXPECT_EQ(sent_by(bcast, MPI_COMM_WORLD, 100000, 0), before);
    MPI_Comm another = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &another);
    EXPECT_EQ(sent_by(bcast, another, 100000, 0), before);
    MPI_Comm_free(&another);
    EXPECT_EQ(sent_by(bcast, forced, 100000, 0), pipeline);
    if (rank_of_world() == 0) {
        EXPECT_EQ(pipeline.messages, 13);  // 100000 bytes in segments of 8192
    }
}

TEST_F(OpenMpi, RefusesWhatItWouldNotRun) {
    const auto library = bench::make_library(MPI_COMM_WORLD);
    const auto refusal = [&](const char* collective, const char* operation, std::size_t count,
                             const std::string& algorithm) {
        return library
            ->refusal(
                {bench::find_pattern(collective), &bench::find_elements("byte", operation), count, false},
                algorithm)
            .value_or("");
    };
    EXPECT_EQ(refusal("bcast", "sum", 1000, bench::default_algorithm), "");
    EXPECT_NE(refusal("bcast", "sum", 1000, "bynomial").find("Open MPI has: "), std::string::npos);
    EXPECT_NE(refusal("bcast", "sum", 0, "binomial"), "");
    EXPECT_NE(refusal("bcast", "sum", 1000, "pipeline:colour=3"), "");
    EXPECT_NE(refusal("bcast", "sum", 8192, "pipeline:segment=8Ki"), "");
    EXPECT_EQ(refusal("bcast", "sum", 8193, "pipeline:segment=8Ki"), "");
    EXPECT_NE(refusal("allreduce", "ordered", 1000, "ring"), "");
    // registered by Open MPI as a constant
    EXPECT_NE(refusal("allgatherv", "sum", 1000, "ring"), "");
}

}  // namespace
