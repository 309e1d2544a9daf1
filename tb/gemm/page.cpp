#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/base/xml.hpp"
#include "tb/gemm/comparison.hpp"
#include "tb/generate/levels.hpp"
#include "tb/picture/svg.hpp"

namespace assay::gemm {
namespace {

constexpr int cell = 9;  // pixels of a tile

constexpr std::string_view head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>One product, several units</title>
<style>
:root { color-scheme: light dark; --ink: light-dark(#1b1f24, #e6e9ed); --paper: light-dark(#fff, #15181c);
        --rule: light-dark(#d5d9de, #3a424c); --hot: light-dark(#00447c, #8cc8ff); }
body { margin: 0 auto; padding: 0 1rem 3rem; max-width: 72rem; background: var(--paper); color: var(--ink);
       font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; overflow-wrap: anywhere; }
.box { overflow: auto; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15rem 0.7rem; text-align: right; border-bottom: 1px solid var(--rule); white-space: nowrap; }
.word { text-align: left; }
.maps { display: flex; flex-wrap: wrap; gap: 1.5rem; }
figure { margin: 0; max-width: 100%; }
svg { max-width: 100%; height: auto; border: 1px solid var(--rule); }
rect { fill: var(--hot); }
code { overflow-wrap: anywhere; }
@media print { :root { color-scheme: light; } }
</style>
</head>
<body>
)";

std::string cell_text(const std::string& text) { return "<td>" + xml_text(text) + "</td>"; }
std::string word_cell(const std::string& text) { return "<td class=\"word\">" + xml_text(text) + "</td>"; }

std::string sides_html(const GemmComparison& found) {
  std::string rows;
  for (std::size_t i = 0; i < found.sides.size(); ++i) {
    const GemmSide& side = found.sides[i];
    rows += fmt::format("<tr><td>{}</td>{}{}{}</tr>\n", i + 1, word_cell(side.name), word_cell(side.datapath),
                        word_cell(side.path));
  }
  return "<div class=\"box\"><table><thead><tr><th></th><th class=\"word\">instruction</th><th class=\"word\">datapath"
         "</th><th class=\"word\">path</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n";
}

std::string pairs_html(const GemmComparison& found) {
  std::string rows;
  for (const Pair& pair : found.pairs) {
    const Difference& d = pair.difference;
    rows += fmt::format(
        "<tr><td>{} and {}</td>{}{}{}{}{}{}</tr>\n", pair.one + 1, pair.other + 1, cell_text(grouped(d.differ)),
        cell_text(fmt::format("{:.2f} %", 100.0 * static_cast<double>(d.differ) / static_cast<double>(d.elements))),
        cell_text(fmt::format("{:.4g}", d.mean)), cell_text(grouped(d.greatest)),
        cell_text(fmt::format("[{}, {}]", d.row, d.column)), cell_text(grouped(d.nan_in_one)));
  }
  return "<div class=\"box\"><table><thead><tr><th>pair</th><th>differ</th><th>share</th><th>mean "
         "ulps</th><th>greatest "
         "ulps</th><th>at</th><th>one NaN</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n";
}

// `strength` of a tile from 0 to 1.
template <class Strength>
std::string map_svg(const HeatMap& map, const std::string& label, Strength strength) {
  std::string cells;
  for (int i = 0; i < map.rows * map.columns; ++i) {
    const HeatTile& tile = map.tiles[static_cast<std::size_t>(i)];
    if (tile.differ == 0) continue;
    const int row = i / map.columns, column = i % map.columns;
    cells += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill-opacity=\"{:.2f}\"><title>from [{}, {}]: {} of {} "
        "differ, by {} ulps at most</title></rect>\n",
        column * cell, row * cell, cell, cell, 0.15 + 0.85 * strength(tile), row * map.height, column * map.width,
        tile.differ, tile.elements, grouped(tile.greatest));
  }
  return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n",
                     svg_picture(map.columns * cell, map.rows * cell, label, "", cells), label);
}

std::string pair_html(const GemmComparison& found, const Pair& pair) {
  std::string html =
      fmt::format("<h2>{} and {}</h2>\n", xml_text(found.sides[pair.one].name), xml_text(found.sides[pair.other].name));
  if (pair.difference.differ == 0) return html + "<p>They agree on every element.</p>\n";
  const HeatMap& map = pair.fine;
  const double most = std::log2(1.0 + static_cast<double>(pair.difference.greatest));
  html += fmt::format("<p>A square stands for {} x {} elements; empty ones agree.</p>\n<div class=\"maps\">\n",
                      map.height, map.width);
  html += map_svg(map, "share that differs: the strongest, all",
                  [](const HeatTile& tile) { return static_cast<double>(tile.differ) / tile.elements; });
  html += map_svg(
      map,
      fmt::format("greatest difference: the strongest, {} ulps, by factors of two", grouped(pair.difference.greatest)),
      [&](const HeatTile& tile) {
        return most > 0 ? std::log2(1.0 + static_cast<double>(tile.greatest)) / most : 0.0;
      });
  html += "</div>\n";
  if (pair.smallest) {
    html += fmt::format(
        "<p>The smallest input found on which they disagree has {} that {} not zero:<br><code>{}</code></p>\n",
        pair.smallest->terms == 1 ? "one term" : fmt::format("{} terms", pair.smallest->terms),
        pair.smallest->terms == 1 ? "is" : "are", xml_text(pair.smallest->command));
  }
  return html;
}

}  // namespace

std::string as_page(const GemmComparison& found) {
  std::string html(head);
  html += "<h1>One product, several units</h1>\n";
  html += fmt::format("<p>D = A x B + C, {} x {} x {}, {}; {}.</p>\n", found.m, found.n, found.k, xml_text(found.types),
                      xml_text(found.operands));
  if (!found.warning.empty()) html += "<p>" + xml_text(found.warning) + "</p>\n";
  html += sides_html(found) + "<h2>How much they differ</h2>\n" + pairs_html(found);
  for (const Pair& pair : found.pairs) html += pair_html(found, pair);
  return html + "</body>\n</html>\n";
}

}  // namespace assay::gemm
