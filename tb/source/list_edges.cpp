#include "tb/source/list_edges.hpp"

#include "model/core/round.hpp"

namespace assay {
namespace {

class Edges {
 public:
  Edges(const Format& format, Cut cut) : f_(format), t_(format.values()), cut_(cut) {}

  std::vector<ListEdge> all() const {
    std::vector<ListEdge> edges;
    const auto& values = t_.ascending;
    const Number& first = values.front().number;
    if (first.magnitude == 0 || first.negative) edges.push_back(end(t_.below, first, true));
    for (std::size_t i = 0; i + 1 < values.size(); ++i)
      edges.push_back(edge(values[i].number, values[i + 1].number, t_.boundaries[i], values[i + 1].number));
    edges.push_back(end(t_.above, values.back().number, false));
    return edges;
  }

 private:
  bool becomes(const Number& n, const Number& value) const {
    const std::optional<Number> made = rounded_to_list(n, cut_, f_);
    return made && compare(*made, value) == 0;
  }

  // `upper`: what stands above; where that is no value, what stands below tells.
  ListEdge edge(const Number& below, const Number& above, const Number& boundary, std::optional<Number> upper) const {
    const auto is_upper = [&](const Number& n) { return upper ? becomes(n, *upper) : !becomes(n, below); };
    if (is_nearest(cut_)) return {boundary, boundary.magnitude != 0 && is_upper(boundary)};
    return is_upper(middle(below, above)) ? ListEdge{below, false} : ListEdge{above, true};
  }

  // Beyond the last value on one side; `beyond` is what would come next there.
  ListEdge end(const std::optional<Number>& beyond, const Number& last, bool below) const {
    if (!beyond) return {last, below};
    if (below) return edge(*beyond, last, middle(*beyond, last), last);
    return edge(last, *beyond, middle(last, *beyond), std::nullopt);
  }

  const Format& f_;
  const ValueTable& t_;
  Cut cut_;
};

}  // namespace

std::vector<ListEdge> list_edges(const Format& format, Cut cut) { return Edges(format, cut).all(); }

Cut mirrored(Cut cut) {
  return cut == Cut::down ? Cut::up : cut == Cut::up ? Cut::down : cut == Cut::nearest_up ? Cut::nearest_even : cut;
}

}  // namespace assay
