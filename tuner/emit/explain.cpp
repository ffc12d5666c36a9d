// SPDX-License-Identifier: MIT
#include "explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "device_rules.hpp"
#include "error.hpp"
#include "keep_memory.hpp"
#include "mpi_library.hpp"
#include "plan.hpp"
#include "rules_at.hpp"
#include "schedule.hpp"
#include "thresholds.hpp"
#include "units.hpp"

namespace tuner {

namespace {

constexpr std::size_t layouts_to_compare = 10000;  // of ranges, to find the nearest

// In doublings of the ranks, and of the ranks of a node
double distance(const Layout& a, const Layout& b) {
    return std::abs(std::log2(static_cast<double>(a.ranks()) / b.ranks())) +
           std::abs(std::log2(static_cast<double>(a.ppn) / b.ppn));
}

std::optional<Layout> nearest_layout(const std::vector<Layout>& layouts, const Layout& wanted) {
    const auto nearest = std::min_element(
        layouts.begin(), layouts.end(),
        [&](const Layout& a, const Layout& b) { return distance(a, wanted) < distance(b, wanted); });
    return nearest == layouts.end() ? std::nullopt : std::optional(*nearest);
}

std::string percent(double factor) {
    return fmt::format("{:+.1f}%", 100 * (factor - 1));
}

std::string basis_text(const Rule& rule) {
    static const std::map<std::string, std::string> meanings = {
        {"between", ": inside of the layouts that were measured"},
        {"beyond", ": outside of the layouts that were measured"}};
    const auto meaning = meanings.find(rule.basis);
    const std::string text = rule.basis + (meaning == meanings.end() ? "" : meaning->second);
    const std::string tests = tests_of(rule);
    return tests.empty() ? text : text + "; " + tests;
}

// How the layout of the question was found
const char* match_of(const Explanation& e) {
    if (e.rule != nullptr) {
        return e.rule->where.single() ? "exact" : "range";
    }
    return e.is_named_layout ? "exact" : e.has_rules ? "range" : "other layout";
}

bool is_verified(const Rule& rule) {
    return rule.verified_interval.low < rule.verified_interval.high;
}

std::string gain_text(const Rule& rule) {
    if (is_verified(rule)) {
        return fmt::format("verified gain over the default: {} (interval: {} to {})",
                           percent(1 + rule.verified_gain), percent(1 + rule.verified_interval.low),
                           percent(1 + rule.verified_interval.high));
    }
    return fmt::format("gain over the default at the measured sizes: {}; not verified",
                       percent(1 + rule.expected_gain));
}

std::string match_text(const Explanation& e) {
    if (e.rule != nullptr) {
        return e.rule->where.single() ? "exact layout" : "range of layouts, " + to_string(e.rule->where);
    }
    if (e.is_named_layout) {
        return "exact layout, no rule for this collective and size";
    }
    if (e.has_rules) {
        return "range of layouts, no rule for this collective and size";
    }
    return e.nearest ? fmt::format(
                           "no rules for the layout {}; the nearest layout with rules is {}, but its "
                           "rules do not apply here",
                           to_string(e.question.layout), to_string(*e.nearest))
                     : "the configuration has no rules";
}

}  // namespace

Explanation explain(const Config& config, const ExplainedCall& question) {
    known_collective(question.collective);  // or it throws
    Explanation answer;
    answer.question = question;
    answer.question.network = chosen_network(config, question.network);
    const std::vector<Layout> layouts = layouts_of(config, answer.question.network);
    answer.is_named_layout = std::any_of(layouts.begin(), layouts.end(), [&](const Layout& layout) {
        return is_same_place(layout, question.layout);
    });
    answer.has_rules = has_rules(config, answer.question.network, question.layout);
    if (!answer.is_named_layout && !answer.has_rules) {
        answer.nearest = nearest_layout(
            layouts_with_rules(config, answer.question.network, layouts_to_compare).layouts, question.layout);
    }
    answer.rule = find_rule_in_job(config, answer.question.network, question.layout, question.collective,
                                   question.bytes);
    if (answer.rule != nullptr) {
        answer.memory = most_memory(*answer.rule, question.layout, question.bytes);
        answer.layers = layers_of(config, *answer.rule, question.layout);
    }
    answer.algorithm = answer.rule == nullptr ? default_algorithm : answer.rule->algorithm;
    if (library_of(config).has_thresholds) {
        answer.by_library = default_choice(question.collective, question.layout, question.bytes).value_or("");
    }
    return answer;
}

std::vector<Explanation> explain_all(const Config& config, const ExplainedCall& question) {
    const std::vector<std::string> networks = networks_of(config);
    if (!question.network.empty() || networks.size() < 2) {
        return {explain(config, question)};
    }
    std::vector<Explanation> answers;
    for (const std::string& network : networks) {
        ExplainedCall here = question;
        here.network = network;
        answers.push_back(explain(config, here));
    }
    return answers;
}

std::string to_text(const Explanation& e) {
    const ExplainedCall& q = e.question;
    std::string text = fmt::format("{} of {} bytes on {}{}: {}\n", q.collective, q.bytes, to_string(q.layout),
                                   q.network.empty() ? "" : ", network " + q.network,
                                   e.rule == nullptr ? "default (the library's own choice)" : e.algorithm);
    text += fmt::format("  match: {}\n", match_text(e));
    if (!e.by_library.empty()) {
        text += fmt::format("  MPICH's own choice: {}\n", e.by_library);
    }
    if (e.rule == nullptr) {
        return text;
    }
    const Rule& rule = *e.rule;
    text += fmt::format("  rule: {} {}\n", size_range(rule), rule.algorithm);
    for (const std::string& layer : e.layers) {
        text += fmt::format("  layer {}\n", layer);
    }
    if (rule.from_bytes > 1) {
        text += fmt::format("  changeover point: between {:.0f} and {:.0f} bytes\n", rule.from_interval.low,
                            rule.from_interval.high);
    }
    text += fmt::format("  {}\n", gain_text(rule));
    text += fmt::format("  basis: {}\n", basis_text(rule));
    if (rule.changes_bits) {
        text += fmt::format("  results: {}\n", *rule.changes_bits
                                                   ? "sums are rounded in another order than the default's"
                                                   : "the same bits as the default's, at the measured sizes");
    }
    if (e.memory) {
        text += fmt::format("  memory: {}\n", *e.memory == 0 ? "none besides the buffers of the call"
                                                             : memory_text(*e.memory) +
                                                                   " on the rank that needs most, besides "
                                                                   "the buffers of the call");
    }
    if (!rule.operation.empty()) {
        text += fmt::format("  for {} operations only\n", rule.operation);
    }
    const models::Algorithm* model =
        models::find_algorithm(models::modelled_as(q.collective), rule.algorithm);
    if (model != nullptr && (model->preconditions & models::element_for_each_rank) != 0) {
        text += "  requires at least as many elements as ranks\n";
    }
    if (models::is_composition(q.collective, rule.algorithm)) {
        text += "  made of other collectives, whose algorithms are chosen by their own rules\n";
    }
    return text;
}

Json to_json(const Explanation& e) {
    const ExplainedCall& q = e.question;
    Json json = {{"network", q.network}, {"collective", q.collective}};
    add_layout(json, q.layout);
    json.update({{"bytes", q.bytes},
                 {"algorithm", e.algorithm},
                 {"match", match_of(e)},
                 {"nearest", e.nearest ? Json(to_string(*e.nearest)) : Json(nullptr)},
                 {"default", e.by_library.empty() ? Json(nullptr) : Json(e.by_library)},
                 {"rule", nullptr}});
    if (e.rule != nullptr) {
        const Rule& rule = *e.rule;
        const bool verified = is_verified(rule);
        if (!e.layers.empty()) {
            json["layers"] = e.layers;
        }
        json["rule"] = {{"from_bytes", rule.from_bytes},
                        {"to_bytes", rule.to_bytes == no_end ? Json(nullptr) : Json(rule.to_bytes)},
                        {"from_interval", Json::array({rule.from_interval.low, rule.from_interval.high})},
                        {"expected_gain", rule.expected_gain},
                        {"verified_gain", verified ? Json(rule.verified_gain) : Json(nullptr)},
                        {"verified_interval",
                         verified ? Json::array({rule.verified_interval.low, rule.verified_interval.high})
                                  : Json(nullptr)},
                        {"basis", rule.basis},
                        {"operation", rule.operation},
                        {"extra_memory", e.memory ? Json(*e.memory) : Json(nullptr)},
                        {"changes_bits", rule.changes_bits ? Json(*rule.changes_bits) : Json(nullptr)}};
        if (!rule.where.single()) {
            add_layout_range(json["rule"], rule.where);
            json["rule"].update(
                {{"tested_layouts", rule.tested_layouts}, {"tested_cells", rule.tested_cells}});
        }
    }
    return json;
}

}  // namespace tuner
