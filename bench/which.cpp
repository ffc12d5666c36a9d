// SPDX-License-Identifier: MIT
// changeover-which: which algorithm does a collective really use here, and which setting decided it?
// Makes the call on MPI_COMM_WORLD for each message size and prints what the patched MPICH says of it.
#include <mpi.h>
#include <mpir_coll_query.h>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace {

// How to call a collective with a message size; `bytes` is the size that the library's selection compares
// for it, unless `unit` says otherwise.
struct Collective {
    const char* name;
    const char* unit;
    void (*call)(std::vector<char>& send, std::vector<char>& receive, int bytes);
};

const Collective collectives[] = {
    {"bcast", "bytes of the message",
     [](auto& send, auto&, int bytes) { MPI_Bcast(send.data(), bytes, MPI_BYTE, 0, MPI_COMM_WORLD); }},
    {"reduce", "bytes of a rank's vector",
     [](auto& send, auto& receive, int bytes) {
         MPI_Reduce(send.data(), receive.data(), bytes, MPI_BYTE, MPI_BOR, 0, MPI_COMM_WORLD);
     }},
    {"allreduce", "bytes of a rank's vector",
     [](auto& send, auto& receive, int bytes) {
         MPI_Allreduce(send.data(), receive.data(), bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
     }},
    {"allgather", "bytes that one rank contributes; the thresholds compare the sum over the ranks",
     [](auto& send, auto& receive, int bytes) {
         MPI_Allgather(send.data(), bytes, MPI_BYTE, receive.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
     }},
    {"alltoall", "bytes from one rank to another",
     [](auto& send, auto& receive, int bytes) {
         MPI_Alltoall(send.data(), bytes, MPI_BYTE, receive.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
     }},
    {"reduce_scatter_block", "bytes that one rank receives; the thresholds compare the sum over the ranks",
     [](auto& send, auto& receive, int bytes) {
         MPI_Reduce_scatter_block(send.data(), receive.data(), bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
     }},
};

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

std::string reason(const MPIR_Coll_choice_t& choice) {
    switch (choice.source) {
        case MPIR_COLL_SOURCE_FORCED:
            return fmt::format("forced by {}", choice.cvar);
        case MPIR_COLL_SOURCE_ENVIRONMENT:
            return fmt::format("threshold {}", choice.cvar);
        default:
            return "built-in";
    }
}

void print_choices(const Collective& collective, const std::vector<std::uint64_t>& sizes) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0) {
        fmt::print("MPI_{} on {} ranks; size: {}\n{:>10}  {:<56}  {}\n", collective.name, ranks,
                   collective.unit, "size", "algorithm", "decided by");
    }
    for (const std::uint64_t size : sizes) {
        const int bytes = static_cast<int>(size);
        std::vector<char> send(size * static_cast<std::size_t>(ranks));
        std::vector<char> receive(send.size());
        collective.call(send, receive, bytes);
        MPIR_Coll_choice_t choice = {};
        MPIR_Coll_query_last(MPI_COMM_WORLD, MPIR_Coll_query_collective(collective.name), &choice);
        if (rank == 0) {
            fmt::print("{:>10}  {:<56}  {}\n", size, choice.algorithm ? choice.algorithm : "none (one rank)",
                       reason(choice));
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Makes a collective call and prints which algorithm MPICH used for it, and why.\n"
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

    MPI_Init(&argc, &argv);
    int status = 0;
    try {
        app.parse(argc, argv);
        print_choices(*find(name), sizes);
    } catch (const CLI::ParseError& error) {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        status = error.get_exit_code() == 0 ? 0 : 2;
        if (rank == 0) {
            app.exit(error);
        }
    }
    MPI_Finalize();
    return status;
}
