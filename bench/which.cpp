// SPDX-License-Identifier: MIT
// changeover-which: which algorithm does MPICH use for a call here, and which setting decided it?
// Makes the call on MPI_COMM_WORLD, or on parts of it, for each message size and prints what the patched
// MPICH says of it.
#include <fmt/format.h>
#include <mpi.h>
#include <mpix_coll.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "call_data.hpp"
#include "collectives.hpp"
#include "library.hpp"
#include "output_text.hpp"
#include "placement.hpp"
#include "program.hpp"
#include "request.hpp"
#include "sizes.hpp"

namespace {

constexpr std::size_t largest_bytes = std::size_t{1} << 30;

// Every pattern that the library can be asked about
std::vector<const bench::Pattern*> known_collectives() {
    std::vector<const bench::Pattern*> known;
    std::copy_if(bench::patterns().begin(), bench::patterns().end(), std::back_inserter(known),
                 [](const bench::Pattern* pattern) {
                     return !pattern->is_exchange() && MPIX_Coll_query_collective(pattern->name.c_str()) >= 0;
                 });
    return known;
}

const bench::Pattern* find(const std::string& name) {
    for (const bench::Pattern* pattern : known_collectives()) {
        if (pattern->name == name) {
            return pattern;
        }
    }
    return nullptr;
}

std::string names() {
    std::string list;
    for (const bench::Pattern* pattern : known_collectives()) {
        list += (list.empty() ? "" : ", ") + pattern->name;
    }
    return list;
}

// What the thresholds compare, where it is not the message size
const char* threshold_note(const bench::Pattern& pattern) {
    const std::string blocking = bench::is_nonblocking(pattern) ? pattern.name.substr(1) : pattern.name;
    const models::Collective* row = models::find_collective(blocking);
    const bool is_total = row != nullptr && row->mpich_size == models::CountedSize::total;
    return is_total ? "; thresholds compare it times the number of ranks" : "";
}

// Communicators that programs often make; the one of rank 0 is printed
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

std::string setting(const MPIX_Coll_choice_t& choice) {
    switch (choice.source) {
        case MPIX_COLL_SOURCE_NONE:
            return "";
        case MPIX_COLL_SOURCE_FORCED:
            return fmt::format("forced by {}", choice.cvar);
        case MPIX_COLL_SOURCE_ENVIRONMENT:
            return fmt::format("threshold {} is set", choice.cvar);
        case MPIX_COLL_SOURCE_FILE:
            return choice.rule ? fmt::format("rule {} of the tuning file", choice.rule) : "selection file";
        default:
            return "built-in";
    }
}

// Makes the call on a communicator of its own, which has no other 'last call'
MPIX_Coll_choice_t choice_of(MPI_Comm part, const bench::Pattern& pattern, std::size_t bytes, int ranks) {
    int rank = 0;
    MPI_Comm_rank(part, &rank);
    bench::GroupSpec group = {
        &pattern, bytes, {bench::default_algorithm}, &bench::find_elements("byte", "sum")};
    group.parameters = bench::parameters_of({}, pattern);
    bench::CallData data(group, bench::default_algorithm, rank, ranks, buffers_for(group, rank, ranks));
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(part, &comm);
    data.call(comm, bench::Clock(bench::ClockSource::monotonic_raw));
    MPIX_Coll_choice_t choice = {};
    MPIX_Coll_query_last(comm, MPIX_Coll_query_collective(pattern.name.c_str()), &choice);
    MPI_Comm_free(&comm);
    return choice;
}

void print_choices(MPI_Comm part, const bench::Pattern& pattern, std::vector<std::size_t> sizes) {
    int rank = 0;  // in the world: the others are silent
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(part, &ranks);
    if (rank == 0) {
        fmt::print("MPI_{} on {} ranks; message size: {}{}\n{:>10}  {:<56}  {}\n", pattern.name, ranks,
                   bench::size_definition(pattern), threshold_note(pattern), "size", "algorithm",
                   "decided by");
    }
    if (!pattern.has_message) {
        sizes = {0};
    }
    for (const std::size_t bytes : sizes) {
        const MPIX_Coll_choice_t choice = choice_of(part, pattern, bytes, ranks);
        if (rank == 0) {
            const char* none = ranks == 1 ? "none (one rank)" : "none (nothing to send)";
            fmt::print("{:>10}  {:<56}  {}\n", bytes, choice.algorithm ? choice.algorithm : none,
                       setting(choice));
        }
    }
}

struct Options {
    std::string collective = "bcast";
    std::string sizes = "1Ki,16Ki,64Ki,1Mi";
    std::string part = "world";
};

void define(CLI::App& app, Options& options) {
    std::vector<std::string> part_names;
    std::transform(std::begin(parts), std::end(parts), std::back_inserter(part_names),
                   [](const Part& part) { return part.name; });
    app.add_option("collective", options.collective, "one of " + names())
        ->check([](const std::string& text) { return find(text) ? "" : text + " is not one of: " + names(); })
        ->capture_default_str();
    app.add_option("--bytes", options.sizes, "message sizes such as 1Ki,64Ki,1Mi or 1Ki:1Mi:x2, up to 1Gi")
        ->capture_default_str();
    app.add_option("--on", options.part,
                   "communicator of rank 0: world, its node, the even ranks, or the first half of the ranks")
        ->check(CLI::IsMember(part_names))
        ->capture_default_str();
}

std::vector<std::size_t> sizes_of(const Options& options) {
    std::vector<std::size_t> sizes = models::parse_sizes(options.sizes);
    if (sizes.back() > largest_bytes) {
        throw std::invalid_argument("--bytes: a message size must be at most 1Gi, got " +
                                    models::size_text(sizes.back()));
    }
    return sizes;
}

int run(int argc, char** argv) {
    CLI::App app{
        "Makes a collective call and prints which algorithm MPICH used for it, and which setting decided "
        "it.\n"
        "Run it with the mpiexec of the patched MPICH, for example mpiexec -n 8 changeover-which bcast\n"};
    Options options;
    define(app, options);
    return bench::run_program(app, argc, argv, [&](int) {
        const std::vector<std::size_t> sizes = sizes_of(options);
        MPI_Comm part = communicator_of(find_part(options.part));
        print_choices(part, *find(options.collective), sizes);
        MPI_Comm_free(&part);
    });
}

}  // namespace

int main(int argc, char** argv) {
    return bench::with_mpi(argc, argv, run);
}
