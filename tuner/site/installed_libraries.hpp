// SPDX-License-Identifier: MIT
// Which MPI libraries a node has: those whose programs are in the PATH.
#pragma once

#include <string>
#include <vector>

namespace tuner {

// "MPICH 4.0.2", "Open MPI 4.1.4": at most one of each kind
std::vector<std::string> installed_libraries();

// From the first line that such a program prints; empty: none that is known
std::string library_of_line(const std::string& line);

}  // namespace tuner
