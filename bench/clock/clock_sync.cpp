// SPDX-License-Identifier: MIT
#include "clock_sync.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "placement.hpp"

namespace bench {

namespace {

// 'Not smaller for N exchanges': Hoefler et al. find less than 10% error of the smallest round trip for N =
// 100.
constexpr int exchanges_without_gain = 100;
constexpr int exchanges_for_a_look = 20;
constexpr int tag = 4711;

// Synchronising may take a twentieth of the time. It then happens a few times in a second on a small cluster;
// 100 ppm, more than clocks of computers differ by, are 20 us in 0.2 s, of which the line leaves next to
// nothing.
constexpr double least_interval_in_syncs = 20;

int rank_of(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

int size_of(MPI_Comm comm) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}

struct Difference {
    double offset;      // server's clock minus client's
    double round_trip;  // the smallest
};

// The client's side. The answer was given between sending and receiving, so each exchange bounds the
// difference from both sides; the closest bounds come from the quickest way there and the quickest way back,
// which need not be those of one exchange. With a single best exchange the errors of a tree over 16 ranks
// added up to more than half a round trip on a machine with fewer cores than ranks.
Difference ask(MPI_Comm comm, int server, const Clock& clock, int without_gain) {
    double round_trip = std::numeric_limits<double>::infinity();
    double at_least = -std::numeric_limits<double>::infinity();
    double at_most = std::numeric_limits<double>::infinity();
    int since_gain = 0;
    while (since_gain < without_gain) {
        const int go_on = 1;
        double answer = 0;
        const double sent = clock.now();
        MPI_Send(&go_on, 1, MPI_INT, server, tag, comm);
        MPI_Recv(&answer, 1, MPI_DOUBLE, server, tag, comm, MPI_STATUS_IGNORE);
        const double received = clock.now();
        at_least = std::max(at_least, answer - received);
        at_most = std::min(at_most, answer - sent);
        ++since_gain;
        if (received - sent < round_trip) {
            round_trip = received - sent;
            since_gain = 0;
        }
    }
    const int stop = 0;
    MPI_Send(&stop, 1, MPI_INT, server, tag, comm);
    return {(at_least + at_most) / 2, round_trip};
}

void answer(MPI_Comm comm, int client, const Clock& clock) {
    for (;;) {
        int go_on = 0;
        MPI_Recv(&go_on, 1, MPI_INT, client, tag, comm, MPI_STATUS_IGNORE);
        if (!go_on) {
            return;
        }
        const double time = clock.now();
        MPI_Send(&time, 1, MPI_DOUBLE, client, tag, comm);
    }
}

}  // namespace

std::vector<std::vector<SyncPair>> tree_rounds(int ranks) {
    int power = 1;
    std::vector<std::vector<SyncPair>> rounds;
    for (; power * 2 <= ranks; power *= 2) {
    }
    for (int distance = 1; distance < power; distance *= 2) {
        auto& round = rounds.emplace_back();
        for (int client = 0; client < power; client += 2 * distance) {
            round.push_back({client, client + distance});
        }
    }
    if (ranks > power) {
        auto& round = rounds.emplace_back();
        for (int server = power; server < ranks; ++server) {
            round.push_back({server - power, server});
        }
    }
    return rounds;
}

std::vector<std::vector<SyncPair>> linear_rounds(int ranks) {
    std::vector<std::vector<SyncPair>> rounds;
    for (int server = 1; server < ranks; ++server) {
        rounds.push_back({{0, server}});
    }
    return rounds;
}

GlobalClock::GlobalClock(MPI_Comm comm, const Clock& clock, SyncMethod method)
    : comm_(comm), clock_(clock), method_(method) {}

int GlobalClock::synchronize() {
    if (method_ == SyncMethod::shared) {
        points_ = {{clock_.now(), 0}};
        return 0;
    }
    const int rank = rank_of(comm_);
    const int ranks = size_of(comm_);
    const auto rounds = method_ == SyncMethod::tree ? tree_rounds(ranks) : linear_rounds(ranks);
    const double begin = clock_.now();

    // What this rank learned as a client: its server, and by how much the server's clock is ahead. Every rank
    // but 0 is a server once, so that rank 0 can add up the differences along the tree.
    std::vector<std::array<double, 2>> learned;
    double when = clock_.now();
    for (const auto& round : rounds) {
        for (const SyncPair& pair : round) {
            if (pair.client == rank) {
                learned.push_back({static_cast<double>(pair.server),
                                   ask(comm_, pair.server, clock_, exchanges_without_gain).offset});
            } else if (pair.server == rank) {
                answer(comm_, pair.client, clock_);
                when = clock_.now();
            }
        }
    }

    std::vector<int> counts(static_cast<std::size_t>(ranks));
    std::vector<int> displacements(counts.size());
    const int mine = 2 * static_cast<int>(learned.size());
    MPI_Gather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, comm_);
    for (std::size_t r = 1; r < counts.size(); ++r) {
        displacements[r] = displacements[r - 1] + counts[r - 1];
    }
    std::vector<std::array<double, 2>> all(static_cast<std::size_t>(ranks));
    MPI_Gatherv(learned.data(), mine, MPI_DOUBLE, all.data(), counts.data(), displacements.data(), MPI_DOUBLE,
                0, comm_);

    std::vector<double> ahead(static_cast<std::size_t>(ranks));  // of rank 0
    if (rank == 0) {
        // a client's own difference is known before its servers': clients come from lower ranks
        std::vector<std::pair<int, double>> steps(
            static_cast<std::size_t>(ranks));  // by server: client, difference
        for (std::size_t client = 0; client < counts.size(); ++client) {
            for (int i = 0; i < counts[client] / 2; ++i) {
                const auto& pair = all[static_cast<std::size_t>(displacements[client] / 2 + i)];
                steps[static_cast<std::size_t>(pair[0])] = {static_cast<int>(client), pair[1]};
            }
        }
        for (std::size_t server = 1; server < steps.size(); ++server) {
            ahead[server] = ahead[static_cast<std::size_t>(steps[server].first)] + steps[server].second;
        }
    }
    double my_lead = 0;
    MPI_Scatter(ahead.data(), 1, MPI_DOUBLE, &my_lead, 1, MPI_DOUBLE, 0, comm_);
    points_.push_back({when, -my_lead});
    sync_seconds_ = clock_.now() - begin;
    return static_cast<int>(rounds.size());
}

bool GlobalClock::synchronize_if_due() {
    if (method_ == SyncMethod::shared) {
        return false;
    }
    int is_due =
        points_.empty() || clock_.now() - points_.back().local > least_interval_in_syncs * sync_seconds_;
    MPI_Bcast(&is_due, 1, MPI_INT, 0, comm_);
    if (is_due) {
        synchronize();
    }
    return is_due != 0;
}

double GlobalClock::offset_at(double local) const {
    if (points_.size() < 2) {
        return points_.empty() ? 0 : points_.front().offset;
    }
    // the first measurement after `local`, or the last one
    const auto after = std::lower_bound(points_.begin() + 1, points_.end() - 1, local,
                                        [](const Point& p, double time) { return p.local < time; });
    const Point& a = *(after - 1);
    const Point& b = *after;
    return a.offset + (b.offset - a.offset) * (local - a.local) / (b.local - a.local);
}

double GlobalClock::to_global(double local) const {
    return local + offset_at(local);
}

double GlobalClock::to_local(double global) const {
    // the offset changes by parts per million: one step of correction is exact to the nanosecond
    const double guess = global - offset_at(clock_.now());
    return global - offset_at(guess);
}

GlobalClock::Residual GlobalClock::measure_residual() {
    const int rank = rank_of(comm_);
    Residual worst = {0, 0};
    for (int server = 1; server < size_of(comm_); ++server) {
        if (rank == 0) {
            double offset = 0;
            const Difference seen = ask(comm_, server, clock_, exchanges_for_a_look);
            const double now = clock_.now();
            MPI_Send(&now, 1, MPI_DOUBLE, server, tag, comm_);
            MPI_Recv(&offset, 1, MPI_DOUBLE, server, tag, comm_, MPI_STATUS_IGNORE);
            worst.error = std::max(worst.error, std::abs(seen.offset + offset));
            worst.round_trip = std::max(worst.round_trip, seen.round_trip);
        } else if (rank == server) {
            double unused = 0;
            answer(comm_, 0, clock_);
            MPI_Recv(&unused, 1, MPI_DOUBLE, 0, tag, comm_, MPI_STATUS_IGNORE);
            const double offset = offset_at(clock_.now());
            MPI_Send(&offset, 1, MPI_DOUBLE, 0, tag, comm_);
        }
    }
    return worst;
}

SyncMethod best_sync_method(MPI_Comm comm, const Clock& clock) {
    const std::string mine = running_system();
    std::array<char, 64> of_rank_0 = {};
    mine.copy(of_rank_0.data(), of_rank_0.size() - 1);
    MPI_Bcast(of_rank_0.data(), static_cast<int>(of_rank_0.size()), MPI_CHAR, 0, comm);
    int same = !mine.empty() && mine == of_rank_0.data() && clock.is_system_wide();
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_LAND, comm);
    return same ? SyncMethod::shared : SyncMethod::tree;
}

}  // namespace bench
