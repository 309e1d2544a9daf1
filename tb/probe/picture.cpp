// The summation tree as text, for graphviz, and as SVG.
#include <fmt/format.h>

#include "tb/picture/svg.hpp"
#include "tb/probe/tree.hpp"

namespace assay::probe {
namespace {

// p0..p7 for a run of neighbours.
std::string run_text(const Plan& plan, int first, int last) {
  const std::string from = addend_name(plan, first);
  return first == last ? from : from + (last == first + 1 ? " + " : "..") + addend_name(plan, last);
}

class Dot {
 public:
  explicit Dot(const Plan& plan) : plan_(plan) {}

  std::string text(const Node& tree) {
    draw(tree);
    return "digraph sum {\n  rankdir = BT;\n  node [fontname = \"monospace\"];\n" + lines_ + "}\n";
  }

 private:
  std::string draw(const Node& node) {
    const std::string name = fmt::format("n{}", count_++);
    lines_ += fmt::format("  {} [label = \"{}\"{}];\n", name, node.is_leaf() ? addend_name(plan_, node.addend) : "+",
                          node.is_leaf() ? ", shape = box"
                          : node.exact   ? ", shape = doublecircle"
                                         : "");
    for (const Node& child : node.children) {
      const std::string below = draw(child);
      lines_ += fmt::format("  {} -> {};\n", below, name);
    }
    return name;
  }

  const Plan& plan_;
  std::string lines_;
  int count_ = 0;
};

// Leaves side by side at the foot, each sum above the middle of what it adds.
class Svg {
 public:
  explicit Svg(const Plan& plan) : plan_(plan) {}

  std::string text(const Node& tree) {
    const int levels = depth(tree);
    foot_ = margin + levels * level_height;
    draw(tree);
    const int width = 2 * margin + leaves_ * leaf_width, height = foot_ + margin;
    return svg_picture(width, height, "The order in which the unit adds",
                       " font-family=\"monospace\" font-size=\"12\" text-anchor=\"middle\"",
                       "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n" + lines_ + marks_);
  }

 private:
  static constexpr int margin = 24, leaf_width = 36, level_height = 48, radius = 10;

  static int depth(const Node& node) {
    int deepest = 0;
    for (const Node& child : node.children) deepest = std::max(deepest, 1 + depth(child));
    return deepest;
  }

  struct Point {
    double x;
    int y;
  };

  Point draw(const Node& node) {
    if (node.is_leaf()) {
      const Point at{margin + leaf_width * (leaves_++ + 0.5), foot_};
      marks_ += fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>\n", at.x, at.y + 4, addend_name(plan_, node.addend));
      return at;
    }
    std::vector<Point> below;
    for (const Node& child : node.children) below.push_back(draw(child));
    const Point at{(below.front().x + below.back().x) / 2, foot_ - depth(node) * level_height};
    for (const Point& p : below) {
      lines_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{}\" x2=\"{:.1f}\" y2=\"{}\" stroke=\"black\"/>\n", p.x,
                            p.y - radius, at.x, at.y);
    }
    marks_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{}\" r=\"{}\" fill=\"white\" stroke=\"black\"{}/>\n", at.x, at.y,
                          radius, node.exact ? " stroke-width=\"3\"" : "");
    marks_ += fmt::format("<text x=\"{:.1f}\" y=\"{}\">+</text>\n", at.x, at.y + 4);
    return at;
  }

  const Plan& plan_;
  int foot_ = 0, leaves_ = 0;
  std::string lines_, marks_;
};

}  // namespace

std::string tree_text(const Plan& plan, const Node& tree) {
  if (tree.is_leaf()) return addend_name(plan, tree.addend);
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " + ") + part; };
  for (std::size_t i = 0; i < tree.children.size(); ++i) {
    const Node& child = tree.children[i];
    if (!child.is_leaf() || child.addend == plan.k) {
      add(tree_text(plan, child));
      continue;
    }
    std::size_t last = i;
    while (last + 1 < tree.children.size() && tree.children[last + 1].addend == tree.children[last].addend + 1 &&
           tree.children[last + 1].addend != plan.k) {
      ++last;
    }
    add(run_text(plan, child.addend, tree.children[last].addend));
    i = last;
  }
  return (tree.exact ? "{" : "(") + text + (tree.exact ? "}" : ")");
}

std::string tree_dot(const Plan& plan, const Node& tree) { return Dot(plan).text(tree); }
std::string tree_svg(const Plan& plan, const Node& tree) { return Svg(plan).text(tree); }

}  // namespace assay::probe
