#include "sim/cli/smallest.hpp"

#include <fmt/format.h>

#include "sim/cli/progress.hpp"
#include "sim/cli/verdict.hpp"
#include "tb/vectors/print.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

constexpr std::uint64_t batch = 1000;

}  // namespace

SmallestSet smallest_of_generated(const SubjectOptions& of, const GenerateOptions& generate, const Console& console) {
  const Subject subject = of.open(shipped_catalogue());
  const Generator generator = generate.open(subject.plan);
  const CaseRange range = generate.range();
  Minimiser minimiser(subject.plan, NanOption{}.rule_for(subject));
  Progress progress(console, range.count);
  for (std::uint64_t i = 0; i < range.count; ++i) {
    minimiser.see({generator.make(range.first + i)});
    if (i % batch == 0) progress.at(i);
  }
  SmallestSet found{subject.header, subject.plan, range.count, minimiser.smallest()};
  for (Case& c : found.kept.cases) {
    keep_member("case", std::to_string(c.number), c.extra);
    keep_member("family", json_string(generator.family(c.number).name), c.extra);
  }
  return found;
}

SmallestSet smallest_of_file(const std::string& file, const Console& console) {
  VectorReader reader(file);
  const Subject subject = subject_of_header(shipped_catalogue(), reader.header(), file);
  warn(subject.warning, console);
  Minimiser minimiser(subject.plan, NanOption{}.rule_for(subject));
  Progress progress(console, reader.header().cases.value_or(0));
  const CaseShape shape = case_shape(subject.plan, reader.header().pad);
  SmallestSet found{subject.header, subject.plan, 0, {}};
  for (std::vector<Case> cases; reader.next(shape, batch, cases); progress.at(found.seen += cases.size())) {
    for (const Case& c : cases) {
      if (!c.element) continue;
      throw ConfigError{fmt::format(
          "{}: case {} is a whole matrix, of which no element stands alone; --minimise takes single dot products.",
          reader.file(), c.number)};
    }
    minimiser.see(cases);
  }
  found.kept = minimiser.smallest();
  for (Case& c : found.kept.cases) {
    if (c.extra.find("\"case\":") == std::string::npos) keep_member("case", std::to_string(c.number), c.extra);
  }
  return found;
}

std::string sentence(const SmallestSet& found) {
  const Minimised& kept = found.kept;
  const std::string proof =
      kept.smallest() ? "no fewer do" : fmt::format("not proven smallest, at least {} do", kept.at_least);
  return fmt::format("{} of {} cases kill the same {} mutants; {}", kept.cases.size(), grouped(found.seen), kept.killed,
                     proof);
}

}  // namespace assay
