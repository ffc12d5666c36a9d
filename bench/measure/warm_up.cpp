// SPDX-License-Identifier: MIT
// The first calls of a case: whether the library makes them with the algorithm that was asked for, whether
// the result is right, and how long a window must be.
#include <algorithm>

#include "judge.hpp"
#include "result_bits.hpp"
#include "statistics.hpp"

namespace bench {

namespace {

double window_of(double seconds) {
    return 1.5 * seconds + lead_seconds / 2;
}

}  // namespace

// Collective among communicators that call at once: what one of them cannot do is not measured
std::optional<std::string> Measurement::common_refusal(std::optional<std::string> own) const {
    if (caller_.comm == comm_) {  // all ranks know the same
        return own;
    }
    int is_refused = own.has_value();
    MPI_Allreduce(MPI_IN_PLACE, &is_refused, 1, MPI_INT, MPI_LOR, comm_);
    return is_refused && !own ? "refused on another of the communicators" : own;
}

// Collective: all ranks give up, or none. Returns the seconds of the call.
double Measurement::check_first_call(RunningCase& c, const GroupSpec& group, MPI_Comm comm) {
    if (settings_.check_results) {
        c.data->fill();
    }
    const double begin = clock_.clock().now();
    const auto refusal = library_.try_call([&] { c.data->call(comm, clock_.clock()); });
    const double seconds = clock_.clock().now() - begin;
    // an empty message is not sent: the last call was another one
    const std::string used =
        group.bytes == 0 && group.pattern->has_message ? std::string() : library_.last_used(*group.pattern);
    const bool is_forced = c.algorithm != default_algorithm && c.algorithm != tuned_algorithm;
    const bool is_other =
        is_forced && !used.empty() && used != library_.canonical(*group.pattern, c.algorithm);
    enum Problem { refused, other, wrong };
    unsigned long long problems[] = {refusal.has_value(), is_other,
                                     settings_.check_results ? c.data->wrong_elements() : 0};
    MPI_Allreduce(MPI_IN_PLACE, problems, 3, MPI_UNSIGNED_LONG_LONG, MPI_SUM, comm_);
    c.result.used_algorithm = used;
    if (problems[refused] > 0) {
        c.give_up(Status::refused, refusal.value_or("another rank could not make the call"));
    } else if (problems[other] > 0) {
        c.give_up(Status::wrong_algorithm, "the library ran " + used + " instead of " + c.algorithm);
    } else if (problems[wrong] > 0) {
        c.give_up(Status::wrong_result,
                  std::to_string(problems[wrong]) + " elements of the result are wrong");
    }
    return seconds;
}

// Collective
void Measurement::check_bits(RunningCase& c, const GroupSpec& group, MPI_Comm comm,
                             const std::shared_ptr<const CallBuffers>& buffers) {
    if (settings_.check_results && has_bits(group)) {
        c.result.bits = bits_of_results(group, c.algorithm, comm, caller_.comm, clock_.clock(), buffers);
        c.data->fill();  // calls are measured with the values that they always have
    }
}

// Collective
void Measurement::refuse_other_bits(std::vector<RunningCase>& cases, const GroupSpec& group,
                                    const std::shared_ptr<const CallBuffers>& buffers) {
    if (settings_.reproducible == models::Reproducible::any || !settings_.check_results || !has_bits(group)) {
        return;
    }
    const auto measured = std::find_if(cases.begin(), cases.end(), [](const RunningCase& c) {
        return c.algorithm == default_algorithm && c.active;
    });
    const models::ResultBits of_default =
        measured != cases.end()
            ? measured->result.bits
            : bits_of_results(group, default_algorithm, library_.choose(*group.pattern, default_algorithm),
                              caller_.comm, clock_.clock(), buffers);
    for (RunningCase& c : cases) {
        if (!c.active || c.algorithm == default_algorithm) {
            continue;
        }
        std::optional<std::string> problem;
        if (!models::keeps(settings_.reproducible, c.result.bits, of_default)) {
            problem = c.result.bits.ranks_agree ? "its results have other bits than those of the default"
                                                : "the results of its ranks differ in bits";
        }
        if (const auto refusal = common_refusal(problem)) {
            c.give_up(Status::refused, *refusal);
        }
    }
}

double Measurement::longest_of_ranks(double seconds) const {
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm_);
    return seconds;
}

// Few are asked for where the first call needs no connections any more: then a long one says enough.
double Measurement::window_for(RunningCase& c, const GroupSpec& group, MPI_Comm comm,
                               double seconds_of_first) {
    constexpr double long_call = 0.05;  // it has filled its windows, and another one would take as long
    constexpr int few_calls = 2;
    std::vector<double> times;
    const double first = longest_of_ranks(seconds_of_first);
    if (settings_.warm_up <= few_calls && first > long_call) {
        return window_of(group.calls_in_a_row * first);
    }
    for (int calls = 1; calls < settings_.warm_up; calls += group.calls_in_a_row) {
        start_.barrier();
        const double begin = clock_.clock().now();
        flush_cache();  // a window has to have room for it
        call_in_a_row(c, group, comm);
        times.push_back(clock_.clock().now() - begin);
        if (times.size() == 1 && longest_of_ranks(times[0]) > group.calls_in_a_row * long_call) {
            break;
        }
    }
    const double longest =
        longest_of_ranks(times.empty() ? 1e-3 : *std::max_element(times.begin(), times.end()));
    return window_of(longest);
}

// Collective. The median time of a call, from the common start to the last finish
double Measurement::usual_time(RunningCase& c, const GroupSpec& group) const {
    constexpr std::size_t calls = 9;
    constexpr std::size_t long_calls = 2;
    const MPI_Comm comm = library_.choose(*group.pattern, c.algorithm);
    const std::size_t count = c.window > long_window ? long_calls : calls;
    std::vector<double> finishes_and_starts(2 *
                                            count);  // the latest finish, and the earliest start below zero
    double start = start_.next_window();
    for (std::size_t k = 0; k < count; ++k, start += c.window) {
        start_.wait(start);
        finishes_and_starts[count + k] = -(start_.has_windows() ? start : clock_.now());
        c.data->call(comm, clock_.clock());
        finishes_and_starts[k] = clock_.now();
    }
    MPI_Allreduce(MPI_IN_PLACE, finishes_and_starts.data(), static_cast<int>(2 * count), MPI_DOUBLE, MPI_MAX,
                  comm_);
    std::vector<double> times(count);
    for (std::size_t k = 0; k < count; ++k) {
        times[k] = finishes_and_starts[k] + finishes_and_starts[count + k];
    }
    std::sort(times.begin(), times.end());
    return models::median(times);
}

// Collective. All algorithms have the same delays: those of the default, where it is measured
double Measurement::arrival_unit(std::vector<RunningCase>& cases, const GroupSpec& group) const {
    if (!group.arrival || models::mean_width(group.arrival->how) == 0) {
        return 0;
    }
    if (group.arrival->unit_seconds > 0) {
        return group.arrival->unit_seconds;
    }
    RunningCase* reference = nullptr;
    for (RunningCase& c : cases) {
        if (c.active && (reference == nullptr || c.algorithm == default_algorithm)) {
            reference = &c;
        }
    }
    return reference == nullptr ? 0 : usual_time(*reference, group);
}

std::vector<RunningCase> Measurement::prepare(const GroupSpec& group, const Judge& judge) {
    const std::size_t count = group.bytes / group.elements->size;
    const std::shared_ptr<const CallBuffers> buffers = buffers_for(group, caller_.rank, caller_.ranks);
    std::vector<RunningCase> cases(group.algorithms.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
        RunningCase& c = cases[i];
        c.algorithm = c.result.algorithm = group.algorithms[i];
        const PlannedCall call = {group.pattern, group.elements, count, group.in_place};
        if (const auto refusal = common_refusal(library_.refusal(call, c.algorithm))) {
            c.give_up(Status::refused, *refusal);
            continue;
        }
        c.data = std::make_unique<CallData>(group, c.algorithm, caller_.rank, caller_.ranks, buffers);
        const MPI_Comm comm = library_.choose(*group.pattern, c.algorithm);
        const double seconds = check_first_call(c, group, comm);
        if (c.active) {
            check_bits(c, group, comm, buffers);
            c.window = window_for(c, group, comm, seconds);
        }
        judge.start_afresh(c);
        c.next_batch = batch_after(0, c.window);
    }
    refuse_other_bits(cases, group, buffers);
    const double unit = arrival_unit(cases, group);
    for (RunningCase& c : cases) {
        c.result.arrival_unit = unit;
    }
    judge.equalize_windows(cases);
    return cases;
}

}  // namespace bench
