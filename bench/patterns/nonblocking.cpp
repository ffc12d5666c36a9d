// SPDX-License-Identifier: MIT
#include "nonblocking.hpp"

#include "overlap.hpp"
#include "work.hpp"

namespace bench {

namespace {

enum Parameter { compute_us, tests, by_work };

struct Operation {
    const Arguments& arguments;
    MPI_Request request = MPI_REQUEST_NULL;

    void start() { arguments.start(arguments, &request); }
    void test() {
        int is_done = 0;
        MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    }
    void wait() { MPI_Wait(&request, MPI_STATUS_IGNORE); }
};

void call(const Arguments& a) {
    Operation operation{a};
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

}  // namespace

Pattern nonblocking_version(const Pattern& blocking) {
    Pattern pattern = blocking;
    pattern.name = "i" + blocking.name;
    pattern.call = call;
    pattern.parameters = {{"compute_us", 0, 0, "computation between start and wait; 0: none"},
                          {"tests", 0, 0, "calls of MPI_Test during the computation"},
                          {"by_work", 0, 0, "1: a fixed amount of work, 0: a fixed time"}};
    return pattern;
}

}  // namespace bench
