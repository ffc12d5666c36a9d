// SPDX-License-Identifier: MIT
#include "proofs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>

#include "decide.hpp"
#include "files.hpp"

namespace tuner {

namespace {

models::Ratio ratio_from(const CheckedJson& json) {
    const std::vector<CheckedJson> interval = json.at("interval").list();
    if (interval.size() != 2) {
        json.at("interval").fail("expected [low, high]; verify again: changeover verify");
    }
    return {json.at("default_by_tuned").number(), {interval[0].number(), interval[1].number()}};
}

void add_ratio(Json& json, const models::Ratio& ratio) {
    json["default_by_tuned"] = ratio.ratio;
    json["interval"] = {ratio.interval.low, ratio.interval.high};
}

Json to_json(const models::JobVariance& variance) {
    return {{"deviation", std::sqrt(variance.variance)}, {"degrees_of_freedom", variance.degrees_of_freedom}};
}

double positive(const CheckedJson& json) {
    const double number = json.number();
    if (!(number > 0) || !std::isfinite(number)) {
        json.fail(fmt::format("expected a number above 0, got {}; verify again: changeover verify", number));
    }
    return number;
}

models::JobVariance variance_from(const CheckedJson& json) {
    const double deviation = positive(json.at("deviation"));
    return {deviation * deviation, positive(json.at("degrees_of_freedom"))};
}

Proof proof_from(const CheckedJson& json) {
    const CheckedJson operation = json.at("operation");
    Proof proof;
    proof.cell = {json.at("network").text(), layout_from(json), json.at("collective").text(),
                  operation.json() == "" ? "" : operation.text()};
    proof.bytes =
        static_cast<std::size_t>(json.at("bytes").integer(0, std::numeric_limits<std::int64_t>::max()));
    proof.algorithm = json.at("algorithm").text();
    proof.ratio = ratio_from(json);
    proof.p_slower = json.at("p_slower").number();
    proof.p_faster = json.at("p_faster").number();
    if (json.has("jobs")) {  // not by version 0.1
        for (const CheckedJson& ratio : json.at("jobs").list()) {
            proof.job_ratios.push_back(ratio.number());
        }
    }
    if (json.has("calls_in_a_row")) {
        proof.in_a_row = ratio_from(json.at("calls_in_a_row"));
    }
    if (json.has("arrivals")) {
        for (const auto& [pattern, ratio] : json.at("arrivals").items()) {
            proof.arrivals[pattern] = ratio_from(ratio);
        }
    }
    proof.is_same = json.has("same_algorithm") && json.at("same_algorithm").boolean();
    return proof;
}

}  // namespace

Json to_json(const std::vector<Proof>& proofs, const std::vector<std::string>& notes,
             const JobVariances& variances) {
    Json list = Json::array();
    for (const Proof& proof : proofs) {
        Json row = {{"network", proof.cell.network}};
        add_layout(row, proof.cell.layout);
        row.update({{"collective", proof.cell.collective},
                    {"operation", proof.cell.operation},
                    {"bytes", proof.bytes},
                    {"algorithm", proof.algorithm}});
        add_ratio(row, proof.ratio);
        row.update({{"p_slower", proof.p_slower}, {"p_faster", proof.p_faster}});
        if (!proof.job_ratios.empty()) {
            row["jobs"] = proof.job_ratios;
        }
        if (proof.in_a_row) {
            add_ratio(row["calls_in_a_row"], *proof.in_a_row);
        }
        for (const auto& [pattern, ratio] : proof.arrivals) {
            add_ratio(row["arrivals"][pattern], ratio);
        }
        if (proof.is_same) {
            row["same_algorithm"] = true;
        }
        list.push_back(std::move(row));
    }
    return {
        {"format", "changeover-verification"},
        {"version", 1},
        {"between_jobs", {{"sizes", to_json(variances.of_sizes)}, {"rules", to_json(variances.of_rules)}}},
        {"proofs", list},
        {"notes", notes}};
}

JobVariances variances_from(const CheckedJson& json) {
    if (!json.has("between_jobs")) {
        return {};  // by version 0.1
    }
    const CheckedJson between = json.at("between_jobs");
    return {variance_from(between.at("sizes")), variance_from(between.at("rules"))};
}

JobVariances variances_in(const RunFiles& files) {
    return std::filesystem::exists(files.verification())
               ? variances_from(CheckedJson::parse_file(files.verification()))
               : JobVariances{};
}

std::vector<Proof> proofs_from(const CheckedJson& json) {
    std::vector<Proof> proofs;
    if (json.at("proofs").json() == Json::array()) {
        return proofs;
    }
    for (const CheckedJson& row : json.at("proofs").list()) {
        proofs.push_back(proof_from(row));
    }
    return proofs;
}

std::vector<Proof> proofs_in(const RunFiles& files) {
    return std::filesystem::exists(files.verification())
               ? proofs_from(CheckedJson::parse_file(files.verification()))
               : std::vector<Proof>{};
}

std::vector<Proof> proofs_of(const RunFiles& files) {
    const std::optional<Config> config = config_of(files);
    const bool is_verified = config && has_verified_rules(*config) && has_its_proofs(files, *config);
    return is_verified ? proofs_in(files) : std::vector<Proof>{};
}

bool has_verified_rules(const Config& config) {
    return config.verified && config.checksum == checksum_of(config.rules);
}

bool has_its_proofs(const RunFiles& files, const Config& config) {
    return config.verification_checksum.empty() ||
           (std::filesystem::exists(files.verification()) &&
            config.verification_checksum == checksum_of_text(read_regular_file(files.verification())));
}

std::vector<const Proof*> proofs_that_count(const Config& config, const std::vector<Proof>& proofs) {
    std::vector<const Proof*> found;
    for (const Proof& proof : proofs) {
        const Rule* rule =
            find_rule(config, proof.cell.network, proof.cell.layout, proof.cell.collective, proof.bytes);
        if (rule != nullptr && rule->algorithm == proof.algorithm &&
            cell_at(*rule, proof.cell.layout) == proof.cell && !proof.is_same) {
            found.push_back(&proof);
        }
    }
    return found;
}

}  // namespace tuner
