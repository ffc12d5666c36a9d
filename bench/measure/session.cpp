// SPDX-License-Identifier: MIT
#include "session.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "buffers.hpp"
#include "call_data.hpp"

namespace bench {

namespace {

constexpr int most_calls_in_a_row = 10000;  // more are a mistake: a repetition cannot be interrupted

constexpr struct {
    SyncMethod method;
    const char* name;
} sync_names[] = {{SyncMethod::tree, "tree"}, {SyncMethod::linear, "linear"}, {SyncMethod::shared, "shared"}};

// The library only warns: its job goes on without the rules
std::string problem_of_reading(const std::string& file) {
    if (file.empty()) {
        return {};
    }
    const int descriptor = open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        return std::strerror(errno);
    }
    close(descriptor);
    return {};
}

SyncMethod sync_method(const std::string& name, MPI_Comm comm, const Clock& clock) {
    if (name == "auto") {
        return best_sync_method(comm, clock);
    }
    for (const auto& row : sync_names) {
        if (name == row.name) {
            return row.method;
        }
    }
    throw std::invalid_argument("there is no synchronisation '" + name +
                                "'; choose auto, tree, linear or shared");
}

const char* to_string(SyncMethod method) {
    for (const auto& row : sync_names) {
        if (row.method == method) {
            return row.name;
        }
    }
    return "unknown";
}

// All ranks must read the same kind of clock: a rank without an invariant counter decides for all
ClockSource common_clock(const std::string& name, MPI_Comm comm) {
    int has_counter = best_clock_source() == ClockSource::tsc;
    MPI_Allreduce(MPI_IN_PLACE, &has_counter, 1, MPI_INT, MPI_LAND, comm);
    if (name != "auto") {
        const ClockSource wanted = clock_source_from(name);
        if (wanted == ClockSource::tsc && !has_counter) {
            throw std::invalid_argument(
                "a processor has no invariant time stamp counter; use --clock monotonic_raw");
        }
        return wanted;
    }
    // on one system the system's clock is the same for all ranks: nothing to synchronise beats a faster read
    const Clock system(ClockSource::monotonic_raw);
    const bool shared = best_sync_method(comm, system) == SyncMethod::shared;
    return has_counter && !shared ? ClockSource::tsc : ClockSource::monotonic_raw;
}

std::map<std::string, std::map<std::string, int>> values_of_algorithms(Library& library) {
    std::map<std::string, std::map<std::string, int>> values;
    for (const Pattern* pattern : patterns()) {
        if (const auto of_pattern = library.values(*pattern); !of_pattern.empty()) {
            values[pattern->name] = of_pattern;
        }
    }
    return values;
}

std::string problem_with_arrival(const GroupSpec& group) {
    if (!group.arrival) {
        return {};
    }
    const std::vector<int>& nodes = group.arrival->node_of_rank;
    if (group.pattern->is_exchange()) {
        return "arrival patterns are for collectives; " + group.pattern->name + " is an exchange of messages";
    }
    for (const models::Arrival& arrival : group.arrival->how) {
        const models::ArrivalPattern& pattern = *arrival.pattern;
        if (group.calls_in_a_row != 1 && pattern.calls_in_a_row == 1) {
            return "calls in a row have no arrival pattern but back-to-back, got " +
                   std::string(pattern.name) + "; omit one of them";
        }
        if (pattern.needs_nodes && *std::max_element(nodes.begin(), nodes.end()) == 0) {
            return "the arrival pattern " + std::string(pattern.name) +
                   " needs several nodes, and all ranks are on one; choose another one, such as half";
        }
    }
    return {};
}

std::string problem_with_communicators(const GroupSpec& group, const Settings& settings) {
    return group.communicators.are_parts() && settings.metric == Metric::root
               ? "the metric root is of one communicator; choose another one, such as last, or omit "
                 "--communicators"
               : "";
}

// Without a try
std::vector<CaseResult> not_measured(const GroupSpec& group, const std::string& reason) {
    std::vector<CaseResult> results(group.algorithms.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        results[i].algorithm = group.algorithms[i];
        results[i].status = Status::refused;
        results[i].reason = reason;
    }
    return results;
}

}  // namespace

Session::Session(MPI_Comm comm, const SessionOptions& options)
    : comm_(comm),
      clock_(common_clock(options.clock, comm)),
      global_(comm, clock_, sync_method(options.sync, comm, clock_)),
      library_(make_library(comm)),
      callers_(comm, *library_) {
    MPI_Comm_rank(comm, &rank_);
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    prctl(PR_SET_TIMERSLACK, 1);  // sleep as exactly as the kernel can
    const Placement placement = find_placement(comm);
    int enough_cores = placement.most_ranks_on_a_machine <= placement.cores;
    MPI_Allreduce(MPI_IN_PLACE, &enough_cores, 1, MPI_INT, MPI_LAND, comm);
    may_spin_ = enough_cores != 0;
    memory_ = options.memory_limit ? options.memory_limit
                                   : memory_for_each_rank(placement.most_ranks_on_a_machine, comm);
    if (options.settings.cold_cache) {
        memory_ -= std::min(memory_, CacheFlush::bytes());
    }

    global_.synchronize();
    Measurement measurement(comm, global_, *library_, options.settings, may_spin_);
    const bool has_windows = measurement.start_mode() == StartMode::window;
    const double tolerance = has_windows ? measurement.calibrate() : 0;
    const int rounds = global_.synchronize();  // again: from now on the drift is known
    const GlobalClock::Residual residual = global_.measure_residual();
    header_ = {options.command_line,
               library_->version(),
               library_->device(),
               library_->tuning_file(),
               problem_of_reading(library_->tuning_file()),
               library_->can_switch(),
               values_of_algorithms(*library_),
               ranks,
               placement,
               to_string(clock_.source()),
               clock_.measure_quality(),
               to_string(sync_method(options.sync, comm, clock_)),
               rounds,
               residual,
               measurement.start_mode(),
               tolerance,
               options.settings.seed,
               read_retransmits(comm),
               find_network_use(comm, placement, library_->device(), options.host_suffix)};
}

std::string Session::problem_with(const GroupSpec& group) const {
    if (group.bytes % group.elements->size != 0) {
        return std::to_string(group.bytes) + " bytes are not a multiple of an element of " +
               std::to_string(group.elements->size) + " bytes; choose other sizes or another datatype";
    }
    const int callers = group.communicators.are_parts() ? ranks() / group.communicators.count : ranks();
    if (group.root < 0 || group.root >= callers) {
        return "there is no rank " + std::to_string(group.root) + " for the root; there are " +
               std::to_string(callers) + " ranks";
    }
    if (group.order == Order::pairs && group.algorithms.size() != 2) {
        return "the order 'pairs' is for two algorithms, got " + std::to_string(group.algorithms.size()) +
               "; name two, such as --algorithms default,binomial";
    }
    if (group.calls_in_a_row < 1 || group.calls_in_a_row > most_calls_in_a_row) {
        return "calls in a row: expected 1 to " + std::to_string(most_calls_in_a_row) + ", got " +
               std::to_string(group.calls_in_a_row);
    }
    if (group.pattern->is_exchange() && group.calls_in_a_row != 1) {
        return "calls in a row are for collectives; " + group.pattern->name + " is an exchange of messages";
    }
    if (const std::string problem = problem_with_arrival(group); !problem.empty()) {
        return problem;
    }
    if (group.pattern->is_exchange() && group.rotate_root) {
        return "the root of an exchange cannot rotate; use --root RANK";
    }
    if (group.pattern->has_pairs()) {
        if (const std::string problem = bench::problem_with(group.pairs, ranks()); !problem.empty()) {
            return problem;
        }
    }
    if (group.in_place && (group.pattern->contents.in_place == InPlace::no ||
                           group.pattern->contents.in_place == InPlace::one_buffer)) {
        return std::string(group.pattern->name) + " does not support MPI_IN_PLACE";
    }
    if (group.bytes / group.elements->size * static_cast<std::size_t>(callers) > 0x7fffffff) {
        return std::to_string(group.bytes) + " bytes exceed the largest count of MPI for " +
               std::to_string(callers) + " ranks";
    }
    const std::size_t needed = memory_of(group, callers);
    if (needed > memory_) {
        return "needs " + std::to_string(needed >> 20) + " MiB for each rank, but only " +
               std::to_string(memory_ >> 20) +
               " MiB are available; choose smaller sizes or fewer ranks, or raise --memory";
    }
    return {};
}

Pair Session::slowest_pair(int first, std::size_t bytes) const {
    return find_slowest_pair(first, bytes, clock_, comm_);
}

std::string Session::remedy_for_late_starts() const {
    const Placement& placement = header_.placement;
    return "there are more ranks (" + std::to_string(placement.most_ranks_on_a_machine) + ") than cores (" +
           std::to_string(placement.cores) + "): use --start barrier";
}

// Collective. With more ranks than cores it will not become better: the next group is not tried any more.
void Session::note_late_starts(const std::vector<CaseResult>& results) {
    const auto late =
        std::find_if(results.begin(), results.end(), [](const CaseResult& r) { return r.starts_late; });
    int are_all_late = late != results.end() &&
                       std::none_of(results.begin(), results.end(),
                                    [](const CaseResult& r) { return r.status == Status::measured; });
    MPI_Bcast(&are_all_late, 1, MPI_INT, 0, comm_);
    if (are_all_late) {
        late_starts_ = rank_ == 0 ? late->reason : "ranks start late";
    }
}

std::vector<CaseResult> Session::measure(const GroupSpec& group, const Settings& settings) {
    global_.synchronize_if_due();
    Settings own = settings;
    if (own.start == StartMode::automatic && group.pairs.size() == 1) {
        own.start = StartMode::dissemination;  // the pair meets by itself: a late start does no harm
    }
    if (const std::string problem = problem_with_communicators(group, settings); !problem.empty()) {
        return not_measured(group, problem);
    }
    Measurement measurement(comm_, global_, caller(group.communicators), own, may_spin_);
    if (measurement.start_mode() == StartMode::window && !late_starts_.empty()) {
        return not_measured(group, late_starts_);
    }
    measurement.set_tolerance(header_.start_tolerance);
    measurement.set_remedy_for_late_starts(remedy_for_late_starts());
    const Retransmits before = read_retransmits(comm_);
    std::vector<CaseResult> results = measurement.run(group);
    const Retransmits after = read_retransmits(comm_);
    note_late_starts(results);
    for (CaseResult& result : results) {
        result.retransmits = {after.segments - before.segments, after.time_outs - before.time_outs};
    }
    return results;
}

}  // namespace bench
