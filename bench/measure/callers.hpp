// SPDX-License-Identifier: MIT
// Who makes a call together: this rank's communicator among those that call at the same time, and the library
// as it is on that communicator.
#pragma once

#include <mpi.h>

#include <map>
#include <memory>
#include <string>

#include "communicators.hpp"
#include "library.hpp"

namespace bench {

struct Caller {
    MPI_Comm comm;
    Library* library;
    int rank;   // in the communicator
    int ranks;  // of the communicator; all that call at once have as many
};

class Callers {
  public:
    Callers(MPI_Comm all, Library& library);
    ~Callers();
    Callers(const Callers&) = delete;
    Callers& operator=(const Callers&) = delete;

    // Collective where these have not called before. The ranks must be divisible so.
    Caller of(const models::Communicators& communicators);

  private:
    struct Part {
        MPI_Comm comm;
        std::unique_ptr<Library> library;
    };

    MPI_Comm all_;
    Library& library_;
    std::map<std::string, Part> parts_;
};

}  // namespace bench
