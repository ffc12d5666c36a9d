// SPDX-License-Identifier: MIT
#include "bursts.hpp"

#include <algorithm>

namespace tuner {

Bursts::Bursts(int nodes, double most_bytes, double bytes_per_second, double now)
    : most_bytes_(most_bytes), bytes_per_second_(bytes_per_second) {
    if (most_bytes_ > 0) {
        buckets_.assign(static_cast<std::size_t>(nodes), Bucket{most_bytes_, now});
    }
}

double Bursts::left_of(int node, double bytes, double now) {
    if (buckets_.empty()) {
        return bytes;
    }
    Bucket& of = buckets_[static_cast<std::size_t>(node)];
    if (of.moving++ == 0) {
        of.tokens = std::min(most_bytes_, of.tokens + (now - of.idle_since) * bytes_per_second_);
    }
    const double free = std::min(of.tokens, bytes);
    of.tokens -= free;
    return bytes - free;
}

void Bursts::done(int node, double now) {
    if (!buckets_.empty()) {
        Bucket& of = buckets_[static_cast<std::size_t>(node)];
        of.idle_since = now;
        --of.moving;
    }
}

}  // namespace tuner
