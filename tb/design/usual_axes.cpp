#include "tb/design/usual_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay::design {
namespace {

// Of a sum of so many terms, this many bits below d's last place can still reach it.
int bits_of_carries(int terms) { return static_cast<int>(std::ceil(std::log2(std::max(terms, 2)))); }

std::string axis(const std::string& name, const std::vector<std::string>& paths, const std::string& values) {
  return fmt::format("  - {{name: {}, set: [\"{}\"], values: {}}}\n", name, fmt::join(paths, "\", \""), values);
}

}  // namespace

std::string usual_axes(const DatapathFile& base) {
  const Datapath& datapath = base.datapath;
  const Format *a = find_format(datapath.operands.a), *d = find_format(datapath.operands.d);
  const int least = a == nullptr ? 4 : std::max(2, a->mantissa_bits);
  const int most = (d == nullptr ? 23 : d->mantissa_bits) + bits_of_carries(*base.k) + 2;
  std::string text;
  for (const Adder& adder : datapath.adders) {
    std::vector<std::string> keeps, cuts;
    for (const Input& input : adder.add) {
      if (!input.keep) continue;
      const std::string path = fmt::format("adders.{}.add.{}", adder.name, input.source);
      keeps.push_back(path + ".keep");
      cuts.push_back(path + ".cut");
    }
    if (keeps.empty()) continue;
    text += axis(adder.name + "_keep", keeps, fmt::format("{}..{}", std::min(least, most), most));
    text += axis(adder.name + "_cut", cuts, "[toward_zero, down, nearest_even]");
  }
  if (text.empty())
    throw Error{"The datapath " + datapath.name +
                " cuts nothing that it adds, so that there are no usual words to vary; say under `vary` which ones."};
  const Adder& last = (datapath.finish.empty() ? datapath.adders : datapath.finish).back();
  if (!last.results.empty())
    text +=
        axis("rounding", {fmt::format("{}.{}.result[0].cut", datapath.finish.empty() ? "adders" : "finish", last.name)},
             "[toward_zero, nearest_even]");
  std::vector<int> steps;
  for (int terms = 4; terms <= *base.k; terms *= 2) {
    if (*base.k % terms == 0) steps.push_back(terms);
  }
  if (steps.size() > 1) text += axis("step", {"k_order.step.terms"}, fmt::format("[{}]", fmt::join(steps, ", ")));
  return text;
}

}  // namespace assay::design
