// SPDX-License-Identifier: MIT
#include "markdown.hpp"

#include <fmt/format.h>

#include "page.hpp"
#include "svg.hpp"
#include "units.hpp"

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
        text += fmt::format("**{}** where a rule applies: geometric mean of {} verified sizes.\n\n",
                            percent_label(gains.geometric_mean), gains.proofs.size());
        text += proof_line("best", *gains.proofs.front()) + proof_line("worst", *gains.proofs.back());
    } else if (!data.config.rules.empty()) {
        text +=
            fmt::format("**{}** where a rule applies, not verified.\n", percent_label(gains.mean_of_changed));
    } else {
        text += data.has_config ? "No rules: no algorithm is significantly faster than the default.\n"
                                : "No rules have been decided yet.\n";
    }
    text += fmt::format("- {} rules; {} of {} measured sizes change\n", data.config.rules.size(),
                        gains.changed_sizes, gains.sizes);
    for (const Problem& problem : data.problems) {
        text += "- note: " + markdown_text(problem.what) +
                (problem.remedy.empty() ? "" : " `" + problem.remedy + "`") + "\n";
    }
    if (!data.config.rules.empty()) {
        text += rules(data);
        const HowTo how_to = how_to_use(data).front();
        text += fmt::format("\n{}:\n\n```sh\n{}\n```\n", markdown_text(how_to.title), how_to.lines);
    }
    text += fmt::format("\nMeasured {} with {} cases; the measured calls took {}; plan {}; {}.\n",
                        data.manifest.created.substr(0, 10), data.cases, seconds_text(data.benchmark_seconds),
                        markdown_text(data.plan.name), markdown_text(data.config.library.substr(0, 60)));
    return text;
}

}  // namespace tuner::report
