// SPDX-License-Identifier: MIT
// The tuning file of the patched MPICH: all networks and layouts of a run in one file. The library reads it
// through MPIR_CVAR_COLL_TUNING_FILE; mpich-patches/README.md documents the format. Preloaded libraries read
// it for an unpatched MPICH and for Open MPI, whose rules are in a section of their own.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "algorithm_name.hpp"
#include "device_rules.hpp"
#include "emit.hpp"
#include "error.hpp"
#include "mpi_library.hpp"
#include "quoting.hpp"
#include "units.hpp"

namespace tuner {

namespace {

// The value of `name` in a version line such as "MPICH Version: 4.0.2;MPICH Device: ch3:sock;..."; or nothing
std::string part_of_version(const std::string& library, const std::string& name) {
    const std::string key = "MPICH " + name + ": ";
    const std::size_t at = library.find(key);
    if (at == std::string::npos) {
        return "";
    }
    const std::size_t start = at + key.size();
    return library.substr(start, library.find(';', start) - start);
}

Json fingerprint_for_library(const Config& config) {
    Json fingerprint = Json::object();
    for (const auto& [key, name] : {std::pair("mpich", "Version"), std::pair("device", "Device")}) {
        if (const std::string value = part_of_version(config.library, name); !value.empty()) {
            fingerprint[key] = value;
        }
    }
    for (const char* key : {"processor", "cores"}) {
        if (config.fingerprint.contains(key)) {
            fingerprint[key] = config.fingerprint.at(key);
        }
    }
    return fingerprint;
}

// How a job recognizes each network; nothing: by its name only
Json marks_for_library(const Config& config, const std::vector<std::string>& networks) {
    Json all = Json::object();
    for (const std::string& name : networks) {
        const auto marks = config.network_marks.find(name);
        all[name] = marks == config.network_marks.end() ? Json::object() : to_json(marks->second);
    }
    return all;
}

// One number, [first, last] or [first, null]
Json range_for_library(const CountRange& range) {
    if (range.is_single()) {
        return range.first;
    }
    return Json::array({range.first, range.last == CountRange::no_last ? Json(nullptr) : Json(range.last)});
}

// What is any is left out. One node, and one rank on each, are both mappings.
void add_conditions(Json& json, const LayoutRange& where) {
    for (const auto& [key, range] :
         {std::pair("nodes", where.nodes), std::pair("ppn", where.ppn), std::pair("ranks", where.ranks)}) {
        if (!range.is_any()) {
            json[key] = range_for_library(range);
        }
    }
    const bool has_nodes = where.nodes.last > 1 && where.ppn.last > 1;
    if (where.uneven && has_nodes) {
        json["uneven"] = true;
    }
    if (where.mapping && has_nodes) {
        json["mapping"] = to_string(*where.mapping);
    }
}

// What the library does not read
Json info_of(const Rule& rule) {
    Json info = {{"basis", rule.basis}, {"verified_gain", rule.verified_gain}};
    if (rule.tested_layouts > 0) {
        info["tested_layouts"] = rule.tested_layouts;
        info["tested_cells"] = rule.tested_cells;
    }
    if (rule.changes_bits) {
        info["changes_bits"] = *rule.changes_bits;
    }
    return info;
}

// {"chunk_size": 8192, "k": 2} of chain:segment=8Ki:fanout=2, in the words that tuning files have
Json parameters_for_openmpi(const std::string& algorithm) {
    static const std::map<std::string, const char*> words = {{"segment", "chunk_size"}, {"fanout", "k"}};
    Json json = Json::object();
    for (const auto& [name, value] : models::AlgorithmName(algorithm).parameters) {
        const auto word = words.find(name);
        if (word == words.end()) {
            throw usage_error(
                fmt::format("a tuning file has no word for '{}' of Open MPI ({})", name, algorithm));
        }
        json[word->second] = parse_bytes(value);
    }
    return json;
}

// Ranks need not agree on the sizes of these, so that the reader refuses them, with the whole file
bool names_sizes(const std::string& collective) {
    static const std::vector<std::string> without = {"barrier", "alltoallv", "alltoallw", "gatherv",
                                                     "scatterv"};
    return std::none_of(without.begin(), without.end(), [&](const std::string& name) {
        return collective == name || collective == "i" + name;
    });
}

bool can_be_written(const Rule& rule) {
    return names_sizes(rule.collective) || (rule.from_bytes == 0 && rule.to_bytes == no_end);
}

// Without algorithm and parameters
Json conditions_for_library(const Rule& rule) {
    Json json = {{"collective", checked_utf8(rule.collective)}, {"network", checked_utf8(rule.network)}};
    add_conditions(json, rule.where);
    if (names_sizes(rule.collective)) {
        json["bytes"] = {rule.from_bytes, rule.to_bytes == no_end ? Json(nullptr) : Json(rule.to_bytes)};
    }
    if (!rule.operation.empty()) {
        json["operation"] = rule.operation;
    }
    return json;
}

Json rule_for_openmpi(const Rule& rule) {
    Json json = conditions_for_library(rule);
    const Json parameters = parameters_for_openmpi(checked_utf8(rule.algorithm));
    json["algorithm"] = models::AlgorithmName(rule.algorithm).algorithm;
    if (!parameters.empty()) {
        json["parameters"] = parameters;
    }
    json["info"] = info_of(rule);
    return json;
}

// The lists of rules, in the order of the file. A device has more layers than one; each library refuses the
// file of the other.
class Sections {
  public:
    explicit Sections(const Config& config)
        : config_(config), is_openmpi_(library_of(config).models == models::Implementation::openmpi) {
        rules_[is_openmpi_ ? "openmpi" : "mpir"] = Json::array();
    }

    void add(const Rule& rule) {
        if (is_openmpi_) {
            rules_["openmpi"].push_back(rule_for_openmpi(rule));
            return;
        }
        checked_utf8(rule.algorithm);
        Json written = conditions_for_library(rule);
        written["info"] = info_of(rule);
        for (SectionRule& added : rules_by_layer(config_, rule, written)) {
            Json& rules = added.rule.contains("part") ? parts_ : rules_;
            rules[added.section].push_back(std::move(added.rule));
        }
    }

    // One rule on each line, so that people can read and compare it
    std::string text() const {
        std::vector<std::string> lists;
        for (const char* section : {"mpir", "ch4", "posix", "openmpi"}) {
            if (!rules_.contains(section) && !parts_.contains(section)) {
                continue;
            }
            std::vector<std::string> lines;
            for (const Json* all : {&parts_, &rules_}) {
                const Json rules = all->value(section, Json::array());
                std::transform(rules.begin(), rules.end(), std::back_inserter(lines),
                               [](const Json& rule) { return "\n" + rule.dump(); });
            }
            lists.push_back(fmt::format("\"{}\": [{}\n]", section, fmt::join(lines, ",")));
        }
        return fmt::format("{}", fmt::join(lists, ",\n"));
    }

  private:
    const Config& config_;
    bool is_openmpi_;
    Json rules_ = Json::object();
    // Of parts, by section. They come first: rules of communicators are also for those of one node, and of
    // one process on each, which parts have.
    Json parts_ = Json::object();
};

}  // namespace

Json parameters_for_library(const std::string& algorithm) {
    // as mpich-patches/README.md lists them
    static const std::vector<std::string> numbers = {
        "k",          "scatterv_k", "allgatherv_k", "chunk_size", "buffer_per_child", "buffer_per_phase",
        "batch_size", "bblock",     "buffer_size",  "cells"};
    static const std::vector<std::string> trees = {"kary", "knomial_1", "knomial_2"};
    Json json = Json::object();
    try {
        for (const auto& [name, value] : models::AlgorithmName(algorithm).parameters) {
            if (name == "tree_type") {
                if (std::find(trees.begin(), trees.end(), value) == trees.end()) {
                    throw usage_error(fmt::format("'{}' is not a tree_type ({}); {}", value, algorithm,
                                                  suggestion(value, trees)));
                }
                json[name] = value;
            } else if (std::find(numbers.begin(), numbers.end(), name) != numbers.end()) {
                json[name] = parse_bytes(value);
            } else {
                throw usage_error(fmt::format("there is no parameter '{}' ({}); {}", name, algorithm,
                                              suggestion(name, numbers)));
            }
        }
    } catch (const std::invalid_argument& error) {
        throw usage_error(error.what());
    }
    return json;
}

bool reads_tuning_files(const std::string& library) {
    return library.find("changeover patches") != std::string::npos;
}

std::string emit_mpich(const Config& config, const EmitOptions& options) {
    const std::vector<std::string> networks =
        options.network.empty() ? networks_of(config) : std::vector{chosen_network(config, options.network)};
    std::for_each(networks.begin(), networks.end(), checked_utf8);
    Sections sections(config);
    for (const Rule& rule : config.rules) {
        if (std::find(networks.begin(), networks.end(), rule.network) == networks.end()) {
            continue;
        }
        if (can_be_written(rule)) {
            sections.add(rule);
        } else if (options.left_out != nullptr) {
            options.left_out->push_back(
                fmt::format("left out: {} {} {}: a tuning file cannot name sizes of this collective, on "
                            "which ranks need not agree",
                            rule.collective, size_range(rule), rule.algorithm));
        }
    }
    const std::vector<std::string> origin =
        origin_lines(config, fmt::format("{}", fmt::join(networks, ", ")));
    const Json file = {{"version", 1},
                       {"info",
                        {{"origin", origin[0]},
                         {"measured", origin[1]},
                         {"machine", config.fingerprint},
                         {"checksum", checksum_of(config.rules)}}},
                       {"fingerprint", fingerprint_for_library(config)},
                       {"networks", marks_for_library(config, networks)}};
    std::string text = "{\n";
    for (const auto& [key, value] : file.items()) {
        text += fmt::format("\"{}\": {},\n", key, value.dump(-1, ' ', false, Json::error_handler_t::replace));
    }
    return text + sections.text() + "\n}\n";
}

}  // namespace tuner
