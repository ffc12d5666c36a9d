// SPDX-License-Identifier: MIT
// The section of distributions: all repetitions of a few cases.
#include "html.hpp"

namespace tuner::report {

void distributions(Html& html, const Context& context) {
    open_section(
        html, "distributions", "Distributions",
        "All repetitions of a few cases, on a logarithmic axis: those with the largest and the smallest "
        "verified gain, and those with the longest tails. An outlier that is late by about 200 ms, or "
        "by 200 ms doubled once or more, has probably waited for a TCP retransmission.");
    html.raw("<div class=\"figures\">");
    figures(html, context, {FigureKind::distribution, FigureKind::finishes}, true);
    html.raw("</div>");
    if (context.data.distributions.empty()) {
        html.element("p", "No case has enough repetitions.");
    }
    downloads_of_filled(html, context, {"distributions", "finishes"});
    html.raw("<p>The repetitions of all cases are in ");
    html.element("code", "samples.jsonl");
    html.raw(" of the run directory.</p>");
    close_section(html);
}

}  // namespace tuner::report
