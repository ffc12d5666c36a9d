// SPDX-License-Identifier: MIT
// What the benchmark says of the bits of reductions, from a few sums at a few sizes, holds for random vectors
// of any size between: RANDOM_SUMS vectors, of this job's ranks on its nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>

#include "library.hpp"
#include "result_bits.hpp"

namespace {

using namespace bench;

constexpr std::size_t most_elements = 512;
// As proofs of a rule have them: ends, neighbours, and sizes between
constexpr std::size_t sizes_of_proof[] = {1, 3, 8, 24, 64, 200, most_elements};

struct Vector {
    std::size_t count;
    std::uint64_t seed;
};

// The bits of one result on this rank
using Bits = std::uint64_t;

class RandomSums : public testing::Test {
  protected:
    void SetUp() override {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
        const char* number = std::getenv("RANDOM_SUMS");
        const std::size_t vectors = number == nullptr ? 40 : std::strtoul(number, nullptr, 10);
        std::mt19937_64 random(static_cast<std::uint64_t>(ranks_));  // the same on all ranks
        for (std::size_t i = 0; i < vectors; ++i) {
            vectors_.push_back({1 + random() % most_elements, random()});
        }
        send_.resize(most_elements * static_cast<std::size_t>(ranks_));
        receive_.resize(send_.size());
    }

    // Of very different size and of both signs, so that nearly every other order rounds to another sum
    void fill(const Vector& vector, std::size_t elements) {
        std::mt19937_64 random(vector.seed + static_cast<std::uint64_t>(rank_) * 0x9e3779b97f4a7c15);
        for (std::size_t i = 0; i < elements; ++i) {
            const std::uint64_t bits = random();
            const double mantissa = 1 + static_cast<double>(bits >> 20) * 0x1p-44;
            const int exponent = static_cast<int>(bits & 63) - 32;
            send_[i] = std::ldexp((bits & 64) != 0 ? mantissa : -mantissa, exponent);
        }
    }

    Bits sum(const Pattern& pattern, MPI_Comm comm, const Vector& vector) {
        const auto all = static_cast<std::size_t>(ranks_);
        const bool has_blocks = pattern.name.starts_with("reduce_scatter");
        const std::vector<int> counts(all, static_cast<int>(vector.count));
        fill(vector, has_blocks ? vector.count * all : vector.count);
        std::fill(receive_.begin(), receive_.end(), 0.0);
        Arguments a = {};
        a.comm = comm;
        a.send = send_.data();
        a.receive = receive_.data();
        a.count = static_cast<int>(vector.count);
        a.datatype = MPI_DOUBLE;
        a.operation = MPI_SUM;
        a.counts = counts.data();
        pattern.call(a);
        if ((pattern.name == "reduce" && rank_ != 0) || (pattern.name == "exscan" && rank_ == 0)) {
            return 0;  // it has no result
        }
        Bits bits = 0xcbf29ce484222325;
        for (std::size_t i = 0; i < vector.count; ++i) {
            bits = (bits ^ std::bit_cast<std::uint64_t>(receive_[i])) * 0x100000001b3;
        }
        return bits;
    }

    // Of the sizes that the algorithm may be used at
    models::ResultBits said(const Pattern& pattern, MPI_Comm comm, std::size_t count,
                            const std::string& algorithm) {
        GroupSpec group = {&pattern, count * sizeof(double), {algorithm}, &find_elements("double", "sum")};
        return bits_of_results(group, algorithm, comm, MPI_COMM_WORLD, clock_,
                               buffers_for(group, rank_, ranks_));
    }

    int rank_ = 0;
    int ranks_ = 0;
    Clock clock_{ClockSource::monotonic_raw};
    std::vector<Vector> vectors_;
    std::vector<double> send_;
    std::vector<double> receive_;
};

TEST_F(RandomSums, AreWhatTheClassOfTheAlgorithmSays) {
    const std::unique_ptr<Library> library = make_library(MPI_COMM_WORLD);
    long compared = 0;
    long same = 0;
    long same_by_chance = 0;  // of algorithms that are said to differ
    for (const char* name :
         {"allreduce", "reduce", "reduce_scatter", "reduce_scatter_block", "scan", "exscan"}) {
        const Pattern& pattern = *find_pattern(name);
        MPI_Comm comm = library->choose(pattern, default_algorithm);
        std::map<std::size_t, models::ResultBits> said_of_default;
        for (const std::size_t count : sizes_of_proof) {
            said_of_default[count] = said(pattern, comm, count, default_algorithm);
        }
        std::vector<Bits> by_default;
        for (const Vector& vector : vectors_) {
            by_default.push_back(sum(pattern, comm, vector));
        }
        for (const std::string& algorithm : library->algorithms(pattern)) {
            std::vector<bool> may(most_elements + 1);  // by elements; asked for before it is chosen
            for (std::size_t count = 1; count <= most_elements; ++count) {
                may[count] =
                    !library->refusal({&pattern, &find_elements("double", "sum"), count, false}, algorithm);
            }
            comm = library->choose(pattern, algorithm);
            bool is_same = true;
            bool ranks_agree = true;
            for (const std::size_t count : sizes_of_proof) {
                if (may[count]) {
                    const models::ResultBits bits = said(pattern, comm, count, algorithm);
                    is_same &=
                        models::keeps(models::Reproducible::same_as_default, bits, said_of_default[count]);
                    ranks_agree &= bits.ranks_agree;
                }
            }
            for (std::size_t i = 0; i < vectors_.size(); ++i) {
                if (!may[vectors_[i].count]) {
                    continue;
                }
                const Bits mine = sum(pattern, comm, vectors_[i]);
                ASSERT_EQ(library->last_used(pattern), algorithm);
                int is_equal = mine == by_default[i] ? 1 : 0;
                Bits ends[2] = {mine, ~mine};
                MPI_Allreduce(MPI_IN_PLACE, &is_equal, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
                MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
                if (is_same) {
                    EXPECT_EQ(is_equal, 1) << name << " " << algorithm << ", " << vectors_[i].count
                                           << " elements: said to have the default's bits";
                }
                if (ranks_agree && std::string_view(name) == "allreduce") {
                    EXPECT_EQ(ends[0], ~ends[1]) << algorithm << ", " << vectors_[i].count
                                                 << " elements: said to be the same on all ranks";
                }
                ++compared;
                same += is_same;
                same_by_chance += !is_same && is_equal == 1;
            }
        }
        library->choose(pattern, default_algorithm);
    }
    EXPECT_GT(compared, 0);
    if (rank_ == 0) {
        std::printf(
            "random sums: %zu vectors, %ld sums compared with the default's, %ld of them said to be "
            "the same, %ld others that were\n",
            vectors_.size(), compared, same, same_by_chance);
    }
}

}  // namespace
