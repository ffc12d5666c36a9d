// SPDX-License-Identifier: MIT
#include "measure_knobs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "error.hpp"
#include "rules_loaded.hpp"
#include "statistics.hpp"
#include "units.hpp"

namespace tuner {

namespace {

constexpr std::size_t rounds_to_choose = 2;
constexpr std::size_t rounds_to_prove = 4;
constexpr int repetitions_of_job = 11;
constexpr std::size_t sizes_of_cell = 4;

struct TriedSetting {
    std::string variable;
    std::string value;
    std::string text() const { return variable + "=" + value; }
};

struct Place {
    Layout layout;
    std::vector<KnobCell> cells;
};

std::vector<Place> places_of(const Cells& cells, const std::string& network) {
    std::vector<Place> places;
    for (const Layout& layout : outer_layouts(cells, network)) {
        Place place = {layout, {}};
        for (const auto& [key, cell] : cells) {
            if (key.network == network && key.layout == layout && is_for_rules(key)) {
                for (const std::size_t bytes : spread_sizes(cell, sizes_of_cell)) {
                    place.cells.push_back({key, bytes, {}});
                }
            }
        }
        places.push_back(std::move(place));
    }
    return places;
}

class Knobs {
  public:
    Knobs(OpenRun& run, Progress& progress, const Config& config, const std::vector<PlannedKnob>& knobs)
        : run_(run),
          progress_(progress),
          config_(config),
          knobs_(knobs),
          cells_(cells_of(run.data, Stage::search)) {}

    std::vector<KnobResult> results() {
        std::vector<KnobResult> all;
        count_jobs();
        for (const std::string& network : networks_of(config_)) {
            kept_.clear();
            for (const PlannedKnob& knob : knobs_) {
                all.push_back(result_of(network, knob));
                if (all.back().is_proven && all.back().judgement().holds()) {
                    kept_.push_back({knob.variable, all.back().value});  // the next ones are compared with it
                }
            }
        }
        return all;
    }

  private:
    void count_jobs() {
        for (const std::string& network : networks_of(config_)) {
            for (const PlannedKnob& knob : knobs_) {
                jobs_left_ +=
                    static_cast<double>(places_of(cells_, network).size() *
                                        (rounds_to_choose * (1 + knob.values.size()) + 2 * rounds_to_prove));
            }
        }
    }

    KnobResult result_of(const std::string& network, const PlannedKnob& knob) {
        KnobResult result;
        result.network = network;
        result.variable = knob.variable;
        result.min_gain = run_.plan.min_gain;
        std::vector<TriedSetting> settings;
        for (const std::string& value : knob.values) {
            settings.push_back({knob.variable, value});
        }
        double best = 0;
        for (const auto& [value, cells] : compared(network, settings, rounds_to_choose, result.failed)) {
            const double gain = std::log(judge_knob(cells, result.min_gain).mean.ratio);
            if (gain > best) {
                best = gain;
                result.value = value;
            }
        }
        if (result.value.empty()) {
            jobs_left_ -= static_cast<double>(2 * rounds_to_prove * places_of(cells_, network).size());
            return result;
        }
        auto proof = compared(network, {{knob.variable, result.value}}, rounds_to_prove, result.failed);
        if (!proof.empty()) {
            result.cells = std::move(proof.front().second);
            result.is_proven = true;
        }
        return result;
    }

    // By value: each cell without and with it, in so many rounds of jobs, whose order alternates
    std::vector<std::pair<std::string, std::vector<KnobCell>>> compared(
        const std::string& network, const std::vector<TriedSetting>& settings, std::size_t rounds,
        std::map<std::string, std::string>& failed) {
        std::vector<std::pair<std::string, std::vector<KnobCell>>> by_value;
        for (const TriedSetting& setting : settings) {
            by_value.emplace_back(setting.value, std::vector<KnobCell>());
        }
        for (Place& place : places_of(cells_, network)) {
            const Network base = has_rules(config_, network)
                                     ? with_rules(run_, config_, network, place.layout)
                                     : run_.cluster.network(network);
            std::vector<std::vector<KnobCell>> cells(settings.size(), place.cells);
            for (std::size_t round = 0; round < rounds; ++round) {
                std::vector<double> without;
                std::vector<std::vector<double>> with(settings.size());
                for (std::size_t i = 0; i <= settings.size(); ++i) {
                    const std::size_t job = round % 2 == 0 ? i : settings.size() - i;
                    if (job == 0) {
                        without = medians(base, place, nullptr);
                    } else if (!failed.contains(settings[job - 1].value)) {
                        with[job - 1] = medians(base, place, &settings[job - 1]);
                    }
                }
                if (without.empty()) {
                    throw failure(reason_);
                }
                for (std::size_t s = 0; s < settings.size(); ++s) {
                    if (with[s].empty()) {
                        failed.emplace(settings[s].value, reason_);  // unless it failed before
                    }
                    for (std::size_t c = 0; c < with[s].size(); ++c) {
                        cells[s][c].log_ratios.push_back(std::log(without[c] / with[s][c]));
                    }
                }
            }
            for (std::size_t s = 0; s < settings.size(); ++s) {
                by_value[s].second.insert(by_value[s].second.end(), cells[s].begin(), cells[s].end());
            }
        }
        std::erase_if(by_value, [&](const auto& one) { return failed.contains(one.first); });
        return by_value;
    }

    // Of all cells, in one job; empty: one of them failed
    std::vector<double> medians(const Network& base, const Place& place, const TriedSetting* setting) {
        const auto start = Clock::now();
        Network network = base;
        for (const TriedSetting& kept : kept_) {
            network.environment.emplace_back(kept.variable, kept.value);
        }
        if (setting) {
            std::erase_if(network.environment,
                          [&](const auto& variable) { return variable.first == setting->variable; });
            network.environment.emplace_back(setting->variable, setting->value);
        }
        Runner runner(run_.cluster, network, place.layout, run_.journal, run_.data, {});
        std::vector<double> medians;
        for (const KnobCell& cell : place.cells) {
            progress_.show(
                {run_.data.cases.size(), seconds_left(),
                 fmt::format("{} {} {} {}", setting ? setting->text() : "without", cell.cell.collective,
                             bytes_text(cell.bytes), to_string(place.layout))});
            Group group =
                group_of_job(cell.cell, cell.bytes, run_.plan, cells_, Stage::knobs, repetitions_of_job);
            group.setting = setting ? setting->text() : "";
            const AskResult asked = runner.ask(group);
            if (asked == AskResult::stopped) {
                throw failure("stopped; the same command again begins anew");
            }
            const CaseRecord* last = run_.data.cases.empty() ? nullptr : &run_.data.cases.back();
            if (asked != AskResult::done || !last || last->samples_seconds.empty()) {
                reason_ = asked != AskResult::done || !last ? runner.reason() : last->reason;
                return {};
            }
            std::vector<double> sorted = last->samples_seconds;
            std::sort(sorted.begin(), sorted.end());
            medians.push_back(models::median(sorted));
        }
        runner.end("done");
        seconds_of_jobs_ += std::chrono::duration<double>(Clock::now() - start).count();
        ++jobs_;
        --jobs_left_;
        return medians;
    }

    double seconds_left() const {
        return jobs_ == 0 ? -1 : std::max(0.0, jobs_left_) * seconds_of_jobs_ / jobs_;
    }

    OpenRun& run_;
    Progress& progress_;
    const Config& config_;
    const std::vector<PlannedKnob>& knobs_;
    const Cells cells_;
    std::vector<TriedSetting> kept_;  // that hold on this network
    std::string reason_;              // of the last failure
    double seconds_of_jobs_ = 0;
    double jobs_ = 0;
    double jobs_left_ = 0;
};

std::string sizes_text(const char* word, const std::vector<KnobSize>& sizes) {
    constexpr std::size_t few = 3;
    if (sizes.empty()) {
        return "";
    }
    std::vector<KnobSize> most = sizes;
    std::sort(most.begin(), most.end(), [](const KnobSize& a, const KnobSize& b) {
        return std::abs(std::log(a.ratio)) > std::abs(std::log(b.ratio));
    });
    most.resize(std::min(few, most.size()));
    std::vector<std::string> texts;
    for (const KnobSize& size : most) {
        texts.push_back(fmt::format("{} {} {} {:+.0f}%", size.at->cell.collective, bytes_text(size.at->bytes),
                                    to_string(size.at->cell.layout), 100 * (size.ratio - 1)));
    }
    return fmt::format("  {} at {} sizes: {}{}\n", word, sizes.size(), fmt::join(texts, ", "),
                       sizes.size() > few ? ", ..." : "");
}

}  // namespace

std::vector<KnobResult> measure_knobs(OpenRun& run, Progress& progress, const Config& config,
                                      const std::vector<PlannedKnob>& knobs) {
    return Knobs(run, progress, config, knobs).results();
}

std::vector<Knob> proven_knobs(const std::vector<KnobResult>& results) {
    std::vector<Knob> knobs;
    for (const KnobResult& result : results) {
        if (result.is_proven && result.judgement().holds()) {
            const models::Ratio mean = result.judgement().mean;
            knobs.push_back({result.network,
                             result.variable,
                             result.value,
                             mean.ratio - 1,
                             {mean.interval.low - 1, mean.interval.high - 1}});
        }
    }
    return knobs;
}

std::string to_text(const std::vector<KnobResult>& results) {
    std::string text;
    for (const KnobResult& result : results) {
        text += fmt::format("{} {}: ", result.network, result.variable);
        if (!result.is_proven) {
            text += "no value is faster than the library's own\n";
        } else {
            const KnobJudgement judgement = result.judgement();
            text +=
                fmt::format("{} is {}: {:+.1f}% ({:+.1f} to {:+.1f}%) over {} sizes in {} pairs of jobs\n",
                            result.value, judgement.holds() ? "faster" : "not used",
                            100 * (judgement.mean.ratio - 1), 100 * (judgement.mean.interval.low - 1),
                            100 * (judgement.mean.interval.high - 1), result.cells.size(), rounds_to_prove);
            text += sizes_text("faster", judgement.faster) + sizes_text("slower", judgement.slower);
        }
        for (const auto& [value, reason] : result.failed) {
            text += fmt::format("  failed with {}: {}\n", value, reason);
        }
    }
    return text;
}

}  // namespace tuner
