// SPDX-License-Identifier: MIT
// The names of algorithms in the descriptions of control variables, as the MPICHs of three releases have
// them: by the reader of the preloaded library and by that of the benchmark.
#include <gtest/gtest.h>
#include <mpi.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "library.hpp"

extern "C" {
int preload_names_in(const char* description, int coll_type, const char** names, int* lengths, int max);
int MPIR_Csel_coll_type(const char* name);
}

namespace {

using Positions = std::map<std::string, int>;

nlohmann::json descriptions(const std::string& version) {
    return nlohmann::json::parse(std::ifstream(TESTS_DATA "/mpich-descriptions/" + version + ".json"));
}

// MPIR_CVAR_BCAST_INTRA_ALGORITHM: bcast
std::string collective_of(const std::string& variable) {
    std::string name = variable.substr(10, variable.find("_INTRA_ALGORITHM") - 10);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    return name;
}

Positions by_preload(const std::string& collective, const std::string& description) {
    std::vector<const char*> names(40);
    std::vector<int> lengths(40);
    const int count = preload_names_in(description.c_str(), MPIR_Csel_coll_type(collective.c_str()),
                                       names.data(), lengths.data(), 40);
    Positions positions;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        positions[std::string(names[i], static_cast<std::size_t>(lengths[i]))] = static_cast<int>(i);
    }
    for (const char* no_algorithm : {"", "auto", "sched_auto"}) {  // leave the choice to MPICH
        positions.erase(no_algorithm);
    }
    return positions;
}

TEST(PreloadNames, AreThoseThatTheBenchmarkReads) {
    for (const char* version : {"4.0.2", "4.2.1", "5.0.2"}) {
        const nlohmann::json all = descriptions(version);
        EXPECT_GE(all.size(), 34U);
        for (const auto& [variable, description] : all.items()) {
            SCOPED_TRACE(std::string(version) + ": " + variable);
            const Positions positions = by_preload(collective_of(variable), description);
            EXPECT_FALSE(positions.empty());
            EXPECT_EQ(positions, bench::algorithms_in(description));
        }
    }
}

TEST(PreloadNames, OfOneCollectiveInThreeReleases) {
    const std::map<std::string, Positions> expected = {
        {"4.0.2", {{"nb", 1}, {"smp", 2}, {"recursive_doubling", 3}, {"reduce_scatter_allgather", 4}}},
        {"4.2.1",
         {{"nb", 1},
          {"smp", 2},
          {"recursive_doubling", 3},
          {"reduce_scatter_allgather", 4},
          {"tree", 5},
          {"recexch", 6},
          {"ring", 7},
          {"k_reduce_scatter_allgather", 8}}},
        {"5.0.2",
         {{"nb", 1},
          {"smp", 2},
          {"recursive_doubling", 3},
          {"recursive_multiplying", 4},
          {"reduce_scatter_allgather", 5},
          {"tree", 6},
          {"recexch", 7},
          {"ring", 8},
          {"k_reduce_scatter_allgather", 9},
          {"ccl", 10}}},
    };
    for (const auto& [version, positions] : expected) {
        const std::string description = descriptions(version).at("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM");
        EXPECT_EQ(by_preload("allreduce", description), positions) << version;
    }
}

}  // namespace
