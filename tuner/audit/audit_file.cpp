// SPDX-License-Identifier: MIT
#include "audit_file.hpp"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>

#include "audit_text.hpp"
#include "files.hpp"

namespace tuner {

namespace {

Json to_json(const AuditResult& result) {
    const AuditCase& of = result.of;
    const models::Guideline guideline = guideline_of(of);
    Json row = {{"network", of.cell.network}};
    add_layout(row, of.cell.layout);
    row.update({{"collective", of.cell.collective},
                {"operation", of.cell.operation},
                {"bytes", of.bytes},
                {"mock_up", of.mock_up},
                {"kind", std::string(models::to_string(guideline.kind))},
                {"left_side", left_side_of(of)},
                {"right_side", std::string(guideline.right_side)},
                {"source", std::string(guideline.source)},
                {"with_rules", of.is_loaded},
                {"rule", of.rule},
                {"call_by_mock_up", result.ratio.ratio},
                {"interval", {result.ratio.interval.low, result.ratio.interval.high}},
                {"p", result.p},
                {"jobs", Json::array()},
                {"violated", result.is_violated},
                {"new", result.is_new},
                {"outpaced", result.is_outpaced},
                {"removed", result.is_removed}});
    for (const models::JobRatio& job : of.jobs) {
        row["jobs"].push_back(std::exp(job.log_ratio));
    }
    return row;
}

std::string text_or_empty(const CheckedJson& json) {
    return json.json() == "" ? "" : json.text();
}

// What a report needs: of the jobs, the ratios without their variances
AuditResult result_from(const CheckedJson& json) {
    const auto bytes = json.at("bytes").integer(0, std::numeric_limits<std::int64_t>::max());
    AuditResult result;
    result.of = {{json.at("network").text(), layout_from(json), json.at("collective").text(),
                  text_or_empty(json.at("operation"))},
                 static_cast<std::size_t>(bytes),
                 json.at("mock_up").text(),
                 json.at("with_rules").boolean(),
                 text_or_empty(json.at("rule"))};
    for (const CheckedJson& ratio : json.at("jobs").list()) {
        result.of.jobs.push_back({std::log(ratio.number()), 0});
    }
    const std::vector<CheckedJson> interval = json.at("interval").list();
    if (interval.size() != 2) {
        json.at("interval").fail("expected [low, high]; measure again: changeover audit");
    }
    result.ratio = {json.at("call_by_mock_up").number(), {interval[0].number(), interval[1].number()}};
    result.p = json.at("p").number();
    result.is_violated = json.at("violated").boolean();
    result.is_new = json.at("new").boolean();
    result.is_outpaced = json.has("outpaced") && json.at("outpaced").boolean();
    result.is_removed = json.at("removed").boolean();
    return result;
}

}  // namespace

Json to_json(const Audit& audit) {
    Json results = Json::array();
    for (const AuditResult& result : audit.results) {
        results.push_back(to_json(result));
    }
    return {{"format", "changeover-audit"},
            {"version", 1},
            {"created", audit.created},
            {"tolerated", tolerated_violation},
            {"error_rate", error_rate_of_audit},
            {"notes", audit.notes},
            {"results", results}};
}

Audit audit_from(const CheckedJson& json) {
    json.at("format").one_of({"changeover-audit"});
    json.at("version").integer(1, 1);
    Audit audit;
    audit.created = json.at("created").text();
    for (const Json& note : json.at("notes").json()) {
        audit.notes.push_back(note.is_string() ? note.get<std::string>() : note.dump());
    }
    if (json.at("results").json() != Json::array()) {
        for (const CheckedJson& row : json.at("results").list()) {
            audit.results.push_back(result_from(row));
        }
    }
    return audit;
}

std::optional<Audit> audit_in(const RunFiles& files) {
    return std::filesystem::exists(files.audit())
               ? std::optional(audit_from(CheckedJson::parse_file(files.audit())))
               : std::nullopt;
}

void write_audit(const RunFiles& files, const Audit& audit) {
    write_file_atomically(files.audit(), to_json(audit).dump(1) + "\n");
}

}  // namespace tuner
