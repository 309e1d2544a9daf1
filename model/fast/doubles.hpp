// The kernel of adders in 64-bit lanes: any list of sums, of whatever feeds them, as long as doubles carry it.
//
// Inside, a number is its value as a double and its nominal exponent as an integer. A sum brings its items to units of
// its grid, 2^(window - F), cuts them to integers where the datapath says so, adds, and takes the sum back. A product
// of slices is one of the slices' values, with the exponent that the datapath gives it.
//
// Why no step of this rounds but where the datapath does:
//   - a product has at most 53 significant bits, and no number leaves 2^-880 to 2^880: products with powers of two are
//     exact;
//   - the plan says how wide a sum is; one of more than 53 bits and a sign is taken only where it is rounded once more.
//     Two numbers of the format it is rounded to, p bits, to the nearest: then rounding to 53 >= 2p + 2 bits first
//     changes nothing. Two of any kind, one of which may be the sum of all products: the sum is rounded to odd, and a
//     later cut to 51 bits or fewer sees every bit that was lost;
//   - a sum that may be wider, and most times is not, is watched: the addends of a window that stands still, and what
//     each addition loses of a sum that loses nothing. Where it does not fit it is left to core;
//   - what `sticky: at_result` remembers is a quarter of a unit below what the result cuts, where nothing else stands;
//   - cuts are those of the vector unit, whose direction each instruction says itself, or made of them exactly.
// Products of one sum are added in a row, or, where they are rounded, counted from their leading ones or added as a
// tree, numbers by themselves that a sum takes as any others. Signs of zeros are those that IEEE's sums to the nearest
// have, since -0 is what each begins with and what fills it up; of a sum that cuts, it is noted beside whether each
// addend was -0, or +0 where it rounds down. Operands and numbers on the way that are not finite, and operands whose
// products might overflow where the datapath minds, are left to core, each where it occurs; so is the sum that an
// erratum is about.
#pragma once

#include <climits>
#include <cstring>
#include <memory>
#include <optional>

#include "model/core/operand_codes.hpp"
#include "model/fast/doubles_simd.hpp"
#include "model/fast/pack.hpp"

namespace assay {

// Codes of one format as doubles, with nominal exponents; no_exponent in a zero.
class DoubleDecoder {
 public:
  struct Number {
    double value = 0;
    std::int16_t exponent = none;
    bool finite = true;
  };
  static constexpr std::int16_t none = INT16_MIN;

  // A part of each significand, as SLICES has it.
  struct Slice {
    int before_point = 1;  // bits of the significand
    int from = 0;
    std::optional<int> bits;
    int lowered = 0;  // how much less its exponent is than its operand's

    bool operator==(const Slice& o) const {
      return before_point == o.before_point && from == o.from && bits == o.bits && lowered == o.lowered;
    }
  };

  explicit DoubleDecoder(OperandCodes codes, std::optional<Slice> slice = std::nullopt);
  Number operator()(Code code) const {
    const Code used = codes_.format.used(code);
    return is_ieee_ ? of_ieee(used) : of_other(used);
  }

 private:
  Number decoded(const assay::Number& n) const;
  // By fields: a table of 65,536 numbers takes a millisecond to make, and more of a cache than there is.
  //
  //   s e e e e e m m m m        s e + 1023 - bias  m m m m 0 .. 0     of a normal one, as a double
  Number of_ieee(Code used) const {
    const Code mantissa = used & mantissa_mask_, field = used >> mantissa_bits_ & top_field_;
    if (field == 0 || field == top_field_) return of_edge(used);
    const auto exponent = static_cast<int>(field) - bias_;
    const std::uint64_t sign = (used & sign_bit_) == 0 ? 0 : std::uint64_t{1} << 63;
    const std::uint64_t bits =
        sign | static_cast<std::uint64_t>(exponent + 1023) << 52 | mantissa << (52 - mantissa_bits_);
    Number n{0, static_cast<std::int16_t>(exponent), true};
    std::memcpy(&n.value, &bits, sizeof bits);
    return n;
  }
  Number of_other(Code used) const;  // format
  Number of_edge(Code used) const;   // a zero, a subnormal number, an infinity or a NaN

  OperandCodes codes_;
  std::optional<Slice> slice_;
  bool is_ieee_ = false;                                   // a format as IEEE 754 has it, within a double's exponents
  Code mantissa_mask_ = 0, top_field_ = 0, sign_bit_ = 0;  // of such a format
  int mantissa_bits_ = 0, bias_ = 0;
  std::vector<Number> table_;  // of every code, where they are few
};

class DoublesKernel {
 public:
  struct Pack {
    assay::Pack<double, std::uint16_t> terms;
    hwy::AlignedFreeUniquePtr<double[]> scales;  // of groups, block after block
    hwy::AlignedFreeUniquePtr<std::int64_t[]> scale_exponents;
    int blocks = 0;
  };

  // `plan` must outlive the kernel. Nothing where doubles do not carry it.
  static std::optional<DoublesKernel> of(const Plan& plan);

  static constexpr std::string_view name = "64-bit lanes";

  // What one line of A or B takes in a pack.
  std::size_t line_bytes(int instructions) const;
  Pack pack_rows(const Gemm& gemm, int first, int count) const;
  Pack pack_panel(const Gemm& gemm, int first, int count) const;
  void tile(const Pack& a, int row, int rows, const Pack& b, Tile& tile) const;

  // Rows of A as a panel, to be multiplied by a panel of B lane by lane into the first row of a tile.
  Pack pack_cases(const Gemm& gemm, int count) const;
  void lanes(const Pack& a, const Pack& b, Tile& tile) const;

 private:
  // What the nominal exponent e of an operand is to the kernel: base + e, or base - e on the side of B. Zeros are 0 and
  // 65535, so that the saturated difference of two is 0 where either is zero, and else counts from 1.
  struct Side {
    std::vector<std::shared_ptr<const DoubleDecoder>> decoders;  // of each piece; one of whole operands
    int base = 0;
    bool descending = false, negate = false;

    Decoded<double, std::uint16_t> number(double value, int exponent) const {
      return {negate ? -value : value, static_cast<std::uint16_t>(descending ? base - exponent : base + exponent),
              true};
    }
    Decoded<double, std::uint16_t> zero(double value) const { return {negate ? -value : value, no_exponent(), true}; }
    Decoded<double, std::uint16_t> unfit() const { return {0, no_exponent(), false}; }
    // (+0) x (-0) is the -0 that changes no sum.
    Decoded<double, std::uint16_t> fill() const { return {descending ? -0.0 : 0.0, no_exponent(), true}; }
    std::uint16_t no_exponent() const { return descending ? UINT16_MAX : 0; }
  };

  explicit DoublesKernel(const Plan& plan);
  void take_rows();  // of products

  Decoded<double, std::uint16_t> operand(const Side& side, Code code, int product, const Matrix& scales,
                                         int line) const;
  DoubleDecoder::Number scaled(const DoubleDecoder::Number& n, const Matrix& scales, int line, int product) const;
  void pack_scales(Pack& pack, const Matrix& scales, bool panel, int first, int count, int instructions) const;
  int blocks(int instructions) const;
  DoublesRun run_of(const Pack& a, const Pack& b) const;
  void run(DoublesRun run, int rows, DoublesLoop loop, Tile& tile) const;
  double c_value(Code code) const;
  Code d_code(double value) const;

  const Plan* plan_;
  DoublesShape shape_;
  Sources sources_;
  int group_terms_ = 0, product_groups_ = 0, exponent_offset_ = 0;
  bool scaled_groups_ = false, scaled_products_ = false, c_is_float_ = false, d_is_float_ = false;
  int greatest_exponent_ = INT_MAX;  // of an operand that the kernel takes
  Side a_, b_;
  std::shared_ptr<const DoubleDecoder> scale_, c_;
};

}  // namespace assay
