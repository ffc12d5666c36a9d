// SPDX-License-Identifier: MIT
#include "found_mpi.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "error.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;
namespace fs = std::filesystem;

// A launcher that prints these lines
std::string make_launcher(const fs::path& file, const std::string& lines) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "#!/bin/sh\ncat <<'END'\n" << lines << "\nEND\n";
    fs::permissions(file, fs::perms::owner_all);
    return file.string();
}

TEST(FoundMpi, TheVersionIsWhatALauncherPrints) {
    EXPECT_EQ(
        version_of_launcher({"HYDRA build details:", "    Version:                                 4.2.1",
                             "    Release Date:                            Wed Apr 17"}),
        "MPICH 4.2.1");
    EXPECT_EQ(version_of_launcher({"mpiexec (OpenRTE) 4.1.4", "", "Report bugs to ..."}), "Open MPI 4.1.4");
    EXPECT_EQ(version_of_launcher({"mpirun (Open MPI) 6.0.0rc2"}), "Open MPI 6.0.0rc2");
    EXPECT_EQ(version_of_launcher({"Intel(R) MPI Library for Linux* OS, Version 2021.9 Build 1"}),
              "Intel MPI 2021.9");
    EXPECT_EQ(version_of_launcher({"GNU bash, version 5.2.15"}), "");
    EXPECT_EQ(version_of_launcher({}), "");
}

TEST(FoundMpi, EachLauncherOfThePathIsNamedOnce) {
    const TemporaryFolder folder;
    const fs::path bin = folder.path / "bin";
    make_launcher(bin / "mpiexec.hydra", "HYDRA build details:\n    Version:          5.0.2");
    fs::create_symlink("mpiexec.hydra", bin / "mpiexec");
    make_launcher(bin / "mpirun.openmpi", "mpirun (Open MPI) 5.0.7");
    make_launcher(bin / "mpirun", "something else");
    const std::vector<FoundMpi> found = found_mpis("/nowhere:" + bin.string() + ":" + bin.string());
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].version, "MPICH 5.0.2");
    EXPECT_EQ(found[0].library, "mpich-stock");
    EXPECT_EQ(found[1].version, "Open MPI 5.0.7");
    EXPECT_EQ(found[1].library, "openmpi");
}

TEST(FoundMpi, ThePatchedMpichHasItsHeader) {
    const TemporaryFolder folder;
    const fs::path prefix = folder.path;
    const std::string launcher =
        make_launcher(prefix / "bin/mpiexec", "HYDRA build details:\n    Version:  4.0.2");
    EXPECT_EQ(found_mpi(launcher).library, "mpich-stock");
    fs::create_directories(prefix / "include");
    std::ofstream(prefix / "include/mpix_coll.h") << "\n";
    EXPECT_EQ(found_mpi(launcher).library, "mpich");
}

TEST(FoundMpi, AClusterFileUsesIt) {
    Json launcher = {{"kind", "hydra-fork"}};
    Json mpi = Json::object();
    use_mpi({"/usr/bin/mpiexec.mpich", "MPICH 4.0.2", "mpich-stock", ""}, launcher, mpi);
    EXPECT_EQ(launcher.dump(), R"({"kind":"hydra-fork","program":"/usr/bin/mpiexec.mpich"})");
    EXPECT_EQ(mpi.dump(), R"({"library":"mpich-stock"})");
    use_mpi({"/usr/bin/mpiexec.openmpi", "Open MPI 4.1.4", "openmpi", ""}, launcher, mpi);
    EXPECT_EQ(launcher.at("kind"), "openmpi");
    EXPECT_THROW(use_mpi({"/opt/impi/mpiexec", "Intel MPI 2021.9", "", ""}, launcher, mpi), Error);
}

}  // namespace
