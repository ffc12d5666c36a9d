// SPDX-License-Identifier: MIT
// What the rate limit of a node lets pass at once after a pause: a bucket of tokens, one for each byte, that
// fills up at the rate of the link while the node sends nothing.
#pragma once

#include <vector>

namespace tuner {

class Bursts {
  public:
    // `most_bytes` 0: there is no such limit
    Bursts(int nodes, double most_bytes, double bytes_per_second, double now);

    // A message begins to move: how many of its bytes are left to the rate of the link
    double left_of(int node, double bytes, double now);
    void done(int node, double now);  // it has left

  private:
    struct Bucket {
        double tokens;
        double idle_since;
        int moving = 0;
    };

    double most_bytes_;
    double bytes_per_second_;
    std::vector<Bucket> buckets_;
};

}  // namespace tuner
