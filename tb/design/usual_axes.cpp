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

std::string joined_numbers(int least, int most, int stride) {
  std::vector<int> numbers;
  for (int number = most; number >= least; number -= stride) numbers.insert(numbers.begin(), number);
  return fmt::format("{}", fmt::join(numbers, ", "));
}

// All products and acc at once, or two by two, or one after the other; with a sticky bit; in a window that moves in
// steps; c among them or after them. With more sums the combinations are too many to be tried unasked.
bool is_one_sum(const Datapath& datapath) {
  return datapath.adders.size() == 1 && datapath.finish.empty() && datapath.start == Start::c &&
         !datapath.adders.front().group;
}

// Two bits and a sticky one below the last that is kept: enough for every rounding of a sum of two.
constexpr const char* late_c =
    "  - name: c\n"
    "    values:\n"
    "      early: {start: c}\n"
    "      late: {start: none, finish: [{name: late, add: {lanes: {keep: 26, cut: toward_zero}, c: {keep: 26, cut: "
    "toward_zero}}, sticky: or, result: [{format: d, cut: nearest_even}]}]}\n";

std::string of_one_sum(const Adder& adder) {
  const std::string path = "adders." + adder.name;
  std::string text =
      axis("shape", {path + ".shape"}, "[flat, neighbours, serial]") + axis("sticky", {path + ".sticky"}, "[none, or]");
  if (adder.window.exponent == WindowExponent::largest) text += axis("places", {path + ".window.step"}, "[1, 4]");
  return text + late_c;
}

}  // namespace

std::string usual_axes(const DatapathFile& base, int stride) {
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
    text += axis(adder.name + "_keep", keeps, "[" + joined_numbers(std::min(least, most), most, stride) + "]");
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
  return text + (is_one_sum(datapath) ? of_one_sum(datapath.adders.front()) : "");
}

}  // namespace assay::design
