// SPDX-License-Identifier: MIT
#include "summary.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "command_lines.hpp"
#include "emit.hpp"
#include "mpi_library.hpp"
#include "saved_run.hpp"
#include "units.hpp"

namespace tuner {

namespace {

std::string percent(double ratio) {
    return fmt::format("{:+.0f}%", 100 * (ratio - 1));
}

std::string line_of(const Proof& proof) {
    return fmt::format("{} {} {} {}: {} ({} to {})", proof.cell.collective, bytes_text(proof.bytes),
                       to_string(proof.cell.layout), proof.algorithm, percent(proof.ratio.ratio),
                       percent(proof.ratio.interval.low), percent(proof.ratio.interval.high));
}

std::string rules_table(const Config& config) {
    std::size_t width = 10;  // of a layout; ranges are longer
    for (const Rule& rule : config.rules) {
        width = std::max(width, to_string(rule.where).size());
    }
    std::string text = fmt::format("{:<12} {:<{}} {:<20} {:>9} {:>9}  {:<38} {:>20}\n", "network", "layout",
                                   width, "collective", "from", "to", "algorithm", "gain (95% interval)");
    for (const Rule& rule : config.rules) {
        text += fmt::format(
            "{:<12} {:<{}} {:<20} {:>9} {:>9}  {:<38} {:>20}\n", rule.network, to_string(rule.where), width,
            rule.collective, bytes_text(rule.from_bytes),
            rule.to_bytes == no_end ? "any" : bytes_text(rule.to_bytes), rule.algorithm,
            fmt::format("{} ({} to {})", percent(1 + rule.verified_gain),
                        percent(1 + rule.verified_interval.low), percent(1 + rule.verified_interval.high)));
    }
    return text;
}

std::string verified_text(std::vector<const Proof*> proofs) {
    std::sort(proofs.begin(), proofs.end(),
              [](const Proof* x, const Proof* y) { return x->ratio.ratio > y->ratio.ratio; });
    double sum_of_logs = 0;
    for (const Proof* proof : proofs) {
        sum_of_logs += std::log(proof->ratio.ratio);
    }
    return fmt::format(
        "\nVerified at {} size{} in new jobs, default and tuned measured in pairs:\n"
        "  geometric mean  {}\n  best            {}\n  worst           {}\n",
        proofs.size(), proofs.size() == 1 ? "" : "s",
        percent(std::exp(sum_of_logs / static_cast<double>(proofs.size()))), line_of(*proofs.front()),
        line_of(*proofs.back()));
}

// Of sizes that were also tested with ranks that arrive apart
std::string arrivals_text(const std::vector<const Proof*>& proofs) {
    const std::pair<const std::string, models::Ratio>* least = nullptr;
    const Proof* at = nullptr;
    std::size_t sizes = 0;
    std::size_t flips = 0;
    for (const Proof* proof : proofs) {
        sizes += !proof->arrivals.empty();
        flips += std::any_of(proof->arrivals.begin(), proof->arrivals.end(),
                             [](const auto& of) { return of.second.interval.high < 1; });
        for (const auto& of : proof->arrivals) {
            if (least == nullptr || of.second.ratio < least->second.ratio) {
                least = &of;
                at = proof;
            }
        }
    }
    return least == nullptr
               ? ""
               : fmt::format(
                     "With ranks that arrive apart, where each rule gains least and at its smallest size "
                     "({} size{}):\n"
                     "  worst           {} {} {}: {} ({} to {}), arrival {}\n"
                     "  default faster  at {} of them, beyond noise, under one of the patterns\n",
                     sizes, sizes == 1 ? "" : "s", at->cell.collective, bytes_text(at->bytes),
                     to_string(at->cell.layout), percent(least->second.ratio),
                     percent(least->second.interval.low), percent(least->second.interval.high), least->first,
                     flips);
}

// `emit`, with what it has to be told if the run has several
std::vector<std::string> emit_words(const Config& config, const std::string& folder,
                                    const std::string& format, const std::string& network) {
    std::vector<std::string> words = {"emit", "--run", folder, "--format", format};
    if (networks_of(config).size() > 1) {
        words.insert(words.end(), {"--network", network});
    }
    return words;
}

// One that the rule holds for: the smallest of a range
Layout example_layout(const LayoutRange& where) {
    Layout smallest;
    smallest.nodes = where.nodes.first;
    smallest.ppn = std::max(where.ppn.first, (where.ranks.first + smallest.nodes - 1) / smallest.nodes);
    smallest.mapping = where.mapping.value_or(Mapping::block);
    return where.single().value_or(smallest);
}

// A comment and the line below it
std::string step(const std::string& purpose, const std::string& line) {
    return fmt::format("  # {}\n  {}\n", purpose, line);
}

std::string next_steps(const Config& config, const RunFiles& files, const std::string& folder) {
    const MpiLibrary& library = library_of(config);
    const Rule& rule = config.rules.front();
    const Layout layout = example_layout(rule.where);
    std::string text = "Next:\n";
    const bool has_file = reads_tuning_files(config.library) && config.verified;  // only then it is written
    const Environment::value_type file = {"MPIR_CVAR_COLL_TUNING_FILE", absolute_path(files.tuning())};
    if (has_file && !needs_network_name(config)) {
        text += step("use the rules in jobs", export_command({file}));
    } else if (has_file) {
        for (const std::string& network : networks_of(config)) {
            if (!has_rules(config, network)) {
                continue;  // no rule is for it
            }
            text += step("use the rules in a job on network " + network,
                         export_command({file, {"MPIR_CVAR_COLL_TUNING_NETWORK", network}}));
        }
    }
    if (library.has_thresholds) {
        std::vector<std::string> words = emit_words(config, folder, "env", rule.network);
        words.insert(words.end(), {"--layout", layout_option(layout)});
        text += step("print the thresholds for the environment of a job of " + to_string(layout),
                     changeover_command(words));
    }
    text += step(fmt::format("print the rules for {}", library.rules_title),
                 changeover_command(emit_words(config, folder, rules_format_of(config), rule.network)));
    if (const std::string format = second_format_of(config); !format.empty()) {
        text += step("and the file for coll/han, which takes calls across nodes first",
                     changeover_command(emit_words(config, folder, format, rule.network)));
    }
    if (!is_simulated(config)) {
        text += step("check that the library follows the rules",
                     changeover_command({"verify", "--run", folder, "--loaded"}));
    }
    text +=
        step("explain the choice for one call",
             changeover_command({"explain", files.config(), rule.collective, "--nodes",
                                 std::to_string(layout.nodes), "--ppn", std::to_string(layout.ppn), "--bytes",
                                 bytes_text(rule.to_bytes == no_end ? rule.from_bytes : rule.to_bytes)}));
    return text;
}

// Many that end alike, such as those of rules that the time was not enough for, are counted
std::string notes_text(const std::vector<std::string>& notes) {
    constexpr std::size_t few = 4;
    constexpr std::string_view dropped = " was dropped: ";
    std::map<std::string, std::size_t> counts;
    const auto reason_of = [&](const std::string& note) {
        const std::size_t at = note.find(dropped);
        return at == std::string::npos ? note : note.substr(at + dropped.size());
    };
    for (const std::string& note : notes) {
        ++counts[reason_of(note)];
    }
    std::string text;
    for (const std::string& note : notes) {
        std::size_t& count = counts[reason_of(note)];
        if (count > few) {
            text += fmt::format("  note            {} rules such as {} were dropped: {}\n", count,
                                note.substr(0, note.find(dropped)), reason_of(note));
        } else if (count > 0) {
            text += "  note            " + note + "\n";
            continue;
        }
        count = 0;
    }
    return text;
}

}  // namespace

std::string reason_for_no_rules(const Config& config) {
    if (const std::string why = why_not_determined(config.notes); !why.empty()) {
        return fmt::format("not determined: {}; whether the library's default is good is not known", why);
    }
    return "no algorithm is significantly faster than the library's default on this cluster";
}

std::string summary_text(const Config& config, const std::vector<Proof>& proofs, const Costs& costs,
                         const std::string& folder) {
    std::string text;
    if (is_simulated(config)) {
        text +=
            "SIMULATED: all times are computed by SimGrid for a platform file; no machine was measured.\n";
    }
    if (config.rules.empty()) {
        text += fmt::format("No rules: {}.\n", reason_for_no_rules(config));
    } else {
        text += fmt::format("{} rule{}; everywhere else the library's default stays.\n\n",
                            config.rules.size(), config.rules.size() == 1 ? "" : "s");
        text += rules_table(config);
    }
    if (const std::vector<const Proof*> counting = proofs_that_count(config, proofs); !counting.empty()) {
        text += verified_text(counting) + arrivals_text(counting);
    }
    text += notes_text(config.notes);
    text += fmt::format("\nMeasured {} cases; the measured calls took {}.\n", costs.cases,
                        seconds_text(costs.benchmark_seconds));
    if (!config.rules.empty()) {
        text += next_steps(config, RunFiles(folder), folder);
    }
    return text;
}

}  // namespace tuner
