// SPDX-License-Identifier: MIT
// The MPI library under test: what it is, which algorithms it has for a collective, how one is chosen, and
// proof of which one ran. One file for each library in libraries/.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elements.hpp"
#include "pattern.hpp"

namespace bench {

inline const std::string default_algorithm = "default";  // what the library chooses by itself
inline const std::string tuned_algorithm = "tuned";      // what it chooses with the job's tuning file

// A call that is to be made, as far as the choice of an algorithm depends on it
struct PlannedCall {
    const Pattern* pattern;
    const Elements* elements;
    std::size_t count;
    bool in_place;
};

class Library {
  public:
    virtual ~Library() = default;

    virtual std::string version() const = 0;
    std::string device() const;  // of an MPICH, such as ch3:sock; empty if the library does not say
    virtual std::string tuning_file() const { return {}; }  // that the job was started with
    // True if the library can be told, between two calls, which algorithm to use
    virtual bool can_switch() const = 0;
    // Names that can be chosen, without `default` and `tuned`
    virtual std::vector<std::string> algorithms(const Pattern& pattern) = 0;
    // The same with parameters left out that are as by default, as last_used() names it
    virtual std::string canonical(const Pattern&, const std::string& algorithm) { return algorithm; }
    // The library's own number of each algorithm, where a file of rules has to name it so
    virtual std::map<std::string, int> values(const Pattern&) { return {}; }
    // Why this call cannot use the algorithm; nothing if it can
    virtual std::optional<std::string> refusal(const PlannedCall& call, const std::string& algorithm) = 0;
    // From the next call on, if it is made on the communicator that is returned. Collective: the same on all
    // ranks.
    virtual MPI_Comm choose(const Pattern& pattern, const std::string& algorithm) = 0;
    // Makes the first call of a case, with the algorithm chosen. Why it was not made, if the library only
    // finds out now.
    virtual std::optional<std::string> try_call(const std::function<void()>& call) {
        call();
        return std::nullopt;
    }
    // The algorithm of the last call; empty if the library cannot say
    virtual std::string last_used(const Pattern& pattern) const = 0;
};

// A library that the benchmark knows: one file in libraries/, one row in library.cpp
struct Backend {
    bool (*is_here)();  // this program runs with it; MPI and MPI_T are initialised
    std::unique_ptr<Library> (*make)(MPI_Comm comm);
    // Sets what the library must be told before MPI_Init; harmless to all others. nullptr: nothing
    void (*prepare)() = nullptr;
};

void prepare_library();  // before MPI_Init
// The library that this program runs with
std::unique_ptr<Library> make_library(MPI_Comm comm);

std::string version_line();  // of MPI_Get_library_version, without tabs and line ends
std::string library_file();  // that this program was loaded with; empty: it is linked statically
// Program, library and its file, a line each; works without MPI_Init
std::string version_text();

// The algorithms that the description of an MPICH control variable lists, with the values that choose them
std::map<std::string, int> algorithms_in(const std::string& description);

}  // namespace bench
