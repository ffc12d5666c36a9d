// SPDX-License-Identifier: MIT
// Profiles are computed from representatives and distinct rounds; they must equal those of all ranks and
// rounds exactly. What loads mean for costs is tested in cost_test.
#include "profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "plain_profile.hpp"

namespace {

using models::Call;
using models::Mapping;
using models::RankPlacement;

class Draws {
  public:
    int from_to(int first, int last) {
        return first + static_cast<int>(engine_() % static_cast<unsigned>(last - first + 1));
    }
    bool one_in(int n) { return from_to(1, n) == 1; }

    // Even, round-robin, uneven in blocks, uneven and mixed
    RankPlacement layout() {
        const int kind = from_to(0, 3);
        const int nodes = from_to(1, 8);
        const int ppn = from_to(nodes == 1 ? 2 : 1, 5);
        if (kind < 2) {
            return {nodes, ppn, kind == 0 ? Mapping::block : Mapping::round_robin};
        }
        std::vector<int> node_of_rank = {0, nodes > 1 ? 1 : 0};
        for (int node = 0; node < nodes; ++node) {
            node_of_rank.insert(node_of_rank.end(), static_cast<std::size_t>(from_to(1, ppn)), node);
        }
        std::sort(node_of_rank.begin(), node_of_rank.end());
        if (kind == 3) {
            std::shuffle(node_of_rank.begin(), node_of_rank.end(), engine_);
        }
        return RankPlacement(node_of_rank);
    }

    Call call(const RankPlacement& layout) {
        Call call{&layout, static_cast<std::size_t>(1) << from_to(0, 21)};
        call.bytes += static_cast<std::size_t>(from_to(0, static_cast<int>(call.bytes)));
        call.root = one_in(3) ? from_to(0, layout.ranks() - 1) : 0;
        call.in_place = one_in(4);
        call.commutative = !one_in(4);
        return call;
    }

  private:
    std::mt19937 engine_{20261116};
};

void expect_equal(const models::Profile& profile, const models::Profile& plain) {
    EXPECT_EQ(profile.unit_bytes, plain.unit_bytes);
    EXPECT_TRUE(profile.rounds == plain.rounds);
    EXPECT_EQ(profile.latency_share_between, plain.latency_share_between);
    EXPECT_EQ(profile.latency_share_within, plain.latency_share_within);
    EXPECT_EQ(profile.waiting_bytes, plain.waiting_bytes);
    EXPECT_EQ(profile.messages_between, plain.messages_between);
    EXPECT_EQ(profile.messages_within, plain.messages_within);
}

class ProfileOf : public testing::TestWithParam<models::Implementation> {};
INSTANTIATE_TEST_SUITE_P(Implementations, ProfileOf,
                         testing::Values(models::Implementation::mpich, models::Implementation::openmpi));

TEST_P(ProfileOf, RepresentativesEqualsThatOfAllRanksAndRounds) {
    Draws draws;
    int compared = 0;
    for (int i = 0; i < 60; ++i) {
        const RankPlacement layout = draws.layout();
        for (const models::Algorithm& algorithm : models::algorithms(GetParam())) {
            const Call call = draws.call(layout);
            if (models::is_allowed(algorithm, call)) {
                SCOPED_TRACE(testing::Message()
                             << algorithm.collective << " " << algorithm.name << ", " << layout.ranks()
                             << " ranks on " << layout.nodes << " nodes, root " << call.root << ", "
                             << call.bytes << " bytes");
                expect_equal(models::profile(algorithm, call), PlainProfile(algorithm, call).get());
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 1000);
}

}  // namespace
