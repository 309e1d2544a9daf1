#include "scripts/capture/tiles.hpp"

#include <algorithm>
#include <optional>

#include "scripts/capture/targets.hpp"

namespace assay::capture {
namespace {

using layout::Coordinates;
using layout::Fragment;
using layout::Words;

layout::NamedShape shape_for(const std::string& instruction) {
  std::optional<layout::NamedShape> shape = layout::shape_of(instruction);
  if (!shape) throw Error{"The instruction '" + instruction + "' is none that this program can capture."};
  if (shape->n == 0) shape->n = open_n;
  return *shape;
}

layout::Fragments fragments_for(const layout::NamedShape& shape) {
  const std::optional<layout::Fragments> fragments = layout::fragments_of(shape);
  if (!fragments) throw Error{"The layout of '" + shape.name + "' is not in the tables."};
  return *fragments;
}

std::size_t index_of(const Coordinates& size, const Coordinates& e) {
  return static_cast<std::size_t>((((e.b * size.m + e.m) * size.n + e.n) * size.k + e.k) * size.s + e.s);
}

// Of a sparse A what there is of a row, and what the instruction is told of each: with one element in two, 4 or e in
// hexadecimal, of which PTX says the first or the second; with two in four, its number among them.
struct Halved {
  std::vector<std::uint64_t> elements, indices;
};
Halved halved(const CapturedCase& c, int among) {
  Halved half;
  const auto neighbours = static_cast<std::size_t>(among);
  for (std::size_t i = 0; i < c.a.size(); ++i) {
    if (c.mask[i] == 0) continue;
    half.elements.push_back(c.a[i]);
    const std::size_t place = i % neighbours;
    half.indices.push_back(among == 2 ? (place == 0 ? 0x4 : 0xe) : place);
  }
  return half;
}

}  // namespace

Placed::Placed(const Fragment& fragment) : fragment_(fragment), words_(layout::word_count(fragment)) {
  const int lane_words = fragment.words();
  spots_.resize(static_cast<std::size_t>(fragment.elements()));
  for_each_element(fragment.size, [&](const Coordinates& e) {
    const layout::Location place = place_of(fragment, e);
    spots_[index_of(fragment.size, e)] = {static_cast<std::size_t>(place.lane * lane_words), place.bit};
  });
}

const Placed::Spot& Placed::spot(const Coordinates& e) const { return spots_[index_of(fragment_.size, e)]; }

void Placed::put(Words& words, std::size_t tile, const Coordinates& e, std::uint64_t code) const {
  const Spot& at = spot(e);
  layout::write_bits(&words[tile * words_ + at.word], at.bit, fragment_.bits, code);
}

std::uint64_t Placed::get(const Words& words, std::size_t tile, const Coordinates& e) const {
  const Spot& at = spot(e);
  return layout::read_bits(&words[tile * words_ + at.word], at.bit, fragment_.bits);
}

Tiling::Tiling(const std::string& instruction)
    : Tiling(shape_for(instruction), fragments_for(shape_for(instruction))) {}

Tiling::Tiling(const layout::NamedShape& shape, const layout::Fragments& f)
    : shape_(shape), fragments_(f), ways_(std::min(4, shape.n / 2)), a_(f.a), b_(f.b), c_(f.c), d_(f.d) {
  if (f.scale_a) scale_a_ = Placed(*f.scale_a);
  if (f.scale_b) scale_b_ = Placed(*f.scale_b);
  if (f.indices) indices_ = Placed(*f.indices);
}

std::size_t Tiling::owner(std::size_t tile, int block, int i) const {
  const auto ways = static_cast<std::size_t>(ways_);
  return static_cast<std::size_t>(block) * ways + (static_cast<std::size_t>(i) + tile) % ways;
}

PackedOperands Tiling::pack(const std::vector<CapturedCase>& cases) const {
  PackedOperands out;
  out.tiles = (cases.size() + cases_a_tile() - 1) / cases_a_tile();
  const auto room = [&](const Placed& p) { return Words(out.tiles * p.words()); };
  out.a = room(a_);
  out.b = room(b_);
  out.c = room(c_);
  out.scale_a = room(scale_a_);
  out.scale_b = room(scale_b_);
  out.indices = room(indices_);
  // Positions left over in the last tile hold its last case once more.
  const auto of = [&](std::size_t tile, int block, int i) -> const CapturedCase& {
    return cases[std::min(tile * cases_a_tile() + owner(tile, block, i), cases.size() - 1)];
  };
  for (std::size_t tile = 0; tile < out.tiles; ++tile) {
    if (fragments_.indices) {
      for (int row = 0; row < shape_.m; ++row) put_halved(out, tile, row, of(tile, 0, row));
    } else {
      for_each_element(a_.size(), [&](const Coordinates& e) {
        a_.put(out.a, tile, e, of(tile, e.b, e.m).a[static_cast<std::size_t>(e.k)]);
      });
    }
    for_each_element(b_.size(), [&](const Coordinates& e) {
      b_.put(out.b, tile, e, of(tile, e.b, e.n).b[static_cast<std::size_t>(e.k)]);
    });
    for_each_element(c_.size(), [&](const Coordinates& e) { c_.put(out.c, tile, e, of(tile, e.b, e.m).c); });
    if (shape_.scale.empty()) continue;
    for_each_element(scale_a_.size(), [&](const Coordinates& e) {
      scale_a_.put(out.scale_a, tile, e, of(tile, e.b, e.m).scale_a[static_cast<std::size_t>(e.s)]);
    });
    for_each_element(scale_b_.size(), [&](const Coordinates& e) {
      scale_b_.put(out.scale_b, tile, e, of(tile, e.b, e.n).scale_b[static_cast<std::size_t>(e.s)]);
    });
  }
  return out;
}

void Tiling::put_halved(PackedOperands& out, std::size_t tile, int row, const CapturedCase& c) const {
  const Halved half = halved(c, shape_.among);
  Coordinates e;
  e.m = row;
  for (const std::uint64_t element : half.elements) {
    a_.put(out.a, tile, e, element);
    indices_.put(out.indices, tile, e, half.indices[static_cast<std::size_t>(e.k)]);
    ++e.k;
  }
}

std::vector<std::uint64_t> Tiling::unpack(const Words& d, std::size_t cases) const {
  std::vector<std::optional<std::uint64_t>> found(cases);
  const std::size_t tiles = d.size() / d_.words();
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    for_each_element(d_.size(), [&](const Coordinates& e) {
      const std::size_t in_tile = owner(tile, e.b, e.m);
      const std::size_t index = tile * cases_a_tile() + in_tile;
      if (in_tile != owner(tile, e.b, e.n) || index >= cases) return;
      const std::uint64_t code = d_.get(d, tile, e);
      if (found[index] && *found[index] != code) {
        throw Error{"The same dot product gave another d in row " + std::to_string(e.m) + ", column " +
                    std::to_string(e.n) + " of block " + std::to_string(e.b) +
                    " than at an earlier position of the tile. Either the layout of " + shape_.name +
                    " is another one on this machine, or its result depends on the position; please report it."};
      }
      found[index] = code;
    });
  }
  std::vector<std::uint64_t> codes;
  for (const auto& code : found) codes.push_back(code.value());
  return codes;
}

std::string wrong_mask(const layout::NamedShape& shape, const std::vector<std::uint64_t>& mask) {
  if (shape.among == 0) return "";
  const std::ptrdiff_t among = shape.among;
  bool half = mask.size() == static_cast<std::size_t>(shape.k);
  for (auto at = mask.begin(); half && at != mask.end(); at += among)
    half = std::count(at, at + among, std::uint64_t{1}) == among / 2;
  if (half) return "";
  return "the case needs a mask of " + std::to_string(shape.k) + " elements that takes " + std::to_string(among / 2) +
         " of each " + std::to_string(among) + ".";
}

}  // namespace assay::capture
