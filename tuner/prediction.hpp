// SPDX-License-Identifier: MIT
// The cost model of a network, fitted to what a run measured, and what it says about layouts and sizes that
// were not measured, also for another latency or bandwidth.
#pragma once

#include <memory>

#include "network.hpp"
#include "times.hpp"

namespace tuner {

class Prediction {
  public:
    // Throws an Error if nothing that a model knows was measured on this network.
    Prediction(const Cells& cells, const std::string& network);

    const models::NetworkFit& fit() const { return fit_; }
    models::Parameters& parameters() { return fit_.parameters; }  // to ask what if

    struct Predicted {
        std::string algorithm;
        double seconds;
    };
    // Of all algorithms that can run there, the fastest first
    std::vector<Predicted> predict(const std::string& collective, const Layout& layout, std::size_t bytes);

    // What the model makes of each time that it was fitted to
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
    models::CostTable& table_of(const Layout& layout);

    std::map<Layout, std::unique_ptr<models::CostTable>> tables_;
    models::NetworkFit fit_;
    std::vector<Explained> explained_;
};

std::string parameters_table(const models::NetworkFit& fit);

}  // namespace tuner
