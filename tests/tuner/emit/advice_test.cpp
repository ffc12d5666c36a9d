// SPDX-License-Identifier: MIT
// Where no rule covers a call: why, and what would measure it.
#include "advice.hpp"

#include <gtest/gtest.h>

#include "cluster_file.hpp"
#include "emitted_text.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;

// Broadcasts of 1 KiB and 64 KiB on 4x2, for the rules of example_config
class AdviceTest : public testing::Test {
  protected:
    void write_run(std::vector<std::string> command_line, double budget = 0) const {
        const Json cluster = {{"hosts", {{{"name", "n[1-8]"}, {"slots", 4}}}},
                              {"networks", {{{"name", "eth"}}}},
                              {"layouts", {{{"nodes", 4}, {"ppn", 2}}, {{"nodes", 2}, {"ppn", 1}}}}};
        Plan plan = plan_named("quick");
        plan.budget_seconds = budget;
        plan.collectives = {{"bcast", "", "", 1024, 65536}, {"allgather", "", "", 1024, 65536}};
        Manifest manifest;
        manifest.command_line = std::move(command_line);
        manifest.cluster = to_json(cluster_from(CheckedJson(cluster, "test")));
        manifest.plan = to_json(plan);
        Journal journal = Journal::create(folder(), manifest);
        for (const std::size_t bytes : {1024, 65536}) {
            std::vector<CaseRecord> group = {record(bytes, default_algorithm, 1.0),
                                             record(bytes, "smp", 0.9)};
            journal.append(group);
        }
    }
    Advice advice(const std::string& collective, const Layout& layout, std::size_t bytes) const {
        const Config config = example_config();
        const SavedRun run(folder());
        return advice_for(explain(config, {"eth", collective, layout, bytes}), &run).value();
    }
    std::string folder() const { return (work_.path / "run").string(); }

  private:
    static CaseRecord record(std::size_t bytes, const std::string& algorithm, double factor) {
        CaseRecord record;
        record.stage = Stage::search;
        record.network = "eth";
        record.layout = {4, 2};
        record.collective = "bcast";
        record.bytes = bytes;
        record.algorithm = algorithm;
        record.status = Status::measured;
        for (int i = 0; i < 40; ++i) {
            record.samples_seconds.push_back(1e-4 * factor * (1 + 0.001 * (i % 7)));
        }
        return record;
    }
    TemporaryFolder work_;
};

TEST_F(AdviceTest, AddThisLayout) {
    write_run({"changeover", "tune", "--cluster", "my cluster.json", "--plan=quick"});
    const Advice answer = advice("bcast", {8, 2}, 65536);
    EXPECT_EQ(answer.why, "nothing was measured on eth 8x2");
    EXPECT_EQ(
        answer.steps,
        (std::vector<std::string>{
            R"(add this layout: in my cluster.json, "layouts": [{"nodes": 4, "ppn": 2}, {"nodes": 2, "ppn": 1}, {"nodes": 8, "ppn": 2}])",
            "changeover tune --cluster 'my cluster.json' --plan quick --run " + folder() + "-8x2"}));
    EXPECT_EQ(to_text(answer), "  no rule: nothing was measured on eth 8x2\n    " + answer.steps[0] +
                                   "\n    " + answer.steps[1] + "\n");
}

TEST_F(AdviceTest, AnUnevenLayoutForMoreHostsThanThereAre) {
    write_run({"changeover", "tune"});
    const Advice answer = advice("bcast", {16, 2, Mapping::round_robin, 1}, 65536);
    ASSERT_EQ(answer.steps.size(), 5U);
    EXPECT_EQ(answer.steps[1], "changeover init -o cluster.json") << "there was no cluster file";
    EXPECT_EQ(answer.steps[2],
              R"(add hosts with 2 or more slots to "hosts" of cluster.json: it has 8, 16 are needed)");
    EXPECT_TRUE(
        contains(answer.steps[3], R"({"nodes": 16, "ppn": 2, "ranks": 31, "mapping": "round-robin"}])"));
    EXPECT_EQ(answer.steps[4],
              "changeover tune --cluster cluster.json --run " + folder() + "-16x2-1-round-robin");
}

TEST_F(AdviceTest, ALayoutThatIsPlannedIsMeasuredByResuming) {
    write_run({"changeover", "tune"}, 60);
    const Advice answer = advice("bcast", {2, 1}, 65536);
    EXPECT_EQ(answer.why, "nothing has been measured on eth 2x1 yet");
    EXPECT_EQ(answer.steps.back(), "changeover tune --run " + folder() + " --budget 120s");
    EXPECT_TRUE(
        contains(advice("allgather", {4, 2}, 1024).why, "allgather has not been measured on eth 4x2 yet"));
}

TEST_F(AdviceTest, ACollectiveOutsideOfThePlan) {
    write_run({"changeover", "tune", "--collectives", "bcast,allgather"});
    const Advice answer = advice("gather", {4, 2}, 1024);
    EXPECT_EQ(answer.why, "gather is not in the plan of this run");
    EXPECT_EQ(answer.steps.back(), "changeover tune --collectives gather --run " + folder() + "-gather");
}

TEST_F(AdviceTest, ASizeBeyondWhatWasMeasured) {
    write_run({"changeover", "tune"});
    const Config none;
    const SavedRun run(folder());
    const Advice answer = advice_for(explain(none, {"eth", "bcast", {4, 2}, 1 << 20}), &run).value();
    EXPECT_EQ(answer.why, "bcast was measured here from 1Ki to 64Ki bytes only");
    EXPECT_TRUE(
        contains(answer.steps.front(), R"({"name": "bcast", "max_bytes": 1048576} of "collectives")"));
}

TEST_F(AdviceTest, AMeasuredSizeSaysWhatWasFound) {
    write_run({"changeover", "tune"});
    const Advice answer = advice("bcast", {4, 2}, 50000);
    EXPECT_TRUE(
        contains(answer.why,
                 "no algorithm was proven to be faster than the default at this size (the best other one at "
                 "64Ki bytes, smp: +11.1%, 99% interval +"));
    EXPECT_TRUE(answer.steps.empty());
}

TEST_F(AdviceTest, OfRulesOnly) {
    const Config config = example_config();
    EXPECT_FALSE(advice_for(explain(config, {"", "bcast", {4, 1}, 20000}), nullptr)) << "there is a rule";
    EXPECT_TRUE(to_json(std::optional<Advice>()).is_null());
    const Advice other = advice_for(explain(config, {"", "bcast", {8, 2}, 20000}), nullptr).value();
    EXPECT_EQ(other.steps.front(),
              R"(add this layout: {"nodes": 8, "ppn": 2} in "layouts" of the cluster file, and tune again)");
    const Advice same = advice_for(explain(config, {"", "bcast", {4, 1}, 1}), nullptr).value();
    EXPECT_TRUE(contains(same.steps.front(), "explain --run DIR"));
}

}  // namespace
