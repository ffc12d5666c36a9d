// SPDX-License-Identifier: MIT
#include "measure.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "buffers.hpp"

namespace bench {

namespace {

constexpr double spin_seconds = 250e-6;     // the end of a wait, where a core is free for it: sleep ends late
constexpr double lead_seconds = 500e-6;     // from the order to the first start of a batch
constexpr int empty_windows = 60;           // of the calibration
constexpr double least_tolerance = 2e-6;    // a late start of less than this is none
constexpr std::size_t batch_of_a_case = 8;  // repetitions of a case between two looks at the results
constexpr double longest_window = 10;

// Of several pairs, each rank knows its own
Place place_in(const GroupSpec& group, const std::string& algorithm, int rank, int ranks,
               std::span<const double> parameters) {
    const auto own = std::find_if(group.pairs.begin(), group.pairs.end(),
                                  [&](const Pair& pair) { return pair.root == rank || pair.peer == rank; });
    const Pair pair = own != group.pairs.end() ? *own
                      : group.pairs.empty()    ? Pair{group.root, -1}
                                               : group.pairs.front();
    return {rank,      ranks,
            pair.root, group.bytes / group.elements->size,
            pair.peer, group.pattern->variant_of(algorithm),
            parameters};
}

// The buffers of one rank, with the data of a case in them
class Data {
  public:
    Data(const GroupSpec& group, const std::string& algorithm, int rank, int ranks)
        : pattern_(*group.pattern),
          elements_(*group.elements),
          parameters_(group.parameters),
          place_(place_in(group, algorithm, rank, ranks, parameters_)),
          in_place_(group.in_place),
          values_(pattern_.values.size()),
          // any rank may become the root
          send_(elements_.size * most_elements(pattern_.send_count)),
          receive_(elements_.size * most_elements(pattern_.receive_count)),
          counts_(static_cast<std::size_t>(ranks), static_cast<int>(place_.count)),
          displacements_(counts_.size()) {
        for (std::size_t r = 0; r < counts_.size(); ++r) {
            displacements_[r] = static_cast<int>(r * place_.count);
        }
    }

    void set_root(int root) {
        if (!pattern_.has_pairs()) {
            place_.root = root;
        }
    }
    std::span<const double> values() const { return values_; }  // of the last call

    void fill() {
        elements_.fill(send_.data(), pattern_.send_count(place_),
                       [&](std::size_t i) { return parts::own_element(place_, i); });
        if (is_in_place()) {
            elements_.fill(receive_.data(), pattern_.receive_count(place_),
                           [&](std::size_t i) { return pattern_.in_place_input(place_, i); });
        }
    }

    std::size_t wrong() const {
        return elements_.wrong(receive_.data(), pattern_.receive_count(place_),
                               [&](std::size_t i) { return pattern_.result(place_, i); });
    }

    // Returns the time that counts if that is not the whole call; else it is below zero
    double call(MPI_Comm comm, const Clock& clock) {
        double seconds = -1;
        pattern_.call(
            {comm, is_in_place() && pattern_.in_place != InPlace::one_buffer ? MPI_IN_PLACE : send_.data(),
             receive_.data(), static_cast<int>(place_.count), elements_.datatype, elements_.operation,
             place_.root, counts_.data(), displacements_.data(), place_.rank, place_.peer, place_.variant,
             parameters_, &clock, &seconds, values_});
        return seconds;
    }

  private:
    bool is_in_place() const {
        switch (pattern_.in_place) {
            case InPlace::one_buffer:
                return place_.rank == place_.root;
            case InPlace::at_root:
                return in_place_ && place_.rank == place_.root;
            case InPlace::everywhere:
                return in_place_;
            default:
                return false;
        }
    }
    std::size_t most_elements(std::size_t (*elements_of)(const Place&)) const {
        Place as_root = place_;
        as_root.root = as_root.rank;
        return std::max(elements_of(place_), elements_of(as_root));
    }

    const Pattern& pattern_;
    const Elements& elements_;
    std::vector<double> parameters_;
    Place place_;
    bool in_place_;
    std::vector<double> values_;
    Buffer send_;
    Buffer receive_;
    std::vector<int> counts_;
    std::vector<int> displacements_;
};

// What two ranks took, by a metric of pairs
double time_of_pair(Metric metric, const Pair& pair, const std::vector<double>& begin,
                    const std::vector<double>& finish) {
    const auto root = static_cast<std::size_t>(pair.root);
    return metric == Metric::arrival ? finish[static_cast<std::size_t>(pair.peer)] - finish[root]
                                     : finish[root] - begin[root];
}

double time_of(Metric metric, const std::vector<double>& begin, const std::vector<double>& finish,
               double start, const Pair& slowest) {
    std::vector<double> own(begin.size());
    for (std::size_t r = 0; r < own.size(); ++r) {
        own[r] = finish[r] - begin[r];
    }
    std::sort(own.begin(), own.end());
    switch (metric) {
        case Metric::root:
        case Metric::arrival:
            return time_of_pair(metric, slowest, begin, finish);
        case Metric::mean:
            return std::accumulate(own.begin(), own.end(), 0.0) / static_cast<double>(own.size());
        case Metric::median:
            return own[own.size() / 2];
        case Metric::min:
            return own.front();
        case Metric::max:
            return own.back();
        case Metric::span:
            return *std::max_element(finish.begin(), finish.end()) -
                   *std::min_element(begin.begin(), begin.end());
        default:
            return *std::max_element(finish.begin(), finish.end()) - start;
    }
}

}  // namespace

// A case while it is measured. What decides is on rank 0 and told to the others.
struct Measurement::Case {
    std::string algorithm;
    std::unique_ptr<Data> data;
    CaseResult result;
    std::unique_ptr<models::Stopping> stopping;  // on rank 0
    double window = 0;
    int planned = 0;  // repetitions
    bool active = true;
};

// A repetition
struct Measurement::Item {
    std::size_t case_index;
    int root = 0;
    double start = 0;  // global; of its window
    double window = 0;
    bool is_late = false;
};

Measurement::Measurement(MPI_Comm comm, GlobalClock& clock, Library& library, const Settings& settings,
                         bool may_spin)
    : comm_(comm), clock_(clock), library_(library), settings_(settings), may_spin_(may_spin) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks_);
    if (settings_.start == StartMode::automatic) {
        settings_.start = may_spin ? StartMode::window : StartMode::dissemination;
    }
}

double Measurement::calibrate() {
    double start = clock_.now() + lead_seconds;
    MPI_Bcast(&start, 1, MPI_DOUBLE, 0, comm_);
    std::vector<double> late(empty_windows);
    for (double& lateness : late) {
        const double local = clock_.to_local(start);
        clock_.clock().wait_until(local, may_spin_ ? spin_seconds : 0);
        lateness = clock_.clock().now() - local;
        start += lead_seconds;
    }
    MPI_Allreduce(MPI_IN_PLACE, late.data(), empty_windows, MPI_DOUBLE, MPI_MAX, comm_);
    // what three quarters of the starts achieve, and half as much again
    std::nth_element(late.begin(), late.begin() + empty_windows * 3 / 4, late.end());
    tolerance_ = std::max(least_tolerance, 1.5 * late[empty_windows * 3 / 4]);
    return tolerance_;
}

void Measurement::start_barrier() const {
    if (settings_.start == StartMode::barrier) {
        MPI_Barrier(comm_);
        return;
    }
    for (int distance = 1; distance < ranks_; distance *= 2) {
        char token = 0;
        MPI_Sendrecv_replace(&token, 1, MPI_CHAR, (rank_ + distance) % ranks_, 11,
                             (rank_ - distance + ranks_) % ranks_, 11, comm_, MPI_STATUS_IGNORE);
    }
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
    const Clock& clock = clock_.clock();
    if (settings_.start == StartMode::window) {
        clock.wait_until(clock_.to_local(item.start), may_spin_ ? spin_seconds : 0);
    } else {
        start_barrier();
    }
    begin = clock.now();
    const double seconds = c.data->call(comm, clock);
    return seconds < 0 ? clock.now() : begin + seconds;
}

// The first calls: checked, and timed to know how long a window must be
void Measurement::warm_up(Case& c, const GroupSpec& group) {
    const MPI_Comm comm = library_.choose(*group.pattern, c.algorithm);
    c.data->fill();
    const auto refusal = library_.try_call([&] { c.data->call(comm, clock_.clock()); });
    // an empty message is not sent: the last call was another one
    const std::string used =
        group.bytes == 0 && group.pattern->has_message ? std::string() : library_.last_used(*group.pattern);
    const bool is_forced = c.algorithm != default_algorithm && c.algorithm != tuned_algorithm;
    const bool is_other =
        is_forced && !used.empty() && used != library_.canonical(*group.pattern, c.algorithm);
    enum Problem { refused, other, wrong };
    unsigned long long problems[] = {refusal.has_value(), is_other, c.data->wrong()};
    MPI_Allreduce(MPI_IN_PLACE, problems, 3, MPI_UNSIGNED_LONG_LONG, MPI_SUM, comm_);
    c.result.used_algorithm = used;
    const auto give_up = [&](Status status, const std::string& reason) {
        c.result.status = status;
        c.result.reason = reason;
        c.active = false;
    };
    if (problems[refused] > 0) {
        return give_up(Status::refused, refusal.value_or("another rank could not make the call"));
    }
    if (problems[other] > 0) {
        return give_up(Status::wrong_algorithm, "the library ran " + used + " in place of " + c.algorithm);
    }
    if (problems[wrong] > 0) {
        return give_up(Status::wrong_result,
                       std::to_string(problems[wrong]) + " elements of the result are wrong");
    }
    std::vector<double> times;
    for (int i = 1; i < settings_.warm_up; ++i) {
        start_barrier();
        const double begin = clock_.clock().now();
        flush_cache();  // a window has to have room for it
        c.data->call(comm, clock_.clock());
        times.push_back(clock_.clock().now() - begin);
    }
    double longest = times.empty() ? 1e-3 : *std::max_element(times.begin(), times.end());
    MPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_DOUBLE, MPI_MAX, comm_);
    c.window = 1.5 * longest + lead_seconds / 2;
}

std::vector<Measurement::Case> Measurement::prepare(const GroupSpec& group) {
    std::vector<Case> cases(group.algorithms.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
        Case& c = cases[i];
        c.algorithm = c.result.algorithm = group.algorithms[i];
        const std::size_t count = group.bytes / group.elements->size;
        if (const auto refusal =
                library_.refusal({group.pattern, group.elements, count, group.in_place}, c.algorithm)) {
            c.result.status = Status::refused;
            c.result.reason = *refusal;
            c.active = false;
            continue;
        }
        c.data = std::make_unique<Data>(group, c.algorithm, rank_, ranks_);
        warm_up(c, group);
        start_afresh(c);
    }
    return cases;
}

void Measurement::start_afresh(Case& c) const {
    c.result.repetitions.clear();
    c.result.invalid = 0;
    c.result.seconds = 0;
    c.stopping = std::make_unique<models::Stopping>(settings_.trimmed_mean_rule
                                                        ? models::trimmed_mean_rule(settings_.precision)
                                                        : models::median_rule(settings_.precision),
                                                    settings_.limits);
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
    double start = clock_.now() + lead_seconds;
    MPI_Bcast(&start, 1, MPI_DOUBLE, 0, comm_);
    for (Item& item : batch) {
        Case& c = cases[item.case_index];
        item.root = group.rotate_root ? (group.root + c.planned++) % ranks_ : group.root;
        item.start = start;
        item.window = c.window;
        start += c.window;
    }
    return batch;
}

// Makes the calls; adds begin and finish, by the clock of this rank. A case that ran another algorithm is
// out.
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
    MPI_Allreduce(MPI_IN_PLACE, other_algorithm.data(), static_cast<int>(cases.size()), MPI_UNSIGNED_CHAR,
                  MPI_BOR, comm_);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (other_algorithm[i]) {
            cases[i].result.status = Status::wrong_algorithm;
            cases[i].result.reason =
                "the library changed from " + cases[i].result.used_algorithm + " to another algorithm";
            cases[i].result.repetitions.clear();
            cases[i].active = false;
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

// On rank 0: what was valid, and whether it is enough
void Measurement::judge(std::span<Item> items, const Times& times, std::vector<Case>& cases,
                        const GroupSpec& group) const {
    const Metric metric = group.pattern->metric.value_or(settings_.metric);
    const std::size_t values = group.pattern->values.size();
    const std::size_t width = 2 + values;
    const auto ranks = static_cast<std::size_t>(ranks_);
    const bool windowed = settings_.start == StartMode::window;
    std::vector<double> begin(ranks);
    std::vector<double> finish(ranks);
    for (std::size_t k = 0; k < items.size(); ++k) {
        Item& item = items[k];
        Case& c = cases[item.case_index];
        if (c.result.status != Status::measured || c.stopping->ended() != models::Ended::not_yet) {
            continue;
        }
        for (std::size_t r = 0; r < ranks; ++r) {
            begin[r] = times[width * (r * items.size() + k)];
            finish[r] = times[width * (r * items.size() + k) + 1];
        }
        const double common = windowed ? item.start : *std::min_element(begin.begin(), begin.end());
        c.result.seconds += windowed ? item.window : *std::max_element(finish.begin(), finish.end()) - common;
        item.is_late = windowed && *std::max_element(begin.begin(), begin.end()) - common > tolerance_;
        if (item.is_late) {
            ++c.result.invalid;
            continue;
        }
        const auto slower = [&](const Pair& a, const Pair& b) {
            return time_of_pair(metric, a, begin, finish) < time_of_pair(metric, b, begin, finish);
        };
        const Pair slowest = group.pairs.empty()
                                 ? Pair{item.root, -1}
                                 : *std::max_element(group.pairs.begin(), group.pairs.end(), slower);
        Repetition repetition = {time_of(metric, begin, finish, common, slowest), {}, {}, {}};
        const auto found =
            times.begin() + static_cast<std::ptrdiff_t>(
                                width * (static_cast<std::size_t>(slowest.root) * items.size() + k) + 2);
        repetition.values.assign(found, found + static_cast<std::ptrdiff_t>(values));
        c.stopping->add(repetition.seconds, c.result.seconds);
        for (std::size_t r = 0; settings_.keep_ranks && r < ranks; ++r) {
            repetition.start_of_rank.push_back(begin[r] - common);
            repetition.finish_of_rank.push_back(finish[r] - common);
        }
        c.result.repetitions.push_back(std::move(repetition));
    }
    for (Case& c : cases) {
        if (c.result.status == Status::measured) {
            c.result.ended = c.stopping->ended();
            c.result.precision = c.stopping->precision();
            if (c.result.ended == models::Ended::not_yet &&
                c.result.seconds > 2 * settings_.limits.max_seconds) {
                c.result.ended = models::Ended::time;  // so many late starts that the limit is far behind
            }
        }
    }
}

// More than a quarter of a case's starts are late: the calls before take longer than their windows
void Measurement::widen_windows(std::span<const Item> batch, std::vector<Case>& cases) const {
    std::vector<std::size_t> late(cases.size());
    for (const Item& item : batch) {
        late[item.case_index] += item.is_late;
    }
    if (*std::max_element(late.begin(), late.end()) * 4 > batch_of_a_case) {
        for (Case& c : cases) {
            c.window = std::min(c.window * 1.3, longest_window);
        }
    }
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

std::size_t memory_of(const GroupSpec& group, int ranks) {
    std::size_t most = 0;
    const Pair pair = group.pairs.empty() ? Pair{group.root, group.root} : group.pairs.front();
    for (const int rank : {pair.root, pair.peer}) {
        std::size_t elements = 0;
        for (const std::string& algorithm : group.algorithms) {
            const Place place = place_in(group, algorithm, rank, ranks, group.parameters);
            elements += group.pattern->send_count(place) + group.pattern->receive_count(place);
        }
        most = std::max(most, elements);
    }
    return most * group.elements->size;
}

const char* to_string(StartMode start) {
    constexpr const char* names[] = {"automatic", "window", "barrier", "dissemination barrier"};
    return names[static_cast<std::size_t>(start)];
}

const char* to_string(Status status) {
    constexpr const char* names[] = {"measured", "refused", "wrong result", "wrong algorithm"};
    return names[static_cast<std::size_t>(status)];
}

}  // namespace bench
