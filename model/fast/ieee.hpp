// The kernel of datapaths made of IEEE operations: every product and every sum of two numbers is rounded to a float, or
// to a double, at once, and all of them in one direction. That is what the machine's own operations do, zeros,
// infinities and NaNs included - but for the bits of a NaN, so a NaN is left to core. Products whose signs are turned
// are those of -a. Products that a float holds as they are need no rounding. Where it holds their bits and not all of
// their exponents, operands of exponents beyond +-62 are left to core, whole rows and columns of them: then products
// are normal numbers, a sum of them is one or needs no rounding, and it is of no matter whether a sum of so many bits
// has a least exponent.
//
// Rounding to odd, and to f16's numbers, is done by arithmetic on floats: x + y = s + e, where e is what the addition
// lost, exactly (Knuth's six operations); s is cut toward zero and its last bit set where e is not 0, which 24 bits are
// enough for to be rounded to 11 afterwards. Where s leaves the floats e is NaN, and so is what follows: core's.
//
// Where results below the least normal number become zero, the rounded result shows it - unless the datapath asks what
// it would have been with a wider exponent: then one that has become the least normal number is left to core as well.
// On x86 a tile is first computed as if they stayed: its flags show whether there was any.
#pragma once

#include <memory>
#include <optional>

#include "model/fast/float_reader.hpp"
#include "model/fast/ieee_simd.hpp"
#include "model/fast/pack.hpp"

namespace assay {

template <class T>
class IeeeKernel {
 public:
  using Pack = assay::Pack<T, NoExponent>;

  // `plan` must outlive the kernel. Nothing where the plan is none of IEEE operations on T.
  static std::optional<IeeeKernel> of(const Plan& plan);

  static constexpr std::string_view name = sizeof(T) == 4 ? "IEEE floats" : "IEEE doubles";

  // What one line of A or B takes in a pack.
  std::size_t line_bytes(int instructions) const;
  Pack pack_rows(const Gemm& gemm, int first, int count) const;
  Pack pack_panel(const Gemm& gemm, int first, int count) const;
  void tile(const Pack& a, int row, int rows, const Pack& b, Tile& tile) const;

  Pack pack_cases(const Gemm& gemm, int count) const;
  void lanes(const Pack& a, const Pack& b, Tile& tile) const;

 private:
  IeeeKernel(const Plan& plan, const IeeeShape& shape);

  T turned(T x) const { return shape_.negate ? -x : x; }
  Decoded<T, NoExponent> taken(T x) const;
  void run(IeeeRun<T> run, bool a_is_panel, int rows, Tile& tile) const;

  const Plan* plan_;
  IeeeShape shape_;
  FloatReader<T> a_, b_, c_;
};

extern template class IeeeKernel<float>;
extern template class IeeeKernel<double>;

}  // namespace assay
