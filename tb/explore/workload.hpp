// Real matrices in the formats that an instruction takes.
#pragma once

#include <vector>

#include "model/core/plan.hpp"
#include "model/fast/matrix.hpp"
#include "tb/explore/reals.hpp"

namespace assay {

// Codes in as few bytes as hold them.
class CodeMatrix {
 public:
  CodeMatrix() = default;
  CodeMatrix(int rows, int columns, const Format& format)
      : rows_(rows),
        columns_(columns),
        bytes_(element_bytes(format.stored_bits)),
        data_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * static_cast<std::size_t>(bytes_)) {}

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  Matrix view() const { return {data_.data(), bytes_, columns_, 1}; }
  MatrixOut out() { return {data_.data(), bytes_, columns_, 1}; }
  // From column `from` on.
  Matrix from_column(int from) const { return {view().at(0, from), bytes_, columns_, 1}; }

 private:
  int rows_ = 0, columns_ = 0, bytes_ = 8;
  std::vector<unsigned char> data_;
};

// What an instruction takes, as far as the operands go: plans that agree in it share a workload.
struct OperandFormats {
  Format a, b, c;
  std::optional<Format> scale;
  int scale_block = 0;
  bool tensor_scale = false;
  std::optional<Side> scaled = {};      // the one side that has scales; nothing: both
  std::optional<double> greatest = {};  // what scales bring the greatest magnitude to; nothing: the greatest element

  bool scales(Side side) const { return !scaled || *scaled == side; }
  std::string key() const;
};
// Throws Error where the scales of a promotion have no format that f32 holds.
OperandFormats operand_formats(const Plan& plan, const Scaling& scaling);

struct Workload {
  ProductShape shape;
  CodeMatrix a;                 // m x k
  CodeMatrix b;                 // n x k: B, transposed
  CodeMatrix c;                 // m x n
  CodeMatrix scale_a, scale_b;  // m x blocks, n x blocks
  double tensor_scale = 1;      // of both tensors together: what D is to be multiplied by, exactly
};

// Every value rounded to the nearest of its format, the greatest where it is too large. With scales, those of a block
// of a row are chosen as usual: a power of two is that of the block's greatest magnitude less that of the format's
// greatest number; a scale with a mantissa is the greatest magnitude over the format's greatest number, rounded. With
// `tensor_scale` that is relative to an f32 that brings the tensor's greatest magnitude to the greatest product of a
// scale and an element, or of an element where blocks have no scales. `greatest` stands in place of the format's
// greatest number. The side that has no scales is rounded as it is, and its scales are 1.
Workload workload_of(const Reals& reals, const OperandFormats& formats);

}  // namespace assay
