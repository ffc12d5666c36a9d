// SPDX-License-Identifier: MIT
#include "list.hpp"

#include <gtest/gtest.h>

namespace {

using namespace bench;

class TwoAlgorithms : public Library {
  public:
    std::string version() const override { return "made up"; }
    bool can_switch() const override { return false; }
    std::vector<std::string> algorithms(const Pattern&) override { return {"first", "second"}; }
    std::optional<std::string> refusal(const PlannedCall&, const std::string&) override { return {}; }
    MPI_Comm choose(const Pattern&, const std::string&) override { return MPI_COMM_WORLD; }
    std::string last_used(const Pattern&) const override { return {}; }
};

TEST(List, HasMessageSizeAlgorithmsAndParameters) {
    TwoAlgorithms library;
    EXPECT_EQ(list_text(*find_pattern("bcast"), library),
              "bcast\n"
              "  message size: bytes of the message (OSU: Size (osu_bcast); IMB: #bytes (Bcast))\n"
              "  algorithms: default, first, second\n");
    EXPECT_NE(list_text(*find_pattern("bandwidth"), library)
                  .find("  parameter window: messages at the same time (default 64, at least 1)\n"),
              std::string::npos);
}

}  // namespace
