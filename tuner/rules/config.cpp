// SPDX-License-Identifier: MIT
#include "config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "command.hpp"
#include "error.hpp"
#include "mpi_library.hpp"
#include "planned_sizes.hpp"
#include "rule_names.hpp"

namespace tuner {

namespace {

constexpr int format_version = 1;
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

// null means unknown
double number_from(const CheckedJson& json) {
    return json.json().is_null() ? std::numeric_limits<double>::quiet_NaN() : json.number();
}

Json interval(const models::Interval& value) {
    return Json::array({number_or_null(value.low), number_or_null(value.high)});
}

models::Interval rule_interval(const CheckedJson& json) {
    const std::vector<CheckedJson> ends = json.list();
    if (ends.size() != 2) {
        json.fail("expected [low, high], got " + json.json().dump());
    }
    return {number_from(ends[0]), number_from(ends[1])};
}

// text() of CheckedJson, but it may be empty
std::string any_text(const CheckedJson& json) {
    return json.json() == "" ? "" : json.text();
}

// Runs of version 0.1 with Open MPI have a null character behind its version
std::string library_from(const CheckedJson& json) {
    if (!json.json().is_string()) {
        return json.text();  // which fails
    }
    const auto text = json.json().get<std::string>();
    return text.substr(0, text.find('\0'));
}

std::vector<CheckedJson> any_list(const CheckedJson& json) {
    return json.json() == Json::array() ? std::vector<CheckedJson>{} : json.list();
}

// Written only if they are known
constexpr std::pair<const char*, int Rule::*> numbers_of_tests[] = {{"tested_layouts", &Rule::tested_layouts},
                                                                    {"tested_cells", &Rule::tested_cells}};

std::size_t bytes_from(const CheckedJson& json) {
    return static_cast<std::size_t>(json.integer(0, largest));
}

Json to_json(const Rule& rule) {
    Json json = {{"network", rule.network}};
    add_layout_range(json, rule.where);
    json.update({{"collective", rule.collective},
                 {"operation", rule.operation},
                 {"from_bytes", rule.from_bytes},
                 {"to_bytes", rule.to_bytes == no_end ? Json(nullptr) : Json(rule.to_bytes)},
                 {"algorithm", rule.algorithm},
                 {"from_interval", interval(rule.from_interval)},
                 {"expected_gain", number_or_null(rule.expected_gain)},
                 {"worst_loss", number_or_null(rule.worst_loss)},
                 {"verified_gain", number_or_null(rule.verified_gain)},
                 {"verified_interval", interval(rule.verified_interval)},
                 {"basis", rule.basis}});
    for (const auto& [key, member] : numbers_of_tests) {
        if (rule.*member != 0) {
            json[key] = rule.*member;
        }
    }
    if (rule.changes_bits) {
        json["changes_bits"] = *rule.changes_bits;
    }
    return json;
}

Rule rule_from(const CheckedJson& json) {
    json.only_keys({"network",       "nodes",          "ppn",           "uneven",
                    "mapping",       "ranks",          "collective",    "operation",
                    "from_bytes",    "to_bytes",       "algorithm",     "from_interval",
                    "expected_gain", "worst_loss",     "verified_gain", "verified_interval",
                    "basis",         "tested_layouts", "tested_cells",  "changes_bits"});
    Rule rule;
    rule.network = network_name(json.at("network"));
    rule.where = layout_range_from(json);
    rule.collective = collective_name(json.at("collective"));
    rule.operation = operation_name(json.at("operation"));
    rule.from_bytes = bytes_from(json.at("from_bytes"));
    const CheckedJson to = json.at("to_bytes");
    rule.to_bytes = to.json().is_null() ? no_end : bytes_from(to);
    rule.algorithm = algorithm_name(json.at("algorithm"));
    rule.from_interval = rule_interval(json.at("from_interval"));
    rule.expected_gain = number_from(json.at("expected_gain"));
    rule.worst_loss = number_from(json.at("worst_loss"));
    rule.verified_gain = number_from(json.at("verified_gain"));
    rule.verified_interval = rule_interval(json.at("verified_interval"));
    rule.basis = any_text(json.at("basis"));
    for (const auto& [key, member] : numbers_of_tests) {
        if (json.has(key)) {
            rule.*member = static_cast<int>(json.at(key).integer(0, std::numeric_limits<int>::max()));
        }
    }
    if (json.has("changes_bits")) {
        rule.changes_bits = json.at("changes_bits").boolean();
    }
    return rule;
}

Knob knob_from(const CheckedJson& json) {
    json.only_keys({"network", "variable", "value", "gain", "interval"});
    return {network_name(json.at("network")), variable_name(json.at("variable")),
            variable_value(json.at("value")), json.at("gain").number(), rule_interval(json.at("interval"))};
}

Json to_json(const std::vector<Rule>& rules) {
    Json list = Json::array();
    for (const Rule& rule : rules) {
        list.push_back(to_json(rule));
    }
    return list;
}

}  // namespace

bool is_predicted(const Rule& rule) {
    return rule.basis == "between" || rule.basis == "beyond";
}

std::string checksum_of_text(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;  // offset and prime of Fowler, Noll and Vo
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    return fmt::format("fnv1a-{:016x}", hash);
}

std::string checksum_of(const std::vector<Rule>& rules) {
    return checksum_of_text(to_json(rules).dump());
}

Json to_json(const Config& config) {
    Json json = {{"format", config_format},           {"version", format_version},
                 {"created", config.created},         {"run", config.run},
                 {"library", config.library},         {"algorithm_values", config.algorithm_values},
                 {"fingerprint", config.fingerprint}, {"verified", config.verified}};
    for (const auto& [name, marks] : config.network_marks) {
        json["networks"][name] = to_json(marks);
    }
    if (config.reproducible != models::Reproducible::any) {
        json["reproducible"] = models::to_string(config.reproducible);
    }
    if (config.max_memory > 0) {
        json["max_memory"] = config.max_memory;
    }
    if (!config.verification_checksum.empty()) {
        json["verification_checksum"] = config.verification_checksum;
    }
    for (const Knob& knob : config.knobs) {
        json["knobs"].push_back({{"network", knob.network},
                                 {"variable", knob.variable},
                                 {"value", knob.value},
                                 {"gain", knob.gain},
                                 {"interval", interval(knob.interval)}});
    }
    json.update(
        {{"notes", config.notes}, {"checksum", checksum_of(config.rules)}, {"rules", to_json(config.rules)}});
    return json;
}

Config config_from(const CheckedJson& json) {
    if (!json.has("format") || json.at("format").json() != config_format) {
        json.fail(
            fmt::format("not a configuration: expected \"format\": \"{}\"; give the config.json of a run",
                        config_format));
    }
    const CheckedJson version = json.at("version");
    if (version.json() != format_version) {
        version.fail(
            fmt::format("version {} is not supported, only {}; use the version of changeover that wrote it",
                        version.json().dump(), format_version));
    }
    json.only_keys({"format", "version", "created", "run", "library", "algorithm_values", "fingerprint",
                    "networks", "reproducible", "max_memory", "verified", "verification_checksum", "knobs",
                    "notes", "checksum", "rules"});
    Config config;
    config.created = any_text(json.at("created"));
    config.run = any_text(json.at("run"));
    config.library = library_from(json.at("library"));
    if (json.has("algorithm_values")) {
        check_algorithm_values(json.at("algorithm_values"));
        config.algorithm_values = json.at("algorithm_values").json();
    }
    check_fingerprint(json.at("fingerprint"));
    config.fingerprint = json.at("fingerprint").json();
    if (json.has("networks")) {
        config.network_marks = marks_from(json.at("networks"));
    }
    if (json.has("reproducible")) {
        config.reproducible = parsed(json.at("reproducible"), models::parse_reproducible);
    }
    if (json.has("max_memory")) {
        config.max_memory = bytes_from(json.at("max_memory"));
    }
    config.verified = json.at("verified").boolean();
    if (json.has("verification_checksum")) {
        config.verification_checksum = json.at("verification_checksum").text();
    }
    if (json.has("knobs")) {
        for (const CheckedJson& knob : json.at("knobs").list()) {
            config.knobs.push_back(knob_from(knob));
        }
    }
    for (const CheckedJson& note : any_list(json.at("notes"))) {
        config.notes.push_back(note.text());
    }
    config.checksum = json.at("checksum").text();
    for (const CheckedJson& rule : any_list(json.at("rules"))) {
        config.rules.push_back(rule_from(rule));
    }
    return config;
}

Config read_config(const std::string& file) {
    return config_from(CheckedJson::parse_file(file));
}

std::optional<Config> config_of(const RunFiles& files) {
    return std::filesystem::exists(files.config()) ? std::optional(read_config(files.config()))
                                                   : std::nullopt;
}

void require_decided(const RunFiles& files) {
    if (!std::filesystem::exists(files.config())) {
        load_manifest(files.folder());  // or it is no run at all
        throw usage_error(
            fmt::format("the run in {} has no rules yet: there is no config.json; decide first: changeover "
                        "decide --run {}",
                        files.folder(), shell_quoted(files.folder())));
    }
}

bool is_same_place(const Layout& a, const Layout& b) {
    const bool any_mapping = a.nodes == 1 || a.ppn == 1;
    return a.nodes == b.nodes && a.ppn == b.ppn && a.missing == b.missing &&
           (any_mapping || a.mapping == b.mapping);
}

const Rule* find_rule(const Config& config, const std::string& network, const Layout& layout,
                      const std::string& collective, std::size_t bytes) {
    const auto rule = std::find_if(config.rules.begin(), config.rules.end(), [&](const Rule& r) {
        return r.network == network && r.collective == collective && r.where.holds(layout) &&
               r.from_bytes <= bytes && bytes <= r.to_bytes;
    });
    return rule == config.rules.end() ? nullptr : &*rule;
}

const Rule* find_rule_in_job(const Config& config, const std::string& network, const Layout& layout,
                             const std::string& collective, std::size_t bytes) {
    const Rule* first = find_rule(config, network, layout, collective, bytes);
    for (const std::string& other : layout.nodes == 1 ? networks_of(config) : std::vector<std::string>{}) {
        const Rule* rule = find_rule(config, other, layout, collective, bytes);
        first = first == nullptr || (rule != nullptr && rule < first) ? rule : first;
    }
    return first;
}

namespace {

int openmpi_release(const Config& config) {  // 0: it is another library
    int major = 0;
    return std::sscanf(config.library.c_str(), "Open MPI v%d", &major) == 1 ? major : 0;
}

}  // namespace

bool is_simulated(const Config& config) {
    return std::string_view(library_of(config).name) == "simulated";
}

const MpiLibrary& library_of(const Config& config) {
    const std::string name = config.fingerprint.is_object() ? config.fingerprint.value("library", "") : "";
    const std::span<const MpiLibrary> all = mpi_libraries();
    const auto row = std::find_if(all.begin(), all.end(), [&](const MpiLibrary& library) {
        return name.empty() ? config.library.starts_with(library.version_start) : name == library.name;
    });
    return row == all.end() ? all.front() : *row;
}

std::string rules_format_of(const Config& config) {
    // 6.0 reads JSON; of the format before, it takes the numbers of ranks wrong (6.0.0rc2: those for 2 ranks
    // hold for 0 and 1)
    return openmpi_release(config) >= 6 ? "openmpi-json" : library_of(config).rules_format;
}

std::string second_format_of(const Config& config) {
    return openmpi_release(config) >= 5 ? "openmpi-han" : "";
}

std::string second_file_of(const std::string& file) {
    return file + ".han";
}

std::vector<std::string> networks_of(const Config& config) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            names.push_back(name);
        }
    };
    if (config.fingerprint.is_object() && config.fingerprint.contains("networks")) {
        for (const Json& name : config.fingerprint.at("networks")) {
            add(name.is_string() ? name.get<std::string>() : name.dump());
        }
    }
    for (const Rule& rule : config.rules) {
        add(rule.network);
    }
    return names;
}

std::vector<Layout> layouts_of(const Config& config, const std::string& network) {
    std::vector<Layout> layouts;
    for (const Rule& rule : config.rules) {
        const std::optional<Layout> own = rule.where.single();
        const auto is_same = [&](const Layout& layout) { return is_same_place(layout, *own); };
        if (rule.network == network && own && std::none_of(layouts.begin(), layouts.end(), is_same)) {
            layouts.push_back(*own);
        }
    }
    return layouts;
}

bool has_rules(const Config& config, const std::string& network) {
    return std::any_of(config.rules.begin(), config.rules.end(),
                       [&](const Rule& rule) { return rule.network == network; });
}

bool needs_network_name(const Config& config) {
    const std::vector<std::string> networks = networks_of(config);
    return networks.size() > 1 && std::any_of(networks.begin(), networks.end(), [&](const std::string& name) {
               const auto marks = config.network_marks.find(name);
               return has_rules(config, name) &&
                      (marks == config.network_marks.end() || marks->second.empty());
           });
}

bool has_rules(const Config& config, const std::string& network, const Layout& layout) {
    return std::any_of(config.rules.begin(), config.rules.end(),
                       [&](const Rule& rule) { return rule.network == network && rule.where.holds(layout); });
}

std::string chosen_network(const Config& config, const std::string& name) {
    const std::vector<std::string> names = networks_of(config);
    if (name.empty() && names.size() > 1) {
        throw usage_error(
            fmt::format("the configuration has several networks; name one of: {}", fmt::join(names, ", ")));
    }
    if (name.empty()) {
        return names.empty() ? "" : names.front();
    }
    // a configuration written by hand may name no network to check against
    if (!names.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
        throw usage_error(
            fmt::format("the configuration has no network '{}'; {}", name, suggestion(name, names)));
    }
    return name;
}

std::string size_range(const Rule& rule) {
    return rule.to_bytes == no_end ? fmt::format("from {} bytes on", rule.from_bytes)
                                   : fmt::format("{} to {} bytes", rule.from_bytes, rule.to_bytes);
}

std::string tests_of(const Rule& rule) {
    return rule.tested_layouts == 0 ? ""
                                    : fmt::format("tested on {} layout{}, {} cell{}", rule.tested_layouts,
                                                  rule.tested_layouts == 1 ? "" : "s", rule.tested_cells,
                                                  rule.tested_cells == 1 ? "" : "s");
}

}  // namespace tuner
