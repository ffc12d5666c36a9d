// SPDX-License-Identifier: MIT
#include "lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace tuner {

extern const char* const mpich_algorithms;

namespace {

constexpr int most_levels = 100;

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

// Answers that between them are all that there are
const std::vector<std::set<std::string>> complete = {
    {"yes", "no"}, {"intra", "inter"}, {"parent", "node_roots", "node", "flat"}, {"any"}};

std::set<std::string> names_of(const StockTarget& target) {
    static const Json names = Json::parse(mpich_algorithms);
    std::set<std::string> known;
    for (const auto& [release, list] : names.items()) {
        const bool is_since = release.starts_with("since ") && target.name >= release.substr(6);
        if (release == "all" || release == target.name || is_since) {
            for (const Json& name : list) {
                known.insert(name.get<std::string>());
            }
        }
    }
    return known;
}

std::string without_spaces(std::string key) {  // as MPICH reads it
    std::erase_if(key, [](unsigned char c) { return std::isspace(c) != 0; });
    return key;
}

struct Question {
    const Operator* about = nullptr;
    std::string relation;  // "=" or before a number
    std::string answer;
};

class SelectionLint {
  public:
    explicit SelectionLint(const StockTarget& target) : target_(target), names_(names_of(target)) {}

    std::vector<Finding> check(const Json& tree) {
        if (!tree.is_object()) {
            add("/", "the file is no JSON object",
                "write it again with changeover emit --format mpich-stock");
            return std::move(findings_);
        }
        std::set<std::string> missing;
        const Json own = tree_of(target_);
        for (const auto& [key, subtree] : own.items()) {
            missing.insert(key);
        }
        for (const auto& [key, subtree] : tree.items()) {
            const std::string word = without_spaces(key);
            if (missing.erase(word) == 0) {
                add("/" + key, "there is no such collective, or it is there twice", "remove it");
                continue;
            }
            collective_ = word.substr(word.find('=') + 1);
            check_node(subtree, "/" + key, 0);
        }
        for (const std::string& key : missing) {
            add("/", fmt::format("'{}' is missing: calls of it end the job", key), "add MPICH's own subtree");
        }
        return std::move(findings_);
    }

  private:
    void add(const std::string& place, std::string problem, std::string remedy) {
        findings_.push_back({Severity::error, place, std::move(problem), std::move(remedy)});
    }

    void check_node(const Json& node, const std::string& place, int level) {
        if (!node.is_object() || node.empty() || level > most_levels) {
            add(place, "neither a question nor an algorithm is here", "add one, such as \"algorithm=...\"");
            return;
        }
        const std::string first = without_spaces(node.begin().key());
        if (first.starts_with("algorithm=") || first.starts_with("composition=")) {
            check_leaf(node, first, place);
            return;
        }
        std::set<std::string> answers;
        const Operator* about = nullptr;
        bool is_closed = false;
        for (const auto& [key, subtree] : node.items()) {
            const std::string here = place + "/" + key;
            if (is_closed) {
                add(here, "is never reached: what is before it holds for every call",
                    "remove it, or put it first");
            }
            const std::string word = without_spaces(key);
            if (word == "any" && target_.has_bare_any) {
                is_closed = true;
            } else if (const std::optional<Question> question = parse(word, here)) {
                answers = question->about == about ? answers : std::set<std::string>();
                about = question->about;
                answers.insert(question->answer);
                is_closed = is_closed ||
                            (question->relation == "=" &&
                             std::find(complete.begin(), complete.end(), answers) != complete.end()) ||
                            question->answer == "any";
            }
            check_node(subtree, here, level + 1);
        }
        if (!is_closed) {
            add(place, "no branch is for all other calls, which then end the job",
                "add one that ends with =any");
        }
    }

    void check_leaf(const Json& node, const std::string& word, const std::string& place) {
        if (node.size() != 1) {
            add(place, "an algorithm stands beside other keys", "keep one of them");
        }
        const std::string name = word.substr(word.find('=') + 1);
        std::string start = "MPIR_" + collective_ + "_";
        start[5] = static_cast<char>(std::toupper(static_cast<unsigned char>(start[5])));
        if (word.starts_with("composition=") || !names_.contains(name)) {
            add(place, fmt::format("MPICH {} has no '{}': MPI_Init ends the job", target_.name, name),
                fmt::format("write the file again: changeover emit --format mpich-stock --target {}",
                            target_.name));
        } else if (!name.starts_with(start)) {
            add(place, fmt::format("'{}' is no algorithm of {}", name, collective_), "name one of its own");
        } else if (name.starts_with(start + "intra_")) {
            check_parameters(node.begin().value(), name.substr(start.size() + std::strlen("intra_")), place);
        }
    }

    void check_parameters(const Json& leaf, const std::string& algorithm, const std::string& place) {
        const LaterAlgorithm* later =
            find_later_algorithm(target_, collective_, models::AlgorithmName(algorithm));
        std::map<std::string, std::string> values;
        for (const auto& [key, nothing] : leaf.items()) {
            const std::string word = without_spaces(key);
            values[word.substr(0, word.find('='))] = word.substr(std::min(word.find('=') + 1, word.size()));
        }
        for (const auto& [name, by_default] :
             later == nullptr ? std::vector<std::pair<std::string, std::string>>() : later->parameters) {
            const bool is_name = name == "tree_type" && target_.names_trees;
            const std::string& value = values[name];
            if (is_name ? value.empty() : !is_number(value)) {
                add(place, fmt::format("the parameter {} is missing: what is used is not defined", name),
                    fmt::format("add \"{}\": {{}}", leaf_key(target_, name, by_default)));
            }
        }
    }

    // MPICH reads numbers with atoi
    static bool is_number(const std::string& text) {
        return !text.empty() && text.size() <= 10 &&
               std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; }) &&
               std::stoll(text) <= std::numeric_limits<int>::max();
    }

    std::optional<Question> parse(const std::string& word, const std::string& place) {
        const std::size_t end = word.find_first_of("<=");
        const std::string name = word.substr(0, end);
        const auto about = std::find_if(operators().begin(), operators().end(),
                                        [&](const Operator& row) { return name == row.name; });
        if (end == std::string::npos || about == operators().end()) {
            add(place, fmt::format("MPICH {} has no such question: MPI_Init ends the job", target_.name),
                "correct it, or remove it");
            return std::nullopt;
        }
        const std::string relation = word.substr(end, word.compare(end, 2, "<=") == 0 ? 2 : 1);
        Question question{&*about, relation, word.substr(end + relation.size())};
        if (!is_known(question)) {
            add(place, fmt::format("'{}' is not known to MPICH {}, or no whole number", word, target_.name),
                "correct it; numbers go from 0 to 2147483647");
            return std::nullopt;
        }
        check_collective(*about, place);
        return question;
    }

    bool is_known(const Question& q) const {
        const auto has = [](const std::vector<std::string>& list, const std::string& word) {
            return std::find(list.begin(), list.end(), word) != list.end();
        };
        if (q.relation == "=") {
            return has(q.about->words, q.answer);
        }
        if (q.about->name == std::string("count") && q.relation == "<") {
            return q.answer == "pow2";
        }
        const bool is_late = q.about->name == std::string("comm_avg_ppn") && q.relation == "<";
        return has(q.about->relations, q.relation) && is_number(q.answer) &&
               (!is_late || target_.has_bare_any);
    }

    void check_collective(const Operator& about, const std::string& place) {
        const std::string blocking = collective_.starts_with("i") ? collective_.substr(1) : collective_;
        if (!about.collectives.empty() && std::find(about.collectives.begin(), about.collectives.end(),
                                                    blocking) == about.collectives.end()) {
            add(place, fmt::format("{} has no {}: the first call ends the job", collective_, about.name),
                "ask for something else");
        }
    }

    const StockTarget& target_;
    std::set<std::string> names_;
    std::string collective_;
    std::vector<Finding> findings_;
};

}  // namespace

bool is_selection_file(const std::string& text) {
    return text.find("\"collective=") != std::string::npos;
}

std::vector<Finding> lint_selection_file(const std::string& text, const StockTarget& target) {
    Json tree;
    try {
        tree = Json::parse(text, nullptr, true, true);
    } catch (const Json::parse_error& error) {
        return {
            {Severity::error, fmt::format("byte {}", error.byte), "this is no JSON", "write the file again"}};
    }
    return SelectionLint(target).check(tree);
}

}  // namespace tuner
