#include "tb/run/failing_case_text.hpp"

#include <fmt/format.h>

#include "tb/subject/command_line.hpp"

namespace assay {
namespace {

std::string shown_command(const RunNames& names, const Plan& plan, const Case& c) {
  const std::string devices =
      names.both() ? fmt::format("--reference {} --device {} ", shell_word(names.reference), shell_word(names.device))
                   : "";
  return explain_command(devices + names.subject, plan, c, names.program);
}

// "40", "17-40"; of those that ran from the last to the first "40-17".
std::string numbers_text(CaseRange r) {
  return r.count == 1 ? std::to_string(r.first) : fmt::format("{}-{}", r.at(0), r.at(r.count - 1));
}

std::string cases_text(CaseRange r) { return (r.count == 1 ? "case " : "cases ") + numbers_text(r); }

std::string dependence(const FailingCase& found, const RunNames& names, const History& history) {
  const std::uint64_t number = found.dependent->number;
  const char* where = found.in_run ? "the run" : "another order of cases";
  if (!found.error.empty())
    return fmt::format("case {} failed in {}, and alone it gets no answer: {}", number, where, found.error);
  if (found.before)
    return fmt::format("case {} depends on what came before it; alone it passes, after {} it fails: {}", number,
                       cases_text(*found.before),
                       history.command(names, numbers_text(*found.before) + "," + std::to_string(number)));
  if (found.after)
    return fmt::format("case {} depends on what comes after it; alone it passes, before {} it fails: {}", number,
                       cases_text(*found.after),
                       history.command(names, std::to_string(number) + "," + numbers_text(*found.after)));
  return fmt::format("case {} failed in {}, but passes alone{}: {}", number, where,
                     found.tried.count == 0 ? "" : " and after " + cases_text(found.tried),
                     found.tried_all ? "what the device answers does not follow from its cases"
                                     : "what came before these was not tried");
}

// What is to be said of the case that fails alone, beside its command.
std::string remark(const FailingCase& found) {
  switch (found.size) {
    case FailingCase::Size::smallest: break;
    case FailingCase::Size::answered: return "of smaller ones the devices did not answer all";
    case FailingCase::Size::tried: return "of smaller ones not all were tried: each needs devices of its own";
  }
  return "";
}

}  // namespace

std::vector<std::string> lines_of(const FailingCase& found, const Plan& plan, const RunNames& names,
                                  const History& history) {
  std::vector<std::string> lines;
  if (found.alone) {
    const bool smallest = found.size == FailingCase::Size::smallest;
    lines.push_back(fmt::format("{}: {}", smallest ? "smallest failing case" : "failing case",
                                shown_command(names, plan, *found.alone)));
    constexpr const char* indent = "              ";
    if (!remark(found).empty()) lines.push_back(indent + remark(found));
    if (found.remembers)
      lines.emplace_back(std::string(indent) + "still smaller ones fail only after other cases: the device remembers");
  }
  if (found.dependent) lines.push_back(dependence(found, names, history));
  return lines;
}

}  // namespace assay
