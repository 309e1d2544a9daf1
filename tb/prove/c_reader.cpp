#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "model/base/error.hpp"
#include "model/base/text.hpp"
#include "tb/prove/c_tree.hpp"

namespace assay {
namespace {

struct Token {
  enum class Kind { name, number, sign, end };
  Kind kind = Kind::end;
  std::string text;
  int line = 0;
};

// Without comments, lines of the preprocessor, and the word that stands before every function.
class Scanner {
 public:
  explicit Scanner(const std::string& text) : text_(text) {}

  std::vector<Token> all() {
    std::vector<Token> tokens;
    for (Token t = next(); t.kind != Token::Kind::end; t = next()) {
      if (t.text != "ASSAY_FN") tokens.push_back(t);
    }
    tokens.push_back({Token::Kind::end, "the end", line_});
    return tokens;
  }

 private:
  bool has(std::string_view word) const { return text_.compare(at_, word.size(), word) == 0; }

  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  void skip_blank() {
    for (; at_ < text_.size(); ++at_) {
      if (has("//") || text_[at_] == '#') skip_line();
      if (at_ >= text_.size() || std::isspace(static_cast<unsigned char>(text_[at_])) == 0) return;
      if (text_[at_] == '\n') ++line_;
    }
  }

  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

  Token next() {
    skip_blank();
    if (at_ >= text_.size()) return {Token::Kind::end, "", line_};
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    Token::Kind kind =
        std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 ? Token::Kind::number : Token::Kind::name;
    if (end == at_) {
      kind = Token::Kind::sign;
      end = at_ + sign_length();
    }
    const Token token{kind, text_.substr(at_, end - at_), line_};
    at_ = end;
    return token;
  }

  std::size_t sign_length() const {
    for (const char* sign : {"<<=", ">>="}) {
      if (has(sign)) return 3;
    }
    for (const char* sign :
         {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "++", "--", "+=", "-=", "/=", "*=", "|=", "&=", "^="}) {
      if (has(sign)) return 2;
    }
    return 1;
  }

  const std::string& text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

CTypeRef pointer_to(CTypeRef of) {
  CType type;
  type.kind = CType::Kind::pointer;
  type.of = std::move(of);
  return std::make_shared<const CType>(type);
}

CTypeRef array_of(CTypeRef of, int count) {
  CType type;
  type.kind = CType::Kind::array;
  type.of = std::move(of);
  type.count = count;
  return std::make_shared<const CType>(type);
}

CTypeRef bits_of(int width) {
  CType type;
  type.kind = CType::Kind::bits;
  type.width = width;
  return std::make_shared<const CType>(type);
}

class Reader {
 public:
  explicit Reader(std::vector<Token> tokens) : tokens_(std::move(tokens)) {
    for (const int width : {8, 16, 32, 64}) {
      program_.types["uint" + std::to_string(width) + "_t"] = integer_type(width, false);
      program_.types["int" + std::to_string(width) + "_t"] = integer_type(width, true);
    }
    program_.types["bool"] = integer_type(1, false);
    program_.types["int"] = integer_type(32, true);
    program_.types["unsigned"] = integer_type(32, false);
    program_.types["void"] = integer_type(32, true);  // nobody looks at the result
  }

  CProgram read() {
    if (take("namespace")) {
      word();
      expect("{");
    }
    while (now().kind != Token::Kind::end && !is("}")) top();
    return std::move(program_);
  }

 private:
  // --- tokens ---
  const Token& now() const { return tokens_[at_]; }
  const Token& ahead(std::size_t by) const { return tokens_[std::min(at_ + by, tokens_.size() - 1)]; }
  bool is(std::string_view text) const { return now().kind != Token::Kind::end && now().text == text; }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void fail(const std::string& wanted) const {
    throw Error{fmt::format("Line {} of the model as C++ has '{}' where {} is read.", now().line, now().text, wanted)};
  }
  void expect(std::string_view text) {
    if (!take(text)) fail(fmt::format("'{}'", text));
  }
  std::string word() {
    if (now().kind != Token::Kind::name) fail("a name");
    return tokens_[at_++].text;
  }

  // --- types ---
  bool is_type(const Token& t) const {
    return t.text == "const" || t.text == "static" || t.text == "struct" || t.text == "ASSAY_BITS" ||
           program_.types.count(t.text) != 0;
  }

  CTypeRef plain_type() {
    is_static_ = false;
    while (is("static") || is("const")) {
      is_static_ = is_static_ || is("static");
      ++at_;
    }
    if (take("struct")) return structure();
    if (take("enum")) return enumeration();
    if (take("ASSAY_BITS")) {
      expect("(");
      const int width = constant();
      expect(")");
      return bits_of(width);
    }
    const auto found = program_.types.find(now().text);
    if (found == program_.types.end()) fail("a type");
    ++at_;
    return found->second;
  }

  CTypeRef structure() {
    CType type;
    type.kind = CType::Kind::structure;
    expect("{");
    while (!take("}")) {
      for (const CVariable& v : declared(plain_type())) type.members.emplace_back(v.name, v.type);
    }
    return std::make_shared<const CType>(type);
  }

  CTypeRef enumeration() {
    expect("{");
    for (std::uint64_t value = 0; !take("}"); ++value) {
      CExpression number;
      number.value = value;
      number.type = integer_type(32, true);
      program_.globals.push_back({word(), number.type, false, true, {number}});
      take(",");
    }
    return integer_type(32, true);
  }

  // The sizes of arrays are numbers.
  int constant() {
    const CExpression e = conditional();
    if (e.kind != CExpression::Kind::number) fail("a number");
    return static_cast<int>(e.value);
  }

  CVariable declarator(CTypeRef type) {
    CVariable v;
    while (take("*")) type = pointer_to(type);
    if (take("&")) v.by_reference = true;
    v.name = word();
    std::vector<int> counts;
    while (take("[")) {
      counts.push_back(constant());
      expect("]");
    }
    for (auto count = counts.rbegin(); count != counts.rend(); ++count) type = array_of(type, *count);
    v.type = type;
    return v;
  }

  // `name = start, name[4];`
  std::vector<CVariable> declared(const CTypeRef& type) {
    const bool is_static = is_static_;
    std::vector<CVariable> list;
    do {
      CVariable v = declarator(type);
      v.is_static = is_static;
      if (take("=")) v.start.push_back(is("{") ? braces() : conditional());
      list.push_back(std::move(v));
    } while (take(","));
    expect(";");
    return list;
  }

  // --- what stands outside of functions ---
  void top() {
    if (take("typedef")) {
      const CTypeRef type = plain_type();
      const CVariable v = declarator(type);
      program_.types[v.name] = v.type;
      expect(";");
      return;
    }
    CTypeRef type = plain_type();
    if (now().kind == Token::Kind::name && ahead(1).text == "(") return function(type);
    for (CVariable& v : declared(type)) program_.globals.push_back(std::move(v));
  }

  void function(const CTypeRef& result) {
    CFunction f;
    f.name = word();
    f.result = result;
    expect("(");
    while (!take(")")) {
      if (is("void") && ahead(1).text == ")") ++at_;
      if (is(")")) continue;
      const CTypeRef type = plain_type();
      f.parameters.push_back(declarator(type));
      take(",");
    }
    f.body = block();
    program_.functions[f.name] = std::move(f);
  }

  // --- statements ---
  CStatement made(CStatement::Kind kind) const {
    CStatement s;
    s.kind = kind;
    s.line = now().line;
    return s;
  }

  CStatement block() {
    CStatement s = made(CStatement::Kind::block);
    expect("{");
    while (!take("}")) s.parts.push_back(statement());
    return s;
  }

  CStatement statement() {
    if (is("{")) return block();
    CStatement s = made(CStatement::Kind::empty);
    if (take(";")) return s;
    if (take("if")) return condition(s);
    if (take("for")) return loop(s);
    if (take("return")) {
      s.kind = CStatement::Kind::leave;
      if (!is(";")) s.expressions.push_back(expression());
      expect(";");
      return s;
    }
    if (is("(") && ahead(1).text == "void") {  // (void)x;
      while (!take(";")) ++at_;
      return s;
    }
    if (is_type(now()) && ahead(1).text != "(") {
      s.kind = CStatement::Kind::variables;
      s.variables = declared(plain_type());
      return s;
    }
    if (is("ASSAY_BITS")) fail("a named type");
    s.kind = CStatement::Kind::expression;
    s.expressions.push_back(expression());
    expect(";");
    return s;
  }

  CStatement condition(CStatement s) {
    s.kind = CStatement::Kind::condition;
    expect("(");
    s.expressions.push_back(expression());
    expect(")");
    s.parts.push_back(statement());
    if (take("else")) s.parts.push_back(statement());
    return s;
  }

  CStatement loop(CStatement s) {
    s.kind = CStatement::Kind::loop;
    expect("(");
    s.parts.push_back(statement());
    s.expressions.push_back(expression());
    expect(";");
    s.expressions.push_back(expression());
    expect(")");
    s.parts.push_back(statement());
    return s;
  }

  // --- expressions ---
  CExpression made(CExpression::Kind kind, std::string text, std::vector<CExpression> parts) const {
    CExpression e;
    e.kind = kind;
    e.word = std::move(text);
    e.parts = std::move(parts);
    e.line = now().line;
    return e;
  }

  CExpression expression() {
    CExpression left = conditional();
    for (const char* sign : {"=", "+=", "-=", "<<=", ">>=", "/=", "*=", "|=", "&=", "^="}) {
      if (!take(sign)) continue;
      CExpression right = is("{") ? braces() : expression();
      std::string with(sign);
      with.pop_back();
      if (!with.empty()) right = made(CExpression::Kind::binary, with, {left, right});
      return made(CExpression::Kind::assignment, "=", {left, right});
    }
    return left;
  }

  CExpression braces() {
    CExpression e = made(CExpression::Kind::list, "", {});
    expect("{");
    while (!take("}")) {
      e.parts.push_back(is("{") ? braces() : conditional());
      take(",");
    }
    return e;
  }

  CExpression conditional() {
    CExpression condition = binary(0);
    if (!take("?")) return condition;
    CExpression then = conditional();
    expect(":");
    CExpression otherwise = conditional();
    return made(CExpression::Kind::conditional, "?", {condition, then, otherwise});
  }

  static const std::vector<std::vector<std::string>>& ranks() {
    static const std::vector<std::vector<std::string>> table{
        {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="},
        {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
    return table;
  }

  CExpression binary(std::size_t rank) {
    if (rank == ranks().size()) return unary();
    CExpression left = binary(rank + 1);
    const std::vector<std::string>& signs = ranks()[rank];
    while (now().kind == Token::Kind::sign && std::count(signs.begin(), signs.end(), now().text) != 0) {
      const std::string sign = tokens_[at_++].text;
      left = made(CExpression::Kind::binary, sign, {left, binary(rank + 1)});
    }
    return left;
  }

  CExpression unary() {
    for (const char* sign : {"-", "!", "~", "&", "*", "++"}) {
      if (take(sign)) return made(CExpression::Kind::unary, sign, {unary()});
    }
    if (is("(") && is_type(ahead(1)) && (ahead(2).text == ")" || ahead(2).text == "*")) return cast();
    return postfix(primary());
  }

  CExpression cast() {
    expect("(");
    CTypeRef type = plain_type();
    while (take("*")) type = pointer_to(type);
    expect(")");
    CExpression e = made(CExpression::Kind::cast, "", {unary()});
    e.type = type;
    return e;
  }

  CExpression primary() {
    if (take("(")) {
      CExpression e = expression();
      expect(")");
      return e;
    }
    if (now().kind == Token::Kind::number) return number();
    if (is_type(now())) {  // bool(x), magnitude_t(x)
      CExpression e = made(CExpression::Kind::cast, "", {});
      e.type = plain_type();
      expect("(");
      e.parts.push_back(expression());
      expect(")");
      return e;
    }
    const std::string name = word();
    if (!take("(")) return made(CExpression::Kind::name, name, {});
    return made(CExpression::Kind::call, name, arguments());
  }

  std::vector<CExpression> arguments() {
    std::vector<CExpression> list;
    while (!take(")")) {
      list.push_back(expression());
      take(",");
    }
    return list;
  }

  // 4, 0x7fffffff, 1u, 3ULL: as wide as the language says.
  CExpression number() {
    CExpression e = made(CExpression::Kind::number, "", {});
    const std::string text = lower(tokens_[at_++].text);
    const bool is_hex = text.rfind("0x", 0) == 0;
    std::size_t used = 0;
    e.value = std::stoull(text, &used, 0);
    const std::string suffix = text.substr(used);
    const bool is_unsigned = suffix.find('u') != suffix.npos;
    const int needed = e.value > 0x7fffffff ? (is_hex && e.value <= 0xffffffff ? 32 : 64) : 32;
    const int width = suffix.find('l') != suffix.npos ? 64 : needed;
    const bool tops = (e.value >> (width - 1) & 1) != 0;
    e.type = integer_type(width, !is_unsigned && !tops);
    return e;
  }

  CExpression postfix(CExpression e) {
    while (true) {
      if (take("[")) {
        e = made(CExpression::Kind::index, "", {e, expression()});
        expect("]");
      } else if (take("->")) {
        e = made(CExpression::Kind::through, word(), {e});
      } else if (take(".")) {
        e = made(CExpression::Kind::member, word(), {e});
        if (take("(")) {  // x.to_uint64()
          expect(")");
          if (e.word != "to_uint64") fail("to_uint64");
          CExpression plain = made(CExpression::Kind::cast, "", {e.parts.front()});
          plain.type = integer_type(64, false);
          e = plain;
        }
      } else {
        return e;
      }
    }
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  bool is_static_ = false;  // of the type that was read last
  CProgram program_;
};

}  // namespace

CTypeRef integer_type(int width, bool is_signed) {
  CType type;
  type.width = width;
  type.is_signed = is_signed;
  return std::make_shared<const CType>(type);
}

CProgram read_c(const std::string& text) { return Reader(Scanner(text).all()).read(); }

}  // namespace assay
