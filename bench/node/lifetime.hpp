// SPDX-License-Identifier: MIT
// How long MPI objects live that nobody owns.
#pragma once

#include <mpi.h>

namespace bench {

// Frees the datatype when the communicator is freed: MPI_COMM_SELF is that by MPI_Finalize, before all else
inline void free_with(MPI_Comm comm, MPI_Datatype type) {
    const auto free_type = [](MPI_Comm, int, void* value, void*) {
        auto* kept = static_cast<MPI_Datatype*>(value);
        const int result = MPI_Type_free(kept);
        delete kept;
        return result;
    };
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_type, &key, nullptr);
    MPI_Comm_set_attr(comm, key, new MPI_Datatype(type));
    MPI_Comm_free_keyval(&key);
}

}  // namespace bench
