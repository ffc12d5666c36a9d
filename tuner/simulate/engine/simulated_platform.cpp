// SPDX-License-Identifier: MIT
#include "simulated_platform.hpp"

#include <fmt/format.h>
#include <simgrid/version.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xbt/log.h>

#include <algorithm>
#include <filesystem>

#include "error.hpp"

namespace tuner {

namespace {

namespace s4u = simgrid::s4u;

// Bytes share links as fluids do, fairly; times on top of that are changeover's, latency of the links
// included, so that a sender need not wait for it.
constexpr const char* settings[] = {
    "network/model:CM02", "network/latency-factor:0", "network/bandwidth-factor:1", "network/crosstraffic:0",
    "network/weight-S:0", "network/TCP-gamma:0",      "network/loopback-lat:1e-12",
};

std::unique_ptr<s4u::Engine> loaded(const std::string& file) {
    static std::string name = "changeover-sim";
    static char* arguments[] = {name.data(), nullptr};
    int count = 1;
    auto engine = std::make_unique<s4u::Engine>(&count, arguments);
    for (const char* setting : settings) {
        s4u::Engine::set_config(setting);
    }
    engine->load_platform(file);
    return engine;
}

// From and to the first host: a route that is missing ends the process, too
void try_routes(const s4u::Engine& engine) {
    const std::vector<s4u::Host*> hosts = engine.get_all_hosts();
    for (const s4u::Host* host : hosts) {
        std::vector<s4u::Link*> links;
        double latency = 0;
        host->route_to(hosts.front(), links, &latency);
        hosts.front()->route_to(host, links, &latency);
    }
}

// SimGrid ends the process for some mistakes in a file: a child tries it first. Empty: it can be loaded
std::string problem_with(const std::string& file) {
    int ends[2];
    if (pipe(ends) != 0) {
        throw failure("cannot make a pipe; check the limit of open files");
    }
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        dup2(ends[1], STDERR_FILENO);
        xbt_log_control_set("root.thres:critical");
        try {
            try_routes(*loaded(file));
            _exit(0);
        } catch (const std::exception& error) {
            fmt::print(stderr, "{}\n", error.what());
            _exit(1);
        }
    }
    close(ends[1]);
    std::string said;
    char buffer[1024];
    for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof(buffer))) > 0;) {
        said.append(buffer, static_cast<std::size_t>(n));
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return "";
    }
    return said.empty() ? "it crashes" : said.substr(0, said.find('\n'));
}

}  // namespace

SimulatedPlatform::SimulatedPlatform(const std::string& file) : file_(file) {
    if (!std::filesystem::is_regular_file(file)) {
        throw usage_error(file + ": there is no such platform file; write one with: changeover platform");
    }
    if (const std::string problem = problem_with(file); !problem.empty()) {
        throw usage_error(
            fmt::format("{}: SimGrid cannot load it: {}; correct the file, or write one with: "
                        "changeover platform",
                        file, problem));
    }
    xbt_log_control_set("root.thres:critical");
    engine_ = loaded(file);
    Properties properties;
    std::vector<s4u::NetZone*> zones = engine_->get_netzone_root()->get_children();
    zones.push_back(engine_->get_netzone_root());
    for (const s4u::NetZone* zone : zones) {
        if (const auto* of_zone = zone->get_properties()) {
            properties.insert(of_zone->begin(), of_zone->end());
        }
    }
    machine_ = machine_from(properties, file);
}

std::vector<std::string> SimulatedPlatform::host_names() const {
    std::vector<std::string> names;
    for (const s4u::Host* host : engine_->get_all_hosts()) {
        names.push_back(host->get_name());
    }
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
        return std::pair(a.size(), a) < std::pair(b.size(), b);
    });
    return names;
}

s4u::Host* SimulatedPlatform::host(const std::string& name) const {
    s4u::Host* const found = engine_->host_by_name_or_null(name);
    if (found == nullptr) {
        const std::vector<std::string> names = host_names();
        throw usage_error(fmt::format("{} has no host '{}'; it has {}: {} to {}", file_, name, names.size(),
                                      names.empty() ? "" : names.front(), names.empty() ? "" : names.back()));
    }
    return found;
}

std::string simgrid_version() {
    int major = 0;
    int minor = 0;
    int patch = 0;
    sg_version_get(&major, &minor, &patch);
    return fmt::format("{}.{}", major, minor);
}

}  // namespace tuner
