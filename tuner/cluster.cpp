// SPDX-License-Identifier: MIT
#include "cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <thread>

#include "error.hpp"
#include "mpi_library.hpp"

namespace tuner {

namespace {

using Arguments = std::vector<std::string>;

constexpr int most_nodes = 1 << 20;
const std::string loopback = "lo";

void add(Arguments& to, const Arguments& more) {
    to.insert(to.end(), more.begin(), more.end());
}

// What a launcher needs to know
struct Placing {
    std::vector<std::string> hosts;  // names in the network
    int ppn;
    Mapping mapping;
    const Network& network;

    std::string ranks() const { return std::to_string(static_cast<int>(hosts.size()) * ppn); }
};

std::string joined(const std::vector<std::string>& names, const std::string& suffix) {
    std::string text;
    for (const std::string& name : names) {
        text += (text.empty() ? "" : ",") + name + suffix;
    }
    return text;
}

// Hydra fills host by host with as many ranks as the number behind its name says, and starts again at the
// first: with 1 that is round-robin. (Seen with hydra 4.0.2.)
// An interface is for the benchmark to choose: hydra's -iface asks for one of that name on the machine that
// launches, too, and ch3:sock does not obey it.
Arguments hydra_arguments(const Placing& p) {
    const int in_a_row = p.mapping == Mapping::block ? p.ppn : 1;
    return {"-hosts", joined(p.hosts, ":" + std::to_string(in_a_row)), "-n", p.ranks()};
}

// A proxy on this machine for every host, whatever its name; names that nobody can resolve need an interface
Arguments hydra_fork_arguments(const Placing& p) {
    Arguments arguments = {"-launcher", "fork", "-iface",
                           p.network.interface.empty() ? loopback : p.network.interface};
    add(arguments, hydra_arguments(p));
    return arguments;
}

Arguments openmpi_arguments(const Placing& p) {
    Arguments arguments = {"--host",   joined(p.hosts, ":" + std::to_string(p.ppn)), "-np", p.ranks(),
                           "--map-by", p.mapping == Mapping::block ? "slot" : "node"};
    if (!p.network.interface.empty()) {
        add(arguments, {"--mca", "btl_tcp_if_include", p.network.interface});
    }
    return arguments;
}

Arguments slurm_arguments(const Placing& p) {
    return {fmt::format("--nodes={}", p.hosts.size()),
            "--ntasks=" + p.ranks(),
            fmt::format("--ntasks-per-node={}", p.ppn),
            "--nodelist=" + joined(p.hosts, ""),
            std::string("--distribution=") + (p.mapping == Mapping::block ? "block" : "cyclic"),
            "--export=ALL",
            "--input=0",  // requests are for rank 0 only
            "--kill-on-bad-exit=1"};
}

}  // namespace

struct LauncherKind {
    const char* name;
    const char* library;   // that it can start; null: any
    const char* program;   // by default
    bool is_local;         // fakes nodes on this machine
    bool renames_hosts;    // takes other names of a host
    bool sets_interface;   // the benchmark can choose it there, or the launcher does
    bool exports_by_name;  // variables are passed on only if they are named
    Arguments (*arguments)(const Placing&);
};

namespace {

constexpr LauncherKind kinds[] = {
    // name, library, program, is_local, renames_hosts, sets_interface, exports_by_name
    {"hydra", "mpich", MPICH_PREFIX "/bin/mpiexec", false, true, true, false, hydra_arguments},
    {"hydra-fork", "mpich", MPICH_PREFIX "/bin/mpiexec", true, true, true, false, hydra_fork_arguments},
    {"openmpi", "openmpi", "mpirun", false, true, true, true, openmpi_arguments},
    {"slurm", nullptr, "srun", false, false, false, false, slurm_arguments},
};

const LauncherKind* find_kind(const std::string& name) {
    return std::find_if(std::begin(kinds), std::end(kinds),
                        [&](const auto& kind) { return name == kind.name; });
}

std::vector<std::string> kind_names() {
    std::vector<std::string> names;
    for (const LauncherKind& kind : kinds) {
        names.emplace_back(kind.name);
    }
    return names;
}

// n[01-16] are n01 ... n16
std::vector<std::string> expanded(const CheckedJson& json) {
    const std::string text = json.text();
    const std::size_t open = text.find('[');
    if (open == std::string::npos) {
        if (text.find_first_of("], \t:") != std::string::npos) {
            json.fail("'" + text +
                      "' is not a host name; write \"n1\" or \"n[1-16]\", and slots as a key of their own");
        }
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
    std::vector<std::string> names;
    for (int i = std::stoi(first); i <= std::stoi(last); ++i) {
        names.push_back(
            fmt::format("{}{:0{}}{}", text.substr(0, open), i, first.size(), text.substr(close + 1)));
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
                name.fail("the host '" + host + "' is there twice; give it once, with all of its slots");
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

Environment environment_from(const CheckedJson& json) {
    Environment environment;
    for (const auto& [name, value] : json.items()) {
        if (name.empty() || name.find('=') != std::string::npos) {
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
            if (!launcher.renames_hosts) {
                row.at("host_suffix")
                    .fail(std::string(launcher.name) + " knows a node by one name only; choose the " +
                          "network by \"environment\" or \"launcher_arguments\"");
            }
        }
        if (row.has("interface")) {
            network.interface = row.at("interface").text();
            if (!launcher.sets_interface) {
                row.at("interface")
                    .fail(std::string(launcher.name) + " cannot choose an interface; set a variable of " +
                          "the MPI library in \"environment\"");
            }
        }
        for (const Network& other : networks) {
            if (other.name == network.name) {
                row.at("name").fail("the network '" + network.name +
                                    "' is there twice; give it another name");
            }
        }
        networks.push_back(std::move(network));
    }
    return networks;
}

int hosts_with_slots(const std::vector<Host>& hosts, int slots) {
    return static_cast<int>(
        std::count_if(hosts.begin(), hosts.end(), [&](const Host& host) { return host.slots >= slots; }));
}

std::vector<Layout> layouts_from(const CheckedJson& json, const std::vector<Host>& hosts) {
    std::vector<Layout> layouts;
    for (const CheckedJson& row : json.list()) {
        row.only_keys({"nodes", "ppn", "mapping"});
        Layout layout;
        layout.nodes = static_cast<int>(row.at("nodes").integer(1, most_nodes));
        layout.ppn = static_cast<int>(row.at("ppn").integer(1, most_nodes));
        if (row.has("mapping")) {
            layout.mapping = mapping_from(row.at("mapping"));
        }
        if (layout.nodes > static_cast<int>(hosts.size())) {
            row.at("nodes").fail(
                fmt::format("{} nodes are more than the {} hosts; add hosts, or take fewer nodes",
                            layout.nodes, hosts.size()));
        }
        if (hosts_with_slots(hosts, layout.ppn) < layout.nodes) {
            row.at("ppn").fail(
                fmt::format("{0} ranks on each of {1} nodes are more than the slots: {2} of the hosts "
                            "have {0}; raise \"slots\", or take a smaller ppn",
                            layout.ppn, layout.nodes, hosts_with_slots(hosts, layout.ppn)));
        }
        if (layout.ranks() < 2) {
            row.fail("one rank has nobody to talk to; take at least 2");
        }
        if (std::find(layouts.begin(), layouts.end(), layout) != layouts.end()) {
            row.fail("the layout " + to_string(layout) + " is there twice; remove one of them");
        }
        layouts.push_back(layout);
    }
    return layouts;
}

std::string text_or(const CheckedJson& json, const std::string& key, const std::string& otherwise) {
    return json.has(key) ? json.at(key).text() : otherwise;
}

void read_launcher(const CheckedJson& json, Cluster& cluster) {
    cluster.launcher = find_kind("hydra");
    if (json.has("launcher")) {
        const CheckedJson launcher = json.at("launcher");
        launcher.only_keys({"kind", "program", "arguments"});
        cluster.launcher = find_kind(launcher.at("kind").one_of(kind_names()));
        if (launcher.has("arguments")) {
            cluster.launcher_arguments = texts_from(launcher.at("arguments"));
        }
        cluster.mpiexec = text_or(launcher, "program", "");
    }
    if (cluster.mpiexec.empty()) {
        cluster.mpiexec = cluster.launcher->program;
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

std::vector<std::string> hosts_of(const Cluster& cluster, const Network& network, const Layout& layout) {
    std::vector<std::string> names;
    for (const Host& host : cluster.hosts) {
        if (host.slots >= layout.ppn && static_cast<int>(names.size()) < layout.nodes) {
            names.push_back(host.name + network.host_suffix);
        }
    }
    return names;
}

Command command_on(const Cluster& cluster, const Placing& placing, const Arguments& program) {
    Command command = {{cluster.mpiexec}, placing.network.environment};
    add(command.arguments, cluster.launcher_arguments);
    add(command.arguments, placing.network.launcher_arguments);
    add(command.arguments, cluster.launcher->arguments(placing));
    if (cluster.launcher->exports_by_name) {
        for (const auto& [name, value] : command.environment) {
            add(command.arguments, {"-x", name});
        }
        add(command.arguments, {"-x", "CHANGEOVER_JOB"});
    }
    add(command.arguments, program);
    return command;
}

}  // namespace

const char* to_string(Mapping mapping) {
    return mapping == Mapping::block ? "block" : "round-robin";
}

Mapping mapping_from(const CheckedJson& name) {
    return name.one_of({"block", "round-robin"}) == "block" ? Mapping::block : Mapping::round_robin;
}

std::string to_string(const Layout& layout) {
    return fmt::format("{}x{}{}", layout.nodes, layout.ppn,
                       layout.mapping == Mapping::block ? "" : " round-robin");
}

const Network& Cluster::network(const std::string& network_name) const {
    std::vector<std::string> names;
    for (const Network& row : networks) {
        if (row.name == network_name) {
            return row;
        }
        names.push_back(row.name);
    }
    throw wrong_use("the cluster " + name + " has no network '" + network_name + "'; " +
                    suggestion(network_name, names));
}

bool Cluster::is_faked() const {
    return launcher->is_local;
}

std::string Cluster::note() const {
    return is_faked()
               ? fmt::format(
                     "The {} nodes are faked: all ranks run on this machine, and the network between them "
                     "is its loopback. Results hold for this machine only; for a cluster, write a cluster "
                     "file.",
                     hosts.size())
               : "";
}

Cluster read_cluster(const std::string& file) {
    const CheckedJson json = CheckedJson::parse_file(file);
    Cluster cluster = cluster_from(json);
    if (!json.has("name")) {
        cluster.name = std::filesystem::path(file).stem().string();
    }
    return cluster;
}

Cluster cluster_from(const CheckedJson& json) {
    json.only_keys({"name", "hosts", "launcher", "mpi", "networks", "layouts"});
    Cluster cluster;
    cluster.name = text_or(json, "name", "cluster");
    read_launcher(json, cluster);
    read_mpi(json, cluster);
    cluster.hosts = hosts_from(json.at("hosts"));
    cluster.networks = {{"default", {}, {}, "", ""}};
    if (json.has("networks")) {
        cluster.networks = networks_from(json.at("networks"), *cluster.launcher);
    }
    cluster.layouts = layouts_from(json.at("layouts"), cluster.hosts);
    return cluster;
}

Json to_json(const Cluster& cluster) {
    Json json = {{"name", cluster.name}};
    for (const Host& host : cluster.hosts) {
        json["hosts"].push_back({{"name", host.name}, {"slots", host.slots}});
    }
    json["launcher"] = {{"kind", cluster.launcher->name}, {"program", cluster.mpiexec}};
    if (!cluster.launcher_arguments.empty()) {
        json["launcher"]["arguments"] = cluster.launcher_arguments;
    }
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
    for (const Layout& layout : cluster.layouts) {
        json["layouts"].push_back(
            {{"nodes", layout.nodes}, {"ppn", layout.ppn}, {"mapping", to_string(layout.mapping)}});
    }
    return json;
}

Cluster this_machine() {
    // ch3:sock waits without spinning, so eight ranks are fine anywhere; other devices need a core for each
    const bool waits_by_spinning = std::string(MPICH_DEVICE) != "ch3:sock";
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const int ranks = waits_by_spinning ? std::clamp(cores, 2, 16) : std::clamp(cores, 8, 16);
    const int nodes = std::max(2, ranks / 2);
    Cluster cluster;
    cluster.name = "this machine";
    for (int i = 1; i <= nodes; ++i) {
        cluster.hosts.push_back({"node" + std::to_string(i), 2});
    }
    cluster.launcher = find_kind("hydra-fork");
    cluster.mpiexec = cluster.launcher->program;
    cluster.library = cluster.launcher->library;
    cluster.benchmark = beside_this_program(find_library(cluster.library).benchmark);
    cluster.changeover = beside_this_program("changeover");
    cluster.networks = {{"loopback", {}, {}, "", ""}};
    cluster.layouts = {{nodes, 1, Mapping::block}};
    if (2 * nodes <= ranks) {
        cluster.layouts.push_back({nodes, 2, Mapping::block});
    }
    return cluster;
}

Command launch_command(const Cluster& cluster, const Network& network, const Layout& layout,
                       const std::vector<std::string>& program) {
    return command_on(cluster, {hosts_of(cluster, network, layout), layout.ppn, layout.mapping, network},
                      program);
}

std::vector<std::pair<std::string, Command>> probe_commands(const Cluster& cluster, const Network& network,
                                                            const Layout& layout) {
    std::vector<std::pair<std::string, Command>> commands;
    for (const std::string& host : hosts_of(cluster, network, layout)) {
        commands.emplace_back(host, command_on(cluster, {{host}, 1, Mapping::block, network},
                                               {cluster.changeover, "--version"}));
    }
    return commands;
}

std::vector<std::string> benchmark_program(const Cluster& cluster, const Network& network) {
    Arguments program = {cluster.benchmark, "--serve"};
    if (!network.interface.empty()) {
        add(program, {"--interface", network.interface});
    } else if (cluster.is_faked()) {
        add(program, {"--interface", loopback});
    } else if (!network.host_suffix.empty()) {
        add(program, {"--host-suffix=" + network.host_suffix});  // it may start like an option
    }
    return program;
}

Command reap_command(const Cluster& cluster, const Network& network, const Layout& layout,
                     const std::string& token) {
    return command_on(cluster, {hosts_of(cluster, network, layout), 1, Mapping::block, network},
                      {cluster.changeover, "reap", token});
}

}  // namespace tuner
