// SPDX-License-Identifier: MIT
// A running `changeover-bench --serve` on one network and layout: one launch, many requests. Whatever goes
// wrong with it is told as an outcome with a reason, so that a campaign can note it and go on.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "case_record.hpp"
#include "error.hpp"
#include "process.hpp"

namespace tuner {

enum class Outcome {
    answered,
    refused,      // the benchmark answered with an error; the job goes on
    garbage,      // something that is no answer; the job was ended
    ended_early,  // the job died
    timed_out,    // no answer in time; the job was ended
    stopped,      // by stop_requested; the job was ended
};
const char* to_string(Outcome outcome);

struct Answer {
    Outcome outcome = Outcome::answered;
    std::vector<CaseRecord> cases;  // that came before it went wrong, too; group and stage are not set
    std::string reason;             // of any outcome but `answered`
};

// A launcher was started, and the benchmark did not come: what is left of it, on this and on other nodes
class StartError : public Error {
  public:
    StartError(const std::string& text, Ending ending)
        : Error(Kind::failure, text), ending_(std::move(ending)) {}
    const Ending& ending() const { return ending_; }

  private:
    Ending ending_;
};

class Job {
  public:
    // Starts the benchmark and waits for its header. Throws an Error when the launcher cannot be started, and
    // a StartError when it fails, nothing comes in time, or the header is not what was asked for: protocol,
    // library, ranks, and where they are. Note the token in the journal before. `arguments` are added to the
    // benchmark's.
    Job(const Cluster& cluster, const Network& network, const Layout& layout, const std::string& token,
        double start_seconds, const std::vector<std::string>& arguments = {});
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    const Json& header() const { return header_; }
    bool is_running() const { return process_ != nullptr; }

    // One request at a time. Sets its id. Throws an Error for a request that is too long to send.
    Answer ask(Json request, double seconds);

    // Lets the benchmark end by itself, then ends what is left. Safe to call twice. The outcomes after which
    // the job is gone have called it already.
    Ending end(double seconds = 5);
    const Ending& ending() const { return ending_; }  // of the job's end
    // What the benchmark said of the kernel's TCP counters when it ended by itself: null, or tcp_retransmits
    // and tcp_time_outs of all its nodes while it ran
    const Json& tcp_counters() const { return tcp_counters_; }

    const std::deque<std::string>& last_errors() const {
        return errors_;
    }  // of standard error, once it ended

  private:
    void start(double seconds);
    void check_header() const;
    Answer broken(Answer answer, Outcome outcome, const std::string& reason);
    Answer no_json(Answer answer, const std::string& line);
    std::string death_report(const std::vector<std::string>& output);
    void force_end();
    void read_counters();

    Cluster cluster_;
    Network network_;
    Layout layout_;      // that is measured
    Layout job_layout_;  // of all ranks
    std::unique_ptr<Process> process_;
    Json header_;
    std::string device_;     // by the header
    std::string interface_;  // that is used, by the header
    std::uint64_t last_id_ = 0;
    Ending ending_;
    Json tcp_counters_;
    std::deque<std::string> errors_;
};

// Hosts of a layout on which the launcher cannot start anything any more
std::vector<std::string> silent_hosts(const Cluster& cluster, const Network& network, const Layout& layout,
                                      double seconds = 15);

// Ends whatever a job left on any node: here, and through the launcher on the other nodes.
Ending end_everywhere(const Cluster& cluster, const Network& network, const Layout& layout,
                      const std::string& token);

}  // namespace tuner
