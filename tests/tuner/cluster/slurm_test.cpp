// SPDX-License-Identifier: MIT
// Allocations as Slurm's variables describe them, with made-up answers of its programs (fake-scontrol); the
// tests of the label `slurm` have the real ones.
#include "slurm.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "cluster_file.hpp"
#include "contains.hpp"
#include "error.hpp"

namespace {

using namespace tuner;

class Slurm : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = testing::TempDir() + "slurm-XXXXXX";
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder = name;
        for (const char* program : {"scontrol", "squeue"}) {
            std::filesystem::create_symlink(FAKE_SCONTROL, folder / program);
        }
        setenv("PATH", (folder.string() + ":" + path).c_str(), 1);
        unsetenv("FAKE_RUNNING");
        unsetenv("FAKE_MACHINES");
        set("42", "cn[1-3]", "2(x3)", "4(x3)");
    }
    void TearDown() override {
        setenv("PATH", path.c_str(), 1);
        set("", "", "", "");
        std::filesystem::remove_all(folder);
    }
    static void set(const char* job, const char* list, const char* tasks, const char* processors) {
        setenv("SLURM_JOB_ID", job, 1);
        setenv("SLURM_JOB_NODELIST", list, 1);
        setenv("SLURM_TASKS_PER_NODE", tasks, 1);
        setenv("SLURM_JOB_CPUS_PER_NODE", processors, 1);
    }
    static std::string problem() {
        try {
            slurm_allocation();
        } catch (const Error& error) {
            return error.what();
        }
        return "none";
    }
    static Allocation here() { return slurm_allocation().value(); }

    const std::string path = getenv("PATH");
    std::filesystem::path folder;
};

TEST_F(Slurm, IsNothingOutside) {
    set("", "", "", "");
    EXPECT_FALSE(slurm_allocation());
    EXPECT_FALSE(is_allocation_over());
}

TEST_F(Slurm, ReadsHostsAndSlots) {
    EXPECT_EQ(here().job, "42");
    EXPECT_EQ(here().hosts, (std::vector<Host>{{"cn1", 2}, {"cn2", 2}, {"cn3", 2}}));
    EXPECT_EQ(to_string(here()), "Slurm job 42: 3 nodes (cn1 ... cn3), up to 2 ranks on each");
    set("42", "cn[1-3]", "2(x2),1", "4(x3)");
    EXPECT_EQ(here().hosts, (std::vector<Host>{{"cn1", 2}, {"cn2", 2}, {"cn3", 1}}));
    EXPECT_EQ(to_string(here()), "Slurm job 42: 3 nodes (cn1 ... cn3), up to 1 to 2 ranks on each");
    set("42", "cn7", "1", "1");
    EXPECT_EQ(to_string(here()), "Slurm job 42: 1 node (cn7), up to 1 rank on each");
}

TEST_F(Slurm, TakesProcessorsWhereTasksTellOfAStep) {
    set("42", "cn[1-3]", "1", "4(x3)");
    EXPECT_EQ(here().hosts, (std::vector<Host>{{"cn1", 4}, {"cn2", 4}, {"cn3", 4}}));
}

TEST_F(Slurm, SaysWhatIsNotClear) {
    set("42", "cn[1-3]", "1", "1");
    EXPECT_CONTAINS(problem(), "SLURM_TASKS_PER_NODE='1', SLURM_JOB_CPUS_PER_NODE='1'; name the hosts");
    for (const char* text : {"2(x3", "2x3", "0(x3)", "2(x0)", "-2", "two", "2,,2", "2(x3)x"}) {
        set("42", "cn[1-3]", text, "1");
        EXPECT_CONTAINS(problem(), "which is not a list such as 2(x3),1") << text;
    }
    set("42", "cn[4-5]", "2(x3)", "1");
    EXPECT_CONTAINS(problem(), "'scontrol show hostnames cn[4-5]' gives no name");
    set("42", "hostile", "2", "2");
    EXPECT_CONTAINS(problem(), "printed '-oProxyCommand=id', which is not a host name; run it by hand");
}

TEST_F(Slurm, KnowsNodesThatAreOneMachine) {
    EXPECT_FALSE(here().is_one_machine);  // Slurm does not say
    setenv("FAKE_MACHINES", "a a a", 1);
    EXPECT_TRUE(here().is_one_machine);
    setenv("FAKE_MACHINES", "a b c", 1);
    EXPECT_FALSE(here().is_one_machine);
}

TEST_F(Slurm, KnowsWhenItIsOver) {
    EXPECT_TRUE(is_allocation_over());
    setenv("FAKE_RUNNING", "yes", 1);
    EXPECT_FALSE(is_allocation_over());
}

TEST_F(Slurm, BecomesACluster) {
    const Cluster cluster = cluster_on(here());
    EXPECT_EQ(cluster.hosts, here().hosts);
    EXPECT_EQ(cluster.layouts, (std::vector<Layout>{{1, 2}, {3, 1}, {3, 2}}));
    EXPECT_TRUE(cluster.is_allocated);
    EXPECT_FALSE(cluster.is_faked());
    EXPECT_CONTAINS(to_shell(launch_command(cluster, cluster.networks[0], cluster.layouts[2], {"/b"})),
                    "-launcher slurm -hosts cn1:2,cn2:2,cn3:2 -n 6 /b");
    set("42", "cn7", "2", "2");
    EXPECT_EQ(cluster_on(here()).layouts, (std::vector<Layout>{{1, 2, Mapping::block}}));
    set("42", "cn7", "1", "1");
    EXPECT_THROW(cluster_on(here()), Error);
}

TEST_F(Slurm, GivesItsHostsToAClusterFile) {
    const auto read = [](const std::string& text) {
        return cluster_from(CheckedJson::parse(text, "c.json"));
    };
    const std::string file = R"({"hosts_from": "slurm", "launcher": {"kind": "slurm"},
                                 "layouts": [{"nodes": 3, "ppn": 2}]})";
    EXPECT_EQ(read(file).hosts, here().hosts);
    EXPECT_EQ(read(R"({"hosts_from": "slurm"})").layouts.size(), 3u);
    set("", "", "", "");
    try {
        read(file);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_CONTAINS(error.what(),
                        "c.json, hosts_from: this process is not inside an allocation of Slurm");
    }
}

TEST_F(Slurm, MovesARunToAnotherAllocation) {
    const Cluster before = cluster_on(here());
    const Cluster known = cluster_from(CheckedJson(to_json(before), "manifest.json"));
    EXPECT_EQ(known, before);
    Allocation other = here();
    other.hosts = {{"cn8", 2}, {"cn9", 2}, {"cn10", 2}};
    EXPECT_EQ(moved_to(known, other).hosts, other.hosts);
    EXPECT_EQ(moved_to(known, other).layouts, before.layouts);
    other.hosts.pop_back();
    try {
        moved_to(known, other);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        EXPECT_CONTAINS(error.what(), "too small for the layout 3x1 of this run; ask for --nodes=3");
    }
}

}  // namespace
