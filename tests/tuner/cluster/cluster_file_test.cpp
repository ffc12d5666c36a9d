// SPDX-License-Identifier: MIT
// Cluster files: every mistake is named, what is there is read, and a manifest keeps all of it.
#include "cluster_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "cluster_texts.hpp"
#include "error.hpp"
#include "mpi_library.hpp"

namespace {

using namespace cluster_texts;

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
     "hydra-slurm, openmpi, slurm, simulated, template"},
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
    {"/layouts/0/ranks", 2,
     "c.json, layouts[0].ranks: 2 ranks do not fit 2 nodes of 2, of which only the last can have fewer; "
     "write 3 to 4"},
    {"/layouts/0/ranks", 5,
     "c.json, layouts[0].ranks: 5 ranks do not fit 2 nodes of 2, of which only the last can have fewer; "
     "write 3 to 4"},
    {"/layouts/0/ranks", "3", "c.json, layouts[0].ranks: \"3\" is not allowed here; write an integer"},
    {"/layouts/0",
     {{"nodes", 4}, {"ppn", 3}, {"ranks", 10}},
     "c.json, layouts[0].ppn: the layout needs 4 hosts with 3 slots (the last one: 1), but there are 0;"},
    {"/layouts/0",
     {{"nodes", 1}, {"ppn", 2}, {"ranks", 1}},
     "c.json, layouts[0]: a layout needs at least 2 ranks"},
};

TEST(ClusterFile, NamesEveryMistake) {
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

TEST(ClusterFile, ReadsWhatIsThere) {
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

TEST(ClusterFile, ReadsHowManyRanksAnUnevenLayoutHas) {
    const Cluster cluster = changed("/layouts/1", {{"nodes", 4}, {"ppn", 2}, {"ranks", 7}});
    EXPECT_EQ(cluster.layouts[1], (Layout{4, 2, Mapping::block, 1})) << "the host m has one slot";
    EXPECT_EQ(cluster_from(CheckedJson(to_json(cluster), "manifest.json")), cluster);
    EXPECT_EQ(changed("/layouts/0/ranks", 4), cluster_of(good)) << "all ranks";
}

TEST(ClusterFile, NamesALayoutThatTheLauncherCannotStart) {
    Json json = Json::parse(good);
    json["hosts"][0]["slots"] = 4;
    json["layouts"][2] = {{"nodes", 2}, {"ppn", 3}, {"ranks", 4}, {"mapping", "round-robin"}};
    try {
        cluster_of(json.dump());
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        EXPECT_NE(std::string(error.what()).find("layouts: hydra cannot start the layout 2x3-2 round-robin"),
                  std::string::npos)
            << error.what();
    }
}

TEST(ClusterFile, ARangeKeepsItsZeros) {
    EXPECT_EQ(changed("/hosts/0/name", "n[08-10]").hosts[0].name, "n08");
    EXPECT_EQ(changed("/hosts/0/name", "n[08-10]").hosts[2].name, "n10");
    EXPECT_EQ(changed("/hosts/0/name", "n[8-10]-x").hosts[1].name, "n9-x");
}

TEST(ClusterFile, TakesTheBenchmarkOfItsLibrary) {
    for (const MpiLibrary& library : mpi_libraries()) {
        const std::string file = beside_this_program(library.benchmark);
        Json json = Json::parse(good);
        const std::string family = library.family;
        json["launcher"] = {{"kind", family == "mpich" ? "hydra" : family}};
        json.erase("networks");  // not every launcher has them all
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

TEST(ClusterFile, SurvivesTheWayThroughAManifest) {
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

TEST(ClusterFile, HasAnExampleForEachLauncher) {
    for (const char* name : {"hydra", "hydra-fork", "hydra-slurm", "openmpi", "slurm", "template"}) {
        EXPECT_EQ(to_json(read_example(name))["launcher"]["kind"], name);
    }
    EXPECT_EQ(read_cluster(EXAMPLES "/hydra-fork.json").name, "hydra-fork");
}

}  // namespace
