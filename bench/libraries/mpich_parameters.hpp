// SPDX-License-Identifier: MIT
// The parameters of MPICH's algorithms, such as k and chunk_size of tsp_tree: how they are chosen by a name,
// and which names are worth a try.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "algorithm_name.hpp"
#include "library.hpp"

namespace bench {

struct MpichParameter {
    std::string name;
    int value;  // in the beginning
    int min;
    int max;
    std::vector<std::string> value_names = {};  // from `min` on; empty: it is a number
};

// Where the library keeps them. `function` is its name of an algorithm, such as MPIR_Ibcast_intra_tsp_tree.
class MpichParameterSource {
  public:
    virtual ~MpichParameterSource() = default;
    virtual std::vector<MpichParameter> read_parameters(const std::string& function) = 0;
    virtual void write_parameter(const std::string& function, const std::string& name, int value) = 0;
};

class MpichParameters {
  public:
    explicit MpichParameters(MpichParameterSource& source) : source_(source) {}

    // The names of the algorithm, which the library calls `function`: by itself, and with what is worth a try
    // on so many ranks
    std::vector<std::string> variants(const std::string& function, const std::string& algorithm, int ranks);
    // Why a call cannot have these parameters; nothing if it can
    std::optional<std::string> refusal(const std::string& function, const models::AlgorithmName& name,
                                       const PlannedCall& call);
    // All others have the values that they had in the beginning. Without a refusal only.
    void choose(const std::string& function, const models::AlgorithmName& name);
    void choose_none();
    // The same parameters for one more algorithm that is used in the same call
    void choose_also(const std::string& function, const models::AlgorithmName& name);

    // A value as names have it; nothing: there is no such parameter, or value
    std::optional<std::string> value_text(const std::string& function, const std::string& parameter,
                                          const std::string& value);
    std::optional<std::string> value_text(const std::string& function, const std::string& parameter,
                                          int value);
    // With the parameters that are not as in the beginning, in the library's order
    std::string canonical(const std::string& function, const models::AlgorithmName& name);
    std::string name_with(const std::string& function, const std::string& algorithm,
                          const std::map<std::string, int>& values);

  private:
    const std::vector<MpichParameter>& parameters_of(const std::string& function);

    MpichParameterSource& source_;
    std::map<std::string, std::vector<MpichParameter>> known_;
    std::vector<std::pair<std::string, models::AlgorithmName>> chosen_;  // by function
};

}  // namespace bench
