// SPDX-License-Identifier: MIT
// Writes a run directory whose times come from the cost model with noise, for tests of the report: decided
// and verified by the tuner's own code. usage: made_up_run lab|big|unverified|layouts FOLDER
// lab: two networks, two processes per node or one; names that would be markup if they were not escaped
// big: 20 collectives' cases, 10 layouts, 24 sizes, 6 algorithms
// unverified: not verified, and one network failed
// layouts: five layouts, and rules for those that were not measured
#include <fmt/core.h>

#include <algorithm>
#include <random>

#include "cluster_file.hpp"
#include "cost.hpp"
#include "decide.hpp"
#include "files.hpp"
#include "journal.hpp"
#include "machine.hpp"
#include "plan.hpp"
#include "proofs.hpp"
#include "summary.hpp"
#include "thresholds.hpp"
#include "verify.hpp"

namespace {

using namespace tuner;

constexpr int repetitions = 40;

struct MadeUpNetwork {
    std::string name;
    models::Parameters parameters;
};

MadeUpNetwork network_of(const std::string& name, double latency, double seconds_per_byte) {
    MadeUpNetwork network{name, {}};
    network.parameters.between.segments[0].latency_seconds = latency;
    network.parameters.between.segments[0].seconds_per_byte = seconds_per_byte;
    network.parameters.between.gap_seconds = latency / 10;
    network.parameters.within.segments[0].latency_seconds = 4e-6;
    network.parameters.within.segments[0].seconds_per_byte = 0.4e-9;
    network.parameters.within.gap_seconds = 1e-6;
    network.parameters.combine_seconds_per_byte = 0.3e-9;
    network.parameters.copy_seconds_per_byte = 0.1e-9;
    return network;
}

struct Kind {
    std::vector<MadeUpNetwork> networks;
    std::vector<Layout> layouts;
    std::vector<PlannedCollective> collectives;
    std::vector<std::size_t> sizes;
    std::size_t algorithms;  // at least so many, made up if the library has fewer
    std::string failed_network;
    bool is_verified;
    std::string host;
    bool has_ranges = false;  // rules for layouts that were not measured
};

std::vector<std::size_t> powers_of_two(std::size_t first, std::size_t count) {
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < count; ++i) {
        sizes.push_back(first << i);
    }
    return sizes;
}

Kind kind_named(const std::string& name) {
    const MadeUpNetwork slow = network_of("fast ethernet <b>\"&'", 60e-6, 80e-9);
    const MadeUpNetwork fast = network_of("gigabit", 25e-6, 8e-9);
    const std::vector<PlannedCollective> four = {
        {"bcast", "", ""}, {"allreduce", "float", "sum"}, {"allgather", "", ""}, {"alltoall", "", ""}};
    const std::vector<std::size_t> sizes = powers_of_two(8, 18);
    if (name == "lab") {
        return {{slow, fast}, {{8, 1}, {8, 2}}, four, sizes, 0, "", true, "<script>alert(1)</script>"};
    }
    if (name == "unverified") {
        return {{fast, network_of("broken", 1, 1)}, {{8, 1}}, four, sizes, 0, "broken", false, "n1"};
    }
    if (name == "layouts") {
        return {{fast}, {{1, 4}, {4, 2}, {8, 1}, {8, 4}, {12, 2}}, four, sizes, 0, "", true, "n1", true};
    }
    std::vector<PlannedCollective> many;
    for (const char* collective :
         {"bcast", "allgather", "alltoall", "gather", "scatter", "allgatherv", "alltoallv"}) {
        many.push_back({collective, "", ""});
    }
    for (const char* operation : {"sum", "user"}) {
        for (const char* collective :
             {"reduce", "allreduce", "reduce_scatter", "reduce_scatter_block", "scan", "exscan"}) {
            many.push_back({collective, "float", operation});
        }
    }
    many.push_back({"allreduce", "float", "ordered"});
    return {{network_of("ethernet", 60e-6, 80e-9)},
            {{2, 1}, {4, 1}, {8, 1}, {16, 1}, {32, 1}, {2, 2}, {4, 2}, {8, 2}, {4, 4}, {8, 4}},
            many,
            powers_of_two(4, 24),
            6,
            "",
            true,
            "n1"};
}

class MadeUpRun {
  public:
    MadeUpRun(const Kind& kind, const std::string& folder) : kind_(kind), folder_(folder) {}

    void write() {
        Json hosts = Json::array();
        for (int i = 0; i < 32; ++i) {
            hosts.push_back({{"name", fmt::format("n{}", i + 1)}, {"slots", 4}});
        }
        Json networks = Json::array();
        for (const MadeUpNetwork& network : kind_.networks) {
            networks.push_back({{"name", network.name}});
        }
        Json layouts = Json::array();
        for (const Layout& layout : kind_.layouts) {
            layouts.push_back({{"nodes", layout.nodes}, {"ppn", layout.ppn}});
        }
        const Json cluster = {{"name", "made up at " + kind_.host},
                              {"hosts", hosts},
                              {"networks", networks},
                              {"layouts", layouts}};
        Plan plan = plan_named("standard");
        plan.collectives = kind_.collectives;
        for (PlannedCollective& collective : plan.collectives) {
            collective.min_bytes = kind_.sizes.front();
            collective.max_bytes = kind_.sizes.back();
        }
        Manifest manifest;
        manifest.command_line = {"changeover", "tune", "--run", folder_};
        manifest.cluster = to_json(cluster_from(CheckedJson(cluster, "made up")));
        manifest.plan = to_json(plan);
        manifest.environment = environment_of_this_machine();
        manifest.environment["host"] = kind_.host;
        Journal journal = Journal::create(folder_, manifest);
        measure(journal);
        measure_messages(journal);
        decide_and_verify(plan, journal);
    }

  private:
    models::CostTable& table_of(const Layout& layout) {
        return tables_.try_emplace(layout, placement_of(layout)).first->second;
    }

    double seconds(const MadeUpNetwork& network, const CellKey& cell, std::size_t bytes,
                   const models::Algorithm& algorithm) {
        models::CostTable& table = table_of(cell.layout);
        return table.seconds(algorithm, models::Call{&table.layout(), bytes}, network.parameters);
    }

    // What can run there, with its time without noise; the default first
    std::vector<std::pair<std::string, double>> times_of(const MadeUpNetwork& network, const CellKey& cell,
                                                         std::size_t bytes) {
        models::CostTable& table = table_of(cell.layout);
        std::vector<std::pair<std::string, double>> times;
        for (const models::Algorithm& algorithm : models::algorithms(models::Implementation::stock_mpich)) {
            if (algorithm.collective == cell.collective &&
                models::is_allowed(algorithm, models::Call{&table.layout(), bytes})) {
                times.emplace_back(algorithm.name, seconds(network, cell, bytes, algorithm));
            }
        }
        for (int i = 1; times.size() + 1 < kind_.algorithms; ++i) {
            const double base =
                times.empty() ? 50e-6 + 80e-9 * static_cast<double>(bytes) : times.front().second;
            times.emplace_back(fmt::format("other_{}", i), (0.95 + 0.1 * i) * base);
        }
        const std::string chosen = default_choice(cell.collective, cell.layout, bytes).value_or("");
        const auto found =
            std::find_if(times.begin(), times.end(), [&](const auto& time) { return time.first == chosen; });
        times.insert(times.begin(),
                     {default_algorithm, (found == times.end() ? times.begin() : found)->second});
        return times;
    }

    // Noise of a few percent; now and then a repetition that is much slower, on large sizes by a time-out
    std::vector<double> samples(double seconds, std::size_t bytes) {
        std::lognormal_distribution<double> noise(0, 0.03);
        std::uniform_real_distribution<double> chance(0, 1);
        std::vector<double> result;
        for (int i = 0; i < repetitions; ++i) {
            double time = seconds * noise(random_);
            if (chance(random_) < 0.01) {
                time *= 1 + 3 * chance(random_);
            }
            if (bytes >= 65536 && chance(random_) < 0.001) {
                time += 0.2 + 0.01 * chance(random_);
            }
            result.push_back(time);
        }
        return result;
    }

    CaseRecord record(Stage stage, const CellKey& cell, std::size_t bytes, const std::string& algorithm,
                      double time) {
        CaseRecord result;
        result.stage = stage;
        result.network = cell.network;
        result.layout = cell.layout;
        result.collective = cell.collective;
        result.operation = cell.operation;
        result.algorithm = algorithm;
        result.bytes = bytes;
        result.datatype = cell.operation.empty() ? "byte" : "float";
        result.status = Status::measured;
        result.samples_seconds = samples(time, bytes);
        if (stage == Stage::verify) {
            for (int rank = 0; rank < cell.layout.ranks(); ++rank) {
                result.rank_finish_seconds.push_back(time * (rank + 1) / cell.layout.ranks());
            }
        }
        result.ended = "time";
        result.precision = bytes == kind_.sizes.back() ? 0.05 : 0.01;
        result.seconds_spent = repetitions * time;
        result.used = algorithm == default_algorithm
                          ? default_choice(cell.collective, cell.layout, bytes).value_or("")
                          : algorithm;
        return result;
    }

    // Latency and bandwidth of each network, and an availability that ends at the eager limit
    void measure_messages(Journal& journal) {
        for (const MadeUpNetwork& network : kind_.networks) {
            if (network.name == kind_.failed_network) {
                continue;
            }
            const models::ProtocolSegment& link = network.parameters.between.segments[0];
            std::vector<CaseRecord> group;
            for (std::size_t bytes = 1; bytes <= 1 << 20; bytes *= 4) {
                const double seconds =
                    link.latency_seconds + link.seconds_per_byte * static_cast<double>(bytes);
                const auto add = [&](const char* name, const char* label, const char* way, double time,
                                     std::map<std::string, double> values) {
                    CaseRecord result = record(
                        Stage::exchange, {network.name, kind_.layouts.back(), name, ""}, bytes, way, time);
                    result.exchange = label;
                    result.values = std::move(values);
                    group.push_back(result);
                };
                add("ping_pong", "ping_pong between", "send", 2 * seconds, {{"half_us", 1e6 * seconds}});
                add("bandwidth", "bandwidth between", "one_direction", seconds,
                    {{"megabytes_per_s", 1e-6 * static_cast<double>(bytes) / seconds},
                     {"messages_per_s", 1 / seconds}});
                add("availability", "availability between", "irecv", seconds,
                    {{"availability", bytes < 65536 ? 0.95 : 0.05}});
            }
            journal.append(group);
        }
    }

    const MadeUpNetwork& network_of(const std::string& name) const {
        return *std::find_if(kind_.networks.begin(), kind_.networks.end(),
                             [&](const MadeUpNetwork& network) { return network.name == name; });
    }

    void measure(Journal& journal) {
        for (const MadeUpNetwork& network : kind_.networks) {
            for (const Layout& layout : kind_.layouts) {
                const std::string token = network.name + to_string(layout);
                journal.job_started({token, network.name, layout});
                if (network.name == kind_.failed_network) {
                    journal.job_ended(token, "not started");
                    continue;
                }
                journal.append_event("job_header", {{"token", token},
                                                    {"header",
                                                     {{"library", "MPICH 4.0.2, made up"},
                                                      {"device", "ch3:sock"},
                                                      {"clock", "CLOCK_MONOTONIC_RAW"},
                                                      {"sync_error_us", 0.4},
                                                      {"start", "window"}}}});
                for (const PlannedCollective& collective : kind_.collectives) {
                    const CellKey cell{network.name, layout, collective.name, collective.operation};
                    for (const std::size_t bytes : kind_.sizes) {
                        std::vector<CaseRecord> group;
                        for (const auto& [algorithm, time] : times_of(network, cell, bytes)) {
                            group.push_back(record(Stage::search, cell, bytes, algorithm, time));
                        }
                        journal.append(group);
                    }
                }
                CaseRecord failed = record(Stage::search, {network.name, layout, "bcast", ""},
                                           kind_.sizes.front(), "linear", 1);
                failed.status = Status::crashed;
                failed.reason = "</script><!-- ended the job: <img src=x onerror=alert(2)>";
                failed.samples_seconds.clear();
                journal.append({&failed, 1});
                journal.job_ended(token, "ended");
            }
        }
    }

    void decide_and_verify(const Plan& plan, Journal& journal) {
        const RunData run = load_run(folder_);
        const Cells cells = cells_of(run, Stage::search);
        const Extent extent = extent_of(cluster_from(CheckedJson(run.manifest.cluster, "made up")));
        Config config =
            decide(cells, plan.loss_bound, shapes_of(cells, run, load_network_parameters(folder_)),
                   kind_.has_ranges ? std::optional(extent) : std::nullopt);
        config.created = now_utc();
        config.run = folder_;
        config.library = "MPICH 4.0.2, made up";
        if (kind_.is_verified) {
            const auto measure_pair = [&](const PairRequest& request) {
                std::vector<CaseRecord> group;
                for (const auto& [algorithm, time] :
                     times_of(network_of(request.cell.network), request.cell, request.bytes)) {
                    if (std::find(request.algorithms.begin(), request.algorithms.end(), algorithm) !=
                        request.algorithms.end()) {
                        group.push_back(record(Stage::verify, request.cell, request.bytes, algorithm, time));
                    }
                }
                journal.append(group);
                return group;
            };
            const Verification verification = verify(config, cells, plan, measure_pair, {extent});
            config.rules = verification.rules;
            config.notes = verification.notes;
            config.verified = true;
            write_file_atomically(folder_ + "/verification.json",
                                  to_json(verification.proofs, verification.notes).dump(1) + "\n");
        }
        write_file_atomically(folder_ + "/config.json", to_json(config).dump(1) + "\n");
    }

    Kind kind_;
    std::string folder_;
    std::map<Layout, models::CostTable> tables_;
    std::mt19937_64 random_{1};
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        fmt::print(stderr, "usage: made_up_run lab|big|unverified|layouts FOLDER\n");
        return 2;
    }
    MadeUpRun(kind_named(argv[1]), argv[2]).write();
    return 0;
}
