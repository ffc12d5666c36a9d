// SPDX-License-Identifier: MIT
#include "advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "units.hpp"

namespace tuner {

namespace {

// As an entry of `layouts` in a cluster file
std::string entry_of(const Layout& layout) {
    return fmt::format(R"({{"nodes": {}, "ppn": {}{}{}}})", layout.nodes, layout.ppn,
                       layout.is_even() ? "" : fmt::format(R"(, "ranks": {})", layout.ranks()),
                       layout.mapping == Mapping::block ? "" : R"(, "mapping": "round-robin")");
}

// The value that a command line had for an option; empty: none
std::string option_in(const std::vector<std::string>& words, const std::string& name) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == name && i + 1 < words.size()) {
            return words[i + 1];
        }
        if (words[i].starts_with(name + "=")) {
            return words[i].substr(name.size() + 1);
        }
    }
    return {};
}

class Adviser {
  public:
    Adviser(const Explanation& explanation, const SavedRun& run)
        : call_(explanation.question), run_(run), cluster_(run.cluster()), plan_(run.plan()) {
        for (const auto& [key, cell] : cells_of(run.data(), Stage::search)) {
            if (key.network == call_.network && is_same_place(key.layout, call_.layout) &&
                is_for_rules(key) && !cell.times.empty()) {
                is_layout_measured_ = true;
                if (key.collective == call_.collective) {
                    cell_ = cell;
                }
            }
        }
    }

    Advice advice() const {
        if (!cell_.times.empty()) {
            return about_size();
        }
        return is_layout_measured_ ? about_collective() : about_layout();
    }

  private:
    Advice about_size() const {
        const std::size_t first = cell_.times.begin()->first;
        const std::size_t last = cell_.times.rbegin()->first;
        if (call_.bytes < first || call_.bytes > last) {
            const bool is_larger = call_.bytes > last;
            const std::string sizes = first == last
                                          ? "at " + bytes_text(first)
                                          : fmt::format("from {} to {}", bytes_text(first), bytes_text(last));
            return {fmt::format("{} was measured here {} bytes only", call_.collective, sizes),
                    {fmt::format(
                         R"(measure this size: in a plan file, {{"name": "{}", "{}": {}}} of "collectives")",
                         call_.collective, is_larger ? "max_bytes" : "min_bytes", call_.bytes),
                     tune_command({"--plan", "plan.json"}, std::to_string(call_.bytes))}};
        }
        return {"no algorithm was proven to be faster than the default at this size" + nearest_measured(),
                {}};
    }

    // What was found at the measured size that is nearest
    std::string nearest_measured() const {
        const auto distance = [&](std::size_t bytes) {
            return std::abs(
                std::log2((1.0 + static_cast<double>(bytes)) / (1.0 + static_cast<double>(call_.bytes))));
        };
        const auto nearest = std::min_element(
            cell_.times.begin(), cell_.times.end(),
            [&](const auto& a, const auto& b) { return distance(a.first) < distance(b.first); });
        const std::pair<const std::string, CellTime>* best = nullptr;
        for (const auto& row : nearest->second) {
            if (row.first != default_algorithm && row.second.gain &&
                (best == nullptr || row.second.gain->ratio > best->second.gain->ratio)) {
                best = &row;
            }
        }
        if (best == nullptr) {
            return "";
        }
        const auto percent = [](double ratio) { return fmt::format("{:+.1f}%", 100 * (ratio - 1)); };
        const models::Ratio& gain = *best->second.gain;
        return fmt::format(" (the best other one at {} bytes, {}: {}, 99% interval {} to {})",
                           bytes_text(nearest->first), best->first, percent(gain.ratio),
                           percent(gain.interval.low), percent(gain.interval.high));
    }

    Advice about_collective() const {
        const bool is_planned =
            std::any_of(plan_.collectives.begin(), plan_.collectives.end(),
                        [&](const PlannedCollective& planned) { return planned.name == call_.collective; });
        if (is_planned) {
            return not_yet(fmt::format("{} has not been measured on {} yet", call_.collective, where()));
        }
        return {fmt::format("{} is not in the plan of this run", call_.collective),
                {"measure this collective:",
                 tune_command({"--collectives", call_.collective}, call_.collective)}};
    }

    Advice about_layout() const {
        const bool is_planned =
            std::any_of(cluster_.layouts.begin(), cluster_.layouts.end(),
                        [&](const Layout& layout) { return is_same_place(layout, call_.layout); });
        if (is_planned) {
            return not_yet("nothing has been measured on " + where() + " yet");
        }
        Advice advice = {"nothing was measured on " + where(), {}};
        std::string file = option_in(run_.data().manifest.command_line, "--cluster");
        if (file.empty()) {
            file = "cluster.json";
            advice.steps.push_back("describe the cluster in a file:");
            advice.steps.push_back("changeover init -o " + file);
        }
        const auto room = static_cast<int>(hosts_for(cluster_.hosts, call_.layout).size());
        if (room < call_.layout.nodes) {
            advice.steps.push_back(
                fmt::format(R"(add hosts with {} or more slots to "hosts" of {}: it has {}, {} are needed)",
                            call_.layout.ppn, file, room, call_.layout.nodes));
        }
        std::vector<std::string> entries;
        for (const Layout& layout : cluster_.layouts) {
            entries.push_back(entry_of(layout));
        }
        entries.push_back(entry_of(call_.layout));
        advice.steps.push_back(
            fmt::format(R"(add this layout: in {}, "layouts": [{}])", file, fmt::join(entries, ", ")));
        advice.steps.push_back(tune_command({"--cluster", file}, to_string(call_.layout)));
        return advice;
    }

    Advice not_yet(const std::string& why) const {
        const double limit = budget_of(run_.data(), plan_.budget_seconds).seconds;
        std::string command = "changeover tune --run " + shell_quoted(run_.folder());
        if (limit > 0) {
            command += fmt::format(" --budget {:.0f}s", std::ceil(2 * limit));
        }
        return {why, {"resume the run:", command}};
    }

    // A new run like this one, but for what is replaced
    std::string tune_command(const std::vector<std::string>& replaced, std::string suffix) const {
        std::vector<std::string> words = {"changeover", "tune"};
        for (const char* option : {"--cluster", "--plan", "--collectives"}) {
            const std::string before = option_in(run_.data().manifest.command_line, option);
            const std::string value = replaced.front() == option ? replaced.back() : before;
            if (!value.empty()) {
                words.insert(words.end(), {option, value});
            }
        }
        std::replace(suffix.begin(), suffix.end(), ' ', '-');
        words.insert(words.end(), {"--run", run_.folder() + "-" + suffix});
        return to_shell({words, {}});
    }

    std::string where() const { return call_.network + " " + to_string(call_.layout); }

    const ExplainedCall& call_;
    const SavedRun& run_;
    Cluster cluster_;
    Plan plan_;
    Cell cell_;  // of the call, as far as it was measured
    bool is_layout_measured_ = false;
};

}  // namespace

std::optional<Advice> advice_for(const Explanation& explanation, const SavedRun* run) {
    if (explanation.rule != nullptr) {
        return std::nullopt;
    }
    if (run != nullptr) {
        return Adviser(explanation, *run).advice();
    }
    if (explanation.is_named_layout || explanation.has_rules) {
        return Advice{"the rules of this layout are for other collectives or sizes",
                      {"see what was measured there: explain --run DIR, in place of the file"}};
    }
    return Advice{"this layout was not measured, or no algorithm is faster than the default there",
                  {fmt::format(R"(add this layout: {} in "layouts" of the cluster file, and tune again)",
                               entry_of(explanation.question.layout))}};
}

std::string to_text(const Advice& advice) {
    std::string text = fmt::format("  no rule: {}\n", advice.why);
    for (const std::string& step : advice.steps) {
        text += fmt::format("    {}\n", step);
    }
    return text;
}

Json to_json(const std::optional<Advice>& advice) {
    return advice ? Json{{"why", advice->why}, {"steps", advice->steps}} : Json();
}

}  // namespace tuner
