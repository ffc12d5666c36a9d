// SPDX-License-Identifier: MIT
// The layers of a ch4 device of the patched MPICH: what it composes a call of, and what it uses inside of
// nodes, switched in the running job. Names are those of models/choice/device_layers.hpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "control_variable.hpp"
#include "device_layers.hpp"
#include "library.hpp"
#include "mpich_parameters.hpp"

namespace bench {

class MpichDevice {
  public:
    static bool is_here();
    explicit MpichDevice(MPI_Comm comm);  // collective

    std::vector<std::string> algorithms(const Pattern& pattern) const;
    // Why a call cannot be composed so, before the library is asked; nothing if it can
    std::optional<std::string> problem_with(const PlannedCall& call,
                                            const models::DeviceLayers& layers) const;
    // From the next call on, until another choice
    void choose(const Pattern& pattern, const models::DeviceLayers& layers);
    void choose_none();
    const std::optional<models::DeviceLayers>& chosen() const { return chosen_; }
    const models::NodesOfRanks& nodes() const { return nodes_; }
    // Until another choice: last_used() tells all layers, as nobody knows which ones a tuning file chooses
    void tell_all() { tells_all_ = true; }
    // That last_used() is to tell
    std::vector<std::string> told_parameters() const;
    // Of a part inside of nodes of the last call; empty: this rank has none
    std::string last_parameter(const models::Composition& composition, const char* part,
                               const std::string& key, MpichParameters& parameters) const;

    // What the library says of the last call, `whole` being its name for all of it. Nothing: it was not
    // composed. The layer between nodes is in it only if it was chosen, or all are told.
    std::optional<models::DeviceLayers> last_used(const Pattern& pattern, const std::string& whole) const;

  private:
    struct Variable {
        ControlVariable control;
        int at_first;
    };

    Variable& variable(const std::string& name);
    void write(const std::string& name, int value);
    // Of a part of the last call; empty: this rank has none
    std::string last_part(int part, const char* collective) const;
    std::string last_in_node(const models::Composition& composition) const;

    MPI_Comm comm_;
    models::NodesOfRanks nodes_;
    std::map<std::string, Variable> variables_;  // by name
    std::vector<Variable*> written_;
    std::optional<models::DeviceLayers> chosen_;
    bool tells_all_ = false;
};

// The name that algorithms have: MPIR_Bcast_intra_binomial -> binomial, MPIR_Bcast_allcomm_nb -> nb
std::string short_name(const std::string& algorithm);

}  // namespace bench
