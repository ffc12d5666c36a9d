// SPDX-License-Identifier: MIT
#include "prior_run.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "error.hpp"
#include "files.hpp"
#include "profile.hpp"
#include "recorded_arrivals.hpp"

namespace tuner::commands {

void keep_prior(const SavedRun& prior, const RunFiles& run) {
    const RunFiles kept = run.prior();
    if (std::filesystem::exists(kept.manifest())) {
        return;
    }
    std::filesystem::create_directories(kept.folder());
    constexpr auto overwrite = std::filesystem::copy_options::overwrite_existing;
    std::filesystem::copy_file(prior.files().samples(), kept.samples(), overwrite);
    std::filesystem::copy_file(prior.files().manifest(), kept.manifest(), overwrite);  // last: it is complete
}

void keep_arrivals(const std::string& prefix, const RunFiles& run) {
    if (std::filesystem::exists(run.arrivals())) {
        return;
    }
    if (prefix.empty()) {
        throw usage_error(
            fmt::format("{} is missing, with the arrivals that the run is for; name the trace: "
                        "--profile TRACE",
                        run.arrivals()));
    }
    const trace::LoadedTrace profile(prefix);
    write_output(run.arrivals(), trace::recorded_arrivals(profile.matched));
}

Prior prior_of(const OpenRun& run) {
    RunData before;
    if (std::filesystem::exists(run.files.prior().manifest())) {
        before.cases = SavedRun(run.files.prior().folder()).data().cases;
    }
    before.cases.insert(before.cases.end(), run.stale.begin(), run.stale.end());
    return Prior(cells_of(before, Stage::search));
}

}  // namespace tuner::commands
