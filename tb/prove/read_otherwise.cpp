#include "tb/prove/read_otherwise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>
#include <string_view>

#include "model/base/text.hpp"
#include "tb/devices/rtl/cache.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

struct Token {
  enum class Kind { word, number, text, comment, sign };
  Kind kind = Kind::sign;
  std::string_view text;
  int line = 1;

  bool is(std::string_view other) const { return text == other; }
};

bool is_word(char c) { return c == '_' || c == '$' || (std::isalnum(static_cast<unsigned char>(c)) != 0); }

// As far as this takes: a number with a base is one token, `5'(` is three, `'1` is one.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : rest_(text) {}

  std::vector<Token> all() {
    std::vector<Token> tokens;
    for (;;) {
      skip_spaces();
      if (rest_.empty()) return tokens;
      const auto [kind, length] = next();
      const std::string_view taken = take(length);
      tokens.push_back({kind, taken, line_});
      line_ += static_cast<int>(std::count(taken.begin(), taken.end(), '\n'));
    }
  }

 private:
  using Next = std::pair<Token::Kind, std::size_t>;

  void skip_spaces() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0)
      line_ += take(1).front() == '\n' ? 1 : 0;
  }

  std::string_view take(std::size_t length) {
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  Next next() const {
    if (starts_with(rest_, "//")) return {Token::Kind::comment, std::min(rest_.find('\n'), rest_.size())};
    if (starts_with(rest_, "/*")) return {Token::Kind::comment, up_to("*/", 2)};
    if (rest_.front() == '"') return {Token::Kind::text, text()};
    if (rest_.front() == '\\') return {Token::Kind::word, rest_.find_first_of(" \t\r\n")};
    if (std::isdigit(static_cast<unsigned char>(rest_.front())) != 0) return {Token::Kind::number, number()};
    if (rest_.front() == '\'' && rest_.size() > 1 && is_word(rest_[1])) return {Token::Kind::number, 1 + words(1)};
    if (is_word(rest_.front()) || rest_.front() == '`') return {Token::Kind::word, 1 + words(1)};
    for (const std::string_view sign : {"===", "!==", "&&", "||", "~&", "~|", "~^", "^~"}) {
      if (starts_with(rest_, sign)) return {Token::Kind::sign, sign.size()};
    }
    return {Token::Kind::sign, 1};
  }

  std::size_t up_to(std::string_view end, std::size_t from) const {
    const std::size_t at = rest_.find(end, from);
    return at == std::string_view::npos ? rest_.size() : at + end.size();
  }

  std::size_t text() const {
    std::size_t at = 1;
    while (at < rest_.size() && rest_[at] != '"') at += rest_[at] == '\\' ? 2 : 1;
    return at + 1;
  }

  // How many characters from there are of words.
  std::size_t words(std::size_t from) const {
    std::size_t at = from;
    while (at < rest_.size() && is_word(rest_[at])) ++at;
    return at - from;
  }

  std::size_t number() const {
    const std::size_t digits = words(0);
    const bool has_base = digits + 1 < rest_.size() && rest_[digits] == '\'' && is_word(rest_[digits + 1]);
    return has_base ? digits + 1 + words(digits + 1) : digits;
  }

  std::string_view rest_;
  int line_ = 1;
};

using Found = std::vector<ReadOtherwise>;

class Reading {
 public:
  Reading(std::string_view text, std::string file) : file_(std::move(file)) {
    for (const Token& t : Tokens(text).all()) (t.kind == Token::Kind::comment ? comments_ : tokens_).push_back(t);
  }

  Found all() {
    for (const Token& comment : comments_) of_comment(comment);
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      of_word(i);
      of_cast(i);
      of_ones(i);
    }
    std::stable_sort(found_.begin(), found_.end(), [](const auto& x, const auto& y) { return x.line < y.line; });
    return std::move(found_);
  }

 private:
  void of_comment(const Token& comment) {
    struct Pragma {
      std::string_view words, how;
    };
    for (const Pragma& p : {Pragma{"synopsys translate_off", "yosys leaves out what follows"},
                            Pragma{"synthesis translate_off", "yosys leaves out what follows"},
                            Pragma{"synopsys parallel_case", "yosys takes all branches that fit at once"}}) {
      if (comment.text.find(p.words) != std::string_view::npos)
        found(comment.line, fmt::format("`{}`, {}", p.words, p.how));
    }
  }

  void of_word(std::size_t i) {
    const Token& token = tokens_[i];
    const std::string_view next = i + 1 < tokens_.size() ? tokens_[i + 1].text : std::string_view{};
    if (token.is("`ifdef") || token.is("`ifndef") || token.is("`elsif")) {
      if (next == "SYNTHESIS" || next == "YOSYS" || next == "VERILATOR")
        found(token.line, fmt::format("`{} {}`, which one of the two defines", token.text, next));
    } else if (token.is("unique") && starts_with(next, "case")) {
      found(token.line, fmt::format("`unique {}`, of which yosys takes all branches that fit at once", next));
    } else if (token.is("===") || token.is("!==") || token.is("casex")) {
      found(token.line, fmt::format("`{}`, which Verilator reads by two values", token.text));
    } else if (token.is("$readmemh") || token.is("$readmemb")) {
      found(token.line, fmt::format("`{}`, whose file yosys seeks beside the source", token.text));
    }
  }

  // An operator of one operand before a cast to a size: the casts to a sign are read as they should be.
  //
  //   a + ~ (W + 1) ' ( x )
  //       ^ ^         ^ i
  //       | size begins
  //       operator
  void of_cast(std::size_t i) {
    if (!tokens_[i].is("'") || i + 1 == tokens_.size() || !tokens_[i + 1].is("(") || i == 0) return;
    const std::size_t size = begin_of_size(i - 1);
    if (size == 0 || tokens_[i - 1].is("signed") || tokens_[i - 1].is("unsigned")) return;
    const Token& sign = tokens_[size - 1];
    const bool may_be_of_one = sign.kind == Token::Kind::sign && is_among(sign.text, operators_of_one);
    if (!may_be_of_one || (size > 1 && ends_operand(tokens_[size - 2]))) return;
    std::string what{sign.text};
    for (std::size_t t = size; t < i; ++t) what += tokens_[t].text;
    found(sign.line,
          fmt::format("`{}'(..)`, an operator before a cast, read as `({})'(..)`; `{}({}'(..))` is read alike", what,
                      what, sign.text, what.substr(sign.text.size())));
  }

  // Of what ends there; 0 where it has no beginning.
  std::size_t begin_of_size(std::size_t end) const {
    if (tokens_[end].kind != Token::Kind::sign) return end;
    if (!tokens_[end].is(")")) return 0;
    int open = 0;
    for (std::size_t t = end + 1; t-- > 0;) {
      open += tokens_[t].is(")") ? 1 : tokens_[t].is("(") ? -1 : 0;
      if (open == 0) return t;
    }
    return 0;
  }

  static constexpr std::array<std::string_view, 10> operators_of_one{"~", "!", "-",  "+",  "&",
                                                                     "|", "^", "~&", "~|", "~^"};

  template <std::size_t N>
  static bool is_among(std::string_view text, const std::array<std::string_view, N>& all) {
    return std::find(all.begin(), all.end(), text) != all.end();
  }

  static bool ends_operand(const Token& token) {
    constexpr std::array<std::string_view, 4> opening{"return", "else", "begin", "inside"};
    if (token.kind == Token::Kind::sign) return token.is(")") || token.is("]") || token.is("}");
    return !is_among(token.text, opening);
  }

  // '1 as what a parameter is without a value of its own.
  void of_ones(std::size_t i) {
    if (!tokens_[i].is("'1") || i == 0 || !tokens_[i - 1].is("=")) return;
    for (std::size_t t = i; t-- > 0 && !tokens_[t].is(";");) {
      if (!tokens_[t].is("parameter") && !tokens_[t].is("localparam")) continue;
      return found(tokens_[i].line,
                   "`'1`, a parameter's value, which yosys may take for one bit; "
                   "`{N{1'b1}}` is read alike");
    }
  }

  void found(int line, std::string what) { found_.push_back({file_, line, std::move(what)}); }

  std::string file_;
  std::vector<Token> tokens_, comments_;
  Found found_;
};

// "package.svh" of `include "package.svh"
std::vector<std::string> included(const std::string& text) {
  std::vector<std::string> names;
  const std::vector<Token> tokens = Tokens(text).all();
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const std::string_view name = tokens[i + 1].text;
    if (tokens[i].is("`include") && tokens[i + 1].kind == Token::Kind::text && name.size() > 2)
      names.emplace_back(name.substr(1, name.size() - 2));
  }
  return names;
}

}  // namespace

std::vector<ReadOtherwise> read_otherwise(const std::string& text, const std::string& file) {
  return Reading(text, file).all();
}

std::vector<ReadOtherwise> read_otherwise(const Dut& dut) {
  const fs::path folder = fs::absolute(dut.file).parent_path();  // an absolute path behind it takes its place
  std::vector<fs::path> files;
  for (const std::string& source : dut.sources) files.push_back(folder / source);
  std::set<fs::path> seen;
  Found all;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const fs::path file = files[i].lexically_normal();
    if (!fs::is_regular_file(file) || !seen.insert(file).second) continue;
    const std::string text = file_text(file);
    for (ReadOtherwise& one : read_otherwise(text, file.filename().string())) all.push_back(std::move(one));
    for (const std::string& name : included(text)) {
      files.push_back(file.parent_path() / name);
      for (const std::string& include : dut.include_dirs) files.push_back(folder / include / name);
    }
  }
  return all;
}

}  // namespace assay
