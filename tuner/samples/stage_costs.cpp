// SPDX-License-Identifier: MIT
#include "stage_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "text_table.hpp"
#include "units.hpp"

namespace tuner {

namespace {

constexpr const char* killed_with_tuner = "reaped";  // `how` of a job that the next start has ended

struct JobTimes {
    double started = 0;
    std::optional<double> ready;  // its header came
    std::optional<double> ended;
    std::uint64_t first_group = 0;  // its groups come after this one
};

// Of an event; what is not of the type that was written counts as missing
std::string text_at(const Json& event, const char* key) {
    const Json value = event.value(key, Json());
    return value.is_string() ? value.get<std::string>() : "";
}

double time_of(const Json& event) {
    const Json value = event.value("time", Json());
    return value.is_number() ? value.get<double>() : 0;
}

std::vector<JobTimes> times_of_jobs(const RunData& run) {
    std::vector<JobTimes> jobs;
    std::map<std::string, std::size_t> by_token;
    for (const Json& event : run.events) {
        const std::string name = text_at(event, "event");
        const std::string token = text_at(event, "token");
        const double time = time_of(event);
        if (name == "job_started") {
            by_token[token] = jobs.size();
            jobs.push_back({time, {}, {}, event.value("last_group", std::uint64_t{0})});
        } else if (const auto job = by_token.find(token); job != by_token.end()) {
            if (name == "job_header") {
                jobs[job->second].ready = time;
            } else if (name == "job_ended" && text_at(event, "how") != killed_with_tuner) {
                jobs[job->second].ended = time;
            }
        }
    }
    return jobs;
}

double timed_seconds_of(const CaseRecord& record) {
    double seconds = 0;
    for (const double sample : record.samples_seconds) {
        seconds += sample * record.calls_in_a_row;
    }
    return seconds;
}

// The cases of one job, by what it cost
struct JobCases {
    std::map<Stage, double> spent;
    double spent_seconds = 0;
    std::optional<Stage> first;

    void add(const CaseRecord& record) {
        spent[record.stage] += record.seconds_spent;
        spent_seconds += record.seconds_spent;
        first = first.value_or(record.stage);
    }
};

class Sum {
  public:
    void add_case(const CaseRecord& record) {
        StageCosts& costs = of(record.stage);
        ++costs.cases;
        costs.timed_seconds += timed_seconds_of(record);
    }

    void add_job(const JobTimes& job, const JobCases& cases, Stage stage) {
        StageCosts& costs = of(stage);
        ++costs.jobs;
        costs.launch_seconds +=
            std::max(0.0, job.ready.value_or(job.ended.value_or(job.started)) - job.started);
        const double running = job.ready && job.ended ? *job.ended - *job.ready : cases.spent_seconds;
        if (cases.spent_seconds <= 0) {
            running_[stage] += job.ready ? running : 0;
        }
        for (const auto& [part, seconds] : cases.spent) {
            running_[part] += cases.spent_seconds > 0 ? running * seconds / cases.spent_seconds : 0;
        }
    }

    std::vector<StageCosts> result() {
        std::vector<StageCosts> all;
        for (auto& [stage, costs] : by_stage_) {
            costs.other_seconds = std::max(0.0, running_[stage] - costs.timed_seconds);
            all.push_back(costs);
        }
        return all;
    }

  private:
    StageCosts& of(Stage stage) {
        StageCosts& costs = by_stage_[stage];
        costs.stage = stage;
        return costs;
    }

    std::map<Stage, StageCosts> by_stage_;
    std::map<Stage, double> running_;
};

}  // namespace

std::vector<StageCosts> stage_costs(const RunData& run) {
    const std::vector<JobTimes> jobs = times_of_jobs(run);
    std::vector<JobCases> cases(jobs.size());
    Sum sum;
    std::size_t job = 0;  // the number of those that were started before the case
    for (const CaseRecord& record : run.cases) {
        while (job < jobs.size() && jobs[job].first_group < record.group) {
            ++job;
        }
        sum.add_case(record);
        if (job > 0) {
            cases[job - 1].add(record);
        }
    }
    // one that measured nothing was started for what was measured next
    Stage stage = run.cases.empty() ? Stage::network : run.cases.back().stage;
    for (std::size_t i = jobs.size(); i-- > 0;) {
        stage = cases[i].first.value_or(stage);
        sum.add_job(jobs[i], cases[i], stage);
    }
    return sum.result();
}

std::string costs_table(const std::vector<StageCosts>& costs) {
    StageCosts all;
    for (const StageCosts& stage : costs) {
        all.jobs += stage.jobs;
        all.cases += stage.cases;
        all.timed_seconds += stage.timed_seconds;
        all.other_seconds += stage.other_seconds;
        all.launch_seconds += stage.launch_seconds;
    }
    if (all.jobs == 0 || all.seconds() <= 0) {
        return "";
    }
    TextTable table(
        {"stage", "jobs", "cases", "timed calls", "warm-up and other", "launches", "all", "share"});
    const auto add = [&](const std::string& title, const StageCosts& stage) {
        table.add({title, std::to_string(stage.jobs), std::to_string(stage.cases),
                   seconds_text(stage.timed_seconds), seconds_text(stage.other_seconds),
                   seconds_text(stage.launch_seconds), seconds_text(stage.seconds()),
                   fmt::format("{:.0f}%", 100 * stage.seconds() / all.seconds())});
    };
    for (const StageCosts& stage : costs) {
        add(stage_title(stage.stage), stage);
    }
    add("all jobs", all);
    return table.text();
}

const char* stage_title(Stage stage) {
    static const std::map<Stage, const char*> titles = {
        {Stage::network, "messages of two ranks"},
        {Stage::exchange, "exchanges of the plan"},
        {Stage::search, "search"},
        {Stage::verify, "verification"},
        {Stage::arrivals, "verification, ranks arriving apart"},
        {Stage::guidelines, "verification, guidelines"},
        {Stage::check, "check"},
        {Stage::not_loaded, "jobs without the rules"},
        {Stage::loaded, "jobs with the rules"},
        {Stage::knobs, "jobs with variables"},
        {Stage::audit, "audit"},
        {Stage::audit_loaded, "audit of the rules"}};
    return titles.at(stage);
}

}  // namespace tuner
