// SPDX-License-Identifier: MIT
// Cluster files: every mistake is named; every launcher's command line; and what hydra makes of its own.
#include "cluster.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "cluster_file.hpp"
#include "error.hpp"
#include "mpi_library.hpp"
#include "process.hpp"

namespace {

using namespace tuner;

const std::string good = R"({
    "hosts": [{"name": "n[1-3]", "slots": 2}, "m"],
    "networks": [{"name": "eth", "environment": {"A": "x y", "B": ""}, "launcher_arguments": ["-v"],
                  "host_suffix": "-e", "interface": "eth0"}, {"name": "fast"}],
    "layouts": [{"nodes": 2, "ppn": 2}, {"nodes": 4, "ppn": 1}, {"nodes": 2, "ppn": 2, "mapping": "round-robin"}]
})";

Cluster cluster_of(const std::string& text) {
    return cluster_from(CheckedJson::parse(text, "c.json"));
}

// `good` with one value replaced
Cluster changed(const std::string& pointer, const Json& value) {
    Json json = Json::parse(good);
    json[Json::json_pointer(pointer)] = value;
    return cluster_of(json.dump());
}

// Those for an allocation of Slurm with hosts of their own: there is no allocation here
Cluster read_example(const std::string& name) {
    const std::string file = EXAMPLES "/" + name + ".json";
    Json json = CheckedJson::parse_file(file).json();
    if (json.contains("hosts_from")) {
        json["hosts"] = {{{"name", "cn[001-016]"}, {"slots", 64}}};
    }
    return cluster_from(CheckedJson(json, file));
}

struct Mistake {
    const char* pointer;
    Json value;
    const char* message;
};

const Mistake mistakes[] = {
    {"/host", 1, "c.json: there is no key 'host'; did you mean 'hosts'?"},
    {"/hosts", Json::array(), "c.json, hosts: expected a list with at least one element, got []"},
    {"/hosts/0/slots", 0, "c.json, hosts[0].slots: 0 is not allowed here; write an integer from 1"},
    {"/hosts/0/slots", 1.5, "c.json, hosts[0].slots: 1.5 is not allowed"},
    {"/hosts/0/name", "n[3-1]", "'n[3-1]' is not a range of hosts; write for example"},
    {"/hosts/0/name", "n[1-", "'n[1-' is not a range of hosts"},
    {"/hosts/0/name", "n1:2", "'n1:2' is not a host name"},
    {"/hosts/1", "-oProxyCommand=id", "c.json, hosts[1]: '-oProxyCommand=id' is not a host name"},
    {"/hosts/1", "$(id);x", "c.json, hosts[1]: '$(id);x' is not a host name"},
    {"/hosts/1", std::string("n\0x", 3), "c.json, hosts[1]: a string must not contain \\u0000"},
    {"/hosts/0/name", "n`id`[1-2]", "c.json, hosts[0].name: 'n`id`1' is not a host name"},
    {"/hosts/0/name", "-n[1-2]", "c.json, hosts[0].name: '-n1' is not a host name"},
    {"/hosts/0/name", "n[1-2] x", "'n1 x' is not a host name"},
    {"/hosts/0/name", "n[1-9999999]", "is more than 1048576 hosts; write a smaller range"},
    {"/networks/0/host_suffix", "-e;id", "c.json, networks[0].host_suffix: '-e;id' is not a part of a host"},
    {"/networks/0/interface", "-x", "c.json, networks[0].interface: '-x' is not an interface"},
    {"/networks/0/environment", {{std::string("A\0", 2), "x"}}, "is not the name of a variable"},
    {"/hosts/1", "n2", "c.json, hosts[1]: the host 'n2' is listed twice"},
    {"/hosts/1", 5, "c.json, hosts[1]: expected a string, got 5"},
    {"/launcher",
     {{"kind", "hydro"}},
     "c.json, launcher.kind: 'hydro' is not allowed here; did you mean 'hydra'? known: hydra, hydra-fork, "
     "hydra-slurm, openmpi, slurm, template"},
    {"/launcher", {{"kind", "hydra"}, {"args", 1}}, "c.json, launcher: there is no key 'args'"},
    {"/launcher", {{"kind", "slurm"}}, "c.json, networks[0].host_suffix: slurm uses one name for each node"},
    {"/launcher",
     {{"kind", "hydra-slurm"}},
     "c.json, networks[0].host_suffix: hydra-slurm uses one name for each node"},
    {"/hosts_from", "pbs", "c.json, hosts_from: 'pbs' is not allowed here"},
    {"/one_machine", "yes", "c.json, one_machine: "},
    {"/mpi",
     {{"library", "openmpi"}},
     "c.json, mpi.library: the launcher hydra starts programs of mpich only"},
    {"/mpi", {{"library", "lam"}}, "'lam' is not allowed here"},
    {"/networks", Json::array(), "c.json, networks: expected a list with at least one element"},
    {"/networks/1/name", "eth", "c.json, networks[1].name: the network 'eth' is listed twice"},
    {"/networks/0/environment", Json::array(), "c.json, networks[0].environment: expected an object"},
    {"/networks/0/environment/A", 5, "c.json, networks[0].environment.A: expected a string, got 5"},
    {"/networks/0/launcher_arguments", "-v", "c.json, networks[0].launcher_arguments: expected a list"},
    {"/networks/0/sufix", "", "c.json, networks[0]: there is no key 'sufix'"},
    {"/layouts", Json::array(), "c.json, layouts: expected a list"},
    {"/layouts/0/nodes", 5, "c.json, layouts[0].nodes: the layout needs 5 nodes, but there are 4 hosts"},
    {"/layouts/0/nodes", -1, "c.json, layouts[0].nodes: -1 is not allowed"},
    {"/layouts/0/ppn", 3, "c.json, layouts[0].ppn: the layout needs 2 hosts with 3 slots, but there are 0"},
    {"/layouts/0/nodes", 4, "c.json, layouts[0].ppn: the layout needs 4 hosts with 2 slots, but there are 3"},
    {"/layouts/0/mapping", "blok", "did you mean 'block'?"},
    {"/layouts/2/mapping", "block", "c.json, layouts[2]: the layout 2x2 is listed twice"},
    {"/layouts/0", {{"nodes", 1}, {"ppn", 1}}, "c.json, layouts[0]: a layout needs at least 2 ranks"},
    {"/layouts/0", {{"nodes", 1}}, "c.json, layouts[0]: the key 'ppn' is missing"},
};

TEST(Cluster, NamesEveryMistake) {
    for (const Mistake& mistake : mistakes) {
        try {
            changed(mistake.pointer, mistake.value);
            ADD_FAILURE() << mistake.pointer << " = " << mistake.value << " was accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            EXPECT_NE(std::string(error.what()).find(mistake.message), std::string::npos)
                << mistake.pointer << " = " << mistake.value << ": " << error.what();
        }
    }
}

TEST(Cluster, ReadsWhatIsThere) {
    const Cluster cluster = cluster_of(good);
    EXPECT_EQ(cluster.hosts, (std::vector<Host>{{"n1", 2}, {"n2", 2}, {"n3", 2}, {"m", 1}}));
    EXPECT_EQ(cluster.mpiexec, MPIEXEC);
    EXPECT_EQ(cluster.library, "mpich");
    EXPECT_EQ(std::filesystem::path(cluster.benchmark).filename(), "changeover-bench");
    EXPECT_EQ(cluster.networks.size(), 2u);
    EXPECT_EQ(cluster.network("eth").environment, (Environment{{"A", "x y"}, {"B", ""}}));
    EXPECT_THROW(cluster.network("etc"), Error);
    EXPECT_EQ(to_string(cluster.layouts[0]), "2x2");
    EXPECT_EQ(to_string(cluster.layouts[2]), "2x2 round-robin");
    EXPECT_FALSE(cluster.is_faked());
    EXPECT_EQ(cluster.note(), "");
}

TEST(Cluster, TakesTheBenchmarkOfItsLibrary) {
    for (const MpiLibrary& library : mpi_libraries()) {
        const std::string file = beside_this_program(library.benchmark);
        Json json = Json::parse(good);
        json["launcher"] = {{"kind", std::string(library.family) == "openmpi" ? "openmpi" : "hydra"}};
        json["mpi"] = {{"library", library.name}};
        if (library.name == std::string("mpich") || std::filesystem::exists(file)) {
            EXPECT_EQ(cluster_of(json.dump()).benchmark, file);
        } else {
            EXPECT_THROW(cluster_of(json.dump()), Error) << library.name;
        }
        json["mpi"]["benchmark"] = "/elsewhere";
        EXPECT_EQ(cluster_of(json.dump()).benchmark, "/elsewhere");
    }
}

TEST(Cluster, SurvivesTheWayThroughAManifest) {
    std::vector<Cluster> clusters = {cluster_of(good), this_machine()};
    for (const auto& example : std::filesystem::directory_iterator(EXAMPLES)) {
        if (example.path().extension() == ".json") {
            clusters.push_back(read_example(example.path().stem().string()));
        }
    }
    for (const Cluster& cluster : clusters) {
        EXPECT_EQ(cluster_from(CheckedJson(to_json(cluster), "manifest.json")), cluster) << to_json(cluster);
    }
}

TEST(Cluster, HasAnExampleForEachLauncher) {
    for (const char* name : {"hydra", "hydra-fork", "hydra-slurm", "openmpi", "slurm", "template"}) {
        EXPECT_EQ(to_json(read_example(name))["launcher"]["kind"], name);
    }
    EXPECT_EQ(read_cluster(EXAMPLES "/hydra-fork.json").name, "hydra-fork");
}

TEST(Cluster, TellsTheBenchmarkWhichNetwork) {
    const auto options = [](Cluster cluster, const std::string& interface, const std::string& suffix) {
        cluster.benchmark = "/b";
        return benchmark_program(cluster, {"n", {}, {}, suffix, interface});
    };
    using Words = std::vector<std::string>;
    const Cluster cluster = cluster_of(good);
    EXPECT_EQ(options(cluster, "", ""), (Words{"/b", "--serve"}));
    EXPECT_EQ(options(cluster, "eth0", ""), (Words{"/b", "--serve", "--interface", "eth0"}));
    EXPECT_EQ(options(cluster, "", "-e"), (Words{"/b", "--serve", "--host-suffix=-e"}));
    const Cluster faked = read_cluster(EXAMPLES "/hydra-fork.json");
    EXPECT_EQ(options(faked, "", "-e"), (Words{"/b", "--serve", "--interface", "lo"}));
    EXPECT_EQ(options(faked, "eth0", ""), (Words{"/b", "--serve", "--interface", "eth0"}));
}

TEST(Cluster, WritesCommandLines) {
    const std::vector<std::string> program = {"/b", "--serve"};
    const Layout block = {2, 2, Mapping::block};
    const Layout cyclic = {2, 2, Mapping::round_robin};

    Cluster cluster = cluster_of(good);
    const std::string mpiexec = MPIEXEC;
    EXPECT_EQ(to_shell(launch_command(cluster, cluster.networks[0], block, program)),
              "A='x y' B='' " + mpiexec + " -v -hosts n1-e:2,n2-e:2 -n 4 /b --serve");
    EXPECT_EQ(to_shell(launch_command(cluster, cluster.networks[1], cyclic, program)),
              mpiexec + " -hosts n1:1,n2:1 -n 4 /b --serve");
    cluster.changeover = "/c";
    EXPECT_EQ(to_shell(reap_command(cluster, cluster.networks[1], {3, 2, Mapping::round_robin}, "t")),
              mpiexec + " -hosts n1:1,n2:1,n3:1 -n 3 /c reap t");

    cluster = read_cluster(EXAMPLES "/hydra-fork.json");
    EXPECT_EQ(to_shell(launch_command(cluster, cluster.networks[0], block, program)),
              mpiexec + " -launcher fork -iface lo -hosts node1:2,node2:2 -n 4 /b --serve");

    cluster.networks[0].interface = "eth0";
    EXPECT_EQ(to_shell(launch_command(cluster, cluster.networks[0], block, program)),
              mpiexec + " -launcher fork -iface eth0 -hosts node1:2,node2:2 -n 4 /b --serve");

    cluster = read_cluster(EXAMPLES "/openmpi.json");
    EXPECT_EQ(
        to_shell(launch_command(cluster, cluster.network("infiniband"), cyclic, program)),
        "UCX_TLS=rc,self,sm /opt/openmpi/bin/mpirun --bind-to core --mca pml ucx --host c01:2,c02:2 -np 4 "
        "--map-by node -x UCX_TLS -x CHANGEOVER_JOB /b --serve");
    EXPECT_NE(to_shell(launch_command(cluster, cluster.network("ethernet"), block, program))
                  .find("--map-by slot --mca btl_tcp_if_include eth0 -x CHANGEOVER_JOB /b --serve"),
              std::string::npos);

    cluster = read_example("hydra-slurm");
    EXPECT_EQ(to_shell(launch_command(cluster, cluster.network("ipoib"), block, program)),
              "SLURM_OVERLAP=1 SLURM_CPU_BIND=none " + mpiexec +
                  " -launcher slurm -hosts cn001:2,cn002:2 -n 4 /b --serve");
    cluster.networks[0].environment = {{"SLURM_CPU_BIND", "cores"}};
    EXPECT_TRUE(to_shell(launch_command(cluster, cluster.networks[0], block, program))
                    .starts_with("SLURM_CPU_BIND=cores SLURM_OVERLAP=1 " + mpiexec));

    cluster = read_example("slurm");
    EXPECT_EQ(to_shell(launch_command(cluster, cluster.network("slingshot"), cyclic, program)),
              "FI_PROVIDER=cxi SLURM_OVERLAP=1 srun --mpi=pmi2 --cpu-bind=cores --nodes=2 --ntasks=4 "
              "--ntasks-per-node=2 "
              "--nodelist=cn001,cn002 --distribution=cyclic --export=ALL --input=0 --kill-on-bad-exit=1 /b "
              "--serve");
}

TEST(Cluster, TakesHostsWithEnoughSlots) {
    Cluster cluster = cluster_of(good);
    cluster.hosts[0].slots = 1;
    const Command command = launch_command(cluster, cluster.networks[1], {2, 2, Mapping::block}, {"/b"});
    EXPECT_NE(to_shell(command).find("-hosts n2:2,n3:2"), std::string::npos);
}

TEST(Cluster, KnowsThisMachine) {
    const Cluster cluster = this_machine();
    EXPECT_TRUE(cluster.is_faked());
    EXPECT_NE(cluster.note().find("nodes are faked"), std::string::npos);
    ASSERT_FALSE(cluster.layouts.empty());
    for (const Layout& layout : cluster.layouts) {
        EXPECT_LE(layout.nodes, static_cast<int>(cluster.hosts.size()));
        EXPECT_LE(layout.ppn, cluster.hosts[0].slots);
    }
}

TEST(Cluster, SaysThatItsHostsAreOneMachine) {
    EXPECT_EQ(cluster_of(good).note(), "");
    const Cluster cluster = changed("/one_machine", true);
    EXPECT_FALSE(cluster.is_faked());
    EXPECT_NE(cluster.note().find("The 4 nodes are one machine"), std::string::npos);
    EXPECT_EQ(cluster_from(CheckedJson(to_json(cluster), "manifest.json")), cluster);
}

// What the comment in launcher.cpp says about hydra: parents are hydra's proxies, one for each node
TEST(Cluster, HydraMapsRanksAsWanted) {
    const Cluster cluster = read_cluster(EXAMPLES "/hydra-fork.json");
    for (const Mapping mapping : {Mapping::block, Mapping::round_robin}) {
        const Command command = launch_command(cluster, cluster.networks[0], {3, 2, mapping},
                                               {"/bin/sh", "-c", "echo $PMI_RANK $PPID"});
        Process process(command, new_token());
        std::vector<int> parents(6, 0);
        int rank = 0;
        int parent = 0;
        for (std::string line; process.read_line(line, in_seconds(30)) == Process::Read::line;) {
            ASSERT_EQ(std::sscanf(line.c_str(), "%d %d", &rank, &parent), 2) << line;
            parents.at(static_cast<std::size_t>(rank)) = parent;
        }
        const auto is_together = [&](std::size_t a, std::size_t b) { return parents[a] == parents[b]; };
        EXPECT_EQ(is_together(0, 1), mapping == Mapping::block);
        EXPECT_EQ(is_together(2, 3), mapping == Mapping::block);
        EXPECT_EQ(is_together(0, 3), mapping == Mapping::round_robin);
        EXPECT_FALSE(is_together(0, 2));
    }
}

}  // namespace
