#include "tb/browser/datapath_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "model/base/xml.hpp"
#include "model/config/describe.hpp"
#include "tb/picture/svg.hpp"

namespace assay::browser {
namespace {

// In pixels.
constexpr double width = 760, bars = 180, line_height = 18, margin = 12, indent_step = 14, pad = 6, gap = 16;
constexpr double name_width = 96;
constexpr std::size_t columns = 88;  // of a line of text in a box

// A stage, and those within it.
struct DrawnStage {
  std::string stage, key;
  std::vector<std::string> lines;
  std::vector<DrawnStage> within;
  bool leads_on = false;  // an arrow goes from it to the next one
};

std::vector<std::string> wrapped(const std::string& text) {
  std::vector<std::string> lines{""};
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(' ', from), text.size());
    const std::string word = text.substr(from, end - from);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > columns) lines.emplace_back("  ");
    lines.back() += (lines.back().empty() || lines.back() == "  " ? "" : " ") + word;
    from = end + 1;
  }
  return lines;
}

void append(std::vector<std::string>& lines, const std::string& text) {
  for (std::string& line : wrapped(text)) lines.push_back(std::move(line));
}

// Operands are decoded where they stand; the others' keys are their names below those of what holds them.
std::string key_of(const std::string& stage, const std::string& within) {
  if (within.empty() && (stage == "a" || stage == "b" || stage == "c")) return "decode." + stage;
  if (within.empty()) return stage == "steps" ? "step" : stage;
  return within + "." + stage;
}

// The tree of the lines from `at` on that are indented so far.
std::vector<DrawnStage> read_stages(const std::vector<DescribedStage>& lines, std::size_t& at, int indent,
                                    const std::string& within) {
  std::vector<DrawnStage> stages;
  while (at < lines.size() && lines[at].indent >= indent) {
    const DescribedStage& line = lines[at];
    if (line.indent > indent && !stages.empty()) {
      stages.back().within = read_stages(lines, at, line.indent, stages.back().key);
      continue;
    }
    ++at;
    if (line.stage.empty() && line.what == "|") {
      if (!stages.empty()) stages.back().leads_on = true;
    } else if (!stages.empty() && (line.stage.empty() || line.stage == stages.back().stage)) {
      append(stages.back().lines, line.what);  // what is said of a second input may be of both
    } else {
      stages.push_back({line.stage, key_of(line.stage, within), {}, {}, false});
      append(stages.back().lines, line.what);
    }
  }
  return stages;
}

class Drawing {
 public:
  explicit Drawing(const StageCounts& counts) : left_(counts) {
    for (const auto& [stage, count] : counts) most_ = std::max(most_, count);
  }

  void draw(const std::vector<DrawnStage>& stages, double x, double right) {
    for (const DrawnStage& stage : stages) {
      const double top = y_;
      std::string box = std::exchange(content_, "");  // what is within stands before its box's frame
      const double text_top = y_ + pad;
      y_ = text_top + line_height * static_cast<double>(stage.lines.size()) + pad;
      std::string inside = text(stage, x, text_top) + bar(stage.key, text_top);
      draw(stage.within, x + indent_step, right - indent_step);
      if (!stage.within.empty()) y_ += pad;
      inside += std::exchange(content_, "");
      content_ =
          box +
          fmt::format("<rect class=\"{}\" x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" rx=\"3\"/>\n",
                      stage.within.empty() ? "box" : "group", x, top, right - x, y_ - top) +
          inside;
      if (stage.leads_on) arrow((x + right) / 2);
      if (!stage.leads_on) y_ += x > margin ? 3 : 0;
    }
  }

  std::string finished(const std::string& name, bool own_style) const {
    const double all = margin + width + (most_ == 0 ? 0 : bars) + margin;
    return svg_picture(all, y_ + margin, name, " class=\"datapath\"",
                       (own_style ? "<style>" + std::string(drawing_style) + "</style>\n" : "") + content_);
  }

 private:
  static std::string text(const DrawnStage& stage, double x, double top) {
    std::string out = fmt::format("<text class=\"stage\" x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", x + pad, top + 13,
                                  xml_text(stage.stage));
    double y = top;
    for (const std::string& line : stage.lines) {
      out += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", margin + name_width + indent_step, y + 13,
                         xml_text(line));
      y += line_height;
    }
    return out;
  }

  // Of the first box of a stage that has several.
  std::string bar(const std::string& key, double top) {
    const auto found = left_.find(key);
    if (found == left_.end() || most_ == 0) return "";
    const double length = (bars - 60) * static_cast<double>(found->second) / static_cast<double>(most_);
    const std::string drawn = fmt::format(
        "<rect class=\"bar\" x=\"{0:.0f}\" y=\"{1:.0f}\" width=\"{2:.1f}\" height=\"14\"/><text x=\"{3:.0f}\" "
        "y=\"{4:.0f}\">{5}</text>\n",
        margin + width + 8, top, std::max(length, 2.0), margin + width + 14 + length, top + 12, found->second);
    left_.erase(found);
    return drawn;
  }

  void arrow(double x) {
    content_ += fmt::format("<path class=\"wire\" d=\"M{0:.0f} {1:.0f}V{2:.0f}m-4 -5l4 5l4 -5\"/>\n", x, y_, y_ + gap);
    y_ += gap;
  }

  StageCounts left_;  // those not drawn yet
  std::uint64_t most_ = 0;
  double y_ = margin;
  std::string content_;
};

}  // namespace

std::string stage_of_place(const std::string& place) {
  std::string stage;
  bool in_index = false;
  for (const char c : place) {
    if (c == '[') in_index = true;
    if (!in_index) stage += c;
    if (c == ']') in_index = false;
  }
  if (stage.compare(0, 5, "lane.") == 0) stage = stage.substr(5);
  const std::size_t add = stage.find(".add.");  // an addition of a tree or a chain
  return add == std::string::npos ? stage : stage.substr(0, add) + stage.substr(add + 4);
}

const std::string_view drawing_style =
    ".datapath text{font:13px 'DejaVu Sans',sans-serif;fill:var(--ink,#1b1f24)}.datapath .stage{font-weight:bold}"
    ".datapath .box{fill:var(--paper,#fff);stroke:var(--soft,#555c66)}"
    ".datapath .group{fill:var(--raised,#f4f5f7);stroke:var(--soft,#555c66)}"
    ".datapath .wire{stroke:var(--soft,#555c66);fill:none}.datapath .bar{fill:var(--line1,#d55e00)}\n";

namespace {

std::string drawn(const Plan& plan, const std::string& name, const StageCounts& counts, bool own_style) {
  const std::vector<DescribedStage> lines = described_stages(plan);
  std::size_t at = 0;
  Drawing drawing(counts);
  drawing.draw(read_stages(lines, at, 0, ""), margin, margin + width);
  return drawing.finished(name, own_style);
}

}  // namespace

std::string datapath_picture(const Plan& plan, const std::string& name) { return drawn(plan, name, {}, true); }

std::string datapath_drawing(const Plan& plan, const std::string& name, const StageCounts& counts) {
  return drawn(plan, name, counts, false);
}

std::string datapath_page(const Plan& plan, const std::string& name) {
  const std::string title = xml_text(name);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n<style>:root{{color-scheme:light dark;"
      "--paper:light-dark(#fff,#15181c);--raised:light-dark(#f4f5f7,#1f242a);--ink:light-dark(#1b1f24,#e6e9ed);"
      "--soft:light-dark(#555c66,#a7b0bb)}}body{{margin:1rem;background:var(--paper);color:var(--ink);"
      "font:16px/1.5 'DejaVu Sans',sans-serif}}h1{{font-size:1.3rem;overflow-wrap:anywhere}}"
      "div{{overflow-x:auto}}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<div tabindex=\"0\" role=\"region\" "
      "aria-label=\"The datapath, a box for each stage\">\n{1}</div>\n</body>\n</html>\n",
      title, datapath_picture(plan, name));
}

}  // namespace assay::browser
