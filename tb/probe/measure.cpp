#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/config/home.hpp"
#include "tb/evidence/captured.hpp"
#include "tb/oracle/instruction.hpp"
#include "tb/probe/report.hpp"
#include "tb/vectors/reader.hpp"

namespace assay::probe {
namespace {

// How many products are on.
int on(const Plan& plan) { return static_cast<int>(Workbench(plan).products().size()); }

// What others found on the part itself, of the published table of instructions.
void put_table(const Subject& subject, Report& report) {
  if (!subject.instruction) return;
  const auto rows = exact::read_instructions(home() + "/tb/oracle/instructions.csv");
  const exact::Instruction* row =
      exact::find_instruction(rows, subject.instruction->architecture, subject.instruction->name);
  if (row == nullptr || !row->fraction_bits) return;
  report.published_fraction_bits = row->fraction_bits;
  if (subject.plan.scales == 0) report.published_terms_a_step = row->terms_per_step * on(subject.plan) / subject.plan.k;
  report.published_result_bits = row->output_fraction_bits;
}

// Results that somebody printed of the part, by the name of the test.
void put_printed(const Subject& subject, Report& report) {
  if (!subject.instruction) return;
  for (const std::string& file : shipped_captures()) {
    VectorReader reader(file);
    const VectorHeader& header = reader.header();
    if (text_of(header.provenance, "kind") != "printed" || header.architecture != subject.instruction->architecture ||
        header.instruction != subject.instruction->name) {
      continue;
    }
    std::vector<Case> cases;
    while (reader.next(case_shape(subject.plan, header.pad), 1024, cases)) {
      for (const Case& c : cases) {
        const auto members = nlohmann::json::parse("{" + c.extra + "}");
        if (members.contains("test") && c.d) report.printed[members["test"].get<std::string>()] = *c.d;
      }
    }
  }
}

std::vector<Places> rounding_places(const Workbench& bench) {
  const int first = bench.free_addends().front(), second = bench.free_addends()[1];
  std::vector<Places> places{{bench.c(), first}, {first, bench.c()}};
  if (second != bench.c()) places.push_back({first, second});
  return places;
}

// Every addend as a power of two beside zeros: whatever a unit is, that is its sum.
std::vector<int> unread_addends(const Workbench& bench, Asker& asker) {
  std::vector<int> addends = bench.products(), asked, unread;
  addends.push_back(bench.c());
  const Value alone = power(bench.powers().greatest);
  std::vector<Case> cases;
  for (const int addend : addends) {
    auto made = bench.with({{addend, alone}});
    if (!made) continue;
    asked.push_back(addend);
    cases.push_back(std::move(*made));
  }
  const std::vector<exact::Datum> results = asker.numbers(cases);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (!equals(results[i], alone)) unread.push_back(asked[i]);
  }
  return unread;
}

// Why no tree can be found where some of what it is made of is not read.
std::string unread_problem(const Workbench& bench, const std::vector<int>& unread) {
  const std::vector<int>& free = bench.free_addends();
  const auto found = std::find_first_of(unread.begin(), unread.end(), free.begin(), free.end());
  return found == unread.end() ? "" : addend_name(bench.plan(), *found) + " does not come through alone";
}

std::variant<Node, std::string> tree_found(const Workbench& bench, Asker& asker, const std::vector<int>& unread) {
  if (const std::string why = unread_problem(bench, unread); !why.empty()) return why;
  return summation_tree(bench, asker);
}

}  // namespace

Report measured(const Subject& subject, Device& device) {
  const Workbench bench(subject.plan);
  Asker asker(subject.plan, device);
  Report report;
  report.title = fmt::format("{}: features of {}", subject.name, device.name());
  report.unread = unread_addends(bench, asker);
  auto tree = tree_found(bench, asker, report.unread);
  if (const auto* why = std::get_if<std::string>(&tree)) {
    report.no_tree = *why;
    tree = Node{};
  }
  report.tree = std::get<Node>(tree);
  if (report.no_tree.empty()) report.terms_a_step = terms_a_step(subject.plan, report.tree);
  if (unread_problem(bench, report.unread).empty()) report.widths = widths(bench, asker, report.tree);
  report.range = bench.powers().greatest - bench.powers().least;
  if (report.widths.result && !report.widths.result->at_least) {
    const int bits = report.widths.result->bits;
    for (const Places& in : rounding_places(bench)) {
      const std::string names = addend_name(subject.plan, in.one) + " + " + addend_name(subject.plan, in.fraction);
      report.roundings.push_back({names, rounding(bench, asker, in, bits)});
    }
    report.features = features(bench, asker, report.tree, bits);
    for (const Check& check : checklist(bench, bits)) report.checks.push_back({check.name, asker.code(check.given)});
  }
  report.questions = asker.asked();
  return report;
}

void put_published(const Subject& subject, Report& report) {
  put_table(subject, report);
  put_printed(subject, report);
}

}  // namespace assay::probe
