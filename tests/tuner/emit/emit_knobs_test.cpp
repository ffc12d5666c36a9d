// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "emit.hpp"
#include "emitted_text.hpp"
#include "error.hpp"

namespace {

using namespace tuner;

TEST(EmitKnobs, SetsWhatIsProvenOnTheNetwork) {
    Config config = example_config();
    const std::string network = networks_of(config).front();
    EXPECT_TRUE(contains(emit_knobs(config, {}), "# There are none"));
    config.knobs = {{network, "FI_PROVIDER", "tcp;ofi rxm", 0.125, {0.1, 0.15}},
                    {"elsewhere", "FI_PROVIDER", "verbs", 0.5, {0.4, 0.6}}};
    const std::string text = emit_knobs(config, {network});
    EXPECT_TRUE(contains(text, "\nexport FI_PROVIDER='tcp;ofi rxm'\n"));
    EXPECT_TRUE(contains(text, "+12.5% over all sizes (+10.0 to +15.0%)"));
    EXPECT_EQ(lines_with(text, "export "), 1U);
    EXPECT_THROW(emit_knobs(config, {"no such network"}), Error);
}

TEST(EmitKnobs, OtherFormatsForTheEnvironmentHaveThem) {
    Config config = example_config();
    config.knobs = {{networks_of(config).front(), "FI_PROVIDER", "tcp", 0.1, {0.05, 0.15}}};
    EXPECT_TRUE(contains(emit_module(config, {"", Layout{4, 1}, ""}), "\nsetenv FI_PROVIDER {tcp}\n"));
    EXPECT_TRUE(contains(emit_env(config, {"", Layout{4, 1}, ""}), "\nexport FI_PROVIDER=tcp\n"));
}

}  // namespace
