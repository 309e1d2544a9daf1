#include "tb/explore/report/panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace assay {
namespace {

constexpr double enough = 0.999;  // of the results equal to the correctly rounded ones

std::optional<double> number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return text.empty() || *end != '\0' ? std::nullopt : std::optional<double>(value);
}

Dimension dimension(const std::string& name, const std::vector<std::string>& values) {
  Dimension made{name, values, {}};
  for (const std::string& value : values) {
    if (const auto x = number(value)) made.numbers.push_back(*x);
  }
  if (made.numbers.size() < values.size()) made.numbers.clear();
  return made;
}

// Shapes that differ in k alone are told apart, and put in order, by k.
Dimension shape_dimension(const std::vector<ProductShape>& shapes) {
  const bool k_alone = std::all_of(shapes.begin(), shapes.end(), [&](const ProductShape& s) {
    return s.m == shapes.front().m && s.n == shapes.front().n;
  });
  std::vector<std::string> values;
  for (const ProductShape& s : shapes) values.push_back(k_alone ? fmt::format("{}", s.k) : shape_text(s));
  return dimension(k_alone ? "K" : "shape", values);
}

class Arrangement {
 public:
  Arrangement(const StudyResult& study, std::size_t x)
      : study_(study), dimensions_(dimensions(study)), x_(x), fixed_(dimensions_.size(), false) {
    split_where_crowded();
    choose_colours();
    for (std::size_t row = 0; row < study.rows.size(); ++row) take(static_cast<int>(row));
  }

  Panels panels() && {
    Panels all{std::move(dimensions_), x_, {}, {}};
    for (std::size_t d = 0; d < fixed_.size(); ++d) {
      if (fixed_[d]) all.split.push_back(d);
    }
    for (auto& [key, panel] : panels_) {
      // References last, and each kind in its order.
      for (auto& [place, curve] : panel.curves) panel.shown.curves.push_back(std::move(curve));
      all.panels.push_back(std::move(panel.shown));
    }
    return all;
  }

 private:
  struct Collected {
    Panel shown;
    std::map<Place, Curve> curves;  // by reference or not, which one, and the place without x
  };

  std::size_t input() const { return dimensions_.size() - 2; }
  std::size_t shape() const { return dimensions_.size() - 1; }
  std::size_t count(std::size_t d) const { return dimensions_[d].values.size(); }
  bool tells_apart(std::size_t d) const { return d != x_ && count(d) > 1; }
  bool is_free(std::size_t d) const { return tells_apart(d) && !fixed_[d]; }

  // Panels of one shape each, or of one input, or of one value of an axis, until there is room: in as few panels as do.
  void split_where_crowded() {
    std::vector<std::size_t> order{shape(), input()};
    for (std::size_t d = 0; d < input(); ++d) order.push_back(d);
    while (curves() > most_curves) {
      const std::size_t all = curves();
      const auto better = [&](std::size_t one, std::size_t other) {
        const auto makes_room = [&](std::size_t d) { return all / count(d) <= most_curves; };
        if (!is_free(one) || !is_free(other)) return is_free(one) && !is_free(other);
        if (makes_room(one) != makes_room(other)) return makes_room(one);
        return makes_room(one) ? count(one) < count(other) : count(one) > count(other);
      };
      fixed_[*std::min_element(order.begin(), order.end(), better)] = true;
    }
  }

  std::size_t curves() const {
    std::size_t product = 1;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) product *= is_free(d) ? count(d) : 1;
    return product;
  }

  // Inputs have colours, where several stand in one panel; what differs otherwise is told apart by dashes.
  void choose_colours() {
    coloured_ = input();
    for (std::size_t d = 0; d < dimensions_.size() && !is_free(coloured_); ++d) coloured_ = is_free(d) ? d : coloured_;
  }

  std::string name_of(const Place& place, bool of_panel) const {
    std::string text;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      if (!tells_apart(d) || fixed_[d] != of_panel || place[d] < 0) continue;
      const Dimension& dimension = dimensions_[d];
      const std::string& value = dimension.values[static_cast<std::size_t>(place[d])];
      text += text.empty() ? "" : ", ";
      text += dimension.is_numeric() || d < input() ? fmt::format("{} = {}", dimension.name, value) : value;
    }
    return text;
  }

  // A reference stands in the panels of every value of an axis.
  void take(int index) {
    const Row& row = study_.rows[static_cast<std::size_t>(index)];
    const StudyPoint& point = study_.points[static_cast<std::size_t>(row.point)];
    const Place place = place_of(study_, row);
    std::vector<Place> keys{{}};
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      std::vector<Place> longer;
      for (const Place& key : keys) {
        const bool everywhere = fixed_[d] && place[d] < 0;
        for (int value = 0; value < (everywhere ? static_cast<int>(count(d)) : 1); ++value) {
          longer.push_back(key);
          longer.back().push_back(everywhere ? value : fixed_[d] ? place[d] : -1);
        }
      }
      keys = std::move(longer);
    }
    for (const Place& key : keys) add(panels_[key], key, point, place, index);
  }

  void add(Collected& panel, const Place& key, const StudyPoint& point, const Place& place, int row) {
    panel.shown.title = name_of(key, true);
    panel.shown.file = file_name(panel.shown.title);
    const bool reference = !point.reference.empty();
    Place of_curve = place;
    of_curve[x_] = -1;
    of_curve.insert(of_curve.begin(), reference ? study_.rows[static_cast<std::size_t>(row)].point : -1);
    Curve& curve = panel.curves[of_curve];
    if (curve.rows.empty()) {
      curve.name = name_of(place, false);
      curve.reference = reference;
      if (reference) curve.name = point.reference + (curve.name.empty() ? "" : ", " + curve.name);
      look(curve, place, row);
    }
    curve.rows.push_back(row);
    if (place[x_] >= 0) curve.at.push_back(static_cast<std::size_t>(place[x_]));
  }

  void look(Curve& curve, const Place& place, int row) const {
    const int reference = study_.rows[static_cast<std::size_t>(row)].point - first_reference();
    curve.colour = place[coloured_] >= 0 ? place[coloured_] : static_cast<int>(count(coloured_)) + reference;
    if (!is_free(coloured_)) curve.colour = curve.reference ? 1 + reference : 0;
    if (curve.reference) curve.dash = reference;
    for (std::size_t d = 0; d < dimensions_.size() && !curve.reference; ++d) {
      if (is_free(d) && d != coloured_) curve.dash = curve.dash * static_cast<int>(count(d)) + place[d];
    }
  }

  int first_reference() const {
    const auto found = std::find_if(study_.points.begin(), study_.points.end(),
                                    [](const StudyPoint& point) { return !point.reference.empty(); });
    return static_cast<int>(found - study_.points.begin());
  }

  static std::string file_name(const std::string& title) {
    std::string name;
    for (const char c : title) {
      const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.';
      if (plain) name += c;
      if (!plain && !name.empty() && name.back() != '-') name += '-';
    }
    return name;
  }

  const StudyResult& study_;
  std::vector<Dimension> dimensions_;
  std::size_t x_;
  std::vector<bool> fixed_;  // dimensions of which each panel shows one value
  std::size_t coloured_ = 0;
  std::map<Place, Collected> panels_;
};

}  // namespace

std::vector<Dimension> dimensions(const StudyResult& study) {
  std::vector<Dimension> all;
  for (const Axis& axis : study.axes) all.push_back(dimension(axis.name, axis.values));
  all.push_back({"input", study.inputs, {}});
  all.push_back(shape_dimension(study.shapes));
  return all;
}

Place place_of(const StudyResult& study, const Row& row) {
  Place place = study.points[static_cast<std::size_t>(row.point)].values;
  place.resize(study.axes.size(), -1);
  place.push_back(row.input);
  place.push_back(row.shape);
  return place;
}

std::size_t horizontal(const std::vector<Dimension>& dimensions) {
  const auto better = [](const Dimension& one, const Dimension& other) {
    const bool one_varies = one.is_numeric() && one.values.size() > 1;
    const bool other_varies = other.is_numeric() && other.values.size() > 1;
    return one_varies != other_varies ? one_varies : one.values.size() > other.values.size();
  };
  std::size_t best = 0;
  for (std::size_t d = 1; d < dimensions.size(); ++d) best = better(dimensions[d], dimensions[best]) ? d : best;
  return best;
}

bool grows_by_factors(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  if (numbers.size() < 2 || numbers.front() <= 0 || numbers.back() < 4 * numbers.front()) return false;
  // The gaps between them, as differences and as factors: which are the more alike?
  double least = numbers.back(), greatest = 0, least_factor = numbers.back() / numbers.front(), greatest_factor = 1;
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    const double gap = numbers[i] - numbers[i - 1], factor = numbers[i] / numbers[i - 1];
    least = std::min(least, gap), greatest = std::max(greatest, gap);
    least_factor = std::min(least_factor, factor), greatest_factor = std::max(greatest_factor, factor);
  }
  return std::log(greatest_factor) * least < std::log(least_factor) * greatest || numbers.size() == 2;
}

std::string shape_text(const ProductShape& shape) { return fmt::format("{} x {} x {}", shape.m, shape.n, shape.k); }

Panels panels_of(const StudyResult& study) { return panels_of(study, horizontal(dimensions(study))); }

Panels panels_of(const StudyResult& study, std::size_t x) { return Arrangement(study, x).panels(); }

std::optional<int> telling_row(const StudyResult& study, const Panel& panel) {
  if (panel.curves.empty()) return std::nullopt;
  const std::vector<int>& rows = panel.curves.front().rows;
  int telling = rows.front();
  for (const int row : rows) {
    if (study.rows[static_cast<std::size_t>(row)].measures.correct.mean < enough) telling = row;
  }
  return telling;
}

std::optional<int> opening_row(const StudyResult& study, const Panels& panels) {
  for (const StudyFinding& finding : study.findings) {
    if (finding.row) return finding.row;
  }
  return panels.panels.empty() ? std::nullopt : telling_row(study, panels.panels.back());
}

}  // namespace assay
