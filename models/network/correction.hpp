// SPDX-License-Identifier: MIT
// What a cost model is off by, learned from measured times: the logarithm of measured / modelled is a
// Gaussian process over algorithms, layouts and message sizes (kriging). Near to what was measured it is
// known well, far from it hardly, and its standard error says so. Errors that all algorithms of a layout
// share do not count in a comparison of two of them.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "rank_placement.hpp"

namespace models {

// An algorithm on a layout with a message size, as far as errors depend on it
struct CorrectedCase {
    std::size_t algorithm = 0;  // a number for each one of the collective
    double log2_nodes = 0;
    double log2_ppn = 0;  // of the mean number of ranks on a node
    double log2_bytes = 0;
    bool is_power_of_two = true;  // the number of ranks: other numbers take other ways through an algorithm
    bool is_round_robin = false;  // and the mapping matters
    bool is_uneven = false;
};
CorrectedCase corrected_case(std::size_t algorithm, const RankPlacement& layout, double bytes);

struct CorrectionSample {
    CorrectedCase at;
    double residual;        // log(measured / modelled)
    double standard_error;  // of the measurement
};

// Standard deviations are logarithmic; lengths are those over which errors stay alike. Found by the
// likelihood of the labs in tests/data/layouts; see models/README.md.
struct CorrectionPrior {
    double shared = 0.5;      // by all algorithms of a layout and size
    double algorithm = 0.16;  // on all layouts and sizes
    double local = 0.24;      // of an algorithm on a layout with a size
    double independent = 0.06;
    double nodes_length = 3.8;  // in powers of two, as the next two
    double ppn_length = 2.9;
    double bytes_length = 6.3;
    double power_of_two_length = 0.7;  // a difference counts as 1, as for the next two
    double mapping_length = 0.7;
    double uneven_length = 1.4;
};

// Of the errors of one algorithm on two layouts; sizes do not count
double layout_correlation(const CorrectedCase& a, const CorrectedCase& b, const CorrectionPrior& prior = {});

class Correction {
  public:
    // All of one collective and network
    explicit Correction(std::vector<CorrectionSample> samples, const CorrectionPrior& prior = {});

    struct Predicted {
        Eigen::VectorXd mean;        // of log(measured / modelled)
        Eigen::MatrixXd covariance;  // with what is independent: of times that would be measured
    };
    Predicted at(const std::vector<CorrectedCase>& cases) const;

    // How much more (or less) the model is off here than the prior says, as a factor of standard deviations
    double scale() const { return scale_; }

  private:
    double covariance(const CorrectedCase& a, const CorrectedCase& b) const;

    CorrectionPrior prior_;
    std::vector<CorrectionSample> samples_;
    Eigen::MatrixXd factor_;    // lower, of the samples' covariance (Cholesky)
    Eigen::VectorXd whitened_;  // residuals
    double scale_ = 1;
};

}  // namespace models
