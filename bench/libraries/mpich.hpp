// SPDX-License-Identifier: MIT
// What all MPICHs have in common: MPIR_CVAR_X_INTRA_ALGORITHM forces an algorithm by its position in an
// enumeration, from the next call on. MPI_T does not name the positions.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "control_variable.hpp"
#include "library.hpp"
#include "mpich_parameters.hpp"

namespace bench {

std::string upper(const std::string& text);

class Mpich : public Library, protected MpichParameterSource {
  public:
    explicit Mpich(MPI_Comm comm) : comm_(comm), parameters_(*this) { MPI_Comm_size(comm, &ranks_); }

    std::string version() const override { return version_line(); }
    bool can_switch() const override { return true; }
    std::vector<std::string> algorithms(const Pattern& pattern) override;
    std::optional<std::string> refusal(const PlannedCall& call, const std::string& algorithm) override;
    // Of the nonblocking ones, whose names nobody else has a table of
    std::map<std::string, int> values(const Pattern& pattern) override;
    MPI_Comm choose(const Pattern& pattern, const std::string& algorithm) override;
    std::string canonical(const Pattern& pattern, const std::string& algorithm) override;

  protected:
    struct Switch {
        ControlVariable variable;
        ControlVariable device;
        int device_default;
        std::map<std::string, int> positions;
    };

    virtual std::map<std::string, int> find_positions(const Pattern& pattern,
                                                      const ControlVariable& variable) = 0;
    // As far as the library can say before the call
    virtual std::optional<std::string> failed_precondition(const PlannedCall& call,
                                                           const std::string& algorithm, const Switch& s) = 0;
    // A name of the algorithm for its parameters; empty: it has no such algorithm
    virtual std::string function_of(const Pattern& pattern, const std::string& algorithm) = 0;
    MPI_Comm comm() const { return comm_; }
    MpichParameters& parameters() const { return parameters_; }
    Switch& switch_of(const Pattern& pattern);

  private:
    std::optional<std::string> refusal_without_parameters(const PlannedCall& call,
                                                          const std::string& algorithm);

    MPI_Comm comm_;
    int ranks_ = 0;
    mutable MpichParameters parameters_;  // keeps what it has asked for
    std::map<std::string, std::unique_ptr<Switch>> switches_;
    const Switch* forced_ = nullptr;  // of the collective that was chosen for last
};

}  // namespace bench
