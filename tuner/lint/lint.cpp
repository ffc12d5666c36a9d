// SPDX-License-Identifier: MIT
#include "lint.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "collectives.hpp"
#include "device_layers.hpp"
#include "device_rules.hpp"
#include "emit.hpp"
#include "error.hpp"
#include "files.hpp"
#include "lint_coverage.hpp"
#include "mpi_library.hpp"
#include "plan.hpp"
#include "rules_at.hpp"
#include "schedule.hpp"

namespace tuner {

namespace {

constexpr std::size_t largest_rule_bytes =
    (std::size_t{1} << 31) - 1;                 // the libraries read numbers of 31 bits
constexpr std::size_t layouts_to_try = 64;      // of a range
constexpr int most_ranks_to_try = 1024 * 1024;  // each rank has a place in memory
using Findings = std::vector<Finding>;

std::vector<std::string> algorithms_of(std::string_view collective, models::Implementation library) {
    std::vector<std::string> names;
    for (const models::Algorithm& algorithm : models::algorithms(library)) {
        if (models::is_for(algorithm, collective)) {
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

bool works_on(const models::Algorithm& algorithm, const Layout& layout, std::size_t bytes) {
    const models::RankPlacement placement = placement_of(layout);
    return models::is_allowed(algorithm, {&placement, bytes});
}

// The smallest layouts of a range stand for all of them
void check_layouts(const Rule& rule, const models::Algorithm& algorithm, const std::string& place,
                   Findings& findings) {
    std::vector<Layout> layouts = smallest_layouts(rule.where, layouts_to_try);
    std::erase_if(layouts, [](const Layout& layout) { return layout.ranks() > most_ranks_to_try; });
    const auto fails = std::find_if(layouts.begin(), layouts.end(), [&](const Layout& layout) {
        return !works_on(algorithm, layout, std::min(rule.to_bytes, largest_rule_bytes));
    });
    if (fails != layouts.end()) {
        const bool is_range = !rule.where.single();
        findings.push_back(
            {is_range ? Severity::warning : Severity::error, place,
             fmt::format("{} {} does not work on {}", rule.collective, rule.algorithm, to_string(*fails)),
             is_range ? "the library uses its default there, and no rule behind this one"
                      : "the library would not use it; remove the rule"});
        return;
    }
    if (!layouts.empty() && !works_on(algorithm, layouts.front(), rule.from_bytes)) {
        findings.push_back(
            {Severity::warning, place,
             fmt::format("{} bytes have fewer elements than {} needs", rule.from_bytes, rule.algorithm),
             "the library uses its default for the smallest sizes; increase from_bytes"});
    }
}

void check_algorithm(const Config& config, const Rule& rule, const std::string& place, Findings& findings) {
    if (models::has_layers(rule.algorithm)) {
        if (const std::string problem = problem_with_layers(config, rule); !problem.empty()) {
            findings.push_back(
                {Severity::error, place, problem, "the library would not use it; remove the rule"});
        }
        return;
    }
    const models::Implementation library = library_of(config).models;
    std::vector<std::string> names = algorithms_of(rule.collective, library);
    if (names.empty()) {
        names = measured_algorithms(config, rule.collective);
    }
    const models::Algorithm* algorithm =
        models::find_algorithm(models::modelled_as(rule.collective), rule.algorithm, library);
    if (algorithm != nullptr && !models::is_for(*algorithm, rule.collective)) {
        algorithm = nullptr;
    }
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
    check_layouts(rule, *algorithm, place, findings);
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
        find_format(reads_tuning_files(config.library) ? "mpich" : rules_format_of(config));
    if (format.can_choose_for != nullptr && !format.can_choose_for(rule.collective)) {
        findings.push_back({Severity::warning, place,
                            fmt::format("the format {} cannot choose for {}", format.name, rule.collective),
                            "the rule is left out of the file, and the library uses its default"});
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

std::vector<Finding> lint_file(const std::string& file, const std::string& target) {
    const StockTarget& release = target.empty() ? stock_targets().front() : find_stock_target(target);
    try {
        const std::string text = read_file(file);
        if (is_selection_file(text)) {
            return lint_selection_file(text, release);
        }
        if (Json::parse(text, nullptr, false).contains("openmpi")) {
            return {{Severity::note, file,
                     "its rules are for Open MPI, and only the patched MPICH checks files here",
                     "check the run instead: changeover lint RUN/config.json"}};
        }
        const bool is_config = text.find(config_format) != std::string::npos;
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
