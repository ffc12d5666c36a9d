// SPDX-License-Identifier: MIT
// The command line of changeover-bench.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "process_sets.hpp"
#include "request.hpp"

namespace bench {

struct Options {
    Request request;
    SessionOptions session;
    std::string format = "table";
    std::vector<ProcessSet> process_sets;
    bool serve = false;
    bool list = false;
    bool version = false;

    // as they were written
    std::string sizes = "8:1Mi:x4";
    std::vector<std::string> algorithms = {"all"};
    std::string root = "0";
    std::string pairs;
    std::string communicators = "world";
    std::string arrival;
    std::vector<std::string> parameters;
    std::string interface;
    std::string memory;
    bool overlap = false;
    std::vector<std::string> schemes = {"time", "work"};
    std::vector<std::string> intervals = {"0"};
    std::string processes;
};

void define(CLI::App& app, Options& options);
// Collective. What the written values mean; throws std::invalid_argument with what would be right.
void interpret(Options& options, int argc, const char* const* argv);

}  // namespace bench
