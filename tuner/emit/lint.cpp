// SPDX-License-Identifier: MIT
#include "lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "collectives.hpp"
#include "emit.hpp"
#include "error.hpp"
#include "files.hpp"
#include "mpi_library.hpp"
#include "plan.hpp"
#include "schedule.hpp"

namespace tuner {

namespace {

constexpr std::size_t largest_rule_bytes =
    (std::size_t{1} << 31) - 1;  // the libraries read numbers of 31 bits
using Findings = std::vector<Finding>;

std::vector<std::string> algorithms_of(std::string_view collective, models::Implementation library) {
    std::vector<std::string> names;
    for (const models::Algorithm& algorithm : models::algorithms(library)) {
        if (algorithm.collective == collective) {
            names.emplace_back(algorithm.name);
        }
    }
    return names;
}

// Names that the library that was measured gave, for collectives without models
std::vector<std::string> measured_algorithms(const Config& config, const std::string& collective) {
    std::vector<std::string> names;
    if (config.algorithm_values.contains(collective)) {
        for (const auto& [name, value] : config.algorithm_values.at(collective).items()) {
            names.push_back(name);
        }
    }
    return names;
}

// The library that was measured has it, by whatever parameters
bool has_number(const Config& config, const Rule& rule) {
    const std::vector<std::string> names = measured_algorithms(config, rule.collective);
    return std::find(names.begin(), names.end(), rule.algorithm.substr(0, rule.algorithm.find(':'))) !=
           names.end();
}

// In a tuning file; a name that is no name at all is found here, too
void check_parameters(const Config& config, const Rule& rule, const std::string& place, Findings& findings) {
    if (!reads_tuning_files(config.library)) {
        return;
    }
    try {
        parameters_for_library(rule.algorithm);
    } catch (const Error& error) {
        findings.push_back(
            {Severity::error, place, error.what(), "the library would reject the rule; correct it"});
    }
}

void check_algorithm(const Config& config, const Rule& rule, const std::string& place, Findings& findings) {
    const models::Implementation library = library_of(config).models;
    const std::string_view collective = models::modelled_as(rule.collective);
    std::vector<std::string> names = algorithms_of(collective, library);
    if (names.empty()) {
        names = measured_algorithms(config, rule.collective);
    }
    const models::Algorithm* algorithm = models::find_algorithm(collective, rule.algorithm, library);
    if (algorithm == nullptr && has_number(config, rule)) {
        check_parameters(config, rule, place, findings);
        return;  // it exists, but nothing is known of it
    }
    const std::vector<std::string> collectives = names_of_collectives();
    if (std::find(collectives.begin(), collectives.end(), rule.collective) == collectives.end()) {
        findings.push_back({Severity::error, place,
                            fmt::format("there is no collective '{}'", rule.collective),
                            suggestion(rule.collective, collectives)});
        return;
    }
    if (algorithm == nullptr) {
        findings.push_back({Severity::error, place,
                            fmt::format("{} has no algorithm '{}'", rule.collective, rule.algorithm),
                            suggestion(rule.algorithm, names)});
        return;
    }
    const models::RankPlacement layout = placement_of(rule.layout);
    models::Call call{&layout, std::min(rule.to_bytes, largest_rule_bytes)};
    if (!models::is_allowed(*algorithm, call)) {
        findings.push_back({Severity::error, place,
                            fmt::format("{} {} does not work on {}", rule.collective, rule.algorithm,
                                        to_string(rule.layout)),
                            "the library would not use it; remove the rule"});
        return;
    }
    call.bytes = rule.from_bytes;
    if (!models::is_allowed(*algorithm, call)) {
        findings.push_back(
            {Severity::warning, place,
             fmt::format("{} bytes have fewer elements than {} needs", rule.from_bytes, rule.algorithm),
             "the library uses its default for the smallest sizes; increase from_bytes"});
    }
}

void check_sizes(const Rule& rule, const std::string& place, Findings& findings) {
    if (rule.from_bytes > rule.to_bytes) {
        findings.push_back({Severity::error, place,
                            fmt::format("the range of sizes is empty ({})", size_range(rule)),
                            "from_bytes must be at most to_bytes"});
    }
    const bool is_over = rule.from_bytes > largest_rule_bytes ||
                         (rule.to_bytes > largest_rule_bytes && rule.to_bytes != no_end);
    if (is_over) {
        findings.push_back({Severity::error, place,
                            fmt::format("sizes of 2 GiB and more ({})", size_range(rule)),
                            "the libraries compare 31-bit sizes; write null for no upper limit"});
    }
}

void check_operation(const Rule& rule, const std::string& place, Findings& findings) {
    const std::string wanted = has_operation(rule.collective) ? built_in_operation : "";
    if (rule.operation != wanted) {
        findings.push_back({Severity::error, place,
                            fmt::format("the operation of {} is '{}'", rule.collective, rule.operation),
                            fmt::format("write \"{}\"", wanted)});
    }
}

// In the file that the library reads; what has no words there is left out when it is written.
void check_format(const Config& config, const Rule& rule, const std::string& place, Findings& findings) {
    const EmitFormat& format =
        find_format(reads_tuning_files(config.library) ? "mpich" : library_of(config).rules_format);
    if (format.can_choose_for != nullptr && !format.can_choose_for(rule.collective)) {
        findings.push_back({Severity::warning, place,
                            fmt::format("the format {} cannot choose for {}", format.name, rule.collective),
                            "the rule is left out of the file, and the library uses its default"});
    }
}

bool overlap(const Rule& a, const Rule& b) {
    return a.network == b.network && a.collective == b.collective && a.operation == b.operation &&
           is_same_place(a.layout, b.layout) && a.from_bytes <= b.to_bytes && b.from_bytes <= a.to_bytes;
}

// The first rule that holds is used, so a later one may never be.
void check_overlaps(const std::vector<Rule>& rules, Findings& findings) {
    for (std::size_t i = 0; i < rules.size(); ++i) {
        for (std::size_t earlier = 0; earlier < i; ++earlier) {
            const Rule& a = rules[earlier];
            const Rule& b = rules[i];
            if (!overlap(a, b)) {
                continue;
            }
            const bool hidden = a.from_bytes <= b.from_bytes && b.to_bytes <= a.to_bytes;
            const std::string place = fmt::format("rules[{}]", i);
            if (hidden) {
                findings.push_back({Severity::error, place,
                                    fmt::format("it is never used: rules[{}] has all of its sizes", earlier),
                                    "remove one of them"});
            } else {
                findings.push_back({Severity::warning, place,
                                    fmt::format("rules[{}] has some of its sizes", earlier),
                                    "let it start where the other one ends"});
            }
        }
    }
}

constexpr const char* defaults_stay = "the library uses its default";

// Sizes between the rules of a collective on a layout
void check_gaps(std::vector<Rule> rules, const std::string& place, Findings& findings) {
    if (rules.empty()) {
        findings.push_back({Severity::note, place, "no rules", defaults_stay});
        return;
    }
    std::sort(rules.begin(), rules.end(),
              [](const Rule& a, const Rule& b) { return a.from_bytes < b.from_bytes; });
    std::size_t next = 1;
    for (const Rule& rule : rules) {
        if (rule.from_bytes > next) {
            findings.push_back({Severity::note, place,
                                fmt::format("no rule for {} to {} bytes", next, rule.from_bytes - 1),
                                defaults_stay});
        }
        next = rule.to_bytes == no_end ? no_end : std::max(next, rule.to_bytes + 1);
    }
    if (next != no_end) {
        findings.push_back(
            {Severity::note, place, fmt::format("no rule from {} bytes on", next), defaults_stay});
    }
}

// What was tuned on one layout is expected on all of them
void check_network(const Config& config, const std::string& network, Findings& findings) {
    std::map<std::string, std::vector<Rule>> by_collective;
    for (const Rule& rule : config.rules) {
        if (rule.network == network) {
            by_collective[rule.collective].push_back(rule);
        }
    }
    if (by_collective.empty() && !config.rules.empty()) {
        findings.push_back({Severity::note, network, "no rules for this network", defaults_stay});
    }
    for (const auto& [collective, rules] : by_collective) {
        for (const Layout& layout : layouts_of(config, network)) {
            std::vector<Rule> here;
            std::copy_if(rules.begin(), rules.end(), std::back_inserter(here),
                         [&](const Rule& rule) { return is_same_place(rule.layout, layout); });
            check_gaps(std::move(here), fmt::format("{}, {}, {}", network, to_string(layout), collective),
                       findings);
        }
    }
}

void check_coverage(const Config& config, Findings& findings) {
    if (config.rules.empty()) {
        findings.push_back({Severity::note, "rules", "the configuration has none", defaults_stay});
    }
    for (const std::string& network : networks_of(config)) {
        check_network(config, network, findings);
    }
}

}  // namespace

const char* to_string(Severity severity) {
    constexpr const char* names[] = {"note", "warning", "error"};
    return names[static_cast<std::size_t>(severity)];
}

std::vector<Finding> lint(const Config& config) {
    Findings findings;
    if (!config.checksum.empty() && config.checksum != checksum_of(config.rules)) {
        findings.push_back(
            {Severity::warning, "checksum", "does not match the rules: the file was edited or is damaged",
             "if you did not edit the file, write it again: changeover decide, changeover verify"});
    }
    if (!config.verified) {
        findings.push_back({Severity::warning, "verified", "the rules were not verified against the default",
                            "run 'changeover verify'"});
    }
    for (std::size_t i = 0; i < config.rules.size(); ++i) {
        const std::string place = fmt::format("rules[{}]", i);
        check_algorithm(config, config.rules[i], place, findings);
        check_sizes(config.rules[i], place, findings);
        check_operation(config.rules[i], place, findings);
        check_format(config, config.rules[i], place, findings);
    }
    check_overlaps(config.rules, findings);
    check_coverage(config, findings);
    return findings;
}

std::vector<Finding> lint_file(const std::string& file) {
    try {
        const bool is_config = read_file(file).find(config_format) != std::string::npos;
        return is_config ? lint(read_config(file)) : lint_tuning_file(file);
    } catch (const Error& error) {
        return {{Severity::error, file, error.what(), "nothing else was checked"}};
    }
}

std::string to_text(const Finding& finding) {
    return fmt::format("{}: {}: {}; {}", to_string(finding.severity), finding.place, finding.problem,
                       finding.remedy);
}

int exit_code(const std::vector<Finding>& findings) {
    return std::any_of(findings.begin(), findings.end(),
                       [](const Finding& finding) { return finding.severity == Severity::error; })
               ? 1
               : 0;
}

}  // namespace tuner
