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
  // Positions left over in the last tile hold its last case once more.
  const auto of = [&](std::size_t tile, int block, int i) -> const CapturedCase& {
    return cases[std::min(tile * cases_a_tile() + owner(tile, block, i), cases.size() - 1)];
  };
  for (std::size_t tile = 0; tile < out.tiles; ++tile) {
    for_each_element(a_.size(), [&](const Coordinates& e) {
      a_.put(out.a, tile, e, of(tile, e.b, e.m).a[static_cast<std::size_t>(e.k)]);
    });
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

}  // namespace assay::capture
