// SPDX-License-Identifier: MIT
// What was proven is the same after it was written and read; proofs of sizes without a rule do not count.
#include "proofs.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "error.hpp"
#include "example_config.hpp"
#include "files.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;

const CellKey flat_bcast = {"eth", {4, 1, Mapping::block}, "bcast", ""};

Proof proof(const CellKey& cell, std::size_t bytes, const std::string& algorithm) {
    return {cell, bytes, algorithm, {1.5, {1.25, 1.75}}, 0.5, 0.001};
}

TEST(Proofs, AreTheSameAfterJson) {
    const std::vector<Proof> proofs = {
        proof(flat_bcast, 30000, "ring"),
        proof({"ib", {4, 2, Mapping::round_robin}, "allreduce", "sum"}, 8, "smp")};
    const Json json = to_json(proofs, {"a note"});
    EXPECT_EQ(json.at("notes"), Json::array({"a note"}));
    const std::vector<Proof> read = proofs_from(CheckedJson(json, "verification.json"));
    ASSERT_EQ(read.size(), 2u);
    for (std::size_t i = 0; i < read.size(); ++i) {
        EXPECT_EQ(read[i].cell, proofs[i].cell);
        EXPECT_EQ(read[i].bytes, proofs[i].bytes);
        EXPECT_EQ(read[i].algorithm, proofs[i].algorithm);
        EXPECT_EQ(read[i].ratio.ratio, 1.5);
        EXPECT_EQ(read[i].ratio.interval.low, 1.25);
        EXPECT_EQ(read[i].ratio.interval.high, 1.75);
        EXPECT_EQ(read[i].p_slower, 0.5);
        EXPECT_EQ(read[i].p_faster, 0.001);
    }
    EXPECT_EQ(to_json(read, {"a note"}), json);
}

TEST(Proofs, KeepTheRatiosOfJobsAndHowJobsDiffer) {
    Proof by_jobs = proof(flat_bcast, 30000, "ring");
    by_jobs.job_ratios = {1.25, 1.5, 1.75};
    by_jobs.in_a_row = models::Ratio{1.125, {1.0, 1.25}};
    by_jobs.arrivals["random:2"] = {0.875, {0.75, 1.0}};
    by_jobs.is_same = true;
    const JobVariances variances = {{0.0625, 30}, {0.25, 10}};
    const Json json = to_json({by_jobs}, {}, variances);
    const Proof read = proofs_from(CheckedJson(json, "verification.json")).at(0);
    EXPECT_EQ(read.job_ratios, by_jobs.job_ratios);
    ASSERT_TRUE(read.in_a_row);
    EXPECT_EQ(read.in_a_row->ratio, 1.125);
    EXPECT_EQ(read.in_a_row->interval.high, 1.25);
    ASSERT_TRUE(read.arrivals.contains("random:2"));
    EXPECT_EQ(read.arrivals.at("random:2").ratio, 0.875);
    EXPECT_EQ(read.arrivals.at("random:2").interval.low, 0.75);
    EXPECT_TRUE(read.is_same);
    const JobVariances read_variances = variances_from(CheckedJson(json, "verification.json"));
    EXPECT_DOUBLE_EQ(read_variances.of_sizes.variance, 0.0625);
    EXPECT_EQ(read_variances.of_rules.degrees_of_freedom, 10);
    Json old = json;
    old.erase("between_jobs");
    EXPECT_EQ(variances_from(CheckedJson(old, "verification.json")).of_sizes.variance,
              models::BetweenJobs().variance().variance);
    for (const char* wrong : {R"({"deviation": 0, "degrees_of_freedom": 4})", R"({"deviation": 1})"}) {
        Json damaged = json;
        damaged["between_jobs"]["sizes"] = Json::parse(wrong);
        EXPECT_THROW(variances_from(CheckedJson(damaged, "verification.json")), Error) << wrong;
    }
}

TEST(Proofs, OfADamagedFileAreAnErrorThatNamesThePlace) {
    const Json sound = to_json({proof(flat_bcast, 64, "ring")}, {});
    for (const char* change :
         {R"({"bytes": -1})", R"({"bytes": 1e308})", R"({"interval": [1]})", R"({"interval": 1})",
          R"({"p_slower": "x"})", R"({"nodes": 0})", R"({"operation": 3})", R"({"algorithm": ""})"}) {
        Json json = sound;
        json.at("proofs").at(0).update(Json::parse(change));
        try {
            proofs_from(CheckedJson(json, "verification.json"));
            ADD_FAILURE() << change << " was read";
        } catch (const Error& error) {
            EXPECT_TRUE(contains(error.what(), "verification.json, proofs[0].")) << error.what();
        }
    }
    Json list = sound;
    list["proofs"] = Json::array({Json::array()});
    EXPECT_THROW(proofs_from(CheckedJson(list, "verification.json")), Error);
}

TEST(Proofs, OfARunThatWasNotVerifiedAreNone) {
    const TemporaryFolder folder;
    const RunFiles files(folder.path.string());
    EXPECT_TRUE(proofs_of(files).empty());
    write_file_atomically(files.verification(), to_json({proof(flat_bcast, 64, "ring")}, {}).dump());
    EXPECT_EQ(proofs_in(files).size(), 1u);
    EXPECT_TRUE(proofs_of(files).empty()) << "no rules";
    Config config = example_config();
    config.verified = false;
    write_file_atomically(files.config(), to_json(config).dump());
    EXPECT_TRUE(proofs_of(files).empty()) << "other rules, which are not verified";
    config.verified = true;
    write_file_atomically(files.config(), to_json(config).dump());
    EXPECT_EQ(proofs_of(files).size(), 1u) << "of an older version";
    config.verification_checksum = checksum_of_text(read_file(files.verification()));
    write_file_atomically(files.config(), to_json(config).dump());
    EXPECT_EQ(proofs_of(files).size(), 1u);
    write_file_atomically(files.verification(), to_json({proof(flat_bcast, 72, "ring")}, {}).dump());
    EXPECT_TRUE(proofs_of(files).empty()) << "proofs of other rules";
}

// The example has bcast from 20000 bytes on, 4x1: scatter_ring_allgather
TEST(Proofs, CountWhereTheirRuleHolds) {
    const std::vector<Proof> proofs = {
        proof(flat_bcast, 30000, "scatter_ring_allgather"),
        proof(flat_bcast, 19999, "scatter_ring_allgather"),  // below the rule
        proof(flat_bcast, 30000, "binomial"),                // another algorithm
        proof({"ib", flat_bcast.layout, "bcast", ""}, 30000, "scatter_ring_allgather")};
    EXPECT_EQ(proofs_that_count(example_config(), proofs), std::vector<const Proof*>{&proofs[0]});
    Config config = example_config();
    for (Rule& rule : config.rules) {
        rule.where = {};  // ranges count, too, on each of their layouts
    }
    EXPECT_EQ(proofs_that_count(config, proofs), std::vector<const Proof*>{&proofs[0]});
}

}  // namespace
