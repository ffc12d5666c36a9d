// SPDX-License-Identifier: MIT
#include "markdown.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "layout_maps.hpp"
#include "page.hpp"
#include "summary.hpp"
#include "svg.hpp"
#include "units.hpp"
#include "verdict.hpp"

namespace tuner::report {

namespace {

constexpr std::size_t most_rules = 40;  // trackers cut long comments

std::string proof_line(const char* which, const Proof& proof) {
    return fmt::format("- {}: {} ({} {}, {}, {} {})\n", which, percent_label(proof.ratio.ratio),
                       collective_label(proof.cell), bytes_text(proof.bytes), markdown_text(proof.algorithm),
                       markdown_text(proof.cell.network), to_string(proof.cell.layout));
}

std::string rules(const ReportData& data) {
    std::string text =
        "\n| network | layout | collective | bytes | algorithm | gain |\n|---|---|---|---|---|--:|\n";
    for (std::size_t i = 0; i < std::min(most_rules, data.config.rules.size()); ++i) {
        const Rule& rule = data.config.rules[i];
        text += fmt::format(
            "| {} | {} | {} | {} to {} | {} | {} |\n", markdown_text(rule.network), to_string(rule.where),
            rule.collective, bytes_text(rule.from_bytes),
            rule.to_bytes == no_end ? "any" : bytes_text(rule.to_bytes), markdown_text(rule.algorithm),
            data.config.verified ? fmt::format("{} ({} to {})", percent_label(1 + rule.verified_gain),
                                               percent_label(1 + rule.verified_interval.low),
                                               percent_label(1 + rule.verified_interval.high))
                                 : percent_label(1 + rule.expected_gain) + ", not verified");
    }
    if (data.config.rules.size() > most_rules) {
        text += fmt::format("\n... and {} more rules.\n", data.config.rules.size() - most_rules);
    }
    return text;
}

constexpr std::size_t most_maps = 12;

// Measured rules are bold, those beyond what was measured are italic
std::string field_text(const Rule* rule) {
    if (rule == nullptr) {
        return "-";
    }
    const char* mark = rule->basis == "measured" ? "**" : rule->basis == "between" ? "" : "*";
    return mark + markdown_text(rule->algorithm) + mark;
}

using FieldTexts = std::vector<std::vector<std::string>>;  // by ppn and nodes

FieldTexts texts_at(const LayoutMap& map, std::size_t size) {
    FieldTexts texts(map.ppn.size());
    for (std::size_t ppn = 0; ppn < map.ppn.size(); ++ppn) {
        for (std::size_t nodes = 0; nodes < map.nodes.size(); ++nodes) {
            texts[ppn].push_back(field_text(map.rule({size, ppn, nodes})));
        }
    }
    return texts;
}

// Neighbours that say the same become one step: tables stay narrow
template <class IsSame>
std::vector<std::pair<std::size_t, CountStep>> merged_steps(const std::vector<CountStep>& steps,
                                                            const IsSame& is_same) {
    std::vector<std::pair<std::size_t, CountStep>> merged;  // the position of the first
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (merged.empty() || !is_same(merged.back().first, i)) {
            merged.emplace_back(i, steps[i]);
        }
        merged.back().second.last = steps[i].last;
    }
    return merged;
}

std::string layout_table(const LayoutMap& map) {
    const std::size_t size = map.sizes.size() / 2;
    const FieldTexts texts = texts_at(map, size);
    const auto columns = merged_steps(map.nodes, [&](std::size_t a, std::size_t b) {
        return std::all_of(texts.begin(), texts.end(), [&](const auto& row) { return row[a] == row[b]; });
    });
    const auto rows =
        merged_steps(map.ppn, [&](std::size_t a, std::size_t b) { return texts[a] == texts[b]; });
    std::string head = "| ppn \\ nodes |";
    std::string line = "|--:|";
    for (const auto& [position, step] : columns) {
        head += " " + to_string(step) + " |";
        line += "---|";
    }
    std::string text =
        fmt::format("\n{} on {}, {} bytes{}:\n\n{}\n{}\n", map.collective, markdown_text(map.network),
                    bytes_text(map.sizes[size]), mapping_with(", ", map), head, line);
    for (const auto& [ppn, step] : rows) {
        text += "| " + to_string(step) + " |";
        for (const auto& [nodes, unused] : columns) {
            text += " " + texts[ppn][nodes] + " |";
        }
        text += "\n";
    }
    return text;
}

std::string layout_tables(const ReportData& data) {
    const std::vector<LayoutMap> maps = layout_maps(data);
    if (maps.empty()) {
        return "";
    }
    std::string text =
        "\nWhich algorithm on which layout (bold: measured; plain: between what was measured; italic: beyond "
        "it; -: the library's own choice):\n";
    for (std::size_t i = 0; i < std::min(most_maps, maps.size()); ++i) {
        text += layout_table(maps[i]);
    }
    return text +
           (maps.size() > most_maps ? fmt::format("\n... and {} more.\n", maps.size() - most_maps) : "");
}

}  // namespace

std::string markdown_text(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '\n' || c == '\r') {
            result += ' ';
            continue;
        }
        if (std::string_view("\\`*_{}[]<>()#+!|~&@").find(c) != std::string_view::npos) {
            result += '\\';
        }
        result += c;
    }
    return result;
}

std::string markdown_summary(const ReportData& data) {
    std::string text = fmt::format("## Tuned MPI collectives: {}\n\n", markdown_text(data.cluster.name));
    const Gains& gains = data.gains;
    if (!gains.proofs.empty()) {
        text += fmt::format(
            "**{}** where a rule applies, at {} of {} measured sizes: geometric mean of {} verified "
            "sizes.\n\n",
            percent_label(gains.geometric_mean), gains.changed_sizes, gains.sizes, gains.proofs.size());
        text += proof_line("best", *gains.proofs.front()) + proof_line("worst", *gains.proofs.back());
    } else if (!data.config.rules.empty()) {
        text +=
            fmt::format("**{}** where a rule applies, not verified.\n", percent_label(gains.mean_of_changed));
    } else {
        text += data.has_config ? fmt::format("No rules: {}.\n", reason_for_no_rules(data.config))
                                : "No rules have been decided yet.\n";
    }
    text += fmt::format("- {} rules; {} of {} measured sizes change\n", data.config.rules.size(),
                        gains.changed_sizes, gains.sizes);
    for (const Comparison& comparison : data.comparisons) {
        text += "- networks: " +
                markdown_text(headline_of(verdict_of(comparison), side_label(comparison.a, comparison.b),
                                          side_label(comparison.b, comparison.a))) +
                "\n";
    }
    for (const std::string& what : known_less_well(data)) {
        text += "- known less well: " + markdown_text(what) + "\n";
    }
    for (const Problem& problem : data.problems) {
        text += "- note: " + markdown_text(problem.what) +
                (problem.remedy.empty() ? "" : " `" + problem.remedy + "`") + "\n";
    }
    if (!data.config.rules.empty()) {
        text += rules(data) + layout_tables(data);
        const HowTo how_to = how_to_use(data).front();
        text += fmt::format("\n{}:\n\n```sh\n{}\n```\n", markdown_text(how_to.title), how_to.lines);
    }
    text += fmt::format("\nMeasured {} with {} cases; the measured calls took {}; plan {}; {}.\n",
                        data.manifest.created.substr(0, 10), data.cases, seconds_text(data.benchmark_seconds),
                        markdown_text(data.plan.name), markdown_text(data.config.library.substr(0, 60)));
    return text;
}

}  // namespace tuner::report
