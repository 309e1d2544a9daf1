#include "model/machine/wave_unit.hpp"

#include <utility>

namespace assay::machine {
namespace {

using layout::Coordinates;
using layout::Feeds;
using layout::Fragment;
using layout::Home;
using layout::Location;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

std::vector<Location> places_of(const Fragment& fragment) {
  std::vector<Location> places;
  layout::for_each_element(fragment.size, [&](const Coordinates& e) { places.push_back(place_of(fragment, e)); });
  return places;
}

std::vector<Location> places_of(const std::optional<Fragment>& fragment) {
  return fragment ? places_of(*fragment) : std::vector<Location>{};
}

Code code_at(const Registers32& from, const Location& place, int bits) {
  return layout::read_bits(from.of(place.lane), place.bit, bits);
}

std::vector<Code> gathered(const Registers32& from, const std::vector<Location>& places, int bits) {
  std::vector<Code> codes(places.size());
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = code_at(from, places[i], bits);
  return codes;
}

void turn_signs(std::vector<Code>& codes, int bits) {
  for (Code& code : codes) code ^= Code{1} << (bits - 1);
}

}  // namespace

WaveUnit::WaveUnit(WaveInstruction instruction)
    : instruction_(std::move(instruction)),
      kernel_(instruction_.plan),
      a_(places_of(instruction_.fragments.a)),
      b_(places_of(instruction_.fragments.b)),
      c_(places_of(instruction_.fragments.c)),
      d_(places_of(instruction_.fragments.d)),
      scale_a_(places_of(instruction_.fragments.scale_a)),
      scale_b_(places_of(instruction_.fragments.scale_b)) {}

std::vector<Code> WaveUnit::codes_of_a(const Registers32& from, const Feeds& feeds) const {
  const int bits = instruction_.fragments.a.bits;
  const std::size_t blocks = index(instruction_.shape.blocks), elements = a_.size() / blocks;
  std::vector<Code> codes(a_.size());
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t source = index(feeds.block_of_a(static_cast<int>(b))) * elements;
    for (std::size_t i = 0; i < elements; ++i) codes[b * elements + i] = code_at(from, a_[source + i], bits);
  }
  if (feeds.negates(0)) turn_signs(codes, bits);
  return codes;
}

std::vector<Code> WaveUnit::codes_of_b(const Registers32& from, const Feeds& feeds) const {
  const int bits = instruction_.fragments.b.bits;
  std::vector<Code> codes(b_.size());
  for (std::size_t i = 0; i < codes.size(); ++i)
    codes[i] = code_at(from, {feeds.lane_of_b(b_[i].lane), b_[i].bit}, bits);
  if (feeds.negates(1)) turn_signs(codes, bits);
  return codes;
}

std::vector<Code> WaveUnit::codes_of_c(const Registers32& from, const Feeds& feeds) const {
  const int bits = instruction_.fragments.c.bits;
  std::vector<Code> codes = from.first == nullptr ? std::vector<Code>(c_.size()) : gathered(from, c_, bits);
  if (feeds.negates(2)) turn_signs(codes, bits);
  return codes;
}

void WaveUnit::execute(const WaveOperands& operands, const layout::Modifiers& modifiers,
                       const ProductListener& listener) const {
  const layout::NamedShape& s = instruction_.shape;
  const Feeds feeds{instruction_.modifiers, modifiers};
  const std::vector<Code> a = codes_of_a(operands.a, feeds), b = codes_of_b(operands.b, feeds),
                          c = codes_of_c(operands.c, feeds), scale_a = gathered(operands.scale_a, scale_a_, 8),
                          scale_b = gathered(operands.scale_b, scale_b_, 8);
  std::vector<Code> d(d_.size());
  const int scales = instruction_.plan.scales;
  for (int block = 0; block < s.blocks; ++block) {
    Gemm gemm;
    gemm.m = s.m;
    gemm.n = s.n;
    gemm.k = s.k;
    gemm.a = row_major(a.data() + block * s.m * s.k, s.k);
    gemm.b = transposed(row_major(b.data() + block * s.n * s.k, s.k));
    gemm.c = row_major(c.data() + block * s.m * s.n, s.n);
    gemm.d = row_major(d.data() + block * s.m * s.n, s.n);
    gemm.scale_a = row_major(scale_a.data(), scales);
    gemm.scale_b = transposed(row_major(scale_b.data(), scales));
    if (listener) listener({instruction_.plan, gemm, block, 0, 0});
    kernel_.gemm(gemm);
  }
  const int bits = instruction_.fragments.d.bits;
  for (std::size_t i = 0; i < d.size(); ++i) layout::write_bits(operands.d.of(d_[i].lane), d_[i].bit, bits, d[i]);
}

std::string why_no_wave(const WaveInstruction& instruction) {
  const layout::Fragments& f = instruction.fragments;
  for (const Fragment* fragment : {&f.a, &f.b, &f.c, &f.d}) {
    if (fragment->home != Home::registers || fragment->lanes != f.a.lanes)
      return instruction.name + " takes operands from memory, and a wave has registers alone.";
  }
  if (!instruction.plan.more.empty())
    return instruction.name + " takes operands beside A, B, C and their scales, which have no place in registers here.";
  return "";
}

}  // namespace assay::machine
