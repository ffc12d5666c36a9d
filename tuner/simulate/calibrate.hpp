// SPDX-License-Identifier: MIT
// A machine to simulate, from a run that measured a real one: links by the fitted cost model of a network,
// overheads by the messages of two ranks, noise by the spread of the samples.
#pragma once

#include "prediction.hpp"
#include "saved_run.hpp"
#include "topology.hpp"

namespace tuner {

struct CalibratedPlatform {
    Topology topology;  // a star: a run cannot see what is behind the interfaces
    SimulatedMachine machine;
};

// `network`: of the run; empty: the only one. `nodes`: as many; 0: as the cluster has. Throws an Error if the
// run does not determine the model.
CalibratedPlatform calibrated_from(const SavedRun& run, const std::string& network, int nodes);

// What the samples of searched cases show
Noise noise_of(const RunData& run, const std::string& network);

}  // namespace tuner
