// SPDX-License-Identifier: MIT
// What a configuration becomes: one format for each way in which a library can be told.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config.hpp"

namespace tuner {

struct EmitOptions {
    std::string network = {};           // empty: the only one; mpich: all
    std::optional<Layout> layout = {};  // env, module and openmpi; nothing: the only one (openmpi: all)
    // module: the file that mpich-stock wrote; openmpi-params: the one that openmpi wrote
    std::string rules_file = {};
    bool assume_commutative = false;  // openmpi: no program has operations that do not commute
    std::string tuning_file = {};     // module: the file that mpich wrote; without a file: thresholds
    std::string target = {};  // mpich-stock: release that reads the file; empty: the one that was measured
    std::vector<std::string>* left_out =
        nullptr;  // mpich-stock, openmpi-json: what the file cannot express, for the user
};

struct EmitFormat {
    const char* name;
    const char* purpose;
    std::string (*emit)(const Config& config, const EmitOptions& options);
    // Whether the format has words for the collective; nullptr: for all of them
    bool (*can_choose_for)(const std::string& collective) = nullptr;
};

std::span<const EmitFormat> emit_formats();
const EmitFormat& find_format(const std::string& name);  // throws an Error that lists them

std::string emit_env(const Config& config, const EmitOptions& options);
std::string emit_mpich(const Config& config, const EmitOptions& options);
bool reads_tuning_files(const std::string& library);  // by its version: what emit_mpich writes
// {"k": 4} of tsp_tree:k=4. Throws an Error for one that no algorithm of MPICH has.
Json parameters_for_library(const std::string& algorithm);
std::string emit_mpich_stock(const Config& config, const EmitOptions& options);
bool mpich_stock_can_choose_for(const std::string& collective);
std::string emit_openmpi(const Config& config, const EmitOptions& options);
bool openmpi_can_choose_for(const std::string& collective);
std::string emit_openmpi_json(const Config& config, const EmitOptions& options);
std::string emit_openmpi_han(const Config& config, const EmitOptions& options);
std::string emit_openmpi_params(const Config& config, const EmitOptions& options);
std::string emit_module(const Config& config, const EmitOptions& options);
std::string emit_knobs(const Config& config, const EmitOptions& options);

// That a layout gets no rule, and which do
std::string missing_rules_text(const Config& config, const std::string& network, const Layout& layout);

// For the formats: the layout of the options, whether it has rules or not, or else the only one that has.
// Throws an Error that lists them.
Layout chosen_layout(const Config& config, const std::string& network, const std::optional<Layout>& layout);

// Generator, run, date, fingerprint, checksum: one line each, of printable characters only
std::vector<std::string> origin_lines(const Config& config, const std::string& network);

// A variable to set, and lines for people above it
struct Setting {
    std::vector<std::string> comments;
    std::string variable;  // empty: only comments
    std::string value;
};

std::string exports(const std::vector<Setting>& settings);  // for shells

// The variables that were proven beside the rules
std::vector<Setting> knob_settings(const Config& config, const std::string& network);

// The thresholds for one layout, and what they cannot say
std::vector<Setting> threshold_settings(const Config& config, const std::string& network,
                                        const Layout& layout);

}  // namespace tuner
