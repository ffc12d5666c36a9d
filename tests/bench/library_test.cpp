// SPDX-License-Identifier: MIT
// The algorithms of an MPICH and the values that choose them: what the description of a control variable
// says, which is all that an unpatched library offers, against what the patched library answers when asked.
#include "library.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>

#include "control_variable.hpp"

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
        Positions positions;
        for (const std::string& name : library->algorithms(*pattern)) {
            library->choose(*pattern, name);
            positions[name] = variable.read();
        }
        library->choose(*pattern, default_algorithm);
        Positions described = algorithms_in(variable.description());
        described.erase("nb");
        EXPECT_EQ(described, positions) << pattern->name << ": " << variable.description();
        EXPECT_FALSE(positions.empty()) << pattern->name;
    }
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
