// SPDX-License-Identifier: MIT
// Data with known results: what was filled in is found right, and one wrong element is found.
#include "elements.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace {

using namespace bench;

TEST(Elements, AWrongElementIsFound) {
    for (const char* datatype : {"byte", "int", "float", "double"}) {
        const Elements& elements = find_elements(datatype, "sum");
        std::vector<unsigned char> buffer(100 * elements.size);
        const auto origin = [](std::size_t position) { return Origin{2, 2, position}; };
        elements.fill(buffer.data(), 100, origin);
        EXPECT_EQ(elements.wrong(buffer.data(), 100, origin), 0U) << datatype;
        std::swap_ranges(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(elements.size),
                         buffer.begin() + static_cast<std::ptrdiff_t>(elements.size));
        EXPECT_EQ(elements.wrong(buffer.data(), 100, origin), 2U) << datatype;
    }
}

TEST(Elements, UndefinedPositionsAreLeftAlone) {
    const Elements& elements = find_elements("int", "sum");
    std::vector<int> buffer(4, -1);
    elements.fill(buffer.data(), 4, [](std::size_t i) {
        return i == 2 ? Origin{0, 0, 7} : undefined_origin;
    });
    EXPECT_EQ(buffer[0], -1);
    EXPECT_NE(buffer[2], -1);
    EXPECT_EQ(elements.wrong(buffer.data(), 4, [](std::size_t) { return undefined_origin; }), 0U);
}

TEST(Elements, AreWhatMpiComputes) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (const char* operation : {"sum", "user", "ordered"}) {
        const Elements& elements = find_elements("int", operation);
        std::vector<unsigned char> mine(10 * elements.size);
        std::vector<unsigned char> result(mine.size());
        elements.fill(mine.data(), 10, [&](std::size_t i) { return Origin{rank, rank, i}; });
        MPI_Allreduce(mine.data(), result.data(), 10, elements.datatype, elements.operation, MPI_COMM_WORLD);
        EXPECT_EQ(elements.wrong(result.data(), 10,
                                 [&](std::size_t i) {
                                     return Origin{0, ranks - 1, i};
                                 }),
                  0U)
            << operation;
    }
}

TEST(Elements, UnknownOnesAreErrors) {
    EXPECT_THROW(find_elements("complex", "sum"), std::invalid_argument);
    EXPECT_THROW(find_elements("int", "product"), std::invalid_argument);
}

}  // namespace
