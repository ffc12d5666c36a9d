// SPDX-License-Identifier: MIT
// `audit.json` of a run directory.
#pragma once

#include <optional>

#include "audit.hpp"
#include "saved_run.hpp"

namespace tuner {

Json to_json(const Audit& audit);
Audit audit_from(const CheckedJson& json);
std::optional<Audit> audit_in(const RunFiles& files);  // nothing: the run was not audited
void write_audit(const RunFiles& files, const Audit& audit);

}  // namespace tuner
