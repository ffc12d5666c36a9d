// SPDX-License-Identifier: MIT
#include "what_if.hpp"

#include <gtest/gtest.h>

#include "error.hpp"

namespace {

using namespace tuner;

TEST(SetParameter, SetsTheParameterOfThatName) {
    models::Parameters parameters;
    set_parameter(parameters, "between.latency=90us");
    set_parameter(parameters, "within.byte=1ns");
    EXPECT_DOUBLE_EQ(parameters.at("between.latency"), 90e-6);
    EXPECT_DOUBLE_EQ(parameters.at("within.byte"), 1e-9);
    EXPECT_EQ(parameters.at("within.latency"), 0);
}

TEST(SetParameter, RefusesWhatIsNotASetting) {
    models::Parameters parameters;
    const auto refusal = [&](const std::string& setting) -> std::string {
        try {
            set_parameter(parameters, setting);
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            return error.what();
        }
        return "accepted";
    };
    EXPECT_EQ(refusal("between.latency"),
              "--set between.latency: '=' is missing; try: --set between.latency=90us");
    EXPECT_NE(refusal("between.latancy=90us").find("'between.latancy'; did you mean 'between.latency'?"),
              std::string::npos)
        << refusal("between.latancy=90us");
    EXPECT_NE(refusal("between.latency=many").find("many"), std::string::npos);
}

}  // namespace
