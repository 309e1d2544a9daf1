// What programs print that try an instruction, a block a case:
//
//   case: 2^-24 - 1 + 1
//   h_a: 0001 bc00 0000 3c00
//   h_b: 3c00 3c00 0000 3c00
//   f_c: 00000000
//   r  : 33800000
//   ref: 33800000
//
// Terms that are not shown are zero. `ref` is what the author expected and no result.
#include <map>

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

Line line_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return {};
  const std::vector<Word> before = words_of(text.substr(0, colon));
  if (before.size() != 1) return {};
  const std::string& key = before[0].text;
  for (const char* known : {"case", "h_a", "h_b", "f_c", "r", "ref"}) {
    if (key != known) continue;
    Line line{key, words_of(text.substr(colon + 1))};
    for (Word& word : line.words) word.column += colon + 1;
    return line;
  }
  return {};
}

class Reader {
 public:
  Reader(const std::string& path, const Plan& plan, const RecordingOptions& options)
      : lines_(path), plan_(plan), zero_c_(options.zero_c) {}

  bool next(Case& into) {
    into.a.assign(static_cast<std::size_t>(plan_.k), 0);
    into.b = into.a;
    into.extra.clear();
    std::string title;
    std::size_t due = 0;
    for (std::string_view text; lines_.next(text);) {
      const Line line = line_of(text);
      if (line.key == "case" && due == 0) {
        title = text.substr(text.find(':') + 1);
      } else if (due < order.size() && line.key == order[due]) {
        read(line, into);
        if (++due == order.size()) return finish(title, into);
      } else if (due > 0 || !(line.key.empty() || line.key == "ref")) {
        lines_.fail(1, excerpt(text) + " stands where the line of " + order[due] + " should, as '" + order[due] +
                           ": ' and bits.");
      }
    }
    if (due > 0)
      lines_.fail(0, std::string("the file ends inside a case, where the line of ") + order[due] + " should stand.");
    return false;
  }

 private:
  static constexpr std::array<const char*, 4> order{"h_a", "h_b", "f_c", "r"};

  void read(const Line& line, Case& into) const {
    if (line.key == "h_a") return terms(line, plan_.a, into.a);
    if (line.key == "h_b") return terms(line, plan_.b, into.b);
    if (line.words.size() != 1)
      lines_.fail(0, line.key + " has " + counted(line.words.size(), "word") + "; it takes one.");
    if (line.key == "r") {
      into.d = code(line.words[0], plan_.d);
    } else {
      into.c = zero_c_ ? 0 : code(line.words[0], plan_.c);
    }
  }

  void terms(const Line& line, const Format& format, std::vector<Code>& codes) const {
    if (line.words.empty() || line.words.size() > codes.size())
      lines_.fail(0, line.key + " has " + counted(line.words.size(), "word") + "; the instruction takes 1 to " +
                         std::to_string(codes.size()) + ".");
    for (std::size_t i = 0; i < line.words.size(); ++i) codes[i] = code(line.words[i], format);
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
  const Plan& plan_;
  bool zero_c_;
};

bool recognises(const std::string& path) {
  TextLines lines(path);
  for (std::string_view text; lines.number() < 64 && lines.next(text);) {
    if (line_of(text).key == "h_a") return true;
  }
  return false;
}

Recording open(const std::string& path, const Plan& plan, const RecordingOptions& options) {
  if (plan.scale) throw Error{path + ": this layout has no scales, but the instruction takes some; csv has them."};
  auto reader = std::make_shared<Reader>(path, plan, options);
  return {{path}, "", [reader](Case& into) { return reader->next(into); }};
}

}  // namespace

const RecordingFormat listing_format{"listing", "blocks of h_a, h_b, f_c and r, in hexadecimal", recognises, open};

}  // namespace assay
