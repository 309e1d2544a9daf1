#include "tb/identify/unknown.hpp"

#include <fmt/format.h>

#include "model/base/text.hpp"

namespace assay::identify {
namespace {

Format named(const std::string& name) {
  const Format* format = find_format(name);
  if (format == nullptr)
    throw Error{fmt::format("--formats names '{}', which is no format; there are {}.", name, format_names())};
  return *format;
}

}  // namespace

Subject unknown_unit(const Catalogue& catalogue, const UnknownUnit& unit) {
  std::vector<std::string> names = split(unit.formats, ',');
  if (names.size() == 3) names.insert(names.begin() + 2, names.back());
  if (names.size() != 4)
    throw Error{fmt::format("--formats takes three formats, of a, b and d, or four, of a, b, c and d; '{}' has {}.",
                            unit.formats, names.size())};
  for (const std::string& name : names) named(name);
  std::string scale;
  if (!unit.scale.empty()) {
    const std::vector<std::string> parts = split(unit.scale, ':');
    if (parts.size() != 2)
      throw Error{fmt::format("--scale takes FORMAT:BLOCK, such as ue8m0:32; '{}' is something else.", unit.scale)};
    scale = fmt::format(", scale: {{format: {}, block: {}}}", parts[0], parts[1]);
  }
  const bool integer = named(names[3]).is_integer(), scaled = !scale.empty();
  const std::string text = fmt::format(
      "name: unknown\nk: {}\noperands: {{a: {}, b: {}, c: {}, d: {}{}}}\nspecials: {}\n{}adders:\n"
      "  - name: sum\n    add: {{product: exact, acc: exact}}\n    result: [{{format: d, cut: {}}}]\n",
      unit.k, names[0], names[1], names[2], names[3], scale, integer ? "numbers" : "step",
      scaled ? "product: {times: scales}\n" : "", integer ? "toward_zero, overflow: wrap" : "nearest_even");
  return subject_of_text(catalogue, text, "an unknown unit");
}

}  // namespace assay::identify
