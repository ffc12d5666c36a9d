// SPDX-License-Identifier: MIT
#include "summary.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "decide.hpp"
#include "emit.hpp"
#include "mpi_library.hpp"
#include "units.hpp"

namespace tuner {

namespace {

std::string percent(double ratio) {
    return fmt::format("{:+.0f}%", 100 * (ratio - 1));
}

std::string line_of(const Proof& proof) {
    return fmt::format("{} {} {} {}: {} ({} to {})", proof.cell.collective, bytes_text(proof.bytes),
                       to_string(proof.cell.layout), proof.algorithm, percent(proof.ratio.ratio),
                       percent(proof.ratio.interval.low), percent(proof.ratio.interval.high));
}

std::string rules_table(const Config& config) {
    std::string text = fmt::format("{:<12} {:<10} {:<20} {:>9} {:>9}  {:<38} {:>20}\n", "network", "layout",
                                   "collective", "from", "to", "algorithm", "gain (95% interval)");
    for (const Rule& rule : config.rules) {
        text += fmt::format(
            "{:<12} {:<10} {:<20} {:>9} {:>9}  {:<38} {:>20}\n", rule.network, to_string(rule.layout),
            rule.collective, bytes_text(rule.from_bytes),
            rule.to_bytes == no_end ? "any" : bytes_text(rule.to_bytes), rule.algorithm,
            fmt::format("{} ({} to {})", percent(1 + rule.verified_gain),
                        percent(1 + rule.verified_interval.low), percent(1 + rule.verified_interval.high)));
    }
    return text;
}

// The patched MPICH needs nothing but one of these
std::string use_of_tuning_file(const Config& config, const std::string& folder) {
    std::string lines;
    for (const std::string& network : networks_of(config)) {
        lines += fmt::format("  export MPIR_CVAR_COLL_TUNING_FILE={} MPIR_CVAR_COLL_TUNING_NETWORK={}\n",
                             std::filesystem::absolute(folder + "/tuning.json").string(), network);
    }
    return lines;
}

}  // namespace

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

Json to_json(const std::vector<Proof>& proofs, const std::vector<std::string>& notes) {
    Json list = Json::array();
    for (const Proof& proof : proofs) {
        list.push_back({{"network", proof.cell.network},
                        {"nodes", proof.cell.layout.nodes},
                        {"ppn", proof.cell.layout.ppn},
                        {"mapping", to_string(proof.cell.layout.mapping)},
                        {"collective", proof.cell.collective},
                        {"operation", proof.cell.operation},
                        {"bytes", proof.bytes},
                        {"algorithm", proof.algorithm},
                        {"default_by_tuned", proof.ratio.ratio},
                        {"interval", {proof.ratio.interval.low, proof.ratio.interval.high}},
                        {"p_slower", proof.p_slower},
                        {"p_faster", proof.p_faster}});
    }
    return {{"format", "changeover-verification"}, {"version", 1}, {"proofs", list}, {"notes", notes}};
}

std::vector<Proof> proofs_from(const CheckedJson& json) {
    std::vector<Proof> proofs;
    for (const Json& p : json.at("proofs").json()) {
        Proof proof;
        proof.cell = {p.at("network"),
                      layout_from(p),
                      p.at("collective"),
                      p.at("operation")};
        proof.bytes = p.at("bytes");
        proof.algorithm = p.at("algorithm");
        proof.ratio = {p.at("default_by_tuned"), {p.at("interval").at(0), p.at("interval").at(1)}};
        proof.p_slower = p.at("p_slower");
        proof.p_faster = p.at("p_faster");
        proofs.push_back(proof);
    }
    return proofs;
}

std::string summary_text(const Config& config, const std::vector<Proof>& proofs, const Costs& costs,
                         const std::string& folder) {
    std::string text;
    std::vector<const Proof*> counting = proofs_that_count(config, proofs);
    if (config.rules.empty()) {
        text += "Nothing to change: no algorithm beats the library's default beyond noise on this machine.\n";
    } else {
        text += fmt::format("{} rule{} hold{}; the library decides the rest.\n\n", config.rules.size(),
                            config.rules.size() == 1 ? "" : "s", config.rules.size() == 1 ? "s" : "");
        text += rules_table(config);
    }
    if (!counting.empty()) {
        std::sort(counting.begin(), counting.end(),
                  [](const Proof* x, const Proof* y) { return x->ratio.ratio > y->ratio.ratio; });
        double sum_of_logs = 0;
        for (const Proof* proof : counting) {
            sum_of_logs += std::log(proof->ratio.ratio);
        }
        text += fmt::format(
            "\nVerified at {} sizes that were not used for deciding, default and tuned in pairs:\n",
            counting.size());
        text += fmt::format("  geometric mean  {}\n",
                            percent(std::exp(sum_of_logs / static_cast<double>(counting.size()))));
        text += "  best            " + line_of(*counting.front()) + "\n";
        text += "  least           " + line_of(*counting.back()) + "\n";
    }
    for (const std::string& note : config.notes) {
        text += "  note            " + note + "\n";
    }
    text += fmt::format("\nMeasured {} cases in {} of calls.\n", costs.cases,
                        seconds_text(costs.benchmark_seconds));
    if (!config.rules.empty()) {
        const MpiLibrary& library = library_of(config);
        const std::string thresholds =
            library.has_thresholds
                ? fmt::format(
                      "  changeover emit --run {} --format env          thresholds to put into a "
                      "job's environment\n",
                      folder)
                : "";
        text += fmt::format(
            "Next:\n{8}{5}"
            "  changeover emit --run {0} --format {6:<11}  a file with rules for {7}\n"
            "  changeover verify --run {0} --loaded           does the library do what such a file says?\n"
            "  changeover explain {0}/config.json {1} --nodes {2} --ppn {3} --bytes {4}\n",
            folder, config.rules.front().collective, config.rules.front().layout.nodes,
            config.rules.front().layout.ppn, bytes_text(config.rules.front().to_bytes), thresholds,
            library.rules_format, library.rules_title,
            reads_tuning_files(config.library) ? use_of_tuning_file(config, folder) : "");
    }
    return text;
}

}  // namespace tuner
