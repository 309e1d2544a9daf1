// A convolution on tensor memory and its unit, in the four forms of the published description: one output after the
// other; as matrix products; as these, with activations reused by a shift along s; and with activations as A in tensor
// memory, padding left out by disabled lanes.
//
//   O[n][p][q][k] = sum over r, s, c of A[n][p x stride - pad + r x dilation][q x stride - pad + s x dilation][c] x
//   W[k][r][s][c]
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/machine/tensor_mma.hpp"

namespace assay::machine {

struct ConvolutionShape {
  int n = 1, h = 1, w = 1, c = 1, k = 1, r = 1, s = 1;
  int stride_h = 1, stride_w = 1, pad_h = 0, pad_w = 0, dilation_h = 1, dilation_w = 1;
  int lanes = 128;   // outputs (n, q) of a tile, side by side
  int kernels = 64;  // of a tile

  int p() const { return (h + 2 * pad_h - dilation_h * (r - 1) - 1) / stride_h + 1; }
  int q() const { return (w + 2 * pad_w - dilation_w * (s - 1) - 1) / stride_w + 1; }
  int outputs() const { return n * p() * q() * k; }
};

// Empty where it can be computed, else a sentence.
std::string problem(const ConvolutionShape& shape);

// What multiplies: formats with rows of 32 bytes, as an instruction descriptor has them.
struct ConvolutionUnit {
  MmaKind kind = MmaKind::f16;
  std::string a = "f16", b = "f16";  // of activations and of weights

  MmaShape shape(int m, int n) const;
};

// Channels are filled up with zeros to a multiple of the instruction's k.
struct ConvolutionData {
  int channels = 0;
  std::vector<Code> activations;  // n, h, w, channels
  std::vector<Code> weights;      // k, r, s, channels
};

enum class ConvolutionForm { direct, mma, reuse, lanes };
inline constexpr ConvolutionForm convolution_forms[] = {ConvolutionForm::direct, ConvolutionForm::mma,
                                                        ConvolutionForm::reuse, ConvolutionForm::lanes};

// Dwords read from shared memory.
struct ConvolutionCounts {
  std::uint64_t products = 0;  // of matrices; of the direct form, dot products
  std::uint64_t activations = 0, weights = 0;
  std::uint64_t saved = 0;   // of activations that were there already
  std::uint64_t shifts = 0;  // of a lane
};

// Which activation a lane holds, and whether its output is written.
struct LaneContent {
  std::optional<int> n;  // nothing: zeros
  int w = 0;
  bool is_off = false;
};

struct ConvolutionResult {
  std::vector<Code> output;  // n, p, q, k
  ConvolutionCounts counts;
  std::vector<std::vector<LaneContent>> first_lanes;  // of the first tile, r = 0 and the first channels, by s
};

// The order in which an output's products are added, outermost first: "r, s, c" or "r, c, s".
std::string order_of_sums(ConvolutionForm form);

// `row_done` is called once for each of the P rows of outputs.
ConvolutionResult convolve(ConvolutionForm form, const ConvolutionShape& shape, const ConvolutionUnit& unit,
                           const ConvolutionData& data, const MmaDatapaths& datapaths,
                           const std::function<void()>& row_done = {});

}  // namespace assay::machine
