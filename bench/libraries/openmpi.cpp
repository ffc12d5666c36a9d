// SPDX-License-Identifier: MIT
// Open MPI 4.1 to 6.0, whose component coll/tuned has the algorithms. It looks up what is forced whenever a
// communicator is made, if dynamic rules were switched on before MPI_Init. So each algorithm, with each of
// its parameters, gets a communicator of its own, and a job can go from one to the next. Components that
// would take the calls of such a communicator first (coll/han since 5.0, across nodes) stand back while it is
// made; what the library does by default is with them. Preconditions are
// those of the sources (ompi/mca/coll/base of 4.1.4), which run another algorithm, or fail, without a word.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <map>
#include <stdexcept>

#include "algorithm_name.hpp"
#include "control_variable.hpp"
#include "library.hpp"
#include "sizes.hpp"

namespace bench {

namespace {

constexpr const char* ignored = "ignore";  // what a variable says if nothing is forced
constexpr std::array<const char*, 3> offered_segments = {"", "8Ki", "64Ki"};
constexpr std::array<const char*, 2> offered_fanouts = {"2", "4"};

enum Need : unsigned {
    two_ranks = 1,
    even_ranks = 2,
    power_of_two_ranks = 4,
    commutative = 8,
    element_for_each_rank = 16,
    element_for_each_power = 32,  // of the largest power of two not above the ranks
    segment_for_each_rank = 64,
    two_halves_of_a_segment = 128
};

// Parameters that an algorithm has, by the ends of the names of their variables
enum Parameter : unsigned { has_segment = 1, has_fanout = 2, needs_segment = 4 };

struct Row {
    const char* collective;
    const char* algorithm;
    unsigned needs;
    unsigned parameters = 0;
};
constexpr Row rows[] = {
    {"bcast", "chain", 0, has_segment | has_fanout},
    {"bcast", "pipeline", 0, has_segment},
    {"bcast", "split_binary_tree", two_halves_of_a_segment, has_segment},
    {"bcast", "binary_tree", 0, has_segment},
    {"bcast", "binomial", 0, has_segment},
    {"bcast", "knomial", 0, has_segment},
    {"bcast", "scatter_allgather", element_for_each_rank},
    {"bcast", "scatter_allgather_ring", element_for_each_rank},
    {"reduce", "chain", commutative, has_segment | has_fanout},
    {"reduce", "pipeline", commutative, has_segment},
    {"reduce", "binary", commutative, has_segment},
    {"reduce", "binomial", commutative, has_segment},
    {"reduce", "in-order_binary", 0, has_segment},
    {"reduce", "rabenseifner", commutative | element_for_each_power},
    {"allreduce", "ring", commutative | element_for_each_rank},
    {"allreduce", "segmented_ring", commutative | segment_for_each_rank, needs_segment},
    {"allreduce", "rabenseifner", commutative | element_for_each_power},
    {"allgather", "recursive_doubling", power_of_two_ranks},
    {"allgather", "neighbor", even_ranks},
    {"allgather", "two_proc", two_ranks},
    {"alltoall", "two_proc", two_ranks},
    {"reduce_scatter", "recursive_halving", commutative},
    {"reduce_scatter", "ring", commutative},
    {"reduce_scatter_block", "recursive_halving", commutative},
    {"gather", "linear_sync", 0, has_segment},
    {"barrier", "two_proc", two_ranks},
};

Row row_of(const std::string& collective, const std::string& algorithm) {
    const auto* found = std::find_if(std::begin(rows), std::end(rows), [&](const Row& row) {
        return collective == row.collective && algorithm == row.algorithm;
    });
    return found == std::end(rows) ? Row{"", "", 0} : *found;
}

// chain:segment=8Ki:fanout=4
struct Variant {
    std::string algorithm;
    std::map<std::string, std::size_t> parameters;

    explicit Variant(const std::string& text) {
        const models::AlgorithmName name(text);
        algorithm = name.algorithm;
        for (const auto& [parameter, value] : name.parameters) {
            parameters[parameter] = models::parse_size(value);
        }
    }
    std::size_t segment() const {
        const auto found = parameters.find("segment");
        return found == parameters.end() ? 0 : found->second;
    }
};

// How a parameter is called in the names of variables, and what stands there if nothing is asked for
struct ParameterVariable {
    const char* name;
    const char* suffix;
    int value;
};
constexpr ParameterVariable parameter_variables[] = {
    {"segment", "_segmentsize", 0}, {"fanout", "_chain_fanout", 4}, {"radix", "_knomial_radix", 4}};

// Whose priority may be above that of coll/tuned
constexpr const char* other_components[] = {"han", "acoll", "xhc", "hcoll", "ucc"};

// Until the end of its life, communicators are made without them
class OthersStandBack {
  public:
    OthersStandBack() {
        for (const char* component : other_components) {
            const std::string name = "coll_" + std::string(component) + "_priority";
            if (ControlVariable::exists(name)) {
                ControlVariable priority(name);
                const int value = priority.is_number() && priority.is_writable() ? priority.read() : 0;
                if (value > 0) {  // below 0 it is turned off
                    priority.write(0);
                    before_.emplace_back(std::move(priority), value);
                }
            }
        }
    }
    ~OthersStandBack() {
        for (const auto& [priority, value] : before_) {
            priority.write(value);
        }
    }
    OthersStandBack(const OthersStandBack&) = delete;
    OthersStandBack& operator=(const OthersStandBack&) = delete;

  private:
    std::vector<std::pair<ControlVariable, int>> before_;
};

class OpenMpi : public Library {
  public:
    explicit OpenMpi(MPI_Comm comm) : comm_(comm) {
        MPI_Comm_size(comm, &ranks_);
        has_rules_file_ = !ControlVariable("coll_tuned_dynamic_rules_filename").read_text().empty();
    }
    ~OpenMpi() override {
        for (auto& [key, comm] : communicators_) {
            MPI_Comm_free(&comm);
        }
    }

    std::string version() const override { return version_line(); }
    bool can_switch() const override { return !has_rules_file_; }

    std::vector<std::string> algorithms(const Pattern& pattern) override {
        std::vector<std::string> names;
        for (const auto& [name, value] : positions_of(pattern)) {
            const Row row = row_of(pattern.name, name);
            for (const char* segment : offered_segments) {
                const bool is_segmented = *segment != '\0';
                if ((is_segmented && (row.parameters & (has_segment | needs_segment)) == 0) ||
                    (!is_segmented && (row.parameters & needs_segment) != 0)) {
                    continue;
                }
                const std::string variant =
                    name + (is_segmented ? ":segment=" + std::string(segment) : std::string());
                if ((row.parameters & has_fanout) == 0) {
                    names.push_back(variant);
                    continue;
                }
                for (const char* fanout : offered_fanouts) {
                    names.push_back(variant + ":fanout=" + fanout);
                }
            }
        }
        return names;
    }

    std::optional<std::string> refusal(const PlannedCall& call, const std::string& algorithm) override {
        if (algorithm == default_algorithm) {
            return std::nullopt;
        }
        if (has_rules_file_) {
            return "coll_tuned_dynamic_rules_filename is set: its rules override a forced algorithm";
        }
        const std::map<std::string, int> positions = positions_of(*call.pattern);
        if (positions.empty()) {
            return std::string("Open MPI's variable for ") + call.pattern->name +
                   " cannot be written in a running job; only 'default' can be measured";
        }
        const Variant variant(algorithm);
        if (!positions.contains(variant.algorithm)) {
            std::string known;
            for (const auto& [name, value] : positions) {
                known += (known.empty() ? "" : ", ") + name;
            }
            return "there is no algorithm '" + variant.algorithm + "'; Open MPI has: " + known;
        }
        for (const auto& [name, value] : variant.parameters) {
            if (!variable_exists(*call.pattern, name)) {
                return "there is no parameter '" + name + "'";
            }
        }
        if (call.count == 0 && call.pattern->has_message) {
            return "an empty message is not sent: no algorithm runs";
        }
        return failed_need(call, variant);
    }

    std::map<std::string, int> values(const Pattern& pattern) override { return numbers_of(pattern); }

    MPI_Comm choose(const Pattern& pattern, const std::string& algorithm) override {
        if (algorithm == default_algorithm) {
            return comm_;
        }
        const Variant variant(algorithm);
        set_parameters(pattern, variant);  // the radix is looked up in every call
        const auto key = std::pair(std::string(pattern.name), algorithm);
        if (const auto found = communicators_.find(key); found != communicators_.end()) {
            return found->second;
        }
        const ControlVariable forced(variable_name(pattern));
        forced.write(positions_of(pattern).at(variant.algorithm));
        const OthersStandBack others;
        MPI_Comm_dup(comm_, &communicators_[key]);
        forced.write(0);
        return communicators_[key];
    }

    std::string last_used(const Pattern&) const override { return {}; }

  private:
    static std::string variable_name(const Pattern& pattern) {
        return "coll_tuned_" + std::string(pattern.name) + "_algorithm";
    }

    static bool variable_exists(const Pattern& pattern, const std::string& parameter) {
        return std::any_of(
            std::begin(parameter_variables), std::end(parameter_variables), [&](const ParameterVariable& p) {
                return parameter == p.name && ControlVariable::exists(variable_name(pattern) + p.suffix);
            });
    }

    static void set_parameters(const Pattern& pattern, const Variant& variant) {
        for (const ParameterVariable& p : parameter_variables) {
            const std::string name = variable_name(pattern) + p.suffix;
            if (ControlVariable::exists(name)) {
                const auto found = variant.parameters.find(p.name);
                ControlVariable(name).write(
                    found == variant.parameters.end() ? p.value : static_cast<int>(found->second));
            }
        }
    }

    static std::map<std::string, int> numbers_of(const Pattern& pattern) {
        const std::string name = variable_name(pattern);
        std::map<std::string, int> numbers;
        if (ControlVariable::exists(name)) {
            numbers = ControlVariable(name).names_of_values();
            numbers.erase(ignored);
        }
        return numbers;
    }

    // Those that can be chosen in a running job
    static std::map<std::string, int> positions_of(const Pattern& pattern) {
        const std::map<std::string, int> numbers = numbers_of(pattern);
        return !numbers.empty() && ControlVariable(variable_name(pattern)).is_writable()
                   ? numbers
                   : std::map<std::string, int>();
    }

    std::optional<std::string> failed_need(const PlannedCall& call, const Variant& variant) const {
        const std::string collective = call.pattern->name;
        const unsigned needs = row_of(collective, variant.algorithm).needs;
        const auto ranks = static_cast<std::size_t>(ranks_);
        const std::size_t segment = variant.segment();
        const std::size_t bytes = call.count * call.elements->size;
        const bool commutes = std::string(call.elements->operation_name) != "ordered";
        const struct {
            bool fails;
            const char* text;
        } reasons[] = {
            {(needs & two_ranks) != 0 && ranks_ != 2, "needs exactly two ranks"},
            {(needs & even_ranks) != 0 && ranks_ % 2 != 0, "needs an even number of ranks"},
            {(needs & power_of_two_ranks) != 0 && !std::has_single_bit(ranks),
             "needs a power-of-two number of ranks"},
            {(needs & commutative) != 0 && !commutes,
             "needs a commutative operation (not checked by Open MPI)"},
            {(needs & element_for_each_rank) != 0 && call.count < ranks,
             "needs at least one element for each rank"},
            {(needs & element_for_each_power) != 0 && call.count < std::bit_floor(ranks),
             "needs as many elements as the largest power of two that is not above the number of ranks"},
            {(needs & segment_for_each_rank) != 0 && (segment == 0 || bytes < ranks * segment),
             "needs at least one segment for each rank"},
            {(needs & two_halves_of_a_segment) != 0 && (call.count < 2 || bytes / 2 < segment),
             "needs at least one segment in each half of the message"},
            {segment > 0 && bytes <= segment, "the message is not longer than a segment"},
            {call.in_place && collective.starts_with("alltoall"), "only one algorithm supports MPI_IN_PLACE"},
        };
        for (const auto& reason : reasons) {
            if (reason.fails) {
                return std::string(reason.text) + "; Open MPI would not run this algorithm";
            }
        }
        return std::nullopt;
    }

    MPI_Comm comm_;
    int ranks_ = 0;
    bool has_rules_file_ = false;
    std::map<std::pair<std::string, std::string>, MPI_Comm> communicators_;
};

}  // namespace

extern const Backend openmpi;
const Backend openmpi = {
    .is_here = [] { return ControlVariable::exists("coll_tuned_bcast_algorithm"); },
    .make = [](MPI_Comm comm) -> std::unique_ptr<Library> { return std::make_unique<OpenMpi>(comm); },
    .prepare = [] { setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 0); },
};

}  // namespace bench
