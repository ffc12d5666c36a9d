// SPDX-License-Identifier: MIT
// The cost model of a network, fitted to what a run measured, and what it says about layouts and sizes that
// were not measured, also for another latency or bandwidth.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "cells.hpp"
#include "network.hpp"
#include "network_parameters.hpp"
#include "prediction_error.hpp"

namespace tuner {

// What the model knows of a layout: `ranks_only` is the textbook's view, in which every rank is a node.
enum class View { nodes_and_ranks, ranks_only };

class Prediction {
  public:
    // `shape` has the segments of protocols and the kinds of contention to fit. Nothing if no algorithm that
    // was measured on this network has a cost model.
    static std::optional<Prediction> of(const Cells& cells, const std::string& network,
                                        const models::Parameters& shape = {},
                                        View view = View::nodes_and_ranks);

    const models::NetworkFit& fit() const { return fit_; }
    models::Parameters& parameters() { return fit_.parameters; }  // may be set, for what-if questions
    const PredictionError& error() const { return error_; }

    // Nothing if there is no model of that algorithm, or it cannot run there
    std::optional<double> seconds(const std::string& collective, const std::string& algorithm,
                                  const Layout& layout, std::size_t bytes);

    struct Predicted {
        std::string algorithm;
        double seconds;
        models::Interval interval;  // 95% of measured times
    };
    // Of all algorithms that can run there, the fastest first
    std::vector<Predicted> predict(const std::string& collective, const Layout& layout, std::size_t bytes);
    std::vector<std::string> collectives() const;  // that have algorithms with a cost model

    // Each time that the model was fitted to, and what the model predicts for it
    struct Explained {
        CellKey cell;
        std::size_t bytes;
        std::string algorithm;
        double measured_seconds;
        double predicted_seconds;
        bool is_explained;  // false: so far off that the fit gives it no weight
    };
    const std::vector<Explained>& explained() const { return explained_; }

  private:
    Prediction() = default;
    models::CostTable& table_of(const Layout& layout);

    View view_ = View::nodes_and_ranks;
    models::Implementation implementation_ = models::Implementation::mpich;
    std::map<Layout, std::unique_ptr<models::CostTable>> tables_;
    models::NetworkFit fit_;
    std::vector<Explained> explained_;
    PredictionError error_;
};

// The network of that name that was measured; the only one if it is empty. Throws an Error that says what to
// do.
std::string only_network(const Cells& cells, const std::string& wanted);

// What is known of a network before its model is fitted: where protocols change, as point-to-point messages
// showed, what goes both ways at full speed, and whether all nodes were one machine. Streams that share an
// interface are always fitted.
models::Parameters shape_of(const RunData& run, const NetworkParameters& measured,
                            const std::string& network);

// The shape of each network of the cells: with it `decide` fits the model that `fit` and `predict` show.
using Shapes = std::map<std::string, models::Parameters>;  // by network
Shapes shapes_of(const Cells& cells, const RunData& run, const NetworkParameters& measured);

// Of the cost model: latencies, gaps and messages are times, printed in microseconds; the rest is for each
// byte
bool is_time_parameter(const std::string& name);
std::string parameters_table(const models::NetworkFit& fit);
std::string typical_error_text(const PredictionError& error);  // a line; empty: nothing is known

}  // namespace tuner
