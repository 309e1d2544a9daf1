#include "tb/design/monotony.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/base/parallel.hpp"

namespace assay::design {
namespace {

constexpr std::string_view keep_key = ".keep";

bool is_of_a_keep(const Setting& setting) {
  return setting.path.size() > keep_key.size() &&
         setting.path.compare(setting.path.size() - keep_key.size(), keep_key.size(), keep_key) == 0;
}

// The bits that a value keeps, where it says that and nothing else.
std::optional<long> kept(const AxisValue& value) {
  std::optional<long> bits;
  for (const Setting& setting : value.settings) {
    const auto own = setting.value.is_scalar() ? number_in(setting.value.text()) : std::nullopt;
    if (!is_of_a_keep(setting) || !own || (bits && *bits != *own)) return std::nullopt;
    bits = own;
  }
  return bits;
}

// Each value of which keeps more than the one before.
bool is_of_widths(const StudyAxis& axis) {
  for (std::size_t i = 0; i < axis.values.size(); ++i) {
    if (!kept(axis.values[i])) return false;
    if (i > 0 && *kept(axis.values[i]) <= *kept(axis.values[i - 1])) return false;
  }
  return true;
}

// What the last sum takes: where another one follows, more bits kept before it can make it lose more.
bool is_of_last_sum(const StudyAxis& axis, const Datapath& datapath) {
  if (datapath.adders.empty() || !datapath.finish.empty()) return false;
  const std::string sum = "adders." + datapath.adders.back().name + ".";
  const std::vector<Setting>& settings = axis.values.front().settings;
  return std::all_of(settings.begin(), settings.end(),
                     [&](const Setting& setting) { return setting.path.rfind(sum, 0) == 0; });
}

class Sieve {
 public:
  Sieve(const Study& study, const Space& space, const DesignLimit& limit, int threads, const DeriveBound& derive)
      : study_(study), space_(space), limit_(limit), threads_(threads), derive_(derive) {
    for (std::size_t axis = 0; axis < study.axes.size(); ++axis) {
      if (is_of_widths(study.axes[axis])) widths_.push_back(axis);
    }
  }

  // Those that keep most come first: whoever misses the limit rules out the points below.
  Sifted sift(const std::vector<int>& points) {
    std::map<int, std::vector<int>, std::greater<>> levels;
    for (const int point : points) levels[level(point)].push_back(point);
    for (const auto& [level, of_level] : levels) {
      std::vector<int> asked;
      for (const int point : of_level) {
        if (const auto by = wider_that_misses(point)) {
          result_.ruled_out[point] = *by;
        } else {
          asked.push_back(point);
        }
      }
      derive(asked);
    }
    if (!result_.contradiction.empty()) derive_the_rest();
    return std::move(result_);
  }

 private:
  const std::vector<int>& values(int point) const {
    return space_.machines[static_cast<std::size_t>(point)]->point.values;
  }

  int level(int point) const {
    int sum = 0;
    for (const std::size_t axis : widths_) sum += values(point)[axis];
    return sum;
  }

  // That keep a step more of one thing.
  std::vector<int> wider(int point) const {
    std::vector<int> found;
    const Datapath& datapath = space_.machines[static_cast<std::size_t>(point)]->plan.datapath;
    for (const std::size_t axis : widths_) {
      if (!is_of_last_sum(study_.axes[axis], datapath)) continue;
      std::vector<int> other = values(point);
      ++other[axis];
      // Where both keep more than there is, they are one point.
      if (const int at = space_.find(other); at >= 0 && at != point) found.push_back(at);
    }
    return found;
  }

  bool misses(const DerivedBound& bound) const {
    return bound.why_not.empty() && limit_.is_missed(bound.relative, bound.relative);
  }

  std::optional<int> wider_that_misses(int point) const {
    for (const int other : wider(point)) {
      if (const auto at = result_.ruled_out.find(other); at != result_.ruled_out.end()) return at->second;
      if (const auto at = result_.derived.find(other); at != result_.derived.end() && misses(at->second)) return other;
    }
    return std::nullopt;
  }

  void derive(const std::vector<int>& points) {
    std::vector<DerivedBound> bounds(points.size());
    parallel(static_cast<int>(points.size()), threads_,
             [&](int i, int) { bounds[static_cast<std::size_t>(i)] = derive_(points[static_cast<std::size_t>(i)]); });
    for (std::size_t i = 0; i < points.size(); ++i) {
      result_.derived[points[i]] = bounds[i];
      for (const int other : wider(points[i])) hold_to_wider(points[i], other);
    }
  }

  void hold_to_wider(int point, int other) {
    const auto at = result_.derived.find(other);
    if (at == result_.derived.end() || !at->second.why_not.empty()) return;
    const DerivedBound& own = result_.derived.at(point);
    if (!own.why_not.empty() || at->second.relative <= own.relative || !result_.contradiction.empty()) return;
    const auto name = [&](int p) { return space_.machines[static_cast<std::size_t>(p)]->point.name; };
    result_.contradiction = fmt::format("{} keeps more than {} and has the greater bound, {:.4g} after {:.4g}",
                                        name(other), name(point), at->second.relative, own.relative);
  }

  void derive_the_rest() {
    std::vector<int> rest;
    for (const auto& [point, by] : result_.ruled_out) rest.push_back(point);
    result_.ruled_out.clear();
    derive(rest);
  }

  const Study& study_;
  const Space& space_;
  const DesignLimit& limit_;
  int threads_;
  const DeriveBound& derive_;
  std::vector<std::size_t> widths_;  // axes
  Sifted result_;
};

}  // namespace

Sifted sifted(const Study& study, const Space& space, const std::vector<int>& points, const DesignLimit& limit,
              int threads, const DeriveBound& derive) {
  return Sieve(study, space, limit, threads, derive).sift(points);
}

}  // namespace assay::design
