// Reads the YAML that people write by hand, a line at a time: mappings and lists by indentation or in brackets, words
// and words in quotes, comments, anchors and aliases. Whatever could mean something else in YAML - a word that goes on
// in the next line, a key without a value, a tag, a tab, a letter that is not ASCII - is left to yaml-cpp, and so is
// every mistake.
#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "model/config/yaml_tree.hpp"

namespace assay {
namespace {

using Kind = YamlNode::Kind;

// Thrown within this file only.
struct NotPlain {};

constexpr int deepest = 50;
constexpr std::size_t longest_word = 500;  // yaml-cpp takes no key beyond 1,024 characters

bool is_word_letter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

bool is_one_of(char c, std::string_view letters) { return letters.find(c) != std::string_view::npos; }

// What YAML takes for nothing.
bool is_nothing(std::string_view word) {
  return word.empty() || word == "~" || word == "null" || word == "Null" || word == "NULL";
}

class Reader {
 public:
  Reader(std::string_view text, YamlDocument& document) : text_(text), document_(document) {}

  const YamlNode* document() {
    for (const char c : text_) require(c == '\n' || (c >= ' ' && c <= '~'));
    skip_lines();
    require(!at_end());
    const YamlNode* root = block(-1, 0);
    require(at_end());
    return root;
  }

 private:
  static void require(bool plain) {
    if (!plain) throw NotPlain{};
  }

  // --- characters ---

  bool at_end() const { return at_ == text_.size(); }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\n'; }
  bool is_blank(std::size_t ahead) const { return is_one_of(peek(ahead), " \n"); }
  int column() const { return static_cast<int>(at_ - line_begin_); }

  void skip_spaces() {
    while (!at_end() && peek() == ' ') ++at_;
  }

  // To the end of the line, where only a comment may stand.
  void finish_line() {
    const std::size_t before = at_;
    skip_spaces();
    if (peek() == '#') {
      require(at_ > before || column() == 0);
      while (peek() != '\n') ++at_;
    }
    require(peek() == '\n');
  }

  // To the next line that says something; also from the middle of one whose rest is no more than a comment.
  void skip_lines() {
    while (true) {
      const std::size_t before = at_;
      skip_spaces();
      if (peek() != '\n' && peek() != '#') {
        // The marks of documents and the directives of YAML.
        if (column() == 0) require(peek() != '%' && text_.substr(at_, 3) != "---" && text_.substr(at_, 3) != "...");
        return;
      }
      at_ = before;  // a comment needs what stands before it
      finish_line();
      if (at_end()) return;
      ++at_;
      ++line_;
      line_begin_ = at_;
    }
  }

  // --- nodes ---

  YamlNode& made(Kind kind) {
    YamlNode& node = document_.nodes.emplace_back();
    node.kind = kind;
    node.line = line_;
    return node;
  }

  const YamlNode* word(std::string_view text) {
    YamlNode& node = made(is_nothing(text) ? Kind::none : Kind::scalar);
    if (node.kind == Kind::scalar) node.text = text;
    return &node;
  }

  // `&name`, to be given to the node that follows.
  struct Anchor {
    std::string name;
    int line;
  };

  std::string anchor_name() {
    const std::size_t begin = ++at_;
    while (is_word_letter(peek())) ++at_;
    require(at_ > begin && is_one_of(peek(), " \n,]}"));
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::optional<Anchor> anchor() {
    if (peek() != '&') return std::nullopt;
    const int line = line_;
    return Anchor{anchor_name(), line};
  }

  const YamlNode* alias() {
    const auto named = anchors_.find(anchor_name());
    require(named != anchors_.end());
    return named->second;
  }

  // --- words ---

  // In double quotes without escapes, or in single ones.
  std::string_view quoted() {
    const char quote = peek();
    const std::size_t begin = ++at_;
    while (peek() != quote) {
      require(peek() != '\n' && peek() != '\\');
      ++at_;
    }
    const std::string_view text = text_.substr(begin, at_ - begin);
    ++at_;
    require(peek() != quote && text.size() <= longest_word);  // '' is a quote within a word
    return text;
  }

  // Up to the comment, the colon or, in brackets, whatever ends a value there.
  std::string_view bare(bool in_brackets) {
    const std::size_t begin = at_;
    require(!is_one_of(peek(), "?:,[]{}#&*!|>'\"%@`") && !(peek() == '-' && is_blank(1)) && peek() != '\n');
    while (peek() != '\n') {
      if (peek() == ':' && is_blank(1)) break;
      if (peek() == '#' && text_[at_ - 1] == ' ') break;
      if (in_brackets) {
        require(peek() != '?' && !(peek() == ':' && is_one_of(peek(1), ",[]{}")));
        if (is_one_of(peek(), ",[]{}")) break;
      }
      ++at_;
    }
    std::size_t end = at_;
    while (end > begin && text_[end - 1] == ' ') --end;
    require(end - begin <= longest_word);
    at_ = end;
    return text_.substr(begin, end - begin);
  }

  bool is_quote() const { return peek() == '"' || peek() == '\''; }

  // A word, or an alias.
  const YamlNode* single(bool in_brackets) {
    if (peek() == '*') return alias();
    if (!is_quote()) return word(bare(in_brackets));
    YamlNode& node = made(Kind::scalar);
    node.text = quoted();
    return &node;
  }

  // A word and its colon.
  const YamlNode* key(bool in_brackets) {
    require(peek() != '*');
    const YamlNode* node = single(in_brackets);
    require(node->kind == Kind::scalar && peek() == ':' && is_blank(1));
    ++at_;
    return node;
  }

  // --- in brackets, perhaps over several lines, each further in than `indent` ---

  void skip_in_brackets(int indent) {
    skip_lines();
    require(!at_end() && column() > indent);
  }

  const YamlNode* in_brackets(int indent, int depth) {
    const std::optional<Anchor> name = anchor();
    if (name) skip_in_brackets(indent);
    if (peek() == '[' || peek() == '{') return collection(indent, depth, name);
    require(!name);
    return single(true);
  }

  void give(const Anchor& name, YamlNode& node) {
    node.line = name.line;
    anchors_[name.name] = &node;
  }

  const YamlNode* collection(int indent, int depth, const std::optional<Anchor>& name) {
    require(depth < deepest);
    const bool is_list = peek() == '[';
    const char end = is_list ? ']' : '}';
    YamlNode& node = made(is_list ? Kind::list : Kind::mapping);
    if (name) give(*name, node);
    ++at_;
    skip_in_brackets(indent);
    while (peek() != end || !node.values.empty()) {
      if (!is_list) {
        node.keys.push_back(key(true));
        skip_in_brackets(indent);
      }
      node.values.push_back(in_brackets(indent, depth + 1));
      skip_in_brackets(indent);
      if (peek() == end) break;
      require(peek() == ',');
      ++at_;
      skip_in_brackets(indent);
    }
    ++at_;
    if (!is_list) check_keys(node);
    return &node;
  }

  // --- by indentation ---

  // Whether a mapping begins here: a word and its colon, in this line.
  bool is_key() {
    if (is_one_of(peek(), "[{&*")) return false;
    const std::size_t begin = at_;
    if (is_quote())
      quoted();
    else
      bare(false);
    const bool is = peek() == ':' && is_blank(1);
    at_ = begin;
    return is;
  }

  // What stands at the next column, which has to be further in than `indent`.
  const YamlNode* block(int indent, int depth, const std::optional<Anchor>& name = std::nullopt) {
    require(depth < deepest && column() > indent);
    if (peek() == '-' && is_blank(1)) return block_list(depth, name);
    if (is_key()) return block_mapping(depth, name);
    return in_line(indent, depth, name);
  }

  // A value that ends in its line, or with its bracket.
  const YamlNode* in_line(int indent, int depth, const std::optional<Anchor>& name) {
    const bool is_collection = peek() == '[' || peek() == '{';
    require(is_collection || !name);
    const YamlNode* node = is_collection ? collection(indent, depth, name) : single(false);
    finish_line();
    skip_lines();
    require(at_end() || column() <= indent);
    return node;
  }

  // What follows a key or a dash: in the same line, or further in.
  const YamlNode* value(int indent, int depth, bool after_dash) {
    skip_spaces();
    const std::optional<Anchor> name = anchor();
    if (name) skip_spaces();
    const bool same_line = peek() != '\n' && peek() != '#';
    if (!same_line) {
      finish_line();
      skip_lines();
      require(!at_end() && column() > indent);
      return block(indent, depth, name);
    }
    if (after_dash) {
      require(!name || peek() == '[' || peek() == '{');
      return block(indent, depth, name);
    }
    require(!(peek() == '-' && is_blank(1)) && !is_key());
    return in_line(indent, depth, name);
  }

  const YamlNode* block_mapping(int depth, const std::optional<Anchor>& name) {
    YamlNode& node = made(Kind::mapping);
    if (name) give(*name, node);
    const int indent = column();
    while (!at_end() && column() == indent) {
      node.keys.push_back(key(false));
      node.values.push_back(value(indent, depth + 1, false));
    }
    check_keys(node);
    require(at_end() || column() < indent);
    return &node;
  }

  const YamlNode* block_list(int depth, const std::optional<Anchor>& name) {
    YamlNode& node = made(Kind::list);
    if (name) give(*name, node);
    const int indent = column();
    while (!at_end() && column() == indent) {
      require(peek() == '-' && is_blank(1));
      ++at_;
      node.values.push_back(value(indent, depth + 1, true));
    }
    require(at_end() || column() < indent);
    return &node;
  }

  std::string_view text_;
  YamlDocument& document_;
  std::size_t at_ = 0, line_begin_ = 0;
  int line_ = 1;
  std::map<std::string, const YamlNode*> anchors_;
};

}  // namespace

const YamlNode* read_plain_yaml(const std::string& text, YamlDocument& document) {
  try {
    return Reader(text, document).document();
  } catch (const NotPlain&) {
    document.nodes.clear();
    return nullptr;
  }
}

}  // namespace assay
