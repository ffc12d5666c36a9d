// SPDX-License-Identifier: MIT
#include "persistent_calls.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace bench;

// Each rank gives 1, 2, 3 ... times `factor`
void expect_sums(std::vector<int>& send, std::vector<int>& receive, int factor) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (std::size_t i = 0; i < send.size(); ++i) {
        send[i] = factor * static_cast<int>(i + 1);
        receive[i] = 0;
    }
    Arguments a = {};
    a.comm = MPI_COMM_WORLD;
    a.send = send.data();
    a.receive = receive.data();
    a.count = static_cast<int>(send.size());
    a.datatype = MPI_INT;
    a.operation = MPI_SUM;
    const RankCall call = {rank, ranks, 0, send.size()};
    call_persistent({*find_pattern("allreduce"), call, a, nullptr, sizeof(int)});
    for (std::size_t i = 0; i < send.size(); ++i) {
        EXPECT_EQ(receive[i], ranks * factor * static_cast<int>(i + 1));
    }
}

}  // namespace

TEST(PersistentCalls, AreStartedAgainWithTheSameBuffersAndMadeAgainWithOthers) {
    if (!why_no_persistent_calls().empty()) {
        GTEST_SKIP() << why_no_persistent_calls();
    }
    std::vector<int> send(5);
    std::vector<int> receive(5);
    std::vector<int> other(5);
    expect_sums(send, receive, 1);
    expect_sums(send, receive, 2);
    expect_sums(send, other, 3);
    expect_sums(send, receive, 4);
}
