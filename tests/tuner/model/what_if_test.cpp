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

TEST(ScaleParameters, ScalesAllThatBelongsToAProperty) {
    models::Parameters parameters;
    parameters.between.segments = {{1024, 10e-6, 4e-9}, {models::LinkCosts::no_end, 20e-6, 8e-9}};
    parameters.between.opposite_seconds_per_byte = 2e-9;
    parameters.within.segments[0].seconds_per_byte = 1e-9;
    parameters.contention.has_streams = true;
    parameters.contention.stream_seconds_per_byte = 12e-9;
    scale_parameters(parameters, "between.bandwidth=4");
    EXPECT_DOUBLE_EQ(parameters.at("between.byte"), 1e-9);
    EXPECT_DOUBLE_EQ(parameters.at("between.byte.2"), 2e-9);
    EXPECT_DOUBLE_EQ(parameters.at("between.opposite"), 0.5e-9);
    EXPECT_DOUBLE_EQ(parameters.at("streams"), 3e-9);
    EXPECT_DOUBLE_EQ(parameters.at("between.latency.2"), 20e-6);
    EXPECT_DOUBLE_EQ(parameters.at("within.byte"), 1e-9);
    scale_parameters(parameters, "between.latency=0.5");
    EXPECT_DOUBLE_EQ(parameters.at("between.latency"), 5e-6);
    EXPECT_DOUBLE_EQ(parameters.at("between.latency.2"), 10e-6);
}

TEST(ScaleParameters, RefusesWhatIsNoPropertyOrNoFactor) {
    models::Parameters parameters;
    for (const auto& [setting, part] : {std::pair("between.bandwith=2", "did you mean 'between.bandwidth'?"),
                                        std::pair("between.bandwidth", "'=' is missing"),
                                        std::pair("between.bandwidth=0", "is not a factor"),
                                        std::pair("between.bandwidth=2x", "is not a factor"),
                                        std::pair("between.bandwidth=", "is not a factor"),
                                        std::pair("within.latency=nan", "is not a factor")}) {
        try {
            scale_parameters(parameters, setting);
            ADD_FAILURE() << setting;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        }
    }
}

}  // namespace
