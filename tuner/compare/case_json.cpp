// SPDX-License-Identifier: MIT
#include "case_json.hpp"

namespace tuner {

void add_case(Json& object, const CaseKey& key) {
    object["network"] = key.network;
    add_layout(object, key.layout);
    object["case"] = key.what;
    object["way"] = key.way;
    object["bytes"] = key.bytes;
}

}  // namespace tuner
