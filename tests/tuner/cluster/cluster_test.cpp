// SPDX-License-Identifier: MIT
// Every launcher's command line, and what hydra makes of its own.
#include "cluster.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "cluster_texts.hpp"
#include "error.hpp"
#include "extent.hpp"
#include "process.hpp"

namespace {

using namespace cluster_texts;

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

TEST(Cluster, WritesCommandLinesOfUnevenLayouts) {
    const std::vector<std::string> program = {"/b"};
    const Layout block = {3, 2, Mapping::block, 1};
    const Layout cyclic = {3, 2, Mapping::round_robin, 1};
    const std::string mpiexec = MPIEXEC;

    Cluster cluster = cluster_of(good);
    EXPECT_EQ(to_shell(launch_command(cluster, cluster.networks[1], block, program)),
              mpiexec + " -hosts n1:2,n2:2,n3:1 -n 5 /b");
    EXPECT_EQ(to_shell(launch_command(cluster, cluster.networks[1], cyclic, program)),
              mpiexec + " -hosts n1:1,n2:1,n3:1 -n 5 /b");
    cluster.changeover = "/c";
    EXPECT_EQ(to_shell(reap_command(cluster, cluster.networks[1], block, "t")),
              mpiexec + " -hosts n1:1,n2:1,n3:1 -n 3 /c reap t");
    EXPECT_THROW(launch_command(cluster, cluster.networks[1], {2, 3, Mapping::round_robin, 2}, program),
                 Error);

    cluster = read_cluster(EXAMPLES "/openmpi.json");
    cluster.hosts = {{"c01", 2}, {"c02", 2}, {"c03", 1}};
    EXPECT_NE(to_shell(launch_command(cluster, cluster.network("ethernet"), block, program))
                  .find(" --host c01:2,c02:2,c03:1 -np 5 --map-by slot "),
              std::string::npos);
    EXPECT_NE(to_shell(launch_command(cluster, cluster.network("ethernet"), cyclic, program))
                  .find(" --host c01:2,c02:2,c03:1 -np 5 --map-by node "),
              std::string::npos);

    cluster = read_example("hydra-slurm");
    EXPECT_NE(to_shell(launch_command(cluster, cluster.network("ipoib"), block, program))
                  .find(" -launcher slurm -hosts cn001:2,cn002:2,cn003:1 -n 5 /b"),
              std::string::npos);

    cluster = read_example("slurm");
    EXPECT_NE(to_shell(launch_command(cluster, cluster.network("slingshot"), block, program))
                  .find(" --nodes=3 --ntasks=5 "
                        "--nodelist=cn001,cn001,cn002,cn002,cn003 --distribution=arbitrary "),
              std::string::npos);
    EXPECT_NE(to_shell(launch_command(cluster, cluster.network("slingshot"), cyclic, program))
                  .find("--nodelist=cn001,cn002,cn003,cn001,cn002 --distribution=arbitrary "),
              std::string::npos);
}

TEST(Cluster, TakesAHostWithFewerSlotsForTheLastNode) {
    const std::vector<Host> hosts = {{"a", 1}, {"b", 2}, {"c", 4}};
    using Names = std::vector<std::string>;
    EXPECT_EQ(hosts_for(hosts, {3, 2, Mapping::block, 1}), (Names{"b", "c", "a"}));
    EXPECT_EQ(hosts_for(hosts, {2, 2, Mapping::block, 1}), (Names{"b", "a"}));
    EXPECT_EQ(hosts_for(hosts, {2, 4, Mapping::block, 2}), (Names{"c", "b"}));
    EXPECT_EQ(hosts_for(hosts, {1, 3}), (Names{"c"}));
    EXPECT_FALSE(have_room(hosts, {3, 2}));
    EXPECT_FALSE(have_room(hosts, {3, 3, Mapping::block, 1}));
    EXPECT_FALSE(have_room(hosts, {2, 4, Mapping::block, 1}));
}

TEST(Cluster, TakesHostsWithEnoughSlots) {
    Cluster cluster = cluster_of(good);
    cluster.hosts[0].slots = 1;
    const Command command = launch_command(cluster, cluster.networks[1], {2, 2, Mapping::block}, {"/b"});
    EXPECT_NE(to_shell(command).find("-hosts n2:2,n3:2"), std::string::npos);
}

TEST(Cluster, ThisMachineIsOneNode) {
    const Cluster cluster = this_machine();
    ASSERT_EQ(cluster.hosts.size(), 1u);
    EXPECT_EQ(cluster.hosts[0].slots, std::max(2, static_cast<int>(std::thread::hardware_concurrency())));
    EXPECT_EQ(cluster.layouts, corner_layouts({1, cluster.hosts[0].slots}));
    EXPECT_TRUE(cluster.note().starts_with("One node, this machine")) << cluster.note();
    EXPECT_EQ(this_machine({16, 0}).hosts[0].slots, 16) << "also more than cores";
}

TEST(Cluster, NodesOfThisMachineCanBeFaked) {
    const Cluster cluster = this_machine({0, 4});
    EXPECT_TRUE(cluster.is_faked());
    EXPECT_EQ(cluster.hosts.size(), 4u);
    EXPECT_NE(cluster.note().find("The 4 nodes are faked"), std::string::npos);
    ASSERT_FALSE(cluster.layouts.empty());
    for (const Layout& layout : cluster.layouts) {
        EXPECT_LE(layout.nodes, 4);
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
    const Layout layouts[] = {{3, 2},
                              {3, 2, Mapping::round_robin},
                              {3, 2, Mapping::block, 1},
                              {3, 2, Mapping::round_robin, 1},
                              {2, 2, Mapping::block, 1}};
    for (const Layout& layout : layouts) {
        const Command command =
            launch_command(cluster, cluster.networks[0], layout, {"/bin/sh", "-c", "echo $PMI_RANK $PPID"});
        Process process(command, new_token());
        const auto ranks = static_cast<std::size_t>(layout.ranks());
        std::vector<int> parents(ranks, 0);
        int rank = 0;
        int parent = 0;
        for (std::string line; process.read_line(line, in_seconds(30)) == Process::Read::line;) {
            ASSERT_EQ(std::sscanf(line.c_str(), "%d %d", &rank, &parent), 2) << line;
            parents.at(static_cast<std::size_t>(rank)) = parent;
        }
        const std::vector<int> nodes = placement_of(layout).node_of_rank;
        for (std::size_t a = 0; a < ranks; ++a) {
            for (std::size_t b = 0; b < ranks; ++b) {
                EXPECT_EQ(parents[a] == parents[b], nodes[a] == nodes[b])
                    << to_string(layout) << ", ranks " << a << " and " << b;
            }
        }
    }
}

}  // namespace
