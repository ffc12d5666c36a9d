// SPDX-License-Identifier: MIT
#include "estimate_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "stage_costs.hpp"
#include "text_table.hpp"
#include "units.hpp"

namespace tuner::commands {

namespace {

bool is_search(const StageEstimate& stage) {
    return stage.stage.starts_with(stage_title(Stage::search));
}

std::string percent_of(double part, double all) {
    return fmt::format("{:.0f}%", std::clamp(100 * part / all, 1.0, 99.0));
}

// The times of all stages of one kind
struct SearchTimes {
    double before = 0;  // messages and exchanges
    double grids = 0;
    double all = 0;   // with what is between the sizes of the grids
    double more = 0;  // layouts, which are not in the others
};

SearchTimes search_times(const Estimate& estimate) {
    SearchTimes times;
    for (const StageEstimate& stage : estimate.measuring) {
        const bool is_of_more = estimate.more_layouts > 0 && &stage == &estimate.measuring.back();
        if (is_of_more) {
            times.more = stage.seconds;
        } else if (is_search(stage)) {
            times.grids += stage.grid_seconds;
            times.all += stage.seconds;
        } else {
            times.before += stage.seconds;
        }
    }
    return times;
}

std::string left_out_of_search(const Estimate& estimate, const Plan& plan) {
    const SearchTimes times = search_times(estimate);
    const double left = std::max(0.0, estimate.measuring_budget_seconds - times.before);
    if (left >= times.all + times.more) {
        return "";
    }
    if (left >= times.all) {
        const double seconds_of_layout = times.more / estimate.more_layouts;
        const double missing = std::ceil((times.all + times.more - left) / seconds_of_layout);
        return fmt::format("{:.0f} of up to {:.0f} more layouts", std::min(missing, estimate.more_layouts),
                           estimate.more_layouts);
    }
    const std::string more = estimate.more_layouts > 0 ? ", all further layouts" : "";
    if (left >= times.grids) {
        return fmt::format(
            "{} of the sizes between those of the grids, so that some changeover points are known only "
            "within "
            "a factor of {:g}{}",
            percent_of(times.all - left, times.all - times.grids), plan.size_step, more);
    }
    return fmt::format("{} of the sizes of the grids, all sizes between them{}",
                       percent_of(times.grids - left, times.grids), more);
}

std::string left_out_of_verification(const Estimate& estimate) {
    const double left =
        estimate.budget_seconds - std::min(estimate.measuring_budget_seconds, estimate.measuring_seconds());
    const StageEstimate& stage = estimate.verification;
    if (stage.seconds <= left) {
        return "";
    }
    return fmt::format("the verification of {} of the rules, those with the smallest expected gains",
                       percent_of(stage.seconds - left, stage.seconds));
}

std::string rounded(double seconds) {
    return seconds_text(seconds < 100 ? std::max(1.0, std::round(seconds)) : seconds);
}

std::string count(double number) {
    return fmt::format("{:.0f}", std::ceil(number));
}

}  // namespace

std::string basis_text(const Estimate& estimate, const Plan& plan) {
    static const std::map<CallBasis, const char*> calls = {
        {CallBasis::assumed, "calls as on a network with 50 us and 1 GB/s (assumed)"},
        {CallBasis::messages, "calls by the messages of two ranks that were measured"},
        {CallBasis::cases, "calls by what was measured in this run"}};
    return fmt::format(
        "{} for each case, {}; {}; {} to start a job ({})", seconds_text(seconds_of_case(plan)),
        plan.races() ? "as races usually take" : "as the plan allows", calls.at(estimate.calls),
        seconds_text(estimate.launch_seconds), estimate.is_launch_measured ? "measured" : "assumed");
}

std::string left_out(const Estimate& estimate, const Plan& plan) {
    if (estimate.budget_seconds <= 0) {
        return "";
    }
    const std::string search = left_out_of_search(estimate, plan);
    const std::string verification = left_out_of_verification(estimate);
    return search + (search.empty() || verification.empty() ? "" : "; ") + verification;
}

std::string estimate_table(const Estimate& estimate, const Plan& plan) {
    TextTable table({"stage", "jobs", "cases", "time"});
    const auto add = [&](const std::string& title, const StageEstimate& stage) {
        table.add({title, count(stage.jobs), count(stage.cases), rounded(stage.seconds)});
    };
    StageEstimate all;
    for (const StageEstimate& stage : estimate.measuring) {
        add(stage.stage, stage);
        all.jobs += stage.jobs;
        all.cases += stage.cases;
    }
    const StageEstimate& verification = estimate.verification;
    if (verification.cases > 0) {
        add(fmt::format("{} of about {} rules", verification.stage, count(verification.rules)), verification);
    }
    all.jobs += verification.jobs;
    all.cases += verification.cases;
    all.seconds = estimate.seconds();
    add("all", all);
    std::string text = table.text() + "Basis: " + basis_text(estimate, plan) + "\n";
    if (estimate.budget_seconds > 0) {
        const std::string missing = left_out(estimate, plan);
        text += fmt::format("With the time limit of {}: about {}; {}\n",
                            seconds_text(estimate.budget_seconds), rounded(estimate.limited_seconds()),
                            missing.empty() ? "nothing is left out" : "it leaves out about " + missing);
    }
    return text;
}

std::string estimate_summary(const std::string& title, const Estimate& estimate, const Plan& plan) {
    const std::string missing = left_out(estimate, plan);
    const std::string line = fmt::format(
        "{}: {}{} ({})", title, rounded(estimate.limited_seconds()),
        missing.empty() ? "" : fmt::format(", {} without the time limit", rounded(estimate.seconds())),
        basis_text(estimate, plan));
    return missing.empty() ? line : line + "\nThe time limit leaves out about " + missing;
}

std::string verification_summary(const StageEstimate& stage, std::optional<double> seconds) {
    const bool is_short = seconds && *seconds < stage.seconds;
    return fmt::format("Estimated time of the verification of {:.0f} rule{}: {}{}", stage.rules,
                       stage.rules == 1 ? "" : "s", rounded(is_short ? *seconds : stage.seconds),
                       is_short ? fmt::format("; the time limit leaves out about {} of the rules",
                                              percent_of(stage.seconds - *seconds, stage.seconds))
                                : "");
}

}  // namespace tuner::commands
