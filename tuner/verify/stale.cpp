// SPDX-License-Identifier: MIT
#include "stale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "decide.hpp"

namespace tuner {

namespace {

template <class Element>
void append(std::vector<Element>& to, std::vector<Element> from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// As name_of(Rule) starts: a rule of the cell, or one for a range of layouts ("2 to 8 nodes x 1 to 3")
bool is_about(const std::string& note, const CellKey& cell) {
    const std::size_t end = note.find(fmt::format(" {}: ", cell.collective));
    const std::string start = cell.network + " ";
    if (end == std::string::npos || !note.starts_with(start)) {
        return false;
    }
    const std::string layout = note.substr(start.size(), std::max(end, start.size()) - start.size());
    return layout == to_string(cell.layout) || layout.find(" node") != std::string::npos;
}

bool is_of_replaced_range(const Proof& proof, const std::vector<Rule>& rules,
                          const std::set<CellKey>& cells) {
    const auto has_own_rule = [&](const Rule& rule) {
        return !is_predicted(rule) && cell_of(rule) == proof.cell;
    };
    const auto is_its_range = [&](const Rule& rule) {
        return is_predicted(rule) && rule.where.holds(proof.cell.layout) &&
               cell_at(rule, proof.cell.layout) == proof.cell && is_decided_by(rule, cells);
    };
    return std::none_of(rules.begin(), rules.end(), has_own_rule) &&
           std::any_of(rules.begin(), rules.end(), is_its_range);
}

}  // namespace

void mark_stale(Journal& journal, const RunData& run, const CellKey& cell, std::size_t number,
                std::size_t of) {
    Json fields = {{"network", cell.network}, {"layout", to_string(cell.layout)}};
    add_layout(fields, cell.layout);
    fields.update({{"collective", cell.collective},
                   {"operation", cell.operation},
                   {"last_group", run.last_group},
                   {"number", number},
                   {"of", of}});
    journal.append_event("stale", fields);
}

void mark_changed(Journal& journal, const RunData& run, const std::string& network,
                  const std::vector<std::string>& moved, std::size_t number, std::size_t of) {
    journal.append_event(network_changed_event, {{"network", network},
                                                 {"moved", moved},
                                                 {"last_group", run.last_group},
                                                 {"number", number},
                                                 {"of", of}});
}

void mark_retuned(Journal& journal) {
    journal.append_event("retuned", Json::object());
}

std::set<CellKey> stale_cells(const RunData& run) {
    std::set<CellKey> cells;
    for (const Json& event : run.events) {
        if (event.at("event") == "stale") {
            cells.insert(
                {event.at("network"), layout_from(event), event.at("collective"), event.at("operation")});
        } else if (event.at("event") == "retuned") {
            cells.clear();
        }
    }
    return cells;
}

bool is_decided_by(const Rule& rule, const std::set<CellKey>& cells) {
    if (!is_predicted(rule)) {
        return cells.contains(cell_of(rule));
    }
    return std::any_of(cells.begin(), cells.end(),
                       [&](const CellKey& cell) { return cell_at(rule, cell.layout) == cell; });
}

Verification with_cells_replaced(Verification old, Verification renewed, const std::set<CellKey>& cells) {
    std::erase_if(old.proofs, [&](const Proof& proof) {
        return cells.contains(proof.cell) || is_of_replaced_range(proof, old.rules, cells);
    });
    std::erase_if(old.rules, [&](const Rule& rule) { return is_decided_by(rule, cells); });
    std::erase_if(old.notes, [&](const std::string& note) {
        return std::any_of(cells.begin(), cells.end(),
                           [&](const CellKey& cell) { return is_about(note, cell); });
    });
    append(old.rules, std::move(renewed.rules));
    append(old.proofs, std::move(renewed.proofs));
    std::erase_if(old.notes, [&](const std::string& note) {
        return std::find(renewed.notes.begin(), renewed.notes.end(), note) != renewed.notes.end();
    });
    append(old.notes, std::move(renewed.notes));
    old.variances = renewed.variances;
    const auto ranges = std::stable_partition(old.rules.begin(), old.rules.end(),
                                              [](const Rule& rule) { return !is_predicted(rule); });
    std::stable_sort(old.rules.begin(), ranges, [](const Rule& x, const Rule& y) {
        return std::tuple(cell_of(x), x.from_bytes) < std::tuple(cell_of(y), y.from_bytes);
    });
    return old;
}

}  // namespace tuner
