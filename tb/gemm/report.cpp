#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tb/gemm/comparison.hpp"
#include "tb/generate/levels.hpp"

namespace assay::gemm {
namespace {

// The greatest difference of a tile: below 4 ulps, 16, 64, .. A space where there is none, "@" for a NaN on one side
// too.
constexpr std::string_view shades = ".:-=+*#%@";
constexpr std::size_t page_columns = 100, gap = 3;

char shade(const HeatTile& tile) {
  if (tile.differ == 0) return ' ';
  std::size_t i = tile.nan_in_one ? shades.size() - 1 : 0;
  for (std::uint64_t beyond = 4; i + 1 < shades.size() && tile.greatest >= beyond; beyond *= 4) ++i;
  return shades[i];
}

std::string sides_table(const GemmComparison& found) {
  std::size_t name = 11, datapath = 8;
  for (const GemmSide& side : found.sides) {
    name = std::max(name, side.name.size());
    datapath = std::max(datapath, side.datapath.size());
  }
  std::string text = fmt::format("      {:<{}}  {:<{}}  path\n", "instruction", name, "datapath", datapath);
  for (std::size_t i = 0; i < found.sides.size(); ++i) {
    const GemmSide& side = found.sides[i];
    text += fmt::format("{:>4}  {:<{}}  {:<{}}  {}\n", i + 1, side.name, name, side.datapath, datapath, side.path);
  }
  return text;
}

std::string pair_name(const Pair& pair) { return fmt::format("{:>4} {:>3}", pair.one + 1, pair.other + 1); }

std::string pairs_table(const GemmComparison& found) {
  std::string text = fmt::format("{:>8}  {:>12}  {:>8}  {:>10}  {:>14}  {:<16}  {:>8}  {:>5}\n", "pair", "differ",
                                 "share", "mean ulps", "greatest ulps", "at", "one NaN", "terms");
  for (const Pair& pair : found.pairs) {
    const Difference& d = pair.difference;
    const bool has_distance = d.differ > d.nan_in_one;
    text += fmt::format("{}  {:>12}  {:>6.2f} %  {:>10}  {:>14}  {:<16}  {:>8}  {:>5}\n", pair_name(pair),
                        grouped(d.differ), 100.0 * static_cast<double>(d.differ) / static_cast<double>(d.elements),
                        has_distance ? fmt::format("{:.4g}", d.mean) : "-", has_distance ? grouped(d.greatest) : "-",
                        has_distance ? fmt::format("[{}, {}]", d.row, d.column) : "-", grouped(d.nan_in_one),
                        pair.smallest ? fmt::format("{}", pair.smallest->terms) : "-");
  }
  return text;
}

// The maps of those that differ from the first, as many side by side as fit.
std::string maps(const GemmComparison& found) {
  std::vector<const Pair*> shown;
  for (const Pair& pair : found.pairs) {
    if (pair.one == 0 && pair.difference.differ > 0) shown.push_back(&pair);
  }
  if (shown.empty()) return "";
  const HeatMap& size = shown.front()->coarse;
  const auto width = static_cast<std::size_t>(size.columns) + 2 + gap;
  const std::size_t abreast = std::max<std::size_t>(1, (page_columns - 1) / width);
  std::string text = fmt::format(
      "\nWhere they differ from 1, a character for {} x {} elements, by the greatest difference in ulps:\n"
      " . below 4   : 16   - 64   = 256   + 1,024   * 4,096   # 16,384   % 65,536   @ more, or one NaN\n",
      size.height, size.width);
  for (std::size_t from = 0; from < shown.size(); from += abreast) {
    const std::size_t end = std::min(shown.size(), from + abreast);
    std::string head = "\n";
    for (std::size_t i = from; i < end; ++i)
      head += fmt::format("{:<{}}", fmt::format("  {}", shown[i]->other + 1), width);
    text += head.substr(0, head.find_last_not_of(' ') + 1) + "\n";
    for (int row = 0; row < size.rows; ++row) {
      std::string line;
      for (std::size_t i = from; i < end; ++i) {
        const HeatMap& map = shown[i]->coarse;
        line += "  |";
        for (int column = 0; column < map.columns; ++column)
          line += shade(map.tiles[static_cast<std::size_t>(row * map.columns + column)]);
        line += "| ";
      }
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
  }
  return text;
}

// Pairs with an input that tells them apart, the fewest terms first.
std::vector<const Pair*> by_terms(const GemmComparison& found) {
  std::vector<const Pair*> all;
  for (const Pair& pair : found.pairs) {
    if (pair.smallest) all.push_back(&pair);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Pair* x, const Pair* y) { return x->smallest->terms < y->smallest->terms; });
  return all;
}

std::string terms_text(int terms) { return fmt::format("{} {}", terms, terms == 1 ? "term" : "terms"); }

std::string smallest_text(const GemmComparison& found) {
  std::string text;
  for (const Pair* pair : by_terms(found)) {
    text += fmt::format("{}   {}\n           {}\n", pair_name(*pair), terms_text(pair->smallest->terms),
                        pair->smallest->command);
  }
  return text.empty() ? "" : "\nThe smallest inputs found on which they disagree, in terms that are not zero:\n" + text;
}

}  // namespace

std::string as_text(const GemmComparison& found) {
  std::string text =
      fmt::format("D = A x B + C, {} x {} x {}, {}; {}.\n\n", found.m, found.n, found.k, found.types, found.operands);
  text += sides_table(found) + "\n" + pairs_table(found) + maps(found) + smallest_text(found);
  if (!found.warning.empty()) text += "\n" + found.warning + "\n";
  const std::uint64_t elements = found.pairs.front().difference.elements;
  if (found.all_agree()) text += fmt::format("\nAll agree on all {} elements.\n", grouped(elements));
  return text;
}

nlohmann::json as_json(const GemmComparison& found) {
  nlohmann::json sides = nlohmann::json::array(), pairs = nlohmann::json::array();
  for (const GemmSide& side : found.sides)
    sides.push_back({{"instruction", side.name}, {"datapath", side.datapath}, {"path", side.path}});
  for (const Pair& pair : found.pairs) {
    const Difference& d = pair.difference;
    nlohmann::json j{{"one", found.sides[pair.one].name},
                     {"other", found.sides[pair.other].name},
                     {"elements", d.elements},
                     {"differ", d.differ},
                     {"one_nan", d.nan_in_one},
                     {"mean_ulps", d.mean},
                     {"greatest_ulps", d.greatest},
                     {"at", {d.row, d.column}}};
    if (pair.smallest) j["smallest"] = {{"terms", pair.smallest->terms}, {"command", pair.smallest->command}};
    pairs.push_back(j);
  }
  return {{"m", found.m},   {"n", found.n},  {"k", found.k}, {"types", found.types}, {"operands", found.operands},
          {"sides", sides}, {"pairs", pairs}};
}

}  // namespace assay::gemm
