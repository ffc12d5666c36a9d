// SPDX-License-Identifier: MIT
#include "selection_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

namespace tuner {

namespace {

// Questions with words for answers, and those with numbers. `collectives`: the only ones that have an answer,
// blocking or not; empty: all have one (csel.c of MPICH 4.0.2)
struct Operator {
    const char* name;
    std::vector<std::string> words;      // after '='
    std::vector<std::string> relations;  // before a number
    std::vector<std::string> collectives;
};

const std::vector<Operator>& operators() {
    static const std::vector<std::string> yes_or_no = {"yes", "no"};
    static const std::vector<std::string> both = {"<=", "<"};
    static const std::vector<std::string> with_operation = {
        "allreduce", "reduce", "reduce_scatter", "reduce_scatter_block", "scan", "exscan"};
    static const std::vector<Operator> rows = {
        {"is_multi_threaded", yes_or_no, {}, {}},
        {"comm_type", {"intra", "inter"}, {}, {}},
        {"comm_size", {"pow2", "node_comm_size", "any"}, both, {}},
        {"comm_hierarchy", {"parent", "node_roots", "node", "flat", "any"}, {}, {}},
        {"comm_avg_ppn", {}, both, {}},
        {"is_node_consecutive", yes_or_no, {}, {}},
        {"is_commutative", yes_or_no, {}, with_operation},
        {"is_op_built_in", yes_or_no, {}, {"allreduce", "reduce"}},
        {"is_sendbuf_inplace", yes_or_no, {}, {"alltoall", "alltoallv", "alltoallw"}},
        {"is_block_regular", yes_or_no, {}, {"reduce_scatter"}},
        {"count",
         {"any"},
         {"<="},
         {"bcast", "allreduce", "reduce", "allgather", "allgatherv", "reduce_scatter",
          "reduce_scatter_block"}},
        {"avg_msg_size", {"any"}, both, {"allreduce", "bcast", "reduce", "alltoall"}},
        {"total_msg_size",
         {"any"},
         both,
         {"allreduce", "bcast", "reduce", "alltoall", "alltoallv", "alltoallw", "allgather", "allgatherv",
          "gather", "scatter", "reduce_scatter", "reduce_scatter_block"}},
    };
    return rows;
}

const Operator* find_operator(const std::string& name) {
    const auto row = std::find_if(operators().begin(), operators().end(),
                                  [&](const Operator& candidate) { return name == candidate.name; });
    return row == operators().end() ? nullptr : &*row;
}

bool has(const std::vector<std::string>& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_known(const SelectionQuestion& question, const Operator& about, const StockTarget& target) {
    if (question.relation == "=") {
        return has(about.words, question.answer);
    }
    if (question.name == "count" && question.relation == "<") {
        return question.answer == "pow2";
    }
    const bool is_late = question.name == "comm_avg_ppn" && question.relation == "<";
    return has(about.relations, question.relation) && is_number(question.answer) &&
           (!is_late || target.has_bare_any);
}

}  // namespace

bool SelectionQuestion::must_not_be_last() const {
    return !holds_for_all() && (relation != "=" || name == "comm_size");
}

std::string without_spaces(std::string key) {
    std::erase_if(key, [](unsigned char c) { return std::isspace(c) != 0; });
    return key;
}

// MPICH reads numbers with atoi
bool is_number(const std::string& text) {
    return !text.empty() && text.size() <= 10 &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; }) &&
           std::stoll(text) <= std::numeric_limits<int>::max();
}

std::optional<SelectionQuestion> parse_question(const std::string& word, const StockTarget& target,
                                                BadQuestion& bad) {
    if (word == "any" && target.has_bare_any) {
        return SelectionQuestion{"any", "=", "any"};
    }
    const std::size_t end = word.find_first_of("<=");
    const Operator* about = find_operator(word.substr(0, end));
    if (end == std::string::npos || about == nullptr) {
        bad = {fmt::format("MPICH {} has no such question: MPI_Init ends the job", target.name),
               "correct it, or remove it"};
        return std::nullopt;
    }
    const std::string relation = word.substr(end, word.compare(end, 2, "<=") == 0 ? 2 : 1);
    const SelectionQuestion question{about->name, relation, word.substr(end + relation.size())};
    if (!is_known(question, *about, target)) {
        bad = {fmt::format("'{}' is not known to MPICH {}, or no whole number", word, target.name),
               "correct it; numbers go from 0 to 2147483647"};
        return std::nullopt;
    }
    return question;
}

bool can_answer(const SelectionQuestion& question, const std::string& collective) {
    const Operator* about = find_operator(question.name);
    const std::string blocking = collective.starts_with("i") ? collective.substr(1) : collective;
    return about == nullptr || about->collectives.empty() || has(about->collectives, blocking);
}

}  // namespace tuner
