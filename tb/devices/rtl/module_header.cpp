#include "tb/devices/rtl/module_header.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace assay {
namespace {

// The words and signs of a text, one after the other.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  // Empty at the end. A string is one word, with its quotes; an escaped name too.
  std::string_view next() {
    skip();
    begin_ = at_;
    if (at_ >= text_.size()) return "";
    if (text_[at_] == '"') {
      take_string();
    } else if (text_[at_] == '\\') {
      while (at_ < text_.size() && std::isspace(byte()) == 0) ++at_;
    } else if (is_name(text_[at_])) {
      while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    } else {
      ++at_;
    }
    return text_.substr(begin_, at_ - begin_);
  }

  std::size_t begin() const { return begin_; }
  std::size_t end() const { return at_; }

 private:
  static bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }
  unsigned char byte() const { return static_cast<unsigned char>(text_[at_]); }
  bool is(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  // Space, comments, and lines of directives.
  void skip() {
    for (; at_ < text_.size(); ++at_) {
      if (is("//") || text_[at_] == '`') {
        at_ = std::min(text_.find('\n', at_), text_.size() - 1);
      } else if (is("/*")) {
        at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 1;
      } else if (std::isspace(byte()) == 0) {
        return;
      }
    }
  }

  void take_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) at_ += text_[at_] == '\\' ? 1 : 0;
    at_ = std::min(at_ + 1, text_.size());
  }

  std::string_view text_;
  std::size_t begin_ = 0, at_ = 0;
};

// To the semicolon that ends a header; whether it says the direction of any port. `import` has semicolons of its own.
bool pass_header(Words& words) {
  int depth = 0;
  bool directions = false, import = false;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == "(") ++depth;
    if (word == ")") --depth;
    if (word == "import") import = true;
    directions = directions || word == "input" || word == "output" || word == "inout";
    if (word != ";" || depth != 0) continue;
    if (!import) break;
    import = false;
  }
  return directions;
}

void pass_body(Words& words) {
  for (std::string_view word = words.next(); !word.empty() && word != "endmodule"; word = words.next()) {
  }
}

}  // namespace

std::optional<std::string> header_only(const std::string& preprocessed, const std::string& top) {
  Words words(preprocessed);
  std::string kept;
  bool found = false;
  std::size_t from = 0;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word != "module" && word != "macromodule") continue;
    const std::size_t begin = words.begin();
    std::string_view name = words.next();
    if (name == "automatic" || name == "static") name = words.next();
    const bool is_top = name == top, directions = pass_header(words);
    if (is_top && !directions) return std::nullopt;
    const std::size_t end = words.end();
    kept += preprocessed.substr(from, (is_top ? end : begin) - from) + (is_top ? "\nendmodule\n" : "");
    pass_body(words);
    from = words.end();
    found = found || is_top;
  }
  if (!found) return std::nullopt;
  return kept + preprocessed.substr(from);
}

}  // namespace assay
