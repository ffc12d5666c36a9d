// SPDX-License-Identifier: MIT
// A configuration: rules that say which algorithm to use where, and what they are based on. `config.json` of
// a run; everything that is emitted comes from it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cells.hpp"
#include "layout_range.hpp"
#include "network_marks.hpp"
#include "reproducible.hpp"
#include "saved_run.hpp"

namespace tuner {

// For sizes from `from_bytes` to `to_bytes`, both included, by the benchmark's definition of message size.
// Of several rules that hold for a call, the first one counts. Where none holds, the library's default stays.
struct Rule {
    std::string network;
    LayoutRange where;
    std::string collective;
    std::string operation;  // built-in: for built-in operations only; empty: the collective has none
    std::size_t from_bytes = 0;
    std::size_t to_bytes = 0;
    std::string algorithm;
    models::Interval from_interval = {0, 0};  // the changeover point is between these sizes
    double expected_gain = 0;                 // default / rule - 1 at the measured sizes, geometric mean
    double worst_loss = 0;                    // against the best algorithm, at any measured size
    // after verification: default / tuned - 1, paired, at sizes that were not used for deciding
    double verified_gain = 0;
    models::Interval verified_interval = {0, 0};
    // measured; model: beyond the largest measured size; between: inside of the layouts that were measured;
    // beyond: outside of them
    std::string basis;
    double worth = 0;  // for a range of layouts: gain of all jobs for the time of a proof; not kept in files
    // for a range of layouts: at how many of them, and at how many of their sizes, verification tested it
    int tested_layouts = 0;
    int tested_cells = 0;
    // Of a reduction: are its results other ones than the default's, bit for bit? Nothing: it is not known
    std::optional<bool> changes_bits = {};
};

// For layouts that were not measured, be it only one
bool is_predicted(const Rule& rule);

inline constexpr const char* config_format = "changeover-config";  // the name in its file

// A variable of the library that jobs on a network should set, as it was proven together with the rules
struct Knob {
    std::string network;
    std::string variable;
    std::string value;
    double gain = 0;  // without / with - 1, geometric mean of all sizes
    models::Interval interval = {0, 0};
    bool operator==(const Knob&) const = default;
};

struct Config {
    std::string created;    // UTC, ISO 8601
    std::string run;        // folder
    std::string library;    // version line of the MPI library
    Json algorithm_values;  // by collective and algorithm: the library's own number, if a file needs it
    Json fingerprint;       // of the run
    NetworkMarksByName network_marks;  // by which a job finds its network; of older runs, nothing
    models::Reproducible reproducible = models::Reproducible::any;  // what the rules keep
    std::size_t max_memory = 0;  // ... and on each rank, besides the buffers of calls; 0: no limit
    bool verified = false;
    // of the text of verification.json, which proves the rules; empty: not verified, or by an older version
    std::string verification_checksum = {};
    std::vector<Rule> rules;  // of one layout: by network, layout, collective, from_bytes; then ranges
    std::vector<Knob> knobs = {};
    std::vector<std::string> notes;  // for the user: what was dropped and why
    std::string checksum;            // as read from a file; to_json computes it
};

inline constexpr std::size_t no_end = static_cast<std::size_t>(-1);  // of to_bytes, in JSON null
inline const std::string built_in_operation = "built-in";            // of Rule::operation

Json to_json(const Config& config);
Config config_from(const CheckedJson& json);  // whatever its checksum says
Config read_config(const std::string& file);
std::optional<Config> config_of(const RunFiles& files);   // nothing: none was decided yet
void require_decided(const RunFiles& files);              // throws an Error that says how to decide
std::string checksum_of_text(std::string_view text);      // FNV-1a, 64 bits
std::string checksum_of(const std::vector<Rule>& rules);  // of the rules as JSON

// Where the mapping cannot matter (one node, or one rank on each) it is not compared.
bool is_same_place(const Layout& a, const Layout& b);

// The rule of a network for a call; nullptr: the library's default
const Rule* find_rule(const Config& config, const std::string& network, const Layout& layout,
                      const std::string& collective, std::size_t bytes);

// As the library of a job finds it: within one node there is no network, so that rules of all networks hold
const Rule* find_rule_in_job(const Config& config, const std::string& network, const Layout& layout,
                             const std::string& collective, std::size_t bytes);

struct MpiLibrary;
const MpiLibrary& library_of(const Config& config);  // that was measured
bool is_simulated(const Config& config);             // no machine was measured
std::string rules_format_of(const Config& config);   // of emit, for this version of the library
// Of a second file, FILE.han beside FILE: since Open MPI 5.0, calls across nodes go to coll/han first, which
// has to be told to leave those of the rules to coll/tuned. Empty: one file is enough.
std::string second_format_of(const Config& config);
std::string second_file_of(const std::string& file);

// What the run measured, by its fingerprint, and what there are rules for; without repetition
std::vector<std::string> networks_of(const Config& config);
// That a rule is for and names alone, in the order of the rules. Rules for ranges may hold for more.
std::vector<Layout> layouts_of(const Config& config, const std::string& network);
bool has_rules(const Config& config, const std::string& network);
// Must users say on which network a job runs? Not if there is one, or if the library recognizes each.
bool needs_network_name(const Config& config);
bool has_rules(const Config& config, const std::string& network, const Layout& layout);

// The network of that name; the only one if it is empty. Throws an Error that lists them.
std::string chosen_network(const Config& config, const std::string& name);

std::string size_range(const Rule& rule);  // 1024 to 4095 bytes; from 4096 bytes on
std::string tests_of(const Rule& rule);    // tested on 3 layouts, 12 cells; empty: it is not known

}  // namespace tuner
