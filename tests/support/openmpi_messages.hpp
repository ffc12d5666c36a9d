// SPDX-License-Identifier: MIT
// Counts the messages that Open MPI sends, also inside of its collectives: they all go through the table of
// functions of its point-to-point layer, mca_pml (ompi/mca/pml/pml.h), in which three are
// replaced.
#pragma once

#include <dlfcn.h>
#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <string_view>

namespace openmpi_messages {

struct Sent {
    long messages = 0;
    long bytes = 0;
    long prepared = 0;  // of the messages, by requests that are made first and then started
    bool operator==(const Sent&) const = default;
};
inline Sent sent;

namespace detail {

using Isend = int (*)(const void*, std::size_t, MPI_Datatype, int, int, int, MPI_Comm, MPI_Request*);
using Send = int (*)(const void*, std::size_t, MPI_Datatype, int, int, int, MPI_Comm);
inline Isend real_isend_init = nullptr;  // of requests that are started once
inline Isend real_isend = nullptr;
inline Send real_send = nullptr;

inline void count(std::size_t elements, MPI_Datatype datatype) {
    int size = 0;
    PMPI_Type_size(datatype, &size);
    ++sent.messages;
    sent.bytes += static_cast<long>(elements) * size;
}
inline int counted_isend(const void* buffer, std::size_t elements, MPI_Datatype datatype, int to, int tag,
                         int mode, MPI_Comm comm, MPI_Request* request) {
    count(elements, datatype);
    return real_isend(buffer, elements, datatype, to, tag, mode, comm, request);
}
inline int counted_isend_init(const void* buffer, std::size_t elements, MPI_Datatype datatype, int to,
                              int tag, int mode, MPI_Comm comm, MPI_Request* request) {
    count(elements, datatype);
    ++sent.prepared;
    return real_isend_init(buffer, elements, datatype, to, tag, mode, comm, request);
}
inline int counted_send(const void* buffer, std::size_t elements, MPI_Datatype datatype, int to, int tag,
                        int mode, MPI_Comm comm) {
    count(elements, datatype);
    return real_send(buffer, elements, datatype, to, tag, mode, comm);
}

}  // namespace detail

// After MPI_Init; collective over at least two ranks. Throws if the table is another one.
inline void start_counting() {
    // looked up, since a program that is linked with it has a copy, of the size that it was compiled for
    auto** mca_pml = static_cast<void**>(dlsym(RTLD_DEFAULT, "mca_pml"));
    if (mca_pml == nullptr) {
        throw std::runtime_error("this is no Open MPI");
    }
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(version, &length);
    // since 5.0 with pml_revoke_comm before them
    const int isend_init = std::string_view(version).starts_with("Open MPI v4") ? 9 : 10;
    const int isend = isend_init + 1;
    const int send = isend_init + 2;
    detail::real_isend_init = reinterpret_cast<detail::Isend>(mca_pml[isend_init]);
    detail::real_isend = reinterpret_cast<detail::Isend>(mca_pml[isend]);
    detail::real_send = reinterpret_cast<detail::Send>(mca_pml[send]);
    mca_pml[isend_init] = reinterpret_cast<void*>(detail::counted_isend_init);
    mca_pml[isend] = reinterpret_cast<void*>(detail::counted_isend);
    mca_pml[send] = reinterpret_cast<void*>(detail::counted_send);
    int rank = 0;
    int number = 7;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 0) {
        MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Isend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (sent != Sent{2, 2 * sizeof number, 0}) {
            throw std::runtime_error("this Open MPI has another table of functions in mca_pml");
        }
    } else if (rank == 1) {
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    sent = {};
}

}  // namespace openmpi_messages
