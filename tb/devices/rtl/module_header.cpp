#include "tb/devices/rtl/module_header.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "model/base/text.hpp"

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

namespace {

// A word, and where it stands.
struct Placed {
  std::string_view word;
  std::size_t begin = 0, end = 0;
};

bool is_identifier(std::string_view word) {
  return !word.empty() && (std::isalpha(static_cast<unsigned char>(word.front())) != 0 || word.front() == '_');
}

// What stands between a pair of parentheses, the first of which has been passed: at its commas, without them.
std::vector<std::vector<Placed>> items_in_parentheses(Words& words) {
  std::vector<std::vector<Placed>> items(1);
  int depth = 1;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == "(" || word == "[" || word == "{") ++depth;
    if (word == ")" || word == "]" || word == "}") --depth;
    if (depth == 0) break;
    if (word == "," && depth == 1) {
      items.emplace_back();
    } else {
      items.back().push_back({word, words.begin(), words.end()});
    }
  }
  return items;
}

// Of a declaration the word that it declares: the last name before dimensions or a value. The item's size where there
// is none.
std::size_t declared(const std::vector<Placed>& item) {
  std::size_t found = item.size();
  int depth = 0;
  for (std::size_t i = 0; i < item.size() && item[i].word != "="; ++i) {
    if (item[i].word == "]" || item[i].word == ")" || item[i].word == "}") --depth;
    if (depth == 0 && is_identifier(item[i].word)) found = i;
    if (item[i].word == "[" || item[i].word == "(" || item[i].word == "{") ++depth;
  }
  return found;
}

std::vector<std::string> parameter_names(Words& words) {
  std::vector<std::string> names;
  bool local = false;
  for (const std::vector<Placed>& item : items_in_parentheses(words)) {
    const std::size_t name = declared(item);
    if (name == item.size()) continue;
    if (item.front().word == "localparam" || item.front().word == "parameter")
      local = item.front().word == "localparam";
    if (!local) names.emplace_back(item[name].word);
  }
  return names;
}

bool is_direction(std::string_view word) {
  return word == "input" || word == "output" || word == "inout" || word == "ref";
}

// `a, b` after `input logic a` has what stands before that name.
std::vector<HeaderPort> header_ports(const std::string& text, Words& words) {
  std::vector<HeaderPort> ports;
  std::string before;  // "input logic "
  for (const std::vector<Placed>& item : items_in_parentheses(words)) {
    const std::size_t name = declared(item);
    if (name == item.size()) continue;
    if (name > 0) before = text.substr(item.front().begin, item[name].begin - item.front().begin);
    HeaderPort port;
    port.name = std::string(item[name].word);
    port.dimensions = text.substr(item[name].end, item.back().end - item[name].end);
    port.declaration = before + port.name + port.dimensions;
    Words typed(before);
    std::string_view first = typed.next();
    if (!is_direction(first)) port.interface = std::string(first);
    const std::size_t from = is_direction(first) ? typed.end() : 0;
    port.type = trimmed(before.substr(from));
    ports.push_back(std::move(port));
  }
  return ports;
}

}  // namespace

std::optional<ModuleHeader> parse_header(const std::string& preprocessed, const std::string& top) {
  Words words(preprocessed);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word != "module" && word != "macromodule") continue;
    std::string_view name = words.next();
    if (name == "automatic" || name == "static") name = words.next();
    if (name != top) continue;
    ModuleHeader header;
    const std::size_t from = words.end();
    for (word = words.next(); !word.empty() && word != "("; word = words.next()) {
      if (word != "#") continue;
      words.next();
      header.parameters = parameter_names(words);
    }
    header.before_ports = preprocessed.substr(from, words.begin() - from);
    header.ports = header_ports(preprocessed, words);
    // A list of mere names is declared in the body.
    if (!header.ports.empty() && header.ports.front().declaration != header.ports.front().name) return header;
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace assay
