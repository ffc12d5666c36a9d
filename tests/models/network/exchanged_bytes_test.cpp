// SPDX-License-Identifier: MIT
#include "exchanged_bytes.hpp"

#include <gtest/gtest.h>

namespace {

TEST(ExchangedBytes, AreThoseThatAreAnsweredInTheRound) {
    models::ExchangedBytes exchanged(3);
    models::Round round;
    round.send(0, 1, models::Piece{0, 100});
    round.send(1, 0, models::Piece{0, 30});
    round.send(1, 2, models::Piece{0, 50});
    round.send(2, 0, models::Piece{0, 50});
    round.copy(1, {0, 40}, 0);
    EXPECT_EQ(exchanged.of(round), (std::vector<double>{30, 30, 0, 0, 0})) << "copies are local";
    round.clear();
    round.send(2, 0, models::Piece{0, 70});
    round.send(0, 2, models::Piece{0, 20});
    round.send(0, 2, models::Piece{0, 30});
    EXPECT_EQ(exchanged.of(round), (std::vector<double>{50, 20, 30})) << "of this round only";
}

}  // namespace
