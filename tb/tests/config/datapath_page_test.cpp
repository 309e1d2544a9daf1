// The tables of docs/datapath.md, held to the table of words. After a change that is meant they are written anew by
// running this test with ASSAY_UPDATE_GOLDEN=1.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "model/config/datapath_file.hpp"
#include "model/core/fields.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

const std::string page_file = source_dir() + "/docs/datapath.md";

std::string code(std::string_view word) { return "`" + std::string(word) + "`"; }

std::string listed(const std::vector<std::string_view>& words, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + code(words[i]);
  return text;
}

// --- what may stand there, and what counts where nothing does ---

template <class Row, class Enum>
std::enable_if_t<std::is_enum_v<Enum>, std::string> takes(const Row& row, const Enum*) {
  return listed(words<Enum>(), row.choices == 0 ? words<Enum>().size() : row.choices);
}
template <class Row>
std::string takes(const Row& row, const bool*) {
  return listed({row.of_flag[0], row.of_flag[1]}, 2);
}
template <class Row>
std::string takes(const Row& row, const int*) {
  return std::to_string(row.of_number.least) + " to " + std::to_string(row.of_number.greatest);
}
template <class Row, class S>
std::enable_if_t<has_rows<S>, std::string> takes(const Row&, const S*) {
  return std::string(Table<S>::name);
}
template <class Row>
std::string takes(const Row&, const void*) {
  return "";  // the row says it
}
template <class Row, class V>
std::string takes(const Row& row, const std::optional<V>*) {
  return takes(row, static_cast<const V*>(nullptr)) + ", " + code(row.nothing);
}
template <class Row, class Enum>
std::enable_if_t<std::is_enum_v<Enum>, std::string> shown(const Row&, Enum value) {
  return code(word(value));
}
template <class Row>
std::string shown(const Row& row, bool value) {
  return code(row.of_flag[value ? 1 : 0]);
}
template <class Row>
std::string shown(const Row&, int value) {
  return std::to_string(value);
}
template <class Row, class V>
std::string shown(const Row& row, const std::optional<V>& value) {
  EXPECT_FALSE(value) << row.key;
  return code(row.nothing);
}
template <class Row>
std::string shown(const Row&, const std::string&) {
  return "";
}
template <class Row, class V>
std::string shown(const Row&, const std::vector<V>&) {
  return "";
}
template <class Row>
std::string shown(const Row&, const std::map<std::string, std::string>&) {
  return "";
}
template <class Row, class S>
std::enable_if_t<has_rows<S>, std::string> shown(const Row&, const S&) {
  return "";
}

// --- the tables ---

std::string line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

template <class S>
std::string rows() {
  std::string text;
  each_row<S>([&](const auto& row) {
    using V = typename std::decay_t<decltype(row)>::Value;
    const std::string taken = row.takes.empty() ? takes(row, static_cast<const V*>(nullptr)) : std::string(row.takes);
    const std::string left_out = row.required           ? "must be there"
                                 : row.left_out.empty() ? shown(row, row.fallback())
                                                        : std::string(row.left_out);
    const bool is_idle = row.when != nullptr && row.refusal.empty();
    const std::string where = row.where.empty() ? "" : (is_idle ? "; matters " : "; only ") + std::string(row.where);
    text += line({code(row.key), taken, left_out, std::string(row.says) + where});
  });
  return text;
}

const std::string head = line({"key", "takes", "left out", "what it says"}) + "|---|---|---|---|\n";

std::string file_rows() {
  std::string text;
  for (const FileKey& own : file_keys()) text += line({code(own.key), own.takes, own.left_out, own.says});
  return text;
}

template <class S>
void expect_table(const std::string& before = "") {
  const std::string table = head + before + rows<S>();
  const std::string begin = "<!-- written by tb/tests/config: " + std::string(Table<S>::name) + " -->\n";
  const std::string end = "<!-- end -->\n";
  std::ostringstream read;
  read << std::ifstream(page_file).rdbuf();
  std::string page = read.str();
  const std::size_t from = page.find(begin);
  ASSERT_NE(from, std::string::npos) << page_file << " has no table " << Table<S>::name;
  const std::size_t first = from + begin.size(), last = page.find(end, first);
  ASSERT_NE(last, std::string::npos) << page_file << ": the table " << Table<S>::name << " has no end";
  if (std::getenv("ASSAY_UPDATE_GOLDEN") != nullptr)
    std::ofstream(page_file) << page.replace(first, last - first, table);
  else
    EXPECT_EQ(page.substr(first, last - first), table)
        << "ASSAY_UPDATE_GOLDEN=1 scripts/test -R DatapathPage writes it anew.";
}

template <class... S>
std::set<std::string> expect_tables() {
  (expect_table<S>(), ...);
  return {std::string(Table<S>::name)...};
}

// What the page says was written by this test.
std::set<std::string> tables_of_page() {
  const std::string mark = "<!-- written by tb/tests/config: ";
  std::set<std::string> names;
  std::ifstream page(page_file);
  for (std::string line; std::getline(page, line);) {
    if (line.rfind(mark, 0) == 0) names.insert(line.substr(mark.size(), line.find(" -->") - mark.size()));
  }
  return names;
}

TEST(DatapathPage, HasEveryWordOfTheTable) {
  expect_table<Datapath>(file_rows());
  std::set<std::string> held =
      expect_tables<Operands, Scale, ZeroPoints, Mask, Factor, Format, Product, ProductRows, Slices, SlicePair,
                    NanOrder, Group, Adder, Input, Recut, Window, Errata, Result, Flags>();
  held.insert(std::string(Table<Datapath>::name));
  EXPECT_EQ(held, tables_of_page());
}

}  // namespace
}  // namespace assay
