#include "tb/run/smallest.hpp"

#include <fmt/format.h>

#include <charconv>

#include "model/config/yaml.hpp"
#include "tb/vectors/print.hpp"

namespace assay {
namespace {

constexpr std::uint64_t batch = 1000;

// Which case of the whole a file's first one is.
std::uint64_t first_case(const VectorHeader& header) {
  const std::string text = text_of(header.provenance, "first_case");
  std::uint64_t first = 0;
  std::from_chars(text.data(), text.data() + text.size(), first);
  return first;
}

}  // namespace

SmallestSet smallest_of_generated(const Plan& plan, NanRule nan, const Generator& generator, CaseRange range,
                                  const SmallestProgress& progress) {
  Minimiser minimiser(plan, nan);
  for (std::uint64_t i = 0; i < range.count; ++i) {
    minimiser.see({generator.make(range.first + i)});
    if (progress && i % batch == 0) progress(i);
  }
  SmallestSet found{range.count, minimiser.smallest()};
  for (Case& c : found.kept.cases) {
    keep_member("case", std::to_string(c.number), c.extra);
    keep_member("family", json_string(generator.family(c.number).name), c.extra);
  }
  return found;
}

SmallestSet smallest_of_file(const Plan& plan, NanRule nan, VectorReader& reader, const SmallestProgress& progress) {
  Minimiser minimiser(plan, nan);
  const CaseShape shape = case_shape(plan, reader.header().pad);
  SmallestSet found;
  for (std::vector<Case> cases; reader.next(shape, batch, cases);) {
    for (const Case& c : cases) {
      if (!c.element) continue;
      throw Error{fmt::format(
          "{}: case {} is a whole matrix, of which no element stands alone; --minimise takes single dot products.",
          reader.file(), c.number)};
    }
    minimiser.see(cases);
    found.seen += cases.size();
    if (progress) progress(found.seen);
  }
  found.kept = minimiser.smallest();
  const std::uint64_t first = first_case(reader.header());
  for (Case& c : found.kept.cases) {
    if (c.extra.find("\"case\":") == std::string::npos) keep_member("case", std::to_string(first + c.number), c.extra);
  }
  return found;
}

std::string sentence(const SmallestSet& found) {
  const Minimised& kept = found.kept;
  const std::string proof =
      kept.smallest() ? "no fewer do" : fmt::format("not proven smallest, at least {} do", kept.at_least);
  return fmt::format("{} of {} {} the same {}; {}", kept.cases.size(), grouped(found.seen),
                     found.seen == 1 ? "case kills" : "cases kill", counted(kept.killed, "mutant"), proof);
}

}  // namespace assay
