// SPDX-License-Identifier: MIT
#include "job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "error.hpp"
#include "mpi_library.hpp"
#include "network_check.hpp"
#include "slurm.hpp"

namespace tuner {

namespace {

constexpr int protocol_version = 1;
constexpr std::size_t longest_request = std::size_t{32} << 10;  // the benchmark's
constexpr double seconds_to_die = 3;                            // between a launcher's last words and its end
constexpr double seconds_to_reap = 30;                          // ssh to many hosts takes its time

std::string excerpt(const std::string& line) {
    constexpr std::size_t longest = 100;
    std::string text;
    for (const char c : line.substr(0, longest)) {
        text += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
    }
    return fmt::format("'{}{}'", text, line.size() > longest ? "..." : "");
}

// libmpich.so.12(MPI_Init+0x30) [0xffffb2dfde00]
bool is_stack_frame(const std::string& line) {
    return line.ends_with(']') && line.find("+0x") != std::string::npos &&
           line.find(") [0x") != std::string::npos;
}

// The lines that say something, as one: without the frames that launchers draw, those of stacks, and what
// another rank has said before; hydra's stack traces only if there is nothing else
std::string last_words(const std::vector<std::string>& output, const std::deque<std::string>& errors) {
    constexpr std::size_t from_output = 4;  // a launcher's report starts with what counts
    constexpr std::size_t from_errors = 6;
    std::deque<std::string> words;
    std::deque<std::string> traces;
    const auto sort_in = [&](std::string line) {
        line.erase(0, line.find_first_not_of("= \t"));
        if (std::none_of(line.begin(), line.end(), [](unsigned char c) { return std::isalnum(c); }) ||
            is_stack_frame(line) || std::find(words.begin(), words.end(), line) != words.end()) {
            return;
        }
        if (!line.starts_with("[mpiexec@") && !line.starts_with("[proxy:")) {
            words.push_back(line);
        } else {  // [mpiexec@host] function (file:line): message
            const std::size_t message = line.find("): ");
            traces.push_back(message == std::string::npos ? line : line.substr(message + 3));
        }
    };
    std::for_each(errors.begin(), errors.end(), sort_in);
    words.erase(words.begin(), words.end() - static_cast<long>(std::min(words.size(), from_errors)));
    const std::size_t kept = words.size();
    std::for_each(output.begin(), output.end(), sort_in);
    words.resize(std::min(words.size(), kept + from_output));
    traces.resize(std::min(traces.size(), from_output));
    const auto& said = words.empty() ? traces : words;
    return said.empty() ? "it printed nothing" : fmt::format("it printed: {}", fmt::join(said, " | "));
}

Json parse_or_null(const std::string& line) {
    try {
        Json json = parse_json(line);
        return json.is_object() && json.contains("type") ? json : Json();
    } catch (const std::exception&) {
        return {};
    }
}

Ending operator+(const Ending& a, const Ending& b) {
    const std::string separator = a.problem.empty() || b.problem.empty() ? "" : "; ";
    return {a.ended + b.ended, a.left + b.left, a.problem + separator + b.problem};
}

// A node that answered is clean, whatever the launcher's exit status is: hydra sometimes fails on its closed
// input after all ranks have ended.
Ending reap_through_launcher(const Command& command, int nodes) {
    Ending ending;
    int answers = 0;
    try {
        if (is_allocation_over()) {  // the launcher would wait for a step that Slurm does not start any more
            ending.problem =
                "this job of Slurm has ended, and Slurm kills its processes on other nodes; the next start "
                "checks "
                "them again";
            return ending;
        }
        Process process(command, new_token());
        process.close_input();
        const Deadline deadline = in_seconds(seconds_to_reap);
        const auto status = process.wait(deadline);  // before reading, which a request to stop would end
        std::vector<std::string> other;
        std::string line;
        while (process.read_line(line, deadline) == Process::Read::line) {
            int ended = 0;
            int left = 0;
            if (std::sscanf(line.c_str(), "ended %d, left %d", &ended, &left) == 2) {
                ++answers;
                ending.ended += ended;
                ending.left += left;
            } else {
                other.push_back(line);
            }
        }
        if (answers < nodes || ending.left > 0) {
            ending.problem =
                fmt::format("'{}' did not kill leftover processes on every node: {}, {}; run it by hand",
                            to_shell(command), status ? to_string(*status) : "no end in time",
                            last_words(other, process.last_errors()));
        }
    } catch (const Error& error) {
        ending.problem = error.what();
    }
    return ending;
}

}  // namespace

const char* to_string(Outcome outcome) {
    constexpr const char* names[] = {"answered", "refused", "garbage", "ended early", "timed out", "stopped"};
    return names[static_cast<std::size_t>(outcome)];
}

Ending end_everywhere(const Cluster& cluster, const Network& network, const Layout& layout,
                      const std::string& token) {
    const Ending here = reap(token);
    return cluster.is_local() ? here
                              : here + reap_through_launcher(reap_command(cluster, network, layout, token),
                                                             cluster.job_of(layout).nodes);
}

std::vector<std::string> silent_hosts(const Cluster& cluster, const Network& network, const Layout& layout,
                                      double seconds) {
    std::vector<std::string> silent;
    if (cluster.is_local()) {
        return silent;
    }
    // all at once: each silent one may need the whole time
    std::vector<std::pair<std::string, std::unique_ptr<Process>>> probes;
    for (const auto& [host, command] : probe_commands(cluster, network, layout)) {
        probes.emplace_back(host, std::make_unique<Process>(command, new_token()));
        probes.back().second->close_input();
    }
    const Deadline deadline = in_seconds(seconds);
    for (const auto& [host, probe] : probes) {
        const auto status = probe->wait(deadline);
        if (!status || status->code != 0 || status->signal != 0) {
            silent.push_back(host);
        }
    }
    return silent;
}

Job::Job(const Cluster& cluster, const Network& network, const Layout& layout, const std::string& token,
         double start_seconds, const std::vector<std::string>& arguments)
    : cluster_(cluster), network_(network), layout_(layout), job_layout_(cluster.job_of(layout)) {
    std::vector<std::string> program = benchmark_program(cluster, network);
    program.insert(program.end(), arguments.begin(), arguments.end());
    const Command command = launch_command(cluster, network, layout, program);
    process_ = std::make_unique<Process>(command, token);
    try {
        start(start_seconds);
    } catch (const Error& error) {
        force_end();
        const bool is_told = std::string_view(error.what()).find(ending_.problem) != std::string_view::npos;
        const std::string left = is_told ? "" : "; " + ending_.problem;
        throw StartError(
            fmt::format("the benchmark did not start on network {}, layout {}: {} (command: {}){}",
                        network.name, to_string(layout), error.what(), to_shell(command), left),
            ending_);
    }
}

Job::~Job() {
    end();
}

void Job::start(double seconds) {
    std::string line;
    switch (process_->read_line(line, in_seconds(seconds))) {
        case Process::Read::line:
            break;
        case Process::Read::end:
            throw failure(death_report({}) + "; run the command by hand");
        case Process::Read::time_out:
            throw failure(fmt::format("no header within {} s, {}; run the command by hand", seconds,
                                      last_words({}, process_->last_errors())));
        case Process::Read::stopped:
            throw failure("it was stopped");
    }
    header_ = parse_or_null(line);
    if (header_.is_null()) {
        const Answer answer = no_json({}, line);
        throw failure(answer.reason + "; run the command by hand");
    }
    try {
        check_header();
        device_ = header_.contains("device") && header_["device"].is_string()
                      ? header_["device"].get<std::string>()
                      : "";
        interface_ = interfaces_text(header_);
    } catch (const Error&) {
        throw;
    } catch (const std::exception& error) {
        throw failure(fmt::format("its header is incomplete: {}; check that {} is changeover-bench",
                                  error.what(), cluster_.benchmark));
    }
}

void Job::check_header() const {
    if (header_.at("type") != "header" || header_.at("version") != protocol_version) {
        throw failure(fmt::format(
            "its first line is not a header of protocol version {}, but {}; use the changeover-bench "
            "of this build",
            protocol_version, excerpt(header_.dump())));
    }
    const auto library = header_.at("library").get<std::string>();
    const MpiLibrary& expected = find_library(cluster_.library);
    if (!library.starts_with(expected.version_start)) {
        throw failure(fmt::format(
            "the benchmark runs with {}, not with {}; name another one as \"benchmark\" in \"mpi\"",
            excerpt(library), expected.version_start));
    }
    if (library.find(expected.version_mark) == std::string::npos) {
        throw failure(fmt::format(
            "the benchmark runs with {}, which is not the patched MPICH; write \"library\": \"mpich-stock\" "
            "in \"mpi\"",
            excerpt(library)));
    }
    const auto nodes = header_.at("nodes").get<std::vector<std::string>>();
    const auto node_of_rank = header_.at("node_of_rank").get<std::vector<std::string>>();
    if (header_.at("ranks") != job_layout_.ranks() ||
        static_cast<int>(node_of_rank.size()) != job_layout_.ranks() ||
        static_cast<int>(nodes.size()) != job_layout_.nodes) {
        throw failure(fmt::format(
            "{} ranks on {} nodes were started, not {} on {}; check the launcher and its arguments",
            header_.at("ranks").dump(), nodes.size(), job_layout_.ranks(), job_layout_.nodes));
    }
    const models::RankPlacement requested = placement_of(job_layout_);
    for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
        if (node_of_rank[rank] != nodes[static_cast<std::size_t>(requested.node_of_rank[rank])]) {
            throw failure(fmt::format(
                "ranks are not mapped as requested ({}, layout {}): {}; check the launcher and its arguments",
                to_string(job_layout_.mapping), to_string(job_layout_), fmt::join(node_of_rank, " ")));
        }
    }
    const auto twice =
        std::find_if(nodes.begin(), nodes.end(), [](const auto& n) { return n.find('#') != n.npos; });
    if (!cluster_.is_local() && !cluster_.is_one_machine && twice != nodes.end()) {
        throw failure(fmt::format(
            "two hosts are the same machine ({}); remove one of them, fake nodes with the launcher "
            "hydra-fork, or write \"one_machine\": true if all hosts are meant to be one",
            *twice));
    }
    if (const std::string problem = network_problem(header_, cluster_, network_); !problem.empty()) {
        throw failure(problem);
    }
}

Answer Job::ask(Json request, double seconds) {
    request["id"] = ++last_id_;
    const std::string text = request.dump() + "\n";
    if (text.size() > longest_request) {
        throw failure(fmt::format("a request of {} bytes is too long: a launcher buffers {}; use fewer sizes",
                                  text.size(), longest_request));
    }
    if (!process_) {
        return {Outcome::ended_early, {}, "the job has ended before"};
    }
    const Deadline deadline = in_seconds(seconds);
    Answer answer;
    process_->write(text, deadline);  // whether it arrived shows in the answer
    for (;;) {
        std::string line;
        switch (process_->read_line(line, deadline)) {
            case Process::Read::line:
                break;
            case Process::Read::end:
                return broken(std::move(answer), Outcome::ended_early, death_report({}));
            case Process::Read::time_out:
                return broken(std::move(answer), Outcome::timed_out,
                              fmt::format("no answer within {:.3g} s", seconds));
            case Process::Read::stopped:
                return broken(std::move(answer), Outcome::stopped, "stopped");
        }
        const Json json = parse_or_null(line);
        if (json.is_null()) {
            return no_json(std::move(answer), line);
        }
        try {
            const auto type = json.at("type").get<std::string>();
            if (type == "end") {
                continue;  // the benchmark's input has ended, and soon its output
            }
            if (json.at("id") != last_id_) {
                return broken(std::move(answer), Outcome::garbage,
                              "an answer without a request: " + excerpt(line));
            }
            if (type == "done") {
                return answer;
            }
            if (type == "error") {
                answer.outcome = Outcome::refused;
                answer.reason = json.at("message").get<std::string>();
                return answer;
            }
            if (type != "case") {
                return broken(std::move(answer), Outcome::garbage,
                              "a line of unknown type: " + excerpt(line));
            }
            answer.cases.push_back(record_from_answer(json, network_.name, layout_));
            answer.cases.back().device = device_;
            answer.cases.back().interface = interface_;
        } catch (const std::exception& error) {
            return broken(std::move(answer), Outcome::garbage,
                          fmt::format("an incomplete answer ({}): {}", error.what(), excerpt(line)));
        }
    }
}

Answer Job::broken(Answer answer, Outcome outcome, const std::string& reason) {
    force_end();
    answer.outcome = outcome;
    answer.reason = reason + (ending_.problem.empty() ? "" : "; " + ending_.problem);
    return answer;
}

// Launchers write their last words to standard output: then it is the end of the job, not garbage
Answer Job::no_json(Answer answer, const std::string& first) {
    std::vector<std::string> lines = {first};
    const Deadline deadline = in_seconds(seconds_to_die);
    Process::Read read = Process::Read::line;
    for (std::string line;
         (read = process_->read_line(line, deadline)) == Process::Read::line && lines.size() < 100;) {
        lines.push_back(line);
    }
    if (read == Process::Read::end) {
        const auto status = process_->wait(deadline);
        if (status && (status->code != 0 || status->signal != 0)) {
            return broken(std::move(answer), Outcome::ended_early, death_report(lines));
        }
    }
    return broken(std::move(answer), Outcome::garbage, "a line that is not JSON: " + excerpt(first));
}

std::string Job::death_report(const std::vector<std::string>& output) {
    const auto status = process_->wait(in_seconds(seconds_to_die));
    return fmt::format("the job ended with {}; {}", status ? to_string(*status) : "its output closed",
                       last_words(output, process_->last_errors()));
}

void Job::force_end() {
    if (!process_) {
        return;
    }
    const std::string token = process_->token();
    ending_ = process_->end();
    errors_ = process_->last_errors();
    process_.reset();
    if (!cluster_.is_local()) {
        ending_ = ending_ + end_everywhere(cluster_, network_, layout_, token);
    }
}

// From the last line that the benchmark wrote
void Job::read_counters() {
    for (std::string line; process_->read_line(line, Clock::now()) == Process::Read::line;) {
        const Json json = parse_or_null(line);
        if (json.is_object() && json.contains("tcp_retransmits") && json.contains("tcp_time_outs")) {
            tcp_counters_ = {{"tcp_retransmits", json.at("tcp_retransmits")},
                             {"tcp_time_outs", json.at("tcp_time_outs")}};
        }
    }
}

Ending Job::end(double seconds) {
    if (!process_) {
        return ending_;
    }
    process_->close_input();
    const auto status = process_->wait(in_seconds(seconds));
    if (status) {
        read_counters();
    }
    if (!status || status->code != 0 || status->signal != 0) {
        force_end();  // a launcher that was killed has not ended its ranks on other nodes
    } else {
        ending_ = process_->end();
        errors_ = process_->last_errors();
        process_.reset();
    }
    return ending_;
}

}  // namespace tuner
