// SPDX-License-Identifier: MIT
#include "simulated_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "html.hpp"
#include "simulated_prediction.hpp"
#include "simulation.hpp"
#include "statistics.hpp"

namespace tuner {

namespace {

using Explained = Prediction::Explained;

// A measured time, and what both say
struct Compared {
    const Explained* measured;
    double simulated_seconds;
};

std::vector<Compared> compared_on(const CalibratedPlatform& platform, const Prediction& model) {
    std::map<Layout, std::vector<SimulatedCall>> calls;
    for (const Explained& time : model.explained()) {
        std::vector<SimulatedCall>& of_layout = calls[time.cell.layout];
        const SimulatedCall call = {time.cell.collective, time.bytes};
        if (of_layout.empty() || of_layout.back() != call) {
            of_layout.push_back(call);
        }
    }
    CalibratedPlatform exact = platform;
    exact.machine.noise = {};
    const TemporaryPlatform file(platform_xml(exact.topology, exact.machine));
    std::map<std::tuple<Layout, std::string, std::size_t, std::string>, double> seconds;
    for (const auto& [layout, of_layout] : calls) {
        const auto times = simulated_times(file.path(), layout, of_layout);
        for (std::size_t i = 0; i < times.size(); ++i) {
            for (const SimulatedTime& time : times[i]) {
                seconds[{layout, of_layout[i].collective, of_layout[i].bytes, time.algorithm}] = time.seconds;
            }
        }
    }
    std::vector<Compared> all;
    for (const Explained& time : model.explained()) {
        const auto found = seconds.find({time.cell.layout, time.cell.collective, time.bytes, time.algorithm});
        if (found != seconds.end() && is_for_rules(time.cell)) {
            all.push_back({&time, found->second});
        }
    }
    return all;
}

double modelled(const Compared& time) {
    return time.measured->predicted_seconds;
}
double simulated(const Compared& time) {
    return time.simulated_seconds;
}
using Engine = double (*)(const Compared&);

std::string median_error(const std::vector<Compared>& times, Engine engine) {
    std::vector<double> errors;
    for (const Compared& time : times) {
        errors.push_back(std::abs(engine(time) / time.measured->measured_seconds - 1));
    }
    std::sort(errors.begin(), errors.end());
    return fmt::format("{:.0f}%", 100 * models::median(errors));
}

// By taking the algorithm that it puts first, of what the best measured one takes
std::string mean_loss(const std::vector<Compared>& times, Engine engine) {
    std::map<std::pair<CellKey, std::size_t>, std::vector<const Compared*>> calls;
    for (const Compared& time : times) {
        calls[{time.measured->cell, time.measured->bytes}].push_back(&time);
    }
    double sum = 0;
    std::size_t choices = 0;
    for (const auto& [call, all] : calls) {
        const auto chosen =
            std::min_element(all.begin(), all.end(),
                             [&](const Compared* a, const Compared* b) { return engine(*a) < engine(*b); });
        const auto best = std::min_element(all.begin(), all.end(), [](const Compared* a, const Compared* b) {
            return a->measured->measured_seconds < b->measured->measured_seconds;
        });
        if (all.size() > 1) {
            sum += (*chosen)->measured->measured_seconds / (*best)->measured->measured_seconds - 1;
            ++choices;
        }
    }
    return choices == 0 ? "-" : fmt::format("{:.1f}%", 100 * sum / static_cast<double>(choices));
}

void show(report::Html& html, const std::string& network, std::size_t position,
          const std::vector<Compared>& all) {
    html.element("h3", network);
    if (all.empty()) {
        html.element("p", "None of the measured algorithms has a schedule that can be simulated.");
        return;
    }
    std::map<std::string, std::vector<Compared>> by_collective;
    report::NetworkModel drawn{network + ", simulated", std::nullopt, {}, "", ""};
    for (const Compared& time : all) {
        by_collective[time.measured->cell.collective].push_back(time);
        drawn.times.push_back(*time.measured);
        drawn.times.back().predicted_seconds = time.simulated_seconds;
    }
    by_collective["all"] = all;
    report::Rows rows;
    for (const auto& [collective, times] : by_collective) {
        rows.push_back({collective, std::to_string(times.size()), median_error(times, modelled),
                        median_error(times, simulated), mean_loss(times, modelled),
                        mean_loss(times, simulated)});
    }
    html.raw("<div class=\"figures\">");
    report::figure(html, fmt::format("simulated-{}", position + 1), report::draw_model_fit(drawn), true);
    html.raw("<div class=\"stack\">");
    report::table(html,
                  {{"collective"},
                   {"times", true},
                   {"error: model", true},
                   {"simulation", true},
                   {"loss: model", true},
                   {"simulation", true}},
                  rows);
    html.raw("</div></div>");
}

}  // namespace

report::OtherSection simulated_section(const std::string& folder) {
    const SavedRun run(folder);
    const Cells cells = cells_of(run.data(), Stage::search);
    const NetworkParameters messages = run.network_parameters();
    std::set<std::string> networks;
    for (const auto& [key, cell] : cells) {
        networks.insert(key.network);
    }
    report::Html html;
    report::open_section(
        html, "simulation", "Simulation",
        "The measured calls once more, by the cost model and by a simulation with SimGrid that was "
        "calibrated by "
        "this run: median relative errors of times, and the mean loss by taking the algorithm that each puts "
        "first. Both were fitted to these times; on others they are less exact.");
    std::size_t position = 0;
    for (const std::string& network : networks) {
        const std::optional<Prediction> model =
            Prediction::of(cells, network, shape_of(run.data(), messages, network));
        if (model) {
            Progress progress;
            const CalibratedPlatform platform = calibrated_from(run, network, 0, progress);
            show(html, network, position++, compared_on(platform, *model));
        }
    }
    report::close_section(html);
    return {"simulation", "simulation", std::move(html.markup)};
}

}  // namespace tuner
