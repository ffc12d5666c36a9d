// SPDX-License-Identifier: MIT
#include "readers.hpp"

#include <cstdlib>
#include <fstream>

#include "cells.hpp"
#include "cluster_file.hpp"
#include "decide.hpp"
#include "emit.hpp"
#include "error.hpp"
#include "fake_process.hpp"
#include "job.hpp"
#include "lint.hpp"
#include "measured_cases.hpp"
#include "proofs.hpp"
#include "saved_run.hpp"
#include "small_disk.hpp"

namespace fuzz {

namespace {

using namespace tuner;

void require(bool is_true) {
    if (!is_true) {
        std::abort();
    }
}

// A run directory with one file that is not trusted, beside sound ones
class RunFolder {
  public:
    RunFolder() {
        Cluster cluster = cluster_from(CheckedJson::parse(
            R"({"hosts": ["n[1-2]"], "launcher": {"kind": "hydra-fork"}, "mpi": {"benchmark": "b"},
                "layouts": [{"nodes": 2, "ppn": 1}]})",
            "cluster.json"));
        Manifest manifest;
        manifest.cluster = to_json(cluster);
        manifest.plan = to_json(plan_named("quick"));
        Journal::create(path(), manifest);
    }
    std::string path() const { return folder_.path.string() + "/run"; }
    void write(const char* file, const std::string& text) const {
        std::ofstream(path() + "/" + file, std::ios::binary) << text;
    }

  private:
    TemporaryFolder folder_;
};

// Whatever was read can be written and read once more.
void round_trip(CaseRecord record) {
    std::vector<double> samples;
    const Json head = parse_line(to_line(record, 1), samples);
    require(samples.size() == record.samples_seconds.size());
    require(record_from_head(head, std::move(samples)).bytes == record.bytes);
}

void use(const RunData& run) {
    open_jobs(run);
    measured_cases(run);
    for (const Stage stage : {Stage::search, Stage::verify}) {
        for (const auto& [key, cell] : cells_of(run, stage)) {
            rules_of(key, cell, 0.01);
        }
    }
    for (const CaseRecord& record : run.cases) {
        round_trip(record);
    }
}

// Files are written for a part of the texts only: it takes longer than to read them
bool is_for_file(const std::string& text) {
    return text.size() % 16 == 0;
}

void read_journal(const std::string& text) {
    static const RunFolder folder;
    if (is_for_file(text)) {
        folder.write("samples.jsonl", text);
        const SavedRun run(folder.path());
        run.header();
        use(run.data());
        return;
    }
    RunData run;
    parse_samples(text, "samples.jsonl", run);
    forget_stale(run);
    use(run);
}

void read_manifest(const std::string& text) {
    static const RunFolder folder;
    if (is_for_file(text)) {
        folder.write("manifest.json", text);
        const SavedRun run(folder.path());
        run.cluster();
        run.plan();
        return;
    }
    const Manifest manifest = parse_manifest(text, "manifest.json");
    is_combination(manifest);
    cluster_from(CheckedJson(manifest.cluster, "manifest.json"));
    plan_from(CheckedJson(manifest.plan, "manifest.json"));
}

void use(const Cluster& cluster, const Network& network, const Layout& layout) {
    const auto program = benchmark_program(cluster, network);
    require(!to_shell(launch_command(cluster, network, layout, program)).empty());
    require(!to_shell(reap_command(cluster, network, layout, new_token())).empty());
    probe_commands(cluster, network, layout);
}

void read_cluster_file(const std::string& text) {
    const Cluster cluster = cluster_from(CheckedJson::parse(text, "cluster.json"));
    require(cluster_from(CheckedJson(to_json(cluster), "manifest.json")) == cluster);
    cluster.note();
    use(cluster, cluster.networks.front(), cluster.layouts.front());
    use(cluster, cluster.networks.back(), cluster.layouts.back());
}

void read_plan(const std::string& text) {
    const Plan plan = plan_from(CheckedJson::parse(text, "plan.json"));
    require(plan_from(CheckedJson(to_json(plan), "manifest.json")) == plan);
}

void emit_in(const EmitFormat& format, const Config& config, const std::string& network) {
    const std::vector<Layout> layouts = layouts_of(config, network);
    try {
        format.emit(config, {.network = network,
                             .layout = layouts.empty() ? std::nullopt : std::optional(layouts.back())});
    } catch (const Error&) {
        // as for any configuration that this format has no words for
    }
}

void read_config(const std::string& text) {
    const Config config = config_from(CheckedJson::parse(text, "config.json"));
    const Json json = to_json(config);
    require(to_json(config_from(CheckedJson(json, "config.json"))) == json);
    library_of(config);
    for (const Finding& finding : lint(config)) {
        require(!to_text(finding).empty());
    }
    for (const std::string& network : networks_of(config)) {
        for (const EmitFormat& format : emit_formats()) {
            emit_in(format, config, network);
        }
    }
}

void read_network_parameters(const std::string& text) {
    const NetworkParameters parameters = network_parameters_from(CheckedJson::parse(text, "network.json"));
    const Json json = to_json(parameters);
    require(to_json(network_parameters_from(CheckedJson(json, "network.json"))) == json);
    parameters_table(parameters);
}

void read_verification(const std::string& text) {
    const CheckedJson file = CheckedJson::parse(text, "verification.json");
    const Json json = to_json(proofs_from(file), {}, variances_from(file));
    const CheckedJson again(json, "verification.json");
    require(to_json(proofs_from(again), {}, {}) == to_json(proofs_from(file), {}, {}));
    variances_from(again);
}

// What a benchmark prints: its header, and answers to two requests
void read_answers(const std::string& text) {
    static const Cluster cluster = cluster_from(CheckedJson::parse(
        R"({"hosts": ["n[1-2]"], "launcher": {"kind": "hydra-fork"}, "mpi": {"benchmark": "b"},
            "networks": [{"name": "any"}, {"name": "lo", "interface": "lo"}], "layouts": [{"nodes": 2, "ppn": 2}]})",
        "cluster.json"));
    const Network& network = cluster.networks[text.size() / 2 % 2];
    fake::set_output(text, {static_cast<int>(text.size() % 2), 0});
    Job job(cluster, network, cluster.layouts.front(), new_token(), 1);
    for (int request = 0; request < 2 && job.is_running(); ++request) {
        for (const CaseRecord& record : job.ask({{"collective", "bcast"}}, 1).cases) {
            round_trip(record);
        }
    }
    job.end();
    job.tcp_counters().dump();
}

constexpr Reader all_readers[] = {
    {"journal", true, read_journal},
    {"manifest", false, read_manifest},
    {"cluster", false, read_cluster_file},
    {"plan", false, read_plan},
    {"config", false, read_config},
    {"network", false, read_network_parameters},
    {"verification", false, read_verification},
    {"answers", true, read_answers},
};

}  // namespace

std::span<const Reader> readers() {
    return all_readers;
}

}  // namespace fuzz
