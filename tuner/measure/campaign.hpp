// SPDX-License-Identifier: MIT
// The measurements of a run: for each network and layout one job, for each collective the search, until all
// is known that the plan wants or the time is up. What fails is noted and the rest goes on. Goes on with a
// run that was killed: what its journal has is not asked again.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "exchange_questions.hpp"
#include "link_questions.hpp"
#include "pair_questions.hpp"
#include "prior.hpp"
#include "progress.hpp"
#include "runner.hpp"
#include "search_view.hpp"

namespace tuner {

struct FailedLayout {
    std::string network;
    Layout layout;
    std::string reason;
};

struct CampaignReport {
    std::size_t cases = 0;                // asked for by this search
    double benchmark_seconds = 0;         // that its requests took, with launches
    std::vector<CaseRecord> crashed;      // of the whole run, if they did not succeed later
    std::vector<FailedLayout> failed;     // nothing could be measured there
    std::vector<std::string> coarse;      // what is not known as well as the plan wants, in words
    std::optional<double> expected_loss;  // of its cells' rules against the best algorithms
    bool stopped = false;                 // by stop_requested; resuming goes on from here
};

struct GroupAnswer {
    AskResult asked = AskResult::done;
    std::vector<CaseRecord> cases;  // that are in the journal now
    std::string reason;             // of AskResult::not_started
};

class Campaign {
  public:
    // Ends what an earlier start left. All of them must outlive it.
    Campaign(const Cluster& cluster, const Plan& plan, Journal& journal, RunData& run, Progress& progress,
             const JobLimits& limits = {});

    // Exchanges between two ranks, of which exchanges.hpp fits the parameters of each network and link. At
    // most up to the deadline, which each network has a share of. `cases`: what counts as known already.
    CampaignReport measure_networks(std::optional<Deadline> deadline = {}, const LinkCases& cases = {});

    // The exchanges of the plan
    CampaignReport measure_exchanges(std::optional<Deadline> deadline = {});

    // What was measured before, as a hint for the search
    void set_prior(Prior prior) { prior_ = std::move(prior); }

    // All that is still to be measured, or what fits: the time up to the deadline is shared fairly among
    // layouts and collectives, first for the grids of all of them, then for what is between their sizes.
    // `only`: these cells; nullptr: all of the plan.
    CampaignReport search(std::optional<Deadline> deadline = {}, const std::set<CellKey>* only = nullptr);

    // Pairs for verification, or for a check: the plan's number of repetitions shared by the jobs of a proof
    // (fewer where a call takes long). The job of the layout is started if it does not run; the one of
    // another layout is ended.
    GroupAnswer ask_pairs(Stage stage, const PairRequest& request, const PlannedCollective& collective,
                          std::optional<Deadline> hard_end = {});
    void end_job();

    // Processes of jobs that could not be ended, in words
    const std::vector<std::string>& leftover_processes() const { return leftover_processes_; }

  private:
    // One search: a collective on a network and layout
    struct Unit {
        const Network* network;
        Layout layout;
        const PlannedCollective* collective;
        double questions_left = 0;
        bool is_grid_known = false;
        bool is_over = false;                      // nothing is left to ask, or it failed
        std::optional<double> expected_loss = {};  // nothing: its grid is not known

        CellKey key() const { return {network->name, layout, collective->name, collective->operation}; }
    };

    // All groups that `next` asks for, one after the other; `name`: of all of them, in words
    void ask_all(const Network& network, const Layout& layout, const std::string& name,
                 const std::function<std::optional<Group>()>& next, std::optional<Deadline> end,
                 std::optional<Deadline> hard_end);
    std::optional<Deadline> share_of_network(std::size_t number, std::optional<Deadline> deadline) const;
    bool has_not_started(const std::string& network, const Layout& layout) const;
    void tell_clock_error(const Runner& runner);
    void search_layouts();
    void search_layout(std::span<Unit> units);
    void search_unit(Unit& unit, std::optional<Deadline> share_end);
    bool retry_crashed(std::span<Unit> units);
    bool ask(Unit& unit, const Group& group);
    static std::string name_of(const Unit& unit);
    Group group_for(const Unit& unit, const Question& question) const;
    Runner& runner_for(const Network& network, const Layout& layout);
    bool has_questions(const Unit& unit) const;
    std::optional<Deadline> share_end(const Unit& unit) const;
    Cell measured_like(const CellKey& key) const;
    std::optional<Question> next_question(Unit& unit) const;
    std::vector<CellProgress> progress_of_cells() const;
    void describe_coarse(const Unit& unit);
    void show(const Unit& unit, const Question& question);

    const Cluster& cluster_;
    const Plan& plan_;
    Journal& journal_;
    RunData& run_;
    Progress& progress_;
    JobLimits limits_;
    Prior prior_;
    std::unique_ptr<Runner> runner_;
    std::vector<std::string> leftover_processes_;
    std::vector<FailedLayout> not_started_;  // is not tried again
    bool has_told_clock_error_ = false;

    // of the search that runs
    std::vector<Unit> units_;
    std::optional<Deadline> deadline_;
    std::optional<Deadline> hard_end_;
    CampaignReport report_;
    bool is_first_pass_ = false;
    int questions_ = 0;
};

// Roughly, by the times of the nearest smaller size; pessimistic where nothing is known
double expected_seconds(const Plan& plan, const Question& question, const Cell& cell);

}  // namespace tuner
