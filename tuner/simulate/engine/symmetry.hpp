// SPDX-License-Identifier: MIT
// Where all nodes are alike, and all their ranks do the same, one node is enough: what it receives is what it
// sends, at the same times. As many links are shared by as many messages as if all nodes were played.
#pragma once

#include <optional>

#include "player.hpp"
#include "representatives.hpp"

namespace tuner {

// The ranks of one node; nothing: all have to be played
std::optional<models::Representatives> alike_in(const SimulatedJob& job, const models::Schedule& schedule,
                                                Pace pace);

}  // namespace tuner
