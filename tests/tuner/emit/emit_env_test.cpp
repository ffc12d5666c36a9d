// SPDX-License-Identifier: MIT
// Emitted thresholds choose what the rules say, and nothing else than the default where they say nothing.
#include "emit.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <random>

#include "decide.hpp"
#include "emitted_text.hpp"
#include "lab_allgather.hpp"
#include "small_disk.hpp"
#include "thresholds.hpp"

namespace {

using namespace tuner;

std::string env(const Config& config, const Layout& layout) {
    return emit_env(config, {"eth", layout, ""});
}

struct EnvCase {
    const char* what;
    Layout layout;
    std::vector<Rule> rules;
    std::vector<const char*> exports;
    std::size_t inexpressible;
};

const Layout flat{8, 1};
const Layout shared{4, 2};
const Layout few{4, 1};
const Layout odd{6, 1};
const EnvCase env_cases[] = {
    {"a step is skipped",
     flat,
     {example_rule(flat, "bcast", 1, 100000, "binomial"),
      example_rule(flat, "bcast", 100001, no_end, "scatter_ring_allgather")},
     {"BCAST_SHORT_MSG_SIZE=100000", "BCAST_LONG_MSG_SIZE=100000"},
     0},
    {"only the last step moves",
     flat,
     {example_rule(flat, "bcast", 65536, no_end, "scatter_ring_allgather")},
     {"BCAST_LONG_MSG_SIZE=65535"},
     0},
    {"never the first algorithm",
     flat,
     {example_rule(flat, "bcast", 1, no_end, "scatter_recursive_doubling_allgather")},
     {"BCAST_SHORT_MSG_SIZE=0", "BCAST_LONG_MSG_SIZE=2147483647"},
     0},
    {"few ranks need the number of ranks",
     few,
     {example_rule(few, "bcast", 20000, no_end, "scatter_ring_allgather")},
     {"BCAST_MIN_PROCS=4", "BCAST_SHORT_MSG_SIZE=19999", "BCAST_LONG_MSG_SIZE=19999"},
     0},
    {"few ranks, nothing that needs it",
     few,
     {example_rule(few, "alltoall", 1000, no_end, "pairwise")},
     {"ALLTOALL_MEDIUM_MSG_SIZE=999"},
     0},
    {"few ranks, brucks",
     few,
     {example_rule(few, "alltoall", 1, 50, "brucks")},
     {"ALLTOALL_MIN_PROCS=4", "ALLTOALL_SHORT_MSG_SIZE=50"},
     0},
    {"smp leaves the other thresholds",
     shared,
     {example_rule(shared, "bcast", 1, 3000, "smp")},
     {"BCAST_SMP_MAX_MSG_SIZE=3000"},
     0},
    {"smp, then the last",
     shared,
     {example_rule(shared, "bcast", 1, 65536, "smp"),
      example_rule(shared, "bcast", 65537, no_end, "scatter_ring_allgather")},
     {"BCAST_SMP_MAX_MSG_SIZE=65536", "BCAST_LONG_MSG_SIZE=65536"},
     0},
    {"totals",
     flat,
     {example_rule(flat, "allgather", 1001, no_end, "ring")},
     {"ALLGATHER_LONG_MSG_SIZE=8001"},
     0},
    {"totals, no power of two",
     odd,
     {example_rule(odd, "allgather", 1001, no_end, "ring")},
     {"ALLGATHER_SHORT_MSG_SIZE=6001"},
     0},
    {"all of it",
     flat,
     {example_rule(flat, "allreduce", 1, no_end, "recursive_doubling")},
     {"ALLREDUCE_RECURSIVE_DOUBLING_MAX_MSG_SIZE=2147483647"},
     0},
    {"out of order", flat, {example_rule(flat, "bcast", 1, 1000, "scatter_ring_allgather")}, {}, 1},
    {"not in the ladder", flat, {example_rule(flat, "allgather", 1, 1000, "brucks")}, {}, 1},
    {"one of two",
     flat,
     {example_rule(flat, "alltoall", 1, 10, "pairwise"), example_rule(flat, "alltoall", 257, 512, "brucks")},
     {"ALLTOALL_SHORT_MSG_SIZE=512"},
     1},
    {"no thresholds", flat, {example_rule(flat, "scan", 1, 10, "smp")}, {}, 1},
    {"two collectives, one variable, same wish",
     flat,
     {example_rule(flat, "allgather", 1001, no_end, "ring"),
      example_rule(flat, "allgatherv", 1001, no_end, "ring")},
     {"ALLGATHER_LONG_MSG_SIZE=8001"},
     0},
    {"two collectives, one variable, other wishes",
     flat,
     {example_rule(flat, "allgather", 1001, no_end, "ring"),
      example_rule(flat, "allgatherv", 1, 2000, "recursive_doubling")},
     {"ALLGATHER_LONG_MSG_SIZE=8001"},
     1},
};

TEST(EmitEnv, NonblockingCollectivesThatHaveThresholds) {
    const Layout layout{4, 2};
    const std::string text =
        env(config_with({example_rule(layout, "iallreduce", 1, 40000, "sched_recursive_doubling"),
                         example_rule(layout, "ibcast", 1, 40000, "tsp_tree:k=4"),
                         example_rule(layout, "ialltoall", 1, 5000, "tsp_brucks:k=4")}),
            layout);
    EXPECT_TRUE(contains(text, "MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE=40000"));
    EXPECT_TRUE(contains(text, "cannot be expressed by thresholds: ibcast"));
    EXPECT_TRUE(contains(text, "cannot be expressed by thresholds: ialltoall"));
    EXPECT_EQ(lines_with(text, "export MPIR"), 1U) << text;
}

TEST(EmitEnv, ThresholdsReproduceTheRules) {
    for (const EnvCase& row : env_cases) {
        const std::string text = env(config_with(row.rules), row.layout);
        EXPECT_EQ(lines_with(text, "\nexport "), row.exports.size()) << row.what << "\n" << text;
        for (const char* line : row.exports) {
            EXPECT_TRUE(contains(text, std::string("\nexport MPIR_CVAR_") + line + "\n")) << row.what;
        }
        EXPECT_EQ(lines_with(text, "\n# cannot be expressed by thresholds: ") > 0, row.inexpressible > 0)
            << row.what << "\n"
            << text;
    }
}

TEST(EmitEnv, IsThisFile) {
    const std::string text = env(example_config(), {4, 1});
    EXPECT_EQ(text.substr(text.find("# They hold")),
              R"(# They hold for communicators of 4 ranks, 4x1. All others of the job obey them, too.

# bcast: 1 to 19999 bytes binomial (default); from 20000 bytes on scatter_ring_allgather
# default 8; ranks from which on the sizes count; also moves ibcast
export MPIR_CVAR_BCAST_MIN_PROCS=4
# default 12288; up to this many bytes for binomial; also moves ibcast
export MPIR_CVAR_BCAST_SHORT_MSG_SIZE=19999
# default 524288; up to this many bytes for scatter_recursive_doubling_allgather; also moves ibcast
export MPIR_CVAR_BCAST_LONG_MSG_SIZE=19999

# allreduce: 1 to 8 bytes recursive_doubling (default); 9 to 4096 bytes recursive_doubling; from 4097 bytes on reduce_scatter_allgather (default)
# default 8; up to this many bytes for recursive_doubling
export MPIR_CVAR_ALLREDUCE_RECURSIVE_DOUBLING_MAX_MSG_SIZE=4096

# allgather: 1 to 4999 bytes recursive_doubling (default); 5000 to 131071 bytes ring; from 131072 bytes on ring (default)
# default 524288; below this many bytes of all ranks together for recursive_doubling; also moves allgatherv, iallgather, iallgatherv
export MPIR_CVAR_ALLGATHER_LONG_MSG_SIZE=19997

# alltoall: 1 to 100 bytes brucks; 101 to 1000 bytes scattered (default); 1001 to 32768 bytes pairwise; from 32769 bytes on pairwise (default)
# default 8; ranks from which on the sizes count; also moves ialltoall
export MPIR_CVAR_ALLTOALL_MIN_PROCS=4
# default 256; up to this many bytes for brucks
export MPIR_CVAR_ALLTOALL_SHORT_MSG_SIZE=100
# default 32768; up to this many bytes for scattered; also moves ialltoall
export MPIR_CVAR_ALLTOALL_MEDIUM_MSG_SIZE=1000
)");
}

TEST(EmitEnv, SaysWhoElseReadsAVariable) {
    EXPECT_TRUE(contains(env(example_config(), {4, 1}), "also moves allgatherv, iallgather, iallgatherv"));
    EXPECT_TRUE(contains(env(example_config(), {4, 2}), "the parts of an smp bcast"));
}

// The value of a variable in a shell that reads the text, as users do
std::string value_after(const std::string& text, const std::string& variable) {
    const TemporaryFolder folder;
    std::ofstream(folder.path / "env.sh") << text;
    const std::string command = "unset " + variable + "; . '" + (folder.path / "env.sh").string() +
                                "' && printf %s \"$" + variable + "\"";
    std::FILE* shell = popen(command.c_str(), "r");
    char buffer[64] = "";
    const std::size_t length = std::fread(buffer, 1, sizeof buffer - 1, shell);
    EXPECT_EQ(pclose(shell), 0);
    return {buffer, length};
}

// The few bytes between the rule and the default's own ring are no reason to give all of it away
TEST(EmitEnv, ARuleUpToTheDefaultsOwnRingIsOneThreshold) {
    namespace lab = lab_allgather;
    const Config config =
        config_with(decide({{lab::key, lab::cell()}}, 0.02, {{lab::key.network, {}}}).rules);
    const Layout& layout = lab::key.layout;
    const std::string text = env(config, layout);
    EXPECT_EQ(lines_with(text, "\nexport "), 1U) << text;
    EXPECT_EQ(lines_with(text, "cannot be expressed"), 0U) << text;
    const std::string value = value_after(text, "MPIR_CVAR_ALLGATHER_SHORT_MSG_SIZE");
    ASSERT_EQ(value, std::to_string(18 * (lab::first_gain - 1) + 1));
    const Ladder ladder = *ladder_of("allgather", layout, 0);
    ASSERT_EQ(ladder.steps.size(), 1U);
    for (std::size_t bytes = 1; bytes <= 10000; ++bytes) {
        const Rule* rule = find_rule(config, "eth", layout, "allgather", bytes);
        const std::string wanted =
            rule == nullptr ? *default_choice("allgather", layout, bytes) : rule->algorithm;
        ASSERT_EQ(ladder.algorithm_for(bytes, {std::stoi(value)}), wanted) << bytes;
        ASSERT_EQ(wanted, bytes < lab::first_gain ? "brucks" : "ring") << bytes;
    }
}

// Verification cut the rule because it is slower beyond: ring must not run there
TEST(EmitEnv, ARuleThatVerificationCutIsNotJoined) {
    const Layout layout{6, 3};
    const std::string text = env(config_with({example_rule(layout, "allgather", 432, 4478, "ring")}), layout);
    EXPECT_EQ(lines_with(text, "\nexport "), 0U) << text;
    EXPECT_EQ(lines_with(text, "cannot be expressed by thresholds: allgather 432 to 4478 bytes ring"), 1U)
        << text;
}

// Whatever the rules: each size gets its rule or the library's default
TEST(EmitEnv, NeverAnythingElseThanRuleOrDefault) {
    std::mt19937 random(1);
    const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const std::vector<std::string> collectives = collectives_with_thresholds();
    int reproduced = 0;
    for (int run = 0; run < 2000; ++run) {
        const Layout layout{1 + pick(12), 1 + pick(3)};
        const std::string collective =
            collectives[static_cast<std::size_t>(pick(static_cast<int>(collectives.size())))];
        const Ladder full = *ladder_of(collective, layout, 0);
        std::vector<Rule> rules;
        std::size_t from = 1;
        for (int i = 0; i < 3; ++i) {
            from += static_cast<std::size_t>(1) << pick(18);
            const std::size_t to = from + (static_cast<std::size_t>(1) << pick(18));
            const auto step = static_cast<std::size_t>(pick(static_cast<int>(full.steps.size()) + 1));
            rules.push_back(example_rule(layout, collective, from, to, full.algorithm(step)));
            from = to + 1;
        }
        const Config config = config_with(rules);
        std::map<std::string, int> values;
        for (const Setting& setting : threshold_settings(config, "eth", layout)) {
            if (!setting.variable.empty()) {
                values[setting.variable] = std::stoi(setting.value);
            }
        }
        const auto value = [&](const models::MpichThreshold& threshold) {
            const auto found = values.find(threshold.variable());
            return found == values.end() ? threshold.default_value : found->second;
        };
        const models::MpichThreshold* min_ranks = min_ranks_of(collective);
        const Ladder ladder = *ladder_of(collective, layout, min_ranks == nullptr ? 0 : value(*min_ranks));
        std::vector<int> thresholds;
        for (const Step& step : ladder.steps) {
            thresholds.push_back(value(*step.threshold));
        }
        for (int i = 0; i < 40; ++i) {
            const std::size_t bytes = 1 + random() % (std::size_t{1} << pick(21));
            const std::string used = ladder.algorithm_for(bytes, thresholds);
            const std::string by_default = *default_choice(collective, layout, bytes);
            const Rule* rule = find_rule(config, "eth", layout, collective, bytes);
            const bool as_ruled = rule != nullptr && used == rule->algorithm;
            ASSERT_TRUE(as_ruled || used == by_default)
                << collective << " " << to_string(layout) << " " << bytes;
            reproduced += as_ruled && used != by_default;
        }
    }
    EXPECT_GT(reproduced, 1000);
}

}  // namespace
