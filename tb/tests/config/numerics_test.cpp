// docs/numerics.md against the catalogue: its tables of formats, datapaths and instructions are what the files say.
// After a change that is meant, the new tables are written by running this test with ASSAY_UPDATE_GOLDEN=1.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "model/config/catalogue.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

const std::string page_file = source_dir() + "/docs/numerics.md";

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

std::string page() {
  std::ifstream in(page_file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += ' ' + cell + (cell.empty() ? "|" : " |");
  return text + '\n';
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

template <class Numbers>
std::string numbers(const Numbers& values) {
  std::vector<std::string> words;
  for (const int value : values) words.push_back(std::to_string(value));
  return joined(words, ", ");
}

// The rows below the head of the table that follows <!-- table: NAME -->.
void expect_table(const std::string& name, const std::string& rows) {
  std::string text = page();
  const std::size_t marked = text.find("<!-- table: " + name + " -->");
  ASSERT_NE(marked, std::string::npos) << page_file << " has no table " << name << ".";
  const std::size_t ruled = text.find("\n|---", marked);
  ASSERT_NE(ruled, std::string::npos) << name;
  const std::size_t begin = text.find('\n', ruled + 1) + 1;
  const std::size_t end = text.find("\n\n", begin - 1) + 1;
  EXPECT_EQ(text.substr(begin, end - begin), rows) << "The table " << name << " of " << page_file;
  if (std::getenv("ASSAY_UPDATE_GOLDEN") != nullptr) std::ofstream(page_file) << text.replace(begin, end - begin, rows);
}

// --- formats ---

std::string nan_text(const Format& format) {
  switch (format.nan) {
    case NanCodes::none: return "none";
    case NanCodes::ieee: return "IEEE";
    case NanCodes::all_ones: return "all ones";
    case NanCodes::negative_zero: return "the code of -0";
    case NanCodes::listed: return "one code";
  }
  return "";
}

TEST(Numerics, ListsEveryFormat) {
  std::string rows, family;
  for (const Format& f : formats()) {
    if (!f.family.empty()) {
      if (f.family != family) rows += row({"`" + f.family + "`", "", "", "", "", "", "", "rule `" + f.rule + "`"});
      family = f.family;
      continue;
    }
    std::vector<std::string> cells = {"`" + f.name + "`", f.ml_dtypes_name, std::to_string(f.stored_bits)};
    if (f.is_list()) {
      cells.insert(cells.end(), {"", "", "", f.has_infinity ? "yes" : "no", nan_text(f)});
    } else if (f.is_integer()) {
      cells.insert(cells.end(), {"", "", "", "", "none"});
    } else {
      cells.insert(cells.end(), {std::to_string(f.exponent_bits), std::to_string(f.mantissa_bits),
                                 std::to_string(f.bias), f.has_infinity ? "yes" : "no", nan_text(f)});
    }
    rows += row(cells);
  }
  expect_table("formats", rows);
}

// --- datapaths ---

std::string step_text(const Group& step) {
  if (!step.terms) return "all";
  return std::to_string(*step.terms) +
         (step.deal == Deal::strided ? ", strided by " + std::to_string(step.unit) : std::string());
}

std::string kept_text(const Input& input) {
  std::string text = input.source + " " + (input.keep ? std::to_string(*input.keep) : std::string("exact"));
  if (input.keep && input.cut != Cut::toward_zero) text += " " + std::string(word(input.cut));
  if (input.lost_below) text += " or nothing below " + std::to_string(*input.lost_below);
  return text;
}

std::string result_text(const Result& result) {
  const std::string what = result.at == ResultAt::format ? result.format : std::to_string(result.keep) + " bits";
  std::string text = what + " " + std::string(word(result.cut));
  if (result.subnormals != Subnormals::keep) text += ", subnormals to zero";
  if (result.overflow != Overflow::infinity) text += ", overflow " + std::string(word(result.overflow));
  if (result.minus_zero == MinusZero::never) text += ", never -0";
  if (result.infinity != OfInfinity::keep) text += ", infinity " + std::string(word(result.infinity));
  if (result.negative != OfNegative::zero) text += ", negative " + std::string(word(result.negative));
  return text;
}

std::string sums_text(const Datapath& datapath) {
  std::vector<std::string> sums;
  for (const std::vector<Adder>* list : {&datapath.adders, &datapath.finish}) {
    for (const Adder& adder : *list) {
      std::vector<std::string> inputs, results;
      for (const Input& input : adder.add) inputs.push_back(kept_text(input));
      for (const Result& result : adder.results) results.push_back(result_text(result));
      sums.push_back("`" + adder.name + "`: " + joined(inputs, " + ") + (results.empty() ? "" : " -> ") +
                     joined(results, " -> "));
    }
  }
  return joined(sums, "; ");
}

std::string floors_text(const Datapath& datapath) {
  std::vector<int> floors;
  for (const Adder& adder : datapath.adders) {
    if (adder.window.floor) floors.push_back(*adder.window.floor);
  }
  return numbers(floors);
}

TEST(Numerics, ListsEveryDatapath) {
  std::map<std::string, std::vector<std::string>> users;
  for (const Architecture& architecture : catalogue().architectures()) {
    for (const Instruction& i : architecture.instructions) {
      std::vector<std::string>& names = users[i.datapath];
      if (std::find(names.begin(), names.end(), architecture.name) == names.end()) names.push_back(architecture.name);
    }
  }
  std::string rows;
  for (const std::string& name : catalogue().datapath_names()) {
    const Datapath datapath = catalogue().datapath(name).datapath;
    rows += row({"`" + name + "`", step_text(datapath.step), floors_text(datapath), sums_text(datapath),
                 joined(users[name], ", ")});
  }
  expect_table("datapaths", rows);
}

// --- instructions ---

// mma, wgmma, tcgen05, v_mfma, and the operations of IEEE P3109; others by their whole name.
std::string family_of(const Instruction& i) {
  for (const char* prefix :
       {"mma.", "wgmma.", "tcgen05.mma.", "v_mfma_", "FMA.", "BlockDotProduct.", "ScaledMultiply."}) {
    if (i.name.rfind(prefix, 0) == 0) return std::string(prefix, std::string(prefix).size() - 1);
  }
  return i.name;
}

// What instructions of one row of the table have in common, in the table's order.
struct Row {
  int architecture;
  std::string family, c, d, scale, datapath;
  bool operator<(const Row& o) const {
    return std::tie(architecture, family, d, c, scale, datapath) <
           std::tie(o.architecture, o.family, o.d, o.c, o.scale, o.datapath);
  }
};

struct Members {
  std::set<std::string> operands;
  std::set<int> k;
  std::map<std::string, int> evidence;
};

std::string scale_text(const Operands& operands) {
  if (const std::optional<Mask>& mask = operands.mask)
    return mask->has_pattern() ? "mask: " + std::to_string(*mask->take) + " of " + std::to_string(*mask->among)
                               : "mask";
  return operands.scale.empty() ? "" : operands.scale + " for " + std::to_string(operands.scale_block);
}

TEST(Numerics, ListsEveryInstructionsDatapathAndEvidence) {
  std::map<Row, Members> table;
  const auto& architectures = catalogue().architectures();
  for (int number = 0; number < static_cast<int>(architectures.size()); ++number) {
    for (const Instruction& i : architectures[static_cast<std::size_t>(number)].instructions) {
      Members& members = table[{number, family_of(i), i.operands.c, i.operands.d, scale_text(i.operands), i.datapath}];
      members.operands.insert({i.operands.a, i.operands.b});
      members.k.insert(i.k);
      ++members.evidence[i.evidence];
    }
  }
  std::string rows;
  for (const auto& [key, members] : table) {
    std::vector<std::string> evidence;
    for (const auto& [word, count] : members.evidence) evidence.push_back(word + " " + std::to_string(count));
    rows += row({architectures[static_cast<std::size_t>(key.architecture)].name, "`" + key.family + "`",
                 joined({members.operands.begin(), members.operands.end()}, ", "), key.c, key.d, key.scale,
                 numbers(members.k), "`" + key.datapath + "`", joined(evidence, ", ")});
  }
  expect_table("instructions", rows);
}

// --- what cites the page ---

// Tests and comments name sections 1 to 8; whoever follows one finds it.
TEST(Numerics, HasTheSectionsThatOthersCite) {
  const std::string text = page();
  for (const char* section : {"## 1. Formats", "## 2. A term", "## 3. Special values", "## 4. The algorithms",
                              "## 5. Widths", "## 6. Evidence", "## 7. Worked facts", "## 8. Probing"})
    EXPECT_NE(text.find(std::string("\n") + section), std::string::npos) << section;
}

}  // namespace
}  // namespace assay
