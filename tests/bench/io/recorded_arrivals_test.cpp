// SPDX-License-Identifier: MIT
#include "recorded_arrivals.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace {

using namespace bench;

const std::string first_line = R"({"type":"arrivals","version":1,"trace":"t"})"
                               "\n";
const std::string three_classes =
    first_line +
    R"({"type":"class","collective":"bcast","bytes":64,"ranks":2,"calls":2,"seconds":1,"delays_us":[[0,5],[7.5,0]]}
{"type":"class","collective":"bcast","bytes":65536,"ranks":2,"calls":3,"seconds":1,"delays_us":[[0,1],[0,3],[0,2]]}
{"type":"class","collective":"bcast","bytes":64,"ranks":3,"calls":1,"seconds":1,"delays_us":[[0,1,2]]}
)";

std::string refusal_of(const std::string& text, const CallClass& wanted = {"bcast", 64, 2}) {
    try {
        nearest_calls(text, "a.jsonl", wanted);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(RecordedArrivals, AreThoseOfTheNearestSizeClassAndAsManyRanks) {
    using Delays = std::vector<std::vector<double>>;
    const RecordedCalls small = nearest_calls(three_classes, "a.jsonl", {"bcast", 100, 2});
    EXPECT_EQ(small.delays, (Delays{{0, 1e-6 * 5.0}, {1e-6 * 7.5, 0}}));
    EXPECT_EQ(small.name, "bcast of 64 bytes, 2 calls");
    EXPECT_EQ(nearest_calls(three_classes, "a.jsonl", {"bcast", 0, 2}).delays, small.delays);
    EXPECT_EQ(nearest_calls(three_classes, "a.jsonl", {"bcast", 1 << 20, 2}).delays.size(), 3U);
    EXPECT_EQ(nearest_calls(three_classes, "a.jsonl", {"bcast", 1 << 20, 3}).delays,
              (Delays{{0, 1e-6, 2e-6}}));
}

TEST(RecordedArrivals, TheirUsualWidthIsTheMedianOfTheLargestDelays) {
    EXPECT_DOUBLE_EQ(usual_width(nearest_calls(three_classes, "a.jsonl", {"bcast", 65536, 2})), 2e-6);
}

TEST(RecordedArrivals, MistakesNameFileLineAndRemedy) {
    EXPECT_EQ(
        refusal_of(three_classes, {"reduce", 64, 2}),
        "a.jsonl has no calls of reduce by 2 ranks; there are: bcast of 2 ranks, bcast of 3 ranks; start as "
        "many ranks, or record a program that makes such calls");
    EXPECT_TRUE(
        refusal_of(R"({"type":"program"})").starts_with("a.jsonl: line 1 cannot be read: it does not begin"));
    EXPECT_TRUE(refusal_of(first_line + "{").starts_with("a.jsonl: line 2 cannot be read: "));
    EXPECT_TRUE(
        refusal_of(first_line + "{").ends_with("write it again: changeover trace TRACE --arrivals FILE"));
    const auto with = [](const std::string& delays) {
        return first_line + R"({"type":"class","collective":"bcast","bytes":64,"ranks":2,"delays_us":)" +
               delays + "}";
    };
    EXPECT_EQ(refusal_of(with("[[0,1]]")), "");
    for (const char* wrong : {"[]", "[[0]]", "[[0,1,2]]", "[[0,-1]]", "[[0,1e9]]", "[[0,\"1\"]]", "[0,1]"}) {
        EXPECT_NE(refusal_of(with(wrong)), "") << wrong;
    }
}

}  // namespace
