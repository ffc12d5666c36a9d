// SPDX-License-Identifier: MIT
// The first section of the page: what was gained, what to type, what was not improved and why.
#include <fmt/format.h>

#include <algorithm>

#include "html.hpp"
#include "page.hpp"
#include "summary.hpp"
#include "units.hpp"
#include "verdict.hpp"

namespace tuner::report {

namespace {

std::string range_text(std::size_t from, std::size_t to) {
    return from == to ? bytes_text(from)
                      : bytes_text(from) + " to " + (to == no_end ? "any" : bytes_text(to));
}

std::string percent_interval(double gain, const models::Interval& interval) {
    return fmt::format("{} ({} to {})", percent_label(1 + gain), percent_label(1 + interval.low),
                       percent_label(1 + interval.high));
}

void headline_number(Html& html, const std::string& number, const std::string& what) {
    html.raw("<div>");
    html.element("b", number);
    html.element("span", what);
    html.raw("</div>");
}

std::string proof_text(const Proof& proof) {
    return fmt::format("{} of {} bytes with {}, {} {}", collective_label(proof.cell), bytes_text(proof.bytes),
                       proof.algorithm, proof.cell.network, to_string(proof.cell.layout));
}

void headline(Html& html, const ReportData& data) {
    const Gains& gains = data.gains;
    html.raw("<div class=\"headline\">");
    if (data.plan.collectives.empty()) {
        headline_number(html, "messages",
                        fmt::format("{} cases were measured; see the section of messages", data.cases));
    } else if (!data.has_config) {
        headline_number(html, "not decided yet", fmt::format("{} cases were measured", data.cases));
    } else if (data.config.rules.empty()) {
        headline_number(html, "no rules", reason_for_no_rules(data.config));
    } else if (gains.proofs.empty()) {
        headline_number(
            html, percent_label(gains.mean_of_changed),
            fmt::format("faster where a rule applies, at {} of {} measured sizes, NOT VERIFIED: geometric "
                        "mean of these sizes, which were used for deciding",
                        gains.changed_sizes, gains.sizes));
    } else {
        headline_number(
            html, percent_label(gains.geometric_mean),
            fmt::format(
                "faster where a rule applies, at {} of {} measured sizes: geometric mean of {} sizes in new "
                "jobs, default and tuned measured in pairs",
                gains.changed_sizes, gains.sizes, gains.proofs.size()));
        headline_number(html, percent_label(gains.proofs.front()->ratio.ratio),
                        "the best: " + proof_text(*gains.proofs.front()));
        headline_number(html, percent_label(gains.proofs.back()->ratio.ratio),
                        "the worst: " + proof_text(*gains.proofs.back()));
    }
    if (!data.config.rules.empty()) {
        headline_number(html, fmt::format("{}", data.config.rules.size()),
                        fmt::format("rule{}; at {} of {} measured sizes the library's default stays",
                                    data.config.rules.size() == 1 ? "" : "s",
                                    gains.sizes - gains.changed_sizes, gains.sizes));
    }
    html.raw("</div>");
}

// What 4x2 means, by a layout of this run
void layouts_explained(Html& html, const ReportData& data) {
    if (data.places.empty()) {
        return;
    }
    const Layout layout =
        std::max_element(data.places.begin(), data.places.end(), [](const Place& a, const Place& b) {
            return a.layout.ranks() < b.layout.ranks();
        })->layout;
    const std::string rest =
        layout.is_even() ? "" : fmt::format(", {} fewer on the last node", layout.missing);
    const std::string mapping = layout.mapping == Mapping::block ? "" : ", placed round-robin";
    html.raw("<p class=\"layouts-explained\">");
    html.text(fmt::format("{} means {} node{} with {} rank{} on each{}{}: {} in all.", to_string(layout),
                          layout.nodes, layout.nodes == 1 ? "" : "s", layout.ppn, layout.ppn == 1 ? "" : "s",
                          rest, mapping, layout.ranks()));
    html.raw("</p>");
}

void better_network(Html& html, const ReportData& data) {
    for (const Comparison& comparison : data.comparisons) {
        html.raw("<p class=\"verdict\">");
        html.text(headline_of(verdict_of(comparison), side_label(comparison.a, comparison.b),
                              side_label(comparison.b, comparison.a)));
        html.raw(" <a href=\"#networks\">Networks compared</a></p>");
    }
}

void less_well(Html& html, const ReportData& data) {
    const std::vector<std::string> known = known_less_well(data);
    if (known.empty()) {
        return;
    }
    html.raw("<p class=\"less-well\">Known less well (<a href=\"#how\">how it was measured</a>):</p><ul>");
    for (const std::string& what : known) {
        html.element("li", what);
    }
    html.raw("</ul>");
}

void problems(Html& html, const ReportData& data) {
    if (data.problems.empty()) {
        return;
    }
    html.raw("<ul class=\"problems\">");
    for (const Problem& problem : data.problems) {
        html.raw("<li>");
        html.text(problem.what);
        if (!problem.remedy.empty()) {
            html.raw(" ");
            html.element("code", problem.remedy);
        }
        html.raw("</li>");
    }
    html.raw("</ul>");
}

void how_to_use_rules(Html& html, const ReportData& data) {
    const std::vector<HowTo> all = how_to_use(data);
    if (all.empty()) {
        return;
    }
    html.raw("<h3>How to use the rules</h3>");
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i == 1 && all.size() > 3) {
            html.raw("<details>");
            html.element("summary", fmt::format("Other layouts and networks, and an unpatched MPICH ({})",
                                                all.size() - 1));
        }
        html.raw(i == 0 ? "<details open>" : "<details>");
        html.element("summary", all[i].title);
        html.element("pre", all[i].lines);
        html.raw("</details>");
    }
    html.raw(all.size() > 3 ? "</details>" : "");
}

void rules(Html& html, const Context& context) {
    const ReportData& data = context.data;
    if (data.config.rules.empty()) {
        return;
    }
    Rows rows;
    for (const Rule& rule : data.config.rules) {
        const std::string tests = tests_of(rule);
        rows.push_back({rule.network, to_string(rule.where), rule.collective,
                        range_text(rule.from_bytes, rule.to_bytes), rule.algorithm,
                        tests.empty() ? rule.basis : rule.basis + ", " + tests,
                        percent_label(1 + rule.expected_gain),
                        data.config.verified ? percent_interval(rule.verified_gain, rule.verified_interval)
                                             : "not verified"});
    }
    html.raw(rows.size() <= 24 ? "<details open>" : "<details>");
    html.element("summary", fmt::format("The rules ({})", rows.size()));
    table(html,
          {{"network"},
           {"layout"},
           {"collective"},
           {"bytes"},
           {"algorithm"},
           {"basis"},
           {"expected gain", true},
           {"proven gain (95% interval)", true}},
          rows);
    html.raw("</details>");
    downloads(html, context.table_named("rules"));
    if (!data.proofs.empty()) {
        downloads(html, context.table_named("verification"));
        downloads_of_filled(html, context, {"arrivals", "flips"});
    }
}

void not_improved(Html& html, const Context& context) {
    const ReportData& data = context.data;
    Rows rows;
    for (const ReportCell& cell : data.cells) {
        if (cell.near_miss) {
            const NearMiss& miss = *cell.near_miss;
            rows.push_back({collective_label(cell.key), cell.key.network, to_string(cell.key.layout),
                            miss.algorithm.empty()
                                ? ""
                                : fmt::format("{} at {}: {}", miss.algorithm, bytes_text(miss.bytes),
                                              percent_label(miss.gain)),
                            miss.why});
        }
    }
    if (!rows.empty()) {
        html.raw(rows.size() <= 16 ? "<details open>" : "<details>");
        html.element("summary", fmt::format("Not improved, and why ({})", rows.size()));
        table(html,
              {{"collective"}, {"network"}, {"layout"}, {"best other algorithm"}, {"why it was not taken"}},
              rows);
        html.raw("</details>");
        downloads(html, context.table_named("not-improved"));
    }
    folded_list(html, "Rules that were narrowed or dropped when they were verified", data.config.notes);
}

}  // namespace

void answer(Html& html, const Context& context) {
    open_section(html, "answer", "Result");
    headline(html, context.data);
    layouts_explained(html, context.data);
    better_network(html, context.data);
    problems(html, context.data);
    less_well(html, context.data);
    how_to_use_rules(html, context.data);
    rules(html, context);
    not_improved(html, context);
    close_section(html);
}

}  // namespace tuner::report
