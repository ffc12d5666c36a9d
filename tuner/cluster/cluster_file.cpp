// SPDX-License-Identifier: MIT
#include "cluster_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "at_once.hpp"
#include "error.hpp"
#include "extent.hpp"
#include "host_name.hpp"
#include "launcher.hpp"
#include "launcher_template.hpp"
#include "mpi_library.hpp"
#include "slurm.hpp"

namespace tuner {

namespace {

constexpr int most_nodes = 1 << 20;
constexpr const char* chosen_layouts = "auto";

void require_host_name(const CheckedJson& json, const std::string& name) {
    if (!is_host_name(name)) {
        json.fail(
            "'" + name +
            "' is not a host name; write \"n1\" or \"n[1-16]\" (letters, digits, '-', '_' and '.'), and "
            "slots as a key of their own");
    }
}

// n[01-16] are n01 ... n16
std::vector<std::string> expanded(const CheckedJson& json) {
    const std::string text = json.text();
    const std::size_t open = text.find('[');
    if (open == std::string::npos) {
        require_host_name(json, text);
        return {text};
    }
    const std::size_t dash = text.find('-', open);
    const std::size_t close = text.find(']', open);
    const auto digits = [&](std::size_t from, std::size_t to) {
        const std::string number = from < to && to != std::string::npos ? text.substr(from, to - from) : "";
        const bool good = !number.empty() && number.size() < 8 &&
                          number.find_first_not_of("0123456789") == std::string::npos;
        return good ? number : "";
    };
    const std::string first = digits(open + 1, dash);
    const std::string last = dash == std::string::npos ? "" : digits(dash + 1, close);
    if (first.empty() || last.empty() || std::stoi(first) > std::stoi(last)) {
        json.fail("'" + text +
                  "' is not a range of hosts; write for example \"n[1-16]\" or \"n[01-16]-eth\"");
    }
    if (std::stoi(last) - std::stoi(first) >= most_nodes) {
        json.fail(fmt::format("'{}' is more than {} hosts; write a smaller range", text, most_nodes));
    }
    std::vector<std::string> names;
    for (int i = std::stoi(first); i <= std::stoi(last); ++i) {
        names.push_back(
            fmt::format("{}{:0{}}{}", text.substr(0, open), i, first.size(), text.substr(close + 1)));
        require_host_name(json, names.back());
    }
    return names;
}

std::vector<Host> hosts_from(const CheckedJson& json) {
    std::vector<Host> hosts;
    std::set<std::string> seen;
    for (const CheckedJson& row : json.list()) {
        int slots = 1;
        if (row.is_object()) {
            row.only_keys({"name", "slots"});
            slots = static_cast<int>(row.at("slots").integer(1, most_nodes));
        }
        const CheckedJson name = row.is_object() ? row.at("name") : row;
        for (const std::string& host : expanded(name)) {
            if (!seen.insert(host).second) {
                name.fail("the host '" + host + "' is listed twice; list it once, with all of its slots");
            }
            hosts.push_back({host, slots});
        }
    }
    return hosts;
}

std::vector<std::string> texts_from(const CheckedJson& json) {
    std::vector<std::string> texts;
    for (const CheckedJson& row : json.list()) {
        texts.push_back(row.text());
    }
    return texts;
}

constexpr std::string_view not_in_variables("=\0", 2);

Environment environment_from(const CheckedJson& json) {
    Environment environment;
    for (const auto& [name, value] : json.items()) {
        if (name.empty() || name.find_first_of(not_in_variables) != std::string::npos) {
            json.fail("'" + name + "' is not the name of a variable; write {\"NAME\": \"value\"}");
        }
        environment.emplace_back(name, value.json() == "" ? "" : value.text());
    }
    return environment;
}

std::vector<Network> networks_from(const CheckedJson& json, const LauncherKind& launcher) {
    std::vector<Network> networks;
    for (const CheckedJson& row : json.list()) {
        row.only_keys({"name", "environment", "launcher_arguments", "host_suffix", "interface"});
        Network network;
        network.name = row.at("name").text();
        if (row.has("environment")) {
            network.environment = environment_from(row.at("environment"));
        }
        if (row.has("launcher_arguments")) {
            network.launcher_arguments = texts_from(row.at("launcher_arguments"));
        }
        if (row.has("host_suffix")) {
            network.host_suffix = row.at("host_suffix").text();
            if (!has_only_host_characters(network.host_suffix) || network.host_suffix.ends_with('-')) {
                row.at("host_suffix")
                    .fail("'" + network.host_suffix +
                          "' is not a part of a host name; write for example \"-ib\"");
            }
            if (!launcher.renames_hosts) {
                row.at("host_suffix")
                    .fail(std::string(launcher.name) + " uses one name for each node; choose the " +
                          "network by \"environment\" or \"launcher_arguments\"");
            }
        }
        if (row.has("interface")) {
            network.interface = row.at("interface").text();
            if (network.interface.starts_with('-')) {
                row.at("interface")
                    .fail("'" + network.interface + "' is not an interface; write for example \"eth0\"");
            }
            if (!launcher.sets_interface) {
                row.at("interface")
                    .fail(std::string(launcher.name) + " cannot choose an interface; set a variable of " +
                          "the MPI library in \"environment\"");
            }
        }
        for (const Network& other : networks) {
            if (other.name == network.name) {
                row.at("name").fail("the network '" + network.name +
                                    "' is listed twice; give it another name");
            }
        }
        networks.push_back(std::move(network));
    }
    return networks;
}

std::vector<Layout> layouts_from(const CheckedJson& json, const std::vector<Host>& hosts) {
    std::vector<Layout> layouts;
    for (const CheckedJson& row : json.list()) {
        row.only_keys({"nodes", "ppn", "mapping", "ranks"});
        const Layout layout = layout_from(row);
        if (layout.nodes > static_cast<int>(hosts.size())) {
            row.at("nodes").fail(fmt::format(
                "the layout needs {} nodes, but there are {} hosts; add hosts, or use fewer nodes",
                layout.nodes, hosts.size()));
        }
        if (!have_room(hosts, layout)) {
            const std::string last =
                layout.is_even() ? "" : fmt::format(" (the last one: {})", layout.ranks_on(layout.nodes - 1));
            row.at("ppn").fail(
                fmt::format("the layout needs {} hosts with {} slots{}, but there are {}; raise "
                            "\"slots\", or use a smaller ppn",
                            layout.nodes, layout.ppn, last, hosts_for(hosts, layout).size()));
        }
        if (layout.ranks() < 2) {
            row.fail("a layout needs at least 2 ranks; raise \"nodes\" or \"ppn\"");
        }
        if (std::find(layouts.begin(), layouts.end(), layout) != layouts.end()) {
            row.fail("the layout " + to_string(layout) + " is listed twice; remove one of them");
        }
        layouts.push_back(layout);
    }
    return layouts;
}

models::Communicators communicators_from(const CheckedJson& json) {
    try {
        return models::parse_communicators(json.text());
    } catch (const std::invalid_argument& error) {
        json.fail(error.what());
    }
}

// Of a run whose plan has communicators: the layouts themselves are listed as all others
std::vector<AtOnce> at_once_from(const CheckedJson& json) {
    std::vector<AtOnce> parts;
    for (const CheckedJson& row : json.list()) {
        row.only_keys({"layout", "job", "communicators"});
        const AtOnce part = {layout_from(row.at("layout")), layout_from(row.at("job")),
                             row.at("communicators").text()};
        if (layout_of_each(communicators_from(row.at("communicators")), part.job) != part.layout) {
            row.fail(fmt::format("{} of a job of {} do not have the layout {}; start a new run",
                                 part.communicators, to_string(part.job), to_string(part.layout)));
        }
        parts.push_back(part);
    }
    return parts;
}

std::vector<JobCount> jobs_from(const CheckedJson& json) {
    std::vector<JobCount> jobs;
    for (const CheckedJson& row : json.list()) {
        row.only_keys({"nodes", "ppn", "jobs"});
        const Layout layout = layout_from(row);
        const double count = row.has("jobs") ? row.at("jobs").number() : 1;
        if (!(count > 0)) {
            row.at("jobs").fail("a number of jobs is more than 0");
        }
        jobs.push_back({layout.nodes, layout.ppn, count});
    }
    return jobs;
}

// The hosts of a file, or of the allocation if it says so. A manifest has both: those of its last allocation.
void read_hosts(const CheckedJson& json, Cluster& cluster) {
    cluster.is_allocated = json.has("hosts_from") && json.at("hosts_from").one_of({"slurm"}) == "slurm";
    cluster.is_one_machine = json.has("one_machine") && json.at("one_machine").boolean();
    if (!cluster.is_allocated || json.has("hosts")) {
        cluster.hosts = hosts_from(json.at("hosts"));
        return;
    }
    if (cluster.launcher->is_local) {
        json.at("hosts_from")
            .fail(std::string(cluster.launcher->name) +
                  " fakes nodes on this machine; choose another launcher, "
                  "such as hydra-slurm");
    }
    const std::optional<Allocation> allocation = slurm_allocation();
    if (!allocation) {
        json.at("hosts_from")
            .fail(
                "this process is not inside an allocation of Slurm; start it with sbatch or salloc, or name "
                "\"hosts\"");
    }
    cluster.hosts = allocation->hosts;
    cluster.is_one_machine = cluster.is_one_machine || allocation->is_one_machine;
}

std::string text_or(const CheckedJson& json, const std::string& key, const std::string& otherwise) {
    return json.has(key) ? json.at(key).text() : otherwise;
}

void read_launcher(const CheckedJson& json, Cluster& cluster) {
    cluster.launcher = find_launcher("hydra");
    if (json.has("launcher")) {
        const CheckedJson launcher = json.at("launcher");
        cluster.launcher = find_launcher(launcher.at("kind").one_of(launcher_names()));
        if (!cluster.launcher->arguments) {
            launcher.only_keys(
                {"kind", "program", "arguments", "round_robin_arguments", "environment_arguments"});
            cluster.mpiexec = launcher.at("program").text();
            cluster.launcher_template = template_from(launcher);
            return;
        }
        launcher.only_keys({"kind", "program", "arguments"});
        if (launcher.has("arguments")) {
            cluster.launcher_arguments = texts_from(launcher.at("arguments"));
        }
        cluster.mpiexec = text_or(launcher, "program", "");
    }
    if (cluster.mpiexec.empty()) {
        cluster.mpiexec = default_program(*cluster.launcher);
    }
}

void read_mpi(const CheckedJson& json, Cluster& cluster) {
    const char* only = cluster.launcher->library;
    cluster.library = only ? only : "mpich";
    cluster.changeover = beside_this_program("changeover");
    if (json.has("mpi")) {
        const CheckedJson mpi = json.at("mpi");
        mpi.only_keys({"library", "benchmark", "changeover"});
        if (mpi.has("library")) {
            cluster.library = mpi.at("library").one_of(names_of_libraries());
            if (only && std::string(find_library(cluster.library).family) != only) {
                mpi.at("library").fail(
                    fmt::format("the launcher {} starts programs of {} only; choose another launcher",
                                cluster.launcher->name, only));
            }
        }
        cluster.benchmark = text_or(mpi, "benchmark", "");
        cluster.changeover = text_or(mpi, "changeover", cluster.changeover);
    }
    if (cluster.benchmark.empty()) {
        cluster.benchmark = beside_this_program(find_library(cluster.library).benchmark);
        if (cluster.library != "mpich" && !std::filesystem::exists(cluster.benchmark)) {
            json.fail("there is no " + cluster.benchmark + "; build the benchmark for " + cluster.library +
                      " (CHANGEOVER_OTHER_MPI), or name it as \"benchmark\" in \"mpi\"");
        }
    }
}

}  // namespace

Cluster read_cluster(const std::string& file) {
    const CheckedJson json = CheckedJson::parse_file(file);
    Cluster cluster = cluster_from(json);
    if (!json.has("name")) {
        cluster.name = std::filesystem::path(file).stem().string();
    }
    return cluster;
}

Cluster cluster_from(const CheckedJson& json) {
    json.only_keys({"name", "hosts", "hosts_from", "one_machine", "launcher", "mpi", "networks", "layouts",
                    "at_once", "jobs"});
    Cluster cluster;
    cluster.name = text_or(json, "name", "cluster");
    read_launcher(json, cluster);
    read_mpi(json, cluster);
    read_hosts(json, cluster);
    cluster.networks = {{"default", {}, {}, "", ""}};
    if (json.has("networks")) {
        cluster.networks = networks_from(json.at("networks"), *cluster.launcher);
    }
    if (!json.has("layouts") || json.at("layouts").json().is_string()) {
        if (json.has("layouts")) {
            json.at("layouts").one_of({chosen_layouts});
        }
        choose_layouts(cluster);
    } else {
        cluster.layouts = layouts_from(json.at("layouts"), cluster.hosts);
    }
    if (json.has("at_once")) {
        cluster.at_once = at_once_from(json.at("at_once"));
    }
    if (json.has("jobs")) {
        cluster.jobs = jobs_from(json.at("jobs"));
    }
    if (!cluster.launcher->arguments) {
        check_template(json, cluster);
    }
    for (const Layout& layout : cluster.layouts) {
        if (const std::string problem = launching_problem(cluster, layout); !problem.empty()) {
            json.at(cluster.launcher->arguments ? "layouts" : "launcher").fail(problem);
        }
    }
    return cluster;
}

Json to_json(const Cluster& cluster) {
    Json json = {{"name", cluster.name}};
    for (const Host& host : cluster.hosts) {
        json["hosts"].push_back({{"name", host.name}, {"slots", host.slots}});
    }
    if (cluster.is_allocated) {
        json["hosts_from"] = "slurm";
    }
    if (cluster.is_one_machine) {
        json["one_machine"] = true;
    }
    json["launcher"] = {{"kind", cluster.launcher->name}, {"program", cluster.mpiexec}};
    const auto add_list = [&](const char* key, const Arguments& list) {
        if (!list.empty()) {
            json["launcher"][key] = list;
        }
    };
    add_list("arguments", cluster.launcher_arguments);
    add_list("arguments", cluster.launcher_template.arguments);  // which has no others
    add_list("round_robin_arguments", cluster.launcher_template.round_robin_arguments);
    add_list("environment_arguments", cluster.launcher_template.environment_arguments);
    json["mpi"] = {
        {"library", cluster.library}, {"benchmark", cluster.benchmark}, {"changeover", cluster.changeover}};
    for (const Network& network : cluster.networks) {
        Json row = {{"name", network.name}};
        for (const auto& [name, value] : network.environment) {
            row["environment"][name] = value;
        }
        if (!network.launcher_arguments.empty()) {
            row["launcher_arguments"] = network.launcher_arguments;
        }
        if (!network.host_suffix.empty()) {
            row["host_suffix"] = network.host_suffix;
        }
        if (!network.interface.empty()) {
            row["interface"] = network.interface;
        }
        json["networks"].push_back(std::move(row));
    }
    if (cluster.chooses_layouts) {
        json["layouts"] = chosen_layouts;
    } else {
        for (const Layout& layout : cluster.layouts) {
            Json row;
            add_layout(row, layout);
            json["layouts"].push_back(std::move(row));
        }
    }
    for (const AtOnce& part : cluster.at_once) {
        Json row = {
            {"layout", Json::object()}, {"job", Json::object()}, {"communicators", part.communicators}};
        add_layout(row["layout"], part.layout);
        add_layout(row["job"], part.job);
        json["at_once"].push_back(std::move(row));
    }
    for (const JobCount& job : cluster.jobs) {
        json["jobs"].push_back({{"nodes", job.nodes}, {"ppn", job.ppn}, {"jobs", job.jobs}});
    }
    return json;
}

}  // namespace tuner
