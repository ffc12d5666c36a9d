// SPDX-License-Identifier: MIT
#include "verifying.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "audit_rules.hpp"
#include "clock_errors.hpp"
#include "commit.hpp"
#include "decide.hpp"
#include "error.hpp"
#include "estimate_text.hpp"
#include "fitting_rules.hpp"
#include "held_out.hpp"
#include "keep_memory.hpp"
#include "keep_reproducible.hpp"
#include "machine.hpp"
#include "proofs.hpp"
#include "rules_loaded.hpp"
#include "stale.hpp"
#include "units.hpp"

namespace tuner::commands {

namespace {

constexpr const char* knobs_proven_event = "knobs_proven";
constexpr double share_of_arrivals = 0.15;  // of a verification's time: a rule that is proven is tested, too

// Pairs that were measured for rules that may change more than these: what shows that it does is no proof
std::vector<CaseRecord> keeping_bits(std::vector<CaseRecord> pair, models::Reproducible wanted) {
    const auto own = std::find_if(pair.begin(), pair.end(), [](const CaseRecord& record) {
        return record.algorithm == default_algorithm;
    });
    for (CaseRecord& record : pair) {
        if (own != pair.end() && record.algorithm != default_algorithm && !record.bits.bits.empty() &&
            !models::keeps(wanted, record.bits, own->bits)) {
            record.status = Status::refused;
        }
    }
    return pair;
}

// The cases of the group of this job, if the journal has it: of groups that are alike, each is of another job
std::vector<CaseRecord> pairs_in_journal(const RunData& data, Stage stage, const PairRequest& request) {
    const std::string arrival = models::to_string(request.arrival);
    std::map<std::uint64_t, std::vector<CaseRecord>> groups;
    for (const CaseRecord& record : data.cases) {
        const CellKey cell = {record.network, record.layout, record.collective, record.operation};
        if (record.stage == stage && record.bytes == request.bytes && cell == request.cell &&
            record.arrival == arrival && record.setting == request.setting &&
            record.calls_in_a_row == request.calls_in_a_row &&
            std::find(request.algorithms.begin(), request.algorithms.end(), record.algorithm) !=
                request.algorithms.end()) {
            groups[record.group].push_back(record);
        }
    }
    int job = 0;
    for (auto& [group, records] : groups) {
        if (records.size() == request.algorithms.size() && job++ == request.job) {
            return std::move(records);
        }
    }
    return {};
}

// A rule is proven, and checked, under the arrivals that it was decided under
PairRequest with_mix(PairRequest request, Stage purpose, const Plan& plan) {
    const bool is_of_rule = purpose == Stage::verify || purpose == Stage::check;
    if (is_of_rule && request.arrival.empty() && request.calls_in_a_row == 1) {
        request.arrival = plan.mix;
    }
    return request;
}

// Whose jobs read the file of candidates, if there is one
Cluster with_candidates(Cluster cluster, const CandidatesFile& file) {
    if (!file.path().empty()) {
        for (Network& network : cluster.networks) {
            network.environment.emplace_back("MPIR_CVAR_COLL_TUNING_FILE", file.path());
            network.environment.emplace_back("MPIR_CVAR_COLL_TUNING_NETWORK", network.name);
        }
    }
    return cluster;
}

// When the time for proofs is up, so that some is left to test them with ranks that arrive apart
std::optional<Deadline> end_of_proofs(const Plan& plan, Stage purpose, std::optional<Deadline> end) {
    return end && purpose == Stage::verify && !plan.arrivals.empty()
               ? std::optional(in_seconds((1 - share_of_arrivals) * seconds_until(*end)))
               : end;
}

// Nothing: there are no rules
std::optional<Deadline> tell_expected_end(const OpenRun& run, Progress& progress, const Config& config,
                                          const std::optional<Deadline>& end) {
    const StageEstimate expected = verification_estimate(
        config, run.data, run.plan, launch_seconds_of(run.cluster, load_run(run.files.folder())));
    if (expected.rules == 0) {
        return std::nullopt;
    }
    const std::optional<double> left = end ? std::optional(seconds_until(*end)) : std::nullopt;
    progress.note(verification_summary(expected, left));
    return in_seconds(left ? std::min(*left, expected.seconds) : expected.seconds);
}

}  // namespace

Plan with_limits(Plan plan, const RuleLimits& asked, const RunFiles& files) {
    if (const std::optional<Config> before = config_of(files)) {
        plan.reproducible = before->reproducible;
        plan.max_memory = before->max_memory;
    }
    set_limits(plan, asked);
    return plan;
}

Config decided_config(const RunData& data, const Plan& plan, const RunFiles& files) {
    const SavedRun saved(files.folder());  // with the headers of the jobs that this process started
    Cells cells = cells_of(data, Stage::search);
    std::vector<std::string> notes;
    keep_reproducible(cells, plan.reproducible, notes);
    keep_memory(cells, plan.max_memory, notes);
    Config config = decide(cells, plan.loss_bound, shapes_of(cells, saved.data(), saved.network_parameters()),
                           extent_of(saved.cluster()));
    drop_unknown_bits(config.rules, plan.reproducible);
    trim_to_memory(config.rules, plan.max_memory, extent_of(saved.cluster()), notes);
    config.reproducible = plan.reproducible;
    config.max_memory = plan.max_memory;
    config.notes = std::move(notes);
    config.created = now_utc();
    config.run = files.folder();
    const Json header = saved.header();
    config.library = header.value("library", "");
    config.algorithm_values = header.value("algorithm_values", Json::object());
    config.fingerprint = data.manifest.fingerprint;
    config.network_marks = marks_of(saved.data());
    if (const std::optional<Config> before = config_of(files)) {
        config.knobs = before->knobs;
    }
    return config;
}

MeasurePairs pairs_by(OpenRun& run, Campaign& campaign, Progress& progress, Stage purpose,
                      std::optional<Deadline> end, std::optional<Deadline> expected_end) {
    // In new jobs, as users start them: on connections that a long search has warmed up, TCP's windows had
    // grown, and an algorithm won by 13% that lost by 12% in a new job.
    return [&run, &campaign, &progress, purpose, end, expected_end,
            proofs_end = end_of_proofs(run.plan, purpose, end),
            last = std::make_shared<PairRequest>()](const PairRequest& asked) -> std::vector<CaseRecord> {
        const Stage stage = asked.arrival.empty() ? purpose : Stage::arrivals;
        const PairRequest request = with_mix(asked, purpose, run.plan);
        if (purpose == Stage::verify || purpose == Stage::guidelines) {
            std::vector<CaseRecord> known = pairs_in_journal(run.data, stage, request);
            if (!known.empty()) {
                return keeping_bits(std::move(known), run.plan.reproducible);
            }
        }
        const std::optional<Deadline>& limit = stage == Stage::arrivals ? end : proofs_end;
        if (stop_requested || (limit && Clock::now() > *limit)) {
            return {};
        }
        if (!can_share_job(*last, request)) {
            campaign.end_job();
        }
        *last = request;
        progress.show(
            {run.data.cases.size(), expected_end ? seconds_until(*expected_end) : -1,
             fmt::format("{} {} {} {}, job {}", to_string(stage), request.cell.collective,
                         bytes_text(request.bytes), to_string(request.cell.layout), request.job + 1)});
        GroupAnswer answer = campaign.ask_pairs(
            stage, request, planned_collective(run.plan, request.cell.collective, request.cell.operation),
            limit);
        for (const CaseRecord& record : answer.cases) {
            if (record.status != Status::measured) {
                progress.note(fmt::format("Warning: {} {} {} {}: {}", record.collective, record.algorithm,
                                          bytes_text(record.bytes), to_string(record.layout), record.reason));
            }
        }
        return std::move(answer.cases);
    };
}

namespace {

// What jobs read of the rules. Gains are not in it: those of a verification and of the journal that it is
// resumed from differ in the last digits.
std::string mark_of(const std::vector<Rule>& rules) {
    std::vector<Rule> read;
    for (const Rule& rule : rules) {
        Rule& one = read.emplace_back();
        one.network = rule.network;
        one.where = rule.where;
        one.collective = rule.collective;
        one.operation = rule.operation;
        one.from_bytes = rule.from_bytes;
        one.to_bytes = rule.to_bytes;
        one.algorithm = rule.algorithm;
    }
    return "rules=" + checksum_of(read);
}

// Jobs for the audit of rules: as those of users, where they read rules
class AuditJobsOfRules {
  public:
    AuditJobsOfRules(OpenRun& run, Progress& progress, const Config& config, std::optional<Deadline> end)
        : run_(run), progress_(progress), config_(config), end_(end) {}
    ~AuditJobsOfRules() { end_job_of_place(); }
    AuditJobsOfRules(const AuditJobsOfRules&) = delete;
    AuditJobsOfRules& operator=(const AuditJobsOfRules&) = delete;

    MeasurePairs at(const std::string& network, const Layout& layout, const std::vector<Rule>* rules) {
        end_job_of_place();
        cluster_ = run_.cluster;
        std::string setting;
        if (rules) {
            config_.rules = *rules;
            set_network(cluster_, with_rules(run_, config_, network, layout));
            setting = mark_of(*rules);
        }
        campaign_.emplace(campaign_of(run_, cluster_, progress_));
        return [measure = pairs_by(run_, *campaign_, progress_, Stage::guidelines, end_),
                setting](PairRequest request) {
            request.setting = setting;
            return measure(request);
        };
    }

  private:
    void end_job_of_place() {
        if (campaign_) {
            end_job(*campaign_, progress_);
            campaign_.reset();
        }
    }

    OpenRun& run_;
    Progress& progress_;
    Config config_;
    std::optional<Deadline> end_;
    Cluster cluster_;
    std::optional<Campaign> campaign_;
};

// Libraries that cannot be told rules in this installation keep theirs: jobs of users may
void audit_verified(OpenRun& run, Progress& progress, const Config& config, const Cells& cells,
                    std::optional<Deadline> end, Verification& verification) {
    if (!run.plan.guidelines || verification.rules.empty()) {
        return;
    }
    AuditJobsOfRules jobs(run, progress, config, end);
    try {
        audit_rules(
            cells,
            [&](const std::string& network, const Layout& layout, const std::vector<Rule>* rules) {
                return jobs.at(network, layout, rules);
            },
            verification);
    } catch (const Error& error) {
        verification.notes.push_back(fmt::format("guidelines: the rules were not audited: {}", error.what()));
    }
}

}  // namespace

Verification verify_rules(OpenRun& run, Progress& progress, const Config& decided,
                          std::optional<Deadline> end) {
    Config config = decided;
    std::vector<std::string> notes;
    if (end) {
        config.rules = fitting_rules(decided, run.data, run.plan,
                                     launch_seconds_of(run.cluster, load_run(run.files.folder())),
                                     seconds_until(*end), notes);
    }
    CandidatesFile candidates(run.files, config);
    const Cluster cluster = with_candidates(run.cluster, candidates);
    Campaign campaign = campaign_of(run, cluster, progress);
    const Cells cells = cells_of(run.data, Stage::search);
    const MeasurePairs measure =
        pairs_by(run, campaign, progress, Stage::verify, end, tell_expected_end(run, progress, config, end));
    Verification verification = verify(config, cells, run.plan,
                                       [&](const PairRequest& request) {
                                           candidates.keep_only(request.cell.network, request.cell.layout);
                                           return measure(request);
                                       },
                                       {extent_of(run.cluster), run.data.manifest.seed});
    end_job(campaign, progress);
    audit_verified(run, progress, config, cells, end, verification);
    if (stop_requested) {
        throw stopped(run);
    }
    notes.insert(notes.begin(), decided.notes.begin(), decided.notes.end());
    verification.notes.insert(verification.notes.begin(), notes.begin(), notes.end());
    if (verification.rules.empty()) {
        // with the headers of the jobs that this process started
        if (std::string note = coarse_clocks_note(load_run(run.files.folder()), cells); !note.empty()) {
            verification.notes.push_back(std::move(note));
        }
    }
    return verification;
}

std::vector<KnobResult> prove_knobs(OpenRun& run, Progress& progress, const std::vector<PlannedKnob>& knobs) {
    Config config = read_config(run.files.config());
    std::vector<KnobResult> results = measure_knobs(run, progress, config, knobs);
    config.knobs = proven_knobs(results);
    write_decided(run.files, config);
    if (knobs == run.plan.knobs) {
        run.journal.append_event(knobs_proven_event, Json::object());
    }
    return results;
}

bool were_knobs_proven(const OpenRun& run) {
    return std::any_of(run.data.events.begin(), run.data.events.end(),
                       [](const Json& event) { return event.value("event", "") == knobs_proven_event; });
}

void retune(OpenRun& run) {
    const Deadline start = Clock::now();
    const std::set<CellKey> cells = stale_cells(run.data);
    const Config old = read_config(run.files.config());
    run.plan = with_limits(run.plan, {}, run.files);
    Progress progress;
    measure(run, progress, &cells);
    Config config = decided_config(run.data, run.plan, run.files);
    std::erase_if(config.rules, [&](const Rule& rule) { return !is_decided_by(rule, cells); });
    Verification renewed = verify_rules(run, progress, config, end_of_budget(run.plan, start));
    // verification.json may be of a retuning that was interrupted before config.json; what it says of the
    // other cells is the same
    commit_verified(
        run.files, config,
        with_cells_replaced({old.rules, proofs_in(run.files), old.notes}, std::move(renewed), cells));
    mark_retuned(run.journal);
    progress.clear();
}

}  // namespace tuner::commands
