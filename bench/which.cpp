// SPDX-License-Identifier: MIT
// changeover-which: which algorithm does a collective really use here, and which setting decided it?
// Makes the call on MPI_COMM_WORLD, or on parts of it, for each message size and prints what the patched
// MPICH says of it.
#include <mpi.h>
#include <mpir_coll_query.h>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iterator>
#include <string>
#include <vector>

#include "placement.hpp"

namespace {

using Buffer = std::vector<char>;

// How to call a collective; `unit` says what the message size means, and what the thresholds compare where it
// differs.
struct Collective {
    const char* name;
    const char* unit;
    bool send_to_all;  // the buffer has a block for each rank
    bool receive_from_all;
    void (*call)(MPI_Comm comm, Buffer& send, Buffer& receive, int bytes);
};

const Collective collectives[] = {
    {"bcast", "bytes of the message", false, false,
     [](MPI_Comm comm, Buffer& send, Buffer&, int bytes) {
         MPI_Bcast(send.data(), bytes, MPI_BYTE, 0, comm);
     }},
    {"reduce", "bytes of a rank's vector", false, false,
     [](MPI_Comm comm, Buffer& send, Buffer& receive, int bytes) {
         MPI_Reduce(send.data(), receive.data(), bytes, MPI_BYTE, MPI_BOR, 0, comm);
     }},
    {"allreduce", "bytes of a rank's vector", false, false,
     [](MPI_Comm comm, Buffer& send, Buffer& receive, int bytes) {
         MPI_Allreduce(send.data(), receive.data(), bytes, MPI_BYTE, MPI_BOR, comm);
     }},
    {"allgather", "bytes that one rank contributes; the thresholds compare the sum over the ranks", false,
     true,
     [](MPI_Comm comm, Buffer& send, Buffer& receive, int bytes) {
         MPI_Allgather(send.data(), bytes, MPI_BYTE, receive.data(), bytes, MPI_BYTE, comm);
     }},
    {"alltoall", "bytes from one rank to another", true, true,
     [](MPI_Comm comm, Buffer& send, Buffer& receive, int bytes) {
         MPI_Alltoall(send.data(), bytes, MPI_BYTE, receive.data(), bytes, MPI_BYTE, comm);
     }},
    {"reduce_scatter_block", "bytes that one rank receives; the thresholds compare the sum over the ranks",
     true, false,
     [](MPI_Comm comm, Buffer& send, Buffer& receive, int bytes) {
         MPI_Reduce_scatter_block(send.data(), receive.data(), bytes, MPI_BYTE, MPI_BOR, comm);
     }},
};

// Parts of the world that programs often make; the part of rank 0 is told
struct Part {
    const char* name;
    int (*color)(int rank, int ranks, int node);
};

const Part parts[] = {
    {"world", [](int, int, int) { return 0; }},
    {"node", [](int, int, int node) { return node; }},
    {"even", [](int rank, int, int) { return rank % 2; }},
    {"half", [](int rank, int ranks, int) { return 2 * rank / ranks; }},
};

const Part& find_part(const std::string& name) {
    return *std::find_if(std::begin(parts), std::end(parts),
                         [&](const Part& part) { return name == part.name; });
}

int node_of(int rank) {
    const bench::Placement placement = bench::find_placement(MPI_COMM_WORLD);
    const std::string& name = placement.node_of_rank.at(static_cast<std::size_t>(rank));
    const auto node = std::find(placement.nodes.begin(), placement.nodes.end(), name);
    return static_cast<int>(node - placement.nodes.begin());
}

MPI_Comm communicator_of(const Part& part) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, part.color(rank, ranks, node_of(rank)), rank, &comm);
    return comm;
}

const Collective* find(const std::string& name) {
    for (const Collective& collective : collectives) {
        if (name == collective.name) {
            return &collective;
        }
    }
    return nullptr;
}

std::string names() {
    std::string list;
    for (const Collective& collective : collectives) {
        list += (list.empty() ? "" : ", ") + std::string(collective.name);
    }
    return list;
}

std::string setting(const MPIR_Coll_choice_t& choice) {
    switch (choice.source) {
        case MPIR_COLL_SOURCE_NONE:
            return "";
        case MPIR_COLL_SOURCE_FORCED:
            return fmt::format("forced by {}", choice.cvar);
        case MPIR_COLL_SOURCE_ENVIRONMENT:
            return fmt::format("threshold {} is set", choice.cvar);
        case MPIR_COLL_SOURCE_FILE:
            return choice.rule ? fmt::format("rule {} of the tuning file", choice.rule) : "selection file";
        default:
            return "built-in";
    }
}

// Makes the call on a communicator of its own, which has no other 'last call'
MPIR_Coll_choice_t choice_of(MPI_Comm part, const Collective& collective, std::size_t size, int ranks) {
    const std::size_t all = size * static_cast<std::size_t>(ranks);
    Buffer send(collective.send_to_all ? all : size);
    Buffer receive(collective.receive_from_all ? all : size);
    send.reserve(1);  // empty buffers must not be aliased
    receive.reserve(1);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(part, &comm);
    collective.call(comm, send, receive, static_cast<int>(size));
    MPIR_Coll_choice_t choice = {};
    MPIR_Coll_query_last(comm, MPIR_Coll_query_collective(collective.name), &choice);
    MPI_Comm_free(&comm);
    return choice;
}

void print_choices(MPI_Comm part, const Collective& collective, const std::vector<std::uint64_t>& sizes) {
    int rank = 0;  // in the world: the others are silent
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(part, &ranks);
    if (rank == 0) {
        fmt::print("MPI_{} on {} ranks; size: {}\n{:>10}  {:<56}  {}\n", collective.name, ranks,
                   collective.unit, "size", "algorithm", "because of");
    }
    for (const std::uint64_t size : sizes) {
        const MPIR_Coll_choice_t choice = choice_of(part, collective, size, ranks);
        if (rank == 0) {
            const char* none = ranks == 1 ? "none (one rank)" : "none (nothing to send)";
            fmt::print("{:>10}  {:<56}  {}\n", size, choice.algorithm ? choice.algorithm : none,
                       setting(choice));
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Makes a collective call and prints which algorithm MPICH used for it, and because of which "
        "setting.\n"
        "Run it with the patched MPICH's mpiexec, e.g. mpiexec -n 8 changeover-which bcast\n"};
    std::string name = "bcast";
    std::vector<std::uint64_t> sizes = {1024, 16384, 65536, 1048576};
    app.add_option("collective", name, "one of " + names())
        ->check([](const std::string& text) { return find(text) ? "" : text + " is not one of: " + names(); })
        ->capture_default_str();
    app.add_option("--bytes", sizes, "message sizes, e.g. 1Ki,64Ki,1Mi")
        ->delimiter(',')
        ->transform(CLI::AsSizeValue(false))
        ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 30))
        ->capture_default_str();

    std::vector<std::string> part_names;
    for (const Part& part : parts) {
        part_names.emplace_back(part.name);
    }
    std::string part_name = "world";
    app.add_option("--on", part_name,
                   "part of the world that has rank 0: its node, the even ranks, the first half of the ranks")
        ->check(CLI::IsMember(part_names))
        ->capture_default_str();

    MPI_Init(&argc, &argv);
    int status = 0;
    try {
        app.parse(argc, argv);
        MPI_Comm part = communicator_of(find_part(part_name));
        print_choices(part, *find(name), sizes);
        MPI_Comm_free(&part);
    } catch (const CLI::ParseError& error) {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        status = error.get_exit_code() == 0 ? 0 : 2;
        if (rank == 0) {
            app.exit(error);
        }
    } catch (const std::exception& error) {
        fmt::print(stderr, "Error: {}; try smaller sizes\n", error.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return status;
}
