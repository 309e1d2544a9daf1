#include "tb/devices/rtl/draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "model/base/json.hpp"
#include "model/base/text.hpp"

namespace assay {
namespace {

// "a_vec_i" is "a" "vec" "i": names are compared word by word.
std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words{""};
  for (const char c : name) {
    if (c == '_') {
      words.emplace_back();
    } else {
      words.back() += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
  }
  return words;
}

bool has_word(const std::string& name, const std::vector<std::string>& choices) {
  const std::vector<std::string> words = words_of(name);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(choices.begin(), choices.end(), word) != choices.end();
  });
}

class Draft {
 public:
  Draft(const Dut& dut, const std::vector<RtlPort>& ports, const DraftClaim* claim)
      : dut_(dut), ports_(ports), plan_(claim == nullptr ? nullptr : &claim->plan) {
    if (claim != nullptr) claim_ = claim->line;
  }

  std::string text() {
    const auto clock = take(true, 1, {"clk", "clock", "ck"});
    const auto reset = take(true, 1, {"rst", "reset", "arst", "nrst", "nreset"}, {"rst", "reset"});
    std::string lines =
        "# Lines that end in `?` are guesses; what stands in <> only you can tell. docs/rtl.md explains each key.\n";
    lines += claim_ + "\n" + settings();
    lines += "top: " + dut_.top + "\n";
    if (clock) lines += "clock: " + clock->name + "\n";
    if (reset) lines += reset_line(*reset);
    const std::string loading = load();
    lines += handshake(clock.has_value());
    const std::string operand_lines = operands();
    lines += beats();
    lines += loading + operand_lines;
    lines += rest();
    return lines + members(operand_lines);
  }

 private:
  std::string settings() const {
    std::string lines = list("sources", dut_.sources) + list("include_dirs", dut_.include_dirs);
    lines += mapping("defines", dut_.defines) + mapping("parameters", dut_.parameters);
    return lines + list("options", dut_.options);
  }

  static std::string list(const std::string& key, const std::vector<std::string>& items) {
    std::string lines;
    for (const std::string& item : items) lines += "  - " + quoted(item) + "\n";
    return lines.empty() ? "" : key + ":\n" + lines;
  }

  static std::string mapping(const std::string& key, const std::vector<std::pair<std::string, std::string>>& members) {
    std::string lines;
    for (const auto& [name, value] : members) lines += "  " + name + ": " + quoted(value) + "\n";
    return lines.empty() ? "" : key + ":\n" + lines;
  }

  // As YAML reads it back: 4'b0101, a path with a colon.
  static std::string quoted(const std::string& text) {
    const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '/' ||
             c == '.' || c == '+';
    });
    return plain ? text : json_string(text);
  }

  // A name without the words of a group, and without those that say its direction: what belongs together has it in
  // common. "in_valid_i" and "in_ready_o" are "in".
  static std::string stem(const std::string& name, const std::vector<std::string>& words) {
    std::string rest;
    for (const std::string& word : words_of(name)) {
      const bool role = std::find(words.begin(), words.end(), word) != words.end();
      if (!role && word != "i" && word != "o") rest += word + "_";
    }
    return rest;
  }

  using Words = std::vector<std::string>;

  // Two ports, one of whose words is among `first` and `second`, that are named alike otherwise and as wide: the widest
  // of them, neither of which is taken. They are taken.
  std::optional<std::pair<RtlPort, RtlPort>> take_pair(const Words& first, bool first_input, const Words& second,
                                                       bool second_input, int width) {
    const RtlPort *x = nullptr, *y = nullptr;
    for (const RtlPort& one : ports_) {
      for (const RtlPort& other : ports_) {
        const bool free = !taken(one) && !taken(other) && one.name != other.name;
        const bool sides = one.input == first_input && other.input == second_input;
        const bool as_wide = one.width == other.width && one.elements == other.elements;
        if (!free || !sides || !as_wide || (width != 0 && one.width != width)) continue;
        if (!has_word(one.name, first) || !has_word(other.name, second)) continue;
        if (stem(one.name, first) != stem(other.name, second)) continue;
        if (x == nullptr || size(one) > size(*x)) x = &one, y = &other;
      }
    }
    if (x == nullptr) return std::nullopt;
    taken_.insert(taken_.end(), {x->name, y->name});
    return std::make_pair(*x, *y);
  }

  static int size(const RtlPort& port) { return port.width * std::max(1, port.elements); }

  void give_back(const std::optional<RtlPort>& port) {
    if (port) taken_.erase(std::find(taken_.begin(), taken_.end(), port->name));
  }

  // The first port not yet taken, of this direction and width (0: any), one of whose words is among these, or begins
  // so.
  std::optional<RtlPort> take(bool input, int width, const std::vector<std::string>& words,
                              const std::vector<std::string>& beginnings = {}) {
    for (const RtlPort& port : ports_) {
      if (taken(port) || port.input != input || (width != 0 && port.width != width)) continue;
      const bool begins = std::any_of(beginnings.begin(), beginnings.end(), [&](const std::string& word) {
        return words_of(port.name).front().rfind(word, 0) == 0;
      });
      if (!has_word(port.name, words) && !begins) continue;
      taken_.push_back(port.name);
      return port;
    }
    return std::nullopt;
  }
  bool taken(const RtlPort& port) const { return std::find(taken_.begin(), taken_.end(), port.name) != taken_.end(); }

  static std::string reset_line(const RtlPort& reset) {
    const std::vector<std::string> words = words_of(reset.name);
    const bool low = std::any_of(words.begin(), words.end(), [](const std::string& word) {
      return word == "n" || word == "ni" || word == "b" || word == "nrst" || word == "nreset" ||
             (word.size() > 2 && (word.back() == 'n' || word.back() == 'b'));
    });
    return fmt::format("reset: {{port: {}, active: {}}}  # ?\n", reset.name, low ? "low" : "high");
  }

  // What is not needed in the end is an input or an output like any other.
  std::string handshake(bool clocked) {
    if (!clocked) return "handshake: combinational\n";
    const std::string at_work = start_done();
    if (!at_work.empty()) return at_work;
    const Words valid{"valid", "vld"}, ready{"ready", "rdy"};
    const auto in = take_pair(valid, true, ready, false, 1), out = take_pair(valid, false, ready, true, 1);
    auto in_valid = in ? std::optional(in->first) : take(true, 1, valid);
    auto in_ready = in ? std::optional(in->second) : take(false, 1, ready);
    auto out_valid = out ? std::optional(out->first) : take(false, 1, valid);
    auto out_ready = out ? std::optional(out->second) : take(true, 1, ready);
    if (in_valid && out_valid && in_ready && out_ready) {
      return fmt::format(
          "handshake: {{kind: valid_ready, in_valid: {}, in_ready: {}, out_valid: {}, out_ready: {}}}  # ?\n",
          in_valid->name, in_ready->name, out_valid->name, out_ready->name);
    }
    give_back(out_ready);
    const std::string others = names_of(in_valid ? in_valid : in_ready, out_valid ? out_valid : out_ready);
    const std::string inverted = signals(in_valid, in_ready, out_valid, out_ready);
    if (!inverted.empty()) return inverted;
    give_back(in_ready);
    if (in_valid && out_valid) {
      return fmt::format("handshake: {{kind: valid, in_valid: {}, out_valid: {}}}  # ?{}\n", in_valid->name,
                         out_valid->name, in_ready || out_ready ? " without " + names_of(in_ready, out_ready) : "");
    }
    give_back(in_valid);
    give_back(out_valid);
    const auto enable = take(true, 1, {"en", "enable", "ce"});
    return fmt::format("handshake: {{kind: fixed_latency, latency: <CLOCK EDGES>{}}}{}\n",
                       enable ? ", enable: " + enable->name : "",
                       others.empty() ? "" : "  # ? or valid, valid_ready with " + others);
  }

  // One case at a time. That its operands must stay no name tells.
  std::string start_done() {
    const auto start = take(true, 1, {"start"}), done = take(false, 1, {"done", "finish", "finished"});
    if (!start || !done) {
      give_back(start);
      give_back(done);
      return "";
    }
    const std::string ready = ready_signal();
    return fmt::format(
        "handshake: {{kind: start_done, start: {}, done: {}{}}}  # ? and `hold: true` where it reads its operands "
        "while "
        "it runs\n",
        start->name, done->name, ready.empty() ? "" : ", ready: " + ready);
  }

  // What says that operands are taken: "ready_o", or "!busy_o".
  std::string ready_signal() {
    if (const auto ready = take(false, 1, {"ready", "rdy", "idle"})) return ready->name;
    const auto busy = take(false, 1, {"busy", "stall"});
    return busy ? "\"!" + busy->name + "\"" : "";
  }

  // Valid and ready without a ready for results, or by names that are used for them more seldom, some of them inverted.
  std::string signals(const std::optional<RtlPort>& in_valid, const std::optional<RtlPort>& in_ready,
                      const std::optional<RtlPort>& out_valid, const std::optional<RtlPort>& out_ready) {
    if (out_ready) return "";
    const auto in = in_valid ? in_valid : take(true, 1, {"go", "start", "req", "strobe"});
    const auto out = out_valid ? out_valid : take(false, 1, {"done", "ack", "strobe"});
    const auto low = out ? std::nullopt : inverted_output();
    const std::string ready = in_ready ? in_ready->name : ready_signal();
    const std::string given = out ? out->name : low ? "\"!" + low->name + "\"" : "";
    if (in && !given.empty()) {
      if (in_valid && out_valid && ready.empty()) return "";
      return fmt::format("handshake: {{kind: {}, in_valid: {}{}, out_valid: {}}}  # ?\n",
                         ready.empty() ? "valid" : "valid_ready", in->name, ready.empty() ? "" : ", in_ready: " + ready,
                         given);
    }
    if (!in_valid) give_back(in);
    if (!out_valid) give_back(out);
    give_back(low);
    if (!in_ready && !ready.empty()) taken_.pop_back();
    return "";
  }

  // "res_n": low while a result is there.
  std::optional<RtlPort> inverted_output() {
    for (const RtlPort& port : ports_) {
      const std::vector<std::string> words = words_of(port.name);
      const bool low = words.size() > 1 && (words.back() == "n" || words.back() == "no");
      if (taken(port) || port.input || port.width != 1 || !low) continue;
      taken_.push_back(port.name);
      return port;
    }
    return std::nullopt;
  }

  // What is written into the unit before a case: the ports that share a first word with a write enable.
  std::string load() {
    const auto valid = take(true, 1, {"we", "wr", "wen", "write", "load", "ld"});
    if (!valid) return "";
    const std::string group = words_of(valid->name).front();
    const auto ready = take_of(group, false, {"ready", "rdy"}),
               address = take_of(group, true, {"addr", "address", "idx"});
    const bool of_a = has_word(group, operand_a());
    const std::string operand = of_a ? "a" : "b";
    std::string elements = "<ELEMENTS AT A TIME>";
    for (const RtlPort& port : ports_) {
      const bool data = !taken(port) && port.input && words_of(port.name).front() == group;
      if (data && plan_ != nullptr) elements = std::to_string(std::max(1, size(port) / width_of(operand)));
    }
    return fmt::format(
        "load: {{operands: [{}], elements: {}, valid: {}{}{}}}  # ? `stays: true`, where several may use it\n", operand,
        elements, valid->name, ready ? ", ready: " + ready->name : "", address ? ", address: " + address->name : "");
  }

  std::optional<RtlPort> take_of(const std::string& group, bool input, const Words& words) {
    for (const RtlPort& port : ports_) {
      if (taken(port) || port.input != input || words_of(port.name).front() != group) continue;
      if (!has_word(port.name, words)) continue;
      taken_.push_back(port.name);
      return port;
    }
    return std::nullopt;
  }

  // An accumulator inside: marks of the first and the last beat, a clear, or fewer elements at the ports than a case
  // has.
  std::string beats() {
    const auto first = take(true, 1, {"first", "sop"}), last = take(true, 1, {"last", "eop"});
    const auto clear = take(true, 1, {"clr", "clear"});
    const bool fewer = plan_ != nullptr && shown_ > 0 && shown_ < plan_->k;
    if (!first && !last && !clear && !fewer) return "";
    const bool partial = first && !last;
    return fmt::format("beats: {{elements: {}{}{}{}{}}}  # ?\n",
                       shown_ > 0 ? std::to_string(shown_) : "<ELEMENTS AT A TIME>",
                       first ? ", first: " + first->name : "", last ? ", last: " + last->name : "",
                       clear ? ", clear: " + clear->name : "", partial ? ", partial: true" : "");
  }

  static std::string names_of(const std::optional<RtlPort>& x, const std::optional<RtlPort>& y) {
    const std::string first = x ? x->name : "", second = y ? y->name : "";
    return first + (first.empty() || second.empty() ? "" : " and ") + second;
  }

  std::string elements(const std::string& operand, const std::vector<std::string>& names) {
    return elements(operand, take(true, 0, names));
  }

  std::string elements(const std::string& operand, const std::optional<RtlPort>& port) {
    const int width = width_of(operand);
    const std::string bits = width == 0 ? "<BITS OF AN ELEMENT>" : std::to_string(width);
    if (!port) return fmt::format("  {}: {{port: <PORT>, width: {}}}\n", operand, bits);
    const int shown = port->elements != 0                      ? port->elements
                      : width == 0 || port->width % width != 0 ? 0
                                                               : port->width / width;
    if (operand == "a" && shown > 0 && (plan_ == nullptr || plan_->k % shown == 0)) shown_ = shown;
    if (port->elements == 0 && is_spread(operand, *port)) {
      return fmt::format("  {}: {{port: {}, width: {}, stride: {}}}  # ?\n", operand, port->name, width,
                         port->width / plan_->k);
    }
    if (port->elements != 0) {
      return fmt::format("  {}: {{port: \"{}[]\", width: {}}}  # ? {} elements\n", operand, port->name, port->width,
                         port->elements);
    }
    return fmt::format("  {}: {{port: {}, width: {}}}  # ? {} bits in all\n", operand, port->name, bits, port->width);
  }

  // Of an element of a, b or what else a case brings; 0 where nobody said.
  int width_of(const std::string& operand) const {
    if (plan_ == nullptr) return 0;
    for (const ListOperand& known : list_operands(*plan_)) {
      if (known.name == operand) return known.format.stored_bits;
    }
    return 0;
  }

  // A port in which each element has more room than it needs.
  bool is_spread(const std::string& operand, const RtlPort& port) const {
    const int width = width_of(operand);
    if (width == 0 || (operand != "a" && operand != "b") || port.width % plan_->k != 0) return false;
    return port.width / plan_->k > width && (port.width % width != 0 || port.width / width > plan_->k);
  }

  // Ports that share a first word and whose others are all of these, at least two of them: "x_even" and "x_odd".
  std::vector<RtlPort> group(bool input, const Words& firsts, const Words& parts) const {
    for (const std::string& first : firsts) {
      std::vector<RtlPort> found;
      for (const RtlPort& port : ports_) {
        const std::vector<std::string> words = words_of(port.name);
        if (taken(port) || port.input != input || words.front() != first || words.size() < 2) continue;
        if (std::find(parts.begin(), parts.end(), words[1]) != parts.end()) found.push_back(port);
      }
      if (found.size() > 1) return found;
    }
    return {};
  }

  // Even and odd elements, or the lower and the upper ones, on ports of their own; or fields of each element.
  std::string several(const std::string& operand, const Words& firsts) {
    for (const Words& parts : {Words{"even", "odd"}, Words{"lo", "hi"}, Words{"low", "high"}}) {
      const std::vector<RtlPort> ports = group(true, firsts, parts);
      if (ports.size() != 2) continue;
      std::string lines = "  " + operand + ":  # ?\n";
      for (const RtlPort& port : ports) {
        const bool second = words_of(port.name)[1] == parts[1], by_turns = parts[0] == "even";
        lines += fmt::format("    - {{port: {}, width: {}, elements: {}{}}}\n", name_of(port), width_text(operand),
                             elements_text(second, by_turns), by_turns ? ", every: 2" : "");
        taken_.push_back(port.name);
      }
      return lines;
    }
    const std::vector<RtlPort> fields =
        group(true, firsts, {"sign", "exponent", "exp", "mantissa", "mant", "fraction"});
    if (fields.size() < 2) return "";
    std::string lines = "  " + operand + ":  # ?\n";
    for (const RtlPort& port : fields) {
      lines +=
          fmt::format("    - {{port: {}, bits: \"{}\"}}\n", name_of(port), field_bits(operand, words_of(port.name)[1]));
      taken_.push_back(port.name);
    }
    return lines;
  }

  static std::string name_of(const RtlPort& port) { return port.elements != 0 ? "\"" + port.name + "[]\"" : port.name; }
  std::string width_text(const std::string& operand) const {
    return width_of(operand) == 0 ? "<BITS OF AN ELEMENT>" : std::to_string(width_of(operand));
  }
  std::string elements_text(bool second, bool by_turns) const {
    if (plan_ == nullptr) return "<FIRST-LAST>";
    const int k = plan_->k, half = k / 2;
    if (by_turns) return second ? fmt::format("1-{}", k - 1) : fmt::format("0-{}", k - 2);
    return second ? fmt::format("{}-{}", half, k - 1) : fmt::format("0-{}", half - 1);
  }
  std::string field_bits(const std::string& operand, const std::string& field) const {
    if (plan_ == nullptr) return "<HIGHEST:LOWEST>";
    const Format& f = operand == "a" ? plan_->a : plan_->b;
    const int low = f.ignored_low_bits, exponent = low + f.mantissa_bits, sign = exponent + f.exponent_bits;
    if (field == "sign") return std::to_string(sign);
    const bool of_exponent = field == "exponent" || field == "exp";
    const int least = of_exponent ? exponent : low, greatest = (of_exponent ? sign : exponent) - 1;
    return least == greatest ? std::to_string(least) : fmt::format("{}:{}", greatest, least);
  }

  std::string whole(const std::string& operand, bool input, const std::vector<std::string>& names) {
    for (const Words& parts : {Words{"hi", "lo"}, Words{"high", "low"}}) {
      const std::vector<RtlPort> ports = group(input, names, parts);
      if (ports.size() == 2) return pieces(operand, ports, parts[0]);
    }
    const int width = plan_ == nullptr ? 0 : input ? plan_->c.stored_bits : plan_->d.stored_bits;
    const auto port = take(input, width, names);
    if (!port) return pieces_or_none(operand, input);
    return fmt::format("  {}: {}  # ? {}\n", operand, port->name,
                       counted(static_cast<std::uint64_t>(port->width), "bit"));
  }

  // c: ["acc_hi[15:0]", "acc_lo[15:0]"], the highest first; with an empty `highest` as they stand.
  std::string pieces(const std::string& operand, std::vector<RtlPort> ports, const std::string& highest) {
    if (!highest.empty() && words_of(ports[0].name)[1] != highest) std::swap(ports[0], ports[1]);
    std::string list;
    for (const RtlPort& port : ports) {
      list += fmt::format("{}\"{}[{}:0]\"", list.empty() ? "" : ", ", port.name, port.width - 1);
      taken_.push_back(port.name);
    }
    return fmt::format("  {}: [{}]  # ?\n", operand, list);
  }

  // No port has a name for it: none is needed, or what is left is as wide as it in all.
  std::string pieces_or_none(const std::string& operand, bool input) {
    const std::string unknown = fmt::format("  {}: <PORT>\n", operand);
    if (plan_ == nullptr) return unknown;
    if (input && plan_->datapath.start == Start::none) return fmt::format("  {}: none\n", operand);
    std::vector<RtlPort> left;
    int width = 0;
    for (const RtlPort& port : ports_) {
      if (taken(port) || port.input != input || port.elements != 0) continue;
      left.push_back(port);
      width += port.width;
    }
    if (input || left.empty() || width != plan_->d.stored_bits) return unknown;
    const auto rank = [](const RtlPort& port) {
      return has_word(port.name, {"sign"}) ? 0 : has_word(port.name, {"exponent", "exp", "integer", "int"}) ? 1 : 2;
    };
    std::stable_sort(left.begin(), left.end(), [&](const RtlPort& x, const RtlPort& y) { return rank(x) < rank(y); });
    return pieces(operand, left, "");
  }

  // operand_tensor_i is `tensor`, scale_a_i is `scale_a`: as export-sv names what else a case brings.
  std::string further_operands() {
    std::string lines;
    for (const RtlPort& port : ports_) {
      const std::vector<std::string> words = words_of(port.name);
      const bool named = words.front() == "operand" && words.size() > 1;
      if (taken(port) || !port.input || (!named && words.front() != "scale")) continue;
      taken_.push_back(port.name);
      lines += elements(operand_in(words, named ? 1 : 0), port);
    }
    return lines;
  }

  static std::string operand_in(const std::vector<std::string>& words, std::size_t from) {
    std::string name = words[from];
    for (std::size_t i = from + 1; i < words.size(); ++i) {
      if (i + 1 < words.size() || words[i] != "i") name += "_" + words[i];
    }
    return name;
  }

  // --- a tile ---

  struct TilePorts {
    RtlPort a, b, d;
    std::optional<RtlPort> c;
    int rows = 1, columns = 1;
  };

  std::vector<RtlPort> named(bool input, const Words& names) const {
    std::vector<RtlPort> found;
    for (const RtlPort& port : ports_) {
      if (!taken(port) && port.input == input && has_word(port.name, names)) found.push_back(port);
    }
    return found;
  }
  std::optional<RtlPort> of_size(bool input, const Words& names, int bits) const {
    for (const RtlPort& port : named(input, names)) {
      if (size(port) == bits) return port;
    }
    return std::nullopt;
  }

  // Ports whose widths are those of whole rows of a, columns of b and as many elements of c and d as these give.
  std::optional<TilePorts> tile_ports() const {
    if (plan_ == nullptr) return std::nullopt;
    const int of_row = plan_->k * width_of("a"), of_column = plan_->k * width_of("b");
    for (const RtlPort& a : named(true, operand_a())) {
      for (const RtlPort& b : named(true, operand_b())) {
        const int rows = size(a) / of_row, columns = size(b) / of_column;
        const bool whole_lines = rows * of_row == size(a) && columns * of_column == size(b);
        if (a.name == b.name || !whole_lines || rows * columns < 2) continue;
        const auto c = of_size(true, operand_c(), rows * columns * plan_->c.stored_bits),
                   d = of_size(false, operand_d(), rows * columns * plan_->d.stored_bits);
        if (d && (c || plan_->datapath.start == Start::none)) return TilePorts{a, b, *d, c, rows, columns};
      }
    }
    return std::nullopt;
  }

  // How its elements lie is asked where it is not all the same.
  std::string of_tile(const std::string& operand, const RtlPort& port, int width, const std::string& orders) {
    taken_.push_back(port.name);
    return fmt::format("  {}: {{port: {}, width: {}{}}}  # ? {} bits in all\n", operand, name_of(port), width,
                       orders.empty() ? "" : ", by: <" + orders + ">", size(port));
  }

  std::string tile(const TilePorts& t) {
    const bool one_row = t.rows == 1, one_column = t.columns == 1, one_term = plan_->k == 1;
    const std::string of_c = one_row || one_column ? "" : "row, or column";
    std::string lines = fmt::format("tile: {{rows: {}, columns: {}}}  # ?\nports:\n", t.rows, t.columns);
    lines += of_tile("a", t.a, width_of("a"), one_row || one_term ? "" : "row, or element");
    lines += of_tile("b", t.b, width_of("b"), one_column || one_term ? "" : "column, or element");
    lines += t.c ? of_tile("c", *t.c, plan_->c.stored_bits, of_c) : "  c: none\n";
    return lines + of_tile("d", t.d, plan_->d.stored_bits, of_c);
  }

  std::string operands() {
    const std::string further = further_operands();
    if (const auto ports = tile_ports()) return tile(*ports) + further + missing(further);
    std::string lines = "ports:\n";
    const Words a = operand_a(), b = operand_b();
    const std::string several_a = several("a", a), several_b = several("b", b);
    const auto pair = several_a.empty() && several_b.empty() ? take_pair(a, true, b, true, 0) : std::nullopt;
    lines += !several_a.empty() ? several_a : pair ? elements("a", pair->first) : elements("a", a);
    lines += !several_b.empty() ? several_b : pair ? elements("b", pair->second) : elements("b", b);
    lines += whole("c", true, operand_c());
    lines += whole("d", false, operand_d());
    return lines + further + missing(further);
  }

  // What the claim has a case bring, where no port is called as export-sv would call it.
  std::string missing(const std::string& there) {
    std::string lines;
    for (const ListOperand& operand : plan_ == nullptr ? std::vector<ListOperand>{} : assay::further_operands(*plan_)) {
      if (("\n" + there).find("\n  " + operand.name + ": ") == std::string::npos)
        lines += elements(operand.name, Words{operand.name});
    }
    return lines;
  }

  static Words operand_a() { return {"a", "op1", "opa", "lhs", "x", "src1", "srca", "p", "act", "activation"}; }
  static Words operand_b() { return {"b", "op2", "opb", "rhs", "y", "src2", "srcb", "w", "q", "weight", "weights"}; }
  static Words operand_c() { return {"c", "acc", "op3", "opc", "addend", "src3", "srcc", "bias", "psum"}; }
  static Words operand_d() { return {"d", "result", "res", "out", "z", "dst", "q", "sum", "acc", "psum"}; }

  // Ports whose members only you know: interfaces, and what may be a struct where operands have no port yet.
  std::string members(const std::string& operand_lines) const {
    const bool wanting = operand_lines.find("<PORT>") != std::string::npos;
    std::string lines;
    for (const RtlPort& port : ports_) {
      if (port.width == 0 || (wanting && !taken(port) && port.width > 1 && port.elements == 0))
        lines += fmt::format("#   {}.MEMBER{}\n", port.name, port.width == 0 ? "" : ", if it is a struct");
    }
    return lines.empty() ? "" : "# A member of an interface or a struct stands wherever a port may:\n" + lines;
  }

  std::string rest() {
    std::string lines;
    for (const RtlPort& port : ports_) {
      if (taken(port) || !port.input || port.width == 0) continue;
      lines +=
          fmt::format("  {}: <HEXADECIMAL VALUE>  # {} {}\n", port.name, port.width, port.width == 1 ? "bit" : "bits");
    }
    if (!lines.empty()) lines = "constants:  # every other input\n" + lines;
    std::string outputs;
    for (const RtlPort& port : ports_) {
      if (!taken(port) && !port.input)
        outputs += "#   " + port.name + ": " + counted(static_cast<std::uint64_t>(port.width), "bit") + "\n";
    }
    if (!outputs.empty())
      lines += "# Outputs not named above, which may be probes (`probes: {places: {PLACE: PORT}}`):\n" + outputs;
    return lines;
  }

  const Dut& dut_;
  const std::vector<RtlPort>& ports_;
  const Plan* plan_;  // nullptr: nobody said
  std::string claim_ = "instruction: <ARCHITECTURE:INSTRUCTION, or datapath: FILE>";
  int shown_ = 0;  // elements of a at its ports; 0: not known
  std::vector<std::string> taken_;
};

}  // namespace

std::string dut_draft(const Dut& dut, const std::vector<RtlPort>& ports, const DraftClaim* claim) {
  return Draft(dut, ports, claim).text();
}

}  // namespace assay
