#include "tb/run/failing_case_text.hpp"

#include <fmt/format.h>

#include "tb/subject/command_line.hpp"

namespace assay {
namespace {

std::string shown_command(const RunNames& names, const Plan& plan, const Case& c) {
  const std::string devices =
      names.both() ? fmt::format("--reference {} --device {} ", shell_word(names.reference), shell_word(names.device))
                   : "";
  return explain_command(devices + names.subject, plan, c);
}

std::string numbers_text(CaseRange r) {
  return r.count == 1 ? std::to_string(r.first) : fmt::format("{}-{}", r.first, r.first + r.count - 1);
}

// Nothing that came before it makes the case fail again.
std::string no_cause(const FailingCase& found) {
  const std::uint64_t number = found.dependent->number;
  const std::string after = found.tried == 0 ? ""
                            : found.tried == 1
                                ? fmt::format(" and after case {}", number - 1)
                                : fmt::format(" and after cases {} to {}", number - found.tried, number - 1);
  return fmt::format(
      "case {} failed in the run, but passes alone{}: what the device answers does not follow from its cases", number,
      after);
}

std::string dependence(const FailingCase& found, const RunNames& names, const History& history) {
  const std::uint64_t number = found.dependent->number;
  if (!found.error.empty())
    return fmt::format("case {} failed in the run, and alone it gets no answer: {}", number, found.error);
  if (!found.before) return no_cause(found);
  const std::string numbers = numbers_text(*found.before);
  const std::string cases = found.before->count == 1 ? "case " + numbers : "cases " + numbers;
  return fmt::format("case {} depends on what came before it; alone it passes, after {} it fails: {}", number, cases,
                     history.command(names, numbers + "," + std::to_string(number)));
}

}  // namespace

std::vector<std::string> lines_of(const FailingCase& found, const Plan& plan, const RunNames& names,
                                  const History& history) {
  std::vector<std::string> lines;
  if (found.alone) {
    const bool smallest = found.size == FailingCase::Size::smallest;
    lines.push_back(fmt::format("{}: {}", smallest ? "smallest failing case" : "failing case",
                                shown_command(names, plan, *found.alone)));
    if (found.size == FailingCase::Size::answered)
      lines.emplace_back("              of smaller ones the devices did not answer all");
    if (found.size == FailingCase::Size::original)
      lines.emplace_back(
          "              what it could be made smaller to fails only after other cases: the device remembers");
  }
  if (found.dependent) lines.push_back(dependence(found, names, history));
  return lines;
}

}  // namespace assay
