// SPDX-License-Identifier: MIT
#include "case_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "checksum.hpp"

namespace tuner {

namespace {

// In the order of the enumerations
constexpr const char* stage_names[] = {"network",  "exchange",   "search", "verify",
                                       "arrivals", "guidelines", "check",  "not loaded",
                                       "loaded",   "knobs",      "audit",  "audit loaded"};
constexpr const char* status_names[] = {"measured", "refused", "wrong result", "wrong algorithm", "crashed"};
constexpr const char* old_name_of_crashed = "poisoned";  // in journals of version 0.1

template <class Enumeration, std::size_t count>
Enumeration value_named(const char* const (&names)[count], const std::string& name) {
    const auto found = std::find(std::begin(names), std::end(names), name);
    if (found == std::end(names)) {
        throw std::invalid_argument("'" + name + "' is not known");
    }
    return static_cast<Enumeration>(found - std::begin(names));
}

// The samples are last in a line and are read without the JSON library: nearly all of a file is samples. The
// text cannot be inside a string, where quotes have a backslash.
constexpr std::string_view samples_key = ",\"samples_us\":[";
constexpr std::string_view checksum_key = ",\"crc\":\"";
constexpr std::size_t checksum_digits = 8;
constexpr std::string_view checksum_end = "\"}";
constexpr std::size_t checksum_size = checksum_key.size() + checksum_digits + checksum_end.size();

// What a journal keeps of less is zero
constexpr double shortest_seconds = 0.5e-9;
constexpr double longest_seconds = 1e9;

// A ratio to a time of zero is no number, and the logarithm of one below is none either
void refuse_impossible_samples(CaseRecord& record) {
    const auto impossible = std::count_if(
        record.samples_seconds.begin(), record.samples_seconds.end(),
        [](double seconds) { return !(seconds >= shortest_seconds && seconds <= longest_seconds); });
    if (impossible == 0 || record.status != Status::measured) {
        return;
    }
    record.status = Status::crashed;
    record.reason = fmt::format(
        "{} of {} samples are not times (zero, negative or too long); check the clocks of the nodes",
        impossible, record.samples_seconds.size());
    record.samples_seconds.clear();
}

std::vector<double> parse_samples_us(std::string_view text) {
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

// An answer says {"pattern": "one-late", "width": 0.5, ...}, a line of the journal "one-late:0.5"
std::string arrival_from(const Json& json) {
    if (json.is_string()) {
        return json.get<std::string>();
    }
    const std::string pattern = json.at("pattern").get<std::string>();
    return json.contains("width") ? fmt::format("{}:{:g}", pattern, json.at("width").get<double>()) : pattern;
}

// How the calls were made, and what was seen beside their times; only if there is something to say
void read_how(const Json& json, CaseRecord& record) {
    if (const auto calls = json.find("calls_in_a_row"); calls != json.end()) {
        record.calls_in_a_row = static_cast<int>(whole_number(*calls));
    }
    record.bits.bits = text_of(json, "bits");
    record.bits.ranks_agree = json.value("ranks_agree", true);
    record.setting = text_of(json, "setting");
    record.communicators = text_of(json, "communicators");
    if (const auto arrival = json.find("arrival"); arrival != json.end()) {
        record.arrival = arrival_from(*arrival);
    }
    if (const auto medians = json.find("by_arrival_us"); medians != json.end()) {
        for (const auto& [pattern, us] : medians->items()) {
            record.by_arrival[pattern] = 1e-6 * us.get<double>();
        }
    }
    if (const auto skew = json.find("start_skew_us"); skew != json.end()) {
        record.start_skew_seconds = 1e-6 * skew->get<double>();
    }
    if (const auto finishes = json.find("rank_finish_us"); finishes != json.end()) {
        for (const Json& finish : *finishes) {
            record.rank_finish_seconds.push_back(1e-6 * finish.get<double>());
        }
    }
}

// What an answer and a line of the journal have in common
CaseRecord common_part(const Json& json) {
    CaseRecord record;
    record.collective = json.at("collective").get<std::string>();
    record.algorithm = json.at("algorithm").get<std::string>();
    record.used = text_of(json, "used");
    record.bytes = whole_number(json.at("bytes"));
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
    record.status = status_from(json.at("status").get<std::string>());
    record.reason = text_of(json, "reason");
    record.ended = text_of(json, "ended");
    const auto precision = json.find("precision");
    const bool has_precision = precision != json.end() && precision->is_number();  // infinity is null
    record.precision = has_precision ? precision->get<double>() : 0;
    record.invalid = whole_number(json.at("invalid"));
    record.seconds_spent = json.at("seconds").get<double>();
    for (const auto& [key, counter] : {std::pair("tcp_retransmits", &record.tcp_retransmits),
                                       std::pair("tcp_time_outs", &record.tcp_time_outs)}) {
        if (const auto found = json.find(key); found != json.end() && found->is_number_integer()) {
            *counter = found->get<long>();
        }
    }
    read_how(json, record);
    return record;
}

// To nanoseconds
double rounded_us(double seconds) {
    return std::round(1e9 * seconds) / 1e3;
}

Json text_or_null(const std::string& text) {
    return text.empty() ? Json() : Json(text);
}

// As read_how reads it
void add_how(Json& head, const CaseRecord& r) {
    if (r.tcp_retransmits && r.tcp_time_outs) {
        head.update({{"tcp_retransmits", *r.tcp_retransmits}, {"tcp_time_outs", *r.tcp_time_outs}});
    }
    if (r.calls_in_a_row != 1) {
        head["calls_in_a_row"] = r.calls_in_a_row;
    }
    if (!r.bits.bits.empty()) {
        head["bits"] = r.bits.bits;
    }
    if (!r.bits.ranks_agree) {
        head["ranks_agree"] = false;
    }
    if (!r.setting.empty()) {
        head["setting"] = r.setting;
    }
    if (!r.communicators.empty()) {
        head["communicators"] = r.communicators;
    }
    if (!r.arrival.empty()) {
        head["arrival"] = r.arrival;
    }
    for (const auto& [pattern, seconds] : r.by_arrival) {
        head["by_arrival_us"][pattern] = rounded_us(seconds);
    }
    if (r.start_skew_seconds > 0) {
        head["start_skew_us"] = rounded_us(r.start_skew_seconds);
    }
    if (!r.rank_finish_seconds.empty()) {
        Json& finishes = head["rank_finish_us"] = Json::array();
        for (const double seconds : r.rank_finish_seconds) {
            finishes.push_back(rounded_us(seconds));
        }
    }
}

}  // namespace

const char* to_string(Stage stage) {
    return stage_names[static_cast<std::size_t>(stage)];
}

Stage stage_from(const std::string& name) {
    return value_named<Stage>(stage_names, name);
}

const char* to_string(Status status) {
    return status_names[static_cast<std::size_t>(status)];
}

Status status_from(const std::string& name) {
    return name == old_name_of_crashed ? Status::crashed : value_named<Status>(status_names, name);
}

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
    refuse_impossible_samples(record);
    return record;
}

std::string to_line(const CaseRecord& r, std::size_t group_size) {
    Json head = {{"type", "case"},
                 {"group", r.group},
                 {"of", group_size},
                 {"stage", to_string(r.stage)},
                 {"network", r.network}};
    add_layout(head, r.layout);
    head.update({{"collective", r.collective},
                 {"bytes", r.bytes},
                 {"algorithm", r.algorithm},
                 {"used", text_or_null(r.used)},
                 {"datatype", r.datatype},
                 {"operation", text_or_null(r.operation)},
                 {"root", text_or_null(r.root)},
                 {"in_place", r.in_place},
                 {"device", text_or_null(r.device)},
                 {"interface", text_or_null(r.interface)}});
    if (!r.link.empty() || !r.parameters.empty()) {
        head.update({{"link", text_or_null(r.link)}, {"parameters", r.parameters}});
    }
    if (!r.exchange.empty()) {
        head.update({{"exchange", r.exchange}, {"values", r.values}});
    }
    head.update({{"status", to_string(r.status)},
                 {"reason", text_or_null(r.reason)},
                 {"ended", text_or_null(r.ended)},
                 {"precision", r.precision},
                 {"invalid", r.invalid},
                 {"seconds", r.seconds_spent}});
    add_how(head, r);
    std::string line = head.dump(-1, ' ', false, Json::error_handler_t::replace);
    line.pop_back();
    line += samples_key;
    for (const double seconds : r.samples_seconds) {
        fmt::format_to(std::back_inserter(line), "{},", rounded_us(seconds));
    }
    if (!r.samples_seconds.empty()) {
        line.pop_back();
    }
    return line + "]}";
}

std::string with_checksum(std::string line) {
    line.pop_back();
    const std::uint32_t checksum = crc32c(line);
    fmt::format_to(std::back_inserter(line), "{}{:08x}{}", checksum_key, checksum, checksum_end);
    return line;
}

bool has_checksum(std::string_view line) {
    return line.size() > checksum_size && line.ends_with(checksum_end) &&
           line.substr(line.size() - checksum_size).starts_with(checksum_key);
}

Json parse_line(std::string_view line, std::vector<double>& samples_seconds) {
    samples_seconds.clear();
    std::string_view body = line.substr(0, line.size() - 1);  // without the end of the object
    if (has_checksum(line)) {
        body = line.substr(0, line.size() - checksum_size);
        const std::string expected = fmt::format("{:08x}", crc32c(body));
        if (line.substr(body.size() + checksum_key.size(), checksum_digits) != expected) {
            throw std::invalid_argument("its checksum does not match");
        }
    } else if (!line.ends_with('}')) {
        throw std::invalid_argument("it does not end as an object");
    }
    const std::size_t at = body.rfind(samples_key);
    if (at != std::string_view::npos) {
        const std::size_t start = at + samples_key.size();
        if (!body.ends_with(']')) {
            throw std::invalid_argument("the samples do not end");
        }
        samples_seconds = parse_samples_us(body.substr(start, body.size() - 1 - start));
    }
    return parse_json(std::string(body.substr(0, at)) + "}");
}

CaseRecord record_from_head(const Json& head, std::vector<double> samples_seconds) {
    CaseRecord record = common_part(head);
    record.group = whole_number(head.at("group"));
    record.stage = stage_from(head.at("stage").get<std::string>());
    record.network = head.at("network").get<std::string>();
    record.layout = layout_from(head);
    if (const auto values = head.find("values"); values != head.end()) {
        record.values = values->get<std::map<std::string, double>>();
    }
    record.samples_seconds = std::move(samples_seconds);
    refuse_impossible_samples(record);
    return record;
}

}  // namespace tuner
