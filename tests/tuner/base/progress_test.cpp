// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

// What is written
class Screen : public testing::Test {
  protected:
    void TearDown() override { std::fclose(file); }
    std::string text() {
        std::rewind(file);
        std::string content(10000, '\0');
        content.resize(std::fread(content.data(), 1, content.size(), file));
        return content;
    }
    std::FILE* file = std::tmpfile();
};

TEST_F(Screen, ATerminalHasOneLineThatIsRewritten) {
    {
        Progress progress(file, true, false);
        progress.show({12, 100, "bcast"});
        progress.show({17, -1, std::string(500, 'x')});
        progress.note("something happened");
    }
    EXPECT_EQ(text(), "\r\033[K12 cases, 1m40s left: bcast\r\033[K17 cases: " + std::string(69, 'x') +
                          "\r\033[Ksomething happened\n");
}

// The lines above the last one are rewritten, too
TEST_F(Screen, ATerminalHasDetails) {
    {
        Progress progress(file, true, false);
        progress.show({1, -1, "bcast", {"eth 2x1", "best"}});
        progress.show({2, -1, "bcast", {std::string(500, 'x')}});
    }
    EXPECT_EQ(text(), "\r\033[Keth 2x1\nbest\n1 cases: bcast\r\033[K\033[A\033[K\033[A\033[K" +
                          std::string(79, 'x') + "\n2 cases: bcast\r\033[K\033[A\033[K");
}

TEST_F(Screen, DetailsThatDoNotFitAreNotShown) {
    setenv("LINES", "3", 1);
    setenv("COLUMNS", "10", 1);
    {
        Progress progress(file, true, false);
        progress.show({1, -1, "bcast", {"first", "second", "third"}});
    }
    unsetenv("LINES");
    unsetenv("COLUMNS");
    EXPECT_EQ(text(), "\r\033[Kthird\n1 cases: \r\033[K\033[A\033[K");
}

TEST_F(Screen, DetailsAreForTerminalsOnly) {
    Progress progress(file, false, false);
    progress.show({1, -1, "bcast", {"eth 2x1"}});
    EXPECT_EQ(text(), "1 cases: bcast\n");
}

TEST_F(Screen, ElsewhereALineComesNowAndThen) {
    Progress progress(file, false, false, 1e6);
    progress.show({1, 0.2, "bcast"});
    progress.show({2, 0.2, "reduce"});
    progress.note("something happened");
    EXPECT_EQ(text(), "1 cases, 1 s left: bcast\nsomething happened\n");
}

TEST_F(Screen, NotesHaveColourIfWanted) {
    Progress progress(file, true, true);
    progress.note("careful");
    EXPECT_EQ(text(), "\033[33mcareful\033[0m\n");
}

// A full disk below standard error must not end a measurement
TEST(Progress, IsLostWhereNothingCanBeWritten) {
    std::FILE* full = std::fopen("/dev/full", "w");
    ASSERT_NE(full, nullptr);
    std::setvbuf(full, nullptr, _IONBF, 0);
    for (const bool is_terminal : {true, false}) {
        Progress progress(full, is_terminal, true, 0);
        EXPECT_NO_THROW(progress.show({1, 2, "bcast"}));
        EXPECT_NO_THROW(progress.note("something happened"));
        EXPECT_NO_THROW(progress.show({1, 2, "bcast"}));
    }
    std::fclose(full);
}

}  // namespace
