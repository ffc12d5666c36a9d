// SPDX-License-Identifier: MIT
// A master hands out tasks and collects the results, as in SKaMPI's pattern (Reussner et al. 1998, section
// 2.1): a worker gets a new task when it has sent a result. How the master waits for the next result is the
// variant; `queue` lets each worker have several tasks at a time, so that it need not wait for the next one.
// A result is the task itself, so both ways are checked.
#include "clock.hpp"
#include "pattern_parts.hpp"

namespace bench {

namespace {

enum Parameter { tasks, queue_length, work_us };
enum Variant { any_source, waitany, waitsome, queue };
constexpr int task_tag = 27;
constexpr int stop_tag = 28;
constexpr int result_tag = 29;

class Master {
  public:
    explicit Master(const Arguments& a) : a_(a) {
        int ranks = 0;
        int bytes = 0;
        MPI_Comm_size(a.comm, &ranks);
        MPI_Type_size(a.datatype, &bytes);
        workers_ = ranks - 1;
        total_ = workers_ * static_cast<int>(a.parameters[tasks]);
        length_ = static_cast<std::ptrdiff_t>(a.count) * bytes;
        sends_.reserve(static_cast<std::size_t>(total_));
        results_.resize(static_cast<std::size_t>(workers_), MPI_REQUEST_NULL);
        done_.resize(results_.size());
    }

    void run() {
        const bool is_queue = a_.variant == queue;
        const auto at_once = is_queue ? static_cast<int>(a_.parameters[queue_length]) : 1;
        const bool posts = a_.variant == waitany || a_.variant == waitsome;
        for (int worker = 0; worker < workers_; ++worker) {
            if (posts) {
                post_result(worker);
            }
            for (int i = 0; i < at_once; ++i) {
                hand_out(worker);
            }
        }
        constexpr void (Master::*collectors[])() = {&Master::collect_from_any, &Master::collect_one,
                                                    &Master::collect_some, &Master::collect_from_any};
        while (collected_ < total_) {
            (this->*collectors[a_.variant])();
        }
        MPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE);
    }

    void stop_workers() const {
        for (int worker = 0; worker < workers_; ++worker) {
            MPI_Send(nullptr, 0, MPI_BYTE, rank_of(worker), stop_tag, a_.comm);
        }
    }

  private:
    int rank_of(int worker) const { return worker < a_.root ? worker : worker + 1; }
    int worker_of(int rank) const { return rank < a_.root ? rank : rank - 1; }
    void* place_of(int worker) const { return static_cast<char*>(a_.receive) + worker * length_; }

    void hand_out(int worker) {
        if (static_cast<int>(sends_.size()) < total_) {
            MPI_Isend(a_.send, a_.count, a_.datatype, rank_of(worker), task_tag, a_.comm,
                      &sends_.emplace_back());
        }
    }
    void post_result(int worker) {
        MPI_Irecv(place_of(worker), a_.count, a_.datatype, rank_of(worker), result_tag, a_.comm,
                  &results_[static_cast<std::size_t>(worker)]);
    }
    // There are as many results to come as tasks were handed out
    void next_of(int worker) {
        ++collected_;
        if (static_cast<int>(sends_.size()) < total_) {
            post_result(worker);
            hand_out(worker);
        }
    }

    void collect_from_any() {
        MPI_Status status;
        MPI_Recv(place_of(collected_ % workers_), a_.count, a_.datatype, MPI_ANY_SOURCE, result_tag, a_.comm,
                 &status);
        ++collected_;
        hand_out(worker_of(status.MPI_SOURCE));
    }
    void collect_one() {
        int worker = 0;
        MPI_Waitany(workers_, results_.data(), &worker, MPI_STATUS_IGNORE);
        next_of(worker);
    }
    void collect_some() {
        int count = 0;
        MPI_Waitsome(workers_, results_.data(), &count, done_.data(), MPI_STATUSES_IGNORE);
        for (int i = 0; i < count; ++i) {
            next_of(done_[static_cast<std::size_t>(i)]);
        }
    }

    const Arguments& a_;
    int workers_ = 0;
    int total_ = 0;  // tasks
    int collected_ = 0;
    std::ptrdiff_t length_ = 0;
    std::vector<MPI_Request> sends_;
    std::vector<MPI_Request> results_;  // of each worker
    std::vector<int> done_;
};

void be_worker(const Arguments& a) {
    for (;;) {
        MPI_Status status;
        MPI_Recv(a.receive, a.count, a.datatype, a.root, MPI_ANY_TAG, a.comm, &status);
        if (status.MPI_TAG == stop_tag) {
            return;
        }
        parts::busy(*a.clock, 1e-6 * a.parameters[work_us]);
        MPI_Send(a.receive, a.count, a.datatype, a.root, result_tag, a.comm);
    }
}

void call(const Arguments& a) {
    if (a.rank != a.root) {
        return be_worker(a);
    }
    Master master(a);
    const double begin = a.clock->now();
    master.run();
    *a.seconds = a.clock->now() - begin;
    master.stop_workers();
}

std::size_t receive_count(const RankCall& call) {
    return call.rank == call.root ? static_cast<std::size_t>(call.ranks - 1) * call.count : call.count;
}

Origin result(const RankCall& call, std::size_t position) {
    return {call.root, call.root, position % call.count};
}

}  // namespace

extern const Pattern master_worker;
const Pattern master_worker = {
    .name = "master_worker",
    .size = {.meaning = "bytes of a task, and of its result; the time is that of all tasks, at the master"},
    .has_root = true,
    .contents = {InPlace::no, parts::one_block, receive_count, parts::no_input, result},
    .call = call,
    .variants = {"any_source", "waitany", "waitsome", "queue"},
    .parameters = {{"tasks", 8, 1, "for each worker, on average"},
                   {"queue_length", 2, 1, "tasks that a worker has at a time, with `queue`"},
                   {"work_us", 0, 0, "that a worker takes for a task"}},
    .parties = Parties::all,
    .metric = Metric::root,
    .messages = [](const RankCall& call) { return 2 * call.parameters[tasks] * (call.ranks - 1); },
};

}  // namespace bench
