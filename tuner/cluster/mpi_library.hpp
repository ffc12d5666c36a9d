// SPDX-License-Identifier: MIT
// The MPI libraries that can be tuned, one row for each: which benchmark runs with it, what can be emitted
// for it, and what makes it read a file with rules. How its algorithms are chosen is the benchmark's
// business.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "command.hpp"
#include "schedule.hpp"

namespace tuner {

struct MpiLibrary {
    const char* name;           // in cluster files
    const char* family;         // what a launcher can start
    const char* version_start;  // of MPI_Get_library_version
    const char* version_mark;   // somewhere in what the benchmark says of the library; empty: nothing
    const char* benchmark;      // the program, beside this one
    // The format (emit.hpp) of a file with rules for the library, how such a file's name ends, and what makes
    // jobs on a network follow it
    const char* rules_format;
    const char* rules_suffix;
    Environment (*environment)(const std::string& file, const std::string& network);
    models::Implementation models;  // of its algorithms
    bool has_thresholds;            // emit's env; and what it chooses by itself is known
    const char* rules_title;        // of instructions for people
};

std::span<const MpiLibrary> mpi_libraries();
std::vector<std::string> names_of_libraries();
const MpiLibrary& find_library(const std::string& name);  // which must be there

// What makes the benchmark with the patched MPICH, also where it asks for the default, follow a tuning file
Environment environment_of_tuning_file(const std::string& file, const std::string& network);

// What makes jobs of a library without the patches read a file of an emit format; nothing for other formats
std::optional<Environment> environment_of_format(const std::string& format, const std::string& file);

std::string beside_this_program(const char* name);  // path of a file in the folder of this program

}  // namespace tuner
