// SPDX-License-Identifier: MIT
// The rules file of Open MPI, read by a small reader that follows coll_tuned_dynamic_file.c and
// coll_tuned_dynamic_rules.c of 4.1.4: numbers in a row, comments from # to the end of the line.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "emit.hpp"
#include "error.hpp"
#include "example_config.hpp"

namespace {

using namespace tuner;

struct Line {
    std::size_t size;
    int algorithm;
    int fanout;
    int segment;
};

class RulesFile {
  public:
    explicit RulesFile(const std::string& text) {
        std::string numbers;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            numbers += line.substr(0, line.find('#')) + " ";
        }
        std::istringstream in(numbers);
        for (int collectives = read(in); collectives > 0; --collectives) {
            auto& by_ranks = rules_[read(in)];
            for (int count = read(in); count > 0; --count) {
                auto& sizes = by_ranks.emplace_back(read(in), std::vector<Line>()).second;
                for (int left = read(in); left > 0; --left) {
                    const auto size = static_cast<std::size_t>(read(in));
                    const int algorithm = read(in);
                    const int fanout = read(in);
                    sizes.push_back({size, algorithm, fanout, read(in)});
                }
                EXPECT_EQ(sizes.at(0).size, 0u);  // else Open MPI ignores the whole file
            }
        }
        int more = 0;
        EXPECT_FALSE(in >> more);
    }

    // As Open MPI looks it up; algorithm 0: its own choice
    Line find(int collective, int ranks, std::size_t size) const {
        const auto found = rules_.find(collective);
        if (found == rules_.end()) {
            return {0, 0, 0, 0};
        }
        const std::vector<Line>* lines = &found->second.front().second;
        for (const auto& [count, of_count] : found->second) {
            if (count > ranks) {
                break;
            }
            lines = &of_count;
        }
        Line best = lines->front();
        for (const Line& line : *lines) {
            if (line.size > size) {
                break;
            }
            best = line;
        }
        return best;
    }

  private:
    static int read(std::istream& in) {
        int number = -1;
        in >> number;
        return number;
    }
    std::map<int, std::vector<std::pair<int, std::vector<Line>>>> rules_;
};

constexpr int allgather = 0;
constexpr int allreduce = 2;
constexpr int bcast = 7;

Config config_of(std::vector<Rule> rules) {
    Config config = example_config();
    config.library = "Open MPI v4.1.4";
    config.algorithm_values = {{"bcast", {{"pipeline", 3}, {"chain", 2}, {"binomial", 6}, {"knomial", 7}}},
                               {"allgather", {{"ring", 4}}},
                               {"scan", {{"linear", 1}}},
                               {"gather", {{"binomial", 2}}},
                               {"allreduce", {{"ring", 4}, {"rabenseifner", 6}}}};
    config.rules = std::move(rules);
    return config;
}

TEST(EmitOpenMpi, HasEachRuleAtItsSizesAndRanksOnly) {
    const Layout eight{4, 2};
    const RulesFile file(
        emit_openmpi(config_of({example_rule(eight, "bcast", 1000, 8000, "binomial"),
                                example_rule(eight, "bcast", 8001, 50000, "chain:segment=8Ki:fanout=4"),
                                example_rule(eight, "allgather", 100, 200, "ring"),
                                example_rule({2, 1}, "bcast", 0, no_end, "pipeline")}),
                     {}));
    EXPECT_EQ(file.find(bcast, 8, 999).algorithm, 0);
    EXPECT_EQ(file.find(bcast, 8, 1000).algorithm, 6);
    EXPECT_EQ(file.find(bcast, 8, 8000).algorithm, 6);
    const Line chain = file.find(bcast, 8, 8001);
    EXPECT_EQ(chain.algorithm, 2);
    EXPECT_EQ(chain.fanout, 4);
    EXPECT_EQ(chain.segment, 8192);
    EXPECT_EQ(file.find(bcast, 8, 50000).algorithm, 2);
    EXPECT_EQ(file.find(bcast, 8, 50001).algorithm, 0);
    EXPECT_EQ(file.find(bcast, 2, 0).algorithm, 3);
    EXPECT_EQ(file.find(bcast, 2, 1u << 30).algorithm, 3);
    for (const int ranks : {1, 3, 7, 9, 100}) {
        EXPECT_EQ(file.find(bcast, ranks, 2000).algorithm, 0) << ranks;
    }
    // a total: 8 ranks
    EXPECT_EQ(file.find(allgather, 8, 799).algorithm, 0);
    EXPECT_EQ(file.find(allgather, 8, 800).algorithm, 4);
    EXPECT_EQ(file.find(allgather, 8, 1600).algorithm, 4);
    EXPECT_EQ(file.find(allgather, 8, 1601).algorithm, 0);
    EXPECT_EQ(file.find(allgather, 2, 800).algorithm, 0);
}

TEST(EmitOpenMpi, LeavesOutWhatWouldGoWrong) {
    const Layout eight{4, 2};
    const Config config = config_of({example_rule(eight, "scan", 8, 800, "linear"),
                                     example_rule(eight, "gather", 8, 800, "binomial"),
                                     example_rule(eight, "bcast", 8, 800, "knomial:radix=3"),
                                     example_rule(eight, "bcast", 801, 900, "split_binary_tree"),
                                     example_rule(eight, "allreduce", 8, 800, "ring"),
                                     example_rule(eight, "allreduce", 801, 900, "rabenseifner")});
    const std::string text = emit_openmpi(config, {});
    const RulesFile file(text);
    EXPECT_EQ(file.find(bcast, 8, 100).algorithm, 0);
    EXPECT_EQ(file.find(allreduce, 8, 100).algorithm, 0);
    EXPECT_EQ(file.find(allreduce, 8, 801).algorithm, 6);
    for (const char* reason : {"left out: scan", "left out: gather", "radix", "no number", "commute"}) {
        EXPECT_NE(text.find(reason), std::string::npos) << reason << " in " << text;
    }
    EmitOptions options;
    options.assume_commutative = true;
    EXPECT_EQ(RulesFile(emit_openmpi(config, options)).find(allreduce, 8, 100).algorithm, 4);
}

TEST(EmitOpenMpi, NeedsToKnowWhichLayoutOfAsManyRanks) {
    const Config config = config_of({example_rule({4, 2}, "bcast", 8, 800, "binomial"),
                                     example_rule({8, 1}, "bcast", 8, 800, "pipeline")});
    EXPECT_THROW(emit_openmpi(config, {}), Error);
    EmitOptions options;
    options.layout = Layout{8, 1};
    EXPECT_EQ(RulesFile(emit_openmpi(config, options)).find(bcast, 8, 100).algorithm, 3);
}

TEST(EmitOpenMpi, ARangeIsWrittenForEachNumberOfRanks) {
    const RulesFile file(
        emit_openmpi(config_of({example_rule_for({{2, 4}, {2, 2}}, "bcast", 100, 800, "binomial")}), {}));
    for (const int ranks : {4, 6, 8}) {
        EXPECT_EQ(file.find(bcast, ranks, 100).algorithm, 6) << ranks;
        EXPECT_EQ(file.find(bcast, ranks, 801).algorithm, 0) << ranks;
    }
    for (const int ranks : {1, 2, 3, 5, 7, 9, 10}) {
        EXPECT_EQ(file.find(bcast, ranks, 100).algorithm, 0) << ranks;
    }
}

TEST(EmitOpenMpi, LeavesTheChoiceToTheLibraryWhereLayoutsOfARangeDisagree) {
    const Config config = config_of({example_rule({4, 2}, "bcast", 8, 800, "pipeline"),
                                     example_rule_for({{2, 8}, {1, 2}}, "bcast", 8, 800, "binomial")});
    const std::string text = emit_openmpi(config, {});
    const RulesFile file(text);
    EXPECT_EQ(file.find(bcast, 8, 100).algorithm, 0) << "4x2 or 8x1";
    for (const int ranks : {2, 3, 5, 7, 9, 16}) {
        EXPECT_EQ(file.find(bcast, ranks, 100).algorithm, 6) << ranks;
    }
    EXPECT_NE(
        text.find("left out: bcast on these numbers of ranks, where layouts want different algorithms and "
                  "Open MPI does not look at the layout: 8 (4x2 and 8x1); select one with --layout"),
        std::string::npos)
        << text;
    EmitOptions options;
    options.layout = Layout{8, 1};
    EXPECT_EQ(RulesFile(emit_openmpi(config, options)).find(bcast, 8, 100).algorithm, 6);
    EXPECT_EQ(RulesFile(emit_openmpi(config, options)).find(bcast, 7, 100).algorithm, 0);
}

// ---- JSON, as 6.0 documents it: the first communicator rule that holds, then the first size rule of it

int find_in_json(const Json& file, const std::string& collective, int ranks, std::size_t size) {
    EXPECT_EQ(file.at("rule_file_version"), 3);
    EXPECT_EQ(file.at("module"), "tuned");
    for (const Json& of_ranks : file.at("collectives").value(collective, Json::array())) {
        if (ranks < of_ranks.at("comm_size_min").get<int>() ||
            ranks > of_ranks.at("comm_size_max").get<int>()) {
            continue;
        }
        for (const Json& rule : of_ranks.at("rules")) {
            const bool has_end = rule.contains("msg_size_max") && rule.at("msg_size_max") != "inf";
            if (size >= rule.value("msg_size_min", std::size_t{0}) &&
                (!has_end || size <= rule.at("msg_size_max").get<std::size_t>())) {
                return rule.at("alg").get<int>();
            }
        }
        return 0;
    }
    return 0;
}

TEST(EmitOpenMpiJson, ChoosesWhatTheOtherFormatChooses) {
    const Layout eight{4, 2};
    const Config config = config_of({example_rule(eight, "bcast", 1000, 8000, "binomial"),
                                     example_rule(eight, "bcast", 8001, 50000, "chain:segment=8Ki:fanout=4"),
                                     example_rule(eight, "allgather", 100, 200, "ring"),
                                     example_rule({2, 1}, "bcast", 0, no_end, "pipeline"),
                                     example_rule(eight, "allreduce", 801, 900, "rabenseifner"),
                                     example_rule(eight, "scan", 8, 800, "linear")});
    const RulesFile file(emit_openmpi(config, {}));
    EmitOptions options;
    std::vector<std::string> left_out;
    options.left_out = &left_out;
    const Json json = Json::parse(emit_openmpi_json(config, options));
    int chosen = 0;
    for (const int ranks : {1, 2, 3, 7, 8, 9, 100}) {
        for (const std::size_t size :
             {0, 1, 799, 800, 801, 900, 901, 999, 1000, 1600, 1601, 8000, 8001, 50000, 50001}) {
            for (const auto& [name, number] :
                 {std::pair("bcast", bcast), {"allgather", allgather}, {"allreduce", allreduce}}) {
                const int algorithm = find_in_json(json, name, ranks, size);
                EXPECT_EQ(algorithm, file.find(number, ranks, size).algorithm)
                    << name << ' ' << ranks << ' ' << size;
                chosen += algorithm != 0;
            }
        }
    }
    EXPECT_GT(chosen, 20);
    const Json& chain = json.at("collectives").at("bcast").back().at("rules").back();
    EXPECT_EQ(chain.at("faninout"), 4);
    EXPECT_EQ(chain.at("seg_size"), 8192);
    // a name that 6.0.0rc2 does not know after one that it knows crashes MPI_Init
    Config block = config_of({example_rule(eight, "reduce_scatter_block", 8, 800, "basic_linear")});
    block.algorithm_values["reduce_scatter_block"] = {{"basic_linear", 1}};
    EXPECT_TRUE(Json::parse(emit_openmpi_json(block, {})).at("collectives").contains("reduce_scatter_block"));
    ASSERT_EQ(left_out.size(), 1U);
    EXPECT_NE(left_out[0].find("left out: scan"), std::string::npos);
}

// As coll_han_dynamic_file.c of 5.0.7 reads it: words in a row; takes the last number of ranks, and the last
// size, that are not above those of the call
std::string component_of(const std::string& file, const std::string& collective, int ranks,
                         std::size_t bytes) {
    std::string words;
    std::istringstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        words += line.substr(0, line.find('#')) + " ";
    }
    std::istringstream in(words);
    const auto number = [&] {
        std::size_t value = 0;
        in >> value;
        return value;
    };
    std::string found = "not in the file";
    for (std::size_t left = number(); left > 0; --left) {
        std::string name;
        in >> name;
        EXPECT_EQ(number(), 1u);  // level
        EXPECT_EQ(number(), 2u);  // communicators of users
        const std::size_t counts = number();
        for (std::size_t i = 0; i < counts; ++i) {
            const std::size_t of_ranks = number();
            EXPECT_TRUE(i > 0 || of_ranks == 1) << name;  // else the file is not used
            const std::size_t sizes = number();
            for (std::size_t j = 0; j < sizes; ++j) {
                const std::size_t from = number();
                EXPECT_TRUE(j > 0 || from == 0) << name;
                std::string component;
                in >> component;
                if (name == collective && of_ranks <= static_cast<std::size_t>(ranks) && from <= bytes) {
                    found = component;
                }
            }
        }
    }
    std::string more;
    EXPECT_FALSE(in >> more) << more;
    return found;
}

TEST(EmitOpenMpiHan, LeavesTheCallsOfTheRulesToTuned) {
    const Layout eight{4, 2};
    const std::string file =
        emit_openmpi_han(config_of({example_rule(eight, "bcast", 1000, 8000, "binomial"),
                                    example_rule(eight, "bcast", 8001, 50000, "chain:segment=8Ki:fanout=4"),
                                    example_rule(eight, "allgather", 100, 200, "ring"),
                                    example_rule({2, 1}, "bcast", 0, no_end, "pipeline"),
                                    example_rule(eight, "scan", 8, 800, "linear")}),  // is left out
                         {});
    for (const std::size_t bytes : {1000, 8000, 8001, 50000}) {
        EXPECT_EQ(component_of(file, "bcast", 8, bytes), "tuned") << bytes;
    }
    for (const std::size_t bytes : {0, 999, 50001}) {
        EXPECT_EQ(component_of(file, "bcast", 8, bytes), "han") << bytes;
    }
    EXPECT_EQ(component_of(file, "bcast", 2, 0), "tuned");
    EXPECT_EQ(component_of(file, "bcast", 2, 1u << 30), "tuned");
    for (const int ranks : {1, 3, 7, 9, 100}) {
        EXPECT_EQ(component_of(file, "bcast", ranks, 2000), "han") << ranks;
    }
    EXPECT_EQ(component_of(file, "allgather", 8, 99), "han");  // not a total
    EXPECT_EQ(component_of(file, "allgather", 8, 100), "tuned");
    EXPECT_EQ(component_of(file, "allgather", 8, 201), "han");
    EXPECT_EQ(component_of(file, "scan", 8, 100), "not in the file");
}

TEST(SecondFormatOf, OpenMpiSinceVersion5HasOneForHan) {
    Config config = config_of({});
    EXPECT_EQ(second_format_of(config), "");
    EmitOptions options;
    options.rules_file = "/somewhere/rules.conf";
    EXPECT_EQ(emit_openmpi_params(config, options).find("coll_han"), std::string::npos);
    config.library = "Open MPI v5.0.7, package: Debian OpenMPI";
    EXPECT_EQ(second_format_of(config), "openmpi-han");
    EXPECT_NE(emit_openmpi_params(config, options)
                  .find("coll_han_use_dynamic_file_rules = 1\n"
                        "coll_han_dynamic_rules_filename = /somewhere/rules.conf.han\n"),
              std::string::npos);
    config.library = "MPICH Version: 5.0.2";
    EXPECT_EQ(second_format_of(config), "");
}

TEST(RulesFormatOf, OpenMpiSinceVersion6IsJson) {
    Config config = config_of({});
    config.fingerprint = {{"library", "openmpi"}};
    EXPECT_EQ(rules_format_of(config), "openmpi");
    config.library = "Open MPI v5.0.7, package: Debian OpenMPI";
    EXPECT_EQ(rules_format_of(config), "openmpi");
    config.library = "Open MPI v6.0.0rc2, package: Debian OpenMPI";
    EXPECT_EQ(rules_format_of(config), "openmpi-json");
    config.library = "MPICH Version: 4.2.1";
    config.fingerprint = {{"library", "mpich-stock"}};
    EXPECT_EQ(rules_format_of(config), "mpich");
}

TEST(EmitOpenMpiParams, PointToTheRules) {
    EmitOptions options;
    options.rules_file = "/somewhere/rules.conf";
    const std::string text = emit_openmpi_params(config_of({}), options);
    EXPECT_NE(text.find("coll_tuned_use_dynamic_rules = 1\n"), std::string::npos);
    EXPECT_NE(text.find("coll_tuned_dynamic_rules_filename = /somewhere/rules.conf\n"), std::string::npos);
}

}  // namespace
