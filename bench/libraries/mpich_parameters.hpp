// SPDX-License-Identifier: MIT
// The parameters of the patched MPICH's algorithms, such as k and chunk_size of tsp_tree: which there are,
// how they are chosen by a name, and which ones the last call had. All of it is asked from the library. Only
// for files that have its mpix_coll.h.
#pragma once

#include <mpix_coll.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "algorithm_name.hpp"
#include "library.hpp"

namespace bench {

class MpichParameters {
  public:
    // `function` is the library's name of an algorithm, such as MPIR_Ibcast_intra_tsp_tree, `algorithm` the
    // short one. The variants are names: the algorithm by itself, and with what is worth a try on so many
    // ranks.
    std::vector<std::string> variants(const std::string& function, const std::string& algorithm, int ranks);
    // Why a call cannot have these parameters; nothing if it can
    std::optional<std::string> refusal(const std::string& function, const models::AlgorithmName& name,
                                       const PlannedCall& call);
    // All others have the values that they had in the beginning. Without a refusal only.
    void choose(const std::string& function, const models::AlgorithmName& name);
    void choose_none();

    // With the parameters that are not as in the beginning, in the library's order
    std::string canonical(const std::string& function, const models::AlgorithmName& name);
    std::string last_used(MPI_Comm comm, int collective, const std::string& function,
                          const std::string& algorithm);

  private:
    using Parameters = std::vector<MPIX_Coll_param_t>;  // with the values of the beginning

    const Parameters& parameters_of(const std::string& function);

    std::map<std::string, Parameters> known_;
    std::optional<std::pair<std::string, models::AlgorithmName>> chosen_;  // by function
};

}  // namespace bench
