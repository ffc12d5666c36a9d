// SPDX-License-Identifier: MIT
#include "analysis.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner::trace;

TEST(TraceKinds, Shapes) {
    const auto text = [](std::vector<int> nodes) {
        Communicator communicator;
        communicator.members.resize(nodes.size());
        communicator.nodes = std::move(nodes);
        return to_string(shape_of(communicator));
    };
    EXPECT_EQ(text({3, 3, 5, 5}), "2x2");
    EXPECT_EQ(text({3, 5, 3, 5}), "2x2 round-robin");
    EXPECT_EQ(text({0, 0, 0, 1}), "2x3-2");
    EXPECT_EQ(text({0, 1, 1, 1}), "4 ranks on 2 nodes");
    EXPECT_EQ(text({7}), "1x1");
}

TEST(TraceKinds, MedianCallIsTheOneInTheMiddle) {
    Kind kind;
    kind.calls = {10, 11, 12};
    kind.seconds = {3, 1, 2};
    EXPECT_EQ(kind.median_call(), 12U);
}

TEST(TraceKinds, NameSaysWhatIsNotKnown) {
    KindKey key{"bcast", "", 65536, {7, 3, {}}, true};
    EXPECT_EQ(to_string(key), "bcast/? 64Ki 7 ranks on 3 nodes (nonblocking)");
}

TEST(TraceKinds, MedianOfNoneIs0) {
    EXPECT_EQ(median_of({}), 0);
    EXPECT_EQ(median_of({5, 1, 3}), 3);
}

}  // namespace
