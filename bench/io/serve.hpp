// SPDX-License-Identifier: MIT
// Serve mode: rank 0 reads requests, one JSON object a line, from standard input until it ends; all ranks
// serve them. A bad request is answered with an error line, and the next one is read.
#pragma once

#include "output.hpp"
#include "session.hpp"

namespace bench {

void serve(Session& session, const Settings& settings, Printer& printer);

}  // namespace bench
