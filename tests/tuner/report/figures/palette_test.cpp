// SPDX-License-Identifier: MIT
#include "palette.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "schedule.hpp"

namespace {

using namespace tuner::report;

TEST(ColourClass, AlgorithmsOfOneCollectiveDiffer) {
    std::map<std::string_view, std::set<std::string>> colours;
    std::map<std::string_view, std::size_t> algorithms;
    for (const models::Algorithm& algorithm : models::algorithms()) {
        colours[algorithm.collective].insert(colour_class(algorithm.name));
        ++algorithms[algorithm.collective];
    }
    for (const auto& [collective, count] : algorithms) {
        EXPECT_EQ(colours[collective].size(), count) << collective;
    }
}

TEST(ColourClass, DefaultAndUnknownHaveTheirOwn) {
    EXPECT_EQ(colour_class("default"), "cd");
    EXPECT_EQ(colour_class(""), "cu");
}

// In every report, whatever was measured: from the name alone, by FNV-1a
TEST(ColourClass, AlgorithmsOfOtherLibrariesKeepTheirColour) {
    EXPECT_EQ(colour_class("an algorithm of another library"), "c5");
    EXPECT_EQ(colour_class("sparbit"), "c0");
}

TEST(ColourClass, EachHasAColourInBothThemesAndAMark) {
    for (const models::Algorithm& algorithm : models::algorithms()) {
        const std::string name = colour_class(algorithm.name);
        EXPECT_NE(figure_style_light().find("." + name + ".line"), std::string::npos);
        EXPECT_NE(figure_style_dark().find("." + name + ".line"), std::string::npos);
        EXPECT_NE(marker_definitions().find("id=\"m" + name.substr(1) + "\""), std::string::npos);
    }
}

TEST(GainClass, StepsFromLossToLargeGain) {
    EXPECT_EQ(gain_class(0.5), "g0");
    EXPECT_EQ(gain_class(1), "g1");
    EXPECT_EQ(gain_class(1.05), "g2");
    EXPECT_EQ(gain_class(1.3), "g4");
    EXPECT_EQ(gain_class(30), "g6");
    EXPECT_EQ(gain_class(NAN), "gu");
    EXPECT_EQ(gain_steps().size(), 7U);
}

TEST(Palette, MarksOfMapsHaveAColourInBothThemes) {
    for (const std::string& style : {figure_style_light(), figure_style_dark()}) {
        for (const char* name :
             {".dot{stroke:#", ".dot-edge{stroke:#", ".field-line{stroke:#", ".hatch-line{stroke:#"}) {
            EXPECT_NE(style.find(name), std::string::npos) << name;
        }
    }
}

}  // namespace
