// SPDX-License-Identifier: MIT
// The parameters of a network, fitted to times of any mixture: point-to-point messages, collectives of all
// algorithms on all layouts. Few observations give rough parameters, more give better ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cost.hpp"
#include "fitted.hpp"

namespace models {

// One measured time
struct Observation {
    const Profile* profile;  // of the algorithm on its layout, see CostTable
    double bytes;
    double seconds;
    std::string_view algorithm;  // what residuals are grouped by
};

// What one message between two nodes or within a node costs; half a ping-pong is an observation of it.
Profile message_profile(bool between_nodes);

struct AlgorithmResidual {
    std::string_view algorithm;
    std::size_t observations;
    double median_error;  // relative, without sign
    double bias;          // median of log(measured / predicted): above 0 if the model is too fast
};

struct NetworkFit {
    Parameters parameters;
    Fit fit;                                      // intervals, what is unknown, residual of each observation
    std::vector<AlgorithmResidual> by_algorithm;  // in the order in which they first occur
    std::vector<std::size_t> unexplained;         // observations that the fit gives no weight, by position
};

// `segments` has the limits of the protocols; its other values do not matter. Throws std::invalid_argument if
// there is nothing to fit.
NetworkFit fit_network(const std::vector<Observation>& observations, const Parameters& segments);

}  // namespace models
