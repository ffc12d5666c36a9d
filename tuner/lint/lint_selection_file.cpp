// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "lint.hpp"
#include "selected_calls.hpp"
#include "selection_layer.hpp"
#include "selection_question.hpp"

namespace tuner {

namespace {

struct GuardText {
    Guard guard;
    const char* is_for;
    const char* reached_by;
    const char* remedy;
};

constexpr GuardText guard_texts[] = {
    {needs_one_node, "ranks of one node", "communicators on several nodes",
     "put it below comm_size=node_comm_size"},
    {needs_shared_nodes, "nodes with several ranks", "communicators without such nodes",
     "put it below comm_hierarchy=parent"},
    {needs_built_in, "built-in operations", "other operations", "put it below is_op_built_in=yes"},
    {needs_commutative, "commutative operations", "other operations", "put it below is_commutative=yes"},
    {needs_elements, "at least an element for each rank", "shorter messages",
     "put another one below count<pow2 before it"},
    {needs_power_of_two, "powers of two of ranks", "other numbers of ranks", "put it below comm_size=pow2"},
    {needs_in_place, "calls in place", "other calls", "put it below is_sendbuf_inplace=yes"},
    {needs_not_in_place, "calls that are not in place", "calls in place",
     "put it below is_sendbuf_inplace=no"},
    {needs_equal_blocks, "blocks of the same size", "other calls", "put it below is_block_regular=yes"},
    {needs_one_thread, "programs of one thread", "programs with MPI_THREAD_MULTIPLE",
     "put it below is_multi_threaded=no"},
};

class SelectionLint {
  public:
    SelectionLint(const SelectionLayer& layer, const StockTarget& target) : layer_(layer), target_(target) {}

    std::vector<Finding> check(const Json& tree) {
        if (!tree.is_object()) {
            add("/", "the file is no JSON object",
                "write it again with changeover emit --format mpich-stock");
            return std::move(findings_);
        }
        check_release();
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
            check_node(subtree, "/" + key, SelectedCalls(layer_, collective_), 0);
            note_unreached();
        }
        for (const std::string& key : layer_.must_be_complete ? missing : std::set<std::string>()) {
            add("/", fmt::format("'{}' is missing: calls of it end the job", key), "add MPICH's own subtree");
        }
        return std::move(findings_);
    }

  private:
    void add(const std::string& place, std::string problem, std::string remedy,
             Severity severity = Severity::error) {
        findings_.push_back({severity, place, std::move(problem), std::move(remedy)});
    }

    // posix_init.c opens the file that the variable of the ch4 layer names
    void check_release() {
        const bool is_old = target_.name == std::string("4.0");
        if (&layer_ == &posix_layer() && (is_old || target_.name == std::string("4.1"))) {
            add("/",
                fmt::format(
                    "in MPICH {} the file of {} is opened in place of this one: MPI_Init ends the job",
                    is_old ? "4.0" : "4.1.0 and 4.1.1", ch4_layer().variable),
                "use MPICH 4.1.2 or later, or the section posix of a tuning file of the patched MPICH",
                is_old ? Severity::error : Severity::warning);
        }
    }

    void check_node(const Json& node, const std::string& place, const SelectedCalls& calls, int level) {
        if (!node.is_object() || node.empty() || level > most_levels) {
            add(place, "neither a question nor an algorithm is here",
                fmt::format("add one, such as \"{}...\"", layer_.leaf));
            return;
        }
        const std::string first = without_spaces(node.begin().key());
        if (first.starts_with("algorithm=") || first.starts_with("composition=")) {
            check_leaf(node, first, place, calls);
            return;
        }
        SelectedCalls left = calls;
        SelectedCalls left_here(layer_, collective_);  // as if nothing stood above
        std::optional<SelectionQuestion> last;
        for (const auto& [key, subtree] : node.items()) {
            const std::string here = place + "/" + key;
            BadQuestion bad;
            const std::optional<SelectionQuestion> question =
                parse_question(without_spaces(key), target_, bad);
            if (!question) {
                add(here, bad.problem, bad.remedy);
                check_node(subtree, here, left, level + 1);
                continue;
            }
            const SelectedCalls::Split split = left.split(*question, target_);
            const SelectedCalls::Split split_here = left_here.split(*question, target_);
            const bool is_required = question->holds_for_all() && last && last->must_not_be_last();
            check_question(*question, here);
            if (split_here.with.none() && !is_required) {
                add_unreached(*question, here, left_here.none());
            } else if (split.with.none() && !calls.none() && !is_required) {
                unreached_.push_back(here);
            }
            check_node(subtree, here, split.with, level + 1);
            left = split.without;
            left_here = split_here.without;
            last = question;
        }
        check_rest(place, calls.none(), left, last);
    }

    void check_question(const SelectionQuestion& question, const std::string& here) {
        if (!can_answer(question, collective_)) {
            add(here, fmt::format("{} has no {}: the first call ends the job", collective_, question.name),
                "ask for something else");
        }
    }

    // By what stands beside it, whatever is above
    void add_unreached(const SelectionQuestion& question, const std::string& here, bool is_after_all) {
        const bool is_of_scan = collective_.ends_with("scan") && question.answer == "inter";
        if (is_of_scan) {
            return;  // MPICH's own tree has it
        }
        if (is_after_all) {
            add(here, "is never reached: what is before it holds for every call",
                "remove it, or put it first");
        } else {
            add(here, "is never reached: what is before it excludes it, or the layer",
                "correct it, or remove it", Severity::warning);
        }
    }

    // By what stands above: harmless, and usual where a whole subtree was put below other questions
    void note_unreached() {
        if (!unreached_.empty()) {
            add(unreached_.front(),
                fmt::format(
                    "{} of {} never reached: what is above or before excludes {}",
                    unreached_.size() == 1 ? "this branch" : fmt::format("{} branches", unreached_.size()),
                    unreached_.size() == 1 ? collective_ + " is" : collective_ + " are",
                    unreached_.size() == 1 ? "it" : "them; this is the first one"),
                "no call notices", Severity::note);
        }
        unreached_.clear();
    }

    void check_rest(const std::string& place, bool is_below_unreached, const SelectedCalls& left,
                    const std::optional<SelectionQuestion>& last) {
        if (last && last->must_not_be_last()) {
            add(place, "no branch is for all other calls: MPI_Init ends the job",
                "add one that ends with =any");
        } else if (layer_.must_be_complete && !is_below_unreached && !left.none()) {
            add(place, "no branch is for all other calls, which then end the job",
                "add one that ends with =any");
        }
    }

    void check_leaf(const Json& node, const std::string& word, const std::string& place,
                    const SelectedCalls& calls) {
        if (node.size() != 1) {
            add(place, "an algorithm stands beside other keys", "keep one of them");
        }
        const std::string name = word.substr(word.find('=') + 1);
        if (!word.starts_with(layer_.leaf) || !has_leaf(layer_, name, target_)) {
            add_unknown(word, name, place);
        } else if (!is_of_collective(name)) {
            add(place, fmt::format("'{}' is no algorithm of {}", name, collective_), "name one of its own");
        } else {
            check_guards(name, place, calls);
            check_parameters(node.begin().value(), name, place);
        }
    }

    void add_unknown(const std::string& word, const std::string& name, const std::string& place) {
        const SelectionLayer* other = layer_of_name(name);
        if (other != nullptr && other != &layer_ && word.starts_with(other->leaf) &&
            has_leaf(*other, name, target_)) {
            add(place,
                fmt::format("'{}' belongs to the file of {}: MPI_Init ends the job", name, other->variable),
                fmt::format("this file has names of the layer {}; move it there", layer_.name));
            return;
        }
        add(place, fmt::format("MPICH {} has no '{}': MPI_Init ends the job", target_.name, name),
            layer_.must_be_complete
                ? fmt::format("write the file again: changeover emit --format mpich-stock --target {}",
                              target_.name)
                : "correct the name");
    }

    // MPIR_Bcast_intra_binomial, MPIDI_Bcast_intra_composition_alpha, MPIDI_POSIX_mpi_bcast_release_gather
    bool is_of_collective(const std::string& name) const {
        std::string capital = collective_;
        capital[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(capital[0])));
        return name.starts_with("MPIR_" + capital + "_") ||
               name.starts_with("MPIDI_" + capital + "_intra_") ||
               name.starts_with("MPIDI_POSIX_mpi_" + collective_ + "_");
    }

    void check_guards(const std::string& name, const std::string& place, const SelectedCalls& calls) {
        const unsigned missing = calls.missing(guards_of(name, target_));
        for (const GuardText& text : guard_texts) {
            if ((missing & text.guard) != 0) {
                add(place,
                    fmt::format("'{}' is for {}, but {} reach it: they get wrong results, or end the job",
                                name, text.is_for, text.reached_by),
                    fmt::format("{}, and another name below the other answers", text.remedy));
                return;  // often one guard stands for the next
            }
        }
    }

    void check_parameters(const Json& leaf, const std::string& name, const std::string& place) {
        const std::size_t at = name.find("_intra_");
        if (!name.starts_with("MPIR_") || at == std::string::npos) {
            return;
        }
        const LaterAlgorithm* later = find_later_algorithm(
            target_, collective_, models::AlgorithmName(name.substr(at + std::strlen("_intra_"))));
        std::map<std::string, std::string> values;
        for (const auto& [key, nothing] : leaf.items()) {
            const std::string word = without_spaces(key);
            values[word.substr(0, word.find('='))] = word.substr(std::min(word.find('=') + 1, word.size()));
        }
        for (const auto& [parameter, by_default] :
             later == nullptr ? std::vector<std::pair<std::string, std::string>>() : later->parameters) {
            const bool is_name = parameter == "tree_type" && target_.names_trees;
            const std::string& value = values[parameter];
            if (is_name ? value.empty() : !is_number(value)) {
                add(place, fmt::format("the parameter {} is missing: what is used is not defined", parameter),
                    fmt::format("add \"{}\": {{}}", leaf_key(target_, parameter, by_default)));
            }
        }
    }

    const SelectionLayer& layer_;
    const StockTarget& target_;
    std::string collective_;
    std::vector<std::string> unreached_;  // of the collective
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
    return SelectionLint(layer_of(tree), target).check(tree);
}

}  // namespace tuner
