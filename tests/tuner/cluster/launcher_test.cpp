// SPDX-License-Identifier: MIT
// The table of launchers: each row makes a command with the hosts, the ranks and the program in it.
#include "launcher.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace tuner;

TEST(Launchers, AreFoundByTheirNames) {
    ASSERT_GE(launcher_names().size(), 6u);
    for (const std::string& name : launcher_names()) {
        EXPECT_EQ(find_launcher(name)->name, name);
    }
}

TEST(Launchers, PutTheProgramLastAndNameEachHost) {
    const Network network = {"eth", {{"X", "1"}}, {}, "", ""};
    for (const std::string& name : launcher_names()) {
        const LauncherKind* kind = find_launcher(name);
        if (!kind->arguments) {
            continue;  // a template is tested by itself
        }
        Cluster cluster;
        cluster.launcher = kind;
        cluster.mpiexec = "start";
        const Command command =
            command_on(cluster, {{"a", "b"}, {2, 2, Mapping::block}, network}, {"program", "--option"});
        ASSERT_GE(command.arguments.size(), 4u) << name;
        EXPECT_EQ(command.arguments.front(), "start") << name;
        EXPECT_EQ(command.arguments.back(), "--option") << name;
        const std::string text = to_shell(command);
        EXPECT_NE(text.find("a"), std::string::npos) << name;
        EXPECT_NE(text.find("X=1"), std::string::npos) << name << ": the variable of the network";
    }
}

TEST(Launchers, FakedNodesAreOnThisMachine) {
    EXPECT_TRUE(find_launcher("hydra-fork")->is_local);
    EXPECT_FALSE(find_launcher("hydra")->is_local);
}

TEST(JoinedHosts, HaveTheirSlots) {
    const Network network;
    EXPECT_EQ(joined_hosts({{"a", "b"}, {2, 2}, network}), "a:2,b:2");
    EXPECT_EQ(joined_hosts({{"a", "b", "c"}, {3, 4, Mapping::block, 3}, network}), "a:4,b:4,c:1");
}

TEST(HostsOfRanks, AreInTheOrderOfRanks) {
    const Network network;
    using Names = std::vector<std::string>;
    EXPECT_EQ(hosts_of_ranks({{"a", "b"}, {2, 2, Mapping::block, 1}, network}), (Names{"a", "a", "b"}));
    EXPECT_EQ(hosts_of_ranks({{"a", "b"}, {2, 3, Mapping::round_robin, 2}, network}),
              (Names{"a", "b", "a", "a"}));
}

TEST(Launchers, SayWhichLayoutsTheyCannotStart) {
    Cluster cluster;
    for (const std::string& name : launcher_names()) {
        cluster.launcher = find_launcher(name);
        if (!cluster.launcher->arguments) {
            continue;  // a template is tested by itself
        }
        const bool is_hydra = name.starts_with("hydra");
        EXPECT_EQ(launching_problem(cluster, {2, 3, Mapping::block, 2}), "") << name;
        EXPECT_EQ(launching_problem(cluster, {2, 3, Mapping::round_robin, 1}), "") << name;
        const std::string problem = launching_problem(cluster, {2, 3, Mapping::round_robin, 2});
        EXPECT_EQ(problem.find(name + " cannot start the layout 2x3-2 round-robin") == 0, is_hydra)
            << problem;
        EXPECT_EQ(problem.find("write \"ranks\": 5, or") != std::string::npos, is_hydra) << problem;
    }
}

}  // namespace
