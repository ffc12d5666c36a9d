// SPDX-License-Identifier: MIT
#include "request.hpp"

#include <gtest/gtest.h>

namespace {

using namespace bench;

std::string error_of(const Request& request, const char* pattern) {
    try {
        parameters_of(request, *find_pattern(pattern));
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(ParametersOf, AreInTheOrderOfThePattern) {
    Request request;
    request.parameters = {{"round_trips", 5}, {"messages", 8}};
    EXPECT_EQ(parameters_of(request, *find_pattern("ping_pong")), (std::vector<double>{8, 0, 5}));
    EXPECT_EQ(parameters_of({}, *find_pattern("ping_pong")), (std::vector<double>{1, 0, 1}));
    EXPECT_TRUE(parameters_of({}, *find_pattern("bcast")).empty());
}

TEST(ParametersOf, MistakesNameWhatIsRight) {
    Request request;
    request.parameters = {{"window", 2}};
    EXPECT_EQ(error_of(request, "ping_pong"),
              "ping_pong has no parameter 'window'; there are: messages, delay_us, round_trips");
    EXPECT_EQ(error_of(request, "bcast"), "bcast has no parameter 'window'; it has none");
    request.parameters = {{"messages", 0}};
    EXPECT_EQ(error_of(request, "ping_pong"),
              "parameter messages (messages before the answer) must be at least 1, got 0");
}

}  // namespace
