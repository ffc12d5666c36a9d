// SPDX-License-Identifier: MIT
// A machine to simulate, from a run that measured a real one: links by the fitted cost model of a network and
// the messages of two ranks, noise by the spread of the samples. Where all nodes are one machine, what its
// shared cores do cannot be measured alone: parameters are searched for with which the simulated collectives
// are like the measured ones.
#pragma once

#include "prediction.hpp"
#include "progress.hpp"
#include "saved_run.hpp"
#include "topology.hpp"

namespace tuner {

struct CalibratedPlatform {
    Topology topology;  // a star: a run cannot see what is behind the interfaces
    SimulatedMachine machine;
    std::size_t simulated_times = 0;  // to which it was fitted by simulating them
    double median_error = 0;          // relative, of these times
};

// `network`: of the run; empty: the only one. `nodes`: as many; 0: as the cluster has. Throws an Error if the
// run does not determine the model, or if changeover-sim is needed and was not built.
CalibratedPlatform calibrated_from(const SavedRun& run, const std::string& network, int nodes,
                                   Progress& progress);

// What the samples of searched cases show
Noise noise_of(const RunData& run, const std::string& network);

}  // namespace tuner
