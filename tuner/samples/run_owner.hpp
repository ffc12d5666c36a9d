// SPDX-License-Identifier: MIT
// Whose run it is. The manifest of a run names programs, which commands that measure start: those of another
// user only if the user says so, as git does with the hooks of a repository.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <string>

namespace tuner {

// Throws an Error that names the owner, the programs and the remedy if the run directory, its manifest or its
// journal belongs neither to the user nor to root, who could change the programs of this user anyway.
void refuse_run_of_others(const std::string& folder, uid_t user = geteuid());

}  // namespace tuner
