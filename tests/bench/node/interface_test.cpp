// SPDX-License-Identifier: MIT
// The interface that MPI is told to use: by its name, or by the name of a host.
#include "interface.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace {

using namespace bench;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

class ChooseInterface : public testing::Test {
  protected:
    void SetUp() override {
        for (const char* name : {"FI_TCP_IFACE", "UCX_NET_DEVICES", "MPIR_CVAR_NEMESIS_TCP_NETWORK_IFACE",
                                 "MPIR_CVAR_CH3_INTERFACE_HOSTNAME", "MPICH_INTERFACE_HOSTNAME_R3"}) {
            unsetenv(name);
        }
        setenv("PMI_RANK", "3", 1);
    }
};

TEST_F(ChooseInterface, ByItsName) {
    setenv("UCX_NET_DEVICES", "mlx5_0:1", 1);
    setenv("MPIR_CVAR_CH3_INTERFACE_HOSTNAME", "node1", 1);
    choose_interface({"lo", ""});
    EXPECT_EQ(variable("MPICH_INTERFACE_HOSTNAME_R3"), "127.0.0.1");
    EXPECT_EQ(variable("FI_TCP_IFACE"), "lo");
    EXPECT_EQ(variable("MPIR_CVAR_NEMESIS_TCP_NETWORK_IFACE"), "lo");
    EXPECT_EQ(variable("MPIR_CVAR_CH3_INTERFACE_HOSTNAME"), "") << "nemesis does not want both";
    EXPECT_EQ(variable("UCX_NET_DEVICES"), "mlx5_0:1") << "what people set stays";
}

TEST_F(ChooseInterface, ByTheNameThatTheLauncherGave) {
    setenv("MPIR_CVAR_CH3_INTERFACE_HOSTNAME", "localhost", 1);
    const NetworkName name = network_name("host");
    EXPECT_EQ(name.name, "localhost");
    EXPECT_NE(std::find(name.addresses.begin(), name.addresses.end(), "127.0.0.1"), name.addresses.end());
    choose_interface({"", "host"});
    EXPECT_EQ(variable("MPICH_INTERFACE_HOSTNAME_R3"), "127.0.0.1");
    EXPECT_EQ(variable("FI_TCP_IFACE"), "lo");
    EXPECT_EQ(variable("MPIR_CVAR_NEMESIS_TCP_NETWORK_IFACE"), "") << "nemesis has the name already";
}

TEST_F(ChooseInterface, NothingIfNothingIsChosen) {
    choose_interface({"", ""});
    EXPECT_EQ(variable("MPICH_INTERFACE_HOSTNAME_R3"), "");
    EXPECT_EQ(network_name("").name, "");
}

TEST_F(ChooseInterface, WhatIsNotThereIsNamedWithWhatIs) {
    try {
        choose_interface({"nosuch0", ""});
        FAIL() << "no error";
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what()).find("nosuch0"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("lo 127.0.0.1"), std::string::npos) << error.what();
    }
    EXPECT_THROW(choose_interface({"", "-no.such.invalid"}), std::invalid_argument);
}

TEST(InterfaceChoice, IsReadFromTheCommandLine) {
    const char* const spaced[] = {"bench", "--serve", "--interface", "eth1"};
    EXPECT_EQ(interface_choice_of(4, spaced).interface, "eth1");
    const char* const joined[] = {"bench", "--host-suffix=-fast", "bcast"};
    EXPECT_EQ(interface_choice_of(3, joined).host_suffix, "-fast");
    EXPECT_EQ(interface_choice_of(3, joined).interface, "");
}

}  // namespace
