// SPDX-License-Identifier: MIT
#include "emit.hpp"

#include <gtest/gtest.h>

#include "emitted_text.hpp"
#include "error.hpp"

namespace {

using namespace tuner;

TEST(EmitModule, SetsThresholdsOrTheFile) {
    const Config config = example_config();
    const std::string text = emit_module(config, {"", Layout{4, 1}, ""});
    EXPECT_TRUE(text.starts_with("#%Module1.0\n"));
    EXPECT_TRUE(contains(text, "\nsetenv MPIR_CVAR_BCAST_MIN_PROCS 4\n"));
    EXPECT_TRUE(contains(emit_module(config, {"", {}, "/opt/tuned file.json"}),
                         "set selection_file {/opt/tuned file.json}\n"));
    const std::string with_file = emit_module(config, {"", {}, "", false, "/opt/tuning.json"});
    EXPECT_FALSE(contains(with_file, "TUNING_NETWORK")) << "one network needs no name";
    EXPECT_TRUE(contains(emit_module(config, {"eth", {}, "", false, "/opt/tuning.json"}),
                         "setenv MPIR_CVAR_COLL_TUNING_NETWORK {eth}\n"))
        << "unless it is asked for";
    EXPECT_TRUE(contains(with_file, "setenv MPIR_CVAR_COLL_TUNING_FILE $selection_file\n"));
    EXPECT_THROW(emit_module(config, {"", {}, "tuned.json"}), Error);
    EXPECT_TRUE(contains(emit_module(config, {"", {}, "/opt/{x"}), "set selection_file \"/opt/\\{x\"\n"));
}

}  // namespace
