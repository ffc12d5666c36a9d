// SPDX-License-Identifier: MIT
// Each threshold variable moves its own changeover to where it says, and nothing else; seen by asking,
// without calls.
#include <gtest/gtest.h>
#include <mpi.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "mpi_t.hpp"
#include "question.hpp"
#include "thresholds.hpp"

namespace {

MPIX_Coll_layout_t layout_of(Place place, int ranks) {
    switch (place) {
        case Place::inter:
            return {ranks, ranks, 0, 0};
        case Place::shared_nodes:
            return {ranks, 0, (ranks + 1) / 2, 0};
        default:
            return {ranks, 0, 0, 0};
    }
}

// Enough ranks for the thresholds in ranks, few enough that a reduction has an element for each
int ranks_for(const Changeover& changeover) {
    if (changeover.ranks == Ranks::other) {
        return 12;
    }
    return std::string(changeover.collective).find("reduce") != std::string::npos ? 4 : 16;
}

// The message (bytes of each rank) and the number of ranks on this and on that side of the threshold
struct Sides {
    MPI_Aint bytes_below;
    MPI_Aint bytes_above;
    int ranks_below;
    int ranks_above;
};

Sides sides_of(const Changeover& changeover, int value) {
    const int ranks = ranks_for(changeover);
    switch (changeover.compared) {
        case Compared::processes: {
            // between the thresholds in bytes, so that the number of ranks decides
            const MPI_Aint bytes =
                std::string(changeover.collective).find("bcast") != std::string::npos ? 65536 : 64;
            return {bytes, bytes, value - 1, value};
        }
        case Compared::total:
            return {(value - 1) / ranks, (value + ranks - 1) / ranks, ranks, ranks};
        default:
            return {changeover.inclusive ? value : value - 1, changeover.inclusive ? value + 1 : value, ranks,
                    ranks};
    }
}

void expect_changeover_at(const Changeover& changeover, int value) {
    SCOPED_TRACE(variable_name(changeover) + "=" + std::to_string(value) + ", " + changeover.collective);
    const Sides sides = sides_of(changeover, value);
    const Question below(layout_of(changeover.place, sides.ranks_below));
    const Question above(layout_of(changeover.place, sides.ranks_above));
    EXPECT_EQ(below.algorithm(changeover.collective, sides.bytes_below), changeover.below);
    const std::string chosen = above.algorithm(changeover.collective, sides.bytes_above);
    if (changeover.above) {
        EXPECT_EQ(chosen, changeover.above);
    } else {
        EXPECT_NE(chosen, changeover.below);
    }
}

// Near the default, so that it stays on the same side of its neighbours
std::vector<int> other_values(const Changeover& changeover) {
    if (changeover.compared == Compared::processes) {
        return {4, 13};
    }
    return {changeover.default_value / 2 + 20, changeover.default_value + changeover.default_value / 4 + 100};
}

TEST(Thresholds, DefaultsAreAsDocumented) {
    for (const Changeover& changeover : changeovers()) {
        EXPECT_EQ(ControlVariable(variable_name(changeover)).read(), changeover.default_value)
            << variable_name(changeover);
    }
}

TEST(Thresholds, ChangeoverIsWhereTheVariableSays) {
    for (const Changeover& changeover : changeovers()) {
        expect_changeover_at(changeover, changeover.default_value);
        const ControlVariable variable(variable_name(changeover));
        for (const int value : other_values(changeover)) {
            ASSERT_EQ(variable.write(value), MPI_SUCCESS);
            expect_changeover_at(changeover, value);
        }
    }
}

// All choices for all collectives, on a grid that is finer than the distances between the values above
using Cell = std::tuple<std::string, Place, int, MPI_Aint>;  // collective, place, ranks, bytes

std::map<Cell, std::string> all_choices() {
    std::set<std::string> collectives;
    std::set<MPI_Aint> sizes = {0,    1,     4,     9,      16,     64,      1024,
                                4096, 16384, 65536, 131072, 600000, 1 << 20, 4 << 20};
    for (const Changeover& changeover : changeovers()) {
        collectives.insert(changeover.collective);
        for (const MPI_Aint value : {0, 10, 30, 60, 90, 110, 130}) {  // percent
            sizes.insert(changeover.default_value * value / 100);
            sizes.insert(changeover.default_value * value / 100 / 16);
        }
    }
    for (const char* name : {"barrier", "gatherv", "scatterv", "alltoallv", "alltoallw", "scan", "exscan",
                             "iscan", "ialltoallv", "neighbor_allgather", "ineighbor_alltoall"}) {
        collectives.insert(name);
    }
    std::map<Cell, std::string> choices;
    for (const Place place : {Place::flat, Place::shared_nodes, Place::inter}) {
        for (const int ranks : {1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 14, 16, 32}) {
            const Question question(layout_of(place, ranks));
            for (const std::string& collective : collectives) {
                for (const MPI_Aint bytes : sizes) {
                    choices[{collective, place, ranks, bytes}] = question.algorithm(collective, bytes);
                }
            }
        }
    }
    return choices;
}

MPI_Aint compared_quantity(const Changeover& changeover, int ranks, MPI_Aint bytes) {
    switch (changeover.compared) {
        case Compared::processes:
            return ranks;
        case Compared::total:
            return bytes * ranks;
        default:
            return bytes;
    }
}

TEST(Thresholds, NothingElseMoves) {
    const auto before = all_choices();
    std::set<std::string> variables;
    for (const Changeover& changeover : changeovers()) {
        variables.insert(changeover.variable);
    }
    for (const std::string& name : variables) {
        std::map<std::string, const Changeover*> own;  // by collective
        for (const Changeover& changeover : changeovers()) {
            if (name == changeover.variable) {
                own[changeover.collective] = &changeover;
            }
        }
        const Changeover& any = *own.begin()->second;
        for (const int value : other_values(any)) {
            const ControlVariable variable("MPIR_CVAR_" + name);
            ASSERT_EQ(variable.write(value), MPI_SUCCESS);
            const MPI_Aint low = std::min(value, any.default_value);
            const MPI_Aint high = std::max(value, any.default_value);
            std::set<std::string> moved;
            for (const auto& [cell, choice] : all_choices()) {
                const auto& [collective, place, ranks, bytes] = cell;
                if (choice == before.at(cell)) {
                    continue;
                }
                moved.insert(collective);
                ASSERT_TRUE(own.contains(collective)) << name << " moved " << collective;
                const MPI_Aint quantity = compared_quantity(*own.at(collective), ranks, bytes);
                EXPECT_TRUE(low <= quantity && quantity <= high)
                    << name << "=" << value << " moved " << collective << " on " << ranks << " ranks at "
                    << bytes << " bytes: " << before.at(cell) << " to " << choice;
            }
            for (const auto& [collective, changeover] : own) {
                EXPECT_TRUE(moved.contains(collective))
                    << name << "=" << value << " did not move " << collective;
            }
        }
    }
    EXPECT_EQ(all_choices(), before) << "a variable was not restored";
}

TEST(Thresholds, NegativeValuesAreRefused) {
    for (const Changeover& changeover : changeovers()) {
        const ControlVariable variable(variable_name(changeover));
        const int value = variable.read();
        EXPECT_NE(variable.write(-1), MPI_SUCCESS) << variable_name(changeover);
        EXPECT_EQ(variable.read(), value);
    }
    // other variables may be negative
    const ControlVariable chunk_size("MPIR_CVAR_IREDUCE_TREE_PIPELINE_CHUNK_SIZE");
    EXPECT_EQ(chunk_size.write(-1), MPI_SUCCESS);
}

TEST(Source, IsBuiltInUntilAThresholdOnTheWayIsSet) {
    const Question question(layout_of(Place::flat, 16));
    const auto ask = [&](MPI_Aint bytes) { return question.ask(Question::call_of("bcast", bytes)); };
    EXPECT_EQ(ask(100).source, MPIX_COLL_SOURCE_BUILTIN);
    EXPECT_EQ(ask(100).cvar, nullptr);
    const ControlVariable threshold("MPIR_CVAR_BCAST_LONG_MSG_SIZE");
    threshold.write(1000000);
    EXPECT_EQ(ask(100).source, MPIX_COLL_SOURCE_BUILTIN)
        << "a short message does not meet the long threshold";
    EXPECT_EQ(ask(600000).source, MPIX_COLL_SOURCE_ENVIRONMENT);
    EXPECT_STREQ(ask(600000).cvar, "MPIR_CVAR_BCAST_LONG_MSG_SIZE");
}

TEST(Source, ForcedAlgorithmWinsWhereItIsLegal) {
    // positions in the enumeration of MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM: auto, brucks, nb,
    // recursive_doubling, ring
    const ControlVariable forcing("MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM");
    forcing.write(3);
    const auto ask = [](int ranks) {
        return Question(layout_of(Place::flat, ranks)).ask(Question::call_of("allgather", 1 << 20));
    };
    EXPECT_STREQ(ask(16).algorithm, "MPIR_Allgather_intra_recursive_doubling");
    EXPECT_EQ(ask(16).source, MPIX_COLL_SOURCE_FORCED);
    EXPECT_STREQ(ask(16).cvar, "MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM");
    EXPECT_STREQ(ask(12).algorithm, "MPIR_Allgather_intra_ring") << "it needs a power of two";
    EXPECT_EQ(ask(12).source, MPIX_COLL_SOURCE_BUILTIN);
}

TEST(Query, RefusesWhatMakesNoSense) {
    MPIX_Coll_query_t* query = nullptr;
    const MPIX_Coll_layout_t no_ranks = {0, 0, 0, 0};
    const MPIX_Coll_layout_t more_nodes_than_ranks = {2, 0, 3, 0};
    EXPECT_EQ(MPIX_Coll_query_create(MPI_COMM_WORLD, &no_ranks, &query), MPI_ERR_ARG);
    EXPECT_EQ(MPIX_Coll_query_create(MPI_COMM_WORLD, &more_nodes_than_ranks, &query), MPI_ERR_ARG);
    EXPECT_EQ(MPIX_Coll_query_collective("bkast"), -1);
    const MPIX_Coll_layout_t layout = {4, 0, 0, 0};
    ASSERT_EQ(MPIX_Coll_query_create(MPI_COMM_WORLD, &layout, &query), MPI_SUCCESS);
    MPIX_Coll_choice_t choice = {};
    const MPIX_Coll_call_t unknown = {-1, 1, MPI_BYTE, MPI_SUM, 0};
    const MPIX_Coll_call_t negative = {MPIX_Coll_query_collective("bcast"), -1, MPI_BYTE, MPI_SUM, 0};
    EXPECT_EQ(MPIX_Coll_query_call(query, &unknown, nullptr, &choice), MPI_ERR_ARG);
    EXPECT_EQ(MPIX_Coll_query_call(query, &negative, nullptr, &choice), MPI_ERR_ARG);
    EXPECT_EQ(MPIX_Coll_query_free(&query), MPI_SUCCESS);
    EXPECT_EQ(query, nullptr);
}

// The table that users read has a row for each variable, with its default, and no others
TEST(Readme, TableOfVariablesIsComplete) {
    std::ifstream file(PATCHES_README);
    ASSERT_TRUE(file) << PATCHES_README;
    std::map<std::string, std::string> rows;
    for (std::string line; std::getline(file, line);) {
        std::istringstream cells(line);
        std::string empty;
        std::string name;
        std::string value;
        if (std::getline(cells, empty, '|') && std::getline(cells, name, '|') &&
            std::getline(cells, value, '|') && name.find("`MPIR_CVAR_") != std::string::npos) {
            std::erase_if(name, [](char c) { return c == '`' || c == ' '; });
            std::erase(value, ' ');
            if (!name.starts_with("MPIR_CVAR_COLL_")) {  // of the tuning file and the events: no thresholds
                rows[name] = value;
            }
        }
    }
    std::map<std::string, std::string> want;
    for (const Changeover& changeover : changeovers()) {
        want[variable_name(changeover)] = std::to_string(changeover.default_value);
    }
    EXPECT_EQ(rows, want);
}

}  // namespace
