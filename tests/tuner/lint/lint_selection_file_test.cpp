// SPDX-License-Identifier: MIT
#include "lint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>

#include "contains.hpp"
#include "emit.hpp"
#include "example_config.hpp"
#include "files.hpp"

namespace {

using namespace tuner;

std::string stock_file(const std::string& target) {
    EmitOptions options;
    options.target = target;
    return emit_mpich_stock(example_config(), options);
}

std::string text_of(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& finding : findings) {
        text += to_text(finding) + "\n";
    }
    return text;
}

TEST(LintSelectionFile, FindsNothingInMpichsOwnTreesAndInWhatIsEmitted) {
    for (const StockTarget& target : stock_targets()) {
        EXPECT_EQ(text_of(lint_selection_file(tree_of(target).dump(1), target)), "") << target.name;
        for (const Finding& finding : lint_selection_file(stock_file(target.name), target)) {
            // the branches of MPICH's own subtrees that are not for the layout of a rule
            EXPECT_EQ(finding.severity, Severity::note) << to_text(finding);
            EXPECT_TRUE(contains(finding.problem, "never reached")) << to_text(finding);
        }
        EXPECT_TRUE(is_selection_file(stock_file(target.name)));
    }
}

TEST(LintSelectionFile, AFileIsForSomeReleasesOnly) {
    const std::string of_4_0 = text_of(lint_selection_file(stock_file("4.0"), find_stock_target("4.2")));
    EXPECT_NE(of_4_0.find("MPICH 4.2 has no 'MPIR_Barrier_intra_dissemination': MPI_Init ends the job"),
              std::string::npos)
        << of_4_0;
    const std::string of_5_0 = text_of(lint_selection_file(stock_file("5.0"), find_stock_target("4.0")));
    EXPECT_NE(of_5_0.find("MPICH 4.0 has no 'MPIR_Barrier_intra_k_dissemination'"), std::string::npos)
        << of_5_0;
}

// ---- mistakes

std::vector<Json*> nodes_of(Json& tree, const std::function<bool(const Json&)>& wanted) {
    std::vector<Json*> nodes;
    for (auto& [key, subtree] : tree.items()) {
        if (wanted(subtree)) {
            nodes.push_back(&subtree);
        }
        const std::vector<Json*> below = nodes_of(subtree, wanted);
        nodes.insert(nodes.end(), below.begin(), below.end());
    }
    return nodes;
}

bool is_leaf(const Json& node) {
    return node.size() == 1 && node.begin().key().starts_with("algorithm=");
}

bool is_question(const Json& node) {
    return !node.empty() && !is_leaf(node) && !node.begin().key().starts_with("k=");
}

void rename_first(Json& node, const std::string& key) {
    Json renamed = Json::object();
    for (auto& [old, subtree] : node.items()) {
        renamed[renamed.empty() ? key : old] = subtree;
    }
    node = renamed;
}

void drop_last(Json& node) {
    Json kept = Json::object();
    for (auto& [key, subtree] : node.items()) {
        if (kept.size() + 1 < node.size()) {
            kept[key] = subtree;
        }
    }
    node = kept;
}

struct TreeMistake {
    bool (*where)(const Json& node);
    void (*make)(Json& node);
};

const TreeMistake tree_mistakes[] = {
    {is_leaf, [](Json& node) { rename_first(node, node.begin().key() + "x"); }},
    {is_leaf, [](Json& node) { rename_first(node, "algorithm=MPIR_Nothing_intra_binomial"); }},
    {is_leaf, [](Json& node) { node = Json::object(); }},
    {is_leaf, [](Json& node) { node = "binomial"; }},
    {is_leaf, [](Json& node) { node["comm_size=any"] = Json::object(); }},
    {is_question, [](Json& node) { drop_last(node); }},
    {is_question, [](Json& node) { rename_first(node, "message_size<=5"); }},
    {is_question, [](Json& node) { rename_first(node, "comm_size<=many"); }},
    {is_question, [](Json& node) { rename_first(node, "comm_size<=99999999999"); }},
    {is_question, [](Json& node) { rename_first(node, "comm_avg_ppn=2"); }},
    {is_question, [](Json& node) { rename_first(node, "comm_hierarchy=everything"); }},
};

TEST(LintSelectionFile, FindsEachOfManyMistakes) {
    std::mt19937 random(1);
    int made = 0;
    for (int i = 0; i < 250; ++i) {
        const StockTarget& target = stock_targets()[random() % stock_targets().size()];
        static std::map<std::string, Json> files;
        Json& file = files[target.name];
        file = file.is_null() ? Json::parse(stock_file(target.name), nullptr, true, true) : file;
        Json tree = file;
        const TreeMistake& mistake = tree_mistakes[random() % std::size(tree_mistakes)];
        const std::vector<Json*> places = nodes_of(tree, mistake.where);
        ASSERT_FALSE(places.empty());
        mistake.make(*places[random() % places.size()]);
        EXPECT_NE(text_of(lint_selection_file(tree.dump(1), target)), "") << tree.dump(1);
        ++made;
    }
    EXPECT_GE(made, 200);
}

TEST(LintSelectionFile, SaysWhatIsWrong) {
    const StockTarget& target = find_stock_target("4.2");
    const auto of = [&](const std::function<void(Json&)>& change) {
        Json tree = tree_of(target);
        change(tree);
        return text_of(lint_selection_file(tree.dump(), target));
    };
    EXPECT_NE(of([](Json& tree) { tree.erase("collective=scan"); }).find("'collective=scan' is missing"),
              std::string::npos);
    EXPECT_NE(of([](Json& tree) {
                  tree["collective=barrier"] = {{"avg_msg_size=any", tree["collective=barrier"]}};
              }).find("barrier has no avg_msg_size: the first call ends the job"),
              std::string::npos);
    EXPECT_NE(text_of(lint_selection_file("{\"collective=bcast\": ", target)).find("this is no JSON"),
              std::string::npos);
    EXPECT_NE(text_of(lint_selection_file("[]", target)).find("no JSON object"), std::string::npos);
}

// ---- the layers of ch4 devices

std::string lint_of(const std::string& text, const char* release) {
    return text_of(lint_selection_file(text, find_stock_target(release)));
}

// The tree with another answer in place of one
std::string file_with(const char* name, const std::string& before, const std::string& after) {
    std::string text = read_file(TESTS_DATA "/mpich-trees/" + std::string(name));
    const std::size_t at = text.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    return text.replace(at, before.size(), after);
}

TEST(LintSelectionFile, FindsNothingInMpichsOwnTreesOfCh4) {
    EXPECT_EQ(lint_of(read_file(TESTS_DATA "/mpich-trees/ch4-4.0.2.json"), "4.0"), "");
    for (const char* release : {"4.2", "5.0"}) {
        EXPECT_EQ(lint_of(read_file(TESTS_DATA "/mpich-trees/ch4-4.2.1.json"), release), "");
        EXPECT_EQ(lint_of(read_file(TESTS_DATA "/mpich-trees/posix-4.0.2.json"), release), "");
    }
}

TEST(LintSelectionFile, ACompositionForOneNodeIsNotForSeveral) {
    const std::string found = lint_of(read_file(TESTS_DATA "/mpich-trees/mpich-7456.json"), "5.0");
    EXPECT_NE(
        found.find(
            "error: /collective=allreduce/comm_type=intra/comm_hierarchy=parent/is_commutative=yes/"
            "comm_size<=12/avg_msg_size<=4096: 'MPIDI_Allreduce_intra_composition_gamma' is for ranks of "
            "one node, but communicators on several nodes reach it"),
        std::string::npos)
        << found;
    EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 1) << found;
    EXPECT_EQ(
        lint_of(file_with("mpich-7456.json", "\"comm_size<=12\"", "\"comm_size=node_comm_size\""), "5.0"),
        "");
}

TEST(LintSelectionFile, FindsWhatIsMissingInFilesOfCh4) {
    const struct {
        const char* file;
        const char* before;
        const char* after;
        const char* found;
    } rows[] = {
        {"ch4-4.0.2.json", "comm_size=node_comm_size", "comm_size<=8", "is for ranks of one node"},
        {"ch4-4.0.2.json", "\"comm_hierarchy=parent\"", "\"comm_avg_ppn<=4\"",
         "is for nodes with several ranks"},
        {"ch4-4.0.2.json", "is_commutative=yes", "avg_msg_size<=64", "is for commutative operations"},
        {"ch4-4.0.2.json", "Bcast_intra_composition_alpha", "Bcast_intra_composition_omega",
         "MPICH 4.0 has no 'MPIDI_Bcast_intra_composition_omega'"},
        {"ch4-4.0.2.json", "composition=MPIDI_Bcast_intra_composition_gamma",
         "algorithm=MPIR_Bcast_intra_binomial",
         "belongs to the file of MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"},
        {"ch4-4.0.2.json", "MPIDI_Exscan_intra", "MPIDI_Scan_intra", "is no algorithm of exscan"},
        {"ch4-4.0.2.json", "\"avg_msg_size<524288\"", "\"avg_msg_size<12288 \"",
         "warning: /collective=bcast/comm_type=intra/comm_hierarchy=parent/comm_size=pow2/avg_msg_size<12288 "
         ": is never "
         "reached"},
        {"ch4-4.0.2.json", "\"avg_msg_size=any\"", "\"avg_msg_size<7\"",
         "no branch is for all other calls: MPI_Init"},
        {"posix-4.0.2.json", "is_multi_threaded=no", "is_multi_threaded=yes",
         "is for programs of one thread"},
        {"posix-4.0.2.json", "is_commutative=yes", "avg_msg_size=any", "is for commutative operations"},
        {"posix-4.0.2.json", "\"is_multi_threaded=no\"", "\"comm_hierarchy=flat\"", "is never reached"},
        {"posix-4.0.2.json", "{", "{",
         "in MPICH 4.0 the file of MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE"},
    };
    for (const auto& row : rows) {
        const std::string found = lint_of(file_with(row.file, row.before, row.after), "4.0");
        EXPECT_NE(found.find(row.found), std::string::npos) << row.after << "\n" << found;
    }
}

TEST(LintSelectionFile, ContradictionsToWhatIsAboveAreOneNote) {
    const std::string found =
        lint_of(file_with("ch4-4.0.2.json", "\"comm_hierarchy=parent\"", "\"comm_hierarchy=flat\""), "4.0");
    EXPECT_EQ(found.find("note: /collective=bcast"), std::string::npos) << found;
    const std::string small =
        lint_of(file_with("ch4-4.0.2.json", "\"comm_size<8\"", "\"comm_size=any\""), "4.0");
    EXPECT_NE(
        small.find("error: /collective=bcast/comm_type=intra/comm_hierarchy=parent/comm_size=pow2: is never"),
        std::string::npos)
        << small;
    const std::string nested =
        lint_of(file_with("ch4-4.0.2.json", "\"comm_hierarchy=parent\"", "\"avg_msg_size<=100\""), "4.0");
    EXPECT_NE(nested.find("note: /collective=bcast/comm_type=intra/avg_msg_size<=100/comm_size=pow2/"),
              std::string::npos)
        << nested;
}

TEST(LintSelectionFile, AlgorithmsNeedGuards) {
    Json tree = tree_of(find_stock_target("4.0"));
    tree["collective=bcast"] = {{"algorithm=MPIR_Bcast_intra_smp", Json::object()}};
    tree["collective=allgather"] = {{"algorithm=MPIR_Allgather_intra_recursive_doubling", Json::object()}};
    tree["collective=alltoall"] = {{"algorithm=MPIR_Alltoall_intra_brucks", Json::object()}};
    const std::string found = lint_of(tree.dump(), "4.0");
    for (const char* text : {"'MPIR_Bcast_intra_smp' is for nodes with several ranks",
                             "'MPIR_Allgather_intra_recursive_doubling' is for powers of two of ranks",
                             "'MPIR_Alltoall_intra_brucks' is for calls that are not in place"}) {
        EXPECT_NE(found.find(text), std::string::npos) << text << "\n" << found;
    }
}

}  // namespace
