// SPDX-License-Identifier: MIT
#include "proofs.hpp"

#include <filesystem>

#include "decide.hpp"

namespace tuner {

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
    for (const Json& p : json.at("proofs").json()) {
        Proof proof;
        proof.cell = {p.at("network"), layout_from(p), p.at("collective"), p.at("operation")};
        proof.bytes = p.at("bytes");
        proof.algorithm = p.at("algorithm");
        proof.ratio = {p.at("default_by_tuned"), {p.at("interval").at(0), p.at("interval").at(1)}};
        proof.p_slower = p.at("p_slower");
        proof.p_faster = p.at("p_faster");
        proofs.push_back(proof);
    }
    return proofs;
}

std::vector<Proof> proofs_of(const RunFiles& files) {
    return std::filesystem::exists(files.verification())
               ? proofs_from(CheckedJson::parse_file(files.verification()))
               : std::vector<Proof>{};
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
