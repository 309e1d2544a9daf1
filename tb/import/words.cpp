// Four files side by side: a_PART_TYPE.txt and b_PART_TYPE.txt with a dot product a line, its terms as binary32 words
// in hexadecimal; c_PART_TYPE.txt and d_PART_TYPE.txt with a number a line, the 32 digits of a binary32 word.
#include <algorithm>
#include <filesystem>

#include "model/core/values.hpp"
#include "tb/import/recording.hpp"
#include "tb/import/text_lines.hpp"
#include "tb/import/value.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

const Format& f32() { return *find_format("f32"); }

// d_PART_TYPE.txt as {"d", "PART"}; empty where the name is no such name.
struct Name {
  std::string operand, part;
};

Name name_of(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::size_t first = name.find('_'), last = name.rfind('_');
  if (path.extension() != ".txt" || first != 1 || last <= first + 1) return {};
  return {name.substr(0, 1), name.substr(2, last - 2)};
}

// The file beside `d` that has this operand of the same part.
std::string beside(const fs::path& d, const std::string& operand) {
  const std::string part = name_of(d).part;
  const fs::path folder = d.has_parent_path() ? d.parent_path() : fs::path(".");
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator(); at.increment(error)) {
    const Name name = name_of(at->path());
    std::error_code ignored;
    if (!at->is_regular_file(ignored)) continue;
    if (name.operand == operand && name.part == part) found.push_back(at->path().lexically_normal());
  }
  if (error)
    throw Error{folder.string() + ", in which " + d.string() + " lies, cannot be read: " + error.message() +
                "; a, b and c are looked for there."};
  std::sort(found.begin(), found.end());
  const std::string wanted = operand + "_" + part + "_*.txt";
  if (found.empty()) {
    const std::string zero = operand == "c" ? "; --zero-c takes c as zero" : "";
    throw Error{d.string() + ": there is no " + wanted + " beside it, with the " + operand + " of its cases" + zero +
                "."};
  }
  if (found.size() > 1) {
    throw Error{d.string() + ": there are several " + wanted + " beside it (" + found[0].filename().string() + ", " +
                found[1].filename().string() + "); leave one there."};
  }
  return found[0].string();
}

// The terms of a or b. Every line has as many as the first.
class Terms {
 public:
  Terms(const std::string& path, const Format& format, int k)
      : lines_(path), format_(format), k_(static_cast<std::size_t>(k)) {}

  bool next(std::vector<Code>& codes) {
    std::vector<Word> words;
    if (!lines_.next_with_words(words)) return false;
    if (count_ == 0) count_ = words.size();
    if (words.size() != count_) {
      lines_.fail(0, "the line has " + counted(words.size(), "word") + ", but the first has " + std::to_string(count_) +
                         "; every line has as many.");
    }
    if (count_ > k_) {
      lines_.fail(words[k_].column, "the line has " + counted(count_, "word") + ", but the instruction takes " +
                                        std::to_string(k_) + " terms at most.");
    }
    if (count_ < k_ && !has_zero_code(format_)) {
      lines_.fail(0, "the line has " + counted(count_, "word") + " of " + std::to_string(k_) + ", and " + format_.name +
                         " has no zero to fill up with.");
    }
    codes.assign(k_, zero_code(format_));
    for (std::size_t i = 0; i < count_; ++i) codes[i] = code(words[i]);
    return true;
  }

  const TextLines& lines() const { return lines_; }

 private:
  Code code(const Word& word) const {
    return at_place(lines_, word.column, [&] {
      const Code f32_code = parse_hex(word.text, f32());
      const std::optional<Code> same = same_number(f32_code, f32(), format_);
      if (!same)
        throw ScanError{"the number of the word " + excerpt(word.text) + " is none of " + format_.name +
                        ", which the instruction takes."};
      return *same;
    });
  }

  TextLines lines_;
  Format format_;
  std::size_t k_, count_ = 0;
};

// c or d: a binary32 word a line.
class Numbers {
 public:
  explicit Numbers(const std::string& path) : lines_(path) {}

  bool next(Word& word, Code& code) {
    std::vector<Word> words;
    if (!lines_.next_with_words(words)) return false;
    if (words.size() > 1)
      lines_.fail(words[1].column, "the line has " + counted(words.size(), "word") + "; it takes one.");
    word = words[0];
    code = at_place(lines_, word.column, [&] { return parse_binary(word.text, f32()); });
    return true;
  }

  const TextLines& lines() const { return lines_; }

 private:
  TextLines lines_;
};

class Reader {
 public:
  Reader(const std::string& d, const Plan& plan, const RecordingOptions& options)
      : a_(beside(d, "a"), plan.a, plan.k), b_(beside(d, "b"), plan.b, plan.k), d_(d), plan_(plan) {
    if (!options.zero_c) c_.emplace(beside(d, "c"));
  }

  std::vector<std::string> files() const {
    std::vector<std::string> names{a_.lines().file(), b_.lines().file()};
    if (c_) names.push_back(c_->lines().file());
    names.push_back(d_.lines().file());
    return names;
  }

  bool next(Case& into) {
    Word word, ignored;
    Code d = 0, c = 0;
    const bool more = d_.next(word, d);
    expect(a_.next(into.a), more, a_.lines());
    expect(b_.next(into.b), more, b_.lines());
    if (c_) expect(c_->next(ignored, c), more, c_->lines());
    if (!more) return false;
    into.c = nearest_number(c, f32(), plan_.c);  // as the programs do that recorded it
    into.d = same_number(d, f32(), plan_.d);
    if (into.d) return true;
    d_.lines().fail(word.column, "the number of the word " + excerpt(word.text) + " is none of " + plan_.d.name +
                                     ", the format of the instruction's d.");
  }

 private:
  // Both files have a line, or neither has.
  void expect(bool found, bool wanted, const TextLines& lines) const {
    if (found == wanted) return;
    const TextLines &shorter = found ? d_.lines() : lines, &longer = found ? lines : d_.lines();
    shorter.fail(0, "the file ends here, but " + longer.file() + " goes on; they are of one length.");
  }

  Terms a_, b_;
  Numbers d_;
  std::optional<Numbers> c_;
  const Plan& plan_;
};

bool recognises(const std::string& path) {
  if (name_of(path).operand != "d") return false;
  TextLines lines(path);
  std::vector<Word> words;
  return lines.next_with_words(words) && words.size() == 1 &&
         words[0].text.find_first_not_of("01") == std::string::npos;
}

Recording open(const std::string& path, const Plan& plan, const RecordingOptions& options) {
  const Name name = name_of(path);
  if (name.operand != "d")
    throw Error{path + " is not called d_PART_TYPE.txt, as results are in this layout; a, b and c lie beside it."};
  if (plan.scale)
    throw Error{path + ": this layout has no scales, but the instruction takes some; csv and listing have them."};
  if (!plan.more.empty())
    throw Error{path + ": this layout has no " + plan.more.front().name +
                ", but the instruction takes it; csv and listing have columns and lines for it."};
  auto reader = std::make_shared<Reader>(path, plan, options);
  return {reader->files(), name.part, [reader](Case& into) { return reader->next(into); }};
}

}  // namespace

const RecordingFormat words_format{
    "words", "d_PART_TYPE.txt with a, b and c beside it: binary32 words, hexadecimal and binary", recognises, open};

}  // namespace assay
