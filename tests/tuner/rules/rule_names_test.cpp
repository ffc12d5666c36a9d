// SPDX-License-Identifier: MIT
// The names of a configuration end in files of shells, Tcl and MPI libraries: what could be anything else
// than a name there is refused, and the place in the file is named.
#include "rule_names.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "error.hpp"

namespace {

using namespace tuner;

CheckedJson value_of(const Json& value) {
    return CheckedJson(value, "config.json");
}

// The text of the error; empty: it was accepted
std::string refusal(const std::function<void(const CheckedJson&)>& read, const Json& value) {
    try {
        read(value_of(value));
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2) << error.what();
        return error.what();
    }
    return "";
}

TEST(RuleNames, AlgorithmsOfAllLibrariesAreTaken) {
    for (const char* name :
         {"recursive_doubling", "in-order_binary", "chain:segment=8Ki:fanout=4", "tree_knomial.2"}) {
        EXPECT_EQ(algorithm_name(value_of(name)), name);
    }
}

TEST(RuleNames, AnAlgorithmIsNoCommandAndNoPath) {
    for (const char* name : {"ring;id", "$(id)", "`id`", "ring ring", "../ring", "ring\n", "ring\"", "ring'",
                             "[id]", "ring\\", "r\u00efng"}) {
        EXPECT_NE(refusal(algorithm_name, name).find("letters, digits and _-.:= only"), std::string::npos)
            << name;
    }
}

TEST(RuleNames, AnAlgorithmHasANameBeforeItsParameters) {
    EXPECT_NE(refusal(algorithm_name, ":segment=8Ki"), "");
    EXPECT_NE(refusal(algorithm_name, "chain:segment"), "") << "no value";
    EXPECT_NE(refusal(algorithm_name, ""), "");
    EXPECT_NE(refusal(algorithm_name, 5).find("config.json: expected a string, got 5"), std::string::npos);
}

TEST(RuleNames, ANetworkIsAnyTextOfOneLine) {
    EXPECT_EQ(network_name(value_of("10 Gbit/s \"lab\" $x")), "10 Gbit/s \"lab\" $x");
    EXPECT_EQ(network_name(value_of("r\u00e9seau")), "r\u00e9seau") << "no byte of it is a control character";
    for (const char* name : {"eth\n0", "eth\t0", "\x1b[2J", "eth\x7f"}) {
        EXPECT_NE(refusal(network_name, name).find("no control characters"), std::string::npos) << Json(name);
    }
}

TEST(RuleNames, CollectivesAndOperationsAreKnownOnes) {
    EXPECT_EQ(collective_name(value_of("allreduce")), "allreduce");
    EXPECT_NE(refusal(collective_name, "allreduec").find("did you mean 'allreduce'?"), std::string::npos);
    EXPECT_EQ(operation_name(value_of("non-commutative")), "non-commutative");
    EXPECT_EQ(operation_name(value_of("")), "") << "the collective has none";
    EXPECT_NE(refusal(operation_name, "sum").find("known: built-in, commutative"), std::string::npos);
}

TEST(RuleNames, ValuesOfAlgorithmsAreNumbersOfTheLibrary) {
    EXPECT_EQ(refusal(check_algorithm_values, nullptr), "");
    EXPECT_EQ(refusal(check_algorithm_values, {{"bcast", {{"chain", 2}, {"pipeline", -1}}}}), "");
    EXPECT_NE(
        refusal(check_algorithm_values, {{"bcast", {{"chain", "2;id"}}}}).find("config.json, bcast.chain: "),
        std::string::npos);
    const std::int64_t too_large = std::int64_t{std::numeric_limits<int>::max()} + 1;
    EXPECT_NE(refusal(check_algorithm_values, {{"bcast", {{"chain", too_large}}}}), "");
}

TEST(RuleNames, OfAFingerprintTheLibraryAndTheNetworksCount) {
    EXPECT_EQ(refusal(check_fingerprint, {{"library", ""}, {"networks", Json::array()}, {"kernel", 5}}), "");
    EXPECT_EQ(refusal(check_fingerprint, {{"library", "MPICH 4.0.2"}, {"networks", {"eth", "fast"}}}), "");
    EXPECT_NE(refusal(check_fingerprint, {{"library", 4}}).find("config.json, library: "), std::string::npos);
    EXPECT_NE(
        refusal(check_fingerprint, {{"networks", {"eth", "fa\nst"}}}).find("config.json, networks[1]: "),
        std::string::npos);
}

}  // namespace
