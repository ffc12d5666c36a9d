// SPDX-License-Identifier: MIT
#include "proofs.hpp"

#include <cstdint>
#include <filesystem>
#include <limits>

#include "decide.hpp"
#include "files.hpp"

namespace tuner {

namespace {

Proof proof_from(const CheckedJson& json) {
    const CheckedJson operation = json.at("operation");
    const std::vector<CheckedJson> interval = json.at("interval").list();
    if (interval.size() != 2) {
        json.at("interval").fail("expected [low, high]; verify again: changeover verify");
    }
    Proof proof;
    proof.cell = {json.at("network").text(), layout_from(json), json.at("collective").text(),
                  operation.json() == "" ? "" : operation.text()};
    proof.bytes =
        static_cast<std::size_t>(json.at("bytes").integer(0, std::numeric_limits<std::int64_t>::max()));
    proof.algorithm = json.at("algorithm").text();
    proof.ratio = {json.at("default_by_tuned").number(), {interval[0].number(), interval[1].number()}};
    proof.p_slower = json.at("p_slower").number();
    proof.p_faster = json.at("p_faster").number();
    return proof;
}

}  // namespace

Json to_json(const std::vector<Proof>& proofs, const std::vector<std::string>& notes) {
    Json list = Json::array();
    for (const Proof& proof : proofs) {
        Json row = {{"network", proof.cell.network}};
        add_layout(row, proof.cell.layout);
        row.update({{"collective", proof.cell.collective},
                    {"operation", proof.cell.operation},
                    {"bytes", proof.bytes},
                    {"algorithm", proof.algorithm},
                    {"default_by_tuned", proof.ratio.ratio},
                    {"interval", {proof.ratio.interval.low, proof.ratio.interval.high}},
                    {"p_slower", proof.p_slower},
                    {"p_faster", proof.p_faster}});
        list.push_back(std::move(row));
    }
    return {{"format", "changeover-verification"}, {"version", 1}, {"proofs", list}, {"notes", notes}};
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
        if (rule != nullptr && rule->algorithm == proof.algorithm && cell_of(*rule) == proof.cell) {
            found.push_back(&proof);
        }
    }
    return found;
}

}  // namespace tuner
