// SPDX-License-Identifier: MIT
#include "report_data.hpp"

#include <algorithm>
#include <cmath>

#include "audit_file.hpp"
#include "error.hpp"
#include "fit_quality.hpp"
#include "proofs.hpp"
#include "report_parts.hpp"
#include "saved_run.hpp"

namespace tuner::report {

namespace {

void add_models(ReportData& data, const RunData& run, const Cells& cells) {
    for (const Network& network : data.cluster.networks) {
        NetworkModel model;
        model.network = network.name;
        const models::Parameters shape = shape_of(run, data.network_parameters, network.name);
        if (std::optional<Prediction> prediction = Prediction::of(cells, network.name, shape)) {
            for (ReportCell& cell : data.cells) {
                if (cell.key.network != network.name) {
                    continue;
                }
                for (const auto& [bytes, times] : cell.measured.times) {
                    for (const Prediction::Predicted& p :
                         prediction->predict(cell.key.collective, cell.key.layout, bytes)) {
                        cell.predicted[p.algorithm][bytes] = p.seconds;
                    }
                }
            }
            model.times = prediction->explained();
            model.fit = prediction->fit();
        } else {
            model.problem = "nothing was measured on " + network.name + " that a model knows";
        }
        model.without_model = without_model(cells, network.name, model.times);
        data.models.push_back(std::move(model));
    }
}

void add_comparisons(ReportData& data, const std::string& against) {
    std::vector<CompareOptions> wanted;
    if (!against.empty()) {
        wanted.push_back({"", data.folder, against});
    } else {
        for (std::size_t i = 1; i < data.cluster.networks.size(); ++i) {
            wanted.push_back({data.folder, data.cluster.networks[0].name, data.cluster.networks[i].name});
        }
    }
    for (const CompareOptions& options : wanted) {
        try {
            Comparisons found = compare(options);
            std::move(found.pairs.begin(), found.pairs.end(), std::back_inserter(data.comparisons));
            std::move(found.only.begin(), found.only.end(), std::back_inserter(data.comparison_problems));
        } catch (const Error& error) {
            data.comparison_problems.emplace_back(error.what());
        }
    }
}

void add_verified_gains(ReportData& data) {
    Gains& gains = data.gains;
    gains.proofs = proofs_that_count(data.config, data.proofs);
    std::sort(gains.proofs.begin(), gains.proofs.end(),
              [](const Proof* a, const Proof* b) { return a->ratio.ratio > b->ratio.ratio; });
    double sum_of_logs = 0;
    for (const Proof* proof : gains.proofs) {
        sum_of_logs += std::log(proof->ratio.ratio);
    }
    if (!gains.proofs.empty()) {
        gains.geometric_mean = std::exp(sum_of_logs / static_cast<double>(gains.proofs.size()));
    }
}

void add_measured_gains(ReportData& data) {
    Gains& gains = data.gains;
    double sum_of_logs = 0;
    for (const ReportCell& cell : data.cells) {
        for (const SizeChoice& size : cell.sizes) {
            gains.sizes += !size.is_verified;
            if (size.by_rule && !size.is_verified && !std::isnan(size.gain)) {
                ++gains.changed_sizes;
                sum_of_logs += std::log(size.gain);
            }
        }
    }
    if (gains.changed_sizes > 0) {
        gains.mean_of_changed = std::exp(sum_of_logs / static_cast<double>(gains.changed_sizes));
    }
}

}  // namespace

std::string collective_label(const CellKey& key) {
    return key.operation.empty() || key.operation == "sum" ? key.collective
                                                           : key.collective + " (" + key.operation + ")";
}

bool is_same_collective(const CellKey& a, const CellKey& b) {
    return a.collective == b.collective && a.operation == b.operation;
}

ReportData gather(const std::string& folder, const std::string& against) {
    const SavedRun saved(folder);
    const RunData& run = saved.data();
    ReportData data;
    data.folder = folder;
    data.manifest = run.manifest;
    data.cluster = saved.cluster();
    data.plan = saved.plan();
    const std::optional<Config> config = config_of(saved.files());
    data.has_config = config.has_value();
    data.config = config.value_or(Config{});
    data.proofs = proofs_of(saved.files());
    data.audit = audit_in(saved.files());
    data.network_parameters = saved.network_parameters();
    data.network_changes = network_changes(run);
    data.flips = arrival_flips(run);
    data.exchanges = exchange_curves(run);
    for (const CaseRecord& record : run.cases) {
        data.benchmark_seconds += record.seconds_spent;
        data.samples += record.samples_seconds.size();
        ++data.cases;
    }
    const Cells cells = cells_of(run, Stage::search);
    add_verified_gains(data);
    add_cells(data, cells);
    add_models(data, run, cells);
    add_measured_gains(data);
    add_comparisons(data, against);
    add_distributions(data, run);
    add_places(data, run);
    add_doubtful(data, run);
    add_state(data);
    add_missing_cells(data, cells);
    add_failed_cases(data, run, cells);
    return data;
}

}  // namespace tuner::report
