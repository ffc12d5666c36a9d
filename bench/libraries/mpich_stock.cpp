// SPDX-License-Identifier: MIT
// An MPICH without the patches. Its control variables describe their values; whether a precondition holds is
// seen when a call that must not fall back to another algorithm fails. Nothing says afterwards what ran.
#include "mpich.hpp"

#include <limits>
#include <regex>

namespace bench {

namespace {

struct ParameterRow {
    std::string function;  // BCAST tree
    const char* name;
    std::string variable;
};

const std::vector<ParameterRow>& parameter_rows() {
    static const std::vector<ParameterRow> rows = {
#define PARAMETER(TYPE_, algorithm_, name_, VARIABLE_) \
    {#TYPE_ " " algorithm_, name_, "MPIR_CVAR_" #TYPE_ "_" VARIABLE_},
#include "parameters.def"
#undef PARAMETER
    };
    return rows;
}

// What MPICH takes, which does not check it
std::pair<int, int> range_of(const std::string& parameter) {
    constexpr int any = std::numeric_limits<int>::max();
    return parameter.starts_with("buffer_per_") ? std::pair(0, 1)
           : parameter == "chunk_size"          ? std::pair(0, any)
           : parameter.ends_with("k")           ? std::pair(2, any)
                                                : std::pair(1, any);
}

class StockMpich : public Mpich {
  public:
    explicit StockMpich(MPI_Comm comm) : Mpich(comm), fallback_("MPIR_CVAR_COLLECTIVE_FALLBACK") {
        MPI_Comm_create_errhandler(note_failure, &note_failure_);
    }
    ~StockMpich() override { MPI_Errhandler_free(&note_failure_); }

    std::string last_used(const Pattern&) const override { return {}; }

    // MPICH checks before it communicates, and on all ranks alike
    std::optional<std::string> try_call(const std::function<void()>& call) override {
        constexpr int error = 0;  // of error, print, silent
        const int before = fallback_.read();
        MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
        MPI_Comm_get_errhandler(comm(), &handler);
        MPI_Comm_set_errhandler(comm(), note_failure_);
        fallback_.write(error);
        has_failed = false;
        call();
        fallback_.write(before);
        MPI_Comm_set_errhandler(comm(), handler);
        MPI_Errhandler_free(&handler);
        if (!has_failed) {
            return std::nullopt;
        }
        return "a precondition fails for this call; MPICH would run another algorithm instead";
    }

  private:
    std::map<std::string, int> find_positions(const Pattern&, const ControlVariable& variable) override {
        return algorithms_in(variable.description());
    }
    std::optional<std::string> failed_precondition(const PlannedCall&, const std::string& algorithm,
                                                   const Switch&) override {
        if (algorithm == "smp") {
            return "calls the collective again within a node, where MPICH falls back; without the patches "
                   "this looks the same as a failed precondition";
        }
        return std::nullopt;
    }

    std::string function_of(const Pattern& pattern, const std::string& algorithm) override {
        return upper(pattern.name) + " " + algorithm;
    }

    std::vector<MpichParameter> read_parameters(const std::string& function) override {
        std::vector<MpichParameter> parameters;
        for (const ParameterRow& row : parameter_rows()) {
            if (row.function != function || !ControlVariable::exists(row.variable)) {
                continue;
            }
            const auto& variable = parameter_variables_.try_emplace(row.variable, row.variable).first->second;
            if (variable.is_number() && variable.is_writable()) {
                const auto [min, max] = range_of(row.name);
                parameters.push_back({row.name, std::clamp(variable.read(), min, max), min, max});
            }
        }
        return parameters;
    }

    void write_parameter(const std::string& function, const std::string& name, int value) override {
        for (const ParameterRow& row : parameter_rows()) {
            if (row.function == function && row.name == name) {
                parameter_variables_.at(row.variable).write(value);
            }
        }
    }

    static void note_failure(MPI_Comm*, int*, ...) { has_failed = true; }

    inline static bool has_failed = false;
    ControlVariable fallback_;
    std::map<std::string, ControlVariable> parameter_variables_;  // by name
    MPI_Errhandler note_failure_ = MPI_ERRHANDLER_NULL;
};

}  // namespace

namespace {

constexpr const char* not_algorithms[] = {"auto", "sched_auto"};  // leave the choice to MPICH

// What the pattern has in parentheses, numbered in its order
std::map<std::string, int> numbered(const std::string& description, const std::regex& pattern, int first) {
    std::map<std::string, int> positions;
    for (std::sregex_iterator found(description.begin(), description.end(), pattern);
         found != std::sregex_iterator(); ++found) {
        positions[(*found)[1]] = first++;
    }
    return positions;
}

// Since 4.1 each value has a line: "binomial   - Force Binomial Tree"
std::map<std::string, int> algorithms_in_lines(const std::string& description) {
    return numbered(description, std::regex("(?:^|\\n)([a-z0-9_]+) *- (?:Force|Internal)"), 0);
}

// Of nonblocking collectives in 4.0: they have a kind before their name, and no column
std::map<std::string, int> nonblocking_algorithms_in(const std::string& description) {
    return numbered(description, std::regex("((?:sched|tsp)_[a-z_]+)(?= *- )"), 1);
}

// Of blocking ones in 4.0: "... auto - Internal selection (...)binomial   - Force the treenb         - Force
// ...": the lines are joined without anything between them, but all names after the first stand in a column
// of one width.
std::map<std::string, int> algorithms_in_column(const std::string& description) {
    const std::string mark = " - Force";
    std::map<std::string, int> positions;
    const auto after_auto = description.find(')', description.find("auto - "));
    auto at = description.find(mark);
    if (after_auto == std::string::npos || at == std::string::npos || at <= after_auto) {
        return positions;
    }
    const std::size_t width = at - after_auto - 1;
    for (int position = 1; at != std::string::npos; ++position) {
        std::string name = description.substr(at - width, width);
        name.erase(0, name.find_first_not_of(' '));
        name.erase(name.find_last_not_of(' ') + 1);
        positions[name] = position;
        at = description.find(mark, at + 1);
    }
    return positions;
}

}  // namespace

std::map<std::string, int> algorithms_in(const std::string& description) {
    const bool has_lines = description.find("\nauto - ") != std::string::npos;
    const bool is_nonblocking = description.find("sched_auto") != std::string::npos;
    std::map<std::string, int> positions = has_lines        ? algorithms_in_lines(description)
                                           : is_nonblocking ? nonblocking_algorithms_in(description)
                                                            : algorithms_in_column(description);
    for (const char* name : not_algorithms) {
        positions.erase(name);
    }
    return positions;
}

extern const Backend mpich_stock;
const Backend mpich_stock = {
    .is_here = [] { return ControlVariable::exists("MPIR_CVAR_BCAST_INTRA_ALGORITHM"); },
    .make = [](MPI_Comm comm) -> std::unique_ptr<Library> { return std::make_unique<StockMpich>(comm); },
};

}  // namespace bench
