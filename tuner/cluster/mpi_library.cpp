// SPDX-License-Identifier: MIT
#include "mpi_library.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace tuner {

namespace {

Environment selection_file(const std::string& file, const std::string&) {
    return {{"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", file}};
}

Environment preloaded(const std::string& file, const std::string& network) {
    return {{"LD_PRELOAD", beside_this_program("../lib/libchangeover-preload.so")},
            {"MPIR_CVAR_COLL_TUNING_FILE", file},
            {"MPIR_CVAR_COLL_TUNING_NETWORK", network}};
}

Environment dynamic_rules(const std::string& file, const std::string&) {
    return {{"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"},
            {"OMPI_MCA_coll_tuned_dynamic_rules_filename", file}};
}

Environment han_rules(const std::string& file) {
    return {{"OMPI_MCA_coll_han_use_dynamic_file_rules", "1"},
            {"OMPI_MCA_coll_han_dynamic_rules_filename", file}};
}

constexpr std::array rows = {
    MpiLibrary{"mpich", "mpich", "MPICH", "changeover patches", "changeover-bench", "mpich-stock", ".json",
               selection_file, models::Implementation::mpich, true, "MPICH 4.0, patched or not"},
    MpiLibrary{"mpich-stock", "mpich", "MPICH", "", "changeover-bench-mpich", "mpich", ".json", preloaded,
               models::Implementation::stock_mpich, false, "Unpatched MPICH 4.0 to 5.0"},
    MpiLibrary{"openmpi", "openmpi", "Open MPI", "", "changeover-bench-openmpi", "openmpi", ".conf",
               dynamic_rules, models::Implementation::openmpi, false, "Open MPI 4.1 to 6.0"},
    // its algorithms and its choice are those of MPICH, and so are rules for it
    MpiLibrary{"simulated", "simulated", "Simulated MPICH", "", "changeover-sim", "mpich", ".json", preloaded,
               models::Implementation::mpich, true, "MPICH 4.0, patched; the rules are of a simulation"},
};

}  // namespace

std::span<const MpiLibrary> mpi_libraries() {
    return rows;
}

std::vector<std::string> names_of_libraries() {
    std::vector<std::string> names;
    for (const MpiLibrary& row : rows) {
        names.emplace_back(row.name);
    }
    return names;
}

const MpiLibrary& find_library(const std::string& name) {
    return *std::find_if(rows.begin(), rows.end(), [&](const MpiLibrary& row) { return name == row.name; });
}

Environment environment_of_tuning_file(const std::string& file, const std::string& network) {
    return {{"MPIR_CVAR_COLL_TUNING_FILE", file},
            {"MPIR_CVAR_COLL_TUNING_NETWORK", network},
            {"MPIR_CVAR_COLL_TUNING_ENABLE", "1"}};
}

std::optional<Environment> environment_of_format(const std::string& format, const std::string& file) {
    if (format == "mpich-stock") {
        return selection_file(file, "");
    }
    if (format == "openmpi" || format == "openmpi-json") {
        return dynamic_rules(file, "");
    }
    if (format == "openmpi-han") {
        return han_rules(file);
    }
    return std::nullopt;
}

std::string beside_this_program(const char* name) {
    return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).lexically_normal().string();
}

}  // namespace tuner
