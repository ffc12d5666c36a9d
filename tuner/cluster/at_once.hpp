// SPDX-License-Identifier: MIT
// Layouts that are measured as several communicators of a larger job, which call at the same time: the rows
// or the columns of its ranks. A row of a job of 4x2 may have the layout 2x2.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cluster.hpp"
#include "communicators.hpp"

namespace tuner {

// The layout that all of these communicators have in a job; nothing if they differ, or if there are none
std::optional<Layout> layout_of_each(const models::Communicators& communicators, const Layout& job);

// Divides the jobs of the cluster's layouts so, and measures the layouts of their parts in place of those.
// Where two ways lead to one layout, the first in the list and the largest job is taken. Throws an Error if
// nothing is left.
void measure_at_once(const std::vector<models::Communicators>& ways, Cluster& cluster);

std::string to_string(const AtOnce& part);  // 2x2: rows:2 of jobs of 4x2

}  // namespace tuner
