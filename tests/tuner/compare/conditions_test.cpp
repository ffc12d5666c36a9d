// SPDX-License-Identifier: MIT
// What was different when two runs were measured, by name; and what the kernel counted, by layout.
#include "conditions.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

Json job_started(const char* token, const char* network, int nodes) {
    return {{"event", "job_started"}, {"token", token}, {"network", network},
            {"nodes", nodes},         {"ppn", 2},       {"mapping", "block"}};
}

Json job_header(const char* token, const Json& header) {
    return {{"event", "job_header"}, {"token", token}, {"header", header}};
}

Json job_ended(const char* token, const Json& counters) {
    Json event = {{"event", "job_ended"}, {"token", token}};
    event.update(counters);
    return event;
}

RunData run() {
    RunData data;
    data.manifest.environment = {{"kernel", "Linux 6.1"}};
    data.manifest.fingerprint = {{"cores", 8}};
    data.manifest.seed = 7;
    data.manifest.plan = {{"name", "quick"},
                          {"collectives",
                           {{{"name", "bcast"}, {"min_bytes", 8}},
                            {{"name", "reduce"}, {"operation", "sum"}, {"min_bytes", 4}}}}};
    data.manifest.cluster = {{"name", "lab"},
                             {"networks", {{{"name", "eth"}, {"interface", "eno1"}}, {{"name", "ib"}}}},
                             {"layouts", {{{"nodes", 4}, {"ppn", 2}, {"mapping", "round-robin"}}}}};
    data.events = {job_started("t1", "ib", 4), job_started("t2", "eth", 4), job_started("t3", "eth", 2)};
    return data;
}

TEST(Conditions, SayThatTheNetworkWasMeasuredAgain) {
    RunData data = run();
    data.events.push_back({{"event", network_changed_event},
                           {"network", "eth"},
                           {"moved", Json::array({"between.byte (G): 78 -> 7 ns/byte"})}});
    EXPECT_NE(conditions_of(data, "eth")["network.measured_again"].find("78 -> 7"), std::string::npos);
    EXPECT_FALSE(conditions_of(data, "ib").contains("network.measured_again"));
}

TEST(Conditions, OfMachinePlanAndCluster) {
    const Conditions conditions = conditions_of(run(), "eth");
    const Conditions expected = {{"machine.kernel", "Linux 6.1"},
                                 {"fingerprint.cores", "8"},
                                 {"plan.name", "quick"},
                                 {"plan.bcast", "min_bytes 8"},
                                 {"plan.reduce sum", "min_bytes 4"},
                                 {"seed", "7"},
                                 {"cluster", "lab"},
                                 {"network.name", "eth"},
                                 {"network.interface", "eno1"},
                                 {"layouts", "4x2 round-robin"}};
    EXPECT_EQ(conditions, expected);
}

TEST(Conditions, OfTheFirstJobOnTheNetwork) {
    RunData data = run();
    data.events.push_back(job_header("t1", {{"library", "other"}, {"device", "ofi"}}));
    data.events.push_back(
        job_header("t2", {{"library", "MPICH Version: 4.0.2;MPICH CC: gcc"}, {"device", "sock"}, {"x", 1}}));
    data.events.push_back(job_header("t3", {{"library", "later"}, {"device", "later"}}));
    const Conditions conditions = conditions_of(data, "eth");
    EXPECT_EQ(conditions.at("library.MPICH Version"), "4.0.2");
    EXPECT_EQ(conditions.at("library.MPICH CC"), "gcc");
    EXPECT_EQ(conditions.at("job.device"), "sock");
    EXPECT_FALSE(conditions.contains("job.x"));
    EXPECT_EQ(conditions_of(data, "ib").at("library.version"), "other") << "no parts: all of it";
}

TEST(Conditions, CountersOfEachLayoutAreAddedUp) {
    RunData data = run();
    data.events.push_back(job_started("t4", "eth", 4));
    data.events.push_back(job_ended("t1", {{"tcp_retransmits", 100}, {"tcp_time_outs", 100}}));
    data.events.push_back(job_ended("t2", {{"tcp_retransmits", 5}, {"tcp_time_outs", 1}}));
    data.events.push_back(job_ended("t3", Json::object()));
    data.events.push_back(job_ended("t4", {{"tcp_retransmits", 2}, {"tcp_time_outs", 1}}));
    const auto counters = counters_of(data, "eth");
    ASSERT_EQ(counters.size(), 2u);
    const KernelCounters& four = counters.at({4, 2, Mapping::block});
    EXPECT_EQ(four.jobs, 2u);
    EXPECT_EQ(four.jobs_that_told, 2u);
    EXPECT_EQ(four.retransmits, 7);
    EXPECT_EQ(four.time_outs, 2);
    EXPECT_EQ(counters.at({2, 2, Mapping::block}).jobs, 1u);
    EXPECT_EQ(counters.at({2, 2, Mapping::block}).jobs_that_told, 0u) << "it was killed";
}

}  // namespace
