// SPDX-License-Identifier: MIT
#include "runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cells.hpp"
#include "command.hpp"
#include "device_layers.hpp"
#include "error.hpp"
#include "saved_run.hpp"

namespace tuner {

namespace {

constexpr int launch_attempts = 2;          // a node that is just being rebooted, a port that is still in use
constexpr double time_out_multiple = 10;    // of what is expected
constexpr double spare_to_simulate = 3600;  // millions of messages take longer to compute than to send
constexpr const char* all_algorithms = "all";
// Of a collective that the job has called: connections are open, and what changes after some calls has
// changed
constexpr int warm_up_of_next_size = 2;
constexpr const char* tuned_algorithm = "tuned";  // the benchmark's name for what a tuning file chooses

std::vector<std::string> wanted(const Group& group) {
    return group.algorithms.empty() ? std::vector<std::string>{all_algorithms} : group.algorithms;
}

// Messages between two ranks are measured in the whole job
bool is_exchange(const Group& group) {
    return group.stage == Stage::network || group.stage == Stage::exchange || !group.exchange.link.empty();
}

Json request_of(const Group& group, const std::string& communicators, std::uint64_t seed,
                const std::string& arrivals_file) {
    Json request = {{"collective", group.collective.name},
                    {"bytes", {group.bytes}},
                    {"algorithms", wanted(group)},
                    {"precision", group.limits.precision},
                    {"min_repetitions", group.limits.min_repetitions},
                    {"max_repetitions", group.limits.max_repetitions},
                    {"max_seconds", group.limits.max_seconds},
                    {"seed", seed}};
    if (!group.exchange.link.empty()) {
        request["link"] = group.exchange.link;
    }
    if (!group.exchange.parameters.empty()) {
        request["parameters"] = group.exchange.parameters;
    }
    if (group.as_pairs && group.algorithms.size() == 2) {
        request["order"] = "pairs";
    }
    if (!group.check_results) {
        request["check_results"] = false;
    }
    if (group.reproducible != models::Reproducible::any) {
        request["reproducible"] = models::to_string(group.reproducible);
    }
    if (group.calls_in_a_row != 1) {
        request["calls_in_a_row"] = group.calls_in_a_row;
    }
    if (group.arrival.find("recorded") != std::string::npos) {
        request["arrival"] = {{"pattern", group.arrival}, {"from", arrivals_file}};
    } else if (!group.arrival.empty()) {
        request["arrival"] = group.arrival;
    }
    if (!communicators.empty()) {
        request["communicators"] = communicators;
    }
    if (group.exchange.all_pairs) {
        request["pairs"] = "halves";
    }
    if (group.exchange.overlap) {  // by itself, and with the tests that help most
        request["overlap"] = {{"schemes", {"time", "work"}}, {"test_intervals", {0, "search"}}};
    }
    if (group.with_ranks) {
        request["ranks"] = true;
    }
    if (group.limits.race > 0) {
        request["race"] = group.limits.race;
    }
    if (group.exchange.warm_up > 0) {
        request["warm_up"] = group.exchange.warm_up;
    }
    if (!group.collective.datatype.empty()) {
        request["datatype"] = group.collective.datatype;
    }
    if (!group.collective.operation.empty()) {
        request["operation"] = group.collective.operation;
    }
    return request;
}

// The benchmark answers with all parameters, also those that were not asked for
bool has_parameters(const CaseRecord& record, const std::map<std::string, double>& wanted) {
    return std::all_of(wanted.begin(), wanted.end(), [&](const auto& parameter) {
        const auto found = record.parameters.find(parameter.first);
        return found != record.parameters.end() && found->second == parameter.second;
    });
}

// What is wrong with an answer as a whole; empty: each algorithm has its case, and nothing else has one
std::string mismatch(const Group& group, const std::string& communicators, const Answer& answer) {
    for (const CaseRecord& record : answer.cases) {
        if (record.collective != group.collective.name || record.bytes != group.bytes ||
            record.operation != group.collective.operation || record.calls_in_a_row != group.calls_in_a_row ||
            record.arrival != group.arrival || record.communicators != communicators ||
            (!group.exchange.link.empty() && record.link != group.exchange.link) ||
            !has_parameters(record, group.exchange.parameters)) {
            return fmt::format("an answer for {} of {} bytes, which was not asked for", record.collective,
                               record.bytes);
        }
    }
    for (const std::string& algorithm : group.algorithms) {
        if (std::none_of(answer.cases.begin(), answer.cases.end(),
                         [&](const CaseRecord& record) { return record.algorithm == algorithm; })) {
            return "an answer without the algorithm " + algorithm;
        }
    }
    return answer.cases.empty() ? "an answer without any case" : "";
}

// Asks for what the tuning file chooses in place of the only algorithm that is not the default.
void ask_for_tuned(Json& request) {
    for (Json& name : request.at("algorithms")) {
        if (name != default_algorithm) {
            name = tuned_algorithm;
        }
    }
}

// A case of another algorithm than the expected one is none of it.
void name_tuned(const Group& group, std::vector<CaseRecord>& cases, const std::string& file) {
    for (CaseRecord& record : cases) {
        if (record.algorithm == tuned_algorithm) {
            record.algorithm = group.algorithms.back();
            if (record.status == Status::measured && !models::is_what_ran(record.algorithm, record.used)) {
                record.status = Status::wrong_algorithm;
                record.reason = fmt::format(
                    "with the tuning file {} the library ran {} instead of {}; check that the node "
                    "of rank 0 can read the file",
                    file, record.used, record.algorithm);
                record.samples_seconds.clear();
            }
        }
    }
}

}  // namespace

Runner::Runner(const Cluster& cluster, const Network& network, const Layout& layout, Journal& journal,
               RunData& run, JobLimits limits)
    : cluster_(cluster), network_(network), layout_(layout), journal_(journal), run_(run), limits_(limits) {}

Runner::~Runner() {
    try {
        end("left");
    } catch (const Error&) {  // a full disk: the next start looks for the job's processes
    }
}

void Runner::end(const std::string& how) {
    if (job_) {
        const Ending ending = job_->end();
        const Json counters = job_->tcp_counters();
        job_.reset();
        note_end(ending, how, counters);
    }
}

// A job of which something is left stays open in the journal, so that the next start tries again
void Runner::note_end(const Ending& ending, const std::string& how, const Json& counters) {
    if (ending.problem.empty()) {
        journal_.job_ended(token_, how, counters);
    } else {
        problems_.push_back(ending.problem);
    }
}

double Runner::clock_error_seconds() const {
    constexpr double microsecond = 1e-6;
    const Json error = job_ ? job_->header().value("sync_error_us", Json()) : Json();
    return error.is_number() ? microsecond * error.get<double>() : 0;
}

bool Runner::is_out_of_time() const {
    return limits_.hard_end && Clock::now() >= *limits_.hard_end;
}

// So many seconds, or less
double Runner::until_hard_end(double seconds) const {
    if (!limits_.hard_end) {
        return seconds;
    }
    const std::chrono::duration<double> left = *limits_.hard_end - Clock::now();
    return std::clamp(left.count(), 0.0, seconds);
}

std::string Runner::communicators_of(const Group& group) const {
    return is_exchange(group) ? "" : cluster_.communicators_of(layout_);
}

bool Runner::launch() {
    for (int attempt = 0; !job_ && attempt < launch_attempts && !stop_requested && !is_out_of_time();
         ++attempt) {
        token_ = new_token();
        journal_.job_started({token_, network_.name, layout_});
        try {
            job_ = std::make_unique<Job>(cluster_, network_, layout_, token_,
                                         until_hard_end(limits_.start_seconds));
        } catch (const StartError& error) {
            reason_ = error.what();
            note_end(error.ending(), "not started");
        } catch (const Error& error) {  // not even the launcher
            reason_ = error.what();
            note_end({}, "not started");
        }
        if (job_) {
            called_.clear();
            journal_.append_event("job_header", {{"token", token_}, {"header", job_->header()}});
            require_shared_files();
        }
    }
    return job_ != nullptr;
}

// Without its rules a job can tell nothing about them
void Runner::require_shared_files() const {
    const Json& header = job_->header();
    const Json problem = header.value("tuning_file_problem", Json());
    if (problem.is_string()) {
        throw failure(fmt::format(
            "{}, where rank 0 runs, cannot read {}: {}. The run directory must be on a file system that all "
            "nodes share. What was measured is kept: move {} to one, and resume with: changeover tune --run "
            "FOLDER",
            header.at("node_of_rank").at(0).dump(), header.at("tuning_file").dump(),
            problem.get<std::string>(), journal_.folder().string()));
    }
}

// A file that the library refuses gives no job any rule: no result of it would be worth anything
void Runner::require_accepted_file(const Answer& answer) {
    const auto is_wrong = [](const CaseRecord& record) { return record.status == Status::wrong_algorithm; };
    if (is_file_accepted_ || std::none_of(answer.cases.begin(), answer.cases.end(), is_wrong)) {
        return;
    }
    job_->end();  // then all that it printed is known
    for (const std::string& line : job_->last_errors()) {
        if (line.starts_with("MPICH: MPIR_CVAR_COLL_TUNING_FILE=")) {
            throw failure(
                fmt::format("the library does not use the rules that are to be verified: {}. What was "
                            "measured is kept in {}",
                            line, journal_.folder().string()));
        }
    }
    is_file_accepted_ = true;
}

void Runner::require_all_nodes() const {
    const std::vector<std::string> silent = silent_hosts(cluster_, network_, layout_);
    if (silent.empty()) {
        return;
    }
    // If nobody answers, it is rather the launcher that fails: then its own words help.
    const bool is_launcher = static_cast<int>(silent.size()) == cluster_.job_of(layout_).nodes;
    throw failure(fmt::format(
        "{} of network {} cannot be reached{}. What was measured is kept; once fixed, resume with: "
        "changeover tune --run {}",
        fmt::join(silent, ", "), network_.name, is_launcher ? " (" + reason_ + ")" : "",
        shell_quoted(journal_.folder().string())));
}

Answer Runner::ask_job(const Group& group) {
    const double spare = cluster_.is_simulated() ? spare_to_simulate : limits_.spare_seconds;
    const double seconds = until_hard_end(spare + time_out_multiple * group.limits.expected_seconds);
    const std::string communicators = communicators_of(group);
    Json request =
        request_of(group, communicators, run_.manifest.seed + run_.cases.size(),
                   std::filesystem::absolute(RunFiles(journal_.folder().string()).arrivals()).string());
    const Json file = job_->header().value("tuning_file", Json());
    const bool is_tuned = group.by_tuning_file && file.is_string();
    if (is_tuned) {
        ask_for_tuned(request);
    }
    if (group.stage == Stage::search && group.limits.race > 0 &&
        !called_.insert(group.collective.name + group.collective.operation).second) {
        request["warm_up"] = warm_up_of_next_size;
    }
    Answer answer = job_->ask(std::move(request), seconds);
    if (is_tuned) {
        name_tuned(group, answer.cases, file.get<std::string>());
        require_accepted_file(answer);
    }
    if (answer.outcome == Outcome::answered) {
        if (const std::string problem = mismatch(group, communicators, answer); !problem.empty()) {
            answer.outcome = Outcome::garbage;
            answer.reason = problem;
            end(to_string(answer.outcome));
        }
    } else {
        reason_ = answer.reason;
    }
    if (job_ && !job_->is_running()) {
        end(to_string(answer.outcome));
    }
    return answer;
}

AskResult Runner::ask(const Group& group) {
    return ask(group, group.as_pairs);
}

AskResult Runner::ask(const Group& group, bool once_more) {
    if (!launch()) {
        if (stop_requested || is_out_of_time()) {
            return stop_requested ? AskResult::stopped : AskResult::out_of_time;
        }
        require_all_nodes();
        return AskResult::not_started;
    }
    Answer answer = ask_job(group);
    if (answer.outcome == Outcome::answered) {
        failures_in_a_row_ = 0;
        keep(std::move(answer.cases), group);
        return AskResult::done;
    }
    if (answer.outcome == Outcome::stopped) {
        return AskResult::stopped;
    }
    if (is_out_of_time()) {
        return AskResult::out_of_time;
    }
    if (answer.outcome != Outcome::refused) {
        require_all_nodes();
        if (once_more) {
            return ask(group, false);
        }
    }
    const std::vector<std::string> algorithms =
        group.algorithms.empty() ? list_algorithms(group) : group.algorithms;
    if (algorithms.size() > 1) {
        return ask_one_by_one(group, algorithms);
    }
    keep_failure(group, algorithms.empty() ? "default" : algorithms.front(), answer);
    return AskResult::done;
}

AskResult Runner::ask_one_by_one(const Group& group, const std::vector<std::string>& algorithms) {
    Group alone = group;
    for (const std::string& algorithm : algorithms) {
        alone.algorithms = {algorithm};
        if (const AskResult asked = ask(alone, false); asked != AskResult::done) {
            return asked;
        }
    }
    return AskResult::done;
}

// By a message without content, which the benchmark refuses to send by any algorithm, naming each. Empty: it
// could not be found out.
std::vector<std::string> Runner::list_algorithms(const Group& group) {
    std::vector<std::string> names;
    if (launch()) {
        Group question = group;
        question.bytes = 0;
        question.limits.min_repetitions = question.limits.max_repetitions = 1;
        for (const CaseRecord& record : ask_job(question).cases) {
            names.push_back(record.algorithm);
        }
    }
    return names;
}

void Runner::keep(std::vector<CaseRecord> cases, const Group& group) {
    for (CaseRecord& record : cases) {
        record.stage = group.stage;
        record.exchange = group.exchange.label;
        record.setting = group.setting;
        if (record.status == Status::measured && record.samples_seconds.empty()) {
            record.status = Status::crashed;  // so that it is tried once more
            record.reason = fmt::format(
                "no repetition was valid: a rank started late in all {}; check whether the machine is busy",
                record.invalid);
        }
    }
    journal_.append(cases);
    run_.last_group = cases.empty() ? run_.last_group : cases.back().group;
    std::move(cases.begin(), cases.end(), std::back_inserter(run_.cases));
}

void Runner::keep_failure(const Group& group, const std::string& algorithm, const Answer& answer) {
    const bool is_refused = answer.outcome == Outcome::refused;
    failures_in_a_row_ += !is_refused;
    CaseRecord record;
    record.network = network_.name;
    record.layout = layout_;
    record.collective = group.collective.name;
    record.algorithm = algorithm;
    record.bytes = group.bytes;
    record.datatype = group.collective.datatype.empty() ? "byte" : group.collective.datatype;
    record.operation = group.collective.operation;
    record.link = group.exchange.link;
    record.parameters = group.exchange.parameters;
    record.calls_in_a_row = group.calls_in_a_row;
    record.arrival = group.arrival;
    record.communicators = communicators_of(group);
    record.status = is_refused ? Status::refused : Status::crashed;
    record.reason = fmt::format("{}{}{}", is_refused ? "" : to_string(answer.outcome), is_refused ? "" : ": ",
                                answer.reason);
    keep({record}, group);
}

std::vector<std::string> end_open_jobs(const Cluster& cluster, Journal& journal, RunData& run) {
    std::vector<std::string> problems;
    for (const OpenJob& job : open_jobs(run)) {
        const Ending ending = end_everywhere(cluster, cluster.network(job.network), job.layout, job.token);
        if (ending.problem.empty()) {
            journal.job_ended(job.token, "reaped");
            run.events.push_back({{"event", "job_ended"}, {"token", job.token}});
        } else {
            problems.push_back(ending.problem);
        }
    }
    return problems;
}

}  // namespace tuner
