// SPDX-License-Identifier: MIT
// A small run with known answers, for tests of the report: broadcasts of three sizes on two networks, whose
// default changes from binomial to scatter_ring_allgather too late.
#pragma once

#include "cluster_file.hpp"
#include "decide.hpp"
#include "files.hpp"
#include "journal.hpp"
#include "plan.hpp"
#include "proofs.hpp"
#include "small_disk.hpp"
#include "summary.hpp"

class ReportRun {
  public:
    static constexpr std::size_t samples = 20;

    explicit ReportRun(const std::vector<std::string>& networks = {"eth", "<i>"}) {
        using namespace tuner;
        Json network_list = Json::array();
        for (const std::string& name : networks) {
            network_list.push_back({{"name", name}});
        }
        const Json cluster = {{"name", "test"},
                              {"hosts", {{{"name", "a"}, {"slots", 2}}, {{"name", "b"}, {"slots", 2}}}},
                              {"networks", network_list},
                              {"layouts", {{{"nodes", 2}, {"ppn", 2}}}}};
        Plan plan = plan_named("standard");
        plan.collectives = {{"bcast", "", "", 1024, 16384}};
        Manifest manifest;
        manifest.command_line = {"changeover", "tune"};
        manifest.cluster = to_json(cluster_from(CheckedJson(cluster, "test")));
        manifest.plan = to_json(plan);
        manifest.environment = {{"host", "</script>"}};
        Journal journal = Journal::create(folder(), manifest);
        add(journal, networks[0], 1024,
            {{"default", 10e-6}, {"binomial", 10e-6}, {"scatter_ring_allgather", 20e-6}});
        add(journal, networks[0], 4096,
            {{"default", 30e-6}, {"binomial", 30e-6}, {"scatter_ring_allgather", 20e-6}});
        add(journal, networks[0], 16384,
            {{"default", 40e-6}, {"binomial", 90e-6}, {"scatter_ring_allgather", 40e-6}});
    }

    std::string folder() const { return (folder_.path / "run").string(); }

    // What the first network has, on another one, in so many times the time
    void add_network(const std::string& network, double factor, int largest = 16384) const {
        tuner::RunData run;
        tuner::Journal journal = tuner::Journal::resume(folder(), run);
        for (const auto& [bytes, seconds] :
             {std::pair(1024, 10e-6), std::pair(4096, 30e-6), std::pair(16384, 40e-6)}) {
            if (bytes > largest) {
                break;
            }
            add(journal, network, static_cast<std::size_t>(bytes),
                {{"default", factor * seconds}, {"binomial", factor * seconds}});
        }
    }

    // One more case on the first network
    void add_case(std::size_t bytes, const std::string& algorithm, const std::vector<double>& seconds) const {
        tuner::CaseRecord record;
        record.stage = tuner::Stage::search;
        record.network = "eth";
        record.layout = {2, 2};
        record.collective = "bcast";
        record.bytes = bytes;
        record.algorithm = algorithm;
        record.status = tuner::Status::measured;
        record.samples_seconds = seconds;
        tuner::RunData run;
        tuner::Journal::resume(folder(), run).append({&record, 1});
    }

    // One rule: scatter_ring_allgather from 2000 to 10000 bytes
    void decide(bool is_verified) const {
        tuner::Config config;
        tuner::Rule rule;
        rule.network = "eth";
        rule.where = tuner::LayoutRange::exactly({2, 2});
        rule.collective = "bcast";
        rule.from_bytes = 2000;
        rule.to_bytes = 10000;
        rule.algorithm = "scatter_ring_allgather";
        rule.from_interval = {1024, 4096};
        rule.expected_gain = 0.5;
        rule.basis = "measured";
        if (is_verified) {
            rule.verified_gain = 0.4;
            rule.verified_interval = {0.3, 0.5};
            const tuner::CellKey cell = {"eth", {2, 2}, "bcast", ""};
            const std::vector<tuner::Proof> proofs = {
                {cell, 2100, "scatter_ring_allgather", {1.28, {1.2, 1.3}}, 1, 0.001},
                {cell, 9000, "scatter_ring_allgather", {1.62, {1.5, 1.7}}, 1, 0.001},
                {cell, 20000, "scatter_ring_allgather", {0.9, {0.8, 0.95}}, 0.001, 1}};  // no rule holds
                                                                                         // there
            tuner::write_file_atomically(folder() + "/verification.json", tuner::to_json(proofs, {}).dump());
        }
        config.verified = is_verified;
        config.rules = {rule};
        tuner::write_file_atomically(folder() + "/config.json", tuner::to_json(config).dump());
    }

  private:
    static void add(tuner::Journal& journal, const std::string& network, std::size_t bytes,
                    const std::vector<std::pair<std::string, double>>& times) {
        std::vector<tuner::CaseRecord> group;
        for (const auto& [algorithm, seconds] : times) {
            tuner::CaseRecord record;
            record.stage = tuner::Stage::search;
            record.network = network;
            record.layout = {2, 2};
            record.collective = "bcast";
            record.bytes = bytes;
            record.algorithm = algorithm;
            record.used = algorithm != "default" ? algorithm
                          : bytes < 10000        ? "binomial"
                                                 : "scatter_ring_allgather";
            record.status = tuner::Status::measured;
            record.ended = "time";
            record.precision = bytes == 1024 ? 0.1 : 0.001;
            record.samples_seconds.assign(samples, seconds);
            record.seconds_spent = samples * seconds;
            group.push_back(record);
        }
        journal.append(group);
    }

    TemporaryFolder folder_;
};
