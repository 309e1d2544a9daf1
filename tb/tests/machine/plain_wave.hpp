// A wave as the manuals describe it, element by element: where elements stand by the manuals' formulas
// (tb/tests/layout/documented.hpp), the modifiers by what AMD's article says of each, as copies of registers, and one
// dot product of core for each element of D.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "model/core/dot.hpp"
#include "model/machine/wave_unit.hpp"
#include "tb/tests/layout/documented.hpp"

namespace assay::machine::testing {

// Registers by lane, then number.
using LaneWords = std::vector<std::vector<std::uint32_t>>;

struct PlainOperands {
  LaneWords a, b, c, scale_a, scale_b;
};

inline std::uint64_t plain_get(const LaneWords& words, const layout::Fragment& f, const layout::Documented& at) {
  std::uint64_t code = 0;
  for (int i = 0; i < f.bits; ++i) {
    const int bit = layout::documented_bit(f, at) + i;
    const std::uint64_t one =
        words[static_cast<std::size_t>(at.lane)][static_cast<std::size_t>(bit / 32)] >> (bit % 32) & 1;
    code |= one << i;
  }
  return code;
}

inline void plain_put(LaneWords& words, const layout::Fragment& f, const layout::Documented& at, std::uint64_t code) {
  for (int i = 0; i < f.bits; ++i) {
    const int bit = layout::documented_bit(f, at) + i;
    std::uint32_t& word = words[static_cast<std::size_t>(at.lane)][static_cast<std::size_t>(bit / 32)];
    word = (word & ~(1U << (bit % 32))) | static_cast<std::uint32_t>(code >> i & 1) << (bit % 32);
  }
}

// "blgp=1: the data of lanes 0-31 are also broadcast to lanes 32-63", and so on: each as copies between lanes.
inline LaneWords with_lane_pattern(const LaneWords& b, int blgp) {
  LaneWords after = b;
  const auto broadcast = [&](std::size_t first, std::size_t count) {
    for (std::size_t lane = first; lane < first + count; ++lane) {
      for (std::size_t to = lane % count; to < 64; to += count) after[to] = b[lane];
    }
  };
  switch (blgp) {
    case 1: broadcast(0, 32); break;
    case 2: broadcast(32, 32); break;
    case 3:
      for (std::size_t lane = 0; lane < 64; ++lane) after[lane < 16 ? lane + 48 : lane - 16] = b[lane];
      break;
    case 4: broadcast(0, 16); break;
    case 5: broadcast(16, 16); break;
    case 6: broadcast(32, 16); break;
    case 7: broadcast(48, 16); break;
    default: break;
  }
  return after;
}

// D's registers, which were `d`.
inline LaneWords plain_execute(const WaveInstruction& w, const layout::Modifiers& m, const PlainOperands& x,
                               LaneWords d) {
  const layout::DocumentedOperands manual = documented(w.shape, w.fragments);
  const layout::Fragments& f = w.fragments;
  const bool negates = f.a.bits == 64 && f.a.lanes == 64;
  const LaneWords b_words = negates ? x.b : with_lane_pattern(x.b, m.blgp);
  using Key = std::tuple<int, int, int>;  // block, row or column, k
  std::map<Key, Code> a, b, scale_a, scale_b;
  const auto sign = [&](int bit) { return negates && (m.blgp >> bit & 1) != 0 ? Code{1} << 63 : Code{0}; };
  for (const auto& at : manual.a) a[{at.element.b, at.element.m, at.element.k}] = plain_get(x.a, f.a, at) ^ sign(0);
  for (const auto& at : manual.b) b[{at.element.b, at.element.n, at.element.k}] = plain_get(b_words, f.b, at) ^ sign(1);
  for (const auto& at : manual.scale_a) scale_a[{0, at.element.m, at.element.s}] = plain_get(x.scale_a, *f.scale_a, at);
  for (const auto& at : manual.scale_b) scale_b[{0, at.element.n, at.element.s}] = plain_get(x.scale_b, *f.scale_b, at);

  // Groups of 2^cbsz blocks: block abid of each group is broadcast to the others.
  const int together = 1 << m.cbsz;
  std::map<Key, Code> fed = a;
  for (const auto& [key, code] : a) {
    const auto& [block, row, k] = key;
    if (block % together != m.abid) continue;
    for (int to = block - m.abid; to < block - m.abid + together; ++to) fed[{to, row, k}] = code;
  }

  Registers registers;
  for (std::size_t i = 0; i < manual.d.size(); ++i) {
    const layout::Coordinates& e = manual.d[i].element;
    std::vector<Code> row, column, row_scales, column_scales;
    for (int k = 0; k < w.shape.k; ++k) {
      row.push_back(fed.at({e.b, e.m, k}));
      column.push_back(b.at({e.b, e.n, k}));
    }
    for (int s = 0; s < w.plan.scales; ++s) {
      row_scales.push_back(scale_a.at({0, e.m, s}));
      column_scales.push_back(scale_b.at({0, e.n, s}));
    }
    const auto c = std::find_if(manual.c.begin(), manual.c.end(), [&](const layout::Documented& at) {
      return at.element.b == e.b && at.element.m == e.m && at.element.n == e.n;
    });
    const Code code = dot(
        w.plan, {row.data(), column.data(), plain_get(x.c, f.c, *c) ^ sign(2), row_scales.data(), column_scales.data()},
        registers);
    plain_put(d, f.d, manual.d[i], code);
  }
  return d;
}

}  // namespace assay::machine::testing
