// SPDX-License-Identifier: MIT
// A library that the benchmark knows nothing of: it times what it is given.
#include "library.hpp"

namespace bench {

namespace {

class AnyLibrary : public Library {
  public:
    explicit AnyLibrary(MPI_Comm comm) : comm_(comm) {}

    std::string version() const override { return version_line(); }
    bool can_switch() const override { return false; }
    std::vector<std::string> algorithms(const Pattern&) override { return {}; }
    std::optional<std::string> refusal(const PlannedCall&, const std::string& algorithm) override {
        if (algorithm == default_algorithm) {
            return std::nullopt;
        }
        return "the benchmark cannot select algorithms of this MPI library; only 'default' can be "
               "measured";
    }
    MPI_Comm choose(const Pattern&, const std::string&) override { return comm_; }
    std::string last_used(const Pattern&) const override { return {}; }

  private:
    MPI_Comm comm_;
};

}  // namespace

extern const Backend any_library;
const Backend any_library = {
    .is_here = [] { return true; },
    .make = [](MPI_Comm comm) -> std::unique_ptr<Library> { return std::make_unique<AnyLibrary>(comm); },
};

}  // namespace bench
