// SPDX-License-Identifier: MIT
#include "our_search.hpp"

#include <algorithm>

#include "decide.hpp"
#include "expected_loss.hpp"

namespace evaluation {

OurSearch::OurSearch(const Setting& setting, calibration::SimulatedCluster& cluster, tuner::Plan plan,
                     Proof proof, tuner::Prior prior)
    : setting_(setting), cluster_(cluster), plan_(std::move(plan)), proof_(proof), prior_(std::move(prior)) {}

// As Campaign: first the grids of all layouts, then what is between their sizes
bool OurSearch::step() {
    for (; pass_ < 2; ++pass_, unit_ = 0) {
        for (; unit_ < setting_.cells.size(); ++unit_) {
            const tuner::CellKey& key = setting_.cells[unit_];
            const tuner::PlannedCollective& collective =
                planned_collective(plan_, key.collective, key.operation);
            tuner::Cell& cell = cells_[key];
            const tuner::Cell* prior = prior_.like(key);
            const auto question = pass_ == 0 ? next_of_grid(plan_, collective, cell, prior)
                                             : next_request(plan_, collective, cell, prior);
            if (question) {
                launches_ += !last_layout_ || *last_layout_ != std::pair(key.network, key.layout);
                last_layout_ = std::pair(key.network, key.layout);
                ask(key, *question);
                return true;
            }
        }
    }
    if (proof_ == Proof::none || verified_) {
        return false;
    }
    std::set<std::tuple<tuner::CellKey, std::string, int>> jobs;
    const tuner::MeasurePairs pairs =
        calibration::pairs_of(cluster_, plan_, calibration::Purpose::verification, cells_);
    const auto measure = [&](const tuner::PairRequest& request) {
        jobs.insert({request.cell, request.algorithms.back(), request.job});
        return pairs(request);
    };
    verified_ = verify(calibration::decided(cells_, plan_), cells_, plan_, measure).rules;
    launches_ += static_cast<int>(jobs.size());
    return true;
}

void OurSearch::ask(const tuner::CellKey& key, const tuner::Question& question) {
    ++group_;
    tuner::RunData& run = runs_[key];
    for (tuner::CaseRecord& record : cluster_.search_group(key, question, plan_)) {
        record.group = group_;
        run.cases.push_back(std::move(record));
    }
    cells_[key] = cell_of(run, tuner::Stage::search, key);
}

std::vector<tuner::Rule> OurSearch::current() const {
    return verified_ ? *verified_ : calibration::decided(cells_, plan_).rules;
}

double OurSearch::expected_loss() const {
    double sum = 0;
    for (const auto& [key, cell] : cells_) {
        sum += expected_loss_of(cell, plan_.loss_bound);
    }
    return sum / static_cast<double>(std::max<std::size_t>(1, cells_.size()));
}

Choice OurSearch::choice() const {
    return [rules = current()](const tuner::CellKey& cell, std::size_t bytes) {
        for (const tuner::Rule& rule : rules) {
            if (tuner::cell_of(rule) == cell && rule.from_bytes <= bytes && bytes <= rule.to_bytes) {
                return rule.algorithm;
            }
        }
        return tuner::default_algorithm;
    };
}

}  // namespace evaluation
