// SPDX-License-Identifier: MIT
// The MPI libraries of this machine, by the launchers in the PATH, and how each can be tuned.
#pragma once

#include <string>
#include <vector>

#include "checked_json.hpp"

namespace tuner {

struct FoundMpi {
    std::string launcher;  // its real path
    std::string version;   // "MPICH 4.0.2"; empty: another program of such a name
    std::string library;   // as cluster files call it (mpi_library.hpp); empty: it cannot be tuned
    std::string how;       // it is given rules, in words
};

// Each launcher once, however many names it has; `path`: folders, as in the environment
std::vector<FoundMpi> found_mpis(const std::string& path);
FoundMpi found_mpi(const std::string& launcher);

// From what a launcher prints about its version
std::string version_of_launcher(const std::vector<std::string>& lines);

// The keys `launcher` and `mpi` of a cluster file for a library. Throws an Error if it cannot be tuned.
void use_mpi(const FoundMpi& found, Json& launcher, Json& mpi);

}  // namespace tuner
