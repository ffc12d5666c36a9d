// SPDX-License-Identifier: MIT
// Measures groups of cases on one network and layout, whatever happens to the jobs: launches when needed,
// keeps each answer in the journal at once, and finds the algorithm that ends or hangs a job by asking for
// each alone. Search and verification share it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "job.hpp"
#include "journal.hpp"
#include "plan.hpp"
#include "reproducible.hpp"

namespace tuner {

// When the benchmark stops with a case, as in a request
struct GroupLimits {
    double precision = 0.02;  // half the interval of the median by the median
    int min_repetitions = 15;
    int max_repetitions = 1000;
    double max_seconds = 0.2;
    double race = 0;              // above 0: until the fastest one is known up to this loss
    double expected_seconds = 5;  // for the whole group: a job that hangs is killed after a multiple of it
};

// What is asked for besides the name, if it is an exchange of messages
struct ExchangeRequest {
    std::string label = {};  // in the plan
    std::string link = {};   // of two ranks: within or between (nodes)
    std::map<std::string, double> parameters = {};
    int warm_up = 0;         // calls; 0: as the benchmark does
    bool all_pairs = false;  // p with p + n/2, in place of a link
    bool overlap = false;    // of a nonblocking collective and computation
};

// Algorithms that are measured together, interleaved
struct Group {
    Stage stage = Stage::search;
    PlannedCollective collective;
    std::size_t bytes = 0;
    std::vector<std::string> algorithms;  // empty: all that the library has
    GroupLimits limits = {};
    // The algorithm is not forced but must be chosen by the tuning file, if the job has one
    bool by_tuning_file = false;
    bool with_ranks = false;  // also when each rank finished
    // Two algorithms whose k-th samples are neighbours in time. Measured apart, they prove nothing: if their
    // job fails, they are asked for together once more
    bool as_pairs = false;
    int calls_in_a_row = 1;     // of a repetition, after one common start; of collectives only
    std::string setting = {};   // of the job, for the record
    std::string arrival = {};   // of the ranks, such as one-late:0.5; empty: together
    bool check_results = true;  // once is enough for a case
    models::Reproducible reproducible = models::Reproducible::any;
    ExchangeRequest exchange = {};
};

struct JobLimits {
    double start_seconds = 60;           // for a launch, up to the benchmark's header
    double spare_seconds = 30;           // of a time-out, more than the multiple of what is expected
    std::optional<Deadline> hard_end{};  // what is in flight then is given up, and nobody's fault
};

enum class AskResult {
    done,         // each algorithm has a record: measured, or its status and reason
    not_started,  // the launcher does not start the benchmark: see reason()
    stopped,      // by stop_requested
    out_of_time,  // hard_end has come
};

class Runner {
  public:
    Runner(const Cluster& cluster, const Network& network, const Layout& layout, Journal& journal,
           RunData& run, JobLimits limits);
    ~Runner();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    const Network& network() const { return network_; }
    const Layout& layout() const { return layout_; }
    void set_hard_end(std::optional<Deadline> end) { limits_.hard_end = end; }

    // The records are added to the journal and to the run. Throws an Error if a node does not answer any
    // more: that is no fault of the algorithm, and nothing can be measured until it is back.
    AskResult ask(const Group& group);
    void end(const std::string& how);  // the job, if there is one

    const std::string& reason() const { return reason_; }         // of the last failure
    int failures_in_a_row() const { return failures_in_a_row_; }  // cases that crashed
    void forget_failures() { failures_in_a_row_ = 0; }
    // Processes that could not be ended, in words
    const std::vector<std::string>& problems() const { return problems_; }
    // By which the clocks of the nodes may differ, in the job that runs; 0: not known, or no job
    double clock_error_seconds() const;

  private:
    AskResult ask(const Group& group, bool once_more);
    bool launch();
    void require_all_nodes() const;
    void require_shared_files() const;
    void require_accepted_file(const Answer& answer);
    Answer ask_job(const Group& group);
    std::string communicators_of(const Group& group) const;  // that make its calls at once; empty: all ranks
    AskResult ask_one_by_one(const Group& group, const std::vector<std::string>& algorithms);
    std::vector<std::string> list_algorithms(const Group& group);
    void keep(std::vector<CaseRecord> cases, const Group& group);
    void keep_failure(const Group& group, const std::string& algorithm, const Answer& answer);
    void note_end(const Ending& ending, const std::string& how, const Json& counters = {});
    bool is_out_of_time() const;
    double until_hard_end(double seconds) const;

    const Cluster& cluster_;
    Network network_;
    Layout layout_;
    Journal& journal_;
    RunData& run_;
    JobLimits limits_;
    std::set<std::string> called_;   // collectives that the running job has measured
    bool is_file_accepted_ = false;  // the tuning file, by a library that was seen not to refuse it
    std::unique_ptr<Job> job_;
    std::string token_;
    std::string reason_;
    int failures_in_a_row_ = 0;
    std::vector<std::string> problems_;
};

// Ends what jobs of an earlier, killed start left. Returns what could not be ended.
std::vector<std::string> end_open_jobs(const Cluster& cluster, Journal& journal, RunData& run);

}  // namespace tuner
