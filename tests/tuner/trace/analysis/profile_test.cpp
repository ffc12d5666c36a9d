// SPDX-License-Identifier: MIT
// What a configuration would gain for the calls of a trace, and the plan that they need.
#include "profile.hpp"

#include <gtest/gtest.h>

#include "error.hpp"
#include "files.hpp"
#include "made_up_trace.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;
using namespace tuner::trace;

const tuner::Layout four_by_two = {4, 2, Mapping::block};

// Rank 5 is late before each broadcast; the allreduce is heavy
struct Program {
    TemporaryFolder folder;
    std::unique_ptr<LoadedTrace> loaded;

    Program() {
        made_up::World world;
        world.late_rank = 5;
        made_up::Recorder recorder(world);
        for (int i = 0; i < 20; ++i) {
            recorder.call("allreduce", "recursive_doubling", 1 << 20);
            recorder.call("allgather", "ring", 16384);
        }
        recorder.call("barrier", "dissemination", 8);
        const std::string prefix = (folder.path / "t").string();
        recorder.write(prefix);
        loaded = std::make_unique<LoadedTrace>(prefix);
    }
    const Kind& kind(const std::string& collective) const {
        for (const Kind& kind : loaded->analysis.kinds) {
            if (kind.key.collective == collective) {
                return kind;
            }
        }
        throw std::out_of_range(collective);
    }
};

CaseRecord measured(const std::string& algorithm, std::size_t bytes, double median) {
    CaseRecord record;
    record.stage = Stage::search;
    record.network = "eth";
    record.layout = four_by_two;
    record.collective = "allreduce";
    record.operation = "sum";
    record.datatype = "float";
    record.algorithm = record.used = algorithm;
    record.bytes = bytes;
    record.status = Status::measured;
    for (int i = -5; i <= 5; ++i) {
        record.samples_seconds.push_back(median * (1 + 0.001 * i));
    }
    return record;
}

// A run that measured 512 KiB and 2 MiB, where the other algorithm takes 60% of the time
std::string tuned_run(const TemporaryFolder& folder) {
    const std::string path = (folder.path / "run").string();
    Manifest manifest;
    manifest.plan = to_json(plan_named("quick"));
    Journal journal = Journal::create(path, manifest);
    for (const std::size_t bytes : {std::size_t{1} << 19, std::size_t{1} << 21}) {
        std::vector<CaseRecord> group = {
            measured("recursive_doubling", bytes, 1e-8 * static_cast<double>(bytes)),
            measured("reduce_scatter_allgather", bytes, 0.6e-8 * static_cast<double>(bytes))};
        journal.append(group);
    }
    Config config;
    Rule rule;
    rule.network = "eth";
    rule.where = LayoutRange::exactly(four_by_two);
    rule.collective = "allreduce";
    rule.operation = built_in_operation;
    rule.from_bytes = 1 << 19;
    rule.to_bytes = 1 << 21;
    rule.algorithm = "reduce_scatter_allgather";
    rule.basis = "measured";
    rule.verified_gain = 0.5;
    config.rules = {rule};
    write_file_atomically(path + "/config.json", to_json(config).dump());
    return path;
}

TEST(TraceProfile, FindsTheImbalanceAndTheHeavyCall) {
    const Program program;
    const Analysis& analysis = program.loaded->analysis;
    EXPECT_EQ(analysis.kinds.front().key.collective, "allreduce");
    ASSERT_NE(analysis.late_rank(), nullptr);
    EXPECT_EQ(analysis.late_rank()->rank, 5);
}

TEST(TraceProfile, GainOfTheseCalls) {
    const Program program;
    const TemporaryFolder folder;
    KnownRun run(tuned_run(folder), "");
    const Gains gains = gains_of(program.loaded->analysis, run);
    double inside = 0;
    for (const KindGain& gain : gains.kinds) {
        if (gain.kind->key.collective == "allreduce") {
            EXPECT_EQ(gain.tuned, "reduce_scatter_allgather");
            EXPECT_EQ(gain.basis, "measured");
            EXPECT_NEAR(gain.gain_seconds, 0.4 * gain.seconds, 0.01 * gain.seconds);
            inside = gain.seconds;
        } else {
            EXPECT_EQ(gain.gain_seconds, 0);
            EXPECT_TRUE(gain.basis.starts_with("unknown")) << gain.basis;
        }
    }
    EXPECT_NEAR(gains.gain_seconds, 0.4 * inside, 0.01 * inside);
    EXPECT_EQ(gains.known_seconds, inside);
    // waiting for rank 5 is not in it
    EXPECT_LT(inside, 20 * median_of(program.kind("allreduce").whole_seconds));
    EXPECT_NE(to_text(gains, 1).find("reduce_scatter_allgather"), std::string::npos);
    EXPECT_EQ(to_json(gains).at("calls").size(), 3U);
}

// The benchmark's times include how its ranks come to a call one after another, and so do these calls' then;
// but not what a rank is late by beyond that
TEST(TraceProfile, CallsAreTimedAsByTheBenchmark) {
    const Program program;
    const TemporaryFolder folder;
    KnownRun run(tuned_run(folder), "");
    const Kind& kind = program.kind("allreduce");
    const double inside = median_of(kind.seconds);
    const double whole = median_of(kind.whole_seconds);
    ASSERT_GT(whole, 1.1 * inside);
    const auto gain_with = [&](double now_seconds) {
        for (auto& [key, cell] : run.cells) {
            for (auto& [bytes, times] : cell.times) {
                for (auto& [algorithm, time] : times) {
                    time.time.median_seconds = now_seconds * (algorithm == "recursive_doubling" ? 1 : 0.6);
                }
            }
        }
        return gains_of(program.loaded->analysis, run).kinds.front().gain_seconds / 20;
    };
    EXPECT_NEAR(gain_with(0.5 * inside), 0.4 * inside, 0.01 * inside);
    EXPECT_NEAR(gain_with((inside + whole) / 2), 0.2 * (inside + whole), 0.01 * inside);
    EXPECT_NEAR(gain_with(2 * whole), 0.4 * whole, 0.01 * inside);
}

TEST(TraceProfile, NoGainWhereTheRuleIsInUse) {
    const Program program;
    const TemporaryFolder folder;
    KnownRun run(tuned_run(folder), "eth");
    run.config.rules[0].algorithm = "recursive_doubling";
    EXPECT_EQ(gains_of(program.loaded->analysis, run).gain_seconds, 0);
    EXPECT_THROW(KnownRun(folder.path / "run", "no such network"), Error);
}

TEST(TraceProfile, PlanHasWhatTheProgramUses) {
    const Program program;
    std::vector<std::string> notes;
    const Plan plan = plan_for(plan_named("quick"), program.loaded->analysis, notes);
    ASSERT_EQ(plan.collectives.size(), 2U);  // bcast and alltoall are not used, the barrier takes no time
    EXPECT_EQ(plan.collectives[0].name, "allreduce");
    EXPECT_EQ(plan.collectives[0].min_bytes, 1U << 19);
    EXPECT_EQ(plan.collectives[0].max_bytes, 1U << 21);
    EXPECT_EQ(plan.collectives[1].name, "allgather");
    EXPECT_EQ(plan.collectives[1].min_bytes, 8192U);
    EXPECT_TRUE(plan.arrivals.empty());
    EXPECT_EQ(models::to_string(plan.mix), "recorded");
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_TRUE(
        notes.front().starts_with("algorithms are measured with ranks that arrive as in the profile"));
    notes.clear();
    // it can be written to a run and read back
    EXPECT_EQ(plan_from(CheckedJson(to_json(plan), "plan")), plan);
    Plan other = plan_named("quick");
    std::erase_if(other.collectives, [](const PlannedCollective& c) { return c.name == "allreduce"; });
    plan_for(other, program.loaded->analysis, notes);
    EXPECT_EQ(notes.size(), 2U);
    other.collectives.resize(1);
    EXPECT_THROW(plan_for(other, program.loaded->analysis, notes), Error);
}

TEST(TraceProfile, LayoutsOfTheProgram) {
    const Program program;
    std::vector<std::string> notes;
    EXPECT_EQ(layouts_for({{4, 1}, {4, 2}}, program.loaded->analysis, notes),
              std::vector<tuner::Layout>{four_by_two});
    EXPECT_TRUE(notes.empty());
    EXPECT_EQ(layouts_for({{8, 1}}, program.loaded->analysis, notes).size(), 1U);
    EXPECT_EQ(notes.size(), 1U);
}

}  // namespace
