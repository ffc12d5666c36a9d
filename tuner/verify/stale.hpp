// SPDX-License-Identifier: MIT
// Cells whose rules do not hold any more, from the check that found them to the tuning that replaced them: in
// the journal, so that an interrupted one can be resumed.
#pragma once

#include <set>

#include "verify.hpp"

namespace tuner {

// What was measured of the cell so far does not count any more (forget_stale). `number` out of `of` cells
// that one check has found, from 1 on: only all of them count, so that none is forgotten if it is
// interrupted.
void mark_stale(Journal& journal, const RunData& run, const CellKey& cell, std::size_t number = 1,
                std::size_t of = 1);
// In the same way, all that was measured on a network; its cells are marked as well. `moved`: in words
void mark_changed(Journal& journal, const RunData& run, const std::string& network,
                  const std::vector<std::string>& moved, std::size_t number, std::size_t of);
void mark_retuned(Journal& journal);  // all that were stale

// Those that were marked and are not tuned again yet
std::set<CellKey> stale_cells(const RunData& run);

// A rule comes from one of the cells; a range of layouts comes from all cells of its collective and network
bool is_decided_by(const Rule& rule, const std::set<CellKey>& cells);

// `renewed` for these cells, `old` for all others: rules, proofs and notes
Verification with_cells_replaced(Verification old, Verification renewed, const std::set<CellKey>& cells);

}  // namespace tuner
