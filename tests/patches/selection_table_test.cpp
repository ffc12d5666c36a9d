// SPDX-License-Identifier: MIT
// With no variable set, the patched MPICH chooses what the unpatched one chooses, except for the fixes that
// mpich-patches/README.md lists; for those, both the old and the new choice are as it says.
#include <gtest/gtest.h>
#include <mpi.h>

#include <map>
#include <numeric>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "question.hpp"
#include "stock_twin.h"
#include "thresholds.hpp"

namespace {

void do_nothing(void*, void*, int*, MPI_Datatype*) {}

struct Operation {
    const char* name;
    MPI_Op op;
};

const std::vector<Operation>& operations() {
    static const std::vector<Operation> list = [] {
        MPI_Op commutative = MPI_OP_NULL;
        MPI_Op ordered = MPI_OP_NULL;
        MPI_Op_create(do_nothing, 1, &commutative);
        MPI_Op_create(do_nothing, 0, &ordered);
        return std::vector<Operation>{
            {"built-in", MPI_SUM}, {"commutative", commutative}, {"ordered", ordered}};
    }();
    return list;
}

bool reduces(const std::string& collective) {
    return collective.find("reduce") != std::string::npos || collective.find("scan") != std::string::npos;
}

const std::vector<std::string>& collectives() {
    static const std::vector<std::string> list = [] {
        std::vector<std::string> names;
        for (const char* name : {"barrier",
                                 "bcast",
                                 "gather",
                                 "gatherv",
                                 "scatter",
                                 "scatterv",
                                 "allgather",
                                 "allgatherv",
                                 "alltoall",
                                 "alltoallv",
                                 "alltoallw",
                                 "reduce",
                                 "allreduce",
                                 "reduce_scatter",
                                 "reduce_scatter_block",
                                 "scan",
                                 "exscan",
                                 "neighbor_allgather",
                                 "neighbor_allgatherv",
                                 "neighbor_alltoall",
                                 "neighbor_alltoallv",
                                 "neighbor_alltoallw"}) {
            names.emplace_back(name);
            names.emplace_back(std::string("i") + name);
        }
        return names;
    }();
    return list;
}

bool has_intercommunicator(const std::string& collective) {
    return collective.find("scan") == std::string::npos && collective.find("neighbor") == std::string::npos;
}

std::vector<int> rank_counts() {
    std::vector<int> counts(33);
    std::iota(counts.begin(), counts.end(), 1);
    counts.insert(counts.end(), {48, 63, 64, 65, 100, 128});
    return counts;
}

// Counts of elements such that count, bytes, or the sum over the ranks lies around every threshold
std::set<MPI_Aint> counts_around_thresholds(int ranks, int type_size) {
    std::set<MPI_Aint> counts = {0, 1, MPI_Aint{1} << 20, MPI_Aint{1} << 31, MPI_Aint{1} << 33};
    const auto add_around = [&](MPI_Aint value) {
        for (MPI_Aint count = value - 1; count <= value + 1; ++count) {
            if (count >= 0) {
                counts.insert(count);
            }
        }
    };
    for (const Changeover& changeover : changeovers()) {
        for (const MPI_Aint size : {1, type_size, ranks, type_size * ranks}) {
            add_around(changeover.default_value / size);
        }
    }
    add_around(ranks);  // a reduction of fewer elements than ranks
    return counts;
}

// The listed fixes. Each knows the calls that it changes and what they were and are.
struct Call {
    std::string collective;
    int ranks;
    bool shared_nodes;
    bool inter;
    bool at_root;
    int remote_ranks;
    MPI_Aint count;
    int type_size;
    bool in_place;
    std::string operation;

    MPI_Aint bytes() const { return count * type_size; }
};

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

struct Fix {
    const char* patch;
    bool (*concerns)(const Call&);
    std::string (*was)(const Call&);
    std::string (*is)(const Call&);
};

const Fix fixes[] = {
    {"counts of 2^31 and more",
     [](const Call& call) {
         return is_one_of(call.collective, {"allreduce", "iallreduce", "reduce", "ireduce"}) && !call.inter &&
                !(call.collective == "ireduce" && call.shared_nodes) && call.operation == "built-in" &&
                static_cast<int>(call.count) <
                    (1 << (31 - __builtin_clz(static_cast<unsigned>(call.ranks)))) &&
                call.count >= (MPI_Aint{1} << 31);
     },
     [](const Call& call) -> std::string {
         const std::map<std::string, std::string> names = {
             {"allreduce", "Allreduce_intra_recursive_doubling"},
             {"iallreduce", "Iallreduce_intra_sched_recursive_doubling"},
             {"reduce", "Reduce_intra_binomial"},
             {"ireduce", "Ireduce_intra_sched_binomial"}};
         return names.at(call.collective);
     },
     [](const Call& call) -> std::string {
         const std::map<std::string, std::string> names = {
             {"allreduce", "Allreduce_intra_reduce_scatter_allgather"},
             {"iallreduce", "Iallreduce_intra_sched_reduce_scatter_allgather"},
             {"reduce", "Reduce_intra_reduce_scatter_gather"},
             {"ireduce", "Ireduce_intra_sched_reduce_scatter_gather"}};
         return names.at(call.collective);
     }},
    {"comm_size<N",
     [](const Call& call) {
         return is_one_of(call.collective, {"alltoall", "ialltoall"}) && !call.inter && call.ranks == 8 &&
                !call.in_place && call.bytes() <= (call.collective == "alltoall" ? 256 : 2048);
     },
     [](const Call& call) -> std::string {
         return call.collective == "alltoall" ? "Alltoall_intra_scattered"
                                              : "Ialltoall_intra_sched_permuted_sendrecv";
     },
     [](const Call& call) -> std::string {
         return call.collective == "alltoall" ? "Alltoall_intra_brucks" : "Ialltoall_intra_sched_brucks";
     }},
    {"bytes, not elements, intercommunicators",
     [](const Call& call) {
         const MPI_Aint total = call.count * (call.at_root ? call.remote_ranks : call.ranks);
         return is_one_of(call.collective, {"gather", "igather", "scatter", "iscatter"}) && call.inter &&
                total < 2048 && total * call.type_size >= 2048;
     },
     [](const Call& call) -> std::string {
         const std::map<std::string, std::string> names = {
             {"gather", "Gather_inter_local_gather_remote_send"},
             {"igather", "Igather_inter_sched_short"},
             {"scatter", "Scatter_inter_remote_send_local_scatter"},
             {"iscatter", "Iscatter_inter_sched_remote_send_local_scatter"}};
         return names.at(call.collective);
     },
     [](const Call& call) -> std::string {
         const std::map<std::string, std::string> names = {{"gather", "Gather_inter_linear"},
                                                           {"igather", "Igather_inter_sched_long"},
                                                           {"scatter", "Scatter_inter_linear"},
                                                           {"iscatter", "Iscatter_inter_sched_linear"}};
         return names.at(call.collective);
     }},
    {"bytes, not elements, ireduce_scatter_block",
     [](const Call& call) {
         const MPI_Aint total = call.count * call.ranks;
         return call.collective == "ireduce_scatter_block" && !call.inter && call.operation != "ordered" &&
                total < 524288 && total * call.type_size >= 524288;
     },
     [](const Call&) -> std::string { return "Ireduce_scatter_block_intra_sched_recursive_halving"; },
     [](const Call&) -> std::string { return "Ireduce_scatter_block_intra_sched_pairwise"; }},
    {"smp allreduce",
     [](const Call& call) {
         return call.collective == "allreduce" && !call.inter && !call.shared_nodes && call.bytes() == 0 &&
                call.operation != "ordered";
     },
     [](const Call&) -> std::string { return "Allreduce_intra_smp"; },
     [](const Call&) -> std::string { return "Allreduce_intra_recursive_doubling"; }},
};

struct Tally {
    long calls = 0;
    long differences = 0;
    long unexpected = 0;
    std::map<std::string, long> by_fix;
};

void compare(const Call& call, const std::string& patched, const std::string& stock, Tally& tally) {
    ++tally.calls;
    const Fix* fix = nullptr;
    for (const Fix& candidate : fixes) {
        if (candidate.concerns(call)) {
            fix = &candidate;
        }
    }
    const std::string want_stock = fix ? fix->was(call) : stock;
    const std::string want_patched = fix ? fix->is(call) : stock;
    if (fix) {
        ++tally.by_fix[fix->patch];
    }
    tally.differences += patched != stock;
    if (patched != want_patched || stock != want_stock) {
        if (++tally.unexpected <= 20) {
            ADD_FAILURE() << call.collective << ", " << call.ranks << " ranks"
                          << (call.inter          ? ", intercommunicator"
                              : call.shared_nodes ? ", shared nodes"
                                                  : "")
                          << ", " << call.count << " x " << call.type_size << " bytes, " << call.operation
                          << (call.in_place ? ", in place" : "") << (call.at_root ? ", at the root" : "")
                          << ": stock " << stock << ", patched " << patched << ", expected "
                          << (fix ? fix->patch : "no difference");
        }
    }
}

struct Layout {
    MPIX_Coll_layout_t layout;
    bool shared_nodes;
};

std::vector<Layout> layouts(int ranks) {
    std::vector<Layout> list = {{{ranks, 0, 0, 0}, false}, {{ranks, ranks + 1, 0, 0}, false}};
    if (ranks > 1) {
        list.push_back({{ranks, 0, 1, 0}, true});
    }
    if (ranks > 2) {
        list.push_back({{ranks, 0, (ranks + 1) / 2, 0}, true});
        list.push_back({{ranks, 0, (ranks + 1) / 2, 1}, true});
    }
    return list;
}

TEST(SelectionTable, PatchedEqualsStockExceptForTheListedFixes) {
    twin_init();
    Tally tally;
    long ch4_differences = 0;
    for (const int ranks : rank_counts()) {
        for (const Layout& layout : layouts(ranks)) {
            const Question question(layout.layout);
            twin_forget_communicator();
            const bool inter = layout.layout.remote_size != 0;
            for (const std::string& collective : collectives()) {
                if (inter && !has_intercommunicator(collective)) {
                    continue;
                }
                for (const MPI_Datatype datatype : {MPI_BYTE, MPI_INT, MPI_DOUBLE}) {
                    int type_size = 0;
                    MPI_Type_size(datatype, &type_size);
                    for (const MPI_Aint count : counts_around_thresholds(ranks, type_size)) {
                        for (const Operation& operation : operations()) {
                            if (!reduces(collective) && operation.op != MPI_SUM) {
                                continue;
                            }
                            for (int flags = 0; flags < 8; ++flags) {
                                if (!inter && (flags & MPIX_COLL_CALL_AT_ROOT)) {
                                    continue;
                                }
                                const auto choice =
                                    question.ask({MPIX_Coll_query_collective(collective.c_str()), count,
                                                  datatype, operation.op, flags});
                                const Twin_answers* twin = twin_answers();
                                compare(
                                    {collective, ranks, layout.shared_nodes, inter,
                                     (flags & MPIX_COLL_CALL_AT_ROOT) != 0, layout.layout.remote_size, count,
                                     type_size, (flags & MPIX_COLL_CALL_IN_PLACE) != 0, operation.name},
                                    short_name(choice.algorithm), short_name(twin->stock), tally);
                                ch4_differences +=
                                    short_name(twin->stock_ch4) != short_name(twin->patched_ch4);
                            }
                        }
                    }
                }
            }
        }
    }
    EXPECT_EQ(tally.unexpected, 0);
    EXPECT_EQ(ch4_differences, 0);
    std::printf("%ld calls compared, %ld differences, all in the listed fixes:\n", tally.calls,
                tally.differences);
    for (const Fix& fix : fixes) {
        std::printf("  %8ld  %s\n", tally.by_fix[fix.patch], fix.patch);
        EXPECT_GT(tally.by_fix[fix.patch], 0) << fix.patch << " was not seen: the table does not reach it";
    }
}

// Every number in a built-in tree is a variable of the table in thresholds.hpp, and the other way round.
TEST(SelectionTable, EveryThresholdOfTheTreesIsAVariable) {
    const std::string trees = std::string(twin_patched_tree()) + twin_patched_ch4_tree();
    const std::regex limit("(comm_size|avg_msg_size|total_msg_size|count|comm_avg_ppn)<=?([A-Za-z0-9_]+)\"");
    std::set<std::string> in_trees;
    for (std::sregex_iterator match(trees.begin(), trees.end(), limit), end; match != end; ++match) {
        if ((*match)[2] != "pow2") {
            in_trees.insert((*match)[2]);
        }
    }
    std::set<std::string> in_table;
    for (const Changeover& changeover : changeovers()) {
        in_table.insert(variable_name(changeover));
    }
    EXPECT_EQ(in_trees, in_table);
}

}  // namespace
