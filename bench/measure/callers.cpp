// SPDX-License-Identifier: MIT
#include "callers.hpp"

namespace bench {

namespace {

Caller caller_on(MPI_Comm comm, Library& library) {
    Caller caller = {comm, &library, 0, 0};
    MPI_Comm_rank(comm, &caller.rank);
    MPI_Comm_size(comm, &caller.ranks);
    return caller;
}

}  // namespace

Callers::Callers(MPI_Comm all, Library& library) : all_(all), library_(library) {}

Callers::~Callers() {
    for (auto& [name, part] : parts_) {
        part.library.reset();  // it may have duplicates of the communicator
        MPI_Comm_free(&part.comm);
    }
}

Caller Callers::of(const models::Communicators& communicators) {
    const Caller all = caller_on(all_, library_);
    if (!communicators.are_parts()) {
        return all;
    }
    const auto [found, is_new] = parts_.try_emplace(to_string(communicators));
    Part& part = found->second;
    if (is_new) {
        MPI_Comm_split(all_, models::communicator_of(communicators, all.rank, all.ranks), all.rank,
                       &part.comm);
        part.library = make_library(part.comm);
    }
    return caller_on(part.comm, *part.library);
}

}  // namespace bench
