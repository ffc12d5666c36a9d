// SPDX-License-Identifier: MIT
// changeover-micro-mpi: what the rules of a tuning file cost MPI_Comm_dup and MPI_Init.
//
// Rules are read in MPI_Init, so that two jobs are needed, one with rules and one without. For MPI_Comm_dup,
// both run at once, and duplicate MPI_COMM_WORLD in turn, a batch of calls each; who waits sleeps. Prints the
// medians, and the ratio of neighbouring batches with its 95% interval. For MPI_Init, jobs with and without
// rules are started one after the other: medians of the slowest rank, and the difference of neighbours.
//
// usage: changeover-micro-mpi [RANKS [PAIRS [RULES ...]]]      4 ranks, 200 pairs, 0 1000 10000 100000 rules
//
// Another library with the same interface: LD_LIBRARY_PATH=PREFIX/lib, and MPIEXEC=PREFIX/bin/mpiexec.
#include <fcntl.h>
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "comparison.hpp"
#include "statistics.hpp"

namespace {

constexpr int batch_calls = 50;
constexpr int first_calls = 10;  // of a batch, not timed: the ranks wake up
constexpr int warm_up_batches = 5;

// ---- the jobs ----

// Mean of a batch
double seconds_of_dup() {
    std::vector<MPI_Comm> made(first_calls + batch_calls);
    double begin = 0;
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (i == first_calls) {
            MPI_Barrier(MPI_COMM_WORLD);
            begin = MPI_Wtime();
        }
        MPI_Comm_dup(MPI_COMM_WORLD, &made[i]);
    }
    const double seconds = (MPI_Wtime() - begin) / batch_calls;
    for (MPI_Comm& comm : made) {
        MPI_Comm_free(&comm);
    }
    return seconds;
}

void print_seconds(int rank, double seconds) {
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) {
        std::printf("%.9f\n", seconds);
        std::fflush(stdout);
    }
}

// Prints the time of MPI_Init, then that of a batch for each line that rank 0 reads
int work(int argc, char** argv) {
    int rank = 0;
    const auto begin = std::chrono::steady_clock::now();
    MPI_Init(&argc, &argv);
    const std::chrono::duration<double> init = std::chrono::steady_clock::now() - begin;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    print_seconds(rank, init.count());
    while (true) {
        char line[16];
        int is_more = rank == 0 && std::fgets(line, sizeof line, stdin) != nullptr ? 1 : 0;
        MPI_Bcast(&is_more, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (is_more == 0) {
            break;
        }
        print_seconds(rank, seconds_of_dup());
    }
    MPI_Finalize();
    return 0;
}

// ---- who starts them ----

class Job {
  public:
    Job(const std::string& ranks, const std::string& tuning_file) {
        int to_job[2];
        int from_job[2];
        // not for the job that is started next: this one would never see the end of its input
        if (pipe2(to_job, O_CLOEXEC) != 0 || pipe2(from_job, O_CLOEXEC) != 0 || (pid_ = fork()) < 0) {
            throw std::runtime_error(std::string("a job cannot be started: ") + std::strerror(errno));
        }
        if (pid_ == 0) {
            dup2(to_job[0], STDIN_FILENO);
            dup2(from_job[1], STDOUT_FILENO);
            start(ranks, tuning_file);
        }
        close(to_job[0]);
        close(from_job[1]);
        to_ = fdopen(to_job[1], "w");
        from_ = fdopen(from_job[0], "r");
        seconds_of_init_ = next_seconds();
    }
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    ~Job() {
        std::fclose(to_);
        std::fclose(from_);
        waitpid(pid_, nullptr, 0);
    }

    double seconds_of_init() const { return seconds_of_init_; }

    double seconds_of_dup() {
        std::fputs("batch\n", to_);
        std::fflush(to_);
        return next_seconds();
    }

  private:
    double next_seconds() {
        char line[64];
        if (std::fgets(line, sizeof line, from_) == nullptr) {
            throw std::runtime_error("a job has ended early; check that mpiexec starts jobs (MPIEXEC)");
        }
        return std::atof(line);
    }

    [[noreturn]] static void start(const std::string& ranks, const std::string& tuning_file) {
        if (tuning_file.empty()) {
            unsetenv("MPIR_CVAR_COLL_TUNING_FILE");
        } else {
            setenv("MPIR_CVAR_COLL_TUNING_FILE", tuning_file.c_str(), 1);
        }
        const char* mpiexec = std::getenv("MPIEXEC");
        const std::string self = std::filesystem::read_symlink("/proc/self/exe");
        execlp(mpiexec == nullptr ? CHANGEOVER_MPIEXEC : mpiexec, "mpiexec", "-n", ranks.c_str(),
               self.c_str(), "work", nullptr);
        std::perror("mpiexec");
        _exit(127);
    }

    pid_t pid_ = 0;
    FILE* to_ = nullptr;
    FILE* from_ = nullptr;
    double seconds_of_init_ = 0;
};

// As a tuner writes them: ten collectives, ten numbers of nodes, the rest sizes. A tenth is for one node. The
// sizes are longer than what MPI_Comm_dup itself sends, whose algorithms stay the same.
void write_rules(const std::filesystem::path& file, int rules) {
    constexpr const char* algorithms[][2] = {{"bcast", "binomial"},
                                             {"allreduce", "recursive_doubling"},
                                             {"reduce", "binomial"},
                                             {"allgather", "ring"},
                                             {"allgatherv", "ring"},
                                             {"alltoall", "scattered"},
                                             {"reduce_scatter_block", "pairwise"},
                                             {"reduce_scatter", "pairwise"},
                                             {"iallreduce", "sched_naive"},
                                             {"ibcast", "sched_binomial"}};
    std::ofstream stream(file);
    stream << R"({"version": 1, "mpir": [)";
    for (int i = 0; i < rules; ++i) {
        const auto& [collective, algorithm] = algorithms[static_cast<std::size_t>(i) % std::size(algorithms)];
        const int nodes = 1 << (i / 10 % 10);
        const int first = (1 << 20) + i / 100 * 64;
        stream << (i == 0 ? "\n" : ",\n") << R"({"collective": ")" << collective << R"(", "nodes": )" << nodes
               << R"(, "bytes": [)" << first << ", " << first + 63 << R"(], "algorithm": ")" << algorithm
               << R"("})";
    }
    stream << "\n]}\n";
    if (!stream.flush()) {
        throw std::runtime_error(file.string() + " cannot be written; check the disk");
    }
}

void compare_init(const std::string& ranks, int pairs, int rules, const std::filesystem::path& file) {
    write_rules(file, rules);
    std::vector<double> seconds_without;
    std::vector<double> seconds_with;
    std::vector<double> differences;
    for (int pair = -1; pair < pairs; ++pair) {
        double seconds[2];  // without rules, and with them
        for (const int i : {pair & 1, 1 - (pair & 1)}) {
            seconds[i] = Job(ranks, i == 0 ? std::string() : file.string()).seconds_of_init();
        }
        if (pair >= 0) {
            seconds_without.push_back(seconds[0]);
            seconds_with.push_back(seconds[1]);
            differences.push_back(seconds[1] - seconds[0]);
        }
    }
    const models::Interval interval = models::median_interval_in_order(differences);
    std::printf("%7d %11.2f %9.2f %8.3f %9.3f to %.3f %6d\n", rules,
                models::summarize(seconds_without).median * 1e3, models::summarize(seconds_with).median * 1e3,
                models::summarize(differences).median * 1e3, interval.low * 1e3, interval.high * 1e3, pairs);
    std::fflush(stdout);
}

void compare(const std::string& ranks, int pairs, int rules, const std::filesystem::path& file) {
    write_rules(file, rules);
    Job without(ranks, "");
    Job with(ranks, file);
    std::vector<double> seconds_without;
    std::vector<double> seconds_with;
    for (int pair = -warm_up_batches; pair < pairs; ++pair) {
        // the order changes from pair to pair
        const bool is_with_first = pair % 2 != 0;
        const double first = (is_with_first ? with : without).seconds_of_dup();
        const double second = (is_with_first ? without : with).seconds_of_dup();
        if (pair >= 0) {
            seconds_without.push_back(is_with_first ? second : first);
            seconds_with.push_back(is_with_first ? first : second);
        }
    }
    const models::Ratio ratio = models::median_ratio_of_pairs(seconds_with, seconds_without);
    std::printf("%7d %11.1f %9.1f %8.3f %9.3f to %.3f %6d\n", rules,
                models::summarize(seconds_without).median * 1e6, models::summarize(seconds_with).median * 1e6,
                ratio.ratio, ratio.interval.low, ratio.interval.high, pairs);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (!arguments.empty() && arguments[0] == "work") {
        return work(argc, argv);
    }
    const std::string ranks = arguments.empty() ? "4" : arguments[0];
    const int pairs = arguments.size() < 2 ? 200 : std::max(10, std::atoi(arguments[1].c_str()));
    std::vector<std::string> rules = {"0", "1000", "10000", "100000"};
    if (arguments.size() > 2) {
        rules.assign(arguments.begin() + 2, arguments.end());
    }
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("changeover-rules." + std::to_string(getpid()) + ".json");
    int status = 0;
    try {
        std::printf("MPI_Comm_dup on %s ranks\n%7s %11s %9s %8s %18s %6s\n", ranks.c_str(), "rules",
                    "without us", "with us", "ratio", "95% interval", "pairs");
        for (const std::string& number : rules) {
            compare(ranks, pairs, std::atoi(number.c_str()), file);
        }
        std::printf("MPI_Init on %s ranks\n%7s %11s %9s %8s %18s %6s\n", ranks.c_str(), "rules", "without ms",
                    "with ms", "more ms", "95% interval", "pairs");
        for (const std::string& number : rules) {
            compare_init(ranks, pairs / 4, std::atoi(number.c_str()), file);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "Error: %s\n", error.what());
        status = 1;
    }
    std::filesystem::remove(file);
    return status;
}
