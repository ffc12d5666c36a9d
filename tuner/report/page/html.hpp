// SPDX-License-Identifier: MIT
// Pieces of the page: elements whose text is escaped, tables, figures, buttons for downloads. And the
// sections of the report that are made of them.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "figures.hpp"
#include "svg.hpp"
#include "tables.hpp"
#include "text_table.hpp"

namespace tuner::report {

// A piece of HTML; texts from outside go through `text`
struct Html {
    std::string markup;

    void raw(std::string_view html) { markup += html; }
    void text(std::string_view content) { markup += escaped(content); }
    void element(std::string_view tag, std::string_view content, std::string_view attributes = "");
};

// Everything up to the header's content: policy, style, marks. The nonce must be new for each page.
void open_page(Html& html, const std::string& title, const std::string& nonce);
std::string link_to(std::string_view id, std::string_view title);  // for <nav>
// Everything behind the last section: the tip for hovering, the tables as JSON, the script
void close_page(Html& html, const std::string& data_json, const std::string& nonce);

struct Column {
    const char* title;
    bool is_number = false;
};

using Rows = std::vector<std::vector<std::string>>;

// With the first rows of a long table; downloads have all
void table(Html& html, const std::vector<Column>& columns, const Rows& rows);
// The first column is a name, the others are numbers; a long one has its first rows and the last
void table(Html& html, const TextTable& of);
void downloads(Html& html, const Table& of);

// Everything that the sections share
struct Context {
    const ReportData& data;
    std::vector<Table> tables;
    std::vector<NamedFigure> figures;

    const Table& table_named(const std::string& name) const { return find_table(tables, name); }
};

void figure(Html& html, std::string_view id, const Figure& drawn, bool has_key);
void figure(Html& html, const NamedFigure& named, const Figure& drawn, bool has_key);

// All of some kinds, as far as there are; `cell`: only those of this position
void figures(Html& html, const Context& context, std::initializer_list<FigureKind> kinds, bool has_key,
             std::optional<std::size_t> cell = std::nullopt);

// The heading of a section and, if there is one, a paragraph that explains it; and its end
void open_section(Html& html, const char* id, const char* title, const char* introduction = "");
void close_section(Html& html);

// A list that opens when its title is clicked, with how many there are; nothing if there are none
void folded_list(Html& html, const std::string& title, const std::vector<std::string>& items);

// Buttons for those tables that have rows
void downloads_of_filled(Html& html, const Context& context, std::initializer_list<const char*> names);

// A box in a colour or a dot, and what it means
void key_entry(Html& html, const KeyEntry& entry);
void key_entry(Html& html, std::string_view classes, std::string_view label);

// The sections, in their order
void answer(Html& html, const Context& context);
void gains(Html& html, const Context& context);
void layouts(Html& html, const Context& context);
void curves(Html& html, const Context& context);
void networks(Html& html, const Context& context);
void exchanges(Html& html, const Context& context);
void guidelines(Html& html, const Context& context);
void distributions(Html& html, const Context& context);
void model_section(Html& html, const Context& context);
void how_measured(Html& html, const Context& context);

}  // namespace tuner::report
