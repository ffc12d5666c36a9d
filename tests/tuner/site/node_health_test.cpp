// SPDX-License-Identifier: MIT
#include "node_health.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "run_folder.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;

TEST(NodeHealth, OfThisNodeSurvivesTheWay) {
    const TemporaryFolder folder;
    const FolderMarker marker(folder.path);
    const NodeHealth health = health_of_this_node({BENCHMARK, folder.path, marker.file()});
    EXPECT_EQ(health.benchmark_problem, "");
    EXPECT_EQ(health.benchmark_checksum.size(), 8u);
    EXPECT_TRUE(health.library.starts_with("MPICH Version:")) << health.library;
    EXPECT_EQ(health.library_checksum.size(), 8u);
    EXPECT_GT(health.work_us, 0);
    EXPECT_NEAR(health.clock, now_in_seconds(), 60);
    EXPECT_EQ(health.writing_problem, "");
    EXPECT_TRUE(health.sees_marker);
    EXPECT_EQ(to_json(health_from(to_json(health))), to_json(health));
    EXPECT_ANY_THROW(health_from(Json::object()));
}

TEST(NodeHealth, SaysWhatIsMissing) {
    const NodeHealth missing = health_of_this_node({"/no/such/bench", "/no/such/folder", "/no/such/marker"});
    EXPECT_CONTAINS(missing.benchmark_problem, "No such file or directory");
    EXPECT_EQ(missing.library_checksum, "");
    EXPECT_EQ(missing.writing_problem, "No such file or directory");
    EXPECT_FALSE(missing.sees_marker);
    const NodeHealth other = health_of_this_node({"/bin/false", "/", "/"});
    EXPECT_CONTAINS(other.benchmark_problem, "exit status 1");
}

}  // namespace
