// SPDX-License-Identifier: MIT
// How far the model of a network can be trusted: it is fitted to every second size and predicts the others,
// the held-out sizes. For comparison the textbook's view, fitted to the same times, in which every rank is a
// node of its own.
#pragma once

#include "prediction.hpp"

namespace tuner {

struct HeldOut {
    Layout layout;
    std::string collective;
    std::size_t times = 0;      // that were predicted
    double median_error = 0;    // relative, without sign
    double textbook_error = 0;  // the same, by the textbook's view
};

// One for each layout and collective with at least three sizes; empty if too little was measured.
std::vector<HeldOut> held_out_errors(const Cells& cells, const std::string& network,
                                     const models::Parameters& shape = {});

// "allreduce tree, tree:k=4; bcast tree": what was measured on the network and has no cost model. Such
// algorithms are chosen by their measured times alone. Empty: all have one.
std::string without_model(const Cells& cells, const std::string& network,
                          const std::vector<Prediction::Explained>& explained);

std::string held_out_table(const std::vector<HeldOut>& errors);  // empty: there are none

}  // namespace tuner
