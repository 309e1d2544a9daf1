#include "tb/explain/page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tb/explain/numbers.hpp"

namespace assay::explain {
namespace {

constexpr long widest_band = 62;  // columns

std::string body(const BitLine& line, bool with_cut) {
  return (line.negative ? "- " : "+ ") + line.kept +
         (with_cut && !line.cut.empty() ? " | " + folded_runs(line.cut) : "");
}

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
  return piece.folded ? static_cast<long>(folded_run('0', columns).size()) : columns;
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
      text += folded_run(bits_between(x, piece.top, piece.top)[0], piece.top - piece.bottom + 1);
      continue;
    }
    for (long weight = piece.top; weight >= std::max(piece.bottom, to); --weight) {
      text += weight > from ? " " : bits_between(x, weight, weight);
      if (weight == point_ && weight > bottom_) text += weight > to ? "." : "";
    }
  }
  return text;
}

void Page::heading(const std::string& name) {
  line("\n" + name);
  in_block_ = true;
}

void Page::entry(const std::string& name, const std::string& words) {
  if (in_block_) line("");
  in_block_ = false;
  row(name, words);
}

void Page::row(const std::string& name, const std::string& words) {
  std::string current = fmt::format("{:<{}}", name, std::max(name_width, name.size() + 2));
  const std::string indent(std::min(current.size(), columns / 2), ' ');
  std::string rest = words;
  while (current.size() + rest.size() > columns) {
    const std::size_t room = columns - current.size(), space = rest.rfind(' ', room);
    const bool one_word = space == std::string::npos || space == 0;  // too long for any line: broken where it must be
    line(current + rest.substr(0, one_word ? room : rest.find_last_not_of(' ', space) + 1));
    rest = rest.substr(one_word ? room : space + 1);
    current = indent;
  }
  line(current + rest);
}

void Page::bits(const std::vector<BitLine>& lines) {
  std::size_t longest_note = 0, width = 0;
  for (const BitLine& one : lines) longest_note = std::max(longest_note, one.kept.empty() ? 0 : one.note.size());
  const auto fits = [&](const BitLine& one) {
    return name_width + body(one, true).size() + 3 + longest_note <= columns;
  };
  for (const BitLine& one : lines) width = std::max(width, body(one, fits(one)).size());
  for (const BitLine& one : lines) {
    if (one.kept.empty()) {
      row(one.name, one.note);
      continue;
    }
    const std::string text =
        fmt::format("{:<{}}{:<{}}   {}", one.name, name_width, body(one, fits(one)), width, one.note);
    line(text.substr(0, text.find_last_not_of(' ') + 1));
    if (fits(one)) continue;
    const std::size_t step = columns - name_width - 8;
    const std::string cut = folded_runs(one.cut);
    for (std::size_t i = 0; i < cut.size(); i += step)
      line(fmt::format("{:<{}}{:<4}| {}", "", name_width, i == 0 ? "cut" : "", cut.substr(i, step)));
  }
}

}  // namespace assay::explain
