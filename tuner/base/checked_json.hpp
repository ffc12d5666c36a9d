// SPDX-License-Identifier: MIT
// Reads JSON that people write (comments allowed) and refuses what it does not understand, with the file,
// the place inside it and a remedy. A misspelled or repeated key is an error, never ignored.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tuner {

using Json = nlohmann::ordered_json;

// Nothing of ours needs more; the JSON library copies, compares and prints by recursion, which ends on the
// stack
inline constexpr std::size_t deepest_json = 100;

// What programs write: no comments. Throws std::exception when it is not JSON, or is too deep.
Json parse_json(std::string_view text);

Json number_or_null(double value);  // JSON has no infinity

// An integer from 0 on. Throws std::invalid_argument for any other value: the library would convert 1e300,
// too.
std::uint64_t whole_number(const Json& value);

// "did you mean 'x'? known: x, y": the nearest candidate, if one is near, and all of them. Goes behind "; ".
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates);

// A value and where it is. Every function that expects something else throws an Error (wrong use).
class CheckedJson {
  public:
    static CheckedJson parse_file(const std::string& file);
    static CheckedJson parse(const std::string& text, const std::string& file);
    CheckedJson(Json value, const std::string& file);

    void only_keys(const std::vector<std::string>& known) const;  // an object, with no other keys
    bool has(const std::string& key) const;
    CheckedJson at(const std::string& key) const;                    // which must be there
    std::vector<CheckedJson> list() const;                           // which must not be empty
    std::vector<std::pair<std::string, CheckedJson>> items() const;  // of an object

    bool is_object() const { return value_->is_object(); }
    std::string text() const;                                         // which must not be empty
    std::string one_of(const std::vector<std::string>& known) const;  // a text
    std::int64_t integer(std::int64_t smallest, std::int64_t largest) const;
    double number() const;
    bool boolean() const;
    const Json& json() const { return *value_; }

    [[noreturn]] void fail(const std::string& cause_and_remedy) const;

  private:
    CheckedJson(std::shared_ptr<const Json> value, std::string file, std::string path)
        : value_(std::move(value)), file_(std::move(file)), path_(std::move(path)) {}
    CheckedJson child(const Json& value, const std::string& step) const;

    std::shared_ptr<const Json> value_;  // shares the whole document
    std::string file_;
    std::string path_;
};

}  // namespace tuner
