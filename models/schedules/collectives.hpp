// SPDX-License-Identifier: MIT
// The table of the collectives: what the message size of each means, what it needs, in which plans it is
// measured, and how the selection of each MPI library counts its size. Benchmark, plans and emitters read
// this table, so that a new collective is one row here and one file in bench/patterns/collectives.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace models {

// The size by which a library selects an algorithm, compared with the message size of the benchmark
enum class CountedSize {
    nothing,        // the selection does not depend on a size
    message,        // the message size itself
    total,          // the message size times the number of ranks
    by_sender_only  // total, but only the ranks that send know it: no rule can depend on it
};

// The smallest plan that measures the collective. full: the library has a single algorithm for it.
enum class SmallestPlan { quick, standard, full };

// A test that a selection file of MPICH makes before it looks at the size, and the opposite of that test
struct SelectionGuard {
    std::string_view holds;
    std::string_view fails;
};

// In Open MPI's file of rules
struct OpenMpiRow {
    int number = -1;  // enum COLLTYPE of ompi/mca/coll/base/coll_base_functions.h; -1: no rule can be written
    CountedSize size = CountedSize::nothing;
    // Algorithms that are wrong for operations that do not commute; the library does not check
    std::vector<std::string> commutative_only = {};
};

// What the message size of a call means
struct SizeDefinition {
    std::string_view meaning;
    std::string_view osu_column = "none";  // the same in the OSU Micro-Benchmarks
    std::string_view imb_column = "none";  // and in the Intel MPI Benchmarks
};

struct Collective {
    std::string_view name;
    SizeDefinition size;
    bool has_message = true;
    bool has_root = false;
    bool combines = false;          // has an operation
    bool grows_with_ranks = false;  // n bytes of message size move n bytes for each rank, or more
    SmallestPlan smallest_plan = SmallestPlan::full;
    bool plans_nonblocking = false;            // its nonblocking version can be in a plan, too
    std::string_view same_algorithms_as = {};  // a collective whose algorithms are modelled; empty: itself
    // MPICH: by what its thresholds and its selection file decide
    CountedSize mpich_size = CountedSize::nothing;
    bool in_mpich_file = false;  // a selection file can choose its algorithm
    SelectionGuard mpich_guard = {};
    OpenMpiRow openmpi = {};
};

// A deque: rows stay where they are when a test adds one
const std::deque<Collective>& collectives();
const Collective* find_collective(std::string_view name);  // nullptr if there is none

// The collective whose models describe its algorithms: allgather for allgatherv, else itself
std::string_view modelled_as(std::string_view name);

// One more row while this object exists: what uses the table must not keep a copy of it.
class AddedCollective {
  public:
    explicit AddedCollective(Collective row);
    ~AddedCollective();
    AddedCollective(const AddedCollective&) = delete;
    AddedCollective& operator=(const AddedCollective&) = delete;
};

}  // namespace models
