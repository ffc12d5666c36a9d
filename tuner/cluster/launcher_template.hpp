// SPDX-License-Identifier: MIT
// A launcher as people describe it: its arguments with placeholders such as {ranks} and {hosts}, which are
// filled in for each job. Wrong ones are refused when the cluster file is read.
#pragma once

#include "checked_json.hpp"
#include "launcher.hpp"

namespace tuner {

// The key `launcher` of a cluster file
LauncherTemplate template_from(const CheckedJson& launcher);

// What the networks of a cluster need must be in it, too. `json`: the cluster file
void check_template(const CheckedJson& json, const Cluster& cluster);

// What it lacks for jobs of a layout, and what to do; empty: nothing
std::string template_problem(const LauncherTemplate& launcher, const Layout& layout);

Arguments filled_template(const LauncherTemplate& launcher, const Placing& placing, const Arguments& program);

}  // namespace tuner
