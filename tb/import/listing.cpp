// What programs print that try an instruction, a block a case:
//
//   case: 2^-24 - 1 + 1
//   h_a: 0001 bc00 0000 3c00
//   h_b: 3c00 3c00 0000 3c00
//   f_c: 00000000
//   r  : 33800000
//   ref: 33800000
//
// Terms that are not shown are zero. `ref` is what the author expected and no result. Where the instruction takes
// scales or other operands, their lines stand between f_c and r, each under its name.
#include <algorithm>

#include "tb/import/recording.hpp"
#include "tb/import/text_lines.hpp"
#include "tb/import/value.hpp"
#include "tb/vectors/case_line.hpp"

namespace assay {
namespace {

// "r  : 33800000" as its key and where the rest begins; no key where the line has none of the block's.
struct Line {
  std::string key;
  std::vector<Word> words;
};

Line line_of(std::string_view text, const std::vector<std::string>& keys) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return {};
  const std::vector<Word> before = words_of(text.substr(0, colon));
  if (before.size() != 1 || std::find(keys.begin(), keys.end(), before[0].text) == keys.end()) return {};
  Line line{before[0].text, words_of(text.substr(colon + 1))};
  for (Word& word : line.words) word.column += colon + 1;
  return line;
}

// A line of a block: its key, and what it brings.
struct Row {
  std::string key;
  Format format;
  std::size_t least = 1, most = 1;           // codes
  std::vector<Code> Case::*codes = nullptr;  // where a list of them goes; c and d are none
  Mask pattern = {};                         // of a mask
};

// In the order in which they stand.
std::vector<Row> rows_of(const Plan& plan) {
  const auto k = static_cast<std::size_t>(plan.k), scales = static_cast<std::size_t>(plan.scales);
  std::vector<Row> rows{{"h_a", plan.a, 1, k, &Case::a}, {"h_b", plan.b, 1, k, &Case::b}, {"f_c", plan.c}};
  if (plan.scale) {
    rows.push_back({"scale_a", *plan.scale, scales, scales, &Case::scale_a});
    rows.push_back({"scale_b", *plan.scale, scales, scales, &Case::scale_b});
  }
  for (const CaseOperand& more : plan.more) {
    const auto count = static_cast<std::size_t>(more.count);
    rows.push_back({more.name, more.format, count, count, &Case::more, more.pattern});
  }
  rows.push_back({"r", plan.d});
  return rows;
}

class Reader {
 public:
  Reader(const std::string& path, const Plan& plan, const RecordingOptions& options)
      : lines_(path), rows_(rows_of(plan)), keys_{"case", "ref"}, zero_c_(options.zero_c) {
    for (const Row& row : rows_) keys_.push_back(row.key);
  }

  bool next(Case& into) {
    into = {};
    std::string title;
    std::size_t due = 0;
    for (std::string_view text; lines_.next(text);) {
      const Line line = line_of(text, keys_);
      if (zero_c_ && rows_[due].key == "f_c" && line.key == rows_[due + 1].key) ++due;  // c is not needed
      const Row& row = rows_[due];
      if (line.key == "case" && due == 0) {
        title = text.substr(text.find(':') + 1);
        lines_.expect_utf8(text.size() - title.size() + 1, title);
      } else if (line.key == row.key) {
        read(line, row, into);
        if (++due == rows_.size()) return finish(title, into);
      } else if (due > 0 || !(line.key.empty() || line.key == "ref")) {
        lines_.fail(
            1, excerpt(text) + " stands where the line of " + row.key + " should, as '" + row.key + ": ' and bits.");
      }
    }
    if (due > 0) lines_.fail(0, "the file ends inside a case, where the line of " + rows_[due].key + " should stand.");
    return false;
  }

 private:
  void read(const Line& line, const Row& row, Case& into) const {
    const std::size_t count = line.words.size();
    if (count < row.least || count > row.most)
      lines_.fail(0, row.key + " has " + counted(count, "word") + "; " + wanted(row));
    if (zero_c_ && row.key == "f_c") return;
    std::vector<Code> codes;
    for (const Word& word : line.words) codes.push_back(code(word, row.format));
    const std::string problem = mask_problem(row.key, row.pattern, codes.data(), static_cast<int>(count));
    if (!problem.empty()) lines_.fail(0, problem);
    if (row.codes != nullptr) {
      std::vector<Code>& list = into.*row.codes;
      list.insert(list.end(), codes.begin(), codes.end());
      if (row.least < row.most) list.resize(row.most);
    } else if (&row == &rows_.back()) {
      into.d = codes[0];
    } else {
      into.c = codes[0];
    }
  }

  static std::string wanted(const Row& row) {
    if (row.least == row.most) return "it takes " + (row.most == 1 ? "one" : std::to_string(row.most)) + ".";
    return "the instruction takes " + std::to_string(row.least) + " to " + std::to_string(row.most) + ".";
  }

  Code code(const Word& word, const Format& format) const {
    return at_place(lines_, word.column, [&] { return parse_hex(word.text, format); });
  }

  static bool finish(const std::string& title, Case& into) {
    const std::vector<Word> words = words_of(title);
    if (!words.empty())
      keep_member("tag", json_string(std::string_view(title).substr(words[0].column - 1)), into.extra);
    return true;
  }

  TextLines lines_;
  std::vector<Row> rows_;
  std::vector<std::string> keys_;
  bool zero_c_;
};

bool recognises(const std::string& path) {
  TextLines lines(path);
  for (std::string_view text; lines.number() < 64 && lines.next(text);) {
    if (!line_of(text, {"h_a"}).key.empty()) return true;
  }
  return false;
}

Recording open(const std::string& path, const Plan& plan, const RecordingOptions& options) {
  auto reader = std::make_shared<Reader>(path, plan, options);
  return {{path}, "", [reader](Case& into) { return reader->next(into); }};
}

}  // namespace

const RecordingFormat listing_format{
    "listing", "blocks of h_a, h_b, f_c, what else the case takes by name, and r, in hexadecimal", recognises, open};

}  // namespace assay
