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

TEST(WholeNumber, IsAnIntegerFromZeroOn) {
    EXPECT_EQ(whole_number(Json(0)), 0u);
    EXPECT_EQ(whole_number(Json(UINT64_MAX)), UINT64_MAX);
    for (const Json& other : {Json(-1), Json(1e308), Json(1.5), Json("7"), Json(nullptr), Json::array({7})}) {
        EXPECT_THROW(whole_number(other), std::invalid_argument) << other;
    }
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

TEST(CheckedJson, SuggestsAWordWithTwoLettersSwapped) {
    EXPECT_EQ(suggestion("fats", {"slow", "fast"}), "did you mean 'fast'? known: slow, fast");
    EXPECT_EQ(suggestion("fsta", {"slow", "fast"}), "known: slow, fast") << "two swaps in a word of four";
}

TEST(CheckedJson, RefusesWhatIsNotJson) {
    EXPECT_NE(
        error_of([] { parsed("{\n\"a\": }"); }).find("f.json is not JSON: parse error at line 2, column 6"),
        std::string::npos);
    EXPECT_NE(error_of([] { parsed(""); }), "no error");
    EXPECT_EQ(error_of([] { parsed(R"({"a": {"b": 1, "b": 2}})"); }),
              "f.json: the key 'b' is listed twice in one object; remove one of them");
    EXPECT_EQ(error_of([] { parsed(R"([{"b": 1}, {"b": 2}])"); }), "no error");
    EXPECT_EQ(
        error_of([] { CheckedJson::parse_file("/not/there.json"); }),
        "/not/there.json cannot be read: No such file or directory; check the path and its permissions");
}

TEST(CheckedJson, RefusesWhatIsTooDeep) {
    const auto nested = [](std::size_t levels) {
        return std::string(levels, '[') + "1" + std::string(levels, ']');
    };
    const auto objects = [](std::size_t levels) {
        std::string text;
        for (std::size_t i = 0; i < levels; ++i) {
            text += "{\"a\":\n";
        }
        return text + "1" + std::string(levels, '}');
    };
    EXPECT_EQ(error_of([&] { parsed(nested(deepest_json)); }), "no error");
    EXPECT_EQ(error_of([&] { parsed(nested(deepest_json + 1)); }),
              "f.json, line 1: arrays and objects are nested more than 100 levels deep; correct it there");
    EXPECT_EQ(error_of([&] { parsed(objects(200000)); }),
              "f.json, line 101: arrays and objects are nested more than 100 levels deep; correct it there");
    EXPECT_EQ(error_of([&] { parsed(nested(200000)); }), error_of([&] { parsed(nested(deepest_json + 1)); }));
    EXPECT_EQ(error_of([&] { parsed("\"" + nested(200000) + "\" // [[["); }), "no error") << "in a string";
    EXPECT_EQ(parse_json(nested(deepest_json)).dump(), nested(deepest_json));
    EXPECT_THROW(parse_json(nested(deepest_json + 1)), std::invalid_argument);
    EXPECT_THROW(parse_json(objects(200000)), std::invalid_argument);
    EXPECT_EQ(parse_json("[\"\\\"" + nested(2000) + "\", 1]").size(), 2u) << "in a string";
    EXPECT_EQ(parse_json("[" + nested(1) + "," + nested(1) + "]").size(), 2u);
}

TEST(CheckedJson, NamesTheLineOfANumberThatIsTooLarge) {
    EXPECT_EQ(error_of([] { parsed("{\"a\": 1,\n \"b\": 1e999}"); }),
              "f.json, line 2: number overflow parsing '1e999'; correct it there");
    EXPECT_EQ(error_of([] { parsed("// 1e999\n\n[\"1e999\",\n-1e999\n]"); }),
              "f.json, line 4: number overflow parsing '-1e999'; correct it there");
    EXPECT_THROW(parse_json("1e999"), std::exception);
}

TEST(CheckedJson, RefusesStringsThatProgramsCutOff) {
    const CheckedJson json = parsed(R"({"host": "n1\u0000.evil", "good": "n1"})");
    EXPECT_EQ(json.at("good").text(), "n1");
    EXPECT_EQ(error_of([&] { json.at("host").text(); }),
              "f.json, host: a string must not contain \\u0000, where programs end it; remove it");
}

TEST(CheckedJson, ShowsControlCharacters) {
    const CheckedJson json = parsed(R"({"a\u001b[2J": 1})");
    EXPECT_EQ(error_of([&] { json.only_keys({"b"}); }), "f.json: there is no key 'a\\x1b[2J'; known: b");
}

}  // namespace
