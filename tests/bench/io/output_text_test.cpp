// SPDX-License-Identifier: MIT
#include "output_text.hpp"

#include "made_up_results.hpp"

namespace {

using namespace bench;

TEST(OutputText, DefinesTheMessageSizeByOtherBenchmarks) {
    EXPECT_EQ(size_definition(*find_pattern("scan")), "bytes of the vector of one rank (IMB: #bytes (Scan))");
    EXPECT_EQ(size_definition(*find_pattern("barrier")), "none: a barrier has no message");
    EXPECT_EQ(size_definition(*find_pattern("igather")), size_definition(*find_pattern("gather")));
}

TEST(OutputText, SaysHowResultsWereMeasured) {
    Header header = {};
    header.command_line = "changeover-bench bcast\n=1+1\r";
    header.ranks = 4;
    header.placement.nodes = {"a", "b"};
    header.placement.ranks_on_node = {3, 1};
    header.placement.most_ranks_on_a_machine = 4;
    header.placement.cores = 2;
    header.start = StartMode::window;
    header.start_tolerance = 5e-6;
    header.network.evidence = Evidence::library;
    header.network.stated_by_library = "ch4:ofi";
    const auto lines = made_up::lines_of([&] { write_comments(header); });
    ASSERT_EQ(lines.size(), 7U);
    EXPECT_EQ(lines[0], "# changeover-bench bcast =1+1 ") << "a comment has no line ends";
    EXPECT_TRUE(lines[2].starts_with("# ranks: 4, nodes: 2 (a:3,b:1); 2 cores")) << lines[2];
    EXPECT_EQ(lines[4], "# start: window, invalid if a rank is more than 5.0 us late; seed 0");
    EXPECT_EQ(lines[5], "# network: ch4:ofi (stated by the library)");
    EXPECT_EQ(lines[6], "# more ranks than cores: times include waiting for a core");
}

TEST(OutputText, AFieldOfCsvIsTextOrANumber) {
    for (const char* text : {"", "smp", "-1", "+1.5e-3", "-.5", "a=b", "1-2"}) {
        EXPECT_EQ(csv_field(text), text);
    }
    for (const char* text : {"=1+1", "+x", "-x", "@x", "-1+1", "\tx", "--1", "-inf"}) {
        EXPECT_EQ(csv_field(text), std::string("'") + text);
    }
    EXPECT_EQ(csv_field("\rx"), "\"'\rx\"");
    EXPECT_EQ(csv_field("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
}

}  // namespace
