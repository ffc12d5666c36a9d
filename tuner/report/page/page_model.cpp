// SPDX-License-Identifier: MIT
// The section of the cost model: parameters of each network, and how well they explain what was measured.
#include <fmt/format.h>

#include <cmath>

#include "html.hpp"
#include "units.hpp"

namespace tuner::report {

namespace {

// 0.00012 s or s/byte, as people write it
std::string parameter_text(double value, bool is_time) {
    return is_time ? seconds_text(value) : fmt::format("{:.3g} ns/byte", 1e9 * value);
}

void parameters(Html& html, const NetworkModel& model) {
    Rows rows;
    for (const models::FittedParameter& p : model.fit->fit.parameters) {
        const bool is_time = is_time_parameter(p.name);
        if (p.determined == models::Determined::unknown) {
            rows.push_back({p.name, "unknown", ""});
        } else {
            rows.push_back({p.name, parameter_text(p.value, is_time),
                            parameter_text(p.interval.low, is_time) + " to " +
                                parameter_text(p.interval.high, is_time)});
        }
    }
    table(html, {{"parameter"}, {"value", true}, {"95% interval", true}}, rows);
}

void algorithms(Html& html, const NetworkModel& model) {
    Rows rows;
    for (const models::AlgorithmResidual& residual : model.fit->by_algorithm) {
        rows.push_back({std::string(residual.algorithm), std::to_string(residual.observations),
                        fmt::format("{:.0f}%", 100 * residual.median_error),
                        percent_label(std::exp(residual.bias))});
    }
    table(html, {{"algorithm"}, {"times", true}, {"median error", true}, {"measured / predicted", true}},
          rows);
}

}  // namespace

void model_section(Html& html, const Context& context) {
    open_section(html, "model", "Model",
                 "One set of parameters for each network explains all algorithms and layouts, as far as "
                 "possible. The model proposes what to measure; rules are decided by measurements.");
    for (std::size_t i = 0; i < context.data.models.size(); ++i) {
        const NetworkModel& model = context.data.models[i];
        html.element("h3", model.network);
        if (!model.without_model.empty()) {
            html.element(
                "p", "Without a cost model, chosen by measured times alone: " + model.without_model + ".");
        }
        if (!model.fit) {
            html.element("p", "No model: " + model.problem);
            continue;
        }
        html.element(
            "p", fmt::format("Typical error {:.0f}%; {} of {} times are not explained.",
                             100 * model.fit->fit.noise, model.fit->unexplained.size(), model.times.size()));
        html.raw("<div class=\"figures\">");
        figures(html, context, {FigureKind::model}, true, i);
        html.raw("<div class=\"stack\">");
        parameters(html, model);
        algorithms(html, model);
        html.raw("</div></div>");
    }
    downloads_of_filled(html, context, {"model", "model-by-algorithm", "model-errors"});
    close_section(html);
}

}  // namespace tuner::report
