// SPDX-License-Identifier: MIT
// Has nothing of its own: CMake precompiles headers with the options of a target, and a target needs a
// source.
