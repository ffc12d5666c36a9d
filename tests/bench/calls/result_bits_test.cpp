// SPDX-License-Identifier: MIT
// The bits of reductions: of calls made up to add in a known order, and of the real library's algorithms.
#include "result_bits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "library.hpp"

namespace {

using namespace bench;

// All numbers of a sum on all ranks, one rank after the other
std::vector<float> gathered(const Arguments& a) {
    int ranks = 0;
    MPI_Comm_size(a.comm, &ranks);
    std::vector<float> all(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(a.count));
    MPI_Allgather(a.send, a.count, MPI_FLOAT, all.data(), a.count, MPI_FLOAT, a.comm);
    return all;
}

void add_in_order(const Arguments& a, bool ascending) {
    const std::vector<float> all = gathered(a);
    const auto count = static_cast<std::size_t>(a.count);
    const std::size_t ranks = all.size() / count;
    for (std::size_t i = 0; i < count; ++i) {
        float sum = 0;
        for (std::size_t r = 0; r < ranks; ++r) {
            sum += all[(ascending ? r : ranks - 1 - r) * count + i];
        }
        static_cast<float*>(a.receive)[i] = sum;
    }
}

Pattern reduction(const char* name, void (*call)(const Arguments&)) {
    Pattern pattern = *find_pattern("allreduce");
    pattern.name = name;
    pattern.call = call;
    pattern.start = nullptr;
    return pattern;
}

class BitsOfResults : public testing::Test {
  protected:
    void SetUp() override {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    }
    models::ResultBits bits(const Pattern& pattern, MPI_Comm comm = MPI_COMM_WORLD, std::size_t bytes = 16,
                            const std::string& algorithm = "default", bool in_place = false) {
        GroupSpec group = {&pattern, bytes, {algorithm}, &find_elements("float", "sum")};
        group.in_place = in_place;
        return bits_of_results(group, algorithm, comm, MPI_COMM_WORLD, clock_,
                               buffers_for(group, rank_, ranks_));
    }
    int rank_ = 0;
    int ranks_ = 0;
    Clock clock_{ClockSource::monotonic_raw};
};

TEST_F(BitsOfResults, AnotherOrderHasOtherBits) {
    const Pattern up = reduction("up", [](const Arguments& a) { add_in_order(a, true); });
    const Pattern down = reduction("down", [](const Arguments& a) { add_in_order(a, false); });
    EXPECT_EQ(bits(up), bits(up));
    EXPECT_EQ(bits(up).bits == bits(down).bits, ranks_ == 2) << "a + b is b + a";
    EXPECT_TRUE(bits(up).ranks_agree && bits(down).ranks_agree);
}

TEST_F(BitsOfResults, RanksThatDisagreeAreFound) {
    const Pattern own_order = reduction("own order", [](const Arguments& a) {
        int rank = 0;
        MPI_Comm_rank(a.comm, &rank);
        add_in_order(a, rank != 0);
    });
    EXPECT_EQ(bits(own_order).ranks_agree, ranks_ == 2) << "a + b is b + a";
}

TEST_F(BitsOfResults, OnlyReductionsOfNumbersHaveSome) {
    const auto has = [](const char* pattern, const char* datatype, std::size_t bytes) {
        return has_bits({find_pattern(pattern), bytes, {"default"}, &find_elements(datatype, "sum")});
    };
    EXPECT_TRUE(has("allreduce", "int", 8)) << "by numbers of the same size";
    EXPECT_TRUE(has("reduce_scatter_block", "double", 8));
    EXPECT_FALSE(has("allreduce", "byte", 8));
    EXPECT_FALSE(has("allreduce", "float", 0));
    EXPECT_FALSE(has("allgather", "float", 8));
    EXPECT_FALSE(has_bits({find_pattern("scan"), 8, {"default"}, &find_elements("map", "ordered")}));
}

// Every algorithm adds in one order, which does not depend on in place; all ranks of an allreduce get one
// result
TEST_F(BitsOfResults, AlgorithmsOfTheLibraryAreTheSameEachTime) {
    const std::unique_ptr<Library> library = make_library(MPI_COMM_WORLD);
    for (const char* name :
         {"allreduce", "reduce", "reduce_scatter", "reduce_scatter_block", "scan", "exscan"}) {
        const Pattern& pattern = *find_pattern(name);
        for (const std::string& algorithm : library->algorithms(pattern)) {
            for (const std::size_t bytes : {4UL, 512UL}) {
                const Elements& elements = find_elements("float", "sum");
                if (library->refusal({&pattern, &elements, bytes / 4, false}, algorithm)) {
                    continue;
                }
                const MPI_Comm comm = library->choose(pattern, algorithm);
                const models::ResultBits first = bits(pattern, comm, bytes, algorithm);
                EXPECT_EQ(first, bits(pattern, comm, bytes, algorithm)) << name << " " << algorithm;
                EXPECT_TRUE(first.ranks_agree) << name << " " << algorithm;
                EXPECT_EQ(first, bits(pattern, comm, bytes, algorithm, true)) << name << " " << algorithm;
            }
        }
        library->choose(pattern, "default");
    }
}

}  // namespace
