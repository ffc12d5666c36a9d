// SPDX-License-Identifier: MIT
// The algorithms of an MPICH and the values that choose them: what the description of a control variable
// says, which is all that an unpatched library offers, against what the patched library answers when asked.
#include "library.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <set>

#include "control_variable.hpp"
#include "device_layers.hpp"

namespace {

using namespace bench;
using Positions = std::map<std::string, int>;

std::string variable_of(const Pattern& pattern) {
    std::string name = std::string("MPIR_CVAR_") + pattern.name + "_INTRA_ALGORITHM";
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
    return name;
}

TEST(AlgorithmsIn, ADescriptionAreTheOnesOfTheLibrary) {
    const auto library = make_library(MPI_COMM_WORLD);
    for (const Pattern* pattern : patterns()) {
        if (pattern->is_exchange()) {
            continue;
        }
        const ControlVariable variable(variable_of(*pattern));
        Positions described = algorithms_in(variable.description());
        described.erase("nb");
        Positions positions = library->values(*pattern);
        if (!is_nonblocking(*pattern)) {
            EXPECT_TRUE(positions.empty()) << pattern->name;
            for (const std::string& name : library->algorithms(*pattern)) {
                if (!models::has_layers(name)) {  // those have variables of their own
                    library->choose(*pattern, name);
                    positions[name] = variable.read();
                }
            }
            library->choose(*pattern, default_algorithm);
        }
        EXPECT_EQ(described, positions) << pattern->name << ": " << variable.description();
        EXPECT_FALSE(positions.empty()) << pattern->name;
    }
}

// With parameters, too, each by another value of its variable; what gives wrong results is not offered
TEST(Library, OffersAlgorithmsThatItHas) {
    const auto library = make_library(MPI_COMM_WORLD);
    for (const Pattern& pattern : nonblocking_patterns()) {
        const ControlVariable variable(variable_of(pattern));
        const Positions positions = library->values(pattern);
        const std::vector<std::string> names = library->algorithms(pattern);
        for (const std::string& name : names) {
            library->choose(pattern, name);
            EXPECT_EQ(variable.read(), positions.at(name.substr(0, name.find(':')))) << pattern.name << name;
            EXPECT_EQ(library->canonical(pattern, name), name) << pattern.name;
        }
        library->choose(pattern, default_algorithm);
        EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size()) << pattern.name;
    }
    const std::vector<std::string> names = library->algorithms(*find_pattern("ibcast"));
    const std::set<std::string> offered(names.begin(), names.end());
    for (const char* name : {"tsp_tree", "tsp_tree:tree_type=knomial_1", "tsp_tree:chunk_size=16Ki",
                             "tsp_ring:chunk_size=64Ki"}) {
        EXPECT_TRUE(offered.contains(name)) << name;
    }
    EXPECT_FALSE(offered.contains("tsp_scatterv_recexch_allgatherv"));
    EXPECT_FALSE(offered.contains("tsp_tree:k=4")) << "a tree of 2 ranks has no 4 children";
}

TEST(Library, NamesAreTheSameHoweverTheyAreWritten) {
    const auto library = make_library(MPI_COMM_WORLD);
    const Pattern& ibcast = *find_pattern("ibcast");
    EXPECT_EQ(library->canonical(ibcast, "tsp_tree:k=2:tree_type=kary"), "tsp_tree");
    EXPECT_EQ(library->canonical(ibcast, "tsp_tree:chunk_size=16384:k=4:tree_type=knomial_2"),
              "tsp_tree:tree_type=knomial_2:k=4:chunk_size=16Ki");
    EXPECT_EQ(library->canonical(ibcast, default_algorithm), default_algorithm);
}

TEST(Library, RefusesParametersThatDoNotAct) {
    const auto library = make_library(MPI_COMM_WORLD);
    const auto refusal = [&](const char* collective, const char* name, std::size_t count,
                             const char* operation = "sum") {
        const PlannedCall call = {find_pattern(collective), &find_elements("int", operation), count, false};
        return library->refusal(call, name).value_or("");
    };
    EXPECT_EQ(refusal("ibcast", "tsp_tree:k=8:tree_type=knomial_2:chunk_size=4Ki", 4096), "");
    const struct {
        const char* collective;
        const char* name;
        const char* text;
    } rows[] = {
        {"ibcast", "tsp_tree:q=1", "there is no parameter 'q'; tsp_tree has: tree_type, k, chunk_size"},
        {"ibcast", "sched_binomial:k=4", "there is no parameter 'k'; sched_binomial has none"},
        {"bcast", "binomial:k=4", "there is no parameter 'k'; binomial has none"},
        {"ibcast", "tsp_bush:k=4", "there is no algorithm 'tsp_bush'"},
        {"ibcast", "tsp_tree:k=1", "k: expected from 2 upwards, got '1'"},
        {"ibcast", "tsp_tree:k=two", "k: expected from 2 upwards, got 'two'"},
        {"ibcast", "tsp_tree:tree_type=oak",
         "tree_type: expected one of kary, knomial_1, knomial_2, got 'oak'"},
        {"ireduce", "tsp_tree:buffer_per_child=2", "buffer_per_child: expected from 0 to 1, got '2'"},
        {"ibcast", "tsp_tree:k", "is not name=value"},
        {"ibcast", "tsp_tree:k=4:k=2", "is listed twice"},
        {"ibcast", "tsp_tree:chunk_size=16Ki", "not longer than a chunk"},
        {"ibcast", "tsp_tree:chunk_size=2", "a chunk is smaller than an element"},
    };
    for (const auto& row : rows) {
        EXPECT_NE(refusal(row.collective, row.name, 4096).find(row.text), std::string::npos)
            << row.name << ": " << refusal(row.collective, row.name, 4096);
    }
    EXPECT_NE(refusal("iallreduce", "tsp_tree", 64, "ordered"), "");
    EXPECT_NE(refusal("iallreduce", "tsp_tree:tree_type=knomial_2", 64, "ordered"), "");
    EXPECT_EQ(refusal("iallreduce", "tsp_tree:tree_type=knomial_1", 64, "ordered"), "");
}

TEST(AlgorithmsIn, ADescriptionStandInAColumn) {
    const Positions expected = {{"binomial", 1}, {"nb", 2}, {"ring", 3}};
    EXPECT_EQ(algorithms_in("Selects one.auto - Internal (JSON_FILE)binomial - Force Binomial Treenb       - "
                            "Force nonblockingring     - Force ring"),
              expected);
    EXPECT_EQ(algorithms_in("Selects one.\nauto - Internal (JSON_FILE)\nbinomial - Force Binomial Tree\n"
                            "nb       - Force nonblocking\nring     - Force ring\n"),
              expected);
    EXPECT_EQ(algorithms_in("A number of bytes."), Positions());
}

TEST(Library, SaysWhatItIs) {
    const auto library = make_library(MPI_COMM_WORLD);
    EXPECT_NE(library->version().find("MPICH"), std::string::npos);
    EXPECT_TRUE(library->device().starts_with("ch")) << library->device();
}

}  // namespace
