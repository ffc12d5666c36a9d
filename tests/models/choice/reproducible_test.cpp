// SPDX-License-Identifier: MIT
#include "reproducible.hpp"

#include <gtest/gtest.h>

namespace {

using models::keeps;
using models::Reproducible;
using models::ResultBits;

TEST(Reproducible, NamesAreReadAsTheyAreWritten) {
    for (const char* name : models::names_of_reproducible) {
        EXPECT_STREQ(models::to_string(models::parse_reproducible(name)), name);
    }
    EXPECT_THROW(models::parse_reproducible("bits"), std::invalid_argument);
}

TEST(Reproducible, EachClassKeepsWhatItSays) {
    const ResultBits own = {"1", true};
    const ResultBits other = {"2", true};
    const ResultBits differs = {"1", false};
    for (const ResultBits& any : {own, other, differs, ResultBits()}) {
        EXPECT_TRUE(keeps(Reproducible::any, any, own));
    }
    EXPECT_TRUE(keeps(Reproducible::ranks_agree, other, own));
    EXPECT_FALSE(keeps(Reproducible::ranks_agree, differs, own));
    EXPECT_TRUE(keeps(Reproducible::same_as_default, own, own));
    EXPECT_FALSE(keeps(Reproducible::same_as_default, other, own));
    EXPECT_FALSE(keeps(Reproducible::same_as_default, differs, own))
        << "of the default, too, it would be luck";
}

TEST(Reproducible, WhatIsNotKnownIsNotKept) {
    EXPECT_FALSE(keeps(Reproducible::ranks_agree, {}, {"1", true}));
    EXPECT_FALSE(keeps(Reproducible::same_as_default, {}, {}));
}

}  // namespace
