// SPDX-License-Identifier: MIT
// A tuning file with ranges of layouts, read by the library, against `explain`.
//   range_rules write CONFIG TUNING_FILE SEED   random rules, and the file that the library reads
//   range_rules ask CONFIG QUESTIONS            random communicators, which need not exist
//   range_rules grid CONFIG                     calls on parts of a job of 4 nodes x 3
#include <fmt/format.h>
#include <mpi.h>
#include <mpix_coll.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "../../../patches/question.hpp"
#include "emit.hpp"
#include "explain.hpp"
#include "files.hpp"
#include "random_ranges.hpp"

namespace {

using namespace tuner;

// /mpir/3, or none
std::string rule_by_explain(const Config& config, const ExplainedCall& call) {
    const Explanation answer = explain(config, call);
    if (answer.rule == nullptr || !can_use(*answer.rule, call.layout)) {
        return "none";
    }
    return fmt::format("/mpir/{}", answer.rule - config.rules.data());
}

std::string rule_of(const MPIX_Coll_choice_t& choice) {
    return choice.rule == nullptr ? "none" : choice.rule;
}

struct Count {
    int asked = 0;
    int by_rule = 0;
    int wrong = 0;
    std::set<std::string> rules;

    void compare(const Config& config, const ExplainedCall& call, const std::string& by_library) {
        const std::string expected = rule_by_explain(config, call);
        ++asked;
        by_rule += expected != "none";
        rules.insert(by_library);
        if (by_library != expected && ++wrong <= 10) {
            fmt::print("{} of {} bytes on {}: the library has {}, explain {}\n", call.collective, call.bytes,
                       to_string(call.layout), by_library, expected);
        }
    }
};

Count ask(const Config& config, int questions) {
    RandomRanges random(static_cast<unsigned>(questions));
    Count count;
    for (int i = 0; i < questions; ++i) {
        const Layout layout = random.layout();
        const ExplainedCall call = {"eth", random.collective(), layout, random.bytes(config)};
        const Question question(MPIX_Coll_layout_t{layout.ranks(), 0, layout.nodes,
                                                   layout.mapping == Mapping::round_robin ? 1 : 0});
        count.compare(
            config, call,
            rule_of(question.ask(Question::call_of(call.collective, static_cast<MPI_Aint>(call.bytes)))));
    }
    return count;
}

// Of a communicator of the job, whose nodes have three ranks each, in blocks
Layout layout_of(MPI_Comm comm, int world_rank) {
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    std::vector<int> nodes(static_cast<std::size_t>(ranks));
    const int own = world_rank / 3;
    MPI_Allgather(&own, 1, MPI_INT, nodes.data(), 1, MPI_INT, comm);
    std::map<int, int> by_node;
    for (const int node : nodes) {
        ++by_node[node];
    }
    int most = 0;
    for (const auto& [node, count] : by_node) {
        most = std::max(most, count);
    }
    Layout layout = {static_cast<int>(by_node.size()), most, Mapping::block, 0};
    layout.missing = layout.ranks() - ranks;
    return layout;
}

void call(const std::string& collective, int bytes, MPI_Comm comm) {
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    std::vector<char> in(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(bytes) + 1);
    std::vector<char> out(in.size());
    if (collective == "bcast") {
        MPI_Bcast(in.data(), bytes, MPI_BYTE, 0, comm);
    } else if (collective == "allreduce") {
        MPI_Allreduce(in.data(), out.data(), bytes, MPI_BYTE, MPI_BOR, comm);
    } else if (collective == "reduce") {
        MPI_Reduce(in.data(), out.data(), bytes, MPI_BYTE, MPI_BOR, 0, comm);
    } else if (collective == "allgather") {
        MPI_Allgather(in.data(), bytes, MPI_BYTE, out.data(), bytes, MPI_BYTE, comm);
    } else {
        MPI_Alltoall(in.data(), bytes, MPI_BYTE, out.data(), bytes, MPI_BYTE, comm);
    }
}

// The parts: the grid's rows are its nodes, its columns have one rank on each node. Rows of four and pairs
// are on two nodes, some with fewer ranks on one of them; the first ten ranks fill three nodes of four.
Count grid(const Config& config) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int colors[] = {0, rank / 3, rank % 3, rank / 4, rank % 4, rank / 6, rank / 2, rank / 10};
    RandomRanges random(12);  // the same on all ranks
    Count count;
    for (const int color : colors) {
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, color, rank, &comm);
        const Layout layout = layout_of(comm, rank);
        for (int i = 0; i < 40; ++i) {
            const std::string collective = random.collective();
            const std::size_t bytes = std::max<std::size_t>(1, random.bytes(config) % 10000);
            call(collective, static_cast<int>(bytes), comm);
            MPIX_Coll_choice_t last = {};
            MPIX_Coll_query_last(comm, MPIX_Coll_query_collective(collective.c_str()), &last);
            count.compare(config, {"eth", collective, layout, bytes}, rule_of(last));
        }
        MPI_Comm_free(&comm);
    }
    int all[] = {count.asked, count.by_rule, count.wrong};
    MPI_Allreduce(MPI_IN_PLACE, all, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    std::tie(count.asked, count.by_rule, count.wrong) = std::tie(all[0], all[1], all[2]);
    return count;
}

void write(const std::string& config_file, const std::string& tuning_file, unsigned seed) {
    const Config config = RandomRanges(seed).config(150);
    write_file_atomically(config_file, to_json(config).dump(1));
    write_file_atomically(tuning_file, emit_mpich(config, {}));
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() == 4 && arguments[0] == "write") {
        write(arguments[1], arguments[2], static_cast<unsigned>(std::atoi(argv[4])));
        return 0;
    }
    if (arguments.size() < 2 || MPI_Init(&argc, &argv) != MPI_SUCCESS) {
        fmt::print(stderr,
                   "usage: range_rules write CONFIG TUNING_FILE SEED | ask CONFIG QUESTIONS | grid CONFIG\n");
        return 2;
    }
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const Config config = read_config(arguments[1]);
    const Count count = arguments[0] == "ask" ? ask(config, std::atoi(argv[3])) : grid(config);
    if (rank == 0) {
        fmt::print("{} asked, {} have a rule, {} rules used, {} wrong\n", count.asked, count.by_rule,
                   count.rules.size() - count.rules.count("none"), count.wrong);
    }
    MPI_Finalize();
    // a test that finds no rules shows nothing
    return count.wrong == 0 && count.by_rule > count.asked / 10 ? 0 : 1;
}
