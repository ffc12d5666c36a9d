// SPDX-License-Identifier: MIT
// The changeovers of thresholds.hpp, seen by really making the calls and reading the library's counters.
// Works for whatever value each variable has at start, so that starting it with variables in the environment
// shows that the environment moves the changeovers; then the variables are written through MPI_T and all is
// done again.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "checked_collectives.hpp"
#include "mpi_t.hpp"
#include "question.hpp"
#include "thresholds.hpp"

namespace {

int world_size() {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

int world_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

// Where the test was started: with one rank on each node, or with several
bool nodes_are_shared() {
    const Question question(MPI_COMM_WORLD);
    return question.algorithm("barrier", 0) == "Barrier_intra_smp";
}

// The first `ranks` ranks of the world, or its lower half against its upper half; MPI_COMM_NULL on the others
class TestComm {
  public:
    TestComm(Place place, int ranks) {
        const int half = world_size() / 2;
        lower_ = world_rank() < half;
        if (place == Place::inter) {
            MPI_Comm local = MPI_COMM_NULL;
            MPI_Comm_split(MPI_COMM_WORLD, lower_, 0, &local);
            MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, lower_ ? half : 0, 7, &comm_);
            MPI_Comm_free(&local);
        } else {
            MPI_Comm_split(MPI_COMM_WORLD, world_rank() < ranks ? 0 : MPI_UNDEFINED, 0, &comm_);
        }
    }
    ~TestComm() {
        if (comm_ != MPI_COMM_NULL) {
            MPI_Comm_free(&comm_);
        }
    }
    TestComm(const TestComm&) = delete;
    TestComm& operator=(const TestComm&) = delete;

    MPI_Comm comm() const { return comm_; }
    bool lower() const { return lower_; }

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
    bool lower_ = false;
};

// Makes the call; returns the algorithm it used, by the counters: the one of the two that was called once.
std::string used_algorithm(const Changeover& changeover, const TestComm& where, int count) {
    const std::string name = changeover.collective;
    Variant variant;
    variant.nonblocking = name.starts_with("i");
    const std::string blocking_name = variant.nonblocking ? name.substr(1) : name;
    const std::string below = std::string("MPIR_") + changeover.below;
    const unsigned long long calls_before = calls_of(below);
    long errors = -1;
    if (changeover.place == Place::inter) {
        errors = (blocking_name == "gather" ? run_inter_gather : run_inter_scatter)(
            where.comm(), where.lower(), count, variant.nonblocking);
    } else {
        for (const CheckedCollective& collective : checked_collectives()) {
            if (blocking_name == collective.name) {
                errors = collective.run(where.comm(), count, variant);
            }
        }
    }
    EXPECT_EQ(errors, 0) << name << ": wrong result";
    const std::string last = last_algorithm(where.comm(), name);
    EXPECT_EQ(calls_of(below) > calls_before, last == below) << "counter and last algorithm disagree";
    MPIX_Coll_choice_t choice = {};
    EXPECT_EQ(MPIX_Coll_query_last(where.comm(), MPIX_Coll_query_collective(name.c_str()), &choice),
              MPI_SUCCESS);
    EXPECT_EQ(choice.algorithm ? choice.algorithm : "none", last)
        << "query and performance variable disagree";
    return last;
}

struct Sides {
    int count_below;
    int count_above;
    int ranks_below;
    int ranks_above;
};

// nullopt: cannot be seen on this world or with this value
std::optional<Sides> sides_of(const Changeover& changeover, int value) {
    const int half = world_size() / 2;
    const int ranks = changeover.place == Place::inter ? half : world_size();
    if (changeover.compared == Compared::processes) {
        const int count = std::string(changeover.collective).find("bcast") != std::string::npos ? 65536 : 64;
        return value < 2 || value > ranks ? std::nullopt
                                          : std::optional(Sides{count, count, value - 1, value});
    }
    if ((changeover.ranks == Ranks::power_of_two && !is_power_of_two(ranks)) ||
        (changeover.ranks == Ranks::other && is_power_of_two(ranks))) {
        return std::nullopt;
    }
    if (changeover.compared == Compared::total) {
        return Sides{(value - 1) / ranks, (value + ranks - 1) / ranks, ranks, ranks};
    }
    const Sides sides = {changeover.inclusive ? value : value - 1, changeover.inclusive ? value + 1 : value,
                         ranks, ranks};
    // nothing is chosen for empty messages, and a reduction of few elements has one algorithm only
    const bool too_short = sides.count_below == 0 || (changeover.above && sides.count_above < ranks);
    return too_short ? std::nullopt : std::optional(sides);
}

// The allgatherv and reduce_scatter of this test spread their counts unevenly: not exact to the byte
int slack(const Changeover& changeover) {
    return std::string(changeover.collective).find("allgatherv") != std::string::npos ? 2 : 0;
}

bool expect_changeover(const Changeover& changeover, int value) {
    if (changeover.place != Place::inter && (changeover.place == Place::shared_nodes) != nodes_are_shared()) {
        return false;
    }
    const std::optional<Sides> sides = sides_of(changeover, value);
    if (!sides) {
        return false;
    }
    SCOPED_TRACE(variable_name(changeover) + "=" + std::to_string(value) + ", " + changeover.collective);
    const TestComm below(changeover.place, sides->ranks_below);
    if (below.comm() != MPI_COMM_NULL) {
        EXPECT_EQ(used_algorithm(changeover, below, std::max(1, sides->count_below - slack(changeover))),
                  std::string("MPIR_") + changeover.below);
    }
    const TestComm above(changeover.place, sides->ranks_above);
    if (above.comm() != MPI_COMM_NULL) {
        EXPECT_NE(used_algorithm(changeover, above, sides->count_above),
                  std::string("MPIR_") + changeover.below);
    }
    return true;
}

// How many changeovers such a world shows at least; all of them together show every one.
int changeovers_to_see() {
    return nodes_are_shared() ? 6 : 20;
}

TEST(ThresholdsRun, CallsChangeOverAtTheValueFromTheStart) {
    int seen = 0;
    for (const Changeover& changeover : changeovers()) {
        seen += expect_changeover(changeover, ControlVariable(variable_name(changeover)).read());
    }
    EXPECT_GE(seen, changeovers_to_see());
}

TEST(ThresholdsRun, AWriteThroughMpiTActsOnTheNextCall) {
    std::vector<std::unique_ptr<ControlVariable>> all;  // the others at their defaults, so that one decides
    for (const Changeover& changeover : changeovers()) {
        all.push_back(std::make_unique<ControlVariable>(variable_name(changeover)));
        all.back()->write(changeover.default_value);
    }
    int seen = 0;
    for (const Changeover& changeover : changeovers()) {
        const ControlVariable variable(variable_name(changeover));
        const int value =
            changeover.compared == Compared::processes ? 5 : changeover.default_value * 3 / 4 + 40;
        ASSERT_EQ(variable.write(value), MPI_SUCCESS);
        seen += expect_changeover(changeover, value);
    }
    EXPECT_GE(seen, changeovers_to_see());
}

// What the library itself calls to make a communicator is not the user's
TEST(LastAlgorithm, OfANewCommunicatorIsNone) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    EXPECT_EQ(last_algorithm(comm, "bcast"), "none");
    MPI_Comm_free(&comm);
    EXPECT_EQ(last_algorithm(MPI_COMM_NULL, "bcast"), "none");
}

// The same communicator before and after: no new communicator is needed for a threshold in bytes
TEST(ThresholdsRun, AWriteActsOnACommunicatorThatExists) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto used = [] {
        std::vector<char> data(30000);
        MPI_Bcast(data.data(), 30000, MPI_BYTE, 0, MPI_COMM_WORLD);
        return last_algorithm(MPI_COMM_WORLD, "bcast");
    };
    const ControlVariable processes("MPIR_CVAR_BCAST_MIN_PROCS");
    const ControlVariable threshold("MPIR_CVAR_BCAST_SHORT_MSG_SIZE");
    threshold.write(29999);
    const std::string with_lower_threshold = used();
    threshold.write(30000);
    EXPECT_EQ(used(), "MPIR_Bcast_intra_binomial");
    if (world_size() >= processes.read()) {
        EXPECT_NE(with_lower_threshold, "MPIR_Bcast_intra_binomial");
    }
}

}  // namespace
