// SPDX-License-Identifier: MIT
// The one exception of the tuner. Its text says what failed, why, and what to try; `main` prints it and
// leaves with its exit code. What a measurement can run into is data (a status and a reason), not an Error.
#pragma once

#include <stdexcept>
#include <string>

namespace tuner {

class Error : public std::runtime_error {
  public:
    enum class Kind { failure = 1, wrong_use = 2 };  // the exit codes

    Error(Kind kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
    Kind kind() const { return kind_; }
    int exit_code() const { return static_cast<int>(kind_); }

  private:
    Kind kind_;
};

inline Error failure(const std::string& text) {
    return {Error::Kind::failure, text};
}

inline Error wrong_use(const std::string& text) {
    return {Error::Kind::wrong_use, text};
}

}  // namespace tuner
