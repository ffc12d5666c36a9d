// SPDX-License-Identifier: MIT
#include "quoting.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "checked_json.hpp"
#include "error.hpp"

namespace tuner {

namespace {

bool is_control(unsigned char c) {
    return c < ' ' || c == 0x7f;
}

bool has_controls(const std::string& text) {
    return std::any_of(text.begin(), text.end(), is_control);
}

bool is_utf8(const std::string& text) {
    try {
        static_cast<void>(Json(text).dump());
        return true;
    } catch (const Json::type_error&) {
        return false;
    }
}

// For messages: the text may be anything
std::string shown(const std::string& text) {
    return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string tcl_character(char c) {
    if (is_control(static_cast<unsigned char>(c))) {
        return fmt::format("\\{:03o}", static_cast<unsigned>(c));
    }
    const bool is_special = std::string_view("\\\"$[]{}").find(c) != std::string_view::npos;
    return is_special ? std::string{'\\', c} : std::string(1, c);
}

}  // namespace

std::string printable(std::string text) {
    if (!is_utf8(text)) {
        text = Json::parse(shown(text)).get<std::string>();
    }
    std::replace_if(text.begin(), text.end(), is_control, ' ');
    for (std::size_t at = 0; (at = text.find("*/", at)) != std::string::npos;) {
        text.insert(at + 1, " ");
    }
    return text.ends_with('\\') ? text + "." : text;  // Tcl would continue the comment on the next line
}

std::string comment_line(const std::string& text) {
    return "# " + printable(text) + "\n";
}

std::string comment_lines(const std::vector<std::string>& texts) {
    std::string lines;
    for (const std::string& text : texts) {
        lines += comment_line(text);
    }
    return lines;
}

const std::string& checked_utf8(const std::string& text) {
    if (!is_utf8(text)) {
        throw usage_error(
            fmt::format("{} is not UTF-8 and cannot be put into this file; rename it", shown(text)));
    }
    return text;
}

std::string tcl_quoted(const std::string& text) {
    static_cast<void>(checked_utf8(text));
    // in braces nothing has a meaning but braces and backslashes
    if (!has_controls(text) && text.find_first_of("{}\\") == std::string::npos) {
        return "{" + text + "}";
    }
    std::string word = "\"";
    for (const char c : text) {
        word += tcl_character(c);
    }
    return word + "\"";
}

std::string openmpi_value(const std::string& text) {
    const bool has_home = text.starts_with("~/") || text.find(":~/") != std::string::npos;
    if (has_controls(text) || has_home || text.empty() || text.starts_with(' ') || text.ends_with(' ')) {
        throw usage_error(fmt::format(
            "{} cannot be put into a parameter file of Open MPI (control character, space at an end, "
            "or ~/); rename it",
            shown(text)));
    }
    return text;
}

}  // namespace tuner
