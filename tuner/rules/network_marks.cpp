// SPDX-License-Identifier: MIT
#include "network_marks.hpp"

#include <algorithm>

#include "rule_names.hpp"

namespace tuner {

namespace {

using List = std::vector<std::string> NetworkMarks::*;
constexpr std::pair<const char*, List> lists[] = {{"subnets", &NetworkMarks::subnets},
                                                  {"interfaces", &NetworkMarks::interfaces}};

void add_texts(const Json& node, const char* key, std::vector<std::string>& to) {
    if (!node.is_object() || !node.contains(key) || !node.at(key).is_array()) {
        return;  // a benchmark of version 0.1
    }
    for (const Json& text : node.at(key)) {
        if (text.is_string() && text != "" && std::find(to.begin(), to.end(), text) == to.end()) {
            to.push_back(text.get<std::string>());
        }
    }
}

void add_header(const Json& header, NetworkMarks& marks) {
    const Json::json_pointer nodes("/network/nodes");
    if (header.value("/network/evidence"_json_pointer, "") != "sockets" || !header.contains(nodes)) {
        return;
    }
    for (const Json& node : header.at(nodes)) {
        for (const auto& [key, list] : lists) {
            add_texts(node, key, marks.*list);
        }
    }
}

void remove_common(NetworkMarksByName& all, List list) {
    std::map<std::string, int> counts;
    for (const auto& [name, marks] : all) {
        for (const std::string& text : marks.*list) {
            ++counts[text];
        }
    }
    for (auto& [name, marks] : all) {
        std::erase_if(marks.*list, [&](const std::string& text) { return counts[text] > 1; });
    }
}

}  // namespace

NetworkMarksByName marks_of(const RunData& run) {
    NetworkMarksByName all;
    std::map<std::string, std::string> network_of_token;
    for (const Json& event : run.events) {
        const auto name = event.at("event").get<std::string>();
        if (name == "job_started") {
            network_of_token[event.at("token")] = event.at("network");
        } else if (name == "job_header" && event.contains("token") && event.at("token").is_string()) {
            add_header(event.at("header"), all[network_of_token[event.at("token")]]);
        }
    }
    for (const auto& [key, list] : lists) {
        remove_common(all, list);
    }
    return all;
}

Json to_json(const NetworkMarks& marks) {
    Json json = Json::object();
    for (const auto& [key, list] : lists) {
        if (!(marks.*list).empty()) {
            json[key] = marks.*list;
        }
    }
    return json;
}

NetworkMarksByName marks_from(const CheckedJson& json) {
    NetworkMarksByName all;
    for (const auto& [name, value] : json.items()) {
        value.only_keys({"subnets", "interfaces"});
        NetworkMarks& marks = all[network_name(CheckedJson(name, "the name of a network"))];
        for (const auto& [key, list] : lists) {
            if (value.has(key)) {
                for (const CheckedJson& text : value.at(key).list()) {
                    (marks.*list).push_back(network_name(text));
                }
            }
        }
    }
    return all;
}

}  // namespace tuner
