// SPDX-License-Identifier: MIT
// Collective calls for the tests of the event collectors, by the names of the arguments.
// usage: event_workload WHAT...
#include <mpi.h>
#include <mpix_coll.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "control_variable.hpp"

namespace {

int world_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

void allreduces(int calls, int bytes) {
    std::vector<char> in(static_cast<std::size_t>(bytes));
    std::vector<char> out(in.size());
    for (int i = 0; i < calls; ++i) {
        MPI_Allreduce(in.data(), out.data(), bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    }
}

// 30 calls of 8, 800 and 80000 bytes in turn, and as many barriers
void sizes() {
    for (int i = 0; i < 30; ++i) {
        allreduces(1, i % 3 == 0 ? 8 : i % 3 == 1 ? 800 : 80000);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

// Recording rests for the second half
void resting() {
    const bench::ControlVariable enable("MPIR_CVAR_COLL_EVENTS_ENABLE");
    allreduces(10, 100);
    enable.write(0);
    allreduces(10, 200);
    enable.write(1);
}

// Nonblocking calls on two communicators at once, started in another order than they are waited for, while a
// blocking one makes their progress
void overlapping() {
    MPI_Comm halves = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, world_rank(), &halves);
    std::vector<int> values(3000);
    for (int i = 0; i < 20; ++i) {
        std::vector<MPI_Request> requests(3);
        MPI_Ibcast(values.data(), 1000, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Iallreduce(MPI_IN_PLACE, values.data() + 1000, 1000, MPI_INT, MPI_SUM, halves, &requests[1]);
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
        MPI_Allreduce(MPI_IN_PLACE, values.data() + 2000, 1000, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
        MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    }
    MPI_Comm_free(&halves);
}

// More communicators than are kept of one job at a time, but all of them freed
void communicators() {
    for (int i = 0; i < 50; ++i) {
        MPI_Comm copy = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        MPI_Barrier(copy);
        MPI_Comm_free(&copy);
    }
}

// Two threads, each with calls of its own on a communicator of its own
void threads() {
    const auto work = [](MPI_Comm comm, int count) {
        std::vector<int> values(static_cast<std::size_t>(count));
        for (int i = 0; i < 200; ++i) {
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Ibcast(values.data(), count, MPI_INT, 0, comm, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            MPI_Allreduce(MPI_IN_PLACE, values.data(), count, MPI_INT, MPI_SUM, comm);
        }
    };
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    std::thread other(work, copy, 1000);
    work(MPI_COMM_WORLD, 10);
    other.join();
    MPI_Comm_free(&copy);
}

void write_now() {
    std::printf("written: %d\n", MPIX_Coll_events_write() == MPI_SUCCESS);
}

// Half a second, in which clocks drift
void waiting() {
    for (int i = 0; i < 50; ++i) {
        usleep(10000);
        allreduces(5, 1000);
    }
}

const std::map<std::string, std::function<void()>> parts = {
    {"allreduces", [] { allreduces(100, 4096); }},
    {"barriers",
     [] {
         for (int i = 0; i < 1000; ++i) MPI_Barrier(MPI_COMM_WORLD);
     }},
    {"empty",
     [] {
         for (int i = 0; i < 10; ++i) MPI_Bcast(nullptr, 0, MPI_BYTE, 0, MPI_COMM_WORLD);
     }},
    {"sizes", sizes},
    {"resting", resting},
    {"overlapping", overlapping},
    {"communicators", communicators},
    {"threads", threads},
    {"write", write_now},
    {"waiting", waiting},
    {"no-folder",
     [] {
         if (world_rank() == 0) {
             std::system("rm -r \"$TEST_FOLDER\"");
         }
         MPI_Barrier(MPI_COMM_WORLD);
     }},
    {"die",
     [] {
         if (world_rank() == 1) {
             usleep(100000);  // the others wait for it by then
             kill(getpid(), SIGKILL);
         }
         allreduces(1, 4096);
     }},
    {"abort",
     [] {
         MPI_Barrier(MPI_COMM_WORLD);  // all have done what comes before it
         if (world_rank() == 0) {
             std::abort();
         }
         pause();  // until mpiexec ends it: MPI_Finalize would write once more
     }},
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv,
                    argc > 1 && std::string(argv[1]) == "threads" ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                    &provided);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    for (int i = 1; i < argc; ++i) {
        parts.at(argv[i])();
    }
    MPI_T_finalize();
    MPI_Finalize();
    return 0;
}
