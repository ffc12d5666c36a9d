// SPDX-License-Identifier: MIT
#include "case_record.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iterator>
#include <stdexcept>

namespace tuner {

namespace {

// The samples are last in a line and are read without the JSON library: nearly all of a file is samples. The
// text cannot be inside a string, where quotes have a backslash.
constexpr std::string_view samples_key = ",\"samples_us\":[";

std::vector<double> parse_samples(std::string_view text) {
    std::vector<double> seconds;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end) {
        double microseconds = 0;
        const auto [next, problem] = std::from_chars(at, end, microseconds);
        if (problem != std::errc() || (next != end && (*next != ',' || next + 1 == end)) ||
            !std::isfinite(microseconds)) {
            throw std::invalid_argument("a sample is not a number");
        }
        seconds.push_back(1e-6 * microseconds);
        at = next + 1;
    }
    return seconds;
}

// What an answer may have besides the samples of an exchange
constexpr const char* value_names[] = {"half_us",      "megabytes_per_s", "messages_per_s", "overhead_us",
                                       "availability", "blocking_us",     "overlap"};

std::string text_of(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found == json.end() || found->is_null() ? "" : found->get<std::string>();
}

// What an answer and a line of the journal have in common
CaseRecord common_part(const Json& json) {
    CaseRecord record;
    record.collective = json.at("collective").get<std::string>();
    record.algorithm = json.at("algorithm").get<std::string>();
    record.used = text_of(json, "used");
    record.bytes = json.at("bytes").get<std::size_t>();
    record.datatype = json.at("datatype").get<std::string>();
    record.operation = text_of(json, "operation");
    if (const Json& root = json.at("root"); !root.is_null()) {
        record.root = root.is_string() ? root.get<std::string>() : root.dump();
    }
    record.in_place = json.at("in_place").get<bool>();
    record.device = text_of(json, "device");
    record.interface = text_of(json, "interface");
    record.link = text_of(json, "link");
    if (const auto found = json.find("parameters"); found != json.end()) {
        record.parameters = found->get<std::map<std::string, double>>();
    }
    record.exchange = text_of(json, "exchange");
    record.status = json.at("status").get<std::string>();
    record.reason = text_of(json, "reason");
    record.ended = text_of(json, "ended");
    const auto precision = json.find("precision");
    const bool has_precision = precision != json.end() && precision->is_number();  // infinity is null
    record.precision = has_precision ? precision->get<double>() : 0;
    record.invalid = json.at("invalid").get<std::size_t>();
    record.seconds_spent = json.at("seconds").get<double>();
    for (const auto& [key, counter] : {std::pair("tcp_retransmits", &record.tcp_retransmits),
                                       std::pair("tcp_time_outs", &record.tcp_time_outs)}) {
        if (const auto found = json.find(key); found != json.end() && found->is_number()) {
            *counter = found->get<long>();
        }
    }
    if (const auto finishes = json.find("rank_finish_us"); finishes != json.end()) {
        for (const Json& finish : *finishes) {
            record.rank_finish_seconds.push_back(1e-6 * finish.get<double>());
        }
    }
    return record;
}

Json text_or_null(const std::string& text) {
    return text.empty() ? Json() : Json(text);
}

}  // namespace

CaseRecord record_from_answer(const Json& answer, const std::string& network, const Layout& layout) {
    CaseRecord record = common_part(answer);
    record.network = network;
    record.layout = layout;
    for (const char* name : value_names) {
        if (const auto found = answer.find(name); found != answer.end() && found->is_number()) {
            record.values[name] = found->get<double>();
        }
    }
    if (answer.contains("samples_us")) {
        for (const Json& sample : answer.at("samples_us")) {
            record.samples_seconds.push_back(1e-6 * sample.get<double>());
        }
    }
    return record;
}

std::string to_line(const CaseRecord& r, std::size_t group_size) {
    Json head = {{"type", "case"},
                 {"group", r.group},
                 {"of", group_size},
                 {"stage", r.stage},
                 {"network", r.network},
                 {"nodes", r.layout.nodes},
                 {"ppn", r.layout.ppn},
                 {"mapping", to_string(r.layout.mapping)},
                 {"collective", r.collective},
                 {"bytes", r.bytes},
                 {"algorithm", r.algorithm},
                 {"used", text_or_null(r.used)},
                 {"datatype", r.datatype},
                 {"operation", text_or_null(r.operation)},
                 {"root", text_or_null(r.root)},
                 {"in_place", r.in_place},
                 {"device", text_or_null(r.device)},
                 {"interface", text_or_null(r.interface)}};
    if (!r.link.empty() || !r.parameters.empty()) {
        head.update({{"link", text_or_null(r.link)}, {"parameters", r.parameters}});
    }
    if (!r.exchange.empty()) {
        head.update({{"exchange", r.exchange}, {"values", r.values}});
    }
    head.update({{"status", r.status},
                 {"reason", text_or_null(r.reason)},
                 {"ended", text_or_null(r.ended)},
                 {"precision", r.precision},
                 {"invalid", r.invalid},
                 {"seconds", r.seconds_spent}});
    if (r.tcp_retransmits && r.tcp_time_outs) {
        head.update({{"tcp_retransmits", *r.tcp_retransmits}, {"tcp_time_outs", *r.tcp_time_outs}});
    }
    if (!r.rank_finish_seconds.empty()) {
        Json& finishes = head["rank_finish_us"] = Json::array();
        for (const double seconds : r.rank_finish_seconds) {
            finishes.push_back(std::round(1e9 * seconds) / 1e3);
        }
    }
    std::string line = head.dump(-1, ' ', false, Json::error_handler_t::replace);
    line.pop_back();
    line += samples_key;
    for (const double seconds : r.samples_seconds) {
        fmt::format_to(std::back_inserter(line), "{},", std::round(1e9 * seconds) / 1e3);
    }
    if (!r.samples_seconds.empty()) {
        line.pop_back();
    }
    return line + "]}";
}

Json parse_line(std::string_view line, std::vector<double>& samples_seconds) {
    samples_seconds.clear();
    const std::size_t at = line.rfind(samples_key);
    if (at == std::string_view::npos) {
        return Json::parse(line);
    }
    const std::size_t start = at + samples_key.size();
    if (line.size() < start + 2 || !line.ends_with("]}")) {
        throw std::invalid_argument("the samples do not end");
    }
    samples_seconds = parse_samples(line.substr(start, line.size() - 2 - start));
    return Json::parse(std::string(line.substr(0, at)) + "}");
}

CaseRecord record_from_head(const Json& head, std::vector<double> samples_seconds) {
    CaseRecord record = common_part(head);
    record.group = head.at("group").get<std::uint64_t>();
    record.stage = head.at("stage").get<std::string>();
    record.network = head.at("network").get<std::string>();
    record.layout = layout_from(head);
    if (const auto values = head.find("values"); values != head.end()) {
        record.values = values->get<std::map<std::string, double>>();
    }
    record.samples_seconds = std::move(samples_seconds);
    return record;
}

}  // namespace tuner
