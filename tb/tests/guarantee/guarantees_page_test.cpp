// The table of docs/guarantees.md: what is promised of each instruction of the catalogue, and how near a case comes.
// After a change that is meant it is written anew by running this test with ASSAY_UPDATE_GOLDEN=1.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tb/guarantee/guarantee.hpp"
#include "tb/guarantee/kappa.hpp"
#include "tb/tests/guarantee/shipped.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

using guarantee::Guarantee;
using guarantee::power_text;
using guarantee::Promise;
using guarantee::Rational;

const std::string page_file = source_dir() + "/docs/guarantees.md";

std::string times(const Rational& amount, const char* symbol) {
  return sgn(amount) == 0 ? "0" : power_text(amount) + " " + symbol;
}

std::string signed_text(const Promise& promise) {
  const Rational below = promise.bound.below.amount().relative, above = promise.bound.above.amount().relative;
  if (below == above) return "either way";
  return (sgn(below) == 0 ? "0" : "-" + power_text(below)) + " to " + power_text(above);
}

// Forms of which the same is promised stand in one row.
struct Row {
  std::string shared;  // its first cells
  std::vector<std::string> operands;
  std::size_t instructions = 0;
  double by_sum = 2, by_greatest = 2;  // the least quotients; 2: exact
  std::string reason;
};

std::string operands_text(const Plan& plan) {
  const std::string ab = plan.a == plan.b ? plan.a.name : plan.a.name + " x " + plan.b.name;
  return ab + (plan.c == plan.d ? "" : " + " + plan.c.name) + " to " + plan.d.name;
}

std::string bound_cells(const Guarantee& g) {
  if (g.exact()) return fmt::format("exact, up to K = {} | | | ", g.most_terms.value_or(0));
  return fmt::format("{} | {} | {} | {}", times(g.by_sum.bound.either().relative, "S"),
                     times(g.by_greatest.bound.either().relative, "2^E"), signed_text(g.positive_by_sum),
                     g.right_bits().value_or(0));
}

// What arguments say of it: whatever the operands, or where nothing cancels.
std::string kappa_cell(const Plan& plan) {
  guarantee::SearchEffort arguments;
  arguments.cases = 0;
  const guarantee::Kappa kappa = guarantee::kappa(plan, arguments);
  if (kappa.at_most) return kappa.at_most->get_str();
  return kappa.at_most_positive ? kappa.at_most_positive->get_str() + " +" : "";
}

void add(Row& row, const Form& form, const Guarantee& g) {
  const std::string operands = operands_text(form.plan);
  if (std::find(row.operands.begin(), row.operands.end(), operands) == row.operands.end())
    row.operands.push_back(operands);
  row.instructions += form.instructions.size();
  const auto least = [](double& quotient, const std::optional<guarantee::Witness>& w) {
    if (w) quotient = std::min(quotient, w->quotient().get_d());
  };
  least(row.by_sum, g.attained_by_sum);
  least(row.by_greatest, g.attained_by_greatest);
  for (const auto& [promise, witness] :
       {std::pair(&g.by_sum, &g.attained_by_sum), std::pair(&g.by_greatest, &g.attained_by_greatest)}) {
    if (const std::string why = reason(*promise, *witness); !why.empty()) row.reason = why;
  }
}

std::string quotient(double value) { return value > 1 ? "" : fmt::format("{:.2f}", std::floor(value * 100) / 100); }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string table(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) {
    const auto mark = [&](double value) { return value < 0.5 ? quotient(value) + " *" : quotient(value); };
    text += fmt::format("| {} | {} | {} | {} | {} |\n", row.shared, joined(row.operands), row.instructions,
                        mark(row.by_sum), mark(row.by_greatest));
  }
  return text;
}

TEST(GuaranteesPage, HasEveryInstructionOfTheCatalogue) {
  std::vector<Row> rows;
  std::size_t instructions = 0;
  for (const Form& form : shipped_forms()) {
    const Guarantee g = guarantee::guarantee({form.instructions.front(), ""}, form.plan, {form.plan.k, 0, 1});
    for (const auto& [promise, witness] :
         {std::pair(&g.by_sum, &g.attained_by_sum), std::pair(&g.by_greatest, &g.attained_by_greatest)}) {
      if (!*witness) {
        EXPECT_TRUE(promise->bound.is_zero()) << form.instructions.front();
        continue;
      }
      EXPECT_LE((*witness)->quotient(), 1) << form.instructions.front();
    }
    if (g.attained_by_sum) {
      // The search knows no way to the worst of sums that are rounded to odd.
      const bool odd = form.plan.last_adder().results.back().words.cut == Cut::to_odd;
      EXPECT_GE(g.attained_by_sum->quotient(), odd ? Rational(2, 5) : Rational(1, 2)) << form.instructions.front();
    }
    const std::string shared =
        fmt::format("`{}` | {} | {} | {}", form.plan.datapath.name, form.plan.k, bound_cells(g), kappa_cell(form.plan));
    auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.shared == shared; });
    if (row == rows.end()) row = rows.insert(rows.end(), Row{shared, {}, 0, 2, 2, ""});
    add(*row, form, g);
    instructions += form.instructions.size();
  }
  EXPECT_GT(instructions, 400U);
  std::ifstream in(page_file);
  std::stringstream read;
  read << in.rdbuf();
  std::string page = read.str();
  const std::size_t ruled = page.find("\n|---", page.find("<!-- table: guarantees -->"));
  ASSERT_NE(ruled, std::string::npos) << page_file << " has no table guarantees.";
  const std::size_t begin = page.find('\n', ruled + 1) + 1, end = page.find("\n\n", begin - 1) + 1;
  const std::string made = table(rows);
  EXPECT_EQ(page.substr(begin, end - begin), made);
  if (std::getenv("ASSAY_UPDATE_GOLDEN") != nullptr) std::ofstream(page_file) << page.replace(begin, end - begin, made);
}

}  // namespace
}  // namespace assay
