// SPDX-License-Identifier: MIT
#include "selection_layer.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

const StockTarget& mpich(const char* release) {
    return find_stock_target(release);
}

TEST(SelectionLayer, TheFirstNameOfAFileTellsItsLayer) {
    const auto layer_with = [](const char* leaf) {
        return std::string(
            layer_of(Json{{"collective=bcast", {{"comm_type = intra", {{leaf, Json::object()}}}}}}).name);
    };
    EXPECT_EQ(layer_with("algorithm=MPIR_Bcast_intra_binomial"), "mpir");
    EXPECT_EQ(layer_with("composition = MPIDI_Bcast_intra_composition_alpha"), "ch4");
    EXPECT_EQ(layer_with("algorithm=MPIDI_POSIX_mpi_bcast_release_gather"), "posix");
    EXPECT_EQ(layer_with("algorithm=nothing"), "mpir");
    EXPECT_EQ(std::string(layer_of(Json::array()).name), "mpir");
}

TEST(SelectionLayer, NamesDependOnTheRelease) {
    EXPECT_TRUE(has_leaf(ch4_layer(), "MPIDI_Allreduce_intra_composition_gamma", mpich("4.0")));
    EXPECT_FALSE(has_leaf(ch4_layer(), "MPIDI_Alltoall_intra_composition_beta", mpich("4.0")));
    EXPECT_TRUE(has_leaf(ch4_layer(), "MPIDI_Alltoall_intra_composition_beta", mpich("4.2")));
    EXPECT_FALSE(has_leaf(ch4_layer(), "MPIDI_Bcast_intra_composition_delta", mpich("4.2")));
    EXPECT_TRUE(has_leaf(ch4_layer(), "MPIDI_Bcast_intra_composition_delta", mpich("5.0")));
    EXPECT_TRUE(has_leaf(posix_layer(), "MPIDI_POSIX_mpi_reduce_release_gather", mpich("4.0")));
    EXPECT_FALSE(has_leaf(posix_layer(), "MPIR_Reduce_intra_binomial", mpich("4.0")));
    EXPECT_TRUE(has_leaf(mpir_layer(), "MPIR_Reduce_intra_binomial", mpich("4.0")));
}

TEST(SelectionLayer, GuardsOfAllLayers) {
    EXPECT_EQ(guards_of("MPIDI_Allreduce_intra_composition_gamma", mpich("4.0")), needs_one_node);
    EXPECT_EQ(guards_of("MPIDI_Reduce_intra_composition_gamma", mpich("4.0")), 0U);
    EXPECT_EQ(guards_of("MPIDI_POSIX_mpi_allreduce_release_gather", mpich("4.0")),
              needs_one_thread | needs_commutative);
    EXPECT_EQ(guards_of("MPIR_Bcast_intra_smp", mpich("4.0")), needs_shared_nodes);
    EXPECT_EQ(guards_of("MPIR_Allreduce_intra_ring", mpich("4.2")), needs_commutative);
    EXPECT_EQ(guards_of("MPIR_Bcast_intra_binomial", mpich("4.2")), 0U);
}

}  // namespace
