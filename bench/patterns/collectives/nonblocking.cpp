// SPDX-License-Identifier: MIT
// The nonblocking collectives. Each is as its blocking one, but is started and then waited for; with the
// parameter compute_us the ranks compute meanwhile, and the time is what the processor spends on the
// collective (overlap.hpp).
#include <algorithm>

#include "overlap.hpp"
#include "pattern.hpp"
#include "work.hpp"

namespace bench {

extern const Pattern barrier, bcast, reduce, allreduce, allgather, allgatherv, alltoall, alltoallv,
    reduce_scatter, reduce_scatter_block, gather, scatter, scan, exscan;

namespace {

enum Parameter { compute_us, tests, by_work };

template <auto start_call>
struct Operation {
    const Arguments& arguments;
    MPI_Request request = MPI_REQUEST_NULL;

    void start() { start_call(arguments, &request); }
    void test() {
        int is_done = 0;
        MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    }
    void wait() { MPI_Wait(&request, MPI_STATUS_IGNORE); }
};

template <auto start_call>
void call(const Arguments& a) {
    Operation<start_call> operation{a};
    if (a.parameters[compute_us] > 0) {
        static const Work work(*a.clock);
        *a.seconds = overhead_of(operation,
                                 {1e-6 * a.parameters[compute_us], static_cast<int>(a.parameters[tests]),
                                  a.parameters[by_work] > 0},
                                 *a.clock, work);
    } else {
        operation.start();
        operation.wait();
    }
}

template <auto start_call>
Pattern nonblocking(const char* name, const Pattern& blocking) {
    Pattern pattern = blocking;
    pattern.name = name;
    pattern.osu_column = "Size (osu_i...)";
    pattern.imb_column = "#bytes (I...)";
    pattern.call = call<start_call>;
    pattern.parameters = {{"compute_us", 0, 0, "computation between start and wait; 0: none"},
                          {"tests", 0, 0, "MPI_Test calls during it"},
                          {"by_work", 0, 0, "1: so much work, 0: so much time"}};
    return pattern;
}

}  // namespace

const std::vector<Pattern>& nonblocking_patterns() {
    static const std::vector<Pattern> table = {
        nonblocking<[](const Arguments& a, MPI_Request* r) {
            MPI_Ibcast(a.receive, a.count, a.datatype, a.root, a.comm, r);
        }>("ibcast", bcast),
        nonblocking<[](const Arguments& a, MPI_Request* r) {
            MPI_Ireduce(a.send, a.receive, a.count, a.datatype, a.operation, a.root, a.comm, r);
        }>("ireduce", reduce),
        nonblocking<[](const Arguments& a, MPI_Request* r) {
            MPI_Iallreduce(a.send, a.receive, a.count, a.datatype, a.operation, a.comm, r);
        }>("iallreduce", allreduce),
        nonblocking<[](const Arguments& a, MPI_Request* r) {
            MPI_Iallgather(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.comm, r);
        }>("iallgather", allgather),
        nonblocking<[](const Arguments& a, MPI_Request* r) {
            MPI_Iallgatherv(a.send, a.count, a.datatype, a.receive, a.counts, a.displacements, a.datatype,
                            a.comm, r);
        }>("iallgatherv", allgatherv),
        nonblocking<[](const Arguments& a, MPI_Request* r) {
            MPI_Ialltoall(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.comm, r);
        }>("ialltoall", alltoall),
        nonblocking<[](const Arguments& a, MPI_Request* r) {
            MPI_Ialltoallv(a.send, a.counts, a.displacements, a.datatype, a.receive, a.counts,
                           a.displacements, a.datatype, a.comm, r);
        }>("ialltoallv", alltoallv),
        nonblocking<[](const Arguments& a, MPI_Request* r) {
            MPI_Ireduce_scatter(a.send, a.receive, a.counts, a.datatype, a.operation, a.comm, r);
        }>("ireduce_scatter", reduce_scatter),
        nonblocking<[](const Arguments& a, MPI_Request* r) {
            MPI_Ireduce_scatter_block(a.send, a.receive, a.count, a.datatype, a.operation, a.comm, r);
        }>("ireduce_scatter_block", reduce_scatter_block),
        nonblocking<[](const Arguments& a, MPI_Request* r) {
            MPI_Igather(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.root, a.comm, r);
        }>("igather", gather),
        nonblocking<[](const Arguments& a, MPI_Request* r) {
            MPI_Iscatter(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.root, a.comm, r);
        }>("iscatter", scatter),
        nonblocking<[](const Arguments& a, MPI_Request* r) {
            MPI_Iscan(a.send, a.receive, a.count, a.datatype, a.operation, a.comm, r);
        }>("iscan", scan),
        nonblocking<[](const Arguments& a, MPI_Request* r) {
            MPI_Iexscan(a.send, a.receive, a.count, a.datatype, a.operation, a.comm, r);
        }>("iexscan", exscan),
        nonblocking<[](const Arguments& a, MPI_Request* r) { MPI_Ibarrier(a.comm, r); }>("ibarrier", barrier),
    };
    return table;
}

bool is_nonblocking(const Pattern& pattern) {
    return std::any_of(nonblocking_patterns().begin(), nonblocking_patterns().end(),
                       [&](const Pattern& known) { return &known == &pattern; });
}

}  // namespace bench
