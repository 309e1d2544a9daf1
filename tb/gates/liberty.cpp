#include "tb/gates/liberty.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "model/base/error.hpp"
#include "model/base/read_double.hpp"

namespace assay {

// --- functions ---

// By descent: alternatives, of products, of what differs, of literals; `^` binds more than `*`, `*` more than `+`.
class FunctionReader {
 public:
  FunctionReader(const std::string& text, const std::vector<std::string>& inputs,
                 std::vector<CellFunction::Step>& steps)
      : text_(text), inputs_(inputs), steps_(steps) {}

  void read() {
    either();
    if (next() != '\0') fail();
  }

 private:
  using Op = CellFunction::Op;

  [[noreturn]] void fail() const { throw Error{"cannot be read as a function of its cell's inputs: " + text_}; }

  char next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  void either() {
    both();
    while (next() == '+' || next() == '|') {
      ++at_;
      both();
      steps_.push_back({Op::either});
    }
  }

  void both() {
    differ();
    for (char c = next(); c != '\0' && c != '+' && c != '|' && c != ')'; c = next()) {
      if (c == '*' || c == '&') ++at_;
      differ();
      steps_.push_back({Op::both});
    }
  }

  void differ() {
    literal();
    while (next() == '^') {
      ++at_;
      literal();
      steps_.push_back({Op::differ});
    }
  }

  void literal() {
    const char c = next();
    if (c == '!') {
      ++at_;
      literal();
      steps_.push_back({Op::invert});
    } else if (c == '(') {
      ++at_;
      either();
      if (next() != ')') fail();
      ++at_;
    } else {
      name();
    }
    while (next() == '\'') {
      ++at_;
      steps_.push_back({Op::invert});
    }
  }

  void name() {
    std::size_t end = at_;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '_'))
      ++end;
    const std::string word = text_.substr(at_, end - at_);
    const auto input = std::find(inputs_.begin(), inputs_.end(), word);
    at_ = end;
    if (input != inputs_.end()) {
      steps_.push_back({Op::input, static_cast<int>(input - inputs_.begin())});
    } else if (word == "0" || word == "1") {
      steps_.push_back({Op::zero});
      if (word == "1") steps_.push_back({Op::invert});
    } else {
      fail();
    }
  }

  const std::string& text_;
  const std::vector<std::string>& inputs_;
  std::vector<CellFunction::Step>& steps_;
  std::size_t at_ = 0;
};

CellFunction::CellFunction(const std::string& text, const std::vector<std::string>& inputs) {
  FunctionReader(text, inputs, steps_).read();
}

std::uint64_t CellFunction::of(const std::uint64_t* inputs) const {
  std::uint64_t stack[32];
  int top = -1;
  for (const Step& step : steps_) {
    switch (step.op) {
      case Op::input: stack[++top] = inputs[step.input]; break;
      case Op::zero: stack[++top] = 0; break;
      case Op::invert: stack[top] = ~stack[top]; break;
      case Op::both: --top, stack[top] &= stack[top + 1]; break;
      case Op::either: --top, stack[top] |= stack[top + 1]; break;
      case Op::differ: --top, stack[top] ^= stack[top + 1]; break;
    }
  }
  return stack[0];
}

namespace {

// --- the file: groups, `name : value;` and `name (values);` ---

struct LibertyGroup {
  std::string kind;
  std::vector<std::string> arguments;
  int line = 1;
  std::vector<std::pair<std::string, std::vector<std::string>>> attributes;
  std::vector<LibertyGroup> groups;

  const std::vector<std::string>* find(const std::string& name) const {
    for (const auto& [key, values] : attributes) {
      if (key == name) return &values;
    }
    return nullptr;
  }
  std::string text(const std::string& name) const {
    const auto* values = find(name);
    return values == nullptr || values->empty() ? "" : values->front();
  }
  std::vector<const LibertyGroup*> all(const std::string& of_kind) const {
    std::vector<const LibertyGroup*> list;
    for (const LibertyGroup& group : groups) {
      if (group.kind == of_kind) list.push_back(&group);
    }
    return list;
  }
};

class LibertyReader {
 public:
  LibertyReader(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  LibertyGroup read() {
    LibertyGroup top;
    top.kind = word("the word `library`");
    arguments(top.arguments);
    body(top);
    return top;
  }

  [[noreturn]] void fail(int line, const std::string& sentence) const {
    throw Error{file_ + ":" + std::to_string(line) + ": " + sentence};
  }

 private:
  void skip() {
    for (;; ++at_) {
      if (text_.compare(at_, 2, "/*") == 0) {
        const std::size_t end = text_.find("*/", at_);
        for (; at_ < std::min(end, text_.size()); ++at_) line_ += text_[at_] == '\n' ? 1 : 0;
        if (end == text_.npos) fail(line_, "a comment does not end.");
        ++at_;
      } else if (at_ >= text_.size() ||
                 (std::isspace(static_cast<unsigned char>(text_[at_])) == 0 && text_[at_] != '\\')) {
        return;
      } else if (text_[at_] == '\n') {
        ++line_;
      }
    }
  }

  bool takes(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string word(const std::string& what) {
    skip();
    if (takes('"')) {
      const std::size_t end = text_.find('"', at_);
      if (end == text_.npos) fail(line_, "a text does not end.");
      const std::string found = text_.substr(at_, end - at_);
      line_ += static_cast<int>(std::count(found.begin(), found.end(), '\n'));
      at_ = end + 1;
      return found;
    }
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n:;,(){}\"", at_), text_.size());
    if (end == at_) fail(line_, what + " is missing.");
    const std::string found = text_.substr(at_, end - at_);
    at_ = end;
    return found;
  }

  void arguments(std::vector<std::string>& into) {
    if (!takes('(')) fail(line_, "`(` is missing.");
    while (!takes(')')) {
      into.push_back(word("a value"));
      takes(',');
    }
  }

  void body(LibertyGroup& group) {
    if (!takes('{')) fail(line_, "`{` is missing.");
    while (!takes('}')) {
      const std::string name = word("`}`");
      if (takes(':')) {
        group.attributes.emplace_back(name, std::vector<std::string>{word("a value")});
        takes(';');
        continue;
      }
      LibertyGroup inner;
      inner.kind = name;
      inner.line = line_;
      arguments(inner.arguments);
      skip();
      if (at_ < text_.size() && text_[at_] == '{') {
        body(inner);
        group.groups.push_back(std::move(inner));
      } else {
        takes(';');
        group.attributes.emplace_back(name, inner.arguments);
      }
    }
  }

  const std::string& text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int line_ = 1;
};

// --- what is needed of it ---

class LibraryBuilder {
 public:
  LibraryBuilder(const LibertyReader& reader, const LibertyGroup& top) : reader_(reader), top_(top) {}

  CellLibrary build() {
    CellLibrary library;
    library.volts = number(top_, "nom_voltage");
    read_units();
    for (const LibertyGroup* group : top_.all("cell")) {
      if (is_pad(*group)) continue;
      LibraryCell cell = cell_of(*group);
      library.cells.emplace(cell.name, std::move(cell));
    }
    return library;
  }

 private:
  double value(const LibertyGroup& group, const std::string& text) const {
    double number = 0;
    if (read_double(text.data(), text.data() + text.size(), number).ec != std::errc{})
      reader_.fail(group.line, "a number is needed, found `" + text + "`.");
    return number;
  }

  double number(const LibertyGroup& group, const std::string& name) const {
    if (group.find(name) == nullptr) reader_.fail(group.line, "`" + name + "` is missing.");
    return value(group, group.text(name));
  }

  // "1ns" and (1, pf): no other units were met.
  void read_units() {
    const auto* load = top_.find("capacitive_load_unit");
    if (top_.text("time_unit") != "1ns" || load == nullptr || load->size() != 2 || (*load)[1] != "pf")
      reader_.fail(top_.line, "times in 1ns and loads in pf are read, and these are others.");
    load_unit_ = value(top_, (*load)[0]);
  }

  static bool is_pad(const LibertyGroup& cell) {
    const auto pins = cell.all("pin");
    return std::any_of(pins.begin(), pins.end(),
                       [](const LibertyGroup* pin) { return pin->text("direction") == "inout"; });
  }

  LibraryCell cell_of(const LibertyGroup& group) const {
    LibraryCell cell;
    cell.name = group.arguments.empty() ? "" : group.arguments.front();
    cell.area = number(group, "area");
    std::vector<std::string> names;
    for (const LibertyGroup* pin : group.all("pin")) {
      if (pin->text("direction") != "input") continue;
      names.push_back(pin->arguments.at(0));
      cell.inputs.push_back({names.back(), number(*pin, "capacitance") * load_unit_});
    }
    const auto states = group.all("ff");
    if (!states.empty()) {
      read_register(group, *states.front(), cell);
    } else if (group.all("latch").empty() && group.find("three_state") == nullptr) {
      read_outputs(group, names, cell);
    }
    return cell;
  }

  void read_outputs(const LibertyGroup& group, const std::vector<std::string>& names, LibraryCell& cell) const {
    for (const LibertyGroup* pin : group.all("pin")) {
      if (pin->text("direction") != "output" || pin->find("three_state") != nullptr) continue;
      try {
        cell.outputs.push_back({pin->arguments.at(0), CellFunction(pin->text("function"), names)});
      } catch (const Error& error) {
        reader_.fail(pin->line, "what " + cell.name + " gives at " + pin->arguments.at(0) + " " + error.message);
      }
    }
  }

  // Plain ones only: no reset, the data as they are, the rising edge.
  void read_register(const LibertyGroup& group, const LibertyGroup& state, LibraryCell& cell) const {
    const std::string clock = state.text("clocked_on");
    const bool is_rising = std::any_of(cell.inputs.begin(), cell.inputs.end(),
                                       [&](const CellInput& input) { return input.name == clock; });
    if (!is_rising || state.find("clear") != nullptr || state.find("preset") != nullptr || state.arguments.empty())
      return;
    for (const LibertyGroup* pin : group.all("pin")) {
      const std::string name = pin->arguments.at(0);
      if (pin->text("function") == state.arguments.front()) {
        cell.state = name;
        cell.register_time += time_of(*pin, clock, {"cell_rise", "cell_fall"});
      }
      if (name == state.text("next_state")) {
        cell.data = name;
        cell.register_time += time_of(*pin, clock, {"rise_constraint", "fall_constraint"}, "setup_rising");
      }
    }
    if (cell.state.empty()) cell.data.clear();
  }

  // The longer of both edges, in the middle of their tables.
  double time_of(const LibertyGroup& pin, const std::string& clock, const std::vector<std::string>& tables,
                 const std::string& type = "") const {
    double longest = 0;
    for (const LibertyGroup* timing : pin.all("timing")) {
      if (timing->text("related_pin") != clock || (!type.empty() && timing->text("timing_type") != type)) continue;
      for (const std::string& name : tables) {
        for (const LibertyGroup* table : timing->all(name)) longest = std::max(longest, middle(*table));
      }
    }
    return longest;
  }

  double middle(const LibertyGroup& table) const {
    const auto* rows = table.find("values");
    if (rows == nullptr || rows->empty()) reader_.fail(table.line, "a table has no values.");
    std::vector<std::string> row(1);
    for (const char c : (*rows)[rows->size() / 2]) {
      if (c == ',') {
        row.emplace_back();
      } else if (c != ' ') {
        row.back() += c;
      }
    }
    return value(table, row[row.size() / 2]);
  }

  const LibertyReader& reader_;
  const LibertyGroup& top_;
  double load_unit_ = 1;
};

}  // namespace

double CellLibrary::register_time() const {
  std::optional<double> shortest;
  for (const auto& [name, cell] : cells) {
    if (cell.is_register() && (!shortest || cell.register_time < *shortest)) shortest = cell.register_time;
  }
  if (!shortest) throw Error{"The library of cells has no plain register."};
  return *shortest;
}

CellLibrary read_liberty(const std::string& text, const std::string& file) {
  LibertyReader reader(text, file);
  const LibertyGroup top = reader.read();
  return LibraryBuilder(reader, top).build();
}

}  // namespace assay
