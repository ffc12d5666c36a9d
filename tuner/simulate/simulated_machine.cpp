// SPDX-License-Identifier: MIT
#include "simulated_machine.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <vector>

#include "checked_json.hpp"
#include "error.hpp"

namespace tuner {

namespace {

constexpr const char* start_name = "start";
constexpr const char* barrier_start = "barrier";
constexpr const char* nodes_name = "nodes";
constexpr const char* nodes_alike = "alike";

// Where protocols change: "16384,131072"; the last segment has no end
std::string limits_text(const models::LinkCosts& link) {
    std::vector<std::string> limits;
    for (std::size_t i = 0; i + 1 < link.segments.size(); ++i) {
        limits.push_back(std::to_string(link.segments[i].up_to_bytes));
    }
    return fmt::format("{}", fmt::join(limits, ","));
}

double number_in(std::string_view text) {
    double value = std::nan("");
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? value : std::nan("");
}

std::vector<models::ProtocolSegment> segments_from(std::string_view limits) {
    std::vector<models::ProtocolSegment> segments;
    while (!limits.empty()) {
        const std::size_t comma = std::min(limits.find(','), limits.size());
        const double limit = number_in(limits.substr(0, comma));
        if (!(limit >= 1 && limit < 1e15) ||
            (!segments.empty() && limit <= static_cast<double>(segments.back().up_to_bytes))) {
            return {};
        }
        segments.push_back({static_cast<std::size_t>(limit)});
        limits.remove_prefix(std::min(comma + 1, limits.size()));
    }
    segments.push_back({models::LinkCosts::no_end});
    return segments;
}

// Calls `visit(name, value, smallest)` for each number
template <class Machine, class Visit>
void for_each_number(Machine& machine, Visit visit) {
    visit("between.free_opposite_bytes", machine.parameters.between.free_opposite_bytes, 0);
    visit("within.free_opposite_bytes", machine.parameters.within.free_opposite_bytes, 0);
    visit("overhead.send", machine.send_overhead_seconds, 0);
    visit("overhead.receive", machine.receive_overhead_seconds, 0);
    visit("cores.count", machine.cores.count, 0);
    visit("cores.dispatch", machine.cores.dispatch_seconds, 0);
    visit("cores.peer", machine.cores.peer_seconds, 0);
    visit("cores.wake", machine.cores.wake_seconds, 0);
    visit("cores.between", machine.cores.between_seconds, 0);
    visit("cores.between_byte", machine.cores.between_seconds_per_byte, 0);
    visit("cores.within_byte", machine.cores.within_seconds_per_byte, 0);
    visit("burst", machine.burst_bytes, 0);
    visit("message.bandwidth", machine.message_bytes_per_second, 0);
    visit("slow.factor", machine.slow_factor, 1);
    visit("noise.sigma", machine.noise.sigma, 0);
    visit("noise.outliers", machine.noise.outliers, 0);
    visit("noise.outlier_factor", machine.noise.outlier_factor, 1);
    visit("noise.time_outs", machine.noise.time_outs, 0);
    visit("noise.drift_per_hour", machine.noise.drift_per_hour, -1);
}

// A model without contention has the parameters of links, combine and copy only
models::Parameters of_links(const models::Parameters& parameters) {
    models::Parameters plain = parameters;
    plain.contention = {};
    return plain;
}

class Reader {
  public:
    Reader(const Properties& properties, std::string file) : file_(std::move(file)) {
        for (const auto& [id, value] : properties) {
            if (id.starts_with(property_prefix)) {
                left_.emplace(id.substr(std::string(property_prefix).size()), value);
            }
        }
    }

    std::string take(const std::string& name) {
        known_.push_back(name);
        const auto found = left_.find(name);
        if (found == left_.end()) {
            return "";
        }
        std::string value = found->second;
        left_.erase(found);
        return value;
    }

    void read(const std::string& name, double& into, double smallest) {
        if (const std::string text = take(name); !text.empty()) {
            into = number_in(text);
            if (!(into >= smallest && std::isfinite(into))) {
                fail(name,
                     fmt::format("'{}' is not a number from {} on; write for example 1e-05", text, smallest));
            }
        }
    }

    void read_limits(const std::string& name, models::LinkCosts& link) {
        link.segments = segments_from(take(name));
        if (link.segments.empty()) {
            fail(name, "expected ascending sizes in bytes, separated by commas, such as 16384,131072");
        }
    }

    // A property with a single value, or none
    bool is(const std::string& name, const std::string& only) {
        const std::string text = take(name);
        if (!text.empty() && text != only) {
            fail(name, "'" + text + "' is not known; write " + only + ", or nothing");
        }
        return !text.empty();
    }

    void finish() const {
        if (!left_.empty()) {
            fail(left_.begin()->first,
                 "there is no such property; " + suggestion(left_.begin()->first, known_));
        }
    }

    [[noreturn]] void fail(const std::string& name, const std::string& text) const {
        throw usage_error(fmt::format("{}: property {}{}: {}", file_, property_prefix, name, text));
    }

  private:
    std::string file_;
    Properties left_;
    std::vector<std::string> known_;
};

}  // namespace

Properties to_properties(const SimulatedMachine& machine) {
    Properties properties;
    const SimulatedMachine usual;
    const auto add = [&](const std::string& name, const std::string& value) {
        properties[property_prefix + name] = value;
    };
    for (const auto& [name, link] : {std::pair("between.limits", &machine.parameters.between),
                                     std::pair("within.limits", &machine.parameters.within)}) {
        if (link->segments.size() > 1) {
            add(name, limits_text(*link));
        }
    }
    const models::Parameters links = of_links(machine.parameters);
    const std::vector<std::string> names = links.names();
    const std::vector<double> values = links.values();
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (values[i] != 0) {
            add(names[i], fmt::format("{}", values[i]));
        }
    }
    std::map<std::string, double> defaults;
    for_each_number(usual, [&](const char* name, double value, double) { defaults[name] = value; });
    for_each_number(machine, [&](const char* name, double value, double) {
        if (value != defaults[name]) {
            add(name, fmt::format("{}", value));
        }
    });
    if (machine.starts_after_barrier) {
        add(start_name, barrier_start);
    }
    if (machine.are_nodes_alike) {
        add(nodes_name, nodes_alike);
    }
    if (!machine.slow_host.empty()) {
        add("slow.host", machine.slow_host);
    }
    return properties;
}

SimulatedMachine machine_from(const Properties& properties, const std::string& file) {
    Reader reader(properties, file);
    SimulatedMachine machine;
    reader.read_limits("between.limits", machine.parameters.between);
    reader.read_limits("within.limits", machine.parameters.within);
    for (const std::string& name : machine.parameters.names()) {
        reader.read(name, machine.parameters.at(name), 0);
    }
    for_each_number(machine, [&](const char* name, double& value, double smallest) {
        reader.read(name, value, smallest);
    });
    if (constexpr double most = 65536;
        machine.cores.count > most || machine.cores.count != std::floor(machine.cores.count)) {
        reader.fail("cores.count", fmt::format("expected a whole number up to {}", most));
    }
    machine.slow_host = reader.take("slow.host");
    machine.starts_after_barrier = reader.is(start_name, barrier_start);
    machine.are_nodes_alike = reader.is(nodes_name, nodes_alike);
    reader.finish();
    return machine;
}

}  // namespace tuner
