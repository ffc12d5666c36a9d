// SPDX-License-Identifier: MIT
#include "simulated_machine.hpp"

#include <gtest/gtest.h>

#include "error.hpp"

namespace {

using namespace tuner;

std::string error_of(const Properties& properties) {
    try {
        machine_from(properties, "tree.xml");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(SimulatedMachine, ComesBackFromItsProperties) {
    SimulatedMachine machine;
    machine.parameters.between.segments = {
        {4096, 1e-6, 0}, {65536, 2e-6, 1e-10}, {models::LinkCosts::no_end, 3e-6, 2e-10}};
    machine.parameters.between.gap_seconds = 1e-7;
    machine.parameters.between.opposite_seconds_per_byte = 3e-11;
    machine.parameters.between.free_opposite_bytes = 8192;
    machine.parameters.within.segments = {{models::LinkCosts::no_end, 3e-7, 1e-10}};
    machine.parameters.combine_seconds_per_byte = 4e-10;
    machine.cores = {2, 5e-6, 1e-7, 2e-5, 3e-6, 1e-9, 2e-9};
    machine.burst_bytes = 3000;
    machine.starts_after_barrier = true;
    machine.are_nodes_alike = true;
    machine.send_overhead_seconds = 2e-7;
    machine.receive_overhead_seconds = 3e-7;
    machine.message_bytes_per_second = 1e9;
    machine.slow_host = "n3";
    machine.slow_factor = 2;
    machine.noise = {0.02, 0.01, 5, 0.001, 0.1};
    const Properties properties = to_properties(machine);
    EXPECT_EQ(properties.at("changeover.between.limits"), "4096,65536");
    EXPECT_EQ(properties.at("changeover.between.latency.3"), "3e-06");
    EXPECT_EQ(to_properties(machine_from(properties, "file")), properties);
    const SimulatedMachine back = machine_from(properties, "file");
    EXPECT_EQ(back.parameters.values(), [&] {
        models::Parameters links = machine.parameters;
        links.contention = {};
        return links.values();
    }());
    EXPECT_EQ(back.noise, machine.noise);
    EXPECT_EQ(back.slow_host, "n3");
    EXPECT_EQ(back.parameters.between.segment_of(5000), 1U);
}

TEST(SimulatedMachine, WhatIsUsualNeedsNoProperty) {
    EXPECT_TRUE(to_properties({}).empty());
    EXPECT_TRUE(to_properties(machine_from({{"somebody.else", "x"}}, "file")).empty());
}

TEST(SimulatedMachine, ErrorsNameTheFileAndTheProperty) {
    EXPECT_EQ(
        error_of({{"changeover.copy", "1e-10s"}}),
        "tree.xml: property changeover.copy: '1e-10s' is not a number from 0 on; write for example 1e-05");
    EXPECT_NE(error_of({{"changeover.noise.sigma", "-1"}}).find("noise.sigma: '-1'"), std::string::npos);
    EXPECT_NE(error_of({{"changeover.noise.sigma", "inf"}}).find("noise.sigma: 'inf'"), std::string::npos);
    EXPECT_NE(
        error_of({{"changeover.between.limits", "8,4"}}).find("between.limits: expected ascending sizes"),
        std::string::npos);
    EXPECT_NE(
        error_of({{"changeover.cores.count", "1e300"}}).find("cores.count: expected a whole number up to"),
        std::string::npos);
    EXPECT_NE(error_of({{"changeover.cores.count", "0.5"}}).find("cores.count: expected a whole number"),
              std::string::npos);
    EXPECT_NE(error_of({{"changeover.start", "window"}}).find("start: 'window' is not known; write barrier"),
              std::string::npos);
    EXPECT_NE(error_of({{"changeover.between.latensy", "1"}}).find("did you mean 'between.latency'"),
              std::string::npos);
}

}  // namespace
