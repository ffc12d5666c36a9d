// SPDX-License-Identifier: MIT
#include "profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "decide.hpp"
#include "error.hpp"
#include "number_text.hpp"
#include "program_arrivals.hpp"
#include "text_table.hpp"
#include "units.hpp"

namespace tuner::trace {

namespace {

constexpr double smallest_share = 0.01;  // of the time in collectives
constexpr double room = 2;  // beyond the sizes of the program, so that changeovers near them are seen

// Against the default, repetition by repetition: delays differ from one to the next, and are the same for all
// algorithms
double seconds_of(const Times& times, const std::string& algorithm, const CellTime& time) {
    const auto own = times.find(default_algorithm);
    return own == times.end() || &time == &own->second
               ? time.time.median_seconds
               : time_against_default(algorithm, time, own->second).median_seconds;
}

// Of an algorithm at any size between measured ones, on straight lines between logarithms
std::optional<double> seconds_at(const Cell& cell, const std::string& algorithm, std::uint64_t bytes) {
    std::optional<std::pair<double, double>> below;
    for (const auto& [size, times] : cell.times) {
        const CellTime* time = time_of(times, algorithm);
        if (time == nullptr || size == 0) {
            continue;
        }
        const double seconds = seconds_of(times, algorithm, *time);
        const double x = std::log(static_cast<double>(size));
        const double y = std::log(seconds);
        if (size == bytes) {
            return seconds;
        }
        if (size > bytes) {
            if (!below || bytes == 0) {
                return std::nullopt;
            }
            const double part = (std::log(static_cast<double>(bytes)) - below->first) / (x - below->first);
            return std::exp(below->second + part * (y - below->second));
        }
        below = {x, y};
    }
    return std::nullopt;
}

struct Measured {
    double now_seconds;
    double tuned_seconds;
};

std::optional<Measured> measured_times(const KnownRun& run, const KindKey& key, const std::string& tuned) {
    for (const auto& [cell_key, cell] : run.cells) {
        if (cell_key.network != run.network || cell_key.collective != key.collective ||
            !is_same_place(cell_key.layout, *key.shape.layout)) {
            continue;
        }
        const std::optional<double> now = seconds_at(cell, key.algorithm, key.bytes);
        const std::optional<double> then = seconds_at(cell, tuned, key.bytes);
        if (now && then) {
            return Measured{*now, *then};
        }
    }
    return std::nullopt;
}

// All calls, timed as the benchmark does: from the first arrival, which counts the time in which ranks come
// to the call one after another. Lateness beyond what a call of the benchmark takes is not the call's.
double seconds_as_measured(const Kind& kind, double benchmark_seconds) {
    double sum = 0;
    for (std::size_t i = 0; i < kind.seconds.size(); ++i) {
        sum += std::max(kind.seconds[i], std::min(kind.whole_seconds[i], benchmark_seconds));
    }
    return sum;
}

// tuned / now
std::optional<double> model_ratio(KnownRun& run, const KindKey& key, const std::string& tuned) {
    if (!run.prediction) {
        return std::nullopt;
    }
    const auto seconds = [&](const std::string& algorithm) {
        return run.prediction->seconds(key.collective, algorithm, *key.shape.layout, key.bytes);
    };
    const std::optional<double> now = seconds(key.algorithm);
    const std::optional<double> then = seconds(tuned);
    return now && then && *now > 0 ? std::optional(*then / *now) : std::nullopt;
}

KindGain gain_of(const Kind& kind, KnownRun& run) {
    KindGain gain;
    gain.kind = &kind;
    gain.seconds = std::accumulate(kind.seconds.begin(), kind.seconds.end(), 0.0);
    gain.of_seconds = gain.seconds;
    if (!kind.key.shape.layout) {
        gain.basis = "unknown: irregular layout";
        return gain;
    }
    const Layout& layout = *kind.key.shape.layout;
    const bool is_measured = std::any_of(run.cells.begin(), run.cells.end(), [&](const auto& cell) {
        return cell.first.network == run.network && cell.first.collective == kind.key.collective &&
               is_same_place(cell.first.layout, layout);
    });
    if (!is_measured) {
        gain.basis = "unknown: not measured in the run";
        return gain;
    }
    const Rule* rule = find_rule_in_job(run.config, run.network, layout, kind.key.collective, kind.key.bytes);
    if (rule == nullptr) {
        gain.basis = "no rule";
        return gain;
    }
    gain.tuned = rule->algorithm;
    if (rule->algorithm == kind.key.algorithm) {
        gain.basis = "already in use";
        return gain;
    }
    if (const std::optional<Measured> measured = measured_times(run, kind.key, rule->algorithm)) {
        gain.of_seconds = run.has_arrivals ? gain.seconds : seconds_as_measured(kind, measured->now_seconds);
        gain.gain_seconds = gain.of_seconds * (1 - measured->tuned_seconds / measured->now_seconds);
        gain.basis = run.has_arrivals ? "measured, arrivals" : "measured";
    } else if (const std::optional<double> ratio = model_ratio(run, kind.key, rule->algorithm)) {
        gain.gain_seconds = gain.seconds * (1 - *ratio);
        gain.basis = "model";
    } else {
        gain.gain_seconds = gain.seconds * (1 - 1 / (1 + rule->verified_gain));
        gain.basis = "verified";
    }
    return gain;
}

}  // namespace

Gains gains_of(const Analysis& analysis, KnownRun& run) {
    Gains gains;
    for (const Kind& kind : analysis.kinds) {
        if (kind.key.shape.ranks < 2) {
            continue;
        }
        gains.kinds.push_back(gain_of(kind, run));
        const KindGain& gain = gains.kinds.back();
        gains.seconds += gain.seconds;
        gains.of_seconds += gain.of_seconds;
        gains.gain_seconds += gain.gain_seconds;
        gains.known_seconds += gain.basis.starts_with("unknown") ? 0 : gain.seconds;
    }
    return gains;
}

std::string summary_of(const Gains& gains, double program_seconds) {
    const auto share = [](double part, double whole) { return percent_text(whole > 0 ? part / whole : 0); };
    return fmt::format(
        "with the rules, these calls take {} less of {} ({}), which is {} of the program; the run covers "
        "calls with {} of that time",
        time_text(std::max(gains.gain_seconds, 0.0)), time_text(gains.of_seconds),
        share(gains.gain_seconds, gains.of_seconds), share(gains.gain_seconds, program_seconds),
        share(gains.known_seconds, gains.seconds));
}

std::string to_text(const Gains& gains, double program_seconds) {
    TextTable table({"call", "number", "time", "tuned", "gain", "by"});
    for (const KindGain& gain : gains.kinds) {
        table.add({to_string(gain.kind->key), std::to_string(gain.kind->calls.size()),
                   seconds_text(gain.seconds), gain.tuned.empty() ? "-" : gain.tuned,
                   gain.gain_seconds == 0 ? "-" : percent_text(gain.gain_seconds / gain.of_seconds),
                   gain.basis});
    }
    return table.text() + "  " + summary_of(gains, program_seconds) + "\n";
}

Json to_json(const Gains& gains) {
    Json kinds = Json::array();
    for (const KindGain& gain : gains.kinds) {
        kinds.push_back({{"collective", gain.kind->key.collective},
                         {"algorithm", gain.kind->key.algorithm},
                         {"bytes", gain.kind->key.bytes},
                         {"shape", to_string(gain.kind->key.shape)},
                         {"calls", gain.kind->calls.size()},
                         {"seconds", gain.seconds},
                         {"tuned", gain.tuned},
                         {"of_seconds", gain.of_seconds},
                         {"gain_seconds", gain.gain_seconds},
                         {"basis", gain.basis}});
    }
    return {{"seconds", gains.seconds},
            {"of_seconds", gains.of_seconds},
            {"gain_seconds", gains.gain_seconds},
            {"known_seconds", gains.known_seconds},
            {"calls", kinds}};
}

namespace {

// Of a collective, in the calls of a program
struct Use {
    double seconds = 0;
    std::uint64_t smallest = UINT64_MAX;
    std::uint64_t largest = 0;
};

struct Uses {
    std::map<std::string, Use> of_collective;
    double seconds = 0;

    bool matters(const Use& use) const { return use.seconds >= smallest_share * seconds; }
};

Uses uses_of(const Analysis& analysis) {
    Uses uses;
    for (const Kind& kind : analysis.kinds) {
        if (kind.key.shape.ranks < 2) {
            continue;
        }
        const double seconds = std::accumulate(kind.seconds.begin(), kind.seconds.end(), 0.0);
        Use& use = uses.of_collective[kind.key.collective];
        use.seconds += seconds;
        use.smallest = std::min(use.smallest, kind.key.bytes);
        use.largest = std::max(use.largest, kind.key.bytes);
        uses.seconds += seconds;
    }
    return uses;
}

PlannedCollective narrowed_to(const Use& use, PlannedCollective collective) {
    if (collective.min_bytes == collective.max_bytes) {
        return collective;  // a barrier has one size
    }
    const std::size_t element = element_bytes(collective);
    const std::size_t most =
        std::max<std::size_t>(collective.max_bytes, std::size_t{1} << 30);  // MPI counts in int
    const auto multiple = [&](double bytes) {
        const auto whole = static_cast<std::size_t>(std::min(bytes, static_cast<double>(most)));
        return std::max(element, whole / element * element);
    };
    collective.min_bytes = multiple(static_cast<double>(use.smallest) / room);
    collective.max_bytes = multiple(static_cast<double>(use.largest) * room);
    return collective;
}

}  // namespace

Plan plan_for(const Plan& plan, const Analysis& analysis, std::vector<std::string>& notes) {
    const Uses uses = uses_of(analysis);
    Plan narrowed = plan;
    narrowed.collectives.clear();
    std::set<std::string> planned_names;
    for (const PlannedCollective& planned : plan.collectives) {
        const auto use = uses.of_collective.find(planned.name);
        if (use != uses.of_collective.end() && uses.matters(use->second)) {
            narrowed.collectives.push_back(narrowed_to(use->second, planned));
            planned_names.insert(planned.name);
        }
    }
    for (const auto& [name, use] : uses.of_collective) {
        if (!planned_names.contains(name) && uses.matters(use)) {
            notes.push_back(
                fmt::format("{} has {} of the profile's time and is not in the plan '{}': it is not tuned",
                            name, percent_text(use.seconds / uses.seconds), plan.name));
        }
    }
    if (narrowed.collectives.empty()) {
        throw usage_error(
            fmt::format("the profile has no collective of the plan '{}'; try --plan standard", plan.name));
    }
    std::stable_sort(narrowed.collectives.begin(), narrowed.collectives.end(),
                     [&](const PlannedCollective& a, const PlannedCollective& b) {
                         return uses.of_collective.at(a.name).seconds > uses.of_collective.at(b.name).seconds;
                     });
    narrowed.arrivals.clear();
    narrowed.mix.clear();
    if (const std::optional<models::Arrival> arrival = arrival_of(analysis)) {
        narrowed.mix = models::parse_arrivals("recorded");
        notes.push_back(fmt::format(
            "algorithms are measured with ranks that arrive as in the profile (most of its time is like {})",
            models::to_string(*arrival)));
    }
    return narrowed;
}

std::vector<Layout> layouts_for(const std::vector<Layout>& layouts, const Analysis& analysis,
                                std::vector<std::string>& notes) {
    std::vector<Layout> used;
    for (const Layout& layout : layouts) {
        if (std::any_of(analysis.kinds.begin(), analysis.kinds.end(), [&](const Kind& kind) {
                return kind.key.shape.layout && is_same_place(*kind.key.shape.layout, layout);
            })) {
            used.push_back(layout);
        }
    }
    if (used.empty()) {
        notes.emplace_back(
            "no communicator of the profile has a layout of the cluster file: all layouts are tuned");
        return layouts;
    }
    return used;
}

}  // namespace tuner::trace
