// SPDX-License-Identifier: MIT
#include "installed_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "contains.hpp"
#include "error.hpp"
#include "files.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;

const Json here = {{"processor", "A1"}, {"cores", 8}};

std::string file_with(int rules, const Json& machine = here) {
    Json file = {
        {"info", {{"checksum", "c" + std::to_string(rules)}, {"origin", "from a run"}, {"machine", machine}}},
        {"mpir", Json::array()}};
    for (int i = 0; i < rules; ++i) {
        file["mpir"].push_back({{"collective", "bcast"}});
    }
    return file.dump();
}

class Installed : public testing::Test {
  protected:
    TemporaryFolder folder;
    InstalledFile file{folder.path};
    std::string text() const { return read_file(file.path()); }
};

TEST_F(Installed, FileIsReadableForAllAndKeepsFiveBefore) {
    const mode_t mask = umask(077);
    for (int i = 1; i <= 8; ++i) {
        EXPECT_TRUE(file.install(file_with(i)));
    }
    umask(mask);
    EXPECT_EQ(file.path(), folder.path / "etc/changeover/tuning.json");
    EXPECT_EQ(text(), file_with(8));
    EXPECT_EQ(static_cast<int>(std::filesystem::status(file.path()).permissions()), 0644);
    EXPECT_EQ(static_cast<int>(std::filesystem::status(file.path().parent_path()).permissions()), 0755);
    const auto before = file.previous();
    ASSERT_EQ(before.size(), 5u);
    EXPECT_EQ(read_file(before.front()), file_with(7));
    EXPECT_EQ(read_file(before.back()), file_with(3));
}

TEST_F(Installed, TheSameFileIsNotInstalledTwice) {
    EXPECT_TRUE(file.install(file_with(1)));
    EXPECT_FALSE(file.install(file_with(1)));
    EXPECT_TRUE(file.previous().empty());
}

TEST_F(Installed, RollsBackOneByOne) {
    EXPECT_THROW(file.roll_back(), Error);
    for (int i = 1; i <= 3; ++i) {
        file.install(file_with(i));
    }
    file.roll_back();
    EXPECT_EQ(text(), file_with(2));
    EXPECT_EQ(read_file(file.path().string() + ".undone"), file_with(3)) << "nothing is lost";
    file.roll_back();
    EXPECT_EQ(text(), file_with(1));
    EXPECT_THROW(file.roll_back(), Error);
    EXPECT_EQ(text(), file_with(1));
    file.install(file_with(4));
    EXPECT_EQ(file.previous().size(), 1u);
}

TEST_F(Installed, StatusSaysWhatIsThere) {
    EXPECT_CONTAINS(file.status(here), "not installed");
    file.install(file_with(2));
    file.install(file_with(3));
    const auto now = std::filesystem::last_write_time(file.path()) + std::chrono::hours(2);
    const std::string status = file.status(here, now);
    EXPECT_CONTAINS(status, "3 rules, checksum c3, installed 2h00m ago");
    EXPECT_CONTAINS(file.status(here, now + std::chrono::hours(240)), "installed 10 days ago");
    EXPECT_CONTAINS(status, "  from a run\n");
    EXPECT_CONTAINS(status, "\"A1\", 8 cores, as this machine");
    EXPECT_CONTAINS(status, "before it: 1 files");
    EXPECT_CONTAINS(
        file.status({{"processor", "B2"}, {"cores", 8}}, now),
        "measured on: \"A1\", 8 cores; this machine: \"B2\", 8 cores. Do the rules still hold? try: "
        "changeover check");
}

TEST_F(Installed, ABadFileIsTold) {
    file.install("no JSON");
    EXPECT_CONTAINS(file.status(here), "no tuning file; jobs use the library's own choices");
    file.install(file_with(1, "a text"));
    EXPECT_CONTAINS(file.status(here), "measured on: unknown");
}

}  // namespace
