// SPDX-License-Identifier: MIT
// A library that the benchmark knows nothing of: its default is measured, nothing else.
#include <gtest/gtest.h>

#include "library.hpp"

namespace bench {

extern const Backend any_library;

namespace {

TEST(AnyLibrary, MeasuresItsDefaultOnly) {
    ASSERT_TRUE(any_library.is_here());
    const auto library = any_library.make(MPI_COMM_WORLD);
    EXPECT_FALSE(library->can_switch());
    const Pattern& bcast = *find_pattern("bcast");
    EXPECT_TRUE(library->algorithms(bcast).empty());
    EXPECT_EQ(library->refusal({&bcast, nullptr, 8, false}, default_algorithm), std::nullopt);
    EXPECT_NE(library->refusal({&bcast, nullptr, 8, false}, "ring").value_or("").find("only 'default'"),
              std::string::npos);
    EXPECT_EQ(library->choose(bcast, default_algorithm), MPI_COMM_WORLD);
    EXPECT_EQ(library->last_used(bcast), "");
}

}  // namespace
}  // namespace bench
