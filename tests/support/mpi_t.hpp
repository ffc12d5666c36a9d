// SPDX-License-Identifier: MIT
// The few things that tests do with MPI_T: integer control variables by name, counters by name, the last
// algorithm.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

// An integer control variable; restores the value it found.
class ControlVariable {
  public:
    explicit ControlVariable(const std::string& name);
    ~ControlVariable();
    ControlVariable(const ControlVariable&) = delete;
    ControlVariable& operator=(const ControlVariable&) = delete;

    int read() const;
    int write(int value) const;  // the return code of MPI_T_cvar_write

  private:
    MPI_T_cvar_handle handle_ = MPI_T_CVAR_HANDLE_NULL;
    int found_ = 0;
};

// Calls of an algorithm of the patched MPICH, e.g. "MPIR_Bcast_intra_binomial", in this process so far.
unsigned long long calls_of(const std::string& algorithm);

// Algorithm of the last call of a collective on a communicator, by the performance variable; "none" before
// any.
std::string last_algorithm(MPI_Comm comm, const std::string& collective);

// Where the choice of that call came from (built-in, environment, file, forced), and the place of its rule in
// rule_calls(); -1: no rule.
std::string last_source(MPI_Comm comm, const std::string& collective);
int last_rule(MPI_Comm comm, const std::string& collective);

// Calls of each rule of the tuning file in this process so far, by section.
std::vector<unsigned long long> rule_calls();
