// SPDX-License-Identifier: MIT
// The model of a network is fitted to times that it made itself: it must find its parameters again, and
// predict layouts that it was not fitted to.
#include "prediction.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "error.hpp"
#include "known_network.hpp"
#include "saved_run.hpp"

namespace {

using namespace tuner;

double true_seconds(const std::string& collective, const std::string& algorithm, const Layout& layout,
                    std::size_t bytes) {
    models::CostTable table(models::RankPlacement(layout.nodes, layout.ppn));
    return table.seconds(*models::find_algorithm(collective, algorithm), {&table.layout(), bytes},
                         known_network::truth());
}

TEST(Prediction, FindsTheParametersOfTheNetwork) {
    std::optional<Prediction> prediction = Prediction::of(known_network::cells(), known_network::name);
    ASSERT_TRUE(prediction);
    models::Parameters truth = known_network::truth();
    for (const char* parameter : {"between.latency", "between.byte"}) {  // most of the time is there
        EXPECT_NEAR(prediction->parameters().at(parameter) / truth.at(parameter), 1, 0.05) << parameter;
    }
}

TEST(Prediction, HoldsForALayoutThatWasNotMeasured) {
    std::optional<Prediction> prediction = Prediction::of(known_network::cells(), known_network::name);
    ASSERT_TRUE(prediction);
    const Layout layout{16, 2, Mapping::block};
    for (const std::size_t bytes : {100u, 10000u, 300000u}) {
        const std::optional<double> seconds =
            prediction->seconds("bcast", "scatter_ring_allgather", layout, bytes);
        ASSERT_TRUE(seconds);
        EXPECT_NEAR(*seconds / true_seconds("bcast", "scatter_ring_allgather", layout, bytes), 1, 0.05)
            << bytes;
    }
}

TEST(Prediction, ListsTheAlgorithmsThatCanRunFastestFirst) {
    std::optional<Prediction> prediction = Prediction::of(known_network::cells(), known_network::name);
    ASSERT_TRUE(prediction);
    const auto on_eight = prediction->predict("bcast", {8, 1, Mapping::block}, 1 << 20);
    ASSERT_EQ(on_eight.size(), 4u) << "smp needs several ranks a node";
    EXPECT_EQ(on_eight.back().algorithm, "binomial") << "it sends the whole message three times";
    for (std::size_t i = 1; i < on_eight.size(); ++i) {
        EXPECT_LE(on_eight[i - 1].seconds, on_eight[i].seconds);
    }
    EXPECT_EQ(prediction->predict("bcast", {6, 1, Mapping::block}, 1 << 20).size(), 4u);
    EXPECT_EQ(prediction->predict("allgather", {8, 1, Mapping::block}, 64).size(), 4u);
    EXPECT_EQ(prediction->predict("allgather", {6, 1, Mapping::block}, 64).size(), 3u)
        << "recursive doubling needs a power of two";
    EXPECT_TRUE(prediction->predict("no_such_collective", {6, 1, Mapping::block}, 8).empty());
}

TEST(Prediction, SaysNothingWithoutAModel) {
    const Cells cells = known_network::cells();
    std::optional<Prediction> prediction = Prediction::of(cells, known_network::name);
    ASSERT_TRUE(prediction);
    EXPECT_FALSE(prediction->seconds("bcast", "unheard_of", {8, 1, Mapping::block}, 8));
    EXPECT_FALSE(prediction->seconds("bcast", "smp", {8, 1, Mapping::block}, 8)) << "it cannot run there";
    EXPECT_FALSE(Prediction::of(cells, "myrinet"));
    EXPECT_FALSE(Prediction::of({}, known_network::name));
}

TEST(Prediction, KnowsTheImplementationByTheNamesOfItsAlgorithms) {
    std::optional<Prediction> prediction =
        Prediction::of(known_network::cells(models::Implementation::openmpi), known_network::name);
    ASSERT_TRUE(prediction);
    EXPECT_TRUE(prediction->seconds("bcast", "pipeline:segment=8Ki", {8, 1, Mapping::block}, 1 << 20));
    EXPECT_FALSE(prediction->seconds("bcast", "scatter_ring_allgather", {8, 1, Mapping::block}, 1 << 20));
}

TEST(Prediction, MarksATimeThatItDoesNotExplain) {
    Cells cells = known_network::cells();
    const CellKey key{known_network::name, known_network::layouts[0], "bcast", ""};
    cells.at(key).times.at(2048).at("binomial").time.median_seconds *= 10;
    const std::optional<Prediction> prediction = Prediction::of(cells, known_network::name);
    ASSERT_TRUE(prediction);
    ASSERT_GT(prediction->explained().size(), 50u);
    int unexplained = 0;
    for (const Prediction::Explained& time : prediction->explained()) {
        const bool is_slow = time.cell == key && time.bytes == 2048 && time.algorithm == "binomial";
        EXPECT_EQ(time.is_explained, !is_slow) << time.algorithm << " " << time.bytes;
        EXPECT_NEAR(time.measured_seconds / time.predicted_seconds, is_slow ? 10 : 1, is_slow ? 1 : 0.1);
        unexplained += is_slow;
    }
    EXPECT_EQ(unexplained, 1);
}

TEST(OnlyNetwork, IsTheOneOrTheOneThatIsNamed) {
    Cells cells = known_network::cells();
    EXPECT_EQ(only_network(cells, ""), known_network::name);
    cells[{"myrinet", known_network::layouts[0], "bcast", ""}] = {};
    EXPECT_EQ(only_network(cells, "myrinet"), "myrinet");
    EXPECT_THROW(only_network({}, ""), Error);
    const auto refusal = [&](const std::string& name) -> std::string {
        try {
            only_network(cells, name);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(refusal("").find("--network"), std::string::npos) << refusal("");
    EXPECT_NE(refusal("myrinett").find("'myrinet'"), std::string::npos) << refusal("myrinett");
}

LinkParameters link(const std::string& network, Link kind, const std::vector<double>& ends) {
    LinkParameters parameters;
    parameters.network = network;
    parameters.link = kind;
    for (const double to_bytes : ends) {
        models::LogGpSegment segment{};
        segment.to_bytes = to_bytes;
        parameters.log_gp.push_back(segment);
    }
    return parameters;
}

TEST(ShapeOf, HasTheProtocolsThatMessagesShowed) {
    const NetworkParameters measured = {link("ethernet", Link::between_nodes, {32768, 1048576}),
                                        link("myrinet", Link::between_nodes, {1048576})};
    const models::Parameters shape = shape_of({}, measured, "ethernet");
    ASSERT_EQ(shape.between.segments.size(), 2u);
    EXPECT_EQ(shape.between.segments[0].up_to_bytes, 32768u);
    EXPECT_EQ(shape.between.segments[1].up_to_bytes, models::LinkCosts::no_end);
    EXPECT_EQ(shape.within.segments.size(), 1u);
    EXPECT_TRUE(shape.contention.has_streams);
    EXPECT_FALSE(shape.contention.has_one_machine);
    EXPECT_EQ(shape.between.free_opposite_bytes, 14480);
}

TEST(ShapeOf, KnowsThatAllNodesAreOneMachine) {
    RunData run;
    run.events = {{{"event", "job_header"}, {"header", {{"machines", 4}}}}};
    EXPECT_FALSE(shape_of(run, {}, "ethernet").contention.has_one_machine);
    run.events.push_back({{"event", "job_header"}, {"header", {{"machines", 1}}}});
    EXPECT_TRUE(shape_of(run, {}, "ethernet").contention.has_one_machine);
}

TEST(ShapesOf, HasEachNetworkOfTheCells) {
    Cells cells = known_network::cells();
    cells[{"myrinet", known_network::layouts[0], "bcast", ""}] = {};
    const Shapes shapes = shapes_of(cells, {}, {link("myrinet", Link::between_nodes, {32768, 1048576})});
    ASSERT_EQ(shapes.size(), 2u);
    EXPECT_EQ(shapes.at(known_network::name).between.segments.size(), 1u);
    EXPECT_EQ(shapes.at("myrinet").between.segments.size(), 2u);
}

// `decide` takes the shapes of all networks, `fit` and `predict` that of one
TEST(ShapesOf, GivesDecideTheModelThatFitAndPredictShow) {
    const SavedRun run((std::filesystem::path(TESTS_DATA) / "recorded").string());
    const Cells cells = cells_of(run.data(), Stage::search);
    const Shapes shapes = shapes_of(cells, run.data(), run.network_parameters());
    ASSERT_FALSE(shapes.empty());
    for (const auto& [network, shape] : shapes) {
        std::optional<Prediction> of_decide = Prediction::of(cells, network, shape);
        std::optional<Prediction> of_predict =
            Prediction::of(cells, network, shape_of(run.data(), run.network_parameters(), network));
        ASSERT_TRUE(of_decide && of_predict);
        EXPECT_EQ(of_decide->parameters().names(), of_predict->parameters().names());
        EXPECT_EQ(of_decide->parameters().values(), of_predict->parameters().values());
        // contention of one machine is part of it: a model without the shape has other parameters
        EXPECT_NE(of_decide->parameters().names(), Prediction::of(cells, network)->parameters().names());
    }
}

TEST(Prediction, TimesHaveAnIntervalAroundThem) {
    std::optional<Prediction> prediction = Prediction::of(known_network::cells(), known_network::name);
    ASSERT_TRUE(prediction);
    for (const Prediction::Predicted& p : prediction->predict("bcast", {8, 1, Mapping::block}, 4096)) {
        EXPECT_LT(p.interval.low, p.seconds);
        EXPECT_LT(p.seconds, p.interval.high);
        EXPECT_LT(p.interval.high / p.seconds, 1.1) << "times have a noise of 1%";
    }
}

TEST(ParametersTable, HasUnitsIntervalsAndWhatIsUnknown) {
    const std::optional<Prediction> prediction = Prediction::of(known_network::cells(), known_network::name);
    ASSERT_TRUE(prediction);
    const std::string table = parameters_table(prediction->fit());
    for (const char* text : {"parameter", "95% interval", "between.latency", " us", " ns/byte",
                             "combine                   unknown", "binomial", "median error"}) {
        EXPECT_NE(table.find(text), std::string::npos) << text << " in\n" << table;
    }
}

TEST(Prediction, ParametersOfMessagesAreTimes) {
    for (const char* name : {"between.latency", "within.gap", "message.between", "message.within"}) {
        EXPECT_TRUE(is_time_parameter(name)) << name;
    }
    for (const char* name : {"between.byte", "between.opposite", "streams", "combine", "copy"}) {
        EXPECT_FALSE(is_time_parameter(name)) << name;
    }
}

}  // namespace
