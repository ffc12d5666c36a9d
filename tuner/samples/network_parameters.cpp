// SPDX-License-Identifier: MIT
#include "network_parameters.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "files.hpp"
#include "units.hpp"

namespace tuner {

namespace {

constexpr const char* file_name = "network.json";
constexpr const char* format_name = "changeover-network";
constexpr int network_format_version = 1;

constexpr struct {
    const char* key;
    const char* heading;
    const char* name;  // of the fitted parameter
    models::FittedParameter models::LogGpSegment::*member;
    double scale;  // for people: microseconds, or nanoseconds for a byte
} columns[] = {
    {"latency_seconds", "L us", "L", &models::LogGpSegment::latency_seconds, 1e6},
    {"send_overhead_seconds", "o_s us", "o_s", &models::LogGpSegment::send_overhead_seconds, 1e6},
    {"receive_overhead_seconds", "o_r us", "o_r", &models::LogGpSegment::receive_overhead_seconds, 1e6},
    {"gap_seconds", "g us", "g", &models::LogGpSegment::gap_seconds, 1e6},
    {"gap_seconds_per_byte", "G ns/byte", "G", &models::LogGpSegment::gap_seconds_per_byte, 1e9},
};

constexpr models::Determined all_determined[] = {models::Determined::estimated, models::Determined::at_zero,
                                                 models::Determined::unknown};

// Infinity is null in JSON
Json ends_of(const models::Interval& interval) {
    return Json::array({number_or_null(interval.low), number_or_null(interval.high)});
}

models::Interval interval_from(const CheckedJson& json) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::vector<CheckedJson> ends = json.list();
    if (ends.size() != 2) {
        json.fail("expected an interval of two numbers; measure again");
    }
    return {ends[0].json().is_null() ? -infinity : ends[0].number(),
            ends[1].json().is_null() ? infinity : ends[1].number()};
}

models::FittedParameter parameter_from(const CheckedJson& json, const char* name) {
    std::vector<std::string> words;
    for (const models::Determined determined : all_determined) {
        words.emplace_back(models::to_string(determined));
    }
    const std::string word = json.at("determined").one_of(words);
    const auto position = std::find(words.begin(), words.end(), word) - words.begin();
    return {name, json.at("value").number(), interval_from(json.at("interval")), all_determined[position]};
}

Json to_json(const models::LogGpSegment& segment) {
    Json json = {
        {"from_bytes", segment.from_bytes}, {"to_bytes", segment.to_bytes}, {"noise", segment.noise}};
    for (const auto& column : columns) {
        const models::FittedParameter& parameter = segment.*column.member;
        json[column.key] = {{"value", parameter.value},
                            {"interval", ends_of(parameter.interval)},
                            {"determined", models::to_string(parameter.determined)}};
    }
    return json;
}

models::LogGpSegment segment_from(const CheckedJson& json) {
    models::LogGpSegment segment{};
    segment.from_bytes = json.at("from_bytes").number();
    segment.to_bytes = json.at("to_bytes").number();
    segment.noise = json.at("noise").number();
    for (const auto& column : columns) {
        segment.*column.member = parameter_from(json.at(column.key), column.name);
    }
    return segment;
}

Json to_json(const LinkParameters& link) {
    Json segments = Json::array();
    for (const models::LogGpSegment& segment : link.log_gp) {
        segments.push_back(to_json(segment));
    }
    Json times = Json::array();
    for (const OneWayTime& time : link.one_way) {
        times.push_back(
            {{"bytes", time.bytes}, {"seconds", time.seconds}, {"interval", ends_of(time.interval)}});
    }
    Json json = {{"network", link.network}, {"link", to_string(link.link)}};
    add_layout(json, link.layout);
    json["log_gp"] = segments;
    json["one_way"] = times;
    return json;
}

LinkParameters link_from(const CheckedJson& json) {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    LinkParameters link;
    link.network = json.at("network").text();
    link.link =
        json.at("link").one_of({"within", "between"}) == "within" ? Link::within_node : Link::between_nodes;
    link.layout = layout_from(json);
    for (const CheckedJson& segment : json.at("log_gp").list()) {
        link.log_gp.push_back(segment_from(segment));
    }
    for (const CheckedJson& time : json.at("one_way").list()) {
        link.one_way.push_back({static_cast<std::size_t>(time.at("bytes").integer(0, most)),
                                time.at("seconds").number(), interval_from(time.at("interval"))});
    }
    return link;
}

std::string cell_text(const models::FittedParameter& parameter, double scale) {
    if (parameter.determined == models::Determined::unknown) {
        return "unknown";
    }
    return fmt::format("{:.3g} ({:.3g}-{:.3g})", scale * parameter.value,
                       scale * std::max(0.0, parameter.interval.low), scale * parameter.interval.high);
}

}  // namespace

const char* to_string(Link link) {
    return link == Link::within_node ? "within" : "between";
}

const LinkParameters* find_link(const NetworkParameters& parameters, const std::string& network, Link link) {
    const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const LinkParameters& row) {
        return row.network == network && row.link == link;
    });
    return found == parameters.end() ? nullptr : &*found;
}

Json to_json(const NetworkParameters& parameters) {
    Json links = Json::array();
    for (const LinkParameters& link : parameters) {
        links.push_back(to_json(link));
    }
    return {{"format", format_name}, {"version", network_format_version}, {"links", links}};
}

NetworkParameters network_parameters_from(const CheckedJson& json) {
    json.at("format").one_of({format_name});
    if (json.at("version").integer(0, 1 << 20) != network_format_version) {
        json.at("version").fail(
            "this program reads another version; use the version of changeover that wrote it");
    }
    NetworkParameters parameters;
    if (!json.at("links").json().empty()) {
        for (const CheckedJson& link : json.at("links").list()) {
            parameters.push_back(link_from(link));
        }
    }
    return parameters;
}

void save_network_parameters(const std::filesystem::path& folder, const NetworkParameters& parameters) {
    write_file_atomically(folder / file_name, to_json(parameters).dump(1) + "\n");
}

NetworkParameters load_network_parameters(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / file_name;
    if (!std::filesystem::exists(file)) {
        return {};
    }
    return network_parameters_from(CheckedJson::parse(read_regular_file(file), file.string()));
}

std::string parameters_table(const NetworkParameters& parameters) {
    if (parameters.empty()) {
        return "";
    }
    std::string text = fmt::format("{:<12} {:<8} {:>9} {:>9}", "network", "link", "from", "to");
    for (const auto& column : columns) {
        text += fmt::format(" {:>22}", column.heading);
    }
    text += "\n";
    for (const LinkParameters& link : parameters) {
        for (const models::LogGpSegment& segment : link.log_gp) {
            text += fmt::format("{:<12} {:<8} {:>9} {:>9}", link.network, to_string(link.link),
                                bytes_text(static_cast<std::size_t>(segment.from_bytes)),
                                bytes_text(static_cast<std::size_t>(segment.to_bytes)));
            for (const auto& column : columns) {
                text += fmt::format(" {:>22}", cell_text(segment.*column.member, column.scale));
            }
            text += "\n";
        }
    }
    return text;
}

}  // namespace tuner
