// SPDX-License-Identifier: MIT
#include "lint.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>

#include "emit.hpp"
#include "example_config.hpp"

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
        EXPECT_EQ(text_of(lint_selection_file(stock_file(target.name), target)), "") << target.name;
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

struct Mistake {
    bool (*where)(const Json& node);
    void (*make)(Json& node);
};

const Mistake mistakes[] = {
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
        const Mistake& mistake = mistakes[random() % std::size(mistakes)];
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

}  // namespace
