// SPDX-License-Identifier: MIT
#include "exchange_curves.hpp"

#include "measured_cases.hpp"

namespace tuner {

ExchangeCurves exchange_curves(const RunData& run) {
    ExchangeCurves curves;
    for (auto& [key, measured] : measured_cases(run)) {
        if (key.stage == Stage::exchange) {
            ExchangePoint& point = curves[{key.network, key.layout, key.what, key.way}][key.bytes];
            point.median_seconds = models::median(measured.sorted_seconds);
            point.interval = measured.median_interval;
            point.values = measured.about.values;
            point.sorted_seconds = measured.sorted_seconds;
        }
    }
    return curves;
}

}  // namespace tuner
