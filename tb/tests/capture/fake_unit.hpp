// Stands for a GPU: takes the registers apart by the manuals' formulas (documented.hpp, not the tables), computes each
// element of D in integers of its own, and puts it where the manual has it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scripts/capture/unit.hpp"
#include "tb/tests/layout/documented.hpp"

namespace assay::capture {

// Of codes that hold small integers as they stand: the sum of a * b, times the two scales of its block, plus c; as many
// bits as d has. A layout error shows as another number, since no rounding can hide it. What computes an element may be
// another.
class FakeUnit : public Unit {
 public:
  std::string device() const override { return "fake"; }
  std::string driver() const override { return "none"; }
  std::string toolkit() const override { return "nvcc 1.0"; }
  std::string machine(const std::string& instruction) const override { return "machine of " + instruction; }

  layout::Words execute(const Tiling& tiling, const PackedOperands& in) override {
    const layout::Fragments& f = tiling.fragments();
    const layout::DocumentedOperands manual = layout::documented(tiling.shape(), f);
    layout::Words d(in.tiles * layout::word_count(f.d));
    for (std::size_t tile = 0; tile < in.tiles; ++tile) {
      const Matrix a(manual.a, f.a, in.a, tile), b(manual.b, f.b, in.b, tile), c(manual.c, f.c, in.c, tile);
      Matrix scale_a, scale_b, indices;
      if (f.scale_a) {
        scale_a = Matrix(manual.scale_a, *f.scale_a, in.scale_a, tile);
        scale_b = Matrix(manual.scale_b, *f.scale_b, in.scale_b, tile);
      }
      if (f.indices) indices = Matrix(manual.indices, *f.indices, in.indices, tile);
      CapturedCase of;
      of.a.resize(static_cast<std::size_t>(tiling.shape().k));
      of.b.resize(of.a.size());
      of.scale_a.resize(f.scale_a ? static_cast<std::size_t>(f.scale_a->size.s) : 0);
      of.scale_b.resize(of.scale_a.size());
      for (const layout::Documented& out : manual.d) {
        const layout::Coordinates& e = out.element;
        of.c = c.at({e.m, e.n, 0, e.b, 0});
        std::fill(of.a.begin(), of.a.end(), 0);
        for (int k = 0; k < f.a.size.k; ++k) {
          const layout::Coordinates from{e.m, 0, k, e.b, 0};
          of.a[f.indices ? place_of(k, indices.at(from), tiling.shape().among) : static_cast<std::size_t>(k)] =
              a.at(from);
        }
        for (int k = 0; k < tiling.shape().k; ++k) of.b[static_cast<std::size_t>(k)] = b.at({0, e.n, k, e.b, 0});
        for (int s = 0; f.scale_a && s < f.scale_a->size.s; ++s) {
          of.scale_a[static_cast<std::size_t>(s)] = scale_a.at({e.m, 0, 0, e.b, s});
          of.scale_b[static_cast<std::size_t>(s)] = scale_b.at({0, e.n, 0, e.b, s});
        }
        write(d, f.d, tile, out, element(of, e));
      }
    }
    ++launches;
    return d;
  }

  int launches = 0;

 protected:
  // d of the dot product at `place`.
  virtual std::uint64_t element(const CapturedCase& of, const layout::Coordinates& /*place*/) {
    std::uint64_t sum = of.c;
    for (std::size_t k = 0; k < of.a.size(); ++k) {
      std::uint64_t product = of.a[k] * of.b[k];
      if (!of.scale_a.empty()) {
        const std::size_t block = k * of.scale_a.size() / of.a.size();
        product *= of.scale_a[block] * of.scale_b[block];
      }
      sum += product;
    }
    return sum;
  }

 private:
  // The elements of one operand of one tile.
  class Matrix {
   public:
    Matrix() = default;
    Matrix(const std::vector<layout::Documented>& manual, const layout::Fragment& f, const layout::Words& words,
           std::size_t tile)
        : size_(f.size), codes_(static_cast<std::size_t>(f.elements())) {
      for (const layout::Documented& said : manual) codes_[index(said.element)] = read(words, f, tile, said);
    }
    std::uint64_t at(const layout::Coordinates& e) const { return codes_[index(e)]; }

   private:
    std::size_t index(const layout::Coordinates& e) const {
      return static_cast<std::size_t>((((e.b * size_.m + e.m) * size_.n + e.n) * size_.k + e.k) * size_.s + e.s);
    }

    layout::Coordinates size_;
    std::vector<std::uint64_t> codes_;
  };

  // Which of all elements of a row the k-th that is there is. PTX of one in two: "0b1110 and 0b0100 are the only
  // meaningful values"; of two in four, "the index of the position in the 4-wide chunk".
  static std::size_t place_of(int k, std::uint64_t index, int among) {
    if (among == 2) return 2 * static_cast<std::size_t>(k) + (index == 0b1110 ? 1 : 0);
    return 4 * static_cast<std::size_t>(k / 2) + static_cast<std::size_t>(index);
  }

  static std::size_t first_bit(const layout::Fragment& f, std::size_t tile, const layout::Documented& said) {
    const std::size_t lane = tile * static_cast<std::size_t>(f.lanes) + static_cast<std::size_t>(said.lane);
    return 32 * lane * static_cast<std::size_t>(f.words()) + static_cast<std::size_t>(layout::documented_bit(f, said));
  }

  static std::uint64_t read(const layout::Words& words, const layout::Fragment& f, std::size_t tile,
                            const layout::Documented& said) {
    const std::size_t first = first_bit(f, tile, said);
    std::uint64_t code = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(f.bits); ++i) {
      const std::size_t bit = first + i;
      code |= static_cast<std::uint64_t>(words[bit / 32] >> (bit % 32) & 1) << i;
    }
    return code;
  }

  static void write(layout::Words& words, const layout::Fragment& f, std::size_t tile, const layout::Documented& said,
                    std::uint64_t code) {
    const std::size_t first = first_bit(f, tile, said);
    for (std::size_t i = 0; i < static_cast<std::size_t>(f.bits); ++i) {
      const std::size_t bit = first + i;
      words[bit / 32] |= static_cast<std::uint32_t>(code >> i & 1) << (bit % 32);
    }
  }
};

}  // namespace assay::capture
