// SPDX-License-Identifier: MIT
// JSON written by people: what is wrong is named, with its place and a remedy.
#include "checked_json.hpp"

#include <gtest/gtest.h>

#include "error.hpp"

namespace {

using namespace tuner;

CheckedJson parsed(const std::string& text) {
    return CheckedJson::parse(text, "f.json");
}

template <class Function>
std::string error_of(Function function) {
    try {
        function();
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "no error";
}

TEST(CheckedJson, ReadsCommentsAndValues) {
    const CheckedJson json = parsed("// a comment\n{\"a\": {\"b\": [1, /* two */ 2.5, true, \"text\"]}}");
    const auto list = json.at("a").at("b").list();
    EXPECT_EQ(list[0].integer(0, 1), 1);
    EXPECT_EQ(list[1].number(), 2.5);
    EXPECT_TRUE(list[2].boolean());
    EXPECT_EQ(list[3].text(), "text");
}

TEST(CheckedJson, NamesThePlace) {
    const CheckedJson json =
        parsed(R"({"a": [{"b": "one"}, {"b": 7}], "n": 99999999999999999999, "u": 18446744073709551615})");
    EXPECT_EQ(error_of([&] { json.at("a").list()[1].at("b").text(); }),
              "f.json, a[1].b: expected a string, got 7; write \"...\"");
    EXPECT_EQ(error_of([&] { json.at("a").list()[0].at("b").integer(1, 5); }),
              "f.json, a[0].b: \"one\" is not allowed here; write an integer from 1 to 5");
    EXPECT_EQ(error_of([&] { json.at("a").list()[0].at("c"); }),
              "f.json, a[0]: the key 'c' is missing; add it");
    EXPECT_NE(error_of([&] { json.at("n").integer(0, 5); }), "no error");
    EXPECT_NE(error_of([&] { json.at("u").integer(0, INT64_MAX); }), "no error");
}

TEST(CheckedJson, SuggestsTheNearestKey) {
    const CheckedJson json = parsed(R"({"host_sufix": "x"})");
    EXPECT_EQ(error_of([&] {
                  json.only_keys({"name", "host_suffix"});
              }),
              "f.json: there is no key 'host_sufix'; did you mean 'host_suffix'? known: name, host_suffix");
    EXPECT_EQ(error_of([&] {
                  json.only_keys({"name", "interface"});
              }),
              "f.json: there is no key 'host_sufix'; known: name, interface");
}

TEST(CheckedJson, RefusesWhatIsNotJson) {
    EXPECT_NE(
        error_of([] { parsed("{\n\"a\": }"); }).find("f.json is not JSON: parse error at line 2, column 6"),
        std::string::npos);
    EXPECT_NE(error_of([] { parsed(""); }), "no error");
    EXPECT_EQ(error_of([] { parsed(R"({"a": {"b": 1, "b": 2}})"); }),
              "f.json: the key 'b' is listed twice in one object; remove one of them");
    EXPECT_EQ(error_of([] { parsed(R"([{"b": 1}, {"b": 2}])"); }), "no error");
    EXPECT_EQ(error_of([] { CheckedJson::parse_file("/not/there.json"); }),
              "/not/there.json cannot be read: No such file or directory; check the path");
}

}  // namespace
