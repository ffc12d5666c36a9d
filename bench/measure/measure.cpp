// SPDX-License-Identifier: MIT
// The sampling loop: batches of repetitions, until every case has enough.
#include "measure.hpp"

#include <algorithm>

#include "buffers.hpp"
#include "judge.hpp"

namespace bench {

Measurement::Measurement(MPI_Comm comm, GlobalClock& clock, Library& library, const Settings& settings,
                         bool may_spin)
    : Measurement(comm, clock, Callers(comm, library).of({}), settings, may_spin) {}

Measurement::Measurement(MPI_Comm comm, GlobalClock& clock, const Caller& caller, const Settings& settings,
                         bool may_spin)
    : comm_(comm),
      clock_(clock),
      caller_(caller),
      library_(*caller.library),
      settings_(settings),
      start_(comm, clock, settings.start, may_spin),
      have_cores_(may_spin) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks_);
}

void Measurement::flush_cache() const {
    if (settings_.cold_cache) {
        static CacheFlush flush;
        flush();
    }
}

std::vector<double> delays_of(const GroupSpec& group, const PlannedRepetition& repetition) {
    return group.arrival->delays(repetition.number, repetition.draw, repetition.arrival_unit);
}

namespace {

double largest(const std::vector<double>& delays) {
    return *std::max_element(delays.begin(), delays.end());
}

}  // namespace

// The calls of a repetition, with nothing between. Returns the time that counts if that is not the whole of
// them; else it is below zero
double Measurement::call_in_a_row(RunningCase& c, const GroupSpec& group, MPI_Comm comm) const {
    double seconds = 0;
    for (int i = 0; i < group.calls_in_a_row; ++i) {
        const double own = c.data->call(comm, clock_.clock());
        seconds = own < 0 ? own : seconds + own;
    }
    return seconds;
}

// One repetition; returns when this rank finished, by its own clock
double Measurement::call_at(RunningCase& c, const GroupSpec& group, const PlannedRepetition& repetition,
                            double& begin) {
    c.data->set_root(repetition.root);
    const MPI_Comm comm = library_.choose(*group.pattern, c.algorithm);
    flush_cache();
    start_.wait(repetition.start,
                group.arrival ? delays_of(group, repetition)[static_cast<std::size_t>(rank_)] : 0);
    const Clock& clock = clock_.clock();
    begin = clock.now();
    const double seconds = call_in_a_row(c, group, comm);
    return seconds < 0 ? clock.now() : begin + seconds;
}

// Some repetitions of every case that needs more
std::vector<PlannedRepetition> Measurement::order_batch(const std::vector<RunningCase>& cases,
                                                        const GroupSpec& group,
                                                        std::mt19937_64& random) const {
    std::vector<std::size_t> wanted;
    for (const RunningCase& c : cases) {
        wanted.push_back(c.active ? c.next_batch : 0);
    }
    const bool in_pair = group.order == Order::pairs && wanted.size() == 2 && wanted[0] > 0 && wanted[1] > 0;
    const std::vector<std::size_t> order =
        in_pair ? in_pairs(std::max(wanted[0], wanted[1]), random) : in_random_order(wanted, random);
    std::vector<PlannedRepetition> batch;
    for (const std::size_t index : order) {
        batch.push_back({index, in_pair});
    }
    return batch;
}

// A batch with its windows
std::vector<PlannedRepetition> Measurement::plan_batch(std::vector<RunningCase>& cases,
                                                       const GroupSpec& group, std::mt19937_64& random) {
    std::vector<PlannedRepetition> batch = order_batch(cases, group, random);
    double start = start_.next_window();
    for (PlannedRepetition& repetition : batch) {
        RunningCase& c = cases[repetition.case_index];
        repetition.root = group.rotate_root ? (group.root + c.planned) % caller_.ranks : group.root;
        repetition.start = start;
        repetition.arrival_unit = c.result.arrival_unit;
        // the k-th repetitions of all algorithms have the same delays
        repetition.number = static_cast<std::size_t>(c.planned++);
        repetition.draw = models::arrival_draw(settings_.seed, repetition.number);
        repetition.window = c.window + (group.arrival ? largest(delays_of(group, repetition)) : 0);
        start += repetition.window;
    }
    return batch;
}

// Makes the calls; adds begin and finish, by the clock of this rank
void Measurement::run_batch(const std::vector<PlannedRepetition>& batch, std::vector<RunningCase>& cases,
                            const GroupSpec& group, Times& mine) {
    std::vector<unsigned char> other_algorithm(cases.size());
    for (const PlannedRepetition& repetition : batch) {
        RunningCase& c = cases[repetition.case_index];
        double begin = 0;
        const double finish = call_at(c, group, repetition, begin);
        mine.push_back(begin);
        mine.push_back(finish);
        mine.insert(mine.end(), c.data->values().begin(), c.data->values().end());
        // proof for each repetition, outside of its time
        other_algorithm[repetition.case_index] |=
            !c.result.used_algorithm.empty() && library_.last_used(*group.pattern) != c.result.used_algorithm;
    }
    drop_other_algorithms(other_algorithm, cases);
}

// Collective. A case that ran another algorithm on any rank is out.
void Measurement::drop_other_algorithms(std::vector<unsigned char>& other_algorithm,
                                        std::vector<RunningCase>& cases) const {
    MPI_Allreduce(MPI_IN_PLACE, other_algorithm.data(), static_cast<int>(cases.size()), MPI_UNSIGNED_CHAR,
                  MPI_BOR, comm_);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (other_algorithm[i]) {
            cases[i].give_up(
                Status::wrong_algorithm,
                "the library changed from " + cases[i].result.used_algorithm + " to another algorithm");
        }
    }
}

// On rank 0: what the first-th repetition and those after it found, rank by rank, with times on the global
// clock; `width` numbers for each
Measurement::Times Measurement::times_of_all_ranks(const Times& mine, std::size_t first, std::size_t width) {
    Times global(mine.begin() + static_cast<std::ptrdiff_t>(width * first), mine.end());
    for (std::size_t i = 0; i < global.size(); i += width) {
        global[i] = clock_.to_global(global[i]);
        global[i + 1] = clock_.to_global(global[i + 1]);
    }
    Times all(rank_ == 0 ? global.size() * static_cast<std::size_t>(ranks_) : 0);
    const int length = static_cast<int>(global.size());
    MPI_Gather(global.data(), length, MPI_DOUBLE, all.data(), length, MPI_DOUBLE, 0, comm_);
    return all;
}

// Rank 0 tells the others which cases go on, with which windows and how many repetitions
void Measurement::tell(std::vector<RunningCase>& cases) {
    std::vector<double> news;
    for (const RunningCase& c : cases) {
        const bool is_open = c.result.status == Status::measured && c.result.ended == models::Ended::not_yet;
        news.push_back(c.window);
        news.push_back(is_open ? static_cast<double>(batch_after(c.result.repetitions.size(), c.window)) : 0);
    }
    MPI_Bcast(news.data(), static_cast<int>(news.size()), MPI_DOUBLE, 0, comm_);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        cases[i].window = news[2 * i];
        cases[i].next_batch = static_cast<std::size_t>(news[2 * i + 1]);
        cases[i].active = cases[i].next_batch > 0;
    }
}

// None is made that cannot count
std::size_t Measurement::batch_after(std::size_t repetitions, double window) const {
    const std::size_t most = settings_.limits.max_repetitions;
    const bool is_small = settings_.race > 0 && (repetitions == 0 || window > long_window);
    const std::size_t batch = is_small ? small_batch : batch_of_a_case;
    return std::clamp<std::size_t>(most - std::min(most, repetitions), 1, batch);
}

std::vector<CaseResult> Measurement::run(const GroupSpec& group) {
    const Judge judge(settings_, group,
                      {start_.has_windows(), start_.tolerance(), have_cores_, remedy_for_late_starts_},
                      ranks_);
    std::vector<RunningCase> cases = prepare(group, judge);
    std::mt19937_64 random(settings_.seed);  // the same sequence on all ranks
    std::vector<PlannedRepetition> repetitions;
    Times mine;  // of these, by the clock of this rank: what they are on the global clock is known later
    while (std::any_of(cases.begin(), cases.end(), [](const RunningCase& c) { return c.active; })) {
        const std::vector<PlannedRepetition> batch = plan_batch(cases, group, random);
        run_batch(batch, cases, group, mine);
        repetitions.insert(repetitions.end(), batch.begin(), batch.end());

        // now there is a measurement of the clocks on either side of earlier times: everything is judged
        // again
        const bool again = clock_.synchronize_if_due();
        const std::size_t first = again ? 0 : repetitions.size() - batch.size();
        const Times times = times_of_all_ranks(mine, first, 2 + group.pattern->values.size());
        if (rank_ == 0) {
            if (again) {
                std::for_each(cases.begin(), cases.end(), [&](RunningCase& c) { judge.start_afresh(c); });
            }
            judge.add(std::span(repetitions).subspan(first), times, cases);
            judge.race(cases);
            judge.give_up_late(cases);
            judge.widen_windows(std::span(repetitions).last(batch.size()), cases);
        }
        tell(cases);
    }
    library_.choose(*group.pattern, default_algorithm);

    std::vector<CaseResult> results;
    for (RunningCase& c : cases) {
        results.push_back(std::move(c.result));
    }
    return results;
}

}  // namespace bench
