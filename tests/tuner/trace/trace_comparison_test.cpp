// SPDX-License-Identifier: MIT
// Two algorithms or traces side by side, messages against a model, and files for viewers.
#include "trace_comparison.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "error.hpp"
#include "loaded_trace.hpp"
#include "against_model.hpp"
#include "chrome.hpp"
#include "trace_step.hpp"
#include "trace_figures.hpp"
#include "trace_page.hpp"

namespace {

using namespace tuner::trace;
using tuner::Link;

made_up::Recorder both_algorithms(const models::RankPlacement& layout = models::RankPlacement(16, 2)) {
    made_up::World world;
    world.layout = layout;
    world.byte_between = 80e-9;
    made_up::Recorder recorder(world);
    for (int i = 0; i < 8; ++i) {
        recorder.call("allgather", "ring", 4096);
        recorder.meet();
        recorder.call("allgather", "recursive_doubling", 4096);
        recorder.meet();
    }
    return recorder;
}

// Bytes through the interface explain it: 31 blocks against 60, which are exchanged
TEST(TraceComparison, ring_against_recursive_doubling) {
    const made_up::Loaded recorded(both_algorithms());
    const TraceComparison comparison =
        compare_algorithms(recorded.loaded->analysis, "ring", "recursive_doubling");
    ASSERT_EQ(comparison.pairs.size(), 1U);
    const Moved ring = moved_by(*comparison.pairs[0].a);
    const Moved doubling = moved_by(*comparison.pairs[0].b);
    EXPECT_EQ(ring.interface_bytes, 31 * 4096);
    EXPECT_EQ(ring.exchanged_bytes, 0);
    EXPECT_EQ(ring.path_messages, 31);
    EXPECT_EQ(doubling.interface_bytes, 60 * 4096);
    EXPECT_EQ(doubling.exchanged_bytes, 60 * 4096);
    EXPECT_EQ(doubling.path_messages, 5);
    const std::string text = to_text(comparison);
    EXPECT_NE(text.find("interface, by stage: A 31 x 4Ki; B 0 + 16Ki + 32Ki + 64Ki + 128Ki"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("it sends 240Ki through the busiest interface, ring sends 124Ki"), std::string::npos)
        << text;
    const tuner::Json json = to_json(comparison);
    EXPECT_GT(json.at("pairs").at(0).at("b_by_a"), 1.5);
    EXPECT_EQ(json.at("pairs").at(0).at("b").at("interface_bytes_of_stage").at(4), 32 * 4096);
}

TEST(TraceComparison, two_traces) {
    made_up::World world;
    made_up::Recorder now(world);
    world.slow_node = 1;
    made_up::Recorder before(world);
    for (int i = 0; i < 5; ++i) {
        now.call("bcast", "binomial", 65536);
        before.call("bcast", "scatter_ring_allgather", 65536);
        before.call("bcast", "binomial", 8);
    }
    const made_up::Loaded a(now);
    const made_up::Loaded b(before);
    const TraceComparison comparison = compare_traces(*a.loaded, *b.loaded);
    ASSERT_EQ(comparison.pairs.size(), 1U);
    EXPECT_EQ(comparison.pairs[0].b->key.algorithm, "scatter_ring_allgather");
}

TEST(TraceComparison, what_is_not_there) {
    const made_up::Loaded recorded(both_algorithms(models::RankPlacement(2, 2)));
    const Analysis& analysis = recorded.loaded->analysis;
    EXPECT_THROW(compare_algorithms(analysis, "ring", "bruck"), tuner::Error);
    EXPECT_THROW(compare_algorithms(analysis, "", ""), tuner::Error);
}

// The parameters that the trace was made with: all assumptions hold. With another latency, that one fails.
TEST(TraceComparison, messages_against_the_model) {
    made_up::World world;
    made_up::Recorder recorder(world);
    for (const std::size_t bytes : {8U, 512U, 32768U, 131072U}) {
        recorder.call("bcast", "binomial", bytes);
        recorder.meet();
        recorder.call("allgather", "ring", bytes);
        recorder.meet();
    }
    const made_up::Loaded recorded(recorder);
    models::Parameters parameters;
    parameters.between.segments[0].latency_seconds = world.latency_between;
    parameters.between.segments[0].seconds_per_byte = world.byte_between;
    parameters.within.segments[0].latency_seconds = world.latency_within;
    parameters.within.segments[0].seconds_per_byte = world.byte_within;
    const auto holds = [&](const std::string& name) {
        for (const Assumption& assumption : against_model(recorded.loaded->matched, parameters).assumptions) {
            if (assumption.name == name) {
                return assumption.holds();
            }
        }
        ADD_FAILURE() << name;
        return false;
    };
    EXPECT_TRUE(holds("latency between nodes"));
    EXPECT_TRUE(holds("time per byte between nodes"));
    EXPECT_TRUE(holds("latency within a node"));
    parameters.between.segments[0].latency_seconds /= 3;
    EXPECT_FALSE(holds("latency between nodes"));
    EXPECT_TRUE(holds("time per byte between nodes"));
    parameters.between.segments[0].seconds_per_byte /= 2;
    EXPECT_FALSE(holds("time per byte between nodes"));
    EXPECT_TRUE(holds("time per byte within a node"));
}

TEST(TraceComparison, chrome_events) {
    made_up::Recorder recorder{made_up::World{}};
    std::size_t messages = recorder.call("allreduce", "recursive_doubling", 4096);
    messages += recorder.call("alltoall", "pairwise", 64);
    const made_up::Loaded recorded(recorder);
    std::ostringstream out;
    const std::size_t events = write_chrome(recorded.loaded->matched, out);
    const tuner::Json json = tuner::Json::parse(out.str());
    EXPECT_EQ(json.at("traceEvents").size(), events);
    std::map<std::string, std::size_t> count;
    for (const tuner::Json& event : json.at("traceEvents")) {
        ++count[event.at("ph").get<std::string>() +
                (event.contains("cat") ? event.at("cat").get<std::string>() : "")];
        EXPECT_GE(event.value("dur", 0.0), 0);
    }
    EXPECT_EQ(count["Xcall"], 2U * 8);
    EXPECT_EQ(count["Xmessage"], 2 * messages);
    EXPECT_EQ(count["smessage"], messages);
    EXPECT_EQ(count["fmessage"], messages);
    EXPECT_EQ(count["Xlocal"], recorded.loaded->matched.works.size());
    EXPECT_GE(count["M"], 8U);
}

TEST(TraceComparison, figures_and_page) {
    const made_up::Loaded recorded(both_algorithms());
    const LoadedTrace& loaded = *recorded.loaded;
    const Kind& kind = loaded.analysis.kinds.front();
    for (const auto& figure : {draw_timemap(kind), draw_messages(loaded, kind), draw_waits(kind)}) {
        EXPECT_GT(figure.width, 0);
        EXPECT_NE(figure.title.find("16x2"), std::string::npos);
        EXPECT_EQ(figure.body.find("nan"), std::string::npos);
        EXPECT_EQ(figure.body.find("inf"), std::string::npos);
    }
    const std::vector<SameCall> compared = same_calls({&loaded});
    ASSERT_EQ(compared.size(), 1U);
    EXPECT_EQ(compared[0].front().name, "ring");  // the quickest
    EXPECT_EQ(draw_timemap(compared[0]).key.size(), 2U);
    const std::string page = html_page({loaded, {&kind}, {}}, compared);
    EXPECT_NE(page.find("<figure id=\"messages-1\">"), std::string::npos);
    EXPECT_NE(page.find("<figure id=\"compared-1\">"), std::string::npos);
    EXPECT_EQ(page.find("<pre"), std::string::npos);
}

TEST(TraceComparison, same_calls_of_two_traces) {
    const made_up::Loaded a(both_algorithms());
    const made_up::Loaded b(both_algorithms());
    const std::vector<SameCall> calls = same_calls({a.loaded.get(), b.loaded.get()});
    ASSERT_EQ(calls.size(), 1U);
    ASSERT_EQ(calls[0].size(), 4U);
    // both are called t: the whole prefix tells them apart
    EXPECT_EQ(calls[0][0].name, a.loaded->trace.prefix + " ring");
    EXPECT_EQ(calls[0][1].name, b.loaded->trace.prefix + " ring");
    const auto rows = table_of(calls[0]).rows();
    EXPECT_EQ(rows.front().size(), 5U);  // no difference of more than two
    EXPECT_NE(explanation_of(calls[0]).find("the quickest is " + calls[0][0].name), std::string::npos);
}

// Whichever trace they are in
TEST(TraceComparison, same_calls_have_the_most_time_first) {
    const auto of = [](std::initializer_list<std::pair<const char*, std::uint64_t>> calls) {
        made_up::World world;
        made_up::Recorder recorder(world);
        for (const auto& [collective, bytes] : calls) {
            recorder.call(collective, "recursive_doubling", bytes);
        }
        return made_up::Loaded(recorder);
    };
    const made_up::Loaded a = of({{"allgather", 64}});
    const made_up::Loaded b = of({{"allgather", 64}, {"allreduce", 1 << 20}});
    const made_up::Loaded c = of({{"allreduce", 1 << 20}});
    const std::vector<SameCall> calls = same_calls({a.loaded.get(), b.loaded.get(), c.loaded.get()});
    ASSERT_EQ(calls.size(), 2U);
    EXPECT_EQ(calls[0].front().kind->key.collective, "allreduce");
    EXPECT_EQ(calls[1].front().kind->key.collective, "allgather");
}

TEST(TraceComparison, command_writes_files) {
    const made_up::Loaded recorded(both_algorithms(models::RankPlacement(2, 2)));
    TraceOptions options;
    options.prefix = recorded.loaded->trace.prefix;
    options.html = (recorded.folder.path / "t.html").string();
    options.chrome = (recorded.folder.path / "t.json").string();
    options.figure = "timemap";
    options.file = (recorded.folder.path / "t.svg").string();
    options.only = "ring";
    print_trace(options);
    for (const std::string& file : {options.html, options.chrome, options.file}) {
        EXPECT_GT(std::filesystem::file_size(file), 1000U) << file;
    }
    options.only = "nothing like it";
    EXPECT_THROW(print_trace(options), tuner::Error);
    EXPECT_THROW(print_trace({}), tuner::Error);
}

}  // namespace
