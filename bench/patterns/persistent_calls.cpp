// SPDX-License-Identifier: MIT
#include "persistent_calls.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace bench {

#if MPI_VERSION >= 4

namespace {

using InitCall = void (*)(const Arguments& a, MPI_Request* r);

struct Row {
    std::string_view collective;
    InitCall init;
};

constexpr std::array rows = {
    Row{"allgather",
        [](const Arguments& a, MPI_Request* r) {
            MPI_Allgather_init(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.comm,
                               MPI_INFO_NULL, r);
        }},
    Row{"allgatherv",
        [](const Arguments& a, MPI_Request* r) {
            MPI_Allgatherv_init(a.send, a.count, a.datatype, a.receive, a.counts, a.displacements, a.datatype,
                                a.comm, MPI_INFO_NULL, r);
        }},
    Row{"allreduce",
        [](const Arguments& a, MPI_Request* r) {
            MPI_Allreduce_init(a.send, a.receive, a.count, a.datatype, a.operation, a.comm, MPI_INFO_NULL, r);
        }},
    Row{"alltoall",
        [](const Arguments& a, MPI_Request* r) {
            MPI_Alltoall_init(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.comm,
                              MPI_INFO_NULL, r);
        }},
    Row{"alltoallv",
        [](const Arguments& a, MPI_Request* r) {
            MPI_Alltoallv_init(a.send, a.counts, a.displacements, a.datatype, a.receive, a.counts,
                               a.displacements, a.datatype, a.comm, MPI_INFO_NULL, r);
        }},
    Row{"bcast",
        [](const Arguments& a, MPI_Request* r) {
            MPI_Bcast_init(a.receive, a.count, a.datatype, a.root, a.comm, MPI_INFO_NULL, r);
        }},
    Row{"exscan",
        [](const Arguments& a, MPI_Request* r) {
            MPI_Exscan_init(a.send, a.receive, a.count, a.datatype, a.operation, a.comm, MPI_INFO_NULL, r);
        }},
    Row{"gather",
        [](const Arguments& a, MPI_Request* r) {
            MPI_Gather_init(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.root, a.comm,
                            MPI_INFO_NULL, r);
        }},
    Row{"reduce",
        [](const Arguments& a, MPI_Request* r) {
            MPI_Reduce_init(a.send, a.receive, a.count, a.datatype, a.operation, a.root, a.comm,
                            MPI_INFO_NULL, r);
        }},
    Row{"reduce_scatter",
        [](const Arguments& a, MPI_Request* r) {
            MPI_Reduce_scatter_init(a.send, a.receive, a.counts, a.datatype, a.operation, a.comm,
                                    MPI_INFO_NULL, r);
        }},
    Row{"reduce_scatter_block",
        [](const Arguments& a, MPI_Request* r) {
            MPI_Reduce_scatter_block_init(a.send, a.receive, a.count, a.datatype, a.operation, a.comm,
                                          MPI_INFO_NULL, r);
        }},
    Row{"scan",
        [](const Arguments& a, MPI_Request* r) {
            MPI_Scan_init(a.send, a.receive, a.count, a.datatype, a.operation, a.comm, MPI_INFO_NULL, r);
        }},
    Row{"scatter",
        [](const Arguments& a, MPI_Request* r) {
            MPI_Scatter_init(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.root, a.comm,
                             MPI_INFO_NULL, r);
        }},
};

// The one that was made last. Buffers that change with each call make another one with each call.
struct LastRequest {
    InitCall init = nullptr;
    Arguments of = {};
    MPI_Request request = MPI_REQUEST_NULL;

    bool is_for(InitCall other, const Arguments& a) const {
        const auto key = [](const Arguments& b) {
            return std::tie(b.comm, b.send, b.receive, b.count, b.datatype, b.operation, b.root, b.counts,
                            b.displacements);
        };
        return init == other && key(of) == key(a);
    }
};

}  // namespace

std::string_view why_no_persistent_calls() {
    return {};
}

// The last request is freed when another one is made, or with the process: it is not active
void call_persistent(const MockUpCall& m) {
    static LastRequest last;
    const InitCall init = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
                              return row.collective == m.pattern.name;
                          })->init;
    if (!last.is_for(init, m.arguments)) {
        if (last.request != MPI_REQUEST_NULL) {
            MPI_Request_free(&last.request);
        }
        init(m.arguments, &last.request);
        last.init = init;
        last.of = m.arguments;
    }
    MPI_Start(&last.request);
    MPI_Wait(&last.request, MPI_STATUS_IGNORE);
}

#else

std::string_view why_no_persistent_calls() {
    return "this library has no persistent collectives (MPI 4)";
}

void call_persistent(const MockUpCall&) {}  // it is refused

#endif

}  // namespace bench
