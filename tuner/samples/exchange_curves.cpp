// SPDX-License-Identifier: MIT
#include "exchange_curves.hpp"

#include "measured_cases.hpp"

namespace tuner {

ExchangeCurves exchange_curves(const RunData& run) {
    ExchangeCurves curves;
    for (auto& [key, measured] : measured_cases(run)) {
        if (key.stage == exchange_stage) {
            ExchangePoint& point = curves[{key.network, key.layout, key.what, key.way}][key.bytes];
            point.median_seconds = models::median(measured.sorted_seconds);
            point.interval =
                models::median_interval(measured.sorted_seconds, models::confidence_when_stopped);
            point.values = measured.about.values;
            point.sorted_seconds = measured.sorted_seconds;
        }
    }
    return curves;
}

}  // namespace tuner
