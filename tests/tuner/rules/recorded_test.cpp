// SPDX-License-Identifier: MIT
// Deciding on a real run that is kept in tests/data: the same rules each time, wherever it is, in whatever
// order it was written, and whenever it was killed and resumed.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <thread>

#include "decide.hpp"
#include "files.hpp"
#include "saved_run.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;

const std::filesystem::path recorded = std::filesystem::path(TESTS_DATA) / "recorded";

std::filesystem::path copy_to(const std::filesystem::path& folder, const std::string& name) {
    std::filesystem::create_directories(folder / name);
    for (const char* file : {"manifest.json", "samples.jsonl"}) {
        std::filesystem::copy_file(recorded / file, folder / name / file);
    }
    return folder / name;
}

Config decided(const std::filesystem::path& folder) {
    const SavedRun run(folder.string());
    const Cells cells = cells_of(run.data(), Stage::search);
    return decide(cells, run.plan().loss_bound, shapes_of(cells, run.data(), run.network_parameters()));
}

// The lines of samples.jsonl, those of one group together
std::vector<std::string> blocks_of(const std::string& text) {
    std::vector<std::string> blocks;
    std::size_t missing = 0;
    std::vector<double> samples;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at) + 1;
        const std::string line = text.substr(at, end - at);
        const Json head = parse_line(std::string_view(line).substr(0, line.size() - 1), samples);
        if (missing > 0) {
            blocks.back() += line;
            --missing;
        } else {
            blocks.push_back(line);
            missing = head.at("type") == "case" ? head.at("of").get<std::size_t>() - 1 : 0;
        }
        at = end;
    }
    return blocks;
}

TEST(Recorded, DecidesAsItDidWhenItWasRecorded) {
    const TemporaryFolder folder;
    const Json rules = to_json(decided(copy_to(folder.path, "run"))).at("rules");
    const Json expected = Json::parse(read_file(recorded / "expected-rules.json"));
    ASSERT_EQ(rules.size(), expected.size());
    ASSERT_FALSE(expected.empty());
    for (std::size_t i = 0; i < rules.size(); ++i) {
        for (const auto& [key, value] : expected[i].items()) {
            if (value
                    .is_number_float()) {  // mathematical functions differ in their last bits between systems
                EXPECT_NEAR(rules[i].at(key).get<double>(), value.get<double>(), 1e-9) << i << " " << key;
            } else if (value.is_array()) {
                EXPECT_NEAR(rules[i].at(key).at(0).get<double>(), value.at(0).get<double>(), 1e-6);
                EXPECT_NEAR(rules[i].at(key).at(1).get<double>(), value.at(1).get<double>(), 1e-6);
            } else {
                EXPECT_EQ(rules[i].at(key), value) << i << " " << key;
            }
        }
    }
}

TEST(Recorded, DecidesTheSameAgainElsewhereAndInAnyThread) {
    const TemporaryFolder folder;
    const std::string once = checksum_of(decided(copy_to(folder.path, "one")).rules);
    EXPECT_EQ(checksum_of(decided(folder.path / "one").rules), once);
    std::vector<std::string> checksums(4);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < checksums.size(); ++i) {
        const std::filesystem::path run = copy_to(folder.path, "another " + std::to_string(i));
        threads.emplace_back([&checksums, i, run] { checksums[i] = checksum_of(decided(run).rules); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(checksums, std::vector<std::string>(checksums.size(), once));
}

TEST(Recorded, DecidesTheSameInWhateverOrderGroupsWereMeasured) {
    const TemporaryFolder folder;
    const std::filesystem::path run = copy_to(folder.path, "run");
    const std::string once = checksum_of(decided(run).rules);
    std::vector<std::string> blocks = blocks_of(read_file(run / "samples.jsonl"));
    std::mt19937 random(3);
    for (int i = 0; i < 5; ++i) {
        std::shuffle(blocks.begin(), blocks.end(), random);
        std::ofstream file(run / "samples.jsonl");
        for (const std::string& block : blocks) {
            file << block;
        }
        file.close();
        EXPECT_EQ(checksum_of(decided(run).rules), once);
    }
}

// What a kill leaves of the journal, at any byte; then the campaign goes on with the groups that are missing
TEST(Recorded, DecidesTheSameAfterKillsAndResumes) {
    const TemporaryFolder folder;
    const std::filesystem::path run = copy_to(folder.path, "run");
    const std::string once = checksum_of(decided(run).rules);
    const std::string text = read_file(run / "samples.jsonl");
    const RunData all = load_run(run);
    std::mt19937_64 random(11);
    for (int kill = 0; kill < 30; ++kill) {
        std::ofstream(run / "samples.jsonl") << text.substr(0, random() % text.size());
        RunData left;
        {
            Journal journal = Journal::resume(run, left);
            ASSERT_TRUE(std::equal(left.cases.begin(), left.cases.end(), all.cases.begin()))
                << "a finished group is lost or changed";
            for (auto first = all.cases.begin() + static_cast<std::ptrdiff_t>(left.cases.size());
                 first != all.cases.end();) {
                const auto end = std::find_if(first, all.cases.end(), [&](const CaseRecord& record) {
                    return record.group != first->group;
                });
                std::vector<CaseRecord> group(first, end);
                journal.append(group);
                first = end;
            }
        }
        const RunData resumed = load_run(run);
        EXPECT_EQ(resumed.cases, all.cases);
        EXPECT_EQ(checksum_of(decided(run).rules), once);
    }
}

}  // namespace
