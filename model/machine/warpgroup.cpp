#include "model/machine/warpgroup.hpp"

#include <utility>

#include "model/base/error.hpp"

namespace assay::machine {
namespace {

using layout::Coordinates;
using layout::Home;

constexpr std::uint64_t mask(int bits) { return (std::uint64_t{1} << bits) - 1; }
constexpr int widths[] = {16, 128, 64, 32};  // by the swizzle field

std::size_t index(int i) { return static_cast<std::size_t>(i); }

void turn_signs(std::vector<Code>& codes, int bits) {
  for (Code& code : codes) code ^= Code{1} << (bits - 1);
}

}  // namespace

std::string read_warpgroup_descriptor(const std::string& name, std::uint64_t bits, MatrixDescriptor& into) {
  constexpr std::uint64_t reserved = mask(2) << 14 | mask(2) << 30 | mask(3) << 46 | mask(10) << 52;
  if ((bits & reserved) != 0) return name + " has a reserved bit set, one of 15..14, 31..30, 48..46 and 61..52.";
  into.width = widths[bits >> 62];
  into.start = static_cast<std::uint32_t>((bits & mask(14)) << 4);
  into.leading = static_cast<std::uint32_t>((bits >> 16 & mask(14)) << 4);
  into.stride = static_cast<std::uint32_t>((bits >> 32 & mask(14)) << 4);
  return matrix_start_problem(name, into, static_cast<int>(bits >> 49 & mask(3)));
}

std::uint64_t warpgroup_descriptor_bits(const MatrixDescriptor& d) {
  std::uint64_t field = 0;
  while (widths[field] != d.width) ++field;
  return d.start >> 4 | std::uint64_t{d.leading >> 4} << 16 | std::uint64_t{d.stride >> 4} << 32 | field << 62;
}

Warpgroup::Warpgroup(WaveInstruction instruction) : instruction_(std::move(instruction)), kernel_(instruction_.plan) {}

std::vector<Code> Warpgroup::codes_in_shared(const std::string& name, std::uint64_t bits, bool is_a, bool mn_major,
                                             const SharedMemory& shared) const {
  const layout::NamedShape& s = instruction_.shape;
  const int element = is_a ? instruction_.fragments.a.bits : instruction_.fragments.b.bits;
  if (mn_major && element != 16) throw Error{name + " lies along k: only formats of 16 bits may lie the other way."};
  MatrixDescriptor matrix;
  if (const std::string why = read_warpgroup_descriptor("The descriptor of " + name, bits, matrix); !why.empty())
    throw Error{why};
  return read_matrix(name, matrix, {is_a ? s.m : s.n, s.k, mn_major ? Major::mn : Major::k, 128 / element, element},
                     shared);
}

// Four warps, each with 16 rows of A as mma.sync has them: in turn two rows eight apart and, along k, 32 bits a lane.
std::vector<Code> Warpgroup::codes_in_registers(const Registers32& from) const {
  const layout::NamedShape& s = instruction_.shape;
  const int bits = instruction_.fragments.a.bits, each = 32 / bits;  // elements of a register
  std::vector<Code> codes(index(s.m * s.k));
  for (int row = 0; row < s.m; ++row) {
    for (int k = 0; k < s.k; ++k) {
      const int lane = 32 * (row / 16) + 4 * (row % 8) + k / each % 4;
      const int word = row % 16 / 8 + 2 * (k / (4 * each));
      codes[index(row * s.k + k)] = from.of(lane)[word] >> (k % each * bits) & mask(bits);
    }
  }
  return codes;
}

void Warpgroup::execute(const WarpgroupOperation& o, const SharedMemory& shared) const {
  const layout::NamedShape& s = instruction_.shape;
  const layout::Fragments& f = instruction_.fragments;
  const bool in_registers = o.a_registers.first != nullptr;
  if (in_registers && o.a_is_mn_major) throw Error{"A in registers lies along k; its transpose has to be 0."};
  std::vector<Code> a =
      in_registers ? codes_in_registers(o.a_registers) : codes_in_shared("A", o.a, true, o.a_is_mn_major, shared);
  std::vector<Code> b = codes_in_shared("B", o.b, false, o.b_is_mn_major, shared);
  if (o.negate_a) turn_signs(a, f.a.bits);
  if (o.negate_b) turn_signs(b, f.b.bits);
  std::vector<layout::Location> places;
  for_each_element(f.d.size, [&](const Coordinates& e) { places.push_back(place_of(f.d, e)); });
  std::vector<Code> d(places.size());
  for (std::size_t i = 0; o.scale_d && i < d.size(); ++i)
    d[i] = layout::read_bits(o.d.of(places[i].lane), places[i].bit, f.d.bits);
  Gemm gemm;
  gemm.m = s.m;
  gemm.n = s.n;
  gemm.k = s.k;
  gemm.a = row_major(std::as_const(a).data(), s.k);
  gemm.b = transposed(row_major(std::as_const(b).data(), s.k));
  gemm.c = row_major(std::as_const(d).data(), s.n);
  gemm.d = row_major(d.data(), s.n);
  kernel_.gemm(gemm);
  for (std::size_t i = 0; i < d.size(); ++i) layout::write_bits(o.d.of(places[i].lane), places[i].bit, f.d.bits, d[i]);
}

std::string why_no_warpgroup(const WaveInstruction& instruction) {
  const layout::Fragments& f = instruction.fragments;
  if (f.b.home == Home::shared_memory && f.d.home == Home::registers && instruction.plan.more.empty()) return "";
  return instruction.name + " is no instruction of a warpgroup: B in shared memory, D in registers.";
}

}  // namespace assay::machine
