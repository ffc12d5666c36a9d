// SPDX-License-Identifier: MIT
// What `doctor` asks a node before a long run: do its programs run, is it idle, is its clock right, is it as
// fast as the others, does it have the run directory?
#pragma once

#include <string>
#include <vector>

#include "checked_json.hpp"
#include "core_load.hpp"

namespace tuner {

struct HealthQuestions {
    std::string benchmark;  // its path
    std::string folder;     // of the run directory
    std::string marker;     // a file that was written there

    std::vector<std::string> as_arguments() const;  // of `changeover facts`
};

struct NodeHealth {
    std::string benchmark_problem;   // why it does not run; empty: it does
    std::string benchmark_checksum;  // of the file
    std::string library;             // MPI library that it is loaded with, with version
    std::string library_checksum;    // of its file
    CoreLoad load;
    std::vector<std::string> governors;  // of the cores' frequency; each once
    double clock = 0;                    // seconds since 1970
    double work_us = 0;                  // time of a fixed piece of work
    std::string writing_problem;         // why the folder cannot be written; empty: it can
    bool sees_marker = false;
};

NodeHealth health_of_this_node(const HealthQuestions& questions);
Json to_json(const NodeHealth& health);
NodeHealth health_from(const Json& json);  // throws std::exception

double now_in_seconds();  // since 1970

}  // namespace tuner
