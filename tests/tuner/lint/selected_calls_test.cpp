// SPDX-License-Identifier: MIT
#include "selected_calls.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <vector>

namespace {

using namespace tuner;

const StockTarget& mpich_4_0() {
    return find_stock_target("4.0");
}

SelectionQuestion question(const std::string& word) {
    BadQuestion bad;
    return parse_question(word, mpich_4_0(), bad).value();
}

// Below these questions; "!": where the answer does not hold
SelectedCalls below(const std::vector<std::string>& words, const SelectionLayer& layer = ch4_layer()) {
    SelectedCalls calls(layer, "allreduce");
    for (const std::string& word : words) {
        const bool is_not = word.starts_with('!');
        const auto split = calls.split(question(is_not ? word.substr(1) : word), mpich_4_0());
        calls = is_not ? split.without : split.with;
    }
    return calls;
}

TEST(SelectedCalls, KnowsWhatIsOnOneNode) {
    EXPECT_EQ(below({}).missing(needs_one_node), needs_one_node);
    EXPECT_EQ(below({"comm_hierarchy=parent"}).missing(needs_one_node), needs_one_node);
    EXPECT_EQ(below({"comm_size=node_comm_size"}).missing(needs_one_node | needs_shared_nodes), 0U);
    EXPECT_EQ(below({"!comm_size=node_comm_size", "comm_size=any"}).missing(needs_one_node), needs_one_node);
    EXPECT_EQ(below({}, posix_layer()).missing(needs_one_node), 0U);
    EXPECT_EQ(below({"is_node_consecutive=yes"}).missing(needs_shared_nodes), 0U);
    EXPECT_EQ(
        below({"comm_type=intra", "!comm_avg_ppn<=1", "!comm_hierarchy=node"}).missing(needs_shared_nodes),
        0U);
    EXPECT_EQ(below({"comm_type=intra", "!comm_hierarchy=flat"}).missing(needs_shared_nodes),
              needs_shared_nodes);
}

TEST(SelectedCalls, KnowsWhatIsExcluded) {
    EXPECT_TRUE(below({"comm_size<=4", "!comm_size<=8"}).none());
    EXPECT_TRUE(below({"avg_msg_size<=100", "!avg_msg_size<=200"}).none());
    EXPECT_TRUE(below({"!is_commutative=yes", "is_op_built_in=yes"}).none());
    EXPECT_TRUE(below({"comm_size<=8", "!comm_size<=7", "!comm_size=pow2"}).none());
    EXPECT_TRUE(below({"comm_hierarchy=flat"}, posix_layer()).none());
    EXPECT_TRUE(below({"!comm_size=any"}).none());
    EXPECT_FALSE(below({"comm_size<=4", "!comm_size<=3"}).none());
    EXPECT_EQ(below({"comm_size<=8", "!comm_size<=7"}).missing(needs_power_of_two), 0U);
    EXPECT_EQ(below({"comm_size<=8"}).missing(needs_power_of_two), needs_power_of_two);
}

// ---- against single calls, which are asked as MPICH asks them

enum class Kind { one_node, nodes, node, node_roots, flat };

struct OneCall {
    Kind kind = Kind::flat;
    int ranks = 2;
    int nodes = 2;
    bool threaded = false;
    bool commutative = true;
    bool built_in = true;
    bool consecutive = false;
    int elements = 1;
    int bytes = 4;
};

OneCall random_call(std::mt19937& random) {
    OneCall call;
    call.kind = static_cast<Kind>(random() % 5);
    call.nodes = 2 + static_cast<int>(random() % 4);
    switch (call.kind) {
        case Kind::one_node:
        case Kind::node:
            call.nodes = 1, call.ranks = 2 + static_cast<int>(random() % 9);
            break;
        case Kind::nodes:
            call.ranks = call.nodes + 1 + static_cast<int>(random() % 9);
            break;
        case Kind::node_roots:
        case Kind::flat:
            call.ranks = call.nodes;
            break;
    }
    call.threaded = random() % 2 == 0;
    call.built_in = random() % 2 == 0;
    call.commutative = call.built_in || random() % 2 == 0;
    call.consecutive = call.kind == Kind::one_node || (call.kind == Kind::nodes && random() % 2 == 0);
    call.elements = static_cast<int>(random() % 12);
    call.bytes = call.elements * (random() % 2 == 0 ? 1 : 8);
    return call;
}

int number_of(const SelectionQuestion& q, const OneCall& call) {
    return q.name == "comm_size" ? call.ranks : q.name == "count" ? call.elements : call.bytes;
}

bool holds(const SelectionQuestion& q, const OneCall& call) {
    const bool is_yes = q.answer == "yes";
    const auto pof2 = static_cast<int>(std::bit_floor(static_cast<unsigned>(call.ranks)));
    if (q.answer == "any") return true;
    if (q.name == "is_multi_threaded") return call.threaded == is_yes;
    if (q.name == "is_commutative") return call.commutative == is_yes;
    if (q.name == "is_op_built_in") return call.built_in == is_yes;
    if (q.name == "is_node_consecutive") return call.consecutive == is_yes;
    if (q.name == "comm_type") return q.answer == "intra";
    if (q.answer == "parent") return call.kind == Kind::one_node || call.kind == Kind::nodes;
    if (q.answer == "node") return call.kind == Kind::node;
    if (q.answer == "node_roots") return call.kind == Kind::node_roots;
    if (q.answer == "flat") return call.kind == Kind::flat;
    if (q.answer == "node_comm_size") return call.kind == Kind::one_node;
    if (q.answer == "pow2") return q.name == "count" ? call.elements < pof2 : call.ranks == pof2;
    const int limit = std::stoi(q.answer);
    if (q.name == "comm_avg_ppn") return call.ranks <= limit * call.nodes;
    return q.relation == "<=" ? number_of(q, call) <= limit : number_of(q, call) < limit;
}

unsigned lacks(const OneCall& call) {
    const auto pof2 = static_cast<int>(std::bit_floor(static_cast<unsigned>(call.ranks)));
    const bool shares = call.kind == Kind::one_node || call.kind == Kind::nodes;
    return (shares ? 0U : needs_shared_nodes) |
           (call.kind == Kind::one_node || call.kind == Kind::node ? 0U : needs_one_node) |
           (call.commutative ? 0U : needs_commutative) | (call.built_in ? 0U : needs_built_in) |
           (call.elements >= pof2 ? 0U : needs_elements) | (call.ranks == pof2 ? 0U : needs_power_of_two) |
           (call.threaded ? needs_one_thread : 0U);
}

TEST(SelectedCalls, NoCallIsForgotten) {
    const char* words[] = {"is_multi_threaded=yes",
                           "is_multi_threaded=no",
                           "is_commutative=yes",
                           "is_commutative=no",
                           "is_op_built_in=yes",
                           "is_op_built_in=no",
                           "is_node_consecutive=yes",
                           "is_node_consecutive=no",
                           "comm_type=intra",
                           "comm_type=inter",
                           "comm_hierarchy=parent",
                           "comm_hierarchy=node",
                           "comm_hierarchy=node_roots",
                           "comm_hierarchy=flat",
                           "comm_size=node_comm_size",
                           "comm_size=pow2",
                           "comm_size=any",
                           "comm_size<=3",
                           "comm_size<4",
                           "comm_size<=8",
                           "comm_avg_ppn<=1",
                           "comm_avg_ppn<=2",
                           "count<pow2",
                           "count<=3",
                           "avg_msg_size<=0",
                           "avg_msg_size<5",
                           "avg_msg_size<=40"};
    std::mt19937 random(1);
    int decided = 0;
    for (int i = 0; i < 20000; ++i) {
        const OneCall call = random_call(random);
        SelectedCalls calls(mpir_layer(), "allreduce");
        std::string path;
        for (int level = 0; level < 5; ++level) {
            const SelectionQuestion q = question(words[random() % std::size(words)]);
            const bool is_so = holds(q, call);
            const auto split = calls.split(q, mpich_4_0());
            calls = is_so ? split.with : split.without;
            decided += (is_so ? split.without : split.with).none() ? 1 : 0;
            path += (is_so ? " " : " !") + q.name + q.relation + q.answer;
            ASSERT_FALSE(calls.none()) << path;
            const unsigned wrong = lacks(call);
            const unsigned harmless = call.bytes == 0 ? needs_shared_nodes : 0U;
            ASSERT_EQ(calls.missing(wrong) | harmless, wrong | harmless) << path;
        }
    }
    EXPECT_GT(decided, 1000);  // the other branch is out of reach
}

}  // namespace
