// SPDX-License-Identifier: MIT
#include "saved_run.hpp"

#include <filesystem>
#include <optional>

#include "cluster_file.hpp"
#include "error.hpp"
#include "slurm.hpp"

namespace tuner {

namespace {

constexpr const char* combination_key = "combined_from";
constexpr const char* combined_cases_key = "combined_cases";

// With the layouts that the tuner chose
Cluster cluster_in(const RunData& data, const RunFiles& files) {
    Cluster cluster = cluster_from(CheckedJson(data.manifest.cluster, files.manifest()));
    for (const Json& event : data.events) {
        if (event.at("event") == layout_chosen_event) {
            cluster.layouts.push_back(layout_from(event));
        }
    }
    return cluster;
}

Plan plan_in(const Manifest& manifest, const RunFiles& files) {
    return plan_from(CheckedJson(manifest.plan, files.manifest()));
}

}  // namespace

SavedRun::SavedRun(const std::string& folder) : files_(folder), data_(load_run(folder)) {
    if (is_incomplete_combination(data_)) {
        throw usage_error("the combination of runs in " + folder +
                          " is not complete; run the same changeover combine command again");
    }
    forget_stale(data_);
}

Cluster SavedRun::cluster() const {
    return cluster_in(data_, files_);
}

Plan SavedRun::plan() const {
    return plan_in(data_.manifest, files_);
}

NetworkParameters SavedRun::network_parameters() const {
    return load_network_parameters(folder());
}

Json SavedRun::header() const {
    for (const Json& event : data_.events) {
        if (event.at("event") == "job_header") {
            return event.at("header");
        }
    }
    return Json::object();
}

OpenRun resume_run(const std::string& folder) {
    const RunFiles files(folder);
    RunData data;
    Journal journal = Journal::resume(folder, data);
    if (is_combination(data.manifest)) {
        throw usage_error("the run in " + folder +
                          " is a combination of other runs, in which nothing can be measured; name another "
                          "--run");
    }
    std::error_code ignored;  // rules that a killed process did not verify; they do no harm
    std::filesystem::remove(files.candidates(), ignored);
    std::vector<CaseRecord> stale = forget_stale(data);
    Cluster cluster = cluster_in(data, files);
    std::string note = data.damage.empty()
                           ? ""
                           : "The end of samples.jsonl was damaged (" + data.damage +
                                 "); it is kept in samples.damaged, and what it held is measured again. ";
    if (const std::optional<Allocation> allocation = slurm_allocation(); cluster.is_allocated && allocation) {
        cluster = moved_to(std::move(cluster), *allocation);
        note += "Using " + to_string(*allocation);
    }
    Plan plan = plan_in(data.manifest, files);
    return {files,           std::move(data), std::move(cluster), std::move(plan), std::move(journal),
            std::move(note), std::move(stale)};
}

void mark_as_combination(Manifest& manifest, const std::vector<std::string>& runs, std::size_t cases) {
    manifest.environment[combination_key] = runs;
    manifest.environment[combined_cases_key] = cases;
}

bool is_combination(const Manifest& manifest) {
    return manifest.environment.is_object() && manifest.environment.contains(combination_key);
}

bool is_incomplete_combination(const RunData& data) {
    const Json& environment = data.manifest.environment;
    const auto cases =
        is_combination(data.manifest) ? environment.find(combined_cases_key) : environment.end();
    return cases != environment.end() && cases->is_number_unsigned() &&
           data.cases.size() < cases->get<std::size_t>();
}

}  // namespace tuner
