// SPDX-License-Identifier: MIT
// The sampling loop: batches of repetitions in random order, until every case has enough.
#include "measure.hpp"

#include <algorithm>

#include "buffers.hpp"
#include "measurement_case.hpp"

namespace bench {

Measurement::Measurement(MPI_Comm comm, GlobalClock& clock, Library& library, const Settings& settings,
                         bool may_spin)
    : comm_(comm),
      clock_(clock),
      library_(library),
      settings_(settings),
      start_(comm, clock, settings.start, may_spin) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks_);
}

void Measurement::flush_cache() const {
    if (settings_.cold_cache) {
        static CacheFlush flush;
        flush();
    }
}

// One repetition; returns when this rank finished, by its own clock
double Measurement::call_at(Case& c, const GroupSpec& group, const Item& item, double& begin) {
    c.data->set_root(item.root);
    const MPI_Comm comm = library_.choose(*group.pattern, c.algorithm);
    flush_cache();
    start_.wait(item.start);
    const Clock& clock = clock_.clock();
    begin = clock.now();
    const double seconds = c.data->call(comm, clock);
    return seconds < 0 ? clock.now() : begin + seconds;
}

// Some repetitions of every case that needs more, in random order, each with its window
std::vector<Measurement::Item> Measurement::plan_batch(std::vector<Case>& cases, const GroupSpec& group,
                                                       std::mt19937_64& random) {
    std::vector<Item> batch;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        for (std::size_t k = 0; cases[i].active && k < batch_of_a_case; ++k) {
            batch.push_back({i});
        }
    }
    std::shuffle(batch.begin(), batch.end(), random);
    double start = start_.next_window();
    for (Item& item : batch) {
        Case& c = cases[item.case_index];
        item.root = group.rotate_root ? (group.root + c.planned++) % ranks_ : group.root;
        item.start = start;
        item.window = c.window;
        start += c.window;
    }
    return batch;
}

// Makes the calls; adds begin and finish, by the clock of this rank
void Measurement::run_batch(const std::vector<Item>& batch, std::vector<Case>& cases, const GroupSpec& group,
                            Times& mine) {
    std::vector<unsigned char> other_algorithm(cases.size());
    for (const Item& item : batch) {
        Case& c = cases[item.case_index];
        double begin = 0;
        const double finish = call_at(c, group, item, begin);
        mine.push_back(begin);
        mine.push_back(finish);
        mine.insert(mine.end(), c.data->values().begin(), c.data->values().end());
        // proof for each repetition, outside of its time
        other_algorithm[item.case_index] |=
            !c.result.used_algorithm.empty() && library_.last_used(*group.pattern) != c.result.used_algorithm;
    }
    drop_other_algorithms(other_algorithm, cases);
}

// Collective. A case that ran another algorithm on any rank is out.
void Measurement::drop_other_algorithms(std::vector<unsigned char>& other_algorithm,
                                        std::vector<Case>& cases) const {
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

// Rank 0 tells the others which cases go on, and with which windows
void Measurement::tell(std::vector<Case>& cases) {
    std::vector<double> news;
    for (const Case& c : cases) {
        news.push_back(c.window);
        news.push_back(c.result.status == Status::measured && c.result.ended == models::Ended::not_yet);
    }
    MPI_Bcast(news.data(), static_cast<int>(news.size()), MPI_DOUBLE, 0, comm_);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        cases[i].window = news[2 * i];
        cases[i].active = news[2 * i + 1] != 0;
    }
}

std::vector<CaseResult> Measurement::run(const GroupSpec& group) {
    std::vector<Case> cases = prepare(group);
    std::mt19937_64 random(settings_.seed);  // the same sequence on all ranks
    std::vector<Item> items;
    Times mine;  // of the items, by the clock of this rank: what they are on the global clock is known later
    while (std::any_of(cases.begin(), cases.end(), [](const Case& c) { return c.active; })) {
        const std::vector<Item> batch = plan_batch(cases, group, random);
        run_batch(batch, cases, group, mine);
        items.insert(items.end(), batch.begin(), batch.end());

        // now there is a measurement of the clocks on either side of earlier times: everything is judged
        // again
        const bool again = clock_.synchronize_if_due();
        const std::size_t first = again ? 0 : items.size() - batch.size();
        const Times times = times_of_all_ranks(mine, first, 2 + group.pattern->values.size());
        if (rank_ == 0) {
            if (again) {
                std::for_each(cases.begin(), cases.end(), [&](Case& c) { start_afresh(c); });
            }
            judge(std::span(items).subspan(first), times, cases, group);
            widen_windows(std::span(items).last(batch.size()), cases);
        }
        tell(cases);
    }
    library_.choose(*group.pattern, default_algorithm);

    std::vector<CaseResult> results;
    for (Case& c : cases) {
        results.push_back(std::move(c.result));
    }
    return results;
}

}  // namespace bench
