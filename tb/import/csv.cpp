// Comma-separated values with a header that names the columns:
//
//   a0,a1,b0,b1,c,d          or          a,b,c,d
//   3c00,0000,3c00,0000,..               3c00 0000,3c00 0000,..
#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "model/base/text.hpp"
#include "model/core/case_operands.hpp"
#include "model/core/values.hpp"
#include "tb/import/recording.hpp"
#include "tb/import/text_lines.hpp"
#include "tb/import/value.hpp"
#include "tb/vectors/case_line.hpp"

namespace assay {
namespace {

// A field in quotes may hold commas; two quotes there are one.
std::vector<Word> fields_of(const TextLines& lines, std::string_view line) {
  std::vector<Word> fields;
  for (std::size_t at = 0;; ++at) {
    Word field{"", at + 1};
    if (at < line.size() && line[at] == '"') {
      for (++at;; ++at) {
        if (at >= line.size())
          lines.fail(field.column, "the field begins with a quote, and no quote ends it on this line.");
        if (line[at] == '"' && (at + 1 == line.size() || line[at + 1] != '"')) break;
        if (line[at] == '"') ++at;
        field.text += line[at];
      }
      ++at;
      if (at < line.size() && line[at] != ',') lines.fail(at + 1, "a comma should follow the quote that ends a field.");
    } else {
      const std::size_t end = std::min(line.find(',', at), line.size());
      field.text = line.substr(at, end - at);
      at = end;
    }
    fields.push_back(field);
    if (at >= line.size()) return fields;
  }
}

std::vector<Word> names_of(const TextLines& lines, std::string_view line) {
  constexpr std::string_view mark = "\xef\xbb\xbf";  // of UTF-8, which some programs put first
  if (line.substr(0, mark.size()) == mark) line.remove_prefix(mark.size());
  std::vector<Word> names = fields_of(lines, line);
  for (Word& name : names) name.text = trimmed(name.text);
  return names;
}

// Where the codes of one operand stand.
struct Columns {
  std::string name;
  Format format;
  std::size_t most = 0;                  // codes that the instruction takes
  std::vector<std::size_t> fields = {};  // name0, name1, ..; or the one field of them all
  bool together = false;                 // in one field, with spaces between them
  bool terms = false;                    // of k, which --pad fills up
};

// "a12" of the operand a: 12.
std::optional<std::size_t> index_of(const std::string& column, const std::string& operand) {
  if (column.size() <= operand.size() || column.compare(0, operand.size(), operand) != 0) return std::nullopt;
  const std::string digits = column.substr(operand.size());
  if (digits.size() > 4 || digits.find_first_not_of("0123456789") != digits.npos) return std::nullopt;
  return static_cast<std::size_t>(std::stoi(digits));
}

// Of one dot product or of whole matrices, or one element of it.
bool names_operand(const std::string& column) {
  constexpr std::array<std::string_view, 6> operands{"a", "b", "c", "d", "scale_a", "scale_b"};
  constexpr std::array<std::string_view, 6> matrices{"A", "B", "C", "D", "scale_A", "scale_B"};
  const auto is_of = [&](std::string_view operand) {
    return column == operand || index_of(column, std::string(operand));
  };
  return std::any_of(operands.begin(), operands.end(), is_of) ||
         std::any_of(further_operand_names.begin(), further_operand_names.end(), is_of) ||
         std::find(matrices.begin(), matrices.end(), column) != matrices.end();
}

constexpr std::size_t most_others = 50;  // members of a case that are passed on: a vector file's line takes 64 in all

class Reader {
 public:
  Reader(const std::string& path, const Plan& plan, const RecordingOptions& options)
      : lines_(path), plan_(plan), options_(options) {
    std::string_view line;
    if (!lines_.next(line)) throw Error{path + " is empty; it should begin with the names of its columns."};
    header_ = names_of(lines_, line);
    used_.resize(header_.size());
    for (std::size_t i = 0; i < header_.size(); ++i) take_name(i);
    a_ = list("a", plan.a, plan.k, true);
    b_ = list("b", plan.b, plan.k, true);
    if (plan.scale) {
      scale_a_ = list("scale_a", *plan.scale, plan.scales);
      scale_b_ = list("scale_b", *plan.scale, plan.scales);
    }
    for (const CaseOperand& more : plan.more) more_.push_back(list(more.name, more.format, more.count));
    const std::size_t c = options.zero_c ? find("c") : single("c", "; --zero-c takes c as zero");
    if (!options.zero_c) c_ = c;
    if (find("d") < header_.size()) d_ = find("d");
    for (std::size_t i = 0; i < header_.size(); ++i) {
      if (!used_[i]) pass_on(i);
    }
  }

  bool next(Case& into) {
    std::string_view line;
    do {
      if (!lines_.next(line)) return false;
    } while (words_of(line).empty());
    const std::vector<Word> fields = fields_of(lines_, line);
    if (fields.size() != header_.size()) {
      lines_.fail(0, "the line has " + counted(fields.size(), "field") + ", but the first names " +
                         std::to_string(header_.size()) + " columns.");
    }
    read(a_, fields, into.a);
    read(b_, fields, into.b);
    if (plan_.scale) {
      read(scale_a_, fields, into.scale_a);
      read(scale_b_, fields, into.scale_b);
    }
    into.more.clear();
    for (const Columns& more : more_) {
      std::vector<Code> codes;
      read(more, fields, codes);
      into.more.insert(into.more.end(), codes.begin(), codes.end());
    }
    for (const CaseOperand& more : plan_.more) {
      if (const std::string problem = mask_problem(more, into.more.data()); !problem.empty()) lines_.fail(0, problem);
    }
    into.c = c_ ? code(fields, *c_, plan_.c) : 0;
    into.d.reset();
    if (d_) into.d = code(fields, *d_, plan_.d);
    into.extra.clear();
    for (const std::size_t other : others_) {
      lines_.expect_utf8(fields[other].column, fields[other].text);
      keep_member(header_[other].text, json_string(fields[other].text), into.extra);
    }
    return true;
  }

 private:
  // As many as there are where there is none of this name.
  std::size_t find(const std::string& name) {
    const auto found = places_.find(name);
    if (found == places_.end()) return header_.size();
    used_[found->second] = true;
    return found->second;
  }

  void take_name(std::size_t i) {
    const Word& name = header_[i];
    if (name.text.empty()) lines_.fail(name.column, "the column has no name.");
    const bool plain = std::all_of(name.text.begin(), name.text.end(), [](char c) {
      return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
    });
    if (!plain) {
      lines_.fail(name.column, "the column's name " + excerpt(name.text) +
                                   " has a quote, a backslash or a control character in it.");
    }
    if (!places_.emplace(name.text, i).second)
      lines_.fail(name.column, "there are two columns " + excerpt(name.text) + "; leave one out.");
  }

  // A column that stays with its case as text, under its own name, which must not be read as an operand there.
  void pass_on(std::size_t i) {
    const Word& name = header_[i];
    if (names_operand(name.text) || names_element(name.text)) {
      lines_.fail(name.column, "the column " + name.text +
                                   " is none that is read here, but has an operand's name; leave it "
                                   "out or give it another name.");
    }
    if (others_.size() == most_others) {
      lines_.fail(name.column, "there are more than " + std::to_string(most_others) +
                                   " columns beside the operands, which is as many as a case carries.");
    }
    lines_.expect_utf8(name.column, name.text);
    others_.push_back(i);
  }

  std::size_t single(const std::string& name, const std::string& advice) {
    const std::size_t at = find(name);
    if (at == header_.size()) lines_.fail(0, "there is no column " + name + advice + ".");
    return at;
  }

  Columns list(const std::string& name, const Format& format, int most, bool terms = false) {
    Columns columns{name, format, static_cast<std::size_t>(most)};
    columns.terms = terms;
    if (const std::size_t at = find(name); at < header_.size()) {
      columns.fields = {at};
      columns.together = true;
      return columns;
    }
    for (;;) {
      const std::string element = name + std::to_string(columns.fields.size());
      const std::size_t at = is_further(element) ? header_.size() : find(element);
      if (at == header_.size()) break;
      columns.fields.push_back(at);
    }
    check_count(columns);
    return columns;
  }

  bool names_element(const std::string& column) const {
    return std::any_of(plan_.more.begin(), plan_.more.end(),
                       [&](const CaseOperand& m) { return index_of(column, m.name).has_value(); });
  }

  // A scale may be called s1, and is no element of s then.
  bool is_further(const std::string& name) const {
    return std::any_of(plan_.more.begin(), plan_.more.end(), [&](const CaseOperand& m) { return m.name == name; });
  }

  void check_count(const Columns& columns) const {
    const std::size_t count = columns.fields.size();
    for (const Word& name : header_) {
      const std::optional<std::size_t> index = index_of(name.text, columns.name);
      if (index && *index > count && !is_further(name.text))
        lines_.fail(name.column, "there is a column " + name.text + ", but none called " + columns.name +
                                     std::to_string(count) + ".");
    }
    if (count == 0) {
      lines_.fail(0, "there is no column " + columns.name + "0, and none called " + columns.name +
                         " with all the codes, spaces between them.");
    }
    check_length(columns, count, 0);
  }

  void check_length(const Columns& columns, std::size_t count, std::size_t column) const {
    const bool fills_up = columns.terms && has_zero_code(columns.format);
    const bool short_one = count < columns.most && !(options_.pad && fills_up);
    if (count <= columns.most && !short_one) return;
    const std::string advice = short_one && fills_up ? "; --pad fills up with zeros" : "";
    lines_.fail(column, columns.name + " has " + counted(count, "code") + ", but the instruction takes " +
                            std::to_string(columns.most) + advice + ".");
  }

  void read(const Columns& columns, const std::vector<Word>& fields, std::vector<Code>& codes) const {
    codes.assign(columns.most, zero_code(columns.format));
    if (!columns.together) {
      for (std::size_t i = 0; i < columns.fields.size(); ++i)
        codes[i] = code(fields, columns.fields[i], columns.format);
      return;
    }
    const Word& field = fields[columns.fields[0]];
    const std::vector<Word> words = words_of(field.text);
    check_length(columns, words.size(), field.column);
    for (std::size_t i = 0; i < words.size(); ++i)
      codes[i] =
          code(words[i].text, field.column + words[i].column - 1, columns.name + std::to_string(i), columns.format);
  }

  Code code(const std::vector<Word>& fields, std::size_t at, const Format& format) const {
    return code(trimmed(fields[at].text), fields[at].column, header_[at].text, format);
  }

  Code code(const std::string& text, std::size_t column, const std::string& name, const Format& format) const {
    try {
      return parse_value(text, format);
    } catch (const ScanError& error) {
      lines_.fail(column, name + ": " + error.message);
    }
  }

  TextLines lines_;
  const Plan& plan_;
  RecordingOptions options_;
  std::vector<Word> header_;
  std::unordered_map<std::string, std::size_t> places_;  // by name
  std::vector<bool> used_;
  Columns a_, b_, scale_a_, scale_b_;
  std::vector<Columns> more_;  // of each of plan.more
  std::optional<std::size_t> c_, d_;
  std::vector<std::size_t> others_;  // columns that are passed on as they stand
};

bool recognises(const std::string& path) {
  TextLines lines(path);
  std::string_view line;
  if (!lines.next(line) || line.find(',') == line.npos || line.substr(0, 1) == "{") return false;
  const std::vector<Word> names = names_of(lines, line);
  return std::any_of(names.begin(), names.end(), [](const Word& n) { return n.text == "a" || n.text == "a0"; });
}

Recording open(const std::string& path, const Plan& plan, const RecordingOptions& options) {
  auto reader = std::make_shared<Reader>(path, plan, options);
  return {{path}, "", [reader](Case& into) { return reader->next(into); }};
}

}  // namespace

const RecordingFormat csv_format{
    "csv", "columns a0, a1, .. or a, likewise b; c, d; scale_a, scale_b and what else the case takes, by name",
    recognises, open};

}  // namespace assay
