// SPDX-License-Identifier: MIT
#include "try_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "error.hpp"
#include "files.hpp"
#include "job.hpp"
#include "mpi_library.hpp"
#include "run_owner.hpp"

namespace tuner::commands {

namespace {

constexpr double seconds_to_start = 60;
constexpr double seconds_of_calls = 60;

// In the run directory, which all nodes can read
class TriedFile {
  public:
    TriedFile(const std::string& folder, const std::string& text)
        : path_(std::filesystem::absolute(folder) / fmt::format("tried-{}", new_token())) {
        write_file_atomically(path_, text);
    }
    ~TriedFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    TriedFile(const TriedFile&) = delete;
    TriedFile& operator=(const TriedFile&) = delete;

    std::string path() const { return path_.string(); }

  private:
    std::filesystem::path path_;
};

Layout two_ranks(const Cluster& cluster) {
    const bool fit_on_one = std::any_of(cluster.hosts.begin(), cluster.hosts.end(),
                                        [](const Host& host) { return host.slots >= 2; });
    return fit_on_one ? Layout{1, 2} : Layout{2, 1};
}

}  // namespace

void try_file(const SavedRun& run, const std::string& format, const std::string& text) {
    refuse_run_of_others(run.folder());
    const Cluster cluster = run.cluster();
    const TriedFile file(run.folder(), text);
    Network network = cluster.networks.front();
    const std::optional<Environment> environment = environment_of_format(format, file.path());
    if (!environment) {
        throw usage_error(
            fmt::format("--try is for files that libraries without the patches read, not for {}", format));
    }
    network.environment.insert(network.environment.end(), environment->begin(), environment->end());
    const auto not_good = [](const std::string& reason) {
        return failure("a job of two ranks that reads the file does not work, and it was not written: " +
                       reason);
    };
    try {
        Job job(cluster, network, two_ranks(cluster), new_token(), seconds_to_start);
        for (const char* collective : {"barrier", "bcast", "allreduce", "allgather", "alltoall"}) {
            const Answer answer = job.ask({{"collective", collective},
                                           {"bytes", {64, 65536}},
                                           {"algorithms", {"default"}},
                                           {"min_repetitions", 3},
                                           {"max_repetitions", 3}},
                                          seconds_of_calls);
            if (answer.outcome != Outcome::answered) {
                throw not_good(answer.reason);
            }
        }
        job.end();
    } catch (const StartError& error) {
        throw not_good(error.what());
    }
}

}  // namespace tuner::commands
