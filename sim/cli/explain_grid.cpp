#include "sim/cli/explain_grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cli/explain_sums.hpp"

namespace assay {
namespace {

constexpr long widest_band = 62;  // columns
constexpr long least_fold = 13;   // equal columns that are worth folding

std::string repeated(char bit, long count) { return fmt::format("[{} x {}]", bit, count); }

}  // namespace

void BitGrid::fold(const std::vector<exact::Dyadic>& numbers) {
  bands_.assign(1, {});
  if (top_ - bottom_ + 1 <= widest_band) {
    bands_[0].push_back({top_, bottom_, false});
    return;
  }
  std::vector<std::string> rows;
  for (const exact::Dyadic& x : numbers) rows.push_back(bits_between(x, top_, bottom_));
  const auto count = static_cast<std::size_t>(top_ - bottom_ + 1);
  const auto like_before = [&](std::size_t column) {
    return std::all_of(rows.begin(), rows.end(),
                       [&](const std::string& row) { return row[column] == row[column - 1]; });
  };
  for (std::size_t i = 0; i < count;) {
    std::size_t end = i + 1;
    while (end < count && like_before(end)) ++end;
    const auto columns = static_cast<long>(end - i);
    append({top_ - static_cast<long>(i), top_ - static_cast<long>(end) + 1, columns >= least_fold});
    i = end;
  }
}

std::string folded_runs(const std::string& text) {
  std::string folded;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of(text[i], i), text.size());
    const auto count = static_cast<long>(end - i);
    folded += count >= least_fold ? repeated(text[i], count) : text.substr(i, end - i);
    i = end;
  }
  return folded;
}

// A run of bits that does not fit goes on in the next band.
void BitGrid::append(Piece piece) {
  folded_ = folded_ || piece.folded;
  long used = 0;
  for (const Piece& before : bands_.back()) used += width(before);
  const long room = widest_band - used;
  if (width(piece) <= room) {
    bands_.back().push_back(piece);
    return;
  }
  if (!piece.folded && room > 0) {
    bands_.back().push_back({piece.top, piece.top - room + 1, false});
    piece.top -= room;
  }
  bands_.emplace_back();
  append(piece);
}

long BitGrid::width(const Piece& piece) {
  const long columns = piece.top - piece.bottom + 1;
  return piece.folded ? static_cast<long>(repeated('0', columns).size()) : columns;
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
    if (piece.folded) {
      text += repeated(bits_between(x, piece.top, piece.top)[0], piece.top - piece.bottom + 1);
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
