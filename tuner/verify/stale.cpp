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

}  // namespace

void mark_stale(Journal& journal, const RunData& run, const CellKey& cell, std::size_t number,
                std::size_t of) {
    journal.append_event("stale", {{"network", cell.network},
                                   {"layout", to_string(cell.layout)},
                                   {"nodes", cell.layout.nodes},
                                   {"ppn", cell.layout.ppn},
                                   {"mapping", to_string(cell.layout.mapping)},
                                   {"collective", cell.collective},
                                   {"operation", cell.operation},
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

Verification with_cells_replaced(Verification old, Verification renewed, const std::set<CellKey>& cells) {
    std::erase_if(old.rules, [&](const Rule& rule) { return cells.contains(cell_of(rule)); });
    std::erase_if(old.proofs, [&](const Proof& proof) { return cells.contains(proof.cell); });
    std::erase_if(old.notes, [&](const std::string& note) {
        return std::any_of(cells.begin(), cells.end(), [&](const CellKey& cell) {
            // as name_of(Rule) starts
            return note.starts_with(
                fmt::format("{} {} {}: ", cell.network, to_string(cell.layout), cell.collective));
        });
    });
    append(old.rules, std::move(renewed.rules));
    append(old.proofs, std::move(renewed.proofs));
    append(old.notes, std::move(renewed.notes));
    old.variances = renewed.variances;
    std::stable_sort(old.rules.begin(), old.rules.end(), [](const Rule& x, const Rule& y) {
        return std::tuple(cell_of(x), x.from_bytes) < std::tuple(cell_of(y), y.from_bytes);
    });
    return old;
}

}  // namespace tuner
