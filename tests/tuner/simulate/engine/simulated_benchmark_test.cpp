// SPDX-License-Identifier: MIT
#include "simulated_benchmark.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "error.hpp"
#include "star.hpp"

namespace {

using namespace tuner;

SimulatedBenchmark benchmark(const Layout& layout) {
    std::vector<std::string> hosts = star().host_names();
    hosts.resize(static_cast<std::size_t>(layout.nodes));
    return {star(), hosts, layout};
}

Json request(const std::string& collective, std::size_t bytes, std::vector<std::string> algorithms) {
    return {{"collective", collective},
            {"bytes", {bytes}},
            {"algorithms", std::move(algorithms)},
            {"min_repetitions", 5},
            {"max_repetitions", 20}};
}

const Json& case_of(const std::vector<Json>& lines, const std::string& algorithm) {
    return *std::find_if(lines.begin(), lines.end(),
                         [&](const Json& line) { return line.at("algorithm") == algorithm; });
}

TEST(SimulatedBenchmark, ItsHeaderSaysWhereRanksAreAndThatItIsSimulated) {
    const Json header = benchmark({2, 2, Mapping::round_robin}).header();
    EXPECT_TRUE(header.at("library").get<std::string>().starts_with("Simulated MPICH"));
    EXPECT_EQ(header.at("simulated"), true);
    EXPECT_EQ(header.at("node_of_rank"), (Json{"n0", "n1", "n0", "n1"}));
}

TEST(SimulatedBenchmark, AnswersAllAlgorithmsAndTheDefault) {
    SimulatedBenchmark of = benchmark({8, 2});
    const std::vector<Json> lines = of.answer(request("bcast", 65536, {"all"}));
    ASSERT_EQ(lines.size(), 6U) << "binomial, smp, three of scatter and allgather, default";
    const Json& by_default = case_of(lines, "default");
    EXPECT_EQ(by_default.at("used"), "scatter_recursive_doubling_allgather") << "MPICH's choice";
    EXPECT_EQ(by_default.at("samples_us").size(), 6U) << "all the same: precise at once";
    EXPECT_EQ(by_default.at("median_us"),
              case_of(lines, "scatter_recursive_doubling_allgather").at("median_us"));
    EXPECT_NE(by_default.at("median_us"), case_of(lines, "binomial").at("median_us"));
}

TEST(SimulatedBenchmark, RefusesWhatMpichCannotRun) {
    SimulatedBenchmark of = benchmark({3, 1});
    const std::vector<Json> lines = of.answer(request("allgather", 100, {"recursive_doubling", "ring"}));
    EXPECT_EQ(lines[0].at("status"), "refused") << "3 ranks are no power of two";
    EXPECT_EQ(lines[1].at("status"), "measured");
}

TEST(SimulatedBenchmark, RequestsThatCannotBeAnsweredAreErrors) {
    SimulatedBenchmark of = benchmark({2, 1});
    const auto error_of = [&](const Json& wrong) {
        try {
            of.answer(wrong);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_TRUE(contains(error_of(request("ibcast", 8, {"all"})), "ibcast cannot be simulated"));
    EXPECT_TRUE(contains(error_of(request("bcast", 8, {"binomal"})), "did you mean 'binomial'"));
    Json other = request("bcast", 8, {"all"});
    other["overlap"] = true;
    EXPECT_TRUE(contains(error_of(other), "'overlap' cannot be simulated"));
    other = request("bcast", 8, {"all"});
    other["root"] = 2;
    EXPECT_TRUE(contains(error_of(other), "the root 2 is not one of the 2 ranks"));
}

TEST(SimulatedBenchmark, TheSameQuestionHasTheSameAnswer) {
    const Json question = request("allreduce", 4096, {"all"});
    SimulatedBenchmark of = benchmark({5, 2});
    SimulatedBenchmark again = benchmark({5, 2});
    EXPECT_EQ(of.answer(question), again.answer(question));
}

TEST(SimulatedBenchmark, ExchangesHaveTheirRates) {
    SimulatedBenchmark of = benchmark({2, 1});
    const std::vector<Json> lines = of.answer(request("ping_pong", 125000, {"send"}));
    EXPECT_EQ(lines[0].at("link"), "between");
    EXPECT_NEAR(lines[0].at("half_us").get<double>(), 30 + 10000, 1);
    EXPECT_NEAR(lines[0].at("megabytes_per_s").get<double>(), 12.5, 0.1);
}

TEST(SimulatedBenchmark, NeedsAHostForEachNode) {
    EXPECT_THROW(SimulatedBenchmark(star(), {"n0"}, {2, 1}), Error);
    EXPECT_THROW(SimulatedBenchmark(star(), {"n0", "x"}, {2, 1}), Error);
}

}  // namespace
