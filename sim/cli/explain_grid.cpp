#include "sim/cli/explain_grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cli/explain_sums.hpp"

namespace assay {
namespace {

constexpr long widest_band = 62;  // columns
constexpr long least_fold = 12;   // zeros that are worth folding

std::string zeros_text(long count) { return fmt::format("..{}..", count); }

}  // namespace

void BitGrid::fold(const std::vector<exact::Dyadic>& numbers) {
  bands_.assign(1, {});
  if (top_ - bottom_ + 1 <= widest_band) {
    bands_[0].push_back({top_, bottom_, false});
    return;
  }
  std::string any(static_cast<std::size_t>(top_ - bottom_ + 1), '0');
  for (const exact::Dyadic& x : numbers) {
    const std::string bits = bits_between(x, top_, bottom_);
    for (std::size_t i = 0; i < bits.size(); ++i) {
      if (bits[i] == '1') any[i] = '1';
    }
  }
  for (std::size_t i = 0; i < any.size();) {
    const std::size_t end = std::min(any.find(any[i] == '0' ? '1' : '0', i), any.size());
    const long top = top_ - static_cast<long>(i), bottom = top_ - static_cast<long>(end) + 1;
    append({top, bottom, any[i] == '0' && top - bottom + 1 >= least_fold});
    i = end;
  }
}

// A run of bits that does not fit goes on in the next band.
void BitGrid::append(Piece piece) {
  folded_ = folded_ || piece.zeros;
  long used = 0;
  for (const Piece& before : bands_.back()) used += width(before);
  const long room = widest_band - used;
  if (width(piece) <= room) {
    bands_.back().push_back(piece);
    return;
  }
  if (!piece.zeros && room > 0) {
    bands_.back().push_back({piece.top, piece.top - room + 1, false});
    piece.top -= room;
  }
  bands_.emplace_back();
  append(piece);
}

long BitGrid::width(const Piece& piece) {
  const long columns = piece.top - piece.bottom + 1;
  return piece.zeros ? static_cast<long>(zeros_text(columns).size()) : columns;
}

std::string BitGrid::band_name(std::size_t band) const {
  return fmt::format("bits 2^{} to 2^{}", bands_[band].front().top, bands_[band].back().bottom);
}

bool BitGrid::has_ones(const exact::Dyadic& x, std::size_t band) const {
  return bits_between(x, bands_[band].front().top, bands_[band].back().bottom).find('1') != std::string::npos;
}

std::string BitGrid::row(const exact::Dyadic& x, std::size_t band, long from, long to) const {
  std::string text;
  for (const Piece& piece : bands_[band]) {
    if (piece.zeros) {
      text += zeros_text(piece.top - piece.bottom + 1);
      continue;
    }
    for (long weight = piece.top; weight >= std::max(piece.bottom, to); --weight) {
      text += weight > from ? " " : bits_between(x, weight, weight);
      if (weight == point_ && weight > bottom_) text += weight > to ? "." : "";
    }
  }
  return text;
}

}  // namespace assay
